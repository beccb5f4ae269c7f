// SPDX-License-Identifier: BSD-3-Clause
// Eager evaluation and the rules of all primitives, once for all test programs: their files say ETNA_EAGER_ELSEWHERE.
#define ETNA_EAGER_HERE
#include <etna/language.hpp>
