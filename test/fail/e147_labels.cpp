// SPDX-License-Identifier: BSD-3-Clause
// expect: E147
#include <etna/language.hpp>

using namespace etna;

struct net {
  array<float, 3> kernel, bias;
};
constexpr auto rule =
    optim::multi_transform([](auto path) { return path.ends_with("bias") ? 2 : 0; }, optim::sgd(0.1), optim::adam(0.1));
auto const s = rule.init(net{});
