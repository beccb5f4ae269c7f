// SPDX-License-Identifier: BSD-3-Clause
// expect: E100
// expect: its three types are floating
#include <etna/language.hpp>

using namespace etna;

nn::policy<float, int, float> const p;
