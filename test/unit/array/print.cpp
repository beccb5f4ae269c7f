// SPDX-License-Identifier: BSD-3-Clause
// Arrays as text against NumPy's own output, and allclose.
#include <doctest/doctest.h>

#include <etna/etna.hpp>
#include <memory>
#include <sstream>
#include <string>

#include "data/print.inc.hpp"
#include "numbers.hpp"

using namespace etna;

namespace {

std::string printed(reference::printed const& r) {
  int d = 0;
  while (std::string(dtypes[d].name) != r.dtype) ++d;
  extent n = 1;
  for (auto e : r.shape) n *= e;
  return for_dtype(dtype(d), [&]<class T>(std::type_identity<T>) {
    auto const x = std::make_unique<T[]>(std::size_t(n));
    for (extent i = 0; i < n; ++i)
      x[std::size_t(i)] = T(r.data.empty() ? r.first + double(i) * r.step : r.data[std::size_t(i)]);
    return to_string(x.get(), r.shape.data(), int(r.shape.size()));
  });
}
// All numbers of 16 bits, each alone on a line.
template <class T> std::uint64_t all_printed() {
  std::string all;
  for (std::uint32_t b = 0; b < 65536; ++b) all += detail::scalar_text(T::of_bits(std::uint16_t(b))) + '\n';
  return test::fnv(all.data(), all.size());
}

}  // namespace

TEST_CASE("arrays print as NumPy prints them") {
  for (auto const& r : reference::prints()) {
    INFO(r.name);
    CHECK(printed(r) == std::string(r.text));
  }
}

TEST_CASE("so does each number of 16 bits") {
  CHECK(all_printed<float16>() == reference::all_f16);
  CHECK(all_printed<bfloat16>() == reference::all_bf16);
}

TEST_CASE("a stream takes an array, and 64-bit integers keep their last digit") {
  std::ostringstream out;
  out << array<std::int64_t, 2>{9007199254740993, -1} << array<float>(0.5f) << array<std::uint64_t, 1>{~0ull};
  CHECK(out.str() == "[9007199254740993               -1]0.5[18446744073709551615]");
  CHECK(to_string(array<bfloat16, 2, 2>{{1.f, 2.5f}, {-3.f, 1e30f}}) == "[[1 2.5]\n [-3 1.00026e+30]]");
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
