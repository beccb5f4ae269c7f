"""PyTorch as a peer of the bench, see peer.py: eager, or with `compile` through torch.compile.
Run: python torch_peer.py THREADS [compile]"""
import sys

import peer
import torch
from peer import filled, formula, np, ramp

torch.set_num_threads(int(sys.argv[1]))
compiled = torch.compile if "compile" in sys.argv else lambda f: f
functional = torch.nn.functional


def of(f, *args, inner=1):
    f, args = compiled(f), [torch.from_numpy(a) for a in args]
    return lambda: f(*args), lambda: [f(*args).detach().numpy()], inner


def grad_of(f, x, inner=1):
    f, x = compiled(f), torch.from_numpy(x).requires_grad_()
    g = lambda: torch.autograd.grad(f(x), x)[0]
    return g, lambda: [g().numpy()], inner


def trained(loss, start, update, inner=1):
    loss, p = compiled(loss), start()

    def one():
        g = torch.autograd.grad(loss(p), p, allow_unused=True)
        with torch.no_grad():
            update(p, g)

    def check():
        with torch.no_grad():
            for w, first in zip(p, start()):
                w.copy_(first)
            for kept in memory:
                kept.clear()
        one()
        one()
        return [w.detach().numpy() for w in p]

    return one, check, inner


memory = []


def chain(a):
    return torch.exp(-a * a) * torch.sin(a) + torch.tanh(a / 2)


def predict(p, x):
    w1, b1, w2, b2 = p
    return torch.relu(x @ w1 + b1) @ w2 + b2


def mlp():
    x, y = (torch.from_numpy(v) for v in formula.batch(0, np.float32))
    y = y.long()
    start = lambda: [torch.tensor(w, requires_grad=True) for w in formula.parameters(np.float32)]
    return trained(lambda p: functional.cross_entropy(predict(p, x), y), start, lambda p, g: torch._foreach_add_(p, g, alpha=-0.01), 10)


def per_example():
    x, y = (torch.from_numpy(v) for v in formula.batch(0, np.float32))
    p = [torch.tensor(w) for w in formula.parameters(np.float32)]
    g = torch.func.grad(lambda p, x, y: functional.cross_entropy(predict(p, x), y))
    f = compiled(torch.func.vmap(g, (None, 0, 0)))
    return lambda: f(p, x, y.long()), lambda: [w.numpy() for w in f(p, x, y.long())], 1


def deep():
    x = torch.from_numpy(filled((64, 256), 14, 2))
    start = lambda: [torch.tensor(w, requires_grad=True) for pair in peer.layers() for w in pair]
    state = {}
    memory.append(state)

    def loss(p):
        h = x
        for w, b in zip(p[::2], p[1::2]):
            h = torch.relu(h @ w + b)
        return (h * h).mean()

    def update(p, g):
        if not state:
            state.update(m=[torch.zeros_like(w) for w in p], v=[torch.zeros_like(w) for w in p], t=0)
        m, v = state["m"], state["v"]
        state["t"] += 1
        a, b = 1 - 0.9 ** state["t"], 1 - 0.999 ** state["t"]
        torch._foreach_mul_(m, 0.9)
        torch._foreach_add_(m, g, alpha=0.1)
        torch._foreach_mul_(v, 0.999)
        torch._foreach_addcmul_(v, g, g, 0.001)
        d = torch._foreach_div(v, b)
        torch._foreach_sqrt_(d)
        torch._foreach_add_(d, 1e-8)
        torch._foreach_addcdiv_(p, m, d, -0.001 / a)

    return trained(loss, start, update)


def product_bf16():
    a, b = (torch.from_numpy(filled((1024, 1024), stream, 2)).bfloat16() for stream in (18, 19))
    return lambda: a @ b, lambda: [(a @ b).float().numpy()], 1


def heat(y):
    slope = lambda y: functional.pad(y[:-1], (1, 0)) - 2 * y + functional.pad(y[1:], (0, 1))
    h = 0.2
    for _ in range(10):
        a = slope(y)
        b = slope(y + 0.5 * h * a)
        c = slope(y + 0.5 * h * b)
        d = slope(y + h * c)
        y = y + h / 6 * (a + 2 * b + 2 * c + d)
    return y


def conv(x, w, stride=1):
    """Padded as JAX's SAME, which puts the odd one behind."""
    more = [max(w.shape[i] - (stride if x.shape[i] % stride == 0 else x.shape[i] % stride), 0) for i in (3, 2)]
    sides = [s for m in more for s in (m // 2, m - m // 2)]
    if sides[0] == sides[1] and sides[2] == sides[3]:
        return functional.conv2d(x, w, stride=stride, padding=(sides[2], sides[0]))
    return functional.conv2d(functional.pad(x, sides), w, stride=stride)


def cnn(p, x):
    pool = lambda x: functional.max_pool2d(torch.relu(x), 2)
    h = pool(conv(x, p[0]) + p[1][:, None, None])
    h = pool(conv(h, p[2]) + p[3][:, None, None])
    return torch.relu(h.permute(0, 2, 3, 1).reshape(64, -1) @ p[4] + p[5]) @ p[6] + p[7]


def resnet8(p, x):
    p = iter(p)
    statistics = lambda x: functional.batch_norm(x, None, None, next(p), next(p), True)
    h = torch.relu(statistics(conv(x, next(p))))
    for stride in (1, 2, 2):
        r = torch.relu(statistics(conv(h, next(p), stride)))
        r = statistics(conv(r, next(p)))
        across = next(p)
        h = torch.relu(r + (conv(h, across, stride) if stride > 1 else h))
    return h.mean((2, 3)) @ next(p) + next(p)


def network(f, shapes, picture):
    image = lambda a: torch.from_numpy(a).permute(0, 3, 1, 2).contiguous(memory_format=torch.channels_last)
    kernel = lambda w: torch.from_numpy(w).permute(3, 2, 0, 1).contiguous() if w.ndim == 4 else torch.from_numpy(w)
    x, y = image(filled((64, *picture), 17, 2)), torch.arange(64) * 7 % 10
    start = lambda: [kernel(filled(s, 300 + k, 0.25)).requires_grad_() for k, s in enumerate(shapes)]

    def update(p, g):  # of a convolution that no call runs there is none
        for w, d in zip(p, g):
            if d is not None:
                w.add_(d, alpha=-0.001)

    return trained(lambda p: functional.cross_entropy(f(p, x), y), start, update)


def attention(gradient=False, shape=(8, 1024, 1, 64), **options):
    x = [torch.from_numpy(filled(shape, k, scale)).requires_grad_(gradient) for k, scale in ((20, 4), (21, 4), (22, 2))]
    f = compiled(lambda *x: functional.scaled_dot_product_attention(*(a.transpose(1, 2) for a in x), **options).transpose(1, 2))
    g = (lambda: torch.autograd.grad((f(*x) ** 2).sum(), x)) if gradient else lambda: [f(*x)]
    return g, lambda: [a.numpy() for a in g()], 1


def normed(x, scale, bias):
    return functional.layer_norm(x, (x.shape[-1],), scale, bias)


def blocks(x, p, count, heads, causal=False):
    """Transformer blocks; p is an iterator over their parameters. Kernels are [out, in], as in nn.Linear."""
    for _ in range(count):
        b, t, width = x.shape
        h = functional.linear(normed(x, next(p), next(p)), next(p), next(p))
        q, k, v = h.view(b, t, 3, heads, width // heads).permute(2, 0, 3, 1, 4)
        h = functional.scaled_dot_product_attention(q, k, v, is_causal=causal).transpose(1, 2).reshape(b, t, width)
        x = x + functional.linear(h, next(p), next(p))
        h = functional.linear(normed(x, next(p), next(p)), next(p), next(p))
        x = x + functional.linear(functional.gelu(h, approximate="tanh"), next(p), next(p))
    return x


def vit(net, p, x):
    p, (n, a, s) = iter(p), (net.images, net.across, net.patch)
    cut = x.reshape(n, a, s, a, s, net.channels).permute(0, 1, 3, 2, 4, 5).reshape(n, a * a, -1)
    cut = functional.linear(cut, next(p), next(p))
    h = torch.cat([next(p).expand(n, 1, net.width), cut], 1) + next(p)
    h = blocks(h, p, net.blocks, net.heads)
    return functional.linear(normed(h[:, 0], next(p), next(p)), next(p), next(p))


def gpt2(net, p, x):
    p = iter(p)
    words = next(p)
    h = blocks(functional.embedding(x, words) + next(p)[: net.tokens], p, net.blocks, net.heads, True)
    return normed(h, next(p), next(p)) @ words.T


def transformer(net, f, optimizer, narrow=False):
    """optimizer: of torch.optim, made of the parameters. Kernels of linear layers are turned to [out, in]; the embeddings are not."""
    linear = lambda k, w: w.ndim == 2 and (k >= 4 if isinstance(net, peer.Vit) else k >= 2) or (isinstance(net, peer.Vit) and k == 0)
    turned = lambda: [torch.from_numpy(np.ascontiguousarray(w.T) if linear(k, w) else w) for k, w in enumerate(net.parameters())]
    p = [w.requires_grad_() for w in turned()]
    x, y = map(torch.from_numpy, net.batch())
    state = [optimizer(p)]

    def forward(p):
        with torch.autocast("cpu", torch.bfloat16, enabled=narrow):
            z = f(net, p, x)
        return functional.cross_entropy(z.float().flatten(0, -2), y.flatten())

    loss = compiled(forward)

    def one():
        state[0].zero_grad(set_to_none=True)
        loss(p).backward()
        state[0].step()

    def check():
        with torch.no_grad():
            for w, first in zip(p, turned()):
                w.copy_(first)
        state[0] = optimizer(p)
        one()
        one()
        return [w.detach().numpy() for w in p]

    return one, check, 1


rows = lambda: filled((8192, 1024), 10, 8)
peer.serve({
    "grad4": lambda: grad_of(lambda x: (x * x).sum(), np.array([1, 2, 3, 4], np.float32), 100),
    "mlp_step": mlp,
    "per_example": per_example,
    "chain": lambda: of(chain, ramp(1 << 24)),
    "chain_grad": lambda: grad_of(lambda a: chain(a).sum(), ramp(1 << 24)),
    "softmax": lambda: of(lambda x: torch.softmax(x, -1), rows()),
    "layer_norm": lambda: of(lambda x: functional.layer_norm(x, (1024,)), rows()),
    "layer_norm_grad": lambda: grad_of(lambda x: (functional.layer_norm(x, (1024,)) ** 3).sum(), rows()),
    "lse_grad": lambda: grad_of(lambda x: torch.logsumexp(x, 0), filled((1 << 24,), 11, 8)),
    "dot": lambda: of(torch.matmul, filled((1 << 16,), 16, 2, 1), filled((1 << 16,), 17, 2, 1), inner=10),
    "matvec": lambda: of(torch.matmul, filled((1024, 1024), 18, 2, 1), filled((1024,), 19, 2, 1)),
    "vecmat": lambda: of(torch.matmul, filled((1024,), 19, 2, 1), filled((1024, 1024), 18, 2, 1)),
    "column_sums": lambda: of(lambda a: a.sum(0), filled((8192, 1024), 10, 2, 1)),
    "cnn": lambda: network(cnn, peer.CNN, (28, 28, 1)),
    "resnet8": lambda: network(resnet8, peer.RESNET8, (32, 32, 3)),
    "vit_small": lambda: transformer(peer.Vit(*peer.VIT_SMALL), vit, lambda p: torch.optim.Adam(p, fused=True)),
    "vit_b16": lambda: transformer(peer.Vit(*peer.VIT_B16), vit, lambda p: torch.optim.SGD(p, 1e-3, fused=True)),
    "vit_b16_bf16": lambda: transformer(peer.Vit(*peer.VIT_B16), vit, lambda p: torch.optim.SGD(p, 1e-3, fused=True), True),
    "gpt2": lambda: transformer(peer.Gpt2(), gpt2, lambda p: torch.optim.AdamW(p, weight_decay=0.1, fused=True)),
    "dot_bf16": product_bf16,
    "attention": attention,
    "attention_grad": lambda: attention(True),
    "attention_causal_grad": lambda: attention(True, (1, 4096, 1, 64), is_causal=True),
    "heat": lambda: of(heat, filled((1000000,), 15, 2)),
    "heat_grad": lambda: grad_of(lambda y: (heat(y) ** 2).sum(), filled((1000000,), 15, 2)),
    "adam90": deep,
})
