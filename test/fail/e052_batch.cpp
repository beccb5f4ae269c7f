// SPDX-License-Identifier: BSD-3-Clause
// expect: E052
// expect: key_words
#include <etna/language.hpp>

using namespace etna;

auto const z = [] { return random::normal<float, 3>(random::split_batch<4>(random::key(0))); };
using result = decltype(z());
