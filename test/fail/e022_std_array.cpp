// SPDX-License-Identifier: BSD-3-Clause
// expect: E022
// expect: std::array<.*2>
// expect: std::array<.*3>
#include <etna/language.hpp>

using namespace etna;

void f() {
  tree::map([](auto x, auto y) { return x + y; }, std::array<array<float>, 2>{}, std::array<array<float>, 3>{});
}
