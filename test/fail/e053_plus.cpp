// SPDX-License-Identifier: BSD-3-Clause
// expect: E053
// expect: key_words
#include <etna/language.hpp>

using namespace etna;

auto const z = [] { return random::key(0) + 1; };
using result = decltype(z());
