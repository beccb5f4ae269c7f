// SPDX-License-Identifier: BSD-3-Clause
// Kinks, ends and conventions: values and derivatives against test/data/kinks.py, which has JAX's numbers and the five
// reasons for which etna's are others; eager and fused. What is not in JAX's power: sinc near 0. And integers.
#include "data/kinks.inc.hpp"
#include "same.hpp"

using namespace test;
namespace kinks = reference::kinks;

namespace {

template <class F> struct named {
  const char* name;
  F f;
};
template <class F> named(const char*, F) -> named<F>;

#define ONE(NAME)                                \
  named {                                        \
    #NAME, [](auto const& x) { return NAME(x); } \
  }
// Those that have kinks are compiled too; math_functions.cpp compiles the others.
constexpr auto kinked = std::tuple{ONE(sinc),
                                   ONE(abs),
                                   ONE(relu),
                                   ONE(celu),
                                   ONE(relu6),
                                   ONE(hard_tanh),
                                   ONE(hard_silu),
                                   ONE(soft_sign),
                                   named{"clip", [](auto const& x) { return clip(x, -1, 1); }},
                                   named{"pow_2", [](auto const& x) { return pow(x, 2); }},
                                   named{"pow_minus_2", [](auto const& x) { return pow(x, -2); }},
                                   named{"pow_one", [](auto const& x) { return pow(x, 1.0); }}};
constexpr auto smooth = std::tuple{ONE(sqrt),
                                   ONE(cbrt),
                                   ONE(arccosh),
                                   ONE(arctanh),
                                   ONE(softplus),
                                   ONE(negative),
                                   ONE(sign),
                                   ONE(exp),
                                   ONE(expm1),
                                   ONE(log),
                                   ONE(log1p),
                                   ONE(tanh),
                                   ONE(square),
                                   ONE(exp2),
                                   ONE(log2),
                                   ONE(log10),
                                   ONE(reciprocal),
                                   ONE(arcsin),
                                   ONE(arccos),
                                   ONE(arctan),
                                   ONE(sinh),
                                   ONE(cosh),
                                   ONE(arcsinh),
                                   ONE(floor),
                                   ONE(ceil),
                                   ONE(trunc),
                                   ONE(rint),
                                   ONE(nan_to_num),
                                   ONE(rsqrt),
                                   ONE(logistic),
                                   ONE(erf),
                                   ONE(erfc),
                                   ONE(erf_inv),
                                   ONE(gelu),
                                   ONE(silu),
                                   ONE(log_sigmoid),
                                   ONE(elu),
                                   ONE(leaky_relu),
                                   ONE(selu),
                                   ONE(hard_sigmoid),
                                   ONE(mish),
                                   named{"pow_0", [](auto const& x) { return pow(x, 0); }},
                                   named{"pow_1", [](auto const& x) { return pow(x, 1); }},
                                   named{"pow_3", [](auto const& x) { return pow(x, 3); }},
                                   named{"pow_minus_1", [](auto const& x) { return pow(x, -1); }},
                                   named{"pow_half", [](auto const& x) { return pow(x, 0.5); }}};
#define TWO(NAME)                                                  \
  named {                                                          \
    #NAME, [](auto const& x, auto const& y) { return NAME(x, y); } \
  }
constexpr auto kinked_pairs = std::tuple{TWO(maximum),   TWO(minimum),   TWO(power),
                                         TWO(logaddexp), TWO(hypot),     TWO(fmax),
                                         TWO(fmin),      TWO(remainder), TWO(sigmoid_binary_cross_entropy)};
constexpr auto power_alone = std::tuple{named{"power", [](auto const& x, auto const& y) { return pow(x, y); }}};
constexpr auto smooth_pairs = std::tuple{TWO(divide),    TWO(multiply), TWO(arctan2),      TWO(logaddexp2),
                                         TWO(heaviside), TWO(fmod),     TWO(floor_divide), TWO(squared_error)};
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
  static constexpr auto first(auto const& x, auto const& y) {
    auto [dx, dy] = grad<0, 1>(total)(x, y);
    return std::array{value(x, y), dx, dy};
  }
  constexpr auto operator()(auto const& x) const { return std::array{value(x), grad(total)(x), grad(by_x)(x)}; }
  constexpr auto operator()(auto const& x, auto const& y) const {
    auto [dx, dy] = grad<0, 1>(total)(x, y);
    auto [dxx, dxy] = grad<0, 1>(by_x)(x, y);
    return std::array{value(x, y), dx, dy, dxx, dxy, grad<1>(by_y)(x, y)};
  }
  static constexpr auto one_up(auto const& x, auto const& y) {
    return std::array{grad<1>(by_xx)(x, y), grad<1>(by_xy)(x, y)};
  }
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
template <class Is>
void check_function(const char* name, std::vector<kinks::function> const& rows, Is const& is, std::size_t first = 0) {
  INFO(std::string(name));
  auto const& should = reference_of(rows, name).at;
  REQUIRE(should.size() >= first + is.size());
  for (std::size_t k = 0; k < is.size(); ++k) {
    CAPTURE(k);
    check(is[k], should[first + k], 1e-13);
  }
}
template <auto const& List> constexpr auto all_of = [](auto const&... x) {
  return std::apply([&](auto const&... each) { return std::tuple{derivatives<decltype(each.f)>{}(x...)...}; }, List);
};
/// The same without second derivatives.
template <auto const& List> constexpr auto first_of = [](auto const& x, auto const& y) {
  return std::apply([&](auto const&... each) { return std::tuple{derivatives<decltype(each.f)>::first(x, y)...}; },
                    List);
};
/// What f gives is what the list's references say.
template <auto const& List, class F, class... V>
void check_all(F const& f, std::vector<kinks::function> const& rows, V const&... x) {
  auto const results = f(x...);
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (check_function(std::get<I>(List).name, rows, std::get<I>(results)), ...);
  }(std::make_index_sequence<std::tuple_size_v<std::remove_cvref_t<decltype(List)>>>{});
}

using points = array<double, 11>;
using pairs = array<double, 100>;
using few = array<double, 12>;
/// Each of x with each of y, as two arrays.
template <class V> std::pair<V, V> each_with_each(kinks::numbers const& x, kinks::numbers const& y) {
  return {V::build([&](double* to) {
            for (std::size_t i = 0; i < x.size() * y.size(); ++i) to[i] = x[i / y.size()];
          }),
          V::build([&](double* to) {
            for (std::size_t i = 0; i < x.size() * y.size(); ++i) to[i] = y[i % y.size()];
          })};
}

}  // namespace

TEST_CASE("kinks of one argument") {
  auto x = array_of_numbers<points>(kinks::points);
  auto const all = kinks::unary();
  CHECK(all.size() == std::tuple_size_v<decltype(kinked)> + std::tuple_size_v<decltype(smooth)>);
  check_all<kinked>(all_of<kinked>, all, x);
  check_all<smooth>(all_of<smooth>, all, x);
  check_all<kinked>(jit(all_of<kinked>), all, x);
}
TEST_CASE("kinks of two arguments") {
  auto [x, y] = each_with_each<pairs>(kinks::coordinates, kinks::coordinates);
  auto const all = kinks::binary();
  CHECK(all.size() == std::tuple_size_v<decltype(kinked_pairs)> + std::tuple_size_v<decltype(smooth_pairs)>);
  check_all<kinked_pairs>(all_of<kinked_pairs>, all, x, y);
  check_all<smooth_pairs>(all_of<smooth_pairs>, all, x, y);
  check_all<kinked_pairs>(jit(first_of<kinked_pairs>), all, x, y);
  check_all<power_alone>(jit(all_of<power_alone>), all, x, y);
}
/// Of a row of four numbers, one number: those that give a row are summed with weights.
template <class F> struct weighted {
  constexpr auto operator()(auto const& x) const { return sum(array<double, 4>{1, 2, 3, 5} * F{}(x)); }
};
#define ALL(NAME)                                \
  named {                                        \
    #NAME, [](auto const& x) { return NAME(x); } \
  }
#define ROW(NAME, ...)                                                      \
  named {                                                                   \
    #NAME, weighted<decltype([](auto const& x) { return __VA_ARGS__; })> {} \
  }
constexpr auto reductions = std::tuple{ALL(max),
                                       ALL(min),
                                       ALL(ptp),
                                       ALL(prod),
                                       ALL(mean),
                                       ALL(stddev),
                                       ALL(logsumexp),
                                       ROW(softmax, softmax(x)),
                                       ROW(log_softmax, log_softmax(x)),
                                       ROW(cummax, cummax<0>(x)),
                                       ROW(cummin, cummin<0>(x)),
                                       ROW(sort, sort(x)),
                                       ROW(sort_descending, sort(x, descending)),
                                       ALL(nansum),
                                       ALL(nanmax)};
#undef ALL
#undef ROW
constexpr auto reduced = [](array<double, 4> const& x) {
  return std::apply([&](auto const&... each) { return std::array{value_and_grad(each.f)(x)...}; }, reductions);
};
template <class F> void check_reductions(F const& f) {
  std::vector<kinks::reduction> const all = kinks::reductions();
  auto const rows = kinks::rows();
  CHECK(all.size() == std::tuple_size_v<decltype(reductions)>);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    auto const is = f(array_of_numbers<array<double, 4>>(rows[i]));
    for (std::size_t k = 0; k < all.size(); ++k) {
      INFO(std::string(all[k].name));
      CAPTURE(i);
      check(is[k].first, {all[k].out[i]}, 1e-13);
      check(is[k].second, all[k].gradient[i], 1e-13);
    }
  }
}
TEST_CASE("kinks of rows: ties, zeros, infinities, NaN") {
  check_reductions(reduced);
  check_reductions(jit(reduced));
}
TEST_CASE("pow, one order up: no rule has a constant in place of y - 1") {
  auto [x, y] = each_with_each<few>(kinks::more_x, kinks::more_y);
  auto power_of = [](auto const& a, auto const& b) { return pow(a, b); };
  check_function("power", kinks::power_more(), derivatives<decltype(power_of)>::one_up(x, y), 6);
}
TEST_CASE("sinc near 0: derivatives of every order have their digits") {
  // d^n/dx^n of sum (-1)^k (pi x)^2k / (2k + 1)!, from the last term on
  auto series = [](double x, int n) {
    double const a = 3.141592653589793 * x;
    long double r = 0;
    for (int k = 30; 2 * k >= n; --k) {
      long double term = k % 2 ? -1 : 1;
      for (int i = 1; i <= 2 * k + 1; ++i) term *= (i <= 2 * k - n ? (long double)a : 1) / i;
      for (int i = 0; i < n; ++i) term *= (2 * k - i) * 3.141592653589793L;
      r += term;
    }
    return double(r);
  };
  using v = array<double, 8>;
  v x{0, -0., 1e-9, -1e-5, 1e-3, 0.1, -0.31, 0.33};
  auto f0 = [](v x) { return sinc(x); };
  auto f1 = [f0](v x) { return grad([f0](v x) { return sum(f0(x)); })(x); };
  auto f2 = [f1](v x) { return grad([f1](v x) { return sum(f1(x)); })(x); };
  auto f3 = [f2](v x) { return grad([f2](v x) { return sum(f2(x)); })(x); };
  auto f4 = [f3](v x) { return grad([f3](v x) { return sum(f3(x)); })(x); };
  auto is = [&](v const& y, int n) {
    for (int i = 0; i < 8; ++i) {
      CAPTURE(i);
      CAPTURE(n);
      CHECK(y(i) == doctest::Approx(series(x(i), n)).epsilon(1e-12).scale(1e-12));
    }
  };
  is(f0(x), 0), is(f1(x), 1), is(f2(x), 2), is(f3(x), 3), is(f4(x), 4);
}
TEST_CASE("powers of integers are integers, by squaring, and wrap") {
  auto powers = [](array<int, 9> x, array<int, 9> n) {
    return std::tuple{pow(x, 2), pow(x, n), pow(2, n), pow(x, 0), pow(x, 31)};
  };
  array<int, 9> x{4097, 3, -3, 2, 0, -1, std::numeric_limits<int>::min(), 5, 7}, n{2, 65, 3, 31, 0, -3, 1, -1, 40};
  auto power_of = [](std::int64_t x, std::int64_t n) {  // one factor after the other
    std::uint32_t r = 1;
    if (n < 0) return x == 1 || (x == -1 && n % 2 == 0) ? 1 : x == -1 ? -1 : 0;
    while (n-- > 0) r *= std::uint32_t(x);
    return int(r);
  };
  auto made = [&](auto of) {
    return array<int, 9>::build([&](int* to) {
      for (int i = 0; i < 9; ++i) to[i] = of(x(i), n(i));
    });
  };
  auto should = std::tuple{made([&](int a, int) { return power_of(a, 2); }), made(power_of),
                           made([&](int, int b) { return power_of(2, b); }), made([](int, int) { return 1; }),
                           made([&](int a, int) { return power_of(a, 31); })};
  CHECK(same_bits(powers(x, n), should));
  CHECK(same_bits(jit(powers)(x, n), should));
  auto is = []<class T>(std::type_identity<T>, auto const& y) { return std::is_same_v<decltype(y), T const&>; };
  array<bool, 2> yes{true, true};
  CHECK(is(std::type_identity<array<float, 9>>{}, pow(x, 2.)));
  CHECK(is(std::type_identity<array<double, 2>>{}, pow(array<double, 2>{1, 2}, 2)));
  CHECK(is(std::type_identity<array<int, 2>>{}, pow(yes, 2)));
  CHECK(is(std::type_identity<array<int, 2>>{}, pow(yes, yes)));
  CHECK_THROWS_WITH_AS(pow(x, -1), doctest::Contains("E131"), error);
  array<std::int64_t, 2> wide{3037000499, -2};
  CHECK(same_bits(pow(wide, array<std::int64_t, 2>{2, 62}),
                  array<std::int64_t, 2>{9223372030926249001, std::int64_t(1) << 62}));
}
TEST_CASE("functions of integers are compiled for every integer type") {
  auto takes = []<class T>(array<T, 5> const& x) {
    auto f = [](array<T, 5> x) {
      return std::tuple{-x,        sign(x),    ~x,     abs(x),  relu(x), x % T(3),     floor_divide(x, T(3)),
                        pow(x, x), fmax(x, x), sum(x), prod(x), max(x),  cumsum<0>(x), x / T(3)};
    };
    near(jit(f)(x), f(x));
  };
  takes(array<std::uint8_t, 5>{0, 1, 3, 200, 100});
  takes(array<std::uint32_t, 5>{0, 1, 3, 4000000000u, 100});
  takes(array<int, 5>{0, 1, -3, std::numeric_limits<int>::min(), 100});
  takes(array<std::int64_t, 5>{0, 1, -3, 1ll << 40, 100});
}
TEST_CASE("bytes are counted in u32, the least integer has no opposite") {
  array<std::uint8_t, 3> u{200, 100, 3};
  CHECK(same_bits(std::pair{sum(u), prod(u)}, std::pair{array<std::uint32_t>(303u), array<std::uint32_t>(60000u)}));
  CHECK(same_bits(sum<0>(u, keepdims), array<std::uint32_t, 1>{303u}));
  CHECK(same_bits(cumsum<0>(u), array<std::uint8_t, 3>{200, 44, 47}));  // as JAX: no sum of all
  array<int, 1> least{std::numeric_limits<int>::min()};
  CHECK(same_bits(abs(least), least));
}
