// SPDX-License-Identifier: BSD-3-Clause
// expect: E073
// expect: array<float>
#include <etna/language.hpp>

using namespace etna;

auto const z = cond(
    array<float>(1.f), [](auto x) { return x; }, [](auto x) { return x; }, array<float, 3>{});
