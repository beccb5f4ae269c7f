// SPDX-License-Identifier: BSD-3-Clause
// expect: E077
// expect: array<float>, etna::array<float, 3>
// sentence g++: 9
#include <etna/language.hpp>

using namespace etna;

auto const z = custom_jvp([](auto x) { return sum(x); },
                          [](auto const&, auto const& dots) { return std::get<0>(dots); })(array<float, 3>{});
