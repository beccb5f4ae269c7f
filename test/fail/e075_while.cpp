// SPDX-License-Identifier: BSD-3-Clause
// expect: E075
#include <etna/etna.hpp>

using namespace etna;

constexpr auto f = [](array<float> a) {
  return grad([](auto a) {
    return while_loop([&](auto x) { return x < a; }, [&](auto x) { return x * a; }, array<float>(1.f));
  })(a);
};
auto z(array<float> a) { return jit(f)(a); }
