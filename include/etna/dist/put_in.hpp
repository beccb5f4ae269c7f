// SPDX-License-Identifier: BSD-3-Clause
// What was put into a program that is divided among processes, and why. Read next: partitioner.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <cstdint>

#include <etna/array/extent.hpp>

namespace etna::dist::detail {

/// Why a collective was put in.
enum class reason : std::uint8_t {
  summed,       // parts of an axis that the equation sums (or takes the greatest of)
  mixed,        // the equation needs that axis whole: it mixes what lies along it
  indivisible,  // an axis that goes with it cannot be cut into so many
  elsewhere,    // another operand is cut along another axis
  result,       // a result is wanted so
  loop          // a loop, branch or effect runs alike on all ranks
};
/// The sentence about an equation's name: "parts that sum adds".
struct reason_words {
  const char *before, *behind;
};
constexpr reason_words words_of(reason r) {
  switch (r) {
    case reason::summed: return {"parts that ", " combines"};
    case reason::mixed: return {"", " mixes what lies along the axis"};
    case reason::indivisible: return {"", " has an axis that cannot be cut so"};
    case reason::elsewhere: return {"", " reads another operand cut along another axis"};
    case reason::result: return {"the result is wanted so", ""};
    case reason::loop: return {"", " runs alike on all ranks"};
  }
  return {"", ""};
}
struct put_in {
  int node;  // which needs it
  int op;    // its row
  int what;  // of the collective
  int axis;  // of the mesh
  extent bytes;
  reason why;
};
/// Those of a program, in order.
struct put_in_list {
  static constexpr int most = 4096;
  put_in at[most]{};
  int n = 0;
  constexpr void add(put_in const& p) {
    if (n < most) at[n++] = p;
  }
};

}  // namespace etna::dist::detail

#include <etna/set_back.hpp>
