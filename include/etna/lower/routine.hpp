// SPDX-License-Identifier: BSD-3-Clause
// Rows that are a step of their own, called with whole operands in memory: bodies on bytes, or a switch over element
// types, so that a program instantiates nothing for them. Read next: ../exec/run.hpp.
#pragma once
#include <cstring>

#include <etna/ops/table.hpp>

namespace etna::lower {

using ops::call;

/// A block of bytes copied to a walk with strides: axes from `axis` on; source elements follow one another.
inline char const* copy_block(tensor_type const& block, int bytes, extent const* stride, int axis, int dense, char const* from, char* to) {
  if (axis == dense) {  // from here on the target is dense too
    extent n = bytes;
    for (int i = axis; i < block.rank; ++i) n *= block.e[i];
    std::memcpy(to, from, std::size_t(n));
    return from + n;
  }
  for (extent i = 0; i < block.e[axis]; ++i) from = copy_block(block, bytes, stride, axis + 1, dense, from, to + i * stride[axis]);
  return from;
}

}  // namespace etna::lower

namespace etna::ops {

inline void update_p::run(call const& c, std::int64_t, std::int64_t) {
  tensor_type const &x = c.in_type[0], &u = c.in_type[1];
  int bytes = bytes_of(x.d), dense = u.rank;
  if (c.out[0] != c.in[0]) std::memcpy(c.out[0], c.in[0], std::size_t(x.size() * bytes));
  extent stride[max_rank]{}, s = bytes, offset = 0;
  for (int i = u.rank - 1; i >= 0; --i) {
    stride[i] = s * c.attr[2 * i + 1];
    offset += s * c.attr[2 * i];
    if (dense == i + 1 && c.attr[2 * i + 1] == 1 && (i + 1 == u.rank || u.e[i + 1] == x.e[i + 1])) dense = i;
    s *= x.e[i];
  }
  if (u.size() > 0) lower::copy_block(u, bytes, stride, 0, dense, static_cast<char const*>(c.in[1]), static_cast<char*>(c.out[0]) + offset);
}

}  // namespace etna::ops
