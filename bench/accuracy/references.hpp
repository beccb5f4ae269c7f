// SPDX-License-Identifier: BSD-3-Clause
// The truth to 113 bits.
#pragma once
#include <array>

#include "accuracy/functions.hpp"

namespace accuracy {

/// functions, by libquadmath.
std::array<__float128 (*)(__float128, __float128), count> quad_values();

}  // namespace accuracy
