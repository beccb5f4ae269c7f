// SPDX-License-Identifier: BSD-3-Clause
// What must hold of any program: it is the same fused and operation by operation, with arguments given away, by vmap
// and one by one; its gradient is that of differences. The bits of what jit gives are printed: run.sh compares them for
// one and two threads. In less memory it is the same, too.
#pragma once
#include <cstdio>

#include <etna/exec/fit.hpp>

#include "same.hpp"

namespace test {

/// Numbers that a loss weights a result's elements by.
template <class T, extent... E> constexpr auto weights() {
  if constexpr (sizeof...(E) == 0) return array<T>(T(1));
  else return reshape<E...>(cos(arange<T, (E * ... * 1)>() * T(0.7) + T(0.3)));
}
inline double along(std::size_t leaf, std::size_t i) { return std::cos(0.7 * double(i) + double(leaf)); }

/// The slope of the plain function along a direction, as near to `want` as differences of some lengths come.
template <int... I, class L, class Args> double slope(L loss, Args const& args, double want) {
  auto at = [&](double h) {
    Args moved = args;
    std::size_t leaf = 0;
    auto move = [&](auto& a) {
      auto const old = a;
      using X = std::remove_cvref_t<decltype(a)>;
      a = X::build([&](auto* o) {
        for (extent i = 0; i < old.size(); ++i) o[i] = old.data()[i] + h * along(leaf, std::size_t(i));
      });
      ++leaf;
    };
    (move(std::get<I>(moved)), ...);
    return double(std::apply(loss, moved)());
  };
  double best = at(1e-4) - at(-1e-4);
  best /= 2e-4;
  for (double h : {1e-6, 1e-8})
    if (double d = (at(h) - at(-h)) / (2 * h); std::abs(d - want) < std::abs(best - want)) best = d;
  return best;
}

/// f in three fifths of what its temporaries take, or in as little as can be had.
template <class F, class... A> constexpr auto in_less(F const& f, std::type_identity<std::tuple<A...>>) {
  using plain = plan_of<F, A...>;
  constexpr extent wanted = plain::peak_bytes - plain::arena_bytes * 2 / 5;
  return fit<std::max(wanted, plan_of<compiler::fitted<wanted, F>, A...>::peak_bytes)>(f);
}

/// f(x...) is a tuple, loss(x...) a number made of it; I: which arguments are real. `both` is two examples of the
/// arguments.
template <int... I, class F, class L, class... A, class... B>
void check(int seed, F f, L loss, std::tuple<A...> const& x, std::tuple<B...> const& both) {
  CAPTURE(seed);
  auto call = [&](auto const& g) { return std::apply([&](auto const&... a) { return g(a...); }, x); };
  auto give_away = [&](auto const& g) {
    auto copy = [](auto const& a) {
      return std::remove_cvref_t<decltype(a)>::build([&](auto* o) { std::copy(a.data(), a.data() + a.size(), o); });
    };
    return std::apply([&](auto const&... a) { return g(copy(a)...); }, x);
  };
  constexpr double f32 = 1e-3, f64 = 1e-9;
  constexpr auto both_of = [](A const&... a) { return std::pair{F{}(a...), grad<I...>(L{})(a...)}; };
  auto value = call(jit(f));
  auto slopes = call(jit(grad<I...>(loss)));
  auto together = call(jit(both_of));
  auto want = call(f);
  auto want_slopes = call(grad<I...>(loss));
  near(value, want, f32, f64);
  near(slopes, want_slopes, f32, f64);
  near(together, std::pair{want, want_slopes}, f32, f64);
  near(call(in_less(both_of, std::type_identity<std::tuple<A...>>{})), std::pair{want, want_slopes}, f32, f64);
  CHECK(same_bits(value, give_away(jit(f))));
  CHECK(same_bits(slopes, give_away(jit(grad<I...>(loss)))));
  CHECK(same_bits(together, give_away(jit(both_of))));
  if constexpr (std::tuple_element_t<0, std::tuple<A...>>::type.d == dtype::f64) {
    double along_direction = 0;
    auto g = leaves(want_slopes);
    for (std::size_t k = 0; k < g.size(); ++k)
      for (std::size_t i = 0; i < g[k].x.size(); ++i) along_direction += g[k].x[i] * along(k, i);
    CHECK(std::abs(slope<I...>(loss, x, along_direction) - along_direction) <=
          1e-5 * (std::abs(along_direction) + 1e-2));
  }
  auto examples = std::apply([&](auto const&... a) { return jit(vmap<0>(f))(a...); }, both);
  auto one = [&](auto k) {
    return std::apply([&](auto const&... a) { return f(A(slice<decltype(k)::value>(a))...); }, both);
  };
  near(tree::map([](auto const& z) { return slice<0>(z); }, examples), one(std::integral_constant<int, 0>{}), f32, f64);
  near(tree::map([](auto const& z) { return slice<1>(z); }, examples), one(std::integral_constant<int, 1>{}), f32, f64);
  std::printf("bits %d %016llx %016llx %016llx\n", seed, static_cast<unsigned long long>(bits_of(value)),
              static_cast<unsigned long long>(bits_of(slopes)), static_cast<unsigned long long>(bits_of(examples)));
  std::fflush(stdout);
}

}  // namespace test

using namespace test;
