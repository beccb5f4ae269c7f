// SPDX-License-Identifier: BSD-3-Clause
// astype between all element types at the ends of each, by the interpreter and in kernels: etna's rule, which is JAX's
// but where test/data/astype.py says why.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <etna/etna.hpp>

#include "data/astype.inc.hpp"

using namespace etna;

namespace {

template <class From> using row_of_them = array<From, "n"_n>;
using every_type = std::make_index_sequence<std::size_t(dtype_count)>;

template <class T> T of_bits(std::uint64_t b) {
  T x;
  std::memcpy(&x, &b, sizeof x);
  return x;
}
/// Repeated, so that each number is in registers, in several places of one, and among those behind the last.
template <class From> row_of_them<From> repeated(std::vector<std::uint64_t> const& bits) {
  std::size_t const n = bits.size(), all = 3 * n + 40;
  return row_of_them<From>::build(
      [&](From* o) {
        for (std::size_t i = 0; i < all; ++i) o[i] = of_bits<From>(bits[i % n]);
      },
      {extent(all)});
}
/// The number of those that have other bits than they should; a NaN is a NaN.
template <class To> int others(row_of_them<To> const& y, std::vector<std::uint64_t> const& want) {
  int n = 0;
  for (std::size_t i = 0; i < std::size_t(y.size()); ++i) {
    To const is = y.data()[i], should = of_bits<To>(want[i % want.size()]);
    bool const same = std::memcmp(&is, &should, sizeof is) == 0 || (is != is && should != should);
    n += !same;
    CAPTURE(i % want.size());
    if (!same && n < 4) CHECK(to_string(&is, nullptr, 0) == to_string(&should, nullptr, 0));
  }
  return n;
}
/// The same of literals, which are converted while a graph is made.
template <class To, class From> int other_literals(row_of_them<From> const& x, std::vector<std::uint64_t> const& want) {
  constexpr dtype from = dtype_of<From>, to = dtype_of<To>;
  return others(row_of_them<To>::build(
                    [&](To* o) {
                      for (extent i = 0; i < x.size(); ++i)
                        o[i] = from_bits<To>(converted_bits(from, to_bits(from, x.data()[i]), to));
                    },
                    {x.size()}),
                want);
}
template <class From, std::size_t... N> void check(reference::converted const& r, std::index_sequence<N...>) {
  auto const x = repeated<From>(r.bits);
  // a function object without captures, which jit takes
  constexpr auto converted = [](row_of_them<From> const& v) { return std::tuple{astype<element_of<dtype(N)>>(v)...}; };
  auto const one = [&](std::string const& how, std::string const& to, int n) {
    CAPTURE(how);
    CAPTURE(std::string(r.from));
    CAPTURE(to);
    CHECK(n == 0);
  };
  auto const compare = [&](char const* how, auto const& all) {
    (one(how, dtypes[N].name, others(std::get<N>(all), r.results[N])), ...);
  };
  (one("literal", dtypes[N].name, other_literals<element_of<dtype(N)>>(x, r.results[N])), ...);
  compare("eager", converted(x));
  compare("jit", jit(converted)(x));
}

}  // namespace

TEST_CASE("every type as every other") {
  [&]<std::size_t... N>(std::index_sequence<N...>) {
    (check<element_of<dtype(N)>>(reference::conversions()[N], every_type()), ...);
  }(every_type());
}
