// SPDX-License-Identifier: BSD-3-Clause
// expect: E062
#include <etna/etna.hpp>

using namespace etna;

auto z(small<double, 2> const& x) {
  return point([](array<double, 2> v) {
    debug::print("{}", v);
    return v * 2.0;
  })(x);
}
