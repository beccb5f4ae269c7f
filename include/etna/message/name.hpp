// SPDX-License-Identifier: BSD-3-Clause
// The error of a named extent, apart from the catalogue, which is made of extents. Not a constant
// function: calling it ends the compilation, and both compilers show its name.
#pragma once

namespace etna::message {

inline void E011_a_name_has_1_to_12_of_a_to_z_0_to_9_and_underscore_a_letter_first() {
  throw "E011: a named extent has 1 to 12 of the letters a-z, 0-9 and _, a letter first";
}

}  // namespace etna::message
