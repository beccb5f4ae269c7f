// SPDX-License-Identifier: BSD-3-Clause
// What is cheaper to compute again than to read back: the program keeps no memory of it for its derivative.
#include "same.hpp"

using namespace test;

namespace {

using matrix = array<double, 100, 80>;
using part = array<double, 100, 40>;
template <class F, class... P> constexpr extent arena(F const&, P const&...) {
  return compiler::program<F, P...>::value.arena;
}

using weights = array<double, 40, 30>;
constexpr auto complement_of_part = [](matrix x, part p, weights w) {
  auto d = slice<every, range{2, 42}>(tanh(x));
  return sum(square(dot(p * (1.0 - d), w)));
};
constexpr auto gradient = [](matrix x, part p, weights w) { return grad<0, 1>(complement_of_part)(x, p, w); };
using points = array<double, 64, 3>;
constexpr auto of_pairs = [](points x, points y) {
  return sum(exp(-sum<2>(square(expand_dims<1>(x) - expand_dims<0>(y)))));
};
constexpr auto gradient_of_pairs = [](points x, points y) { return grad<0, 1>(of_pairs)(x, y); };

}  // namespace

TEST_CASE("a part's complement, and differences of all pairs, are computed again") {
  // tanh, what is multiplied and its cotangent; 1 - d beside them would be 128,000
  static_assert(arena(gradient, matrix(), part(), weights()) < 128000);
  as_eager(gradient, some<matrix>(1), some<part>(2), some<weights>(5));
  auto const a = some<points>(3), b = some<points>(4);
  as_eager(gradient_of_pairs, a, b);
}
