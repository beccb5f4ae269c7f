// SPDX-License-Identifier: BSD-3-Clause
// Every parameter that is a number (the list is made of the headers by data/surface.py): given as a C++ number, as an
// array of one, traced, mapped, and differentiated by it. The formulas are those of numbers and differences of them.
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <etna/exec/call_leaves.hpp>
#include <etna/language.hpp>
#include <etna/compiler/program.hpp>

using namespace etna;

namespace {

struct twice {
  template <class I, class C> constexpr C operator()(I const&, C const& c) const { return c * 2.0; }
};
struct twice_of {
  template <class X> constexpr X operator()(X const& x) const { return x * 2.0; }
};
struct same_of {
  template <class X> constexpr X operator()(X const& x) const { return x; }
};

/// One number of a result: its elements with weights of their own.
struct weighed {
  array<double> all = 0.0;
  template <class A> constexpr void operator()(A const& y) {
    auto flat = ravel(astype<double>(y));
    all = all + sum(flat * (0.3 * arange<double, decltype(flat)::type.e[0]>() + 0.7));
  }
};
template <class T> constexpr array<double> total(T const& t) {
  weighed w;
  tree::for_each(w, t);
  return w.all;
}

/// A rule's first step, with x as gradient and parameters.
template <class Rule, class X> constexpr auto stepped(Rule const& rule, X const& x) {
  return rule.update(x, rule.init(x), x).first;
}

template <int> struct number {};
template <int> struct whole {};
#define PARAMETER(KIND, K, NAME, VALUE, ...)                                            \
  template <> struct KIND<K> {                                                          \
    static constexpr char const* name = NAME;                                           \
    static constexpr auto value = VALUE;                                                \
    template <class P> static constexpr array<double> of([[maybe_unused]] P const& p) { \
      [[maybe_unused]] array<double, 3> x{0.4, 1.3, 2.2};                               \
      [[maybe_unused]] array<int, 3> n{1, 2, 3};                                        \
      [[maybe_unused]] array<double, 1, 2, 1, 2> heads{{{{0.1, 0.7}}, {{0.4, -0.3}}}};  \
      return total(__VA_ARGS__);                                                        \
    }                                                                                   \
  };
#define NUMBER(...) PARAMETER(number, __VA_ARGS__)
#define WHOLE(...) PARAMETER(whole, __VA_ARGS__)
#include "data/surface_parameters.inc.hpp"

/// All of them on the elements of one array, which may be traced, mapped and differentiated by.
template <template <int> class Kind, int N, class P> struct together {
  template <int... K> static constexpr std::array<array<double>, N> each(P const& p, std::integer_sequence<int, K...>) {
    return {Kind<K>::of(slice<K>(p))...};
  }
  constexpr auto operator()(P const& p) const { return each(p, std::make_integer_sequence<int, N>{}); }
};
template <class P> struct added {
  constexpr array<double> operator()(P const& p) const {
    array<double> all = 0.0;
    for (auto const& y : together<number, numbers, P>{}(p)) all = all + y;
    return all;
  }
};
using P = array<double, numbers>;
using W = array<int, wholes>;
struct program {
  constexpr auto operator()(P const& p, W const& w) const {
    return std::tuple{together<number, numbers, P>{}(p), together<whole, wholes, W>{}(w), grad(added<P>{})(p)};
  }
};

/// The equations of a trace, one by one.
auto by_equations(P const& p, W const& w) {
  using trace = compiler::trace_of<program, P, W>;
  using R = compiler::result_of<program, P, W>;
  eager::value in[2], out[compiler::result_count<program, P, W>]{};
  exec::read_numbers read{in};
  read(p);
  read(w);
  eager::interpreter()->run(compiler::kept_script<trace>::script(), in, 2, out);
  exec::number_adopter next{out};
  return exec::make_result<R>(next);
}

template <template <int> class Kind, int... K> auto values_of(std::integer_sequence<int, K...>) {
  return array<std::remove_cv_t<decltype(Kind<0>::value)>, sizeof...(K)>{Kind<K>::value...};
}
template <template <int> class Kind, int... K> std::vector<char const*> names_of(std::integer_sequence<int, K...>) {
  return {Kind<K>::name...};
}
/// Of C++ numbers: those of `at`, one by one.
template <template <int> class Kind, class A, int... K>
std::vector<double> of_numbers(A const& at, std::integer_sequence<int, K...>) {
  return {double(Kind<K>::of(at.data()[K]).item())...};
}
/// Of arrays of one number, not followed by a transform.
template <template <int> class Kind, class A, int... K>
std::vector<double> of_arrays(A const& at, std::integer_sequence<int, K...>) {
  return {double(Kind<K>::of(array<typename A::value_type>(at.data()[K])).item())...};
}
constexpr std::make_integer_sequence<int, numbers> all_numbers{};
constexpr std::make_integer_sequence<int, wholes> all_wholes{};
auto const number_names = names_of<number>(all_numbers), whole_names = names_of<whole>(all_wholes);
P const p = values_of<number>(all_numbers);
W const w = values_of<whole>(all_wholes);

void check(std::vector<char const*> const& names, std::vector<double> const& should, auto const& is, double within) {
  for (std::size_t k = 0; k < should.size(); ++k) {
    CAPTURE(std::string(names[k]));
    CHECK(is(k) == doctest::Approx(should[k]).epsilon(within).scale(0.1));
  }
}

}  // namespace

TEST_CASE("an array of one number is that number") {
  auto of_p = of_arrays<number>(p, all_numbers), of_w = of_arrays<whole>(w, all_wholes);
  check(
      number_names, of_numbers<number>(p, all_numbers), [&](auto k) { return of_p[k]; },
      1e-6);  // Adam counts in f32 beside a number
  check(
      whole_names, of_numbers<whole>(w, all_wholes), [&](auto k) { return of_w[k]; }, 1e-13);
}

TEST_CASE("so it is while compiling, with its derivative") {
  auto traced = by_equations(p, w);
  auto const& values = std::get<0>(traced);
  auto const& whole_values = std::get<1>(traced);
  auto const& slopes = std::get<2>(traced);
  auto h = 1e-6;
  auto up = of_arrays<number>(p + h, all_numbers), down = of_arrays<number>(p - h, all_numbers);
  std::vector<double> should;
  for (std::size_t k = 0; k < up.size(); ++k) should.push_back((up[k] - down[k]) / (2 * h));
  check(
      number_names, of_arrays<number>(p, all_numbers), [&](auto k) { return values[k].item(); }, 1e-12);
  check(
      whole_names, of_arrays<whole>(w, all_wholes), [&](auto k) { return whole_values[k].item(); }, 1e-12);
  check(
      number_names, should, [&](auto k) { return slopes.data()[k]; }, 1e-7);
  auto eager_slopes = grad(added<P>{})(p);
  check(
      number_names, should, [&](auto k) { return eager_slopes.data()[k]; }, 1e-7);
}

TEST_CASE("and mapped, each example has its own") {
  auto rows = array<double, 3, 1>{{1.0}, {1.01}, {0.97}} * p;
  auto mapped = vmap<0>(together<number, numbers, P>{})(rows);
  auto whole_rows = array<int, 2, 1>{{0}, {1}} + w;
  auto whole_mapped = vmap<0>(together<whole, wholes, W>{})(whole_rows);
  for (int j = 0; j < 3; ++j) {
    auto row = take<0>(rows, array<int>(j));
    check(
        number_names, of_arrays<number>(row, all_numbers), [&](auto k) { return mapped[k].data()[j]; }, 1e-12);
  }
  for (int j = 0; j < 2; ++j) {
    auto row = take<0>(whole_rows, array<int>(j));
    check(
        whole_names, of_arrays<whole>(row, all_wholes), [&](auto k) { return whole_mapped[k].data()[j]; }, 1e-12);
  }
}

TEST_CASE("linspace ends where it is told to") {
  auto a = random::uniform<float, 500>(random::key(1), -10, 10),
       b = random::uniform<float, 500>(random::key(2), -10, 10);
  auto lines = vmap<0>([](auto const& from, auto const& to) { return linspace<float, 50>(from, to); })(a, b);
  int wrong = 0;
  for (int i = 0; i < 500; ++i) {
    auto x = linspace<float, 50>(a(i), b(i));
    wrong += lines(i, 0) != a(i) || lines(i, 49) != b(i) || x(0) != a(i) || x(49) != b(i);
    for (int k = 0; k < 50; ++k) {
      double exact = a(i) + (double(b(i)) - a(i)) * k / 49;
      wrong += std::abs(lines(i, k) - exact) > 3e-6 || std::abs(x(k) - exact) > 3e-6;  // of f32 up to 20 apart
    }
  }
  CHECK(wrong == 0);
  // NumPy 2.4.6, linspace(-3.3, 1e-3, 5, dtype=float32)
  auto x = linspace<float, 5>(-3.3, 1e-3);
  float const numpy_s[] = {-3.299999952316284f, -2.47475004196167f, -1.6495000123977661f, -0.8242499828338623f,
                           0.0010000000474974513f};
  for (int k = 0; k < 5; ++k) CHECK(x(k) == doctest::Approx(numpy_s[k]).epsilon(2e-7));
  CHECK(x(4) == numpy_s[4]);
  CHECK(linspace<double, 1>(2, 5)(0) == 2);
}

TEST_CASE("C's names: of zeros, infinities and NaN as C has them") {
  constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  double const some[] = {0.0, -0.0, 1.5, -2.5, inf, -inf, nan};
  auto is = [](double etna_s, double c_s) {
    return std::isnan(c_s) ? std::isnan(etna_s) : etna_s == c_s && (std::signbit(etna_s) == std::signbit(c_s));
  };
  for (double a : some) {
    array<double> x = a;
    CHECK(is(fabs(x).item(), std::fabs(a)));
    CHECK(is(nearbyint(x).item(), std::nearbyint(a)));
    if (!std::isnan(a)) CHECK(signbit(x).item() == std::signbit(a));
    for (double b : some) {
      CAPTURE(a);
      CAPTURE(b);
      if (!std::isnan(b)) CHECK(is(copysign(x, b).item(), std::copysign(a, b)));
      CHECK(is(fdim(x, b).item(), std::fdim(a, b)));
      CHECK(is(fdim(a, array<double>(b)).item(), std::fdim(a, b)));
      if (a != b) CHECK(is(fmax(x, b).item(), std::fmax(a, b)));
      if (a != b) CHECK(is(fmin(a, array<double>(b)).item(), std::fmin(a, b)));
      if (std::isfinite(a) && std::isfinite(b))
        CHECK(hypot(x, b).item() == doctest::Approx(std::hypot(a, b)).epsilon(1e-15));
      CHECK(is(atan2(x, b).item(), std::atan2(a, b)));
    }
  }
  CHECK(copysign(array<int>(3), -1).item() == -3);
  CHECK(fabs(array<int>(-3)).item() == 3);
  CHECK(dot_product_attention(
            array<double, 1, 1, 1, 1>{{{{2}}}}, array<double, 2, 1, 1>{{{1}}, {{2}}}.at<newaxis>().get(),
            array<double, 2, 1, 1>{{{1}}, {{2}}}.at<newaxis>().get(), attention_scale{0})(0, 0, 0, 0) == 1.5);
}
