// SPDX-License-Identifier: BSD-3-Clause
// Attributes by name, of the rows that have several: nobody else knows in which word one stands. (dot_dims is of this
// kind as well, build.hpp; so are scan_words, branch_words and while_words, beside their rows.)
#pragma once
#include <etna/array/type.hpp>

namespace etna::ops {

/// One axis of the block that a slice reads.
struct slice_dim {
  extent start, size, step;  // a step below 0 goes backward
  static constexpr int words = 3;
  static constexpr slice_dim read(std::int64_t const* a, int axis) {
    a += words * axis;
    return {a[0], a[1], ext::number_in(a[2])};
  }
  constexpr void write(std::int64_t* a, int axis) const {
    a += words * axis;
    a[0] = start;
    a[1] = size;
    a[2] = ext::number(step);
  }
  constexpr bool goes_back() const { return step < 0 && size > 0; }
  /// The axis backward, where the block is; else as it is.
  constexpr slice_dim turn() const { return goes_back() ? slice_dim{size - 1, size, -1} : slice_dim{0, size, 1}; }
};

/// One axis of the block that an update (or a patch) writes.
struct update_dim {
  extent start, step;
  static constexpr int words = 2;
  static constexpr update_dim read(std::int64_t const* a, int axis) { return {a[words * axis], a[words * axis + 1]}; }
  constexpr void write(std::int64_t* a, int axis) const {
    a[words * axis] = start;
    a[words * axis + 1] = step;
  }
  /// The elements that a slice reads, in ascending order.
  static constexpr update_dim forward(slice_dim const& s) {
    return {s.goes_back() ? s.start + (s.size - 1) * s.step : s.start, s.step < 0 ? -s.step : s.step};
  }
};
/// The block that a slice reads, as an update writes it: forward. Is it turned first, as `turn` says?
constexpr bool forward(slice_dim const* block, int rank, update_dim* place, slice_dim* turn) {
  bool turned = false;
  for (int i = 0; i < rank; ++i) {
    place[i] = update_dim::forward(block[i]);
    turn[i] = block[i].turn();
    turned = turned || block[i].goes_back();
  }
  return turned;
}
/// One of these for each axis, as an equation's attributes.
template <class Dim> struct dims_as_words {
  std::int64_t a[Dim::words * max_rank]{};
  int n;
  constexpr dims_as_words(Dim const* dim, int rank) : n(Dim::words * rank) {
    for (int i = 0; i < rank; ++i) dim[i].write(a, i);
  }
};

/// The windows of one axis: of so many elements, which are `dilation` apart, each `step` behind the one before. Of size
/// 0: the axis has none.
struct window_dim {
  extent size = 0, step = 1, dilation = 1;
  static constexpr int words = 3;
  static constexpr window_dim read(std::int64_t const* a, int axis) {
    a += words * axis;
    return {a[0], a[1], a[2]};
  }
  constexpr void write(std::int64_t* a, int axis) const {
    a += words * axis;
    a[0] = size;
    a[1] = step;
    a[2] = dilation;
  }
  constexpr bool there() const { return size != 0; }
  /// Elements from a window's first to its last.
  constexpr extent span() const { return (size - 1) * dilation + 1; }
  /// How many lie in an axis of e elements.
  constexpr extent count(extent e) const { return e < span() ? 0 : (e - span()) / step + 1; }
  constexpr bool overlap() const { return step < span(); }
};
/// The same, with the elements of the axis.
struct overlap_dim {
  window_dim window;
  extent size;
  static constexpr int words = window_dim::words + 1;
  static constexpr overlap_dim read(std::int64_t const* a, int axis) {
    a += words * axis;
    return {window_dim::read(a, 0), a[window_dim::words]};
  }
  constexpr void write(std::int64_t* a, int axis) const {
    a += words * axis;
    window.write(a, 0);
    a[window_dim::words] = size;
  }
};

/// A shape as words: how many.
constexpr int write_shape(std::int64_t* a, tensor_type const& t) {
  a[0] = t.rank;
  for (int i = 0; i < t.rank; ++i) a[1 + i] = t.e[i];
  return 1 + t.rank;
}
/// The result's shape, as a reshape has it.
struct shape_words {
  std::int64_t a[max_rank + 1]{};
  int n;
  constexpr explicit shape_words(tensor_type const& to) : n(write_shape(a, to)) {}
  /// Another one of so many axes.
  static constexpr void put(std::int64_t* a, tensor_type const& t) {
    for (int i = 0; i < t.rank; ++i) a[1 + i] = t.e[i];
  }
  /// A type of this shape.
  static constexpr tensor_type read(std::int64_t const* a, dtype d) {
    tensor_type t{d, int(a[0]), {}};
    for (int i = 0; i < t.rank; ++i) t.e[i] = a[1 + i];
    return t;
  }
};

/// A broadcast's result's shape, then for each axis of the operand its place in the result: axis_of(a, k).
struct broadcast_words {
  std::int64_t a[2 * max_rank + 1]{};
  int n;
  constexpr explicit broadcast_words(tensor_type const& to) : n(write_shape(a, to)) {}
  /// The operand's next axis becomes this one of the result.
  constexpr void put(int axis) { a[n++] = axis; }
  static constexpr int axis_of(std::int64_t const* a, int k) { return int(a[1 + a[0] + k]); }
};

/// The axis along which a running sum (recurrence, extreme) walks, and whether it walks backward.
struct walk_dims {
  int axis;
  bool back;
  static constexpr int words = 2;
  static constexpr walk_dims read(std::int64_t const* a) { return {int(a[0]), a[1] != 0}; }
  constexpr void write(std::int64_t* a) const {
    a[0] = axis;
    a[1] = back;
  }
  constexpr walk_dims opposite() const { return {axis, !back}; }
};

/// The axis of x that a gather reads by index (scatter_add: adds to), and how many leading axes x and the index share.
struct gather_dims {
  int axis, n_batch;
  static constexpr gather_dims read(std::int64_t const* a) { return {int(a[0]), int(a[1])}; }
};

}  // namespace etna::ops
