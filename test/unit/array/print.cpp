// SPDX-License-Identifier: BSD-3-Clause
// Arrays as text against NumPy's own output, and allclose.
#include <doctest/doctest.h>

#include <etna/etna.hpp>
#include <sstream>
#include <string>

#include "data/print.inc.hpp"

using namespace etna;

namespace {

// The sample as an array<T, names...> of its rank.
template <class T, extent... E> std::string printed_as(reference::printed const& r) {
  std::array<extent, sizeof...(E)> sizes{};
  extent n = 1;
  for (std::size_t i = 0; i < sizes.size(); ++i) n *= sizes[i] = r.shape[i];
  auto x = array<T, E...>::build(
      [&](T* out) {
        for (extent i = 0; i < n; ++i)
          out[i] = r.data.empty() ? T(r.first + double(i) * r.step) : T(r.data[std::size_t(i)]);
      },
      sizes);
  return to_string(x);
}
template <class T> std::string printed(reference::printed const& r) {
  switch (r.shape.size()) {
    case 0: return printed_as<T>(r);
    case 1: return printed_as<T, "a"_n>(r);
    case 2: return printed_as<T, "a"_n, "b"_n>(r);
    case 3: return printed_as<T, "a"_n, "b"_n, "c"_n>(r);
    default: return printed_as<T, "a"_n, "b"_n, "c"_n, "d"_n>(r);
  }
}
std::string printed(reference::printed const& r) {
  std::string d = r.dtype;
  if (d == "bool") return printed<bool>(r);
  if (d == "u8") return printed<std::uint8_t>(r);
  if (d == "i32") return printed<std::int32_t>(r);
  if (d == "u32") return printed<std::uint32_t>(r);
  if (d == "i64") return printed<std::int64_t>(r);
  if (d == "f32") return printed<float>(r);
  return printed<double>(r);
}

}  // namespace

TEST_CASE("arrays print as NumPy prints them") {
  for (auto const& r : reference::prints()) {
    INFO(r.name);
    CHECK(printed(r) == std::string(r.text));
  }
}

TEST_CASE("a stream takes an array, and 64-bit integers keep their last digit") {
  std::ostringstream out;
  out << array<std::int64_t, 2>{9007199254740993, -1} << array<float>(0.5f);
  CHECK(out.str() == "[9007199254740993               -1]0.5");
}

TEST_CASE("allclose is NumPy's: relative to the second, absolute near zero, NaN equals nothing") {
  using v = array<double, 2>;
  double const nan = __builtin_nan(""), inf = __builtin_inf();
  CHECK(allclose(v{1, 2}, v{1, 2}));
  CHECK(allclose(v{1e10, 1e-7}, v{1.00001e10, 1e-8}) == false);
  CHECK(allclose(v{1e10, 1e-8}, v{1.00001e10, 1e-9}));
  CHECK(allclose(v{1, 2}, v{1, 2.1}, 0.1));
  CHECK(!allclose(v{1, 2}, v{1, 2.1}, 0, 0.01));
  CHECK(!allclose(v{1, nan}, v{1, nan}));
  CHECK(allclose(v{1, inf}, v{1, inf}));
  CHECK(!allclose(v{1, inf}, v{1, -inf}));
  CHECK(!allclose(v{1, 5}, v{1, inf}));
  CHECK(!allclose(array<double, "a"_n>(v{1, 2}), array<double, 3>{1, 2, 3}));
}
