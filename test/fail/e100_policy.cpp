// SPDX-License-Identifier: BSD-3-Clause
// expect: E100
#include <etna/language.hpp>

using namespace etna;

nn::policy<float, int, float> const p;
