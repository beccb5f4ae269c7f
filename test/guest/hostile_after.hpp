// SPDX-License-Identifier: BSD-3-Clause
// Behind etna's headers the program's macros are what they were, and are gone here, so that the program can be read.
#pragma once
static_assert(A + I + N + Z == 4, "a macro of the program's is not back");
static_assert(columns == 0 || columns != 0);
#undef A
#undef B
#undef C
#undef D
#undef E
#undef F
#undef G
#undef H
#undef I
#undef J
#undef K
#undef L
#undef M
#undef N
#undef O
#undef P
#undef Q
#undef R
#undef S
#undef T
#undef U
#undef V
#undef W
#undef X
#undef Y
#undef Z
#undef columns
#undef lines
