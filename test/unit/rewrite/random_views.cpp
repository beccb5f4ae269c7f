// SPDX-License-Identifier: BSD-3-Clause
// Chains by chance of what only moves elements (transposes, reshapes, slices, flips, broadcasts, joins), with cheap
// operations and sums between them: in jit they give what the interpreter has. Each value has 96 elements.
#include <utility>

#include <etna/numpy/handle.hpp>

#include "same.hpp"

#if !defined(ETNA_FIRST_SEED)
#define ETNA_FIRST_SEED 0
#define ETNA_SEEDS 40
#endif

using namespace test;

namespace {

using numpy::handle;
using ops::code;

struct dice {
  unsigned state;
  constexpr int operator()(int n) {
    state = state * 1664525u + 1013904223u;
    return int((state >> 16) % unsigned(n));
  }
};
constexpr handle turned(handle const& x, dice& d) {
  std::int64_t perm[max_rank]{};
  int const rank = x.type().rank;
  for (int i = 0; i < rank; ++i) perm[i] = i;
  for (int i = rank - 1; i > 0; --i) std::swap(perm[i], perm[d(i + 1)]);
  return numpy::call(code<ops::transpose_p>, x, perm, rank);
}
/// Two axes as one, or one as two.
constexpr handle reshaped(handle const& x, dice& d) {
  tensor_type t = x.type();
  int const i = d(t.rank);
  if (d(2) == 0 && i + 1 < t.rank) {
    t.e[i] *= t.e[i + 1];
    t = t.drop(i + 1);
  } else if (t.rank < 4) {
    extent const by = t.e[i] % 2 == 0 ? 2 : t.e[i];
    t.e[i] /= by;
    t = t.insert(i + d(2), by);
  }
  return numpy::reshape(x, t);
}
/// One place of an axis, or the sum over it, everywhere along it.
constexpr handle repeated(handle const& x, dice& d, bool summed) {
  tensor_type const t = x.type();
  int const i = d(t.rank);
  std::int64_t axis = i;
  handle const one = summed ? numpy::reshape(numpy::call(code<ops::sum_p>, x, &axis, 1),
                                             [&] {
                                               tensor_type with = t;
                                               with.e[i] = 1;
                                               return with;
                                             }())
                            : numpy::slice_axis(x, i, d(int(t.e[i])), 1);
  return numpy::broadcast_to(one, t);
}
/// The second part of an axis before the first one.
constexpr handle rolled(handle const& x, dice& d) {
  tensor_type const t = x.type();
  int const i = d(t.rank), n = int(t.e[i]);
  if (n == 1) return x;
  int const k = 1 + d(n - 1);
  ops::update_dim at[max_rank]{};
  for (int a = 0; a < t.rank; ++a) at[a] = {0, 1};
  handle const first = numpy::update(numpy::full(t, 0), numpy::slice_axis(x, i, k, n - k), at);
  at[i] = {n - k, 1};
  return numpy::update(first, numpy::slice_axis(x, i, 0, k), at);
}
constexpr handle computed(handle const& x, handle const& y, dice& d) {
  int const op[] = {code<ops::add_p>, code<ops::sub_p>, code<ops::mul_p>};
  return numpy::binary(op[d(3)], x, numpy::reshape(y, x.type()));
}
constexpr handle half(handle const& x) {
  return numpy::binary(code<ops::mul_p>, x, numpy::full(x.type(), to_bits(x.type().d, 0.5)));
}
constexpr handle stepped(handle const& x, handle const& y, dice& d) {
  switch (d(9)) {
    case 0:
    case 1: return turned(x, d);
    case 2:
    case 3: return reshaped(x, d);
    case 4: return repeated(x, d, false);
    case 5: return half(half(repeated(x, d, true)));
    case 6: return numpy::flip(x, d(x.type().rank));
    case 7: return rolled(x, d);
    default: return half(computed(x, y, d));
  }
}
using table = array<float, 4, 3, 8>;
template <unsigned Seed> constexpr auto program = [](table x, table y) {
  dice d{Seed * 2654435761u + 4242u};
  handle a = numpy::to_handle(x), b = numpy::to_handle(y);
  for (int k = 0; k < 10; ++k) {
    if (d(3) > 0) a = stepped(a, b, d);
    else b = stepped(b, a, d);
  }
  using flat = array<float, 96>;
  return std::pair{numpy::to_array<flat>(numpy::reshape(a, flat::type)),
                   numpy::to_array<flat>(numpy::reshape(b, flat::type))};
};
template <unsigned Seed> void try_seed() {
  CAPTURE(Seed);
  auto const x = some<table>(1, -4, 4), y = some<table>(2, -4, 4);
  near(jit(program<Seed>)(x, y), program<Seed>(x, y), 1e-5);
}
template <unsigned... N> void try_seeds(std::integer_sequence<unsigned, N...>) {
  (try_seed<ETNA_FIRST_SEED + N>(), ...);
}

}  // namespace

TEST_CASE("programs by chance of views") { try_seeds(std::make_integer_sequence<unsigned, ETNA_SEEDS>{}); }
TEST_CASE("a copy of a view of a copy is read as the view that was copied lies") {
  using column = array<float, 128>;
  auto const f = [](column s) {
    auto const rows = broadcast_to<128, 16>(expand_dims<1>(s));
    return array<float, 2, 16, 64>(transpose<0, 2, 1>(reshape<2, 64, 16>(rows)));
  };
  auto const s = some<column>(1, -4, 4);
  near(jit(f)(s), f(s), 0);
}
