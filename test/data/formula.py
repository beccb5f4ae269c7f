"""Numbers by a closed formula, so that C++ repeats them bit for bit.

The same lines in C++ stand in sgd100.inc.hpp. Every value is an integer of 24 bits times a power of two,
hence exact in float32.
"""
import numpy as np

W1, B1, W2, B2, IMAGES, LABELS = range(1, 7)  # the streams
INPUTS, HIDDEN, CLASSES, BATCH = 784, 512, 10, 32
RATE, SCALE = 0.01, 0.125


def splitmix64(x):
    """One output of splitmix64 for each 64-bit state in x."""
    with np.errstate(over="ignore"):
        z = np.asarray(x, np.uint64) + np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))


def bits(first, count, stream):
    return splitmix64(np.arange(first, first + count, dtype=np.uint64) + np.uint64(stream << 32))


def value(first, count, stream, scale=1.0):
    """((splitmix64(i + stream * 2^32) >> 40) * 2^-24 - 0.5) * scale for i = first .. first + count - 1."""
    return ((bits(first, count, stream) >> np.uint64(40)).astype(np.float64) * 2.0**-24 - 0.5) * scale


def parameters(dtype):
    """w1 [784,512], b1 [512], w2 [512,10], b2 [10]; rows first."""
    return [
        value(0, INPUTS * HIDDEN, W1, SCALE).reshape(INPUTS, HIDDEN).astype(dtype),
        value(0, HIDDEN, B1, SCALE).astype(dtype),
        value(0, HIDDEN * CLASSES, W2, SCALE).reshape(HIDDEN, CLASSES).astype(dtype),
        value(0, CLASSES, B2, SCALE).astype(dtype),
    ]


def batch(step, dtype):
    """Images [32,784] in [0,1) and labels [32] of the step that counts from 0."""
    images = value(step * BATCH * INPUTS, BATCH * INPUTS, IMAGES) + 0.5
    labels = bits(step * BATCH, BATCH, LABELS) % np.uint64(CLASSES)
    return images.reshape(BATCH, INPUTS).astype(dtype), labels.astype(np.int32)
