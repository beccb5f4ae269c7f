// SPDX-License-Identifier: BSD-3-Clause
// Kernels of one stage that read the same array are one, where their loops are the same.
#include "same.hpp"

using namespace test;

namespace {

using matrix = array<float, 60, 50>;
template <class F, class... P> constexpr int kernels(F const&, P const&...) {
  return compiler::program<F, P...>::value.n_steps;
}
constexpr auto two_readers = [](matrix x, matrix y) {
  auto rows = mean<1>(x);  // a kernel of rows, which others wait for
  auto z = exp(x - expand_dims<1>(rows));
  auto halves = slice<every, range{0, 25}>(z), others = slice<every, range{25, 50}>(z);
  return std::tuple{halves * others, halves - slice<every, range{0, 25}>(y), rows};
};

}  // namespace

TEST_CASE("two readers of one array are one kernel") {
  static_assert(kernels(two_readers, matrix(), matrix()) == 2);
  auto const x = some<matrix>(1), y = some<matrix>(2);
  as_eager(two_readers, x, y);
  auto z = y;
  auto const want = jit(two_readers)(x, y);
  CHECK(same_bits(jit(two_readers)(x, std::move(z)), want));
}
namespace {
constexpr auto beside_a_sum = [](matrix w, array<float, 60, 8> x, array<float, 8, 50> y, array<float, 60, 7> z) {
  return std::tuple{w + dot(x, y), w * expand_dims<1>(sum<1>(exp(z)))};
};
}  // namespace
TEST_CASE("a product that is added to an array is no kernel of another reader of that array") {
  as_eager(beside_a_sum, some<matrix>(1), some<array<float, 60, 8>>(2), some<array<float, 8, 50>>(3),
           some<array<float, 60, 7>>(4));
}
