// SPDX-License-Identifier: BSD-3-Clause
// References by libquadmath, in a file of their own: its names join those of the table before the table is read.
#define ACCURACY_QUAD
#include "accuracy/functions.hpp"
#undef ACCURACY_QUAD
#include "references.hpp"

namespace accuracy {
std::array<__float128 (*)(__float128, __float128), count> quad_values() { return values<__float128>(); }
}  // namespace accuracy
