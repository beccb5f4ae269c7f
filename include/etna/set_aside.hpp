// SPDX-License-Identifier: BSD-3-Clause
// The first include of every header that people include, whose last is set_back.hpp. Set aside until there are a
// program's macros of one letter (complex.h has one, linear algebra many), those of curses.h, term.h and Windows whose
// names etna or the standard library has, and the warnings that etna's own code does not heed. Each of these headers
// does it, so there is no #pragma once.
#if defined(__GNUC__) && !defined(__CUDACC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"           // parameters named as the members that they become
#pragma GCC diagnostic ignored "-Wsign-conversion"  // counts are int, sizes of the library's unsigned
#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wnon-template-friend"  // lower/kernel.hpp: a function for each class is meant
// Optimising, g++ 12 and newer say these of code in which they lose the sizes:
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // registers that a loop fills
#pragma GCC diagnostic ignored "-Warray-bounds"         // lists with as many places as there are axes or operands
#pragma GCC diagnostic ignored "-Wrestrict"             // std::string behind a literal
#else
#pragma GCC diagnostic ignored "-Wgcc-compat"                  // diagnose_if
#pragma GCC diagnostic ignored "-Wbitwise-instead-of-logical"  // masks of numbers are bool, of batches not
#endif
#endif

#pragma push_macro("A")
#pragma push_macro("B")
#pragma push_macro("C")
#pragma push_macro("D")
#pragma push_macro("E")
#pragma push_macro("F")
#pragma push_macro("G")
#pragma push_macro("H")
#pragma push_macro("I")
#pragma push_macro("J")
#pragma push_macro("K")
#pragma push_macro("L")
#pragma push_macro("M")
#pragma push_macro("N")
#pragma push_macro("O")
#pragma push_macro("P")
#pragma push_macro("Q")
#pragma push_macro("R")
#pragma push_macro("S")
#pragma push_macro("T")
#pragma push_macro("U")
#pragma push_macro("V")
#pragma push_macro("W")
#pragma push_macro("X")
#pragma push_macro("Y")
#pragma push_macro("Z")
#pragma push_macro("border")
#pragma push_macro("clear")
#pragma push_macro("columns")
#pragma push_macro("erase")
#pragma push_macro("lines")
#pragma push_macro("max")
#pragma push_macro("min")
#pragma push_macro("move")
#pragma push_macro("refresh")

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
#undef border
#undef clear
#undef columns
#undef erase
#undef lines
#undef max
#undef min
#undef move
#undef refresh
