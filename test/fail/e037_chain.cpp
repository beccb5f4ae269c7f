// SPDX-License-Identifier: BSD-3-Clause
// expect: E037
// expect: chain\(clip_by_global_norm\(1.0\), adamw\(rate\)\)
#include <etna/language.hpp>

using namespace etna;

constexpr auto rule = optim::chain(1.0);
