# SPDX-License-Identifier: BSD-3-Clause
"""Writes random programs over arrays of all sizes, as tests: check.hpp says what must hold of each.

    programs.py FIRST COUNT > FILE.cpp     the programs of the seeds FIRST, FIRST + 1, ...

A program is a list of statements, each an array of a known shape made of earlier ones. Numbers stay near 1, so that
differences are those of rounding; every other seed is of small arrays. A seed gives the same program always.
"""
import itertools
import math
import random
import sys

EXTENTS = [1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 17, 24, 31, 33, 40, 64, 65, 100, 130, 257, 300]
LONG = [515, 700, 1001]
MOST_OPERATIONS = 3e7  # of a product
ELEMENTWISE = ['sin({0})', 'tanh({0})', 'exp(tanh({0}))', '{0} * {0} * T(0.3)', 'sqrt({0} * {0} + T(1))', 'abs({0} + T(0.01))',
               'logistic({0})', 'relu({0})', '-{0}', 'log({0} * {0} + T(1))', 'cos({0}) * {c}', '{0} + {c}', '{0} * {c}',
               'where({0} > T(0.1), {0} * {0}, {0} * T(0.5))', 'expm1(tanh({0}))', '{0} / ({0} * {0} + T(1))', 'erf({0})',
               'clip({0}, T(-0.8), T(0.9))', 'where(astype<std::uint8_t>({0} * T(50)) > std::uint8_t(20), {0} * T(0.5), {0} * T(0.51))',
               '{0} * (T(1) + T(0.01) * astype<T>(astype<int>({0} * T(3))))', 'where(astype<std::int64_t>({0} * T(9)) > std::int64_t(1), {0}, {0} * T(0.99))',
               '{0} * (T(0.4) + T(0.01) * astype<T>(astype<std::uint8_t>(abs({0}) * T(4))))']
OF_TWO = ['{0} + {1}', '{0} - {1}', '{0} * {1}', '{0} / ({1} * {1} + T(1))', 'maximum({0}, {1} + T(0.003))', 'minimum({0}, {1} * T(0.9))',
          'where({0} > {1} + T(0.02), {0}, {1} * T(0.5))', '{1} * {c} + {0}', 'sin({0} * {1})', '{0} * {1} + {0}',
          'where(({0} > T(0)) && ({1} < T(0.3)), {0}, {1})', 'arctan2({0}, {1} * {1} + T(0.5))']
ROWS = ['{0} - mean<{1}>({0}, keepdims)', '{0} / (sum<{1}>({0} * {0}, keepdims) + T(1))', 'softmax<{1}>({0})', 'log_softmax<{1}>({0}) * T(0.2)',
        '{0} - max<{1}>({0}, keepdims)', '({0} - mean<{1}>({0}, keepdims)) / sqrt(var<{1}>({0}, keepdims) + T(0.1))',
        '{0} * sum<{1}>(tanh({0}), keepdims) * T(0.1)', 'cumsum<{1}>({0}) * T(0.1)', 'sort<{1}>({0})']
SUMS = ['mean<{1}>({0}{2})', 'sum<{1}>({0}{2}) * T({3})', 'mean<{1}>({0} * {0}{2})', 'max<{1}>({0}{2})', 'min<{1}>({0}{2})',
        'logsumexp<{1}>({0}{2}) * T(0.3)', 'mean<{1}>(abs({0}){2})', 'sum<{1}>({0}{2}) * T({3}) + mean<{1}>({0} * {0}{2})']


def size(shape):
    return math.prod(shape)


def listed(items):
    return ', '.join(map(str, items))


def broadcast(a, b):
    """The shape of both, or None."""
    shape = []
    for x, y in itertools.zip_longest(reversed(a), reversed(b), fillvalue=1):
        if x != y and 1 not in (x, y):
            return None
        shape.append(max(x, y))
    return tuple(reversed(shape))


class Program:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.seed = seed
        self.T = self.random.choice(['double', 'double', 'float'])
        self.large = seed % 2 == 0
        self.most = 300_000 if self.large else 20_000  # elements of an array
        self.parameters = []  # (name, type, shape, limit of an index)
        self.values = []      # (name, shape)
        self.lines = []
        self.indices = {}
        self.write()

    # ---- what statements are made of

    def pick(self, items):
        return self.random.choice(items)

    def array(self, shape, T=None):
        return f'array<{listed([T or self.T, *shape])}>'

    def parameter(self, shape):
        name = f'x{len(self.parameters)}'
        self.parameters.append((name, self.T, tuple(shape), None))
        self.values.append((name, tuple(shape)))
        return name

    def index(self, places, limit):
        """An array of so many places below the limit (0: a number), as a parameter."""
        if (places, limit) not in self.indices:
            name = self.indices[places, limit] = f'i{len(self.indices)}'
            self.parameters.append((name, 'int', (places,) if places else (), limit))
        return self.indices[places, limit]

    def statement(self, shape, text):
        if size(shape) > self.most:
            return
        name = f'v{len(self.lines)}'
        self.lines.append(f'{self.array(shape)} {name} = {text};')
        self.values.append((name, tuple(shape)))

    def value(self, rank=None, where=lambda shape: True):
        """One of the values, rather a late one; None where there is none."""
        fit = [v for v in self.values if (rank is None or len(v[1]) == rank) and where(v[1])]
        return fit[-1 - min(int(self.random.expovariate(0.35)), len(fit) - 1)] if fit else (None, None)

    def constant(self):
        return self.pick(['T(0.5)', 'T(0.25)', 'T(1.5)', 'T(-0.7)', 'T(0.1)'])

    # ---- kinds of statements

    def elementwise(self):
        v, shape = self.value()
        self.statement(shape, self.pick(ELEMENTWISE).format(v, c=self.constant()))

    def of_two(self):
        a, x = self.value()
        b, y = self.value(where=lambda shape: broadcast(x, shape) is not None)
        self.statement(broadcast(x, y), self.pick(OF_TWO).format(a, b, c=self.constant()))

    def rows(self):
        v, shape = self.value(where=lambda shape: len(shape) > 0)
        if v:
            axis = self.random.randrange(len(shape))
            self.statement(shape, self.pick(ROWS).format(v, self.pick([axis, axis - len(shape)])))

    def reduction(self):
        v, shape = self.value(where=lambda shape: len(shape) > 0)
        if not v:
            return
        some = self.random.randint(1, len(shape)) if self.random.random() < 0.3 else 1
        axes = self.random.sample(range(len(shape)), some)
        keeps = self.random.random() < 0.3
        out = [1 if i in axes else e for i, e in enumerate(shape) if keeps or i not in axes]
        scale = repr(size([shape[i] for i in axes]) ** -0.5)
        self.statement(out, self.pick(SUMS).format(v, listed(axes), ', keepdims' if keeps else '', scale))

    def movement(self):
        v, shape = self.value(where=lambda shape: len(shape) > 0)
        if v:
            getattr(self, 'move_' + self.pick(self.MOVES))(v, shape, self.random.randrange(len(shape)))

    MOVES = ['transpose', 'reshape', 'flip', 'roll', 'slice', 'slice', 'pad', 'join', 'join', 'expand', 'squeeze', 'broadcast', 'stack', 'take',
             'along', 'add_at', 'set_at', 'dynamic', 'update', 'tile', 'repeat']

    def move_transpose(self, v, shape, axis):
        order = self.random.sample(range(len(shape)), len(shape))
        self.statement([shape[i] for i in order], f'transpose<{listed(order)}>({v})')

    def move_reshape(self, v, shape, axis):
        left, out = size(shape), []
        for _ in range(self.random.randint(0, 2)):
            out.append(self.pick([d for d in range(1, min(left, 1000) + 1) if left % d == 0]))
            left //= out[-1]
        out.append(left)
        self.random.shuffle(out)
        self.statement(out, f'reshape<{listed(out)}>({v})')

    def move_flip(self, v, shape, axis):
        self.statement(shape, f'flip<{axis}>({v})')

    def move_roll(self, v, shape, axis):
        self.statement(shape, f'roll<{self.random.randint(-3, 5)}, {axis}>({v})')

    def move_slice(self, v, shape, axis):
        out, parts = [], []
        for e in shape:
            kind, begin = self.random.random(), self.random.randrange(e)
            if kind < 0.4:
                parts.append('every')
                out.append(e)
            elif kind < 0.5:
                parts.append(begin)
            elif kind < 0.6:
                parts.append('range{rest, rest, -1}')
                out.append(e)
            else:
                end, step = self.random.randint(begin + 1, e), self.pick([1, 1, 1, 2, 3])
                parts.append(f'range{{{begin}, {end}, {step}}}')
                out.append((end - begin + step - 1) // step)
        self.statement(out, f'slice<{listed(parts)}>({v})')

    def move_pad(self, v, shape, axis):
        widths = [self.pick([0, 0, 1, 2, 3]) for _ in range(2 * len(shape))]
        out = [e + widths[2 * i] + widths[2 * i + 1] for i, e in enumerate(shape)]
        self.statement(out, f'pad<{listed(widths)}>({v}, {self.constant()})')

    def move_join(self, v, shape, axis):
        rest = shape[:axis] + shape[axis + 1:]
        w, other = self.value(len(shape), lambda s: s[:axis] + s[axis + 1:] == rest)
        out = list(shape)
        out[axis] += other[axis]
        self.statement(out, f'concatenate<{axis}>({v}, {w})')

    def move_expand(self, v, shape, axis):
        if len(shape) < 4:
            self.statement(shape[:axis] + (1,) + shape[axis:], f'expand_dims<{axis}>({v})')

    def move_squeeze(self, v, shape, axis):
        if shape[axis] == 1:
            self.statement(shape[:axis] + shape[axis + 1:], f'squeeze<{axis}>({v})')

    def move_broadcast(self, v, shape, axis):
        if len(shape) < 4:
            out = (self.pick(EXTENTS[:9]),) + shape
            self.statement(out, f'broadcast_to<{listed(out)}>({v})')

    def move_stack(self, v, shape, axis):
        w, _ = self.value(len(shape), lambda s: s == shape)
        if len(shape) < 4:
            self.statement(shape[:axis] + (2,) + shape[axis:], f'stack<{axis}>({v}, {w})')

    def move_take(self, v, shape, axis):
        n = self.pick([1, 2, 3, 5, 9, 33])
        self.statement(shape[:axis] + (n,) + shape[axis + 1:], f'take<{axis}>({v}, {self.index(n, shape[axis])})')

    def move_along(self, v, shape, axis):
        if len(shape) == 2:
            index = self.pick([self.index(shape[0], shape[1]), f'argmax<1>({v})', f'argmin<1>({v})'])
            self.statement(shape[:1], f'squeeze<1>(take_along_axis<1>({v}, expand_dims<1>({index})))')

    def move_add_at(self, v, shape, axis):
        index = self.index(self.pick([1, 2, 5, 9]), shape[0])
        self.statement(shape, f'{v}.at({index}).{self.pick(["add", "set"])}({self.constant()})')

    def move_set_at(self, v, shape, axis):
        parts = []
        for e in shape:
            begin = self.random.randrange(e)
            parts.append(f'range{{{begin}, {self.random.randint(begin + 1, e)}}}')
        self.statement(shape, f'{v}.template at<{listed(parts)}>().{self.pick(["set", "add", "multiply"])}({self.constant()})')

    def move_dynamic(self, v, shape, axis):
        out = [self.random.randint(1, e) for e in shape]
        self.statement(out, f'dynamic_slice<{listed(out)}>({v}, {listed(self.index(0, e) for e in shape)})')

    def move_update(self, v, shape, axis):
        w, _ = self.value(len(shape), lambda s: all(a <= b for a, b in zip(s, shape)))
        self.statement(shape, f'dynamic_update_slice({v}, {w}, {listed(self.index(0, e) for e in shape)})')

    def move_tile(self, v, shape, axis):
        times = [self.pick([1, 2, 3]) for _ in shape]
        self.statement([a * b for a, b in zip(times, shape)], f'tile<{listed(times)}>({v})')

    def move_repeat(self, v, shape, axis):
        n = self.pick([2, 3])
        self.statement(shape[:axis] + (n * shape[axis],) + shape[axis + 1:], f'repeat<{n}, {axis}>({v})')

    def product(self):
        v, shape = self.value(where=lambda shape: len(shape) > 0)
        if not v:
            return
        kind, rank, k = self.pick(['dot', 'dot', 'new', 'new', 'gram', 'batch', 'outer', 'vector']), len(shape), shape[-1]

        def write(out, text, summed):
            if size(out) * summed <= MOST_OPERATIONS:
                self.statement(out, f'{text} * T({summed ** -0.5!r})')
        if kind == 'dot' and rank == 2:
            turned = self.pick([0, 1])
            w, other = self.value(2, lambda s: s[turned] == k)
            if w:
                write((shape[0], other[1 - turned]), f'dot({v}, {f"transpose({w})" if turned else w})', k)
        elif kind == 'new' and rank < 4 and len(self.parameters) < 8:
            n = self.pick(EXTENTS)
            if k * n <= self.most and size(shape) * n <= MOST_OPERATIONS:
                write(shape[:-1] + (n,), f'{"matmul" if rank == 3 else "dot"}({v}, {self.parameter((k, n))})', k)
        elif kind == 'gram' and rank == 2:
            write((k, k), f'dot(transpose({v}), {v})', shape[0])
        elif kind == 'batch' and rank == 3:
            write(shape[:2] + shape[1:2], f'matmul({v}, swapaxes<1, 2>({v}))', k)
        elif kind == 'outer' and rank == 1:
            w, other = self.value(1)
            write(shape + other, f'outer({v}, {w})', 1)
        elif kind == 'vector' and rank > 1:
            w, _ = self.value(1, lambda s: s[0] == k)
            if w:
                write(shape[:-1], f'matmul({v}, {w})', k)

    def control(self):
        v, shape = self.value()
        A, kind = self.array(shape), self.pick(['fori', 'scan', 'scan', 'cond', 'while', 'map', 'inner'])
        if kind == 'fori':
            more = self.pick(['sin(c)', f'tanh({v} * c)', 'mean(c)'])
            self.statement(shape, f'fori_loop<0, {self.pick([1, 2, 5])}>([&](auto, {A} c) {{ return {A}(c * T(0.9) + {more} * T(0.1)); }}, {v})')
        elif kind == 'cond':
            self.statement(shape, f'cond(mean({v}) > T(0.05), [&]({A} z) {{ return {A}(sin(z)); }}, [&]({A} z) {{ return {A}(z * z * T(0.5)); }}, {v})')
        elif kind == 'while':
            self.statement(shape, f'while_loop<6>([]({A} c) {{ return mean(c * c) > T(0.05); }}, [&]({A} c) {{ return {A}(c * T(0.7)); }}, {v})')
        elif kind == 'inner':
            self.statement(shape, f'grad([&]({A} z) {{ return sum(z * z * {v}) * T(0.5); }})({v})')
        elif shape and shape[0] <= 70:
            R = self.array(shape[1:])
            if kind == 'map':
                self.statement(shape, f'map([&]({R} r) {{ return {R}(sin(r) * T(0.5) + r * mean(r)); }}, {v})')
                return
            keep = self.pick(['', '', ', keep_none', ', keep_every<3>' if shape[0] % 3 == 0 else ''])
            self.statement(shape, f'scan([&]({R} c, {R} r) {{ {R} n = c * T(0.6) + tanh(r * c) * T(0.3) + r * T(0.2); return std::pair{{n, {R}(n * n + r)}}; }}, '
                           f'zeros<{listed(["T", *shape[1:]])}>() + T(0.3), {v}{keep}).second')

    # ---- the program

    def write(self):
        rank = self.pick([1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3])
        extents = EXTENTS + LONG if rank > 1 else EXTENTS + ([4097, 70001] if self.large else [])
        base = [self.pick(extents) for _ in range(rank)]
        while size(base) > self.most // 3 or (self.large and size(base) < 3000 and self.random.random() > 0.02):
            base = [self.pick(extents) for _ in range(rank)]
        self.parameter(base)
        for _ in range(self.random.randint(0, 2)):
            part = base[self.random.randint(0, rank - 1):] if self.random.random() < 0.5 else base
            self.parameter([1 if self.random.random() < 0.2 else e for e in part])
        kinds = self.pick([
            [self.elementwise] * 5 + [self.of_two] * 7 + [self.rows] * 2 + [self.reduction] * 2 + [self.movement] * 4 + [self.product] * 3 + [self.control],
            [self.elementwise] * 5 + [self.of_two] * 6 + [self.rows] * 3 + [self.reduction] * 3 + [self.product] * 3,
            [self.elementwise] * 5 + [self.of_two] * 6 + [self.movement] * 6 + [self.reduction]])
        for _ in range(self.random.randint(5, 16)):
            self.pick(kinds)()
        if not self.lines:
            self.elementwise()
        # results: the last statement, and some of those that nobody reads
        read = ' '.join(line.split(' = ', 1)[1].replace('.', ' ') for line in self.lines)
        words = set(''.join(c if c.isalnum() or c == '_' else ' ' for c in read).split())
        unread = [v for v in self.values[:-1] if v[0][0] == 'v' and v[0] not in words]
        self.random.shuffle(unread)
        self.results = [next(v for v in reversed(self.values) if v[0][0] == 'v')] + unread[:4]

    def text(self):
        def function(name, result):
            body = '\n    '.join(self.lines)
            return f'  constexpr auto {name} = []({listed(f"{self.array(s, t)} {n}" for n, t, s, _ in self.parameters)}) {{\n    {body}\n    return {result};\n  }};\n'

        def numbers(n, t, shape, limit, seed):
            return f'some<{self.array(shape, t)}>({seed}{f", 0, {limit}" if limit else ""})'
        names = [n for n, *_ in self.parameters]
        real = listed(i for i, p in enumerate(self.parameters) if p[1] != 'int')
        ones = listed(numbers(*p, seed + 1) for seed, p in enumerate(self.parameters))
        twos = listed(numbers(n, t, (2,) + s, limit, seed + 11) for seed, (n, t, s, limit) in enumerate(self.parameters))
        loss = ' + '.join(f'mean({n} * weights<{listed(["T", *shape])}>())' for n, shape in dict(self.results).items())
        return (f'TEST_CASE("seed {self.seed}") {{\n  using T = {self.T};\n' + function('f', f'std::tuple{{{listed(dict(self.results))}}}') + function('loss', loss) +
                f'  check<{real}>({self.seed}, f, loss, std::tuple{{{ones}}}, std::tuple{{{twos}}});\n}}\n')


if __name__ == '__main__':
    if len(sys.argv) != 3 or not all(a.isdigit() for a in sys.argv[1:]):
        sys.exit(__doc__)
    first, count = map(int, sys.argv[1:])
    print('// SPDX-License-Identifier: BSD-3-Clause\n#include "random/check.hpp"\n')
    print('\n'.join(Program(seed).text() for seed in range(first, first + count)))
