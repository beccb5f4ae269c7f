// SPDX-License-Identifier: BSD-3-Clause
// expect: E016
// expect: array<float, 2>
#include <etna/language.hpp>

using namespace etna;

auto const z = scan(
    [](auto c, auto x) {
      return std::pair{c, std::get<0>(x)};
    },
    array<float>(0.f), std::tuple{array<float, 3>{}, array<float, 2>{}});
