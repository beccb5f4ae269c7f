// SPDX-License-Identifier: BSD-3-Clause
// expect: E095
#include <etna/language.hpp>

using namespace etna;

auto const z = tree::partition<"head.kernel">(nn::dense<float, 3, 3>{});
