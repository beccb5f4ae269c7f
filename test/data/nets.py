"""Small networks in float64, as nets.inc.hpp: a residual network by PyTorch, dense ones by JAX as Flax's Dense
computes. Run: python nets.py

Parameters are numbers by writer.formula: number k of the list, in the order of names, is
scale * formula(shape, k + 1) + shift. kept.hpp makes the same of it.
"""
import jax
import jax.numpy as jnp
import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from writer import formula, head, listed, quoted, write

torch.set_default_dtype(torch.float64)
jax.config.update("jax_enable_x64", True)
versions = {"PyTorch": torch.__version__.split("+")[0], "JAX": jax.__version__}
text = []


def keep(**values):
    for name, v in values.items():
        v = v.detach().numpy() if isinstance(v, torch.Tensor) else v
        text.append(f"// {list(np.shape(v))}\ninline std::vector<double> const {name}{listed(v)};\n")


def numbers(name, shape, k):
    is_norm = len(shape) == 1 and name.endswith(("weight", "running_var"))
    scale, shift = (0.25, 1) if is_norm else (0.5, 0)
    return scale * formula(shape, k + 1) + shift, f"    {{{quoted(name)}, {{{', '.join(map(str, shape))}}}, {scale}, {shift}}},"


def fill(prefix, model):
    """The model's parameters and running means, and how C++ makes them."""
    names = sorted(n for n in model.state_dict() if not n.endswith("num_batches_tracked"))
    lines = []
    with torch.no_grad():
        for k, name in enumerate(names):
            x = model.state_dict()[name]
            made, line = numbers(name, tuple(x.shape), k)
            x.copy_(torch.tensor(made))
            lines.append(line)
    text.append(f"inline std::vector<huggingface::kept> const {prefix}_entries{{\n" + "\n".join(lines) + "\n};\n")
    return model


def losses(model, loss, rate, steps=3):
    """Of steps of gradient descent, each before its step."""
    found = []
    for _ in range(steps):
        value = loss(model)
        model.zero_grad()
        value.backward()
        with torch.no_grad():
            for p in model.parameters():
                p -= rate * p.grad
        found.append(value.item())
    return found


def pictures(shape, seed):
    """Channels last here and in C++, and first in PyTorch."""
    return torch.tensor(formula(shape, seed)).permute(0, 3, 1, 2)


class Block(nn.Module):
    """torchvision's BasicBlock."""

    def __init__(self, width, out, stride):
        super().__init__()
        self.conv1, self.bn1 = nn.Conv2d(width, out, 3, stride, 1, bias=False), nn.BatchNorm2d(out)
        self.conv2, self.bn2 = nn.Conv2d(out, out, 3, 1, 1, bias=False), nn.BatchNorm2d(out)
        self.downsample = None
        if stride != 1 or width != out:
            self.downsample = nn.Sequential(nn.Conv2d(width, out, 1, stride, bias=False), nn.BatchNorm2d(out))

    def forward(self, x):
        h = self.bn2(self.conv2(torch.relu(self.bn1(self.conv1(x)))))
        return torch.relu(h + (x if self.downsample is None else self.downsample(x)))


class ResNet(nn.Module):
    """torchvision's, with CIFAR's stem."""

    def __init__(self, widths, blocks, labels):
        super().__init__()
        self.conv1, self.bn1 = nn.Conv2d(3, widths[0], 3, 1, 1, bias=False), nn.BatchNorm2d(widths[0])
        self.count, before = len(widths), widths[0]
        for i, width in enumerate(widths):
            stage = [Block(before if b == 0 else width, width, 2 if i > 0 and b == 0 else 1) for b in range(blocks)]
            setattr(self, f"layer{i + 1}", nn.Sequential(*stage))
            before = width
        self.fc = nn.Linear(before, labels)

    def forward(self, x):
        x = torch.relu(self.bn1(self.conv1(x)))
        for i in range(self.count):
            x = getattr(self, f"layer{i + 1}")(x)
        return self.fc(x.mean((2, 3)))


def moved(before, after):
    """The running means and variances of the layers in their order. Flax and etna take the variance of the batch,
    PyTorch n / (n - 1) times that: n is 4 pictures of 8 x 8 numbers, and in later stages a quarter of that each."""
    for name in after:
        if name.endswith("running_mean"):
            yield after[name]
        if name.endswith("running_var"):
            n = 256 >> 2 * (int(name[5]) - 1 if name.startswith("layer") else 0)
            yield 0.9 * before[name] + (after[name] - 0.9 * before[name]) * (n - 1) / n


def resnet():
    for widths, blocks, wanted in [((64, 128, 256, 512), 2, 11173962), ((16, 32, 64), 1, 78042)]:
        assert sum(p.numel() for p in ResNet(widths, blocks, 10).parameters()) == wanted
    model = fill("resnet", ResNet((4, 6, 8), 1, 5))
    x, y = pictures((4, 8, 8, 3), 50), torch.tensor([0, 1, 2, 3])
    with torch.no_grad():
        keep(resnet_evaluated=model.eval()(x))
        before = {n: v.clone() for n, v in model.state_dict().items()}
        keep(resnet_trained=model.train()(x))
        keep(resnet_moved=torch.cat(list(moved(before, model.state_dict()))))
    keep(resnet_losses=losses(model, lambda m: F.cross_entropy(m(x), y), 0.05))


def dense():
    """Flax's Dense(128), relu, Dense(10), kernels as [in, out]; three steps of gradient descent."""
    p = [jnp.asarray(0.5 * formula(s, k + 1)) for k, s in enumerate([(16, 128), (128,), (128, 10), (10,)])]
    x, y = jnp.asarray(formula((4, 16), 50)), jnp.array([0, 3, 9, 5])

    def call(p, x, f=jax.nn.relu):
        return f(x @ p[0] + p[1]) @ p[2] + p[3]

    def loss(p):
        return -jnp.take_along_axis(jax.nn.log_softmax(call(p, x)), y[:, None], 1).mean()

    keep(dense_logits=call(p, x), dense_gelu_tanh=call(p, x, lambda h: jax.nn.gelu(h, approximate=True)))
    found = []
    for _ in range(3):
        value, gradient = jax.value_and_grad(loss)(p)
        p = [a - 0.05 * g for a, g in zip(p, gradient)]
        found.append(float(value))
    keep(dense_losses=found)


resnet()
dense()
write("nets.inc.hpp", head("nets.py", versions, "Networks by PyTorch and JAX: results, and losses of three steps of SGD.") +
      "#include \"kept.hpp\"\n\nnamespace nets {\n\n" + "".join(text) + "\n}  // namespace nets\n")
