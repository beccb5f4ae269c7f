// SPDX-License-Identifier: BSD-3-Clause
// expect: E099
#include <etna/language.hpp>

using namespace etna;

auto const f = [] { return with_precision<precision::bf16>([](int n) { return array<float>(float(n)); })(3); };
using result = decltype(f());
