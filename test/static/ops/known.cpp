// SPDX-License-Identifier: BSD-3-Clause
// In jit (E035) every way to a number that comes from an argument is noted by the trace; what comes from C++ numbers
// alone is known. Outside jit: test/unit/ops/known.cpp. The sentence, and the user's line: test/fail/e035_*.cpp.
#include <algorithm>
#include <etna/language.hpp>
#include <etna/compiler/program.hpp>

using namespace etna;

namespace {

constexpr int ways = 11;
template <int Way> constexpr auto of_number = [](auto const& x) {
  using T = typename std::remove_cvref_t<decltype(x)>::value_type;
  if constexpr (Way == 0) return x + T(x);
  if constexpr (Way == 1) {
    T t = x;
    return x + t;
  }
  if constexpr (Way == 2) return x + x.item();
  if constexpr (Way == 3) {
    auto two = stack(x, x);
    return x + two(1);
  }
  if constexpr (Way == 4) {
    x.data();
    return x;
  }
  if constexpr (Way == 5) {
    x.begin();
    return x;
  }
  if constexpr (Way == 6) {
    T s{};
    for (T t : stack(x, x)) s = t;
    return x + s;
  }
  if constexpr (Way == 7) {
    if (x > T(0)) return x;
    return x + T(1);
  }
  if constexpr (Way == 8) {
    auto y = x;
    for (int i = 0; i < astype<int>(x); ++i) y = y + T(1);
    return y;
  }
  if constexpr (Way == 9) {
    int n = 0;
    while (float(x * T(n)) < 10.f) ++n;
    return x * T(n);
  }
  if constexpr (Way == 10) {
    constexpr int primes[] = {2, 3, 5};
    return x * T(primes[int(astype<int>(x)) % 3]);
  }
};

template <int Way> struct in_jit {
  template <class A> constexpr auto operator()(A x) const { return of_number<Way>(x); }
};
template <int Way> struct in_vmap {
  template <class A> constexpr auto operator()(A x) const { return vmap<0>(of_number<Way>)(stack(x, x)); }
};
template <int Way> struct in_grad {
  template <class A> constexpr auto operator()(A x) const {
    return grad([](auto const& y) { return astype<float>(of_number<Way>(y)); })(astype<float>(x));
  }
};
template <int Way> struct in_loop {
  template <class A> constexpr auto operator()(A x) const {
    return fori_loop<0, 3>([](auto const&, auto const& c) { return of_number<Way>(c); }, x);
  }
};
template <int Way> struct in_loop_captured {
  template <class A> constexpr auto operator()(A x) const {
    return fori_loop<0, 3>([&](auto const&, auto const& c) { return c + of_number<Way>(x); }, x);
  }
};
template <int Way> struct in_branch {
  template <class A> constexpr auto operator()(A x) const {
    return cond(
        x > 0, of_number<Way>, [](auto const& y) { return y; }, x);
  }
};

template <class F, class A> constexpr int error_of = compiler::trace_of<F, A>::get().error;
template <template <int> class Where, class A, int... Way>
constexpr bool all_refused(std::integer_sequence<int, Way...>) {
  return ((error_of<Where<Way>, A> == 35) && ...);
}
template <class A> constexpr bool all() {
  constexpr std::make_integer_sequence<int, ways> each;
  return all_refused<in_jit, A>(each) && all_refused<in_vmap, A>(each) && all_refused<in_grad, A>(each) &&
         all_refused<in_loop, A>(each) && all_refused<in_loop_captured, A>(each) && all_refused<in_branch, A>(each);
}
static_assert(all<array<float>>());
static_assert(all_refused<in_jit, array<int>>(std::make_integer_sequence<int, ways>{}) &&
              all_refused<in_vmap, array<int>>(std::make_integer_sequence<int, ways>{}));

// Known: it comes from C++ numbers, whatever is traced around it.
constexpr auto known = [](array<float> x) {
  array<float> two(2.f);
  array<float, 3> row{1, 2, 3};
  float n = two * 3.f;
  for (int i = 0; i < array<int>(3); ++i) n += two;
  if (two > 1.f) x = x * n;
  auto inside = [&](auto const& y) { return y * float(two * row(1)); };
  float slope = grad([](auto const& y) { return y * y; })(2.f);
  return vmap<0>(inside)(stack(x, x)) + grad([&](auto const& y) { return inside(y); })(x) + slope;
};
static_assert(error_of<decltype(known), array<float>> == 0);

// E079: a value that is used outside of the function that computes it.
template <class Run> constexpr auto keep_of(array<float> x, Run run) {
  array<float> kept = x;
  run([&](auto const& y) { return kept = y * 2.f; });
  return kept;
}
constexpr auto over_vmap = [](array<float> x) {
  return keep_of(x, [&](auto const& f) { (void)vmap<0>(f)(stack(x, x)); });
};
constexpr auto over_other_vmap = [](array<float> x) {
  auto kept = keep_of(x, [&](auto const& f) { (void)vmap<0>(f)(stack(x, x)); });
  return vmap<0>([&](auto const& y) { return y + kept; })(stack(x, x));
};
constexpr auto over_loop = [](array<float> x) {
  return keep_of(x, [&](auto const& f) { (void)fori_loop<0, 3>([&](auto const&, auto const& c) { return f(c); }, x); });
};
constexpr auto over_while = [](array<float> x) {
  return keep_of(x, [&](auto const& f) {
    (void)while_loop([&](auto const& c) { return f(c) < 0.f; }, [](auto const& c) { return c; }, x);
  });
};
constexpr auto over_branch = [](array<float> x) {
  return x + keep_of(x, [&](auto const& f) {
           (void)cond(
               x > 0.f, f, [](auto const& c) { return c; }, x);
         });
};
constexpr auto over_loop_in_loop = [](array<float> x) {
  auto kept =
      keep_of(x, [&](auto const& f) { (void)fori_loop<0, 3>([&](auto const&, auto const& c) { return f(c); }, x); });
  return fori_loop<0, 3>([&](auto const&, auto const& c) { return c * kept; }, x);
};
constexpr auto over_grad = [](array<float> x) {
  return keep_of(x, [&](auto const& f) { (void)grad(f)(x); });
};  // it is none the less known
template <auto F> constexpr int error_of_over = error_of<std::remove_const_t<decltype(F)>, array<float>>;
static_assert(error_of_over<over_vmap> == 79 && error_of_over<over_other_vmap> == 79 &&
              error_of_over<over_loop> == 79 && error_of_over<over_while> == 79 && error_of_over<over_branch> == 79 &&
              error_of_over<over_loop_in_loop> == 79 && error_of_over<over_grad> == 0);

// So a derivative of C++ numbers is a constant.
constexpr auto cube = [](auto x) { return x * x * x; };
static_assert(grad(cube)(2.0) == 12.0);
static_assert(grad(grad(cube))(2.0) == 12.0);
static_assert(grad([](auto x) {
                if (x > 1.0) return x * x;
                return x + 0.0;
              })(2.0) == 4.0);
static_assert(double(array<double>(3.0) * 2.0) == 6.0);
static_assert(array<int, 3>{1, 2, 3}(1) == 2 && array<int, 2>{}(1) == 0);

}  // namespace
