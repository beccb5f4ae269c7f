// SPDX-License-Identifier: BSD-3-Clause
// expect: E023
// expect: string
#include <etna/language.hpp>

using namespace etna;

#include <string>
struct model {
  array<float> w;
  std::string name;
};
auto const g = grad([](model const& m) { return m.w * m.w; })(model{});
