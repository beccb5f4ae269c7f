// SPDX-License-Identifier: BSD-3-Clause
// expect: E072
// expect: array<double, 3>
#include <etna/language.hpp>

using namespace etna;

auto const z = switch_(array<int>(1), std::tuple{[](auto x) { return x; }, [](auto x) { return astype<double>(x); }},
                       array<float, 3>{});
