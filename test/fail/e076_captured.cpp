// SPDX-License-Identifier: BSD-3-Clause
// expect: E076
#include <etna/etna.hpp>

using namespace etna;

constexpr auto f = [](array<float> a) {
  return grad([](auto a) {
    return custom_jvp([&](auto x) { return x * a; },
                      [&](auto const& x, auto const& t) {
                        return std::pair{std::get<0>(x) * a, std::get<0>(t) * a};
                      })(a * 2);
  })(a);
};
auto z(array<float> a) { return jit(f)(a); }
