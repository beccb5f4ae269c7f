"""Small torch modules in float64 as torch_nets.inc.hpp: results, and losses of 20 steps of SGD. Run: python torch_nets.py

The arrays of a module are as in huggingface.py: number k in the order of names is 0.5 * formula(shape, k + 1).
"""
import torch
from torch import nn

from writer import formula, head, listed, quoted, write

torch.set_default_dtype(torch.float64)


class Model(nn.Module):
    """The first example of torch.nn.Module's page."""

    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 20, 5)
        self.conv2 = nn.Conv2d(20, 20, 5)

    def forward(self, x):
        x = nn.functional.relu(self.conv1(x))
        return nn.functional.relu(self.conv2(x))


def block(name, module, x, rate):
    state = dict(sorted(module.state_dict().items()))
    entries = ""
    for k, (n, v) in enumerate(state.items()):
        entries += f'    {{{quoted(n)}, {{{", ".join(map(str, v.shape))}}}, 0.5, 0}},\n'
        with torch.no_grad():
            v.copy_(torch.tensor(0.5 * formula(v.shape, k + 1)))
    with torch.no_grad():
        y = module(x)
    losses = []
    for _ in range(20):
        loss = module(x).square().mean()
        module.zero_grad()
        loss.backward()
        with torch.no_grad():
            for p in module.parameters():
                p -= rate * p.grad
        losses.append(loss.item())
    return (f"namespace {name} {{\ninline std::vector<kept> const entries{{\n{entries}}};\n"
            f"// {list(y.shape)}\ninline std::vector<double> const result{listed(y)};\n"
            f"inline std::vector<double> const losses{listed(losses)};\n}}  // namespace {name}\n\n")


gelu = lambda form: nn.Sequential(nn.Linear(6, 8), nn.GELU(approximate=form), nn.Linear(8, 3))
x = torch.tensor(formula((4, 6), 50))
text = head("torch_nets.py", {"PyTorch": torch.__version__.split("+")[0]},
            "Small torch modules: results, and losses (the mean of their squares) of 20 steps of SGD.")
text += '#include "kept.hpp"\n\nnamespace huggingface {\n\n'
text += block("conv_1_20_20", Model(), torch.tensor(formula((1, 12, 12, 1), 50)).permute(0, 3, 1, 2), 0.01)
text += block("gelu_exact", gelu("none"), x, 0.1) + block("gelu_tanh", gelu("tanh"), x, 0.1)
write("torch_nets.inc.hpp", text + "}  // namespace huggingface\n")
