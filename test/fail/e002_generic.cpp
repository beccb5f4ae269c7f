// SPDX-License-Identifier: BSD-3-Clause
// expect: E002
// expect: from<double>
// expect: to<float>
#include <etna/language.hpp>

using namespace etna;

auto f(array<double, 3> const& z) {
  return grad([](auto x) {
    array<float, 3> y = x;
    return sum(y);
  })(z);
}
