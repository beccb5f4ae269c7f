// SPDX-License-Identifier: BSD-3-Clause
// Movement as strides: which value's memory a value reads, and how. Strides are extents, so a named
// axis has its stride too; they become numbers at the call. Read next: legalize.hpp.
#pragma once
#include "rewriter.hpp"

namespace etna::rewrite {

/// A value as a walk over the row-major memory of another value (or over an index, for iota).
struct view {
  int root;
  bool is_part;     // of the root: not all of its elements in their places
  bool is_windows;  // of the root: some elements several times
  extent offset;
  extent stride[max_rank];
};

using ops::is_movement;
constexpr void row_major(tensor_type const& t, extent* stride) {
  extent s = 1;
  for (int i = t.rank - 1; i >= 0; --i) {
    stride[i] = s;
    s = s >= 0 && t.e[i] >= 0 ? s * t.e[i] : ext::mul(s, t.e[i]);
  }
}
/// The view is the root's own order: strides are row-major on all axes longer than 1.
constexpr bool is_contiguous(view const& v, tensor_type const& t) {
  extent full[max_rank]{};
  row_major(t, full);
  for (int i = 0; i < t.rank; ++i)
    if (t.e[i] != 1 && v.stride[i] != full[i]) return false;
  return true;
}
/// The stride of axes [from, to) as one axis, or ext::invalid.
constexpr extent merged_stride(view const& v, tensor_type const& t, int from, int to) {
  extent stride = 0, next = 0;
  bool any = false;
  for (int i = to - 1; i >= from; --i) {
    if (t.e[i] == 1) continue;
    if (any && v.stride[i] != next) return ext::invalid;
    if (!any) stride = v.stride[i];
    any = true;
    next = ext::mul(v.stride[i], t.e[i]);
  }
  return stride;
}
/// How an index lies: from batch to batch, and from place to place.
struct index_strides {
  extent batch, place;
  constexpr index_strides(view const& v, tensor_type const& t, int n_batch)
      : batch(merged_stride(v, t, 0, n_batch)), place(merged_stride(v, t, n_batch, t.rank)) {}
  constexpr bool ok() const { return batch != ext::invalid && place != ext::invalid; }
};
/// Is there no memory behind it?
constexpr bool is_virtual(graph const& g, view const& v) {
  int op = g.nodes[g.values[v.root].node].op;
  return op == code<ops::full_p> || op == code<ops::iota_p>;
}
/// Axes longer than 1.
constexpr int squeeze(tensor_type const& t, int* axis) {
  int n = 0;
  for (int i = 0; i < t.rank; ++i)
    if (t.e[i] != 1) axis[n++] = i;
  return n;
}
constexpr bool same_squeezed(tensor_type const& a, tensor_type const& b) {
  int x[max_rank]{}, y[max_rank]{};
  int n = squeeze(a, x);
  if (n != squeeze(b, y)) return false;
  for (int i = 0; i < n; ++i)
    if (a.e[x[i]] != b.e[y[i]]) return false;
  return true;
}
/// Can a reshape of this view be said in strides?
constexpr bool reshapes(view const& v, tensor_type const& from, tensor_type const& to) {
  return same_squeezed(from, to) || is_contiguous(v, from);
}

/// A slice as strides: its offset, and false where extents cannot say it.
constexpr bool slices(view const& in, tensor_type const& from, std::int64_t const* attr, extent* offset,
                      extent* stride) {
  extent at = in.offset;
  bool ok = true;
  for (int i = 0; i < from.rank; ++i) {
    auto const [start, size, step] = ops::slice_dim::read(attr, i);
    extent s = from.e[i] == 1 ? 0 : in.stride[i];
    stride[i] = step == 1 ? s : ext::mul(s, ext::number(step));
    if (start != 0) at = ext::add(at, ext::mul(s, start));
    ok = ok && (stride[i] != ext::invalid || step == 1);
  }
  *offset = at;
  return ok && at != ext::invalid;
}

/// Windows as strides: false where extents cannot say them.
constexpr bool windows(view const& in, tensor_type const& from, std::int64_t const* attr, extent* stride) {
  bool ok = true;
  for (int i = 0, at = from.rank; i < from.rank; ++i) {
    ops::window_dim const w = ops::window_dim::read(attr, i);
    stride[i] = in.stride[i];
    if (!w.there()) continue;
    stride[at] = ext::mul(in.stride[i], w.dilation);
    stride[i] = ext::mul(in.stride[i], w.step);
    ok = ok && stride[i] != ext::invalid && stride[at] != ext::invalid;
    ++at;
  }
  return ok;
}

/// Sets the views that the values of node n are, given those of its operands.
constexpr void see(graph const& g, node_info const& n, view* of) {
  tensor_type const& t = g.values[n.value].type;
  view& v = of[n.value];
  ops::form f = ops::table.at[n.op].form;
  if (!is_movement(f) && f != ops::form::windows) {
    v.root = n.value;
    if (n.op == code<ops::iota_p>) v.stride[g.attrs[n.attr]] = 1;  // offset and value are one
    else row_major(t, v.stride);
    for (int k = 1; k < n.results; ++k) {
      of[n.value + k].root = n.value + k;
      row_major(g.values[n.value + k].type, of[n.value + k].stride);
    }
    return;
  }
  int x = g.edges[n.edge];
  view const& in = of[x];
  tensor_type const& from = g.values[x].type;
  std::int64_t const* a = g.attrs + n.attr;
  v.root = in.root;
  v.offset = in.offset;
  v.is_part = in.is_part;
  v.is_windows = in.is_windows;
  if (f == ops::form::slice) {
    slices(in, from, a, &v.offset, v.stride);
    v.is_part = true;
  } else if (f == ops::form::windows) {
    windows(in, from, a, v.stride);
    v.is_part = v.is_windows = true;
  } else if (f == ops::form::transpose)
    for (int i = 0; i < t.rank; ++i) v.stride[i] = in.stride[a[i]];
  else if (f == ops::form::broadcast) {
    for (int i = 0; i < from.rank; ++i)
      if (from.e[i] != 1) v.stride[ops::broadcast_words::axis_of(a, i)] = in.stride[i];
  } else if (same_squeezed(from, t)) {
    int x_axes[max_rank]{}, y_axes[max_rank]{};
    int m = squeeze(from, x_axes);
    squeeze(t, y_axes);
    for (int i = 0; i < m; ++i) v.stride[y_axes[i]] = in.stride[x_axes[i]];
  } else row_major(t, v.stride);
}

/// Axes as loops over memory, the innermost first: as few as strides allow. One that no element walks over is none.
struct axis_loops {
  int n = 0;
  extent elements = 1;
  extent size[max_rank], stride[max_rank];  // of the first n
  constexpr axis_loops(tensor_type const& t, view const& v, int const* axis, int axes) {
    for (int k = axes - 1; k >= 0; --k) {
      extent const e = t.e[axis[k]], s = v.stride[axis[k]];
      if (e == 1) continue;
      elements = n == 0 ? e : ext::mul(elements, e);
      if (n > 0 && s == ext::mul(stride[n - 1], size[n - 1])) size[n - 1] = ext::mul(size[n - 1], e);
      else size[n] = e, stride[n++] = s;
    }
  }
  constexpr extent innermost() const { return n == 0 ? 0 : stride[0]; }
};

/// The axes of one operand of a product, by what they do.
struct product_axes {
  int const *batch, *contract;
  int n_batch, n_contract, n_free;
  int free[max_rank];
  constexpr product_axes(ops::dot_dims const& d, int side, int rank)
      : batch(side ? d.rhs_batch : d.lhs_batch),
        contract(side ? d.rhs_contract : d.lhs_contract),
        n_batch(d.n_batch),
        n_contract(d.n_contract),
        n_free(0),
        free{} {
    n_free = ops::dot::free_axes(rank, batch, n_batch, contract, n_contract, free);
  }
};
/// The loops that they are: batch, free, contracted. Products read an axis of several loops where a copy of it would
/// have elements several times.
struct product_loops {
  static constexpr int most_folds = 4;
  axis_loops batch, free, contract;
  constexpr product_loops(tensor_type const& t, view const& v, product_axes const& a)
      : batch(t, v, a.batch, a.n_batch),
        free(t, v, a.free, a.n_free),
        contract(t, v, a.contract, a.n_contract),
        most_(v.is_windows ? most_folds : 1) {}
  constexpr bool ok() const { return batch.n <= 1 && free.n <= most_ && contract.n <= most_; }
  constexpr bool folds() const { return free.n > 1 || contract.n > 1; }

 private:
  int most_;
};

}  // namespace etna::rewrite
