// SPDX-License-Identifier: BSD-3-Clause
// expect: E077
// expect: array<float, 3>
// sentence g++: 9
#include <etna/language.hpp>

using namespace etna;

auto const z = custom_vjp([](auto x) { return sum(x); },
                          [](auto x) {
                            return std::pair{sum(x), x};
                          },
                          [](auto const&, auto const& ct) { return ct; })(array<float, 3>{});
