// SPDX-License-Identifier: BSD-3-Clause
// The errors of the running program that arrays and eager evaluation throw: number and sentence.
// Those of files are in test/unit/data, E110 of compiled functions in test/unit/exec/run.cpp.
#include <doctest/doctest.h>

#include <etna/etna.hpp>
#include <etna/interop/xtensor.hpp>
#include <string>

using namespace etna;

namespace {

template <class F> std::string said(F&& f) {
  try {
    f();
  } catch (error const& e) {
    std::string text = e.what();
    CHECK(text.substr(0, 6) == "E" + std::to_string(e.number) + ": ");
    CHECK(text.find("; ") != std::string::npos);  // a remedy
    return text;
  }
  return "nothing thrown";
}
bool has(std::string const& text, std::string const& part) { return text.find(part) != std::string::npos; }

using vec = array<float, "n"_n>;
using column = array<float, "n"_n, 1>;
using row = array<float, 1, "m"_n>;
template <class A> A sized(std::array<extent, std::size_t(A::rank)> sizes) {
  return A::build(
      [&](float* out) {
        for (extent i = 0; i < sizes[0] && i < 4; ++i) out[i] = float(i);
      },
      sizes);
}
constexpr auto table = jit([](column x, row y) { return x * y; });

}  // namespace

TEST_CASE("E107: memory that cannot be had is a sentence with the number of bytes") {
  std::string large = said([] { array<double, (extent(1) << 50)> x; });
  CHECK(has(large, "E107"));
  CHECK(has(large, "9007199254740992 bytes"));
  CHECK(has(said([] { sized<vec>({extent(1) << 60}); }), "E107"));
  CHECK(has(said([] {
              sized<array<float, "n"_n, "m"_n>>({extent(1) << 40, extent(1) << 40});
            }),
            "E107"));                                               // no integer holds it
  CHECK(has(said([] { sized<vec>({extent(1) << 45}); }), "E107"));  // the system refuses
  array<float, 3> const after{1, 2, 3};
  CHECK(sum(after).item() == 6.0f);
}
TEST_CASE("E107: results of operations and of compiled functions too") {
  extent const n = extent(1) << 23;
  column x = column::build([&](float* out) { std::fill_n(out, n, 1.0f); }, {n, 1});
  row y = row::build([&](float* out) { std::fill_n(out, n, 1.0f); }, {1, n});
  CHECK(has(said([&] { (void)(x * y); }), "E107"));
  CHECK(has(said([&] { (void)table(x, y); }), "E107"));
}
TEST_CASE("E110: one name, two sizes; more in array/binding.cpp") {
  CHECK(has(said([] { (void)(sized<vec>({3}) + sized<vec>({4})); }), "E110"));
  CHECK(has(said([] { (void)dot(sized<vec>({3}), sized<vec>({4})); }), "E110"));
}
TEST_CASE("E111: sizes that only the values have do not fit") {
  CHECK(has(said([] { array<float, 3> x{1, 2}; }), "E111"));
  CHECK(has(said([] { array<float, 2, 2> x{{1, 2}, {3}}; }), "E111"));
  array<float, 3> x{1, 2, 3};
  auto gathered = [](auto const& r) { return all_gather<"i"_n, 4>(r); };
  auto twice = [](auto const& r) { return ppermute<"i"_n>(r, std::array<std::array<int, 2>, 2>{{{0, 2}, {1, 2}}}); };
  CHECK(has(said([&] { vmap<0>(gathered, axis_name<"i"_n>)(x); }), "E111"));
  CHECK(has(said([&] { vmap<0>(twice, axis_name<"i"_n>)(x); }), "each of which receives once"));
}
TEST_CASE("E112: an array of another size than the one it is converted to") {
  std::string text = said([] { array<float, 3> x = sized<vec>({4}); });
  CHECK(has(text, "E112"));
  CHECK(has(text, "axis 0 has 4, not 3"));
  CHECK(has(said([] { (void)from_xtensor<array<float, 3>>(xt::xtensor<float, 1>::from_shape({4})); }), "E112"));
  CHECK(has(said([] { (void)from_xtensor<array<float, 3>>(xt::xarray<float>::from_shape({3, 1})); }), "E112"));
}
TEST_CASE("E112, E129: no array of other sizes than its extents', or of negative ones") {
  std::string text = said([] { sized<vec>({-5}); });
  CHECK(has(text, "E129"));
  CHECK(has(text, "-5 along axis 0"));
  CHECK(has(said([] {
              sized<array<float, "n"_n, "m"_n>>({-2, -3});  // whose product is positive
            }),
            "E129"));
  CHECK(has(said([] { sized<row>({1, -1}); }), "-1 along axis 1"));
  CHECK(has(said([] { sized<row>({2, 4}); }), "axis 0 has 2, not 1"));
  CHECK(has(said([] { sized<array<float, 3>>({4}); }), "axis 0 has 4, not 3"));
  CHECK(said([] { sized<row>({1, 0}); }) == "nothing thrown");
}
TEST_CASE("E113: the first NaN, where it is asked for") {
  array<float, 3> const x{1, -1, 4};
  CHECK(said([&] { (void)log(x); }) == "nothing thrown");
  eager::options().check_nan = true;
  std::string text = said([&] { (void)(log(x) + 1.0f); });
  CHECK(has(text, "E113"));
  CHECK(has(text, "log at element 1"));
  // inside a transform too
  CHECK(has(said([&] { (void)grad([](auto v) { return sum(log(v)); })(x); }), "E113"));
  CHECK(said([&] { (void)exp(x); }) == "nothing thrown");
  eager::options().check_nan = false;
}
TEST_CASE("E114: a value of a transform that has no numbers") {
  // Users cannot reach one; a tangent that is not known yet is one.
  grad([](auto x) {
    auto v = transform::unknown_like(detail::access::traced(x));
    CHECK(has(said([&] { (void)eager::value_of(v); }), "E114"));
    return x;
  })(2.0f);
}
TEST_CASE("values that leave a transform keep their numbers") {
  array<float> kept;
  auto g = grad([&](auto x) { return kept = x * x; })(3.0f);
  CHECK(g == 6.0f);
  CHECK(kept.item() == 9.0f);
  CHECK((kept + 1.0f).item() == 10.0f);
}
