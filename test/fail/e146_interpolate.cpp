// SPDX-License-Identifier: BSD-3-Clause
// expect: E146
#include <etna/language.hpp>

using namespace etna;

constexpr auto schedule = optim::piecewise_interpolate_schedule<"cubic">(0.1, {{10, 0.5}});
