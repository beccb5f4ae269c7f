// SPDX-License-Identifier: BSD-3-Clause
// expect: E082
#include <etna/language.hpp>

using namespace etna;

auto z(array<float, 3> const& x) {
  return named_scope<"a/b">([](auto const& v) { return v * 2.0f; })(x);
}
