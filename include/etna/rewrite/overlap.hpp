// SPDX-License-Identifier: BSD-3-Clause
// Windows that are put back and added, as what kernels run. Of a product they are another product: of windows of its
// operand (zeros around it) and its other operand backward. So the gradient of a convolution by its input is a
// convolution, and the product, as large as all windows, is never there. Read next: simplify.hpp.
#pragma once
#include <numeric>

#include "elements.hpp"
#include "pass.hpp"

namespace etna::rewrite::overlap {

using ops::overlap_dim;
using ops::slice_dim;
using ops::update_dim;
using ops::window_dim;
using tracing::var;

/// Elements [at, at + size) of each axis, 0 where there is none.
struct section {
  extent at[max_rank]{}, size[max_rank]{};
};
constexpr var cut(var x, section const& s) {
  tensor_type const from = tracing::type_of(x);
  tensor_type all = from;
  slice_dim read[max_rank]{};
  update_dim place[max_rank]{};
  bool is_part = false, is_padded = false, is_empty = false;
  for (int i = 0; i < from.rank; ++i) {
    place[i] = {0, 1};
    read[i] = {0, from.e[i], 1};
    all.e[i] = s.size[i];
    if (s.at[i] == 0 && s.size[i] == from.e[i]) continue;
    extent const first = std::max<extent>(s.at[i], 0), last = std::min(s.at[i] + s.size[i], from.e[i]);
    read[i] = {first, last - first, 1};
    place[i] = {first - s.at[i], 1};
    is_part = is_part || last - first != from.e[i];
    is_padded = is_padded || last - first != s.size[i];
    is_empty = is_empty || last <= first;
  }
  if (is_empty) return ops::full(x.g, all, 0);
  if (is_part) x = ops::slice(x, read);
  return is_padded ? ops::update(ops::full(x.g, all, 0), x, place) : x;
}

/// The axes of what is put back, as the operands of a rule; of an axis with windows perhaps a part is wanted, from
/// element `at` on.
struct windowed {
  int rank = 0;
  overlap_dim dim[max_rank]{};
  extent at[max_rank]{};
  int elements[max_rank]{};  // which axis has the elements of a window
  bool overlaps = false;
  constexpr windowed(std::int64_t const* attr, int n) : rank(n / overlap_dim::words) {
    for (int i = 0, at = rank; i < rank; ++i) {
      dim[i] = overlap_dim::read(attr, i);
      elements[i] = there(i) ? at++ : -1;
      overlaps = overlaps || (there(i) && window(i).overlap());
    }
  }
  constexpr bool there(int i) const { return dim[i].window.there(); }
  constexpr window_dim const& window(int i) const { return dim[i].window; }
};

/// Windows that do not overlap lie side by side.
constexpr var side_by_side(var x, windowed const& w) {
  tensor_type const from = tracing::type_of(x);
  tensor_type wide = from, joined{from.d, w.rank, {}};
  update_dim place[max_rank]{};
  section all;
  int perm[max_rank]{};
  bool has_gaps = false;
  for (int i = 0; i < from.rank; ++i) place[i] = {0, 1};
  for (int i = 0, n = 0; i < w.rank; ++i) {
    perm[n++] = i;
    joined.e[i] = from.e[i];
    all.size[i] = w.dim[i].size;
    if (!w.there(i)) continue;
    int const k = perm[n++] = w.elements[i];
    window_dim const& d = w.window(i);
    wide.e[k] = d.step;
    place[k] = {0, d.dilation};
    joined.e[i] *= d.step;
    has_gaps = has_gaps || d.step != d.size;
  }
  if (has_gaps) x = ops::update(ops::full(x.g, wide, 0), x, place);
  return cut(ops::reshape(rewriting_of_elements().transposed(x, perm), joined), all);
}
/// The elements of all windows one by one, each to its place.
constexpr var one_by_one(var x, windowed const& w) {
  tensor_type const from = tracing::type_of(x);
  tensor_type whole{from.d, w.rank, {}};
  fixed_axes one;
  update_dim place[max_rank]{};
  extent n = 1;
  for (int i = 0; i < w.rank; ++i) {
    whole.e[i] = w.dim[i].size;
    place[i] = {0, 1};
    if (w.there(i)) n *= w.window(i).size;
  }
  var const none = ops::full(x.g, whole, 0);
  var r = none;
  for (extent k = 0; k < n; ++k) {
    extent rest = k;
    for (int i = w.rank - 1; i >= 0; --i) {
      if (!w.there(i)) continue;
      window_dim const& d = w.window(i);
      extent const q = rest % d.size;
      rest /= d.size;
      one.fixed[w.elements[i]] = true;
      one.at[w.elements[i]] = q;
      place[i] = {q * d.dilation, d.step};
    }
    var const u = ops::update(none, rewriting_of_elements().at(x, one), place);
    r = k == 0 ? u : r + u;
  }
  return r;
}

/// One axis of what is put back at every step-th place from `first` on: the elements of windows that come there, every
/// `stride`-th from `tap` on, are of windows `apart` from each other, the first of them `behind` its place.
struct phase {
  extent tap = 0, taps = 0, stride = 0, apart = 0, behind = 0, places = 0;
  constexpr phase(overlap_dim const& d, extent at, extent first) {
    window_dim const& w = d.window;
    extent const common = std::gcd(w.step, w.dilation), origin = at + first;
    stride = w.step / common;
    apart = w.dilation / common;
    places = d.size <= first ? 0 : (d.size - first - 1) / w.step + 1;
    for (tap = 0; tap < w.size && tap < stride; ++tap)
      if ((w.dilation * tap - origin) % w.step == 0) {
        taps = (w.size - tap - 1) / stride + 1;
        behind = (w.dilation * tap - origin) / w.step;
        return;
      }
  }
};

/// What is put back, as a product: `is` whether it may be one.
class of_product {
 public:
  constexpr of_product(graph& g, int id, windowed const& w) : w_(w), order_(g, id) {
    node_info const& n = g.nodes[g.values[order_.id].node];
    if (ops::table.at[n.op].form != ops::form::contraction) return;
    dims_ = ops::dot_dims::read(g.attrs + n.attr);
    for (int side = 0; side < 2; ++side) x_[side] = {&g, g.edges[n.edge + side]};
    read_axes();
    extent phases = 1;
    int n_windows = 0;
    for (int i = 0; i < w.rank; ++i) {
      if (!w.there(i)) continue;
      axis_of const place = at(i), element = at(w.elements[i]);
      if (place.side == both || element.side == both || place.side == element.side) return;
      if (n_windows++ > 0 && place.side != read_) return;
      read_ = place.side;
      phases *= w.window(i).step;
    }
    extent columns = 1;  // what is left of the other operand
    for (int i = 0; i < w.rank; ++i)
      if (at(i).side == 1 - read_) columns = w.dim[i].size < 0 ? columns : columns * w.dim[i].size;
    is = n_windows > 0 && columns >= least_columns && phases <= most_phases &&
         tracing::type_of(x_[read_]).rank + n_windows <= max_rank;
  }
  bool is = false;

  constexpr var write() const {
    extent first[max_rank]{};
    tensor_type whole{dims_.accumulate, w_.rank, {}};
    bool has_steps = false;
    for (int i = 0; i < w_.rank; ++i) {
      whole.e[i] = w_.dim[i].size;
      has_steps = has_steps || (w_.there(i) && w_.window(i).step != 1);
    }
    if (!has_steps) return part(first);
    var r = ops::full(x_[0].g, whole, 0);
    for (;;) {
      r = with_part(r, first);
      int i = w_.rank - 1;
      for (; i >= 0; --i) {
        if (!w_.there(i)) continue;
        if (++first[i] < w_.window(i).step) break;
        first[i] = 0;
      }
      if (i < 0) return r;
    }
  }

 private:
  static constexpr int both = 2;
  static constexpr extent most_phases = 16, least_columns = 8;  // products; and less fills no vector
  struct axis_of {
    int side, axis;
  };
  windowed const& w_;
  behind_transposes order_;
  ops::dot_dims dims_;
  var x_[2];
  int read_ = 0;              // the operand whose windows are read; the other has their elements
  axis_of axes_[max_rank]{};  // of the product's result

  constexpr axis_of at(int i) const { return axes_[order_.axis[i]]; }
  constexpr int free_axes(int side, int* axis) const {
    bool const left = side == 0;
    return ops::dot::free_axes(tracing::type_of(x_[side]).rank, left ? dims_.lhs_batch : dims_.rhs_batch, dims_.n_batch,
                               left ? dims_.lhs_contract : dims_.rhs_contract, dims_.n_contract, axis);
  }
  constexpr void read_axes() {
    int n = 0;
    for (; n < dims_.n_batch; ++n) axes_[n] = {both, n};
    for (int side = 0; side < 2; ++side) {
      int axis[max_rank]{};
      int const m = free_axes(side, axis);
      for (int k = 0; k < m; ++k) axes_[n++] = {side, axis[k]};
    }
  }
  constexpr var with_part(var r, extent const* first) const {
    update_dim place[max_rank]{};
    for (int i = 0; i < w_.rank; ++i) {
      place[i] = {0, 1};
      if (!w_.there(i)) continue;
      place[i] = {first[i], w_.window(i).step};
      phase const p(w_.dim[i], w_.at[i], first[i]);
      if (p.taps == 0 || p.places == 0) return r;
    }
    return ops::update(r, part(first), place);
  }
  /// Each step-th place from `first` on.
  constexpr var part(extent const* first) const {
    int const turned = 1 - read_;
    tensor_type const x = tracing::type_of(x_[read_]), k = tracing::type_of(x_[turned]);
    section around;
    window_dim windows[max_rank]{};
    slice_dim backward[max_rank]{};
    for (int i = 0; i < x.rank; ++i) around.size[i] = x.e[i];
    for (int i = 0; i < k.rank; ++i) backward[i] = {0, k.e[i], 1};
    int element_of[max_rank]{};  // by axis of x: of k
    for (int i = 0; i < w_.rank; ++i) {
      if (!w_.there(i)) continue;
      phase const p(w_.dim[i], w_.at[i], first[i]);
      int const axis = at(i).axis, element = at(w_.elements[i]).axis;
      extent const before = (p.taps - 1) * p.apart;
      around.at[axis] = -(p.behind + before);
      around.size[axis] = p.places + before;
      windows[axis] = {p.taps, 1, p.apart};
      backward[element] = {p.tap + (p.taps - 1) * p.stride, p.taps, -p.stride};
      element_of[axis] = element;
    }
    var in[2]{};
    in[read_] = ops::windows(cut(x_[read_], around), windows);
    in[turned] = ops::slice(x_[turned], backward);
    // The windows' elements are summed over first: what lies together in memory comes last.
    ops::dot_dims d = dims_;
    int n = 0;
    auto const sum_over = [&](int of_windows, int of_other) {
      (read_ == 0 ? d.lhs_contract : d.rhs_contract)[n] = of_windows;
      (read_ == 0 ? d.rhs_contract : d.lhs_contract)[n++] = of_other;
    };
    for (int i = 0, at = x.rank; i < x.rank; ++i)
      if (windows[i].there()) sum_over(at++, element_of[i]);
    for (int i = 0; i < dims_.n_contract; ++i)
      sum_over((read_ == 0 ? dims_.lhs_contract : dims_.rhs_contract)[i],
               (read_ == 0 ? dims_.rhs_contract : dims_.lhs_contract)[i]);
    d.n_contract = n;
    // Its axes: those of the product without the windows' elements.
    int perm[max_rank]{};
    for (int i = 0; i < w_.rank; ++i) {
      int to = 0;
      for (int j = 0; j < order_.axis[i]; ++j) to += !is_element(axes_[j]);
      perm[i] = to;
    }
    return ops::transpose(ops::dot_general(in[0], in[1], d), perm);
  }
  constexpr bool is_element(axis_of const& a) const {
    for (int i = 0; i < w_.rank; ++i)
      if (w_.there(i) && at(w_.elements[i]).side == a.side && at(w_.elements[i]).axis == a.axis) return true;
    return false;
  }
};

constexpr bool applies(graph const&, node_info const& n) {
  return ops::table.at[n.op].form == ops::form::overlap && n.level == 0;
}
/// The rule of the pass. Of what is put back of a product, and read in part (around it there was padding), that part.
class rule {
 public:
  /// node, operand   by new value, zeros
  constexpr rule(int* node, int* operand) : node_(node), operand_(operand) {}

  constexpr int operator()(writer& w, graph const& from, node_info const& n, int* in) {
    if (ops::table.at[n.op].form == ops::form::slice && n.level == 0)
      if (int const part = part_of(w, from, n, in[0]); part >= 0) return part;
    if (!applies(from, n)) return keep(w, from, n, in);
    windowed const dims(from.attrs + n.attr, n.attrs);
    var const x{&w.to, in[0]};
    if (!dims.overlaps) return side_by_side(x, dims).id;
    of_product const product(w.to, in[0], dims);
    if (!product.is) return one_by_one(x, dims).id;
    int const r = product.write().id;
    node_[r] = int(&n - from.nodes) + 1;
    operand_[r] = in[0];
    return r;
  }

 private:
  int* node_;     // which equation it was, + 1
  int* operand_;  // of what

  constexpr int part_of(writer& w, graph const& from, node_info const& slice, int of) const {
    if (of < 0 || node_[of] == 0) return -1;
    node_info const& n = from.nodes[node_[of] - 1];
    windowed dims(from.attrs + n.attr, n.attrs);
    for (int i = 0; i < dims.rank; ++i) {
      slice_dim const s = slice_dim::read(from.attrs + slice.attr, i);
      if (s.step != 1 || s.size < 1 || (!dims.there(i) && s.size != dims.dim[i].size)) return -1;
      dims.at[i] = s.start;
      dims.dim[i].size = s.size;
    }
    of_product const product(w.to, operand_[of], dims);
    return product.is ? product.write().id : -1;
  }
};

/// The pass.
constexpr bool pass(subject& s, graph& to, int* outputs) {
  tracing::zeros<int> node, operand;
  return rewrite_where(s, to, outputs, applies, rule(node.at, operand.at));
}

}  // namespace etna::rewrite::overlap
