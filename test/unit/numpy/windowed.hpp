// SPDX-License-Identifier: BSD-3-Clause
// Functions of windows against JAX: values, gradients and second derivatives, eager and jitted, and batched by vmap
// over each operand.
#pragma once
#include "data/windows.inc.hpp"
#include "moving.hpp"

namespace test::windowed {

inline reference::windowed const& named(std::string const& name) {
  for (auto const& w : reference::all_windowed())
    if (w.name == name) return w;
  FAIL("no reference of this name");
  return reference::all_windowed()[0];
}
template <class A> std::array<double, 2> sums(A const& a) {
  double all = 0, weighed = 0;
  std::vector<double> const x = leaves(a)[0].x;
  for (std::size_t i = 0; i < x.size(); ++i) {
    all += x[i];
    weighed += x[i] * double(long((i * 13 + 5) % 17) - 8) / 4;
  }
  return {all, weighed};
}

/// What is compared of F: its value, its gradients, those of half the squares of these.
template <class F, int... I> struct derivatives {
  static constexpr auto loss = [](auto const&... x) { return moving::weighted(F{}(x...)); };
  static constexpr auto gradients(auto const&... x) {
    if constexpr (sizeof...(I) == 1) return std::tuple{grad<I...>(loss)(x...)};
    else return grad<I...>(loss)(x...);
  }
  static constexpr auto size = [](auto const&... x) {
    return std::apply([](auto const&... g) { return (sum(g * g) + ...) / 2; }, gradients(x...));
  };
  constexpr auto operator()(auto const&... x) const {
    return std::tuple{F{}(x...), gradients(x...), grad<I...>(size)(x...)};
  }
};

template <class F, int... I, class... A>
void compare(reference::windowed const& want, std::integer_sequence<int, I...>, A const&... x) {
  using of = derivatives<F, I...>;
  auto same = [&](auto const& is) {
    check_numbers(leaves(std::get<0>(is))[0].x, want.value, 1e-12);
    (check_numbers(leaves(std::get<I>(std::get<1>(is)))[0].x, want.grads[std::size_t(I)], 1e-12), ...);
    auto second = [&](int i, auto const& s) {
      auto const [all, weighed] = sums(s);
      check_numbers({all, weighed}, want.second[std::size_t(i)], 1e-11);
    };
    if constexpr (sizeof...(A) == 1) second(0, std::get<2>(is));
    else (second(I, std::get<I>(std::get<2>(is))), ...);
  };
  same(of{}(x...));
  same(jit(of{})(x...));
  auto const shape = F{}(x...).shape();
  CHECK(std::vector<long>(shape.begin(), shape.end()) == want.shape);
}
/// F of arrays of the types A. Its examples under vmap are x, and x twice and plus one.
template <bool Jitted, class... A, class F> void check_batched(const char* name, F) {
  INFO(std::string(name));
  auto const& want = named(name);
  auto number = [i = 0]<class X>(X*) mutable { return moving::numbers<X>(i++); };
  std::tuple<A...> const x{number(static_cast<A*>(nullptr))...};
  std::apply([&](auto const&... a) { compare<F>(want, std::make_integer_sequence<int, sizeof...(A)>{}, a...); }, x);
  auto const batch = [](auto const& a) { return stack(a * 2, a, a + 1); };
  auto same = [&](auto const& is) { check_numbers(leaves(slice<1>(is))[0].x, want.value, 1e-12); };
  if constexpr (sizeof...(A) == 1) {
    auto const& [a] = x;
    same(vmap(F{})(batch(a)));
  } else {
    auto const& [a, b] = x;
    auto const each = [](auto const& as, auto const& bs, auto const& p, auto const& q) {
      return std::tuple{vmap<0, none>(F{})(as, q), vmap<none, 0>(F{})(p, bs), vmap(F{})(as, bs)};
    };
    auto all = [&](auto const& is) {
      auto const& [first, second, both] = is;
      same(first), same(second), same(both);
      // what JAX has of the pair (x, k) etna has of (2 x, 2 k), four times
      check_numbers(leaves(slice<0>(both))[0].x, leaves(slice<1>(both) * 4)[0].x, 1e-12);
    };
    all(each(batch(a), batch(b), a, b));
    if constexpr (Jitted) all(jit(each)(batch(a), batch(b), a, b));
  }
}

template <class... A, class F> void check(const char* name, F f) { check_batched<false, A...>(name, f); }

}  // namespace test::windowed
