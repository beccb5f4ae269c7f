// SPDX-License-Identifier: BSD-3-Clause
// expect: E022
// expect: narrow
// expect: wide
#include <etna/language.hpp>

using namespace etna;

struct narrow {
  array<float> a;
};
struct wide {
  array<float> a, b;
};
void f() {
  tree::map([](auto x, auto y) { return x + y; }, narrow{}, wide{});
}
