// SPDX-License-Identifier: BSD-3-Clause
// expect: E023
// expect: view
#include <etna/language.hpp>

using namespace etna;

struct view {
  array<float>& a;
};
void f(view v) {
  tree::map([](auto x) { return x; }, v);
}
