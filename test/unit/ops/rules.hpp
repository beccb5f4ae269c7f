// SPDX-License-Identifier: BSD-3-Clause
// The tests that every rule of a block gets, as test/unit/ops/rows.cpp does for the other rows: functions of arrays of
// double, outside jit; derivatives against differences, reverse against forward mode, vmap against a loop.
#pragma once
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "same.hpp"

namespace test::rules {

template <std::size_t... K> using indices = std::index_sequence<K...>;

/// Are all elements of a near those of b?
template <class T, class U> void alike(const char* what, T const& a, U const& b, double tolerance = 1e-9) {
  INFO(what);
  near(a, b, 0, tolerance);
}
template <class T> double inner(T const& a, T const& b) {
  auto x = leaves(a), y = leaves(b);
  double s = 0;
  for (std::size_t k = 0; k < x.size(); ++k)
    for (std::size_t i = 0; i < x[k].x.size(); ++i) s += x[k].x[i] * y[k].x[i];
  return s;
}
template <class... A> auto moved(std::tuple<A...> const& x, std::tuple<A...> const& t, double by) {
  return [&]<std::size_t... K>(indices<K...>) {
    return std::tuple{(std::get<K>(x) + by * std::get<K>(t))...};
  }(std::index_sequence_for<A...>{});
}
/// The derivative of f along t, by differences of the fourth order. Results are arrays.
template <class F, class X> auto differences(F const& f, X const& x, X const& t) {
  double h = 1e-3;
  return (8. * (f(moved(x, t, h)) - f(moved(x, t, -h))) - (f(moved(x, t, 2 * h)) - f(moved(x, t, -2 * h)))) / (12. * h);
}
/// Directions: one number for each element.
template <class... A> auto some_like(std::tuple<A...> const&, int seed) {
  return [&]<std::size_t... K>(indices<K...>) {
    return std::tuple<A...>{some<A>(seed + 1 + int(K))...};
  }(std::index_sequence_for<A...>{});
}
template <class A> struct batch_of;
template <class T, extent... E> struct batch_of<array<T, E...>> {
  using type = array<T, 3, E...>;
};
/// Examples of x: x itself and two others: some take other branches, and other numbers of steps.
template <class... A> auto examples(std::tuple<A...> const& x, int seed) {
  auto near_it = [&](auto const& a) {
    using B = typename batch_of<std::remove_cvref_t<decltype(a)>>::type;
    auto at = array<double, 3>{0, 1, 1};
    return vmap<0, none, 0>([](auto const& noise, auto const& a, auto const& s) { return a + noise * s * 1.5; })(
        some<B>(++seed), a, at);
  };
  return [&]<std::size_t... K>(indices<K...>) {
    return std::tuple{near_it(std::get<K>(x))...};
  }(std::index_sequence_for<A...>{});
}
template <class A> auto example(A const& xs, int k) { return take<0>(xs, array<int>(k)); }

template <unsigned Subset, std::size_t K> inline constexpr bool is_mapped = ((Subset >> K) & 1) != 0;
/// The operands of a vmap over some: all examples, or the first alone.
template <unsigned Subset, class... A> auto partly(std::tuple<A...> const& xs) {
  auto one = [&]<std::size_t K>(std::integral_constant<std::size_t, K>) {
    if constexpr (is_mapped<Subset, K>) return std::get<K>(xs);
    else return example(std::get<K>(xs), 0);
  };
  return [&]<std::size_t... K>(indices<K...>) {
    return std::tuple{one(std::integral_constant<std::size_t, K>{})...};
  }(std::index_sequence_for<A...>{});
}
template <unsigned Subset, class... A> auto the_example(std::tuple<A...> const& xs, int k) {
  return [&]<std::size_t... K>(indices<K...>) {
    return std::tuple{example(std::get<K>(xs), is_mapped<Subset, K> ? k : 0)...};
  }(std::index_sequence_for<A...>{});
}

/// f maps a tuple of arrays to an array.
template <class F> struct unpacked {
  F f;
  template <class... A> constexpr auto operator()(A const&... x) const { return f(std::tuple{x...}); }
};

template <unsigned Subset, class G, class X, class T>
void against_a_loop(const char* what, G const& g, X const& xs, T const& ts) {
  constexpr std::size_t n = std::tuple_size_v<X>;
  INFO(what);
  auto x = partly<Subset>(xs);
  auto t = partly<(1u << n) - 1>(ts);
  auto all = [&]<std::size_t... K>(indices<K...>) {
    return vmap<(is_mapped<Subset, K> ? 0 : none)..., 0>([&](auto const&... a) {
      return [&]<std::size_t... J>(indices<J...>, auto const& every) {
        return g(std::tuple{std::get<J>(every)...}, std::get<n>(every));
      }(indices<K...>{}, std::tuple{a...});
    })(std::get<K>(x)..., t);
  }(std::make_index_sequence<n>{});
  for (int k = 0; k < 3; ++k)
    alike("an example of vmap", tree::map([&](auto const& a) { return example(a, k); }, all),
          g(the_example<Subset>(xs, k), the_example<~0u>(ts, k)), 1e-12);
}

enum modes { forward_only, both };

/// Everything, for one function at one place.
template <modes M, class F, class... A> void check(std::string const& name, F const& f, A const&... args) {
  CAPTURE(name);
  std::tuple x{args...};
  auto t = some_like(x, 10), u = some_like(x, 20);
  auto pushed = [&](auto const& x, auto const& t) { return jvp(unpacked<F>{f}, x, t).second; };
  auto dy = pushed(x, t);
  alike("value beside jvp", jvp(unpacked<F>{f}, x, t).first, f(x), 1e-13);
  alike("jvp", dy, differences(f, x, t));
  auto one_moves = [&]<std::size_t K>(std::integral_constant<std::size_t, K>) {
    auto only = moved(t, t, -1);
    std::get<K>(only) = std::get<K>(t);
    auto of_one = [&](auto const& z) {
      auto at = x;
      std::get<K>(at) = z;
      return f(at);
    };
    alike("jvp of one operand", jvp(of_one, std::get<K>(x), std::get<K>(t)).second, differences(f, x, only));
  };
  [&]<std::size_t... K>(indices<K...>) {
    (one_moves(std::integral_constant<std::size_t, K>{}), ...);
  }(std::index_sequence_for<A...>{});
  auto second = jvp([&](auto const&... z) { return pushed(std::tuple{z...}, t); }, x, u).second;
  alike("jvp of jvp", second, differences([&](auto const& z) { return pushed(z, t); }, x, u), 1e-8);
  auto xs = examples(x, 30), ts = examples(t, 40);
  [&]<std::size_t... S>(indices<S...>) {
    (against_a_loop<unsigned(S) + 1>(
         "vmap", [&](auto const& x, auto const&) { return f(x); }, xs, ts),
     ...);
    (against_a_loop<unsigned(S) + 1>("vmap of jvp", pushed, xs, ts), ...);
  }(std::make_index_sequence<(1u << sizeof...(A)) - 1>{});
  auto of_all = [&](auto const&... a) { return vmap(unpacked<F>{f})(a...); };
  auto all_dy = jvp(of_all, xs, ts).second;
  for (int k = 0; k < 3; ++k)
    alike("jvp of vmap", example(all_dy, k), pushed(the_example<~0u>(xs, k), the_example<~0u>(ts, k)), 1e-12);
  auto others = examples(x, 60);
  auto two = [&]<std::size_t... K>(indices<K...>) {
    return std::tuple{stack<0>(std::get<K>(xs), std::get<K>(others))...};
  }(std::index_sequence_for<A...>{});
  auto of_both = std::apply([&](auto const&... a) { return vmap(of_all)(a...); }, two);
  alike("vmap of vmap", example(of_both, 0), std::apply(of_all, xs), 1e-12);
  alike("vmap of vmap", example(of_both, 1), std::apply(of_all, others), 1e-12);
  if constexpr (M == both) {
    auto ct = some<decltype(dy)>(3);
    auto pulled = [&](auto const& x, auto const& ct) {
      return std::apply([&](auto const&... z) { return vjp(unpacked<F>{f}, z...).second(ct); }, x);
    };
    auto tuple_of = [](auto const& g) {
      if constexpr (sizeof...(A) == 1) return std::tuple{g};
      else return g;
    };
    CHECK(inner(tuple_of(pulled(x, ct)), t) == doctest::Approx(inner(ct, dy)).epsilon(1e-11));
    double along = inner(ct, second);
    auto by = [&](auto const& g) { return inner(tuple_of(g), u); };
    auto product = [&](auto const& a, auto const& b) {
      return [&]<std::size_t... K>(indices<K...>) {
        return (sum(std::get<K>(a) * std::get<K>(b)) + ...);
      }(std::index_sequence_for<A...>{});
    };
    // reverse over forward, over reverse, and forward over reverse
    CHECK(by(std::apply(
              [&](auto const&... z) {
                return vjp([&](auto const&... z) { return pushed(std::tuple{z...}, t); }, z...).second(ct);
              },
              x)) == doctest::Approx(along).epsilon(1e-10));
    auto over = [&](auto const&... z) { return product(tuple_of(pulled(std::tuple{z...}, ct)), t); };
    CHECK(by(std::apply([&](auto const&... z) { return vjp(over, z...).second(array<double>(1.0)); }, x)) ==
          doctest::Approx(along).epsilon(1e-10));
    CHECK(double(jvp(over, x, u).second) == doctest::Approx(along).epsilon(1e-10));
    auto cts = examples(std::tuple{ct}, 50);
    auto back = tuple_of(std::apply([&](auto const&... a) { return vjp(of_all, a...).second(std::get<0>(cts)); }, xs));
    for (int k = 0; k < 3; ++k)
      alike("vjp of vmap", the_example<~0u>(back, k),
            tuple_of(pulled(the_example<~0u>(xs, k), example(std::get<0>(cts), k))), 1e-12);
    [&]<std::size_t... S>(indices<S...>) {
      (against_a_loop<unsigned(S) + 1>(
           "vmap of vjp", [&](auto const& x, auto const& c) { return tuple_of(pulled(x, std::get<0>(c))); }, xs, cts),
       ...);
    }(std::make_index_sequence<(1u << sizeof...(A)) - 1>{});
  }
}

}  // namespace test::rules
