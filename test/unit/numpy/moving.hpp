// SPDX-License-Identifier: BSD-3-Clause
// Functions that move elements against JAX: values and gradients, evaluated one by one, jitted, and under vmap.
#pragma once
#include <string>

#include "data/moving.inc.hpp"
#include "same.hpp"

namespace test::moving {

template <class A> A numbers(int k) {
  return A::build(
      [&](auto* o) {
        for (extent i = 0; i < A::type.size(); ++i) o[i] = double((i * 37 + 11) % 29 - 14) / 8 + 0.125 * k;
      },
      A::extents);
}
// m / 17, rounded down: division of integers is true division
constexpr auto floor_of_17(auto const& m) { return astype<int>(astype<double>(m) / 17); }
// the weights of the reference, as a traced function has them
template <class A> constexpr auto weighted(A const& y) {
  auto i = arange<int, A::type.size()>();
  auto m = i * 13 + 5;
  return sum(ravel(y) * (astype<double>(m - floor_of_17(m) * 17) - 8) / 4);
}
constexpr auto round_down(auto const& x) { return astype<double>(astype<int>(x + 100)) - 100; }
inline reference::moved const& named(std::string const& name) {
  for (auto const& m : reference::all_moved())
    if (m.name == name) return m;
  FAIL("no reference of this name");
  return reference::all_moved()[0];
}
template <class A> void same(A const& is, std::vector<double> const& want) {
  check_numbers(leaves(is)[0].x, want, 1e-12);
}

/// F of arrays of the types A: value and gradients, eager and jitted; the same for each example of a batch.
template <class... A, class F> void check(const char* name, F f) {
  INFO(name);
  auto const& want = named(name);
  std::tuple<A...> x = [&]<std::size_t... I>(std::index_sequence<I...>) {
    return std::tuple<A...>{numbers<A>(int(I))...};
  }(std::index_sequence_for<A...>{});
  auto values = [&](auto g) { return std::apply(g, x); };
  auto eager = values(f), fused = values(jit(f));
  auto shape = eager.shape();
  CHECK(std::vector<long>(shape.begin(), shape.end()) == want.shape);
  same(eager, want.value);
  same(fused, want.value);
  auto batch = std::apply([](auto const&... a) { return std::tuple{stack(a * 2, a, a + 1)...}; }, x);
  auto mapped = std::apply(jit(vmap(F{})), batch), looped = std::apply(vmap(f), batch);
  near(mapped, looped);
  same(slice<1>(mapped), want.value);
  if constexpr (is_floating(decltype(eager)::type.d)) {
    auto loss = [](auto const&... a) { return weighted(F{}(a...)); };
    auto grads = [&]<std::size_t... I>(std::index_sequence<I...>) {
      return grad<int(I)...>(loss);
    }(std::index_sequence_for<A...>{});
    auto compare = [&](auto const& is) {
      if constexpr (sizeof...(A) == 1) same(is, want.grads[0]);
      else
        [&]<std::size_t... I>(std::index_sequence<I...>) {
          (same(std::get<I>(is), want.grads[I]), ...);
        }(std::index_sequence_for<A...>{});
    };
    compare(values(grads));
    compare(values(jit(grads)));
    near(std::apply(jit(vmap(grads)), batch), std::apply(vmap(grads), batch));
  }
}

}  // namespace test::moving
