// SPDX-License-Identifier: BSD-3-Clause
// expect: E144
#include <etna/language.hpp>

using namespace etna;

struct net {
  array<float, 3> kernel, bias;
};
constexpr auto rule = optim::masked<"kernel">(optim::adaptive_grad_clip(0.1));
auto const u = rule.update(net{}, rule.init(net{}));
