// SPDX-License-Identifier: BSD-3-Clause
// Programs by chance over numbers, vectors and small matrices, under vmap, and their gradients: what lanes make of them
// is what the interpreter has. One here; `sh test/random/lanes.sh` tries two hundred.
#include <etna/numpy/linalg.hpp>

#include "same.hpp"

#if !defined(ETNA_FIRST_SEED)
#define ETNA_FIRST_SEED 0
#define ETNA_SEEDS 1
#endif

using namespace test;

namespace {

struct dice {
  unsigned state;
  constexpr unsigned operator()(unsigned n) {
    state = state * 1664525u + 1013904223u;
    return (state >> 16) % n;
  }
};
template <class T> struct pool {
  std::array<array<T>, 2> s;
  std::array<array<T, 3>, 2> v;
  std::array<array<T, 3, 3>, 2> m;
};
/// One operation on what there is; results stay within some units.
template <class T> constexpr void step(pool<T>& p, dice& d) {
  auto &s = p.s[d(2)], &t = p.s[d(2)];
  auto &v = p.v[d(2)], &w = p.v[d(2)];
  auto &m = p.m[d(2)], &n = p.m[d(2)];
  using vector = array<T, 3>;
  using matrix = array<T, 3, 3>;
  switch (d(26)) {
    case 0: v = tanh(v + w); break;
    case 1: v = tanh(dot(m, w)); break;
    case 2: m = tanh(dot(m, transpose(n))); break;
    case 3: s = tanh(dot(v, w)); break;
    case 4: v = where(v > w, v, -w * s); break;
    case 5: v = tanh(cross(v, w)); break;
    case 6: v = stack(s, t, s * t); break;
    case 7: v = take(w, array<int, 3>{2, 0, 1}) * s; break;
    case 8: m = expand_dims<1>(v) * expand_dims<0>(w); break;
    case 9: s = tanh(trace(m) - sum(n * n)); break;
    case 10: v = concatenate<0>(slice<range{1, 3}>(w), slice<range{0, 1}>(v)); break;
    case 11: m = transpose(n) * T(0.5) + eye<T, 3>(); break;
    case 12: s = max(v) - min(w); break;
    case 13: v = sum<0>(m) - max<1>(n); break;
    case 14: v = roll<1>(w) + flip<0>(v); break;
    case 15: m = where(eye<T, 3>() == T(1), n, m * s); break;
    case 16: v = v / (1 + square(s)); break;
    case 17: m = take<0>(n, array<int, 3>{1, -1, 1}); break;
    case 18: m = stack<1>(v, w, vector(v * w)); break;
    case 19: m = slice<range{2, none, -1}, every>(n) * T(0.7); break;
    case 20: v = slice<every, 1>(m) + slice<0>(n); break;
    case 21: m = matrix(pad<0, 0, 1, 0>(slice<every, range{0, 2}>(n)) + m * T(0.25)); break;
    case 22: s = where(s > t, slice<0>(v), slice<2>(w)); break;
    case 23: v = cumsum<0>(w, backward) * T(0.3) - cumprod<0>(v); break;
    case 24: m = expand_dims<1>(sort<0>(v)) - expand_dims<0>(w); break;
    default: m = tril(m) - T(0.5) * triu(n); break;
  }
}
template <unsigned Seed> constexpr extent examples = extent(dice{Seed * 77 + 5}(60) + 17);
template <unsigned Seed> using number = std::conditional_t<Seed % 2 == 0, float, double>;

template <unsigned Seed, class T = number<Seed>>
constexpr auto body = [](array<T, 2> s, array<T, 2, 3> v, array<T, 2, 3, 3> m) {
  pool<T> p{{slice<0>(s), slice<1>(s)}, {slice<0>(v), slice<1>(v)}, {slice<0>(m), slice<1>(m)}};
  dice d{Seed * 2654435761u + 12345u};
  for (int k = 0; k < 14; ++k) step(p, d);
  return std::tuple{p.s[0], p.v[0], p.m[0], p.s[1] + sum(p.v[1]) + sum(p.m[1])};
};
template <unsigned Seed, class T = number<Seed>>
constexpr auto loss = [](array<T, 2> s, array<T, 2, 3> v, array<T, 2, 3, 3> m) {
  auto [a, b, c, e] = body<Seed>(s, v, m);
  return a + sum(square(b)) + sum(square(c)) + tanh(e);
};
template <unsigned Seed, extent N = examples<Seed>, class T = number<Seed>> constexpr auto all =
    [](array<T, N, 2> s, array<T, N, 2, 3> v, array<T, N, 2, 3, 3> m) { return vmap(body<Seed>)(s, v, m); };
template <unsigned Seed, extent N = examples<Seed>, class T = number<Seed>>
constexpr auto gradients = [](array<T, N, 2> s, array<T, N, 2, 3> v, array<T, N, 2, 3, 3> m) {
  return vmap(grad<0, 1, 2>(loss<Seed>))(s, v, m);
};

template <unsigned Seed> void try_program() {
  CAPTURE(Seed);
  using T = number<Seed>;
  constexpr extent n = examples<Seed>;
  auto const s = some<array<T, n, 2>>(int(Seed) + 1);
  auto const v = some<array<T, n, 2, 3>>(int(Seed) + 2);
  auto const m = some<array<T, n, 2, 3, 3>>(int(Seed) + 3);
  near(jit(all<Seed>)(s, v, m), all<Seed>(s, v, m), 2e-5, 1e-12);
  near(jit(gradients<Seed>)(s, v, m), gradients<Seed>(s, v, m), 1e-4, 1e-11);
}
template <unsigned... K> void try_all(std::integer_sequence<unsigned, K...>) {
  (try_program<ETNA_FIRST_SEED + K>(), ...);
}

}  // namespace

TEST_CASE("programs by chance under vmap, and their gradients") {
  try_all(std::make_integer_sequence<unsigned, ETNA_SEEDS>{});
}
