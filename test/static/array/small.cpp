// SPDX-License-Identifier: BSD-3-Clause
// small<T, E...> is plain data with a shape, also in constant evaluation.
#include <etna/array/small.hpp>
#include <type_traits>

using namespace etna;

using matrix = small<double, 2, 3>;
static_assert(sizeof(matrix) == 6 * sizeof(double));
static_assert(std::is_trivially_copyable_v<matrix> && std::is_aggregate_v<matrix>);
constexpr matrix m{{1, 2, 3, 4, 5, 6}};
static_assert(m(1, 0) == 4 && m[5] == 6 && m.size() == 6 && *(m.end() - 1) == 6);
static_assert(small<int>{{7}} == 7 && small<int>{{7}}() == 7);
static_assert(small<float, 0>::size() == 0);
constexpr matrix changed = [] {
  matrix x{};
  x(0, 2) = 9;
  x[3] += 2;
  return x;
}();
static_assert(changed(0, 2) == 9 && changed(1, 0) == 2 && changed(1, 1) == 0);
