// SPDX-License-Identifier: BSD-3-Clause
// Products whose operand is read by windows, against plain loops: at all tails, and beyond what one group of rows, one
// piece of the sums and one panel hold.
#include <etna/lower/gemm.hpp>

#include "products.hpp"

using namespace etna;
using test::wrong_windows;

namespace {

template <class T> void sweep() {
  using product = lower::gemm<T, T, true>;
  for (bool by_elements : {false, true})
    for (bool first : {false, true}) {
      CAPTURE(by_elements);
      CAPTURE(first);
      for (std::int64_t h : {3, 4, 9})
        for (std::int64_t c : {1, 3, 16})
          for (std::int64_t n : {1, 7, 8, 17, 40}) {
            CAPTURE(h);
            CAPTURE(c);
            CAPTURE(n);
            CHECK(wrong_windows<product, T, T>(h, c, n, first, by_elements) == 0);
          }
      CHECK(wrong_windows<product, T, T>(44, 5, 33, first, by_elements) == 0);    // 1,890 places
      CHECK(wrong_windows<product, T, T>(12, 200, 18, first, by_elements) == 0);  // 1,800 elements
      CHECK(wrong_windows<product, T, T>(40, 70, 17, first, by_elements) == 0);   // groups of rows
    }
}

}  // namespace

TEST_CASE("An index of a folded axis, one by one and in runs, is a place in memory") {
  lower::folded_axis const axis{3, {4, 3, 5}, {2, 100, 1000}};
  std::vector<std::int64_t> at(23);
  axis.put(6, 23, at.data());
  for (std::int64_t i = 0; i < 23; ++i) {
    std::int64_t const k = i + 6, place = k % 4 * 2 + k / 4 % 3 * 100 + k / 12 * 1000;
    CHECK(axis.at(k) == place);
    CHECK(at[std::size_t(i)] == place);
  }
}
TEST_CASE("products of windows of f32") { sweep<float>(); }
TEST_CASE("products of windows of f64") { sweep<double>(); }
TEST_CASE("products of windows of i32") { sweep<std::int32_t>(); }
