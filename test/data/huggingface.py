"""Small models of Hugging Face's transformers in float64, as bert.inc.hpp, vit.inc.hpp and gpt2.inc.hpp.
Run: python huggingface.py [bert|vit|gpt2]
python huggingface.py full FOLDER: GPT-2 of 124 million parameters, drawn: its checkpoint, and logits of 64 tokens as .npy

The arrays of a checkpoint are numbers by writer.formula: number k of the file, in the order of names, is
scale * formula(shape, k + 1) + shift. The package reads them from a file, as it reads a published one, and so does etna.
"""
import sys
import tempfile
from pathlib import Path

import numpy as np
import safetensors.torch
import torch
import transformers as tf

from writer import formula, head, listed, quoted, write

torch.set_default_dtype(torch.float64)
versions = {"PyTorch": torch.__version__.split("+")[0], "transformers": tf.__version__}


def checkpoint(model):
    """A model that has read such a file, and how C++ makes the file."""
    with tempfile.TemporaryDirectory() as folder:
        model.save_pretrained(folder)
        path = Path(folder) / "model.safetensors"
        table, arrays = [], {}
        for k, (name, x) in enumerate(sorted(safetensors.torch.load_file(path).items())):
            is_norm = x.ndim == 1 and name.endswith("weight")
            scale, shift = (0.25, 1) if is_norm else (0.5, 0)
            table.append((name, x.shape, scale, shift))
            arrays[name] = torch.tensor(scale * formula(x.shape, k + 1) + shift)
        safetensors.torch.save_file(arrays, path, {"format": "pt"})
        model = type(model).from_pretrained(folder, dtype=torch.float64, attn_implementation="sdpa").eval()
    entries = [f'    {{{quoted(n)}, {{{", ".join(map(str, s))}}}, {a}, {b}}},' for n, s, a, b in table]
    return model, "inline std::vector<kept> const entries{\n" + "\n".join(entries) + "\n};\n"


def save(name, what, entries, values):
    text = head("huggingface.py", versions, what) + "#include \"kept.hpp\"\n\n" + f"namespace huggingface::{name} {{\n\n"
    text += entries + "\n"
    for key, v in values.items():
        text += f"// {list(np.shape(v))}\ninline std::vector<double> const {key}{listed(v)};\n"
    write(f"{name}.inc.hpp", text + f"\n}}  // namespace huggingface::{name}\n")


def bert():
    config = tf.BertConfig(vocab_size=13, hidden_size=8, num_hidden_layers=2, num_attention_heads=2, intermediate_size=12,
                           max_position_embeddings=7)
    model, entries = checkpoint(tf.BertModel(config))
    ids, mask = torch.tensor([[3, 7, 1, 12, 0, 0]]), torch.tensor([[1, 1, 1, 1, 0, 0]])
    with torch.no_grad():
        y = model(ids, attention_mask=mask).last_hidden_state[0]
    mean = y[:4].mean(0)
    save("bert", "BertModel of two layers, tokens 3 7 1 12 and two of padding.", entries,
         {"hidden": y, "embedding": mean / mean.norm()})


def losses(model, loss, rate):
    """Of 50 steps of gradient descent, each before its step."""
    found = []
    for _ in range(50):
        value = loss(model)
        model.zero_grad()
        value.backward()
        with torch.no_grad():
            for p in model.parameters():
                p -= rate * p.grad
        found.append(value.item())
    return found


def vit():
    config = tf.ViTConfig(hidden_size=8, num_hidden_layers=2, num_attention_heads=2, intermediate_size=12, image_size=12,
                          patch_size=4, num_labels=5)
    model, entries = checkpoint(tf.ViTForImageClassification(config))
    x = torch.tensor(formula((6, 12, 12, 3), 50)).permute(0, 3, 1, 2)
    y = torch.tensor([0, 1, 2, 3, 4, 0])
    with torch.no_grad():
        logits = model(x).logits
    save("vit", "ViTForImageClassification of two layers, six pictures; losses of 50 steps of SGD of rate 0.05.", entries,
         {"logits": logits, "losses": losses(model, lambda m: m(x, labels=y).loss, 0.05)})


def next_token_loss(logits, ids):
    """The package's own rounds the logits to float32; so do its attentions but sdpa with the weights."""
    return torch.nn.functional.cross_entropy(logits[:, :-1].flatten(0, 1), ids[:, 1:].flatten())


def gpt2():
    config = tf.GPT2Config(vocab_size=11, n_positions=8, n_embd=8, n_layer=2, n_head=2, resid_pdrop=0, embd_pdrop=0,
                           attn_pdrop=0, bos_token_id=0, eos_token_id=0)
    model, entries = checkpoint(tf.GPT2LMHeadModel(config))
    ids = torch.tensor([[3, 7, 1, 10, 4, 4, 0, 2], [9, 8, 7, 6, 5, 4, 3, 2]])
    with torch.no_grad():
        logits = model(ids).logits
    save("gpt2", "GPT2LMHeadModel of two layers, two texts; losses of 50 steps of SGD of rate 0.05.", entries,
         {"logits": logits, "losses": losses(model, lambda m: next_token_loss(m(ids).logits, ids), 0.05)})


def full(folder):
    torch.manual_seed(0)
    model = tf.GPT2LMHeadModel(tf.GPT2Config()).float().eval()
    model.save_pretrained(folder)
    ids = torch.arange(64)[None] * 7919 % 50257
    with torch.no_grad():
        np.save(Path(folder) / "logits.npy", model.double()(ids).logits[0].numpy())


if __name__ == "__main__":
    if sys.argv[1:2] == ["full"]:
        full(sys.argv[2])
        sys.exit()
    for name in sys.argv[1:] or ["bert", "vit", "gpt2"]:
        globals()[name]()
