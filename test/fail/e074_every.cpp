// SPDX-License-Identifier: BSD-3-Clause
// expect: E074
// expect: size<3>
#include <etna/language.hpp>

using namespace etna;

auto const z = scan<10>([](auto c) { return std::pair{c, c}; }, array<float>(0.f), keep_every<3>);
