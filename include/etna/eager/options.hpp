// SPDX-License-Identifier: BSD-3-Clause
// What a program says of eager evaluation: where it is compiled, and what it does besides. Read next: compute.hpp.
#pragma once

// A program of many files may compile this once: all are compiled with ETNA_EAGER_ELSEWHERE, and one of them says
// ETNA_EAGER_HERE before it includes etna. Otherwise each file has what it uses.
#if defined(ETNA_EAGER_HERE)
#define ETNA_EAGER
#elif !defined(ETNA_EAGER_ELSEWHERE)
#define ETNA_EAGER inline
#endif

namespace etna::eager {

/// What eager evaluation does besides: print every node, stop at the first NaN.
struct options_t {
  bool print = false;
  bool check_nan = false;
};
inline options_t& options() {
  static options_t o;
  return o;
}

}  // namespace etna::eager
