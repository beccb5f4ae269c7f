"""What both peers in Python share: the inputs of the jobs, and the answers to lines "NAME SECONDS" (as bench/run/main.cpp)."""
import statistics
import sys
import time
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "test" / "data"))
import formula  # noqa: E402  what makes the numbers of the tests and of the benches alike


def filled(shape, stream, scale, shift=0.0):
    """Elements of a stream in [-scale / 2, scale / 2), plus shift."""
    return (formula.value(0, int(np.prod(shape)), stream, scale) + shift).reshape(shape).astype(np.float32)


def ramp(n):
    """n elements from -3 to 3, equally spaced; rounded from f64."""
    return (-3.0 + 6.0 * np.arange(n) / (n - 1)).astype(np.float32)


def layers():
    """The 90 layers of the deep network."""
    return [(filled((256, 256), 100 + i, 0.25), np.zeros(256, np.float32)) for i in range(90)]


CNN = [(5, 5, 1, 32), (32,), (5, 5, 32, 64), (64,), (3136, 128), (128,), (128, 10), (10,)]


def residual(i, o):
    return [(3, 3, i, o), (o,), (o,), (3, 3, o, o), (o,), (o,), (1, 1, i, o)]


RESNET8 = [(3, 3, 3, 16), (16,), (16,), *residual(16, 16), *residual(16, 32), *residual(32, 64), (64, 10), (10,)]


def transformer(width, blocks, front, back):
    """Parameters: `front`, those of blocks of attention and of a wide layer, `back`; the kernels of query, key and value as one."""
    stream = iter(range(400, 1000))
    some = lambda shapes: [filled(s, next(stream), 0.25) for s in shapes]
    p, square, line = some(front), (width, width), (width,)
    for _ in range(blocks):
        p += some([line, line])
        q, qb, k, kb, v, vb = some([square, line] * 3)
        p += [np.concatenate([q, k, v], 1), np.concatenate([qb, kb, vb])]
        p += some([square, line, line, line, (width, 4 * width), (4 * width,), (4 * width, width), line])
    return p + some(back)


class Vit:
    """A vision transformer: its sizes, parameters, and a batch."""

    def __init__(self, images, side, patch, channels, width, blocks, heads, classes):
        self.images, self.side, self.patch, self.channels, self.width, self.blocks, self.heads = images, side, patch, channels, width, blocks, heads
        self.across, self.classes = side // patch, classes

    def parameters(self):
        front = [(self.patch**2 * self.channels, self.width), (self.width,), (1, self.width), (self.across**2 + 1, self.width)]
        return transformer(self.width, self.blocks, front, [(self.width,), (self.width,), (self.width, self.classes), (self.classes,)])

    def batch(self):
        return filled((self.images, self.side, self.side, self.channels), 17, 2), np.arange(self.images) * 7 % 10


VIT_SMALL, VIT_B16 = (64, 28, 7, 1, 128, 4, 4, 10), (2, 224, 16, 3, 768, 12, 12, 1000)


class Gpt2:
    """The 124 million parameters, and a batch of 4 x 64 tokens."""

    width, blocks, heads, words, tokens = 768, 12, 12, 50257, 64

    def parameters(self):
        return transformer(self.width, self.blocks, [(self.words, self.width), (1024, self.width)], [(self.width,)] * 2)

    def batch(self):
        n = np.arange(4 * self.tokens).reshape(4, self.tokens)
        return n * 7919 % self.words, n * 7 % 10


def numbers(arrays):
    """The sum of magnitudes and the sum of squares of all elements, in f64."""
    arrays = [np.asarray(a, np.float64) for a in arrays]
    return sum(float(np.abs(a).sum()) for a in arrays), sum(float((a * a).sum()) for a in arrays)


def median(call, seconds, inner):
    """Median microseconds of one call, over groups of `inner` calls, after a warm-up of a quarter of the time."""
    end = time.perf_counter() + seconds / 4
    while time.perf_counter() < end:
        call()
    times, end = [], time.perf_counter() + seconds
    while time.perf_counter() < end or len(times) < 3:
        begin = time.perf_counter_ns()
        for _ in range(inner):
            call()
        times.append((time.perf_counter_ns() - begin) / inner / 1000)
    return statistics.median(times)


def serve(jobs):
    """jobs: name -> function that makes (call, check, inner); check gives arrays. The latest job's inputs are kept."""
    made, job = None, None
    for line in sys.stdin:
        name, seconds = line.split()
        if name not in jobs:
            print("none", flush=True)
            continue
        if made != name:
            job = None
            job, made = jobs[name](), name
        call, check, inner = job
        if float(seconds) > 0:
            print(f"{median(call, float(seconds), inner):.6g}", flush=True)
        else:
            print("{:.12g} {:.12g}".format(*numbers(check())), flush=True)
