// SPDX-License-Identifier: BSD-3-Clause
// Blocks written and read along one axis: at places that are known while compiling by update and slice, and where names
// stand in the sizes by dynamic_update and dynamic_slice. Read next: join.hpp.
#pragma once
#include "slicing.hpp"

namespace etna::numpy {

// Scalars as one vector of n.
constexpr handle as_vector(handle const* s, int n) {
  tensor_type t{dtype::i64, 1, {n}};
  handle all = broadcast_to(s[0], t), at = ramp(t, 0);
  for (int k = 1; k < n; ++k) {
    handle put[] = {binary(code<ops::eq_p>, at, whole_number(dtype::i64, k)), broadcast_to(s[k], t), all};
    all = call(code<ops::select_p>, put, 3);
  }
  return all;
}
// Along one axis, where names stand in its extents: a block is written (or read) at a number that is known at run time.
constexpr handle starts_along(handle const& place, int axis, int rank) {
  tensor_type t{dtype::i64, 1, {rank}};
  handle choose[] = {binary(code<ops::eq_p>, ramp(t, 0), whole_number(dtype::i64, axis)), broadcast_to(place, t),
                     full(t, 0)};
  return call(code<ops::select_p>, choose, 3);
}
constexpr handle size_along(handle const& x, int axis) { return counted(x.type(), {1, {axis}, 0}, dtype::i64); }
constexpr handle update_along(handle const& all, handle const& x, handle const& place, int axis) {
  handle in[] = {all, x, starts_along(place, axis, x.type().rank)};
  return call(code<ops::dynamic_update_p>, in, 3);
}
constexpr handle slice_along(handle const& x, handle const& place, int axis, extent size) {
  tensor_type block = x.type();
  block.e[axis] = size;
  handle in[] = {x, starts_along(place, axis, block.rank)};
  return call(code<ops::dynamic_slice_p>, in, 2, block.e, block.rank);
}

constexpr extent sum_along(handle const* x, int n, int axis) {
  extent all = 0;
  for (int k = 0; k < n; ++k) all = ext::add(all, x[k].type().e[axis]);
  return all;
}
// Arrays of one element type along an axis; n may be any number, since each is an update.
constexpr handle join_along(handle const* x, int n, int axis, tensor_type to) {
  handle all = full(to, 0);
  if (to.e[axis] < 0) {
    handle place = whole_number(dtype::i64, 0);
    for (int k = 0; k < n; ++k) {
      all = update_along(all, x[k], place, axis);
      if (k + 1 < n) place = binary(code<ops::add_p>, place, size_along(x[k], axis));
    }
    return all;
  }
  ops::update_dim place[max_rank]{};
  for (auto& p : place) p = {0, 1};
  for (int k = 0; k < n; ++k) {
    all = update(all, x[k], place);
    place[axis].start += x[k].type().e[axis];
  }
  return all;
}
// Part i of n equal ones.
constexpr handle part_of(handle const& x, int axis, int i, int n) {
  extent size = ext::quotient(x.type().e[axis], n);
  if (size >= 0) return slice_axis(x, axis, i * size, size);
  handle times = binary(code<ops::mul_p>, whole_number(dtype::i64, i),
                        binary(code<ops::quot_p>, size_along(x, axis), whole_number(dtype::i64, n)));
  return slice_along(x, times, axis, size);
}

}  // namespace etna::numpy
