// SPDX-License-Identifier: BSD-3-Clause
#include "leaf.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <utility>

namespace test {

leaf read_leaf(etna::dtype d, void const* data, etna::extent const* shape, int rank) {
  leaf l{d, data, {shape, shape + rank}, {}};
  etna::extent n = 1;
  for (etna::extent e : l.shape) n *= e;
  auto read = [&]<class T>(T const* from) { l.x.assign(from, from + n); };
  [&]<int... D>(std::integer_sequence<int, D...>) {
    ((int(d) == D ? read(static_cast<etna::element_of<etna::dtype(D)> const*>(data)) : void()), ...);
  }(std::make_integer_sequence<int, etna::dtype_count>{});
  return l;
}

void check_numbers(std::vector<double> const& is, std::vector<double> const& should, double tolerance) {
  REQUIRE(is.size() == should.size());
  for (std::size_t i = 0; i < is.size(); ++i) {
    double const x = is[i], y = should[i];
    if (x == y || (std::isnan(x) && std::isnan(y)) || std::abs(x - y) <= tolerance * (1 + std::abs(y))) continue;
    CAPTURE(i);
    CHECK(x == y);
    return;
  }
}

void check_near(std::vector<leaf> const& is, std::vector<leaf> const& should, double f32, double f64) {
  REQUIRE(is.size() == should.size());
  for (std::size_t k = 0; k < is.size(); ++k) {
    CAPTURE(k);
    leaf const &a = is[k], &b = should[k];
    CHECK(a.shape == b.shape);
    if (a.d == b.d && bytes_of(b.d) == 8 && !is_floating(b.d))  // a double has not all of them
      CHECK(std::memcmp(a.data, b.data, 8 * b.x.size()) == 0);
    double const units[]{0, 0x1p-6, 0x1p-9, f32, f64};  // of 16 bits two in the last place
    check_numbers(a.x, b.x, units[is_floating(b.d) ? 1 + int(b.d) - int(etna::dtype::bf16) : 0]);
  }
}

bool same_bits(std::vector<leaf> const& a, std::vector<leaf> const& b) {
  bool same = a.size() == b.size();
  for (std::size_t k = 0; same && k < a.size(); ++k)
    same = a[k].x.size() == b[k].x.size() && std::memcmp(a[k].x.data(), b[k].x.data(), 8 * a[k].x.size()) == 0;
  return same;
}

}  // namespace test
