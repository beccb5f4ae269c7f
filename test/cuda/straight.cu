// SPDX-License-Identifier: BSD-3-Clause
// Functions of little work as straight-line code (the other files compile them as kernels), called with temporaries.
#undef ETNA_MOST_STRAIGHT
#include <etna/etna.hpp>

using namespace etna;

constexpr auto gradient = jit(grad([](array<float, 4> x) { return sum(x * x * x); }));
constexpr auto both = jit([](array<double, 3, 3> a, array<double, 3> b) { return std::pair{dot(a, b), sum(b)}; });

float run(array<float, 4> const& x) {
  return sum(gradient(x)).item() + float(both(ones<double, 3, 3>(), ones<double, 3>()).second.item());
}
