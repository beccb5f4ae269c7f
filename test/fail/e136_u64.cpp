// SPDX-License-Identifier: BSD-3-Clause
// expect: E136
// remedy: astype<std::int64_t>\(x\)
#include <etna/language.hpp>

using namespace etna;

auto const z = array<std::uint64_t, 3>{} + array<int, 3>{};
