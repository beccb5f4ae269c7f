// SPDX-License-Identifier: BSD-3-Clause
// What reads each number once: the product of two vectors, of a matrix and a vector from either side, sums of columns;
// the first by hand with xsimd.
#include <xsimd/xsimd.hpp>

#include "job.hpp"

namespace {

using namespace bench;
using line = array<float, 1 << 16>;
using vector = array<float, 1024>;
using matrix = array<float, 1024, 1024>;
using rows = array<float, 8192, 1024>;

constexpr auto of_two = jit([](line x, line y) { return dot(x, y); });
constexpr auto product = jit([](matrix a, vector x) { return dot(a, x); });
constexpr auto from_left = jit([](vector x, matrix a) { return dot(x, a); });
constexpr auto columns = jit([](rows a) { return sum<0>(a); });

entry const a1("etna", "dot", [] { return of(of_two, 10, filled<line>(16, 2, 1), filled<line>(17, 2, 1)); });
entry const a2("etna", "matvec", [] { return of(product, 1, filled<matrix>(18, 2, 1), filled<vector>(19, 2, 1)); });
entry const a3("etna", "vecmat", [] { return of(from_left, 1, filled<vector>(19, 2, 1), filled<matrix>(18, 2, 1)); });
entry const a4("etna", "column_sums", [] { return of(columns, 1, filled<rows>(10, 2, 1)); });

array<float> by_hand(line const& a, line const& b) {
  using lanes = xsimd::batch<float>;
  constexpr std::size_t w = lanes::size;
  float const *x = a.data(), *y = b.data();
  lanes s0(0.f), s1(0.f), s2(0.f), s3(0.f);
  for (std::size_t i = 0; i < std::size_t(line::type.size()); i += 4 * w) {
    s0 = fma(lanes::load_unaligned(x + i), lanes::load_unaligned(y + i), s0);
    s1 = fma(lanes::load_unaligned(x + i + w), lanes::load_unaligned(y + i + w), s1);
    s2 = fma(lanes::load_unaligned(x + i + 2 * w), lanes::load_unaligned(y + i + 2 * w), s2);
    s3 = fma(lanes::load_unaligned(x + i + 3 * w), lanes::load_unaligned(y + i + 3 * w), s3);
  }
  return reduce_add((s0 + s1) + (s2 + s3));
}
entry const c1("cpp", "dot", [] { return of(&by_hand, 10, filled<line>(16, 2, 1), filled<line>(17, 2, 1)); });

}  // namespace
