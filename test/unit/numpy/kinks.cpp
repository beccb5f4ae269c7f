// SPDX-License-Identifier: BSD-3-Clause
// Kinks, ends and conventions: values and derivatives against test/data/kinks.py, which has JAX's numbers and the five reasons for
// which etna's are others; eager and fused. What is not in JAX's power: sinc near 0. And integers.
#include "data/kinks.inc.hpp"
#include "same.hpp"

using namespace test;
namespace kinks = reference::kinks;

namespace {

template <class F> struct named { const char* name; F f; };
template <class F> named(const char*, F) -> named<F>;

#define ONE(NAME) named{#NAME, [](auto const& x) { return NAME(x); }}
constexpr auto unary = std::tuple{
    ONE(negative), ONE(sign), ONE(sqrt), ONE(exp), ONE(expm1), ONE(log), ONE(log1p), ONE(tanh), ONE(square), ONE(exp2), ONE(cbrt), ONE(log2), ONE(log10),
    ONE(reciprocal), ONE(arcsin), ONE(arccos), ONE(arctan), ONE(sinh), ONE(cosh), ONE(arcsinh), ONE(arccosh), ONE(arctanh), ONE(sinc), ONE(floor), ONE(ceil),
    ONE(trunc), ONE(rint), ONE(nan_to_num), ONE(abs), ONE(rsqrt), ONE(logistic), ONE(erf), ONE(erfc), ONE(erf_inv), ONE(relu), ONE(gelu), ONE(silu),
    ONE(softplus), ONE(log_sigmoid), ONE(elu), ONE(leaky_relu), ONE(selu), ONE(celu), ONE(relu6), ONE(hard_tanh), ONE(hard_sigmoid), ONE(hard_silu),
    ONE(soft_sign), ONE(mish), named{"clip", [](auto const& x) { return clip(x, -1, 1); }}, named{"pow_0", [](auto const& x) { return pow(x, 0); }},
    named{"pow_1", [](auto const& x) { return pow(x, 1); }}, named{"pow_2", [](auto const& x) { return pow(x, 2); }},
    named{"pow_3", [](auto const& x) { return pow(x, 3); }}, named{"pow_minus_1", [](auto const& x) { return pow(x, -1); }},
    named{"pow_minus_2", [](auto const& x) { return pow(x, -2); }}, named{"pow_one", [](auto const& x) { return pow(x, 1.0); }},
    named{"pow_half", [](auto const& x) { return pow(x, 0.5); }}};
#define TWO(NAME) named{#NAME, [](auto const& x, auto const& y) { return NAME(x, y); }}
constexpr auto binary = std::tuple{TWO(divide), TWO(multiply), TWO(maximum), TWO(minimum), TWO(power), TWO(arctan2), TWO(logaddexp), TWO(logaddexp2), TWO(hypot),
                                   TWO(heaviside), TWO(fmax), TWO(fmin), TWO(remainder), TWO(fmod), TWO(floor_divide), TWO(squared_error),
                                   TWO(sigmoid_binary_cross_entropy)};
constexpr auto power_more = std::tuple{TWO(power)};
#undef ONE
#undef TWO

/// The function and its derivatives in the order of kinks.inc.hpp: each the gradient of a sum, so elements are apart.
template <class F> struct derivatives {
  static constexpr auto value(auto const&... x) { return F{}(x...); }
  static constexpr auto total = [](auto const&... x) { return sum(value(x...)); };
  static constexpr auto by_x = [](auto const&... x) { return sum(grad<0>(total)(x...)); };
  static constexpr auto by_y = [](auto const& x, auto const& y) { return sum(grad<1>(total)(x, y)); };
  static constexpr auto by_xx = [](auto const& x, auto const& y) { return sum(grad<0>(by_x)(x, y)); };
  static constexpr auto by_xy = [](auto const& x, auto const& y) { return sum(grad<1>(by_x)(x, y)); };
  constexpr auto operator()(auto const& x) const { return std::array{value(x), grad(total)(x), grad(by_x)(x)}; }
  constexpr auto operator()(auto const& x, auto const& y) const {
    auto [dx, dy] = grad<0, 1>(total)(x, y);
    auto [dxx, dxy] = grad<0, 1>(by_x)(x, y);
    return std::array{value(x, y), dx, dy, dxx, dxy, grad<1>(by_y)(x, y)};
  }
  static constexpr auto one_up(auto const& x, auto const& y) { return std::array{grad<1>(by_xx)(x, y), grad<1>(by_xy)(x, y)}; }
};

template <class V> V array_of_numbers(kinks::numbers const& x) {
  REQUIRE(x.size() == std::size_t(V::type.size()));
  return V::build([&](double* to) { std::copy(x.begin(), x.end(), to); });
}
int checked = 0;
template <class V> void check(V const& is, kinks::numbers const& should, double tolerance) {
  REQUIRE(should.size() == std::size_t(is.size()));
  for (std::size_t i = 0; i < should.size(); ++i, ++checked) {
    double a = is.data()[i], b = should[i];
    bool ok = a == b || (std::isnan(a) && std::isnan(b)) || std::abs(a - b) <= tolerance * (1 + std::abs(b));
    CAPTURE(i);
    if (!ok) CHECK(a == b);
    CHECK(ok);
  }
}
template <class Rows> kinks::function const& reference_of(Rows const& rows, const char* name) {
  for (auto const& f : rows)
    if (std::string(f.name) == name) return f;
  FAIL("no reference of ", name);
  return rows[0];
}
/// `call(f)` gives the arrays of a function's reference, from its entry `first` on.
template <class List, class Call> void check_all(List const& list, std::vector<kinks::function> const& rows, Call call, std::size_t first = 0) {
  CHECK(rows.size() == std::tuple_size_v<List>);
  std::apply([&](auto const&... each) {
    auto one = [&](auto const& f) {
      INFO(f.name);
      auto const& should = reference_of(rows, f.name).at;
      auto const is = call(f.f);
      REQUIRE(should.size() == first + is.size());
      for (std::size_t k = 0; k < is.size(); ++k) {
        CAPTURE(k);
        check(is[k], should[first + k], 1e-13);
      }
    };
    (one(each), ...);
  }, list);
}

using points = array<double, 11>;
using pairs = array<double, 100>;
using few = array<double, 12>;
/// Each of x with each of y, as two arrays.
template <class V> std::pair<V, V> each_with_each(kinks::numbers const& x, kinks::numbers const& y) {
  return {V::build([&](double* to) { for (std::size_t i = 0; i < x.size() * y.size(); ++i) to[i] = x[i / y.size()]; }),
          V::build([&](double* to) { for (std::size_t i = 0; i < x.size() * y.size(); ++i) to[i] = y[i % y.size()]; })};
}

}  // namespace

TEST_CASE("kinks of one argument") {
  auto x = array_of_numbers<points>(kinks::points);
  check_all(unary, kinks::unary(), [&](auto f) { return derivatives<decltype(f)>{}(x); });
}
TEST_CASE("kinks of two arguments") {
  auto [x, y] = each_with_each<pairs>(kinks::coordinates, kinks::coordinates);
  check_all(binary, kinks::binary(), [&, x = x, y = y](auto f) { return derivatives<decltype(f)>{}(x, y); });
}
TEST_CASE("pow, one order up") {
  auto [x, y] = each_with_each<few>(kinks::more_x, kinks::more_y);
  check_all(power_more, kinks::power_more(), [x = x, y = y](auto f) { return derivatives<decltype(f)>::one_up(x, y); }, 6);
}
