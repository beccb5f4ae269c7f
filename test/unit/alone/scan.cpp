// SPDX-License-Identifier: BSD-3-Clause
// The tests of unit/control/scan.cpp, where loops of little work are one function: there all are kernels.
#undef ETNA_MOST_STRAIGHT
#include "../control/scan.cpp"
