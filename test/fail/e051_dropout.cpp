// SPDX-License-Identifier: BSD-3-Clause
// expect: E051
// expect: array<unsigned int>
#include <etna/language.hpp>

using namespace etna;

auto const z = [](auto const& key) { return dropout(key, array<float, 3>{}, 0.5); }(random::key(0).first);
