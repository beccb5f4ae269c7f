// SPDX-License-Identifier: BSD-3-Clause
// expect: E028
// expect: shape<2, 3>
// expect: shape<4, 5>
#include <etna/language.hpp>

using namespace etna;

auto const z = einsum<"ij,jk->ik">(array<float, 2, 3>{}, array<float, 4, 5>{});
