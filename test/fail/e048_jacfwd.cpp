// SPDX-License-Identifier: BSD-3-Clause
// expect: E048
// expect: model
#include <etna/language.hpp>

using namespace etna;

struct model {
  array<float, 2> w;
  array<float> b;
};
auto z(model const& m) {
  return jacfwd([](auto const& m) { return m.w * m.b; })(m);
}
