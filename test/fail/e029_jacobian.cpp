// SPDX-License-Identifier: BSD-3-Clause
// expect: E029
#include <etna/language.hpp>

using namespace etna;

using row = array<float, "position"_n>;
auto f(row const& x) {
  return jacrev([](auto y) { return expand_dims<0>(y) * full<float, 2, 1>(2.0); })(x);
}
