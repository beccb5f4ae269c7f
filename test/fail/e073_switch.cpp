// SPDX-License-Identifier: BSD-3-Clause
// expect: E073
// expect: array<int, 2>
#include <etna/language.hpp>

using namespace etna;

auto const z =
    switch_(array<int, 2>{}, std::tuple{[](auto x) { return x; }, [](auto x) { return x; }}, array<float, 3>{});
