// SPDX-License-Identifier: BSD-3-Clause
// expect: E066
// expect: shape<784>
#include <etna/language.hpp>

using namespace etna;

auto const z = [](nn::dense<float, 784, 10> const& layer) { return layer(array<float, 28, 28>{}); }({});
