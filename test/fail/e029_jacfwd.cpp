// SPDX-License-Identifier: BSD-3-Clause
// expect: E029
#include <etna/language.hpp>

using namespace etna;

using rows = array<float, "position"_n, 2>;
auto f(rows const& x) {
  return jacfwd([](auto y) { return sum(y); })(x);
}
