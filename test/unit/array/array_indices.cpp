// SPDX-License-Identifier: BSD-3-Clause
// x(i, j): from the front and from the end, and an error (E134) beyond.
#include <doctest/doctest.h>

#include <etna/etna.hpp>

using namespace etna;

namespace {

template <class F> std::string said(F const& f) {
  try {
    (void)f();
    return "";
  } catch (error const& e) { return e.what(); }
}
constexpr int sum_of_ends() {
  array<int, 3> x{1, 2, 4};
  return x(-3) * 100 + x(2) * 10 + x(-1);
}
static_assert(sum_of_ends() == 144);

}  // namespace

TEST_CASE("indices go from -n to n - 1 along each axis") {
  array<int, 2, 3> x{{1, 2, 3}, {4, 5, 6}};
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j) {
      CHECK(x(i, j) == 1 + 3 * i + j);
      CHECK(x(i - 2, j - 3) == x(i, j));
      CHECK(x(i - 2, std::size_t(j)) == x(i, j));
    }
  CHECK(said([&] { return x(0, 3); }) ==
        "E134: an index is out of range: index 3 along axis 1 of size 3; indices of an axis of size n go from -n to n "
        "- 1");
  CHECK(said([&] { return x(-3, 0); }).find("index -3 along axis 0 of size 2") != std::string::npos);
  CHECK(said([&] { return x(1, std::size_t(-4)); }).find("index -4 along axis 1") != std::string::npos);
  auto named = array<double, "n"_n>::build([](double* to) { to[0] = 1, to[1] = 2; }, {2});
  CHECK(named(-1) == 2);
  CHECK(said([&] { return named(2); }).find("E134") == 0);
  CHECK(said([] { return array<float, 0>()(0); }).find("E134") == 0);
  CHECK(said([] { return array<float, 1000>()(1000); }).find("E134") == 0);
  CHECK(array<float>(2.f)() == 2);
}
