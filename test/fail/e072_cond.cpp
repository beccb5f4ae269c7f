// SPDX-License-Identifier: BSD-3-Clause
// expect: E072
// expect: array<float, 3>
#include <etna/language.hpp>

using namespace etna;

auto const z = cond(
    array<bool>(true), [](auto x) { return x; }, [](auto x) { return sum(x); }, array<float, 3>{});
