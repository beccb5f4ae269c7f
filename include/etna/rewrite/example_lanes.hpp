// SPDX-License-Identifier: BSD-3-Clause
// A batch of small computations, as vmap makes them of a function of vectors and small matrices, is one kernel: its
// equations are written anew for each element of the small axes, as equations of arrays along the large ones. So
// products, sums, joins, slices and transposes over small axes are arithmetic in registers, with an example in each
// lane, where they would each be a pass over memory. Read next: thin.hpp.
#pragma once
#include "lane_regions.hpp"
#include "simplify.hpp"

namespace etna::rewrite::lanes {

/// The rule of the pass.
class expander {
 public:
  constexpr expander(graph const& from, regions const& r) : from_(from), r_(r) {}

  constexpr int operator()(writer& w, graph const& from, node_info const& n, int* in) {
    int const i = int(&n - from.nodes);
    if (!r_.has(i)) return keep(w, from, n, in);
    w_ = &w;
    tensor_type const t = from.values[n.value].type;
    parted const y(t);
    for (int k = 0; k < n.results; ++k) {
      base_.at[n.value + k] = used_ + 1;
      used_ += int(y.elements);
    }
    expand(n, in, t, y);
    if (n.results == most_results) return joined_results(n, t, y);
    if (!r_.is_wanted(n.value)) return element(n.value, 0);
    using ops::form;
    form const f = ops::table.at[n.op].form;
    bool const is_view = is_movement(f),
               is_there = n.operands == 0 || (is_view && !base_.at[from.edges[n.edge]] && !r_.turns(i));
    return is_there ? keep(w, from, n, in) : joined(n.value, t, y);
  }

 private:
  static constexpr int room = 4 * tracing::most_nodes;
  graph const& from_;
  regions const& r_;
  writer* w_ = nullptr;
  int used_ = 0;
  tracing::zeros<int> base_;           // by value: where its elements begin + 1
  tracing::zeros<int, room> element_;  // values of the new graph

  constexpr int element(int id, extent k) const { return element_.at[base_.at[id] - 1 + int(k)]; }
  constexpr void set(int id, extent k, int x) { element_.at[base_.at[id] - 1 + int(k)] = x; }
  constexpr int write(int op, int const* in, int n, std::int64_t const* attr, int n_attr, tensor_type const& t) const {
    return w_->write(op, in, n, attr, n_attr, &t, 1);
  }
  constexpr int number(tensor_type const& t, double v) const {
    std::int64_t const bits = to_bits(t.d, v);
    return write(code<ops::full_p>, nullptr, 0, &bits, 1, t);
  }
  /// An equation of elements, as `simplify` would leave it: so a Jacobian's zeros are zeros where they are read.
  constexpr int simplest(int op, int const* in, int n, std::int64_t const* attr, int n_attr,
                         tensor_type const& t) const {
    int const r = elementwise(term(*w_, op, in, n, attr, n_attr, t));
    return r < 0 ? write(op, in, n, attr, n_attr, t) : r;
  }
  constexpr int two(int op, int x, int y, tensor_type const& t) const {
    int const in[] = {x, y};
    return simplest(op, in, 2, nullptr, 0, t);
  }
  /// x[..., :, ...]: of the small axes the places of element k; the large ones stay.
  constexpr int slice_of(int x, tensor_type const& t, parted const& y, extent k) const {
    if (y.batch.rank == t.rank) return x;
    tensor_type one = t;
    ops::slice_dim block[max_rank]{};
    bool is_whole = true;
    for (int i = 0; i < t.rank; ++i) {
      bool const small = y.large[i] < 0;
      if (small) one.e[i] = 1;
      block[i] = small ? ops::slice_dim{y.at(k, i, t), 1, 1} : ops::slice_dim{0, t.e[i], 1};
      is_whole = is_whole && one.e[i] == t.e[i];
    }
    ops::dims_as_words const attr(block, t.rank);
    if (!is_whole) x = write(code<ops::slice_p>, &x, 1, attr.a, attr.n, one);
    return reshaped(*w_, x, y.batch);
  }
  /// Element k of operand `id`, which is `now` as an array, if it is one.
  constexpr int part(int id, int now, extent k) {
    if (base_.at[id]) return element(id, k);
    tensor_type const t = from_.values[id].type;
    return slice_of(now, t, parted(t), k);
  }
  /// An element as it meets each one of the batch `to`; its k-th axis is axis to_axis[k] there.
  constexpr int spread_over(int x, tensor_type const& to, int const* to_axis) const {
    tensor_type const t = w_->to.values[x].type;
    if (node_info const& n = w_->to.nodes[w_->to.values[x].node]; n.op == code<ops::full_p>)
      return write(n.op, nullptr, 0, w_->to.attrs + n.attr, 1, to.with(t.d));
    std::int64_t perm[max_rank]{};
    int at[max_rank]{}, m = 0;
    for (int a = 0; a < to.rank; ++a)
      for (int k = 0; k < t.rank; ++k)
        if (to_axis[k] == a) at[m] = a, perm[m++] = k;
    return spread(*w_, x, perm, 0, at, to.with(t.d));
  }
  /// The array of what is written out.
  constexpr int joined(int id, tensor_type const& t, parted const& y) const {
    if (y.elements == 1) return reshaped(*w_, element(id, 0), t);
    bool same = true;
    for (extent k = 1; k < y.elements; ++k) same = same && element(id, k) == element(id, 0);
    if (same) {
      ops::broadcast_words to(t);
      for (int i = 0; i < t.rank; ++i)
        if (y.large[i] >= 0) to.put(i);
      int const x = element(id, 0);
      return write(code<ops::broadcast_p>, &x, 1, to.a, to.n, t);
    }
    tensor_type piece = t;
    for (int i = 0; i < t.rank; ++i)
      if (y.large[i] < 0) piece.e[i] = 1;
    int r = number(t, 0);
    for (extent k = 0; k < y.elements; ++k) {
      std::int64_t attr[ops::update_dim::words * max_rank]{};
      for (int i = 0; i < t.rank; ++i) ops::update_dim{y.large[i] < 0 ? y.at(k, i, t) : 0, 1}.write(attr, i);
      int const in[] = {r, reshaped(*w_, element(id, k), piece)};
      r = write(code<ops::update_p>, in, 2, attr, ops::update_dim::words * t.rank, t);
    }
    return r;
  }

  /// Of an equation with several results: the arrays of those that are wanted, one behind the other.
  constexpr int joined_results(node_info const& n, tensor_type const& t, parted const& y) const {
    int result[most_results]{}, first = 0;
    bool wanted = false;
    for (int k = 0; k < n.results; ++k) {
      int const id = n.value + k;
      wanted = wanted || r_.is_wanted(id);
      result[k] = r_.is_wanted(id) ? joined(id, t.with(from_.values[id].type.d), y) : element(id, 0);
    }
    if (!wanted) return element(n.value, 0);
    for (int k = 0; k < n.results; ++k) {
      int const now = w_->write_new(code<ops::copy_p>, result[k], w_->to.values[result[k]].type);
      if (k == 0) first = now;
    }
    return first;
  }

  constexpr void expand(node_info const& n, int const* in, tensor_type const& t, parted const& y) {
    using ops::form;
    if (n.operands == 0) return source(n, t, y);
    switch (ops::table.at[n.op].form) {
      case form::pointwise:
      case form::convert:
        for (extent k = 0; k < y.elements; ++k) {
          int operands[3]{};
          for (int o = 0; o < n.operands; ++o) operands[o] = part(from_.edges[n.edge + o], in[o], k);
          set(n.value, k, simplest(n.op, operands, n.operands, from_.attrs + n.attr, n.attrs, y.batch));
        }
        return;
      case form::reshape:
        for (extent k = 0; k < y.elements; ++k) set(n.value, k, part(from_.edges[n.edge], in[0], k));
        return;
      case form::broadcast:
      case form::transpose: return moved(n, in[0], t, y);
      case form::slice: return slice(n, in[0], t, y);
      case form::reduction: return reduce(n, in[0], y);
      case form::arg_reduction: return best(n, in[0], y);
      case form::contraction: return contract(n, in, t, y);
      case form::gather: return gather(n, in, t, y);
      case form::scatter: return scatter(n, in, t, y);
      default: return is_running(n.op) ? running(n, in, t, y) : update(n, in, t, y);
    }
  }
  /// To each element along the axis comes the one before it, or behind it, times what the recurrence has for it.
  constexpr void running(node_info const& n, int const* in, tensor_type const& t, parted const& y) {
    int const *ids = from_.edges + n.edge, last = n.operands - 1;
    ops::walk_dims const along = ops::walk_dims::read(from_.attrs + n.attr);
    extent const step = y.stride[along.axis], end = t.e[along.axis] - 1;
    for (extent i = 0; i < y.elements; ++i) {
      extent const k = along.back ? y.elements - 1 - i : i;
      int now = part(ids[last], in[last], k);
      if (y.at(k, along.axis, t) != (along.back ? end : 0)) {
        int before = element(n.value, along.back ? k + step : k - step);
        if (last > 0) before = two(code<ops::mul_p>, part(ids[0], in[0], k), before, y.batch);
        now = two(code<ops::add_p>, before, now, y.batch);
      }
      set(n.value, k, now);
    }
  }
  constexpr void source(node_info const& n, tensor_type const& t, parted const& y) {
    std::int64_t const* a = from_.attrs + n.attr;
    bool const is_ramp = n.op == code<ops::iota_p>, is_table = n.op == code<ops::literal_p>;
    int const axis = is_ramp ? int(a[0]) : 0;
    std::int64_t const along = is_ramp ? y.large[axis] : 0;
    for (extent k = 0; k < y.elements; ++k)
      set(n.value, k,
          !is_ramp     ? write(code<ops::full_p>, nullptr, 0, is_table ? a + k : a, 1, y.batch)
          : along >= 0 ? write(n.op, nullptr, 0, &along, 1, y.batch)
                       : number(y.batch, double(y.at(k, axis, t))));
  }
  /// Broadcasts and transposes: axis i of the one that has more of them, or as many, is an axis of the other.
  constexpr void moved(node_info const& n, int in, tensor_type const& t, parted const& y) {
    int const id = from_.edges[n.edge];
    std::int64_t const* a = from_.attrs + n.attr;
    tensor_type const from = from_.values[id].type;
    parted const x(from);
    bool const turns = ops::table.at[n.op].form == ops::form::transpose;
    int place[max_rank]{}, to_axis[max_rank]{};  // of the operand's axes: in the result, and of large ones in its batch
    for (int i = 0; i < from.rank; ++i)
      if (turns) place[a[i]] = i;
      else place[i] = ops::broadcast_words::axis_of(a, i);
    for (int i = 0; i < from.rank; ++i)
      if (x.large[i] >= 0) to_axis[x.large[i]] = y.large[place[i]];
    for (extent k = 0; k < y.elements; ++k) {
      extent of = 0;
      for (int i = 0; i < from.rank; ++i)
        if (x.large[i] < 0 && from.e[i] > 1) of += y.at(k, place[i], t) * x.stride[i];
      set(n.value, k, spread_over(part(id, in, of), y.batch, to_axis));
    }
  }
  constexpr void slice(node_info const& n, int in, tensor_type const& t, parted const& y) {
    int const id = from_.edges[n.edge];
    std::int64_t const* a = from_.attrs + n.attr;
    tensor_type const from = from_.values[id].type;
    parted const x(from);
    ops::slice_dim block[max_rank]{};  // along large axes
    bool is_whole = true;
    for (int i = 0; i < t.rank; ++i) {
      if (y.large[i] < 0) continue;
      ops::slice_dim const s = block[y.large[i]] = ops::slice_dim::read(a, i);
      is_whole = is_whole && s.start == 0 && s.step == 1 && from.e[i] == t.e[i];
    }
    ops::dims_as_words const attr(block, y.batch.rank);
    for (extent k = 0; k < y.elements; ++k) {
      extent of = 0;
      for (int i = 0; i < t.rank; ++i) {
        ops::slice_dim const s = ops::slice_dim::read(a, i);
        if (y.large[i] < 0) of += (s.start + y.at(k, i, t) * s.step) * x.stride[i];
      }
      int e = part(id, in, of);
      if (!is_whole) e = write(n.op, &e, 1, attr.a, attr.n, y.batch);
      set(n.value, k, e);
    }
  }
  /// Along small axes elements are combined, and along large ones what comes of it is reduced.
  constexpr void reduce(node_info const& n, int in, parted const& y) {
    int const id = from_.edges[n.edge];
    tensor_type const from = from_.values[id].type;
    parted const x(from);
    extent stride[max_rank]{};  // in the result, of the operand's axes
    std::int64_t axes[max_rank]{};
    int n_axes = 0;
    for (int i = 0, o = 0; i < from.rank; ++i) {
      bool gone = false;
      for (int j = 0; j < n.attrs; ++j) gone = gone || from_.attrs[n.attr + j] == i;
      if (!gone) stride[i] = y.stride[o++];
      else if (x.large[i] >= 0) axes[n_axes++] = x.large[i];
    }
    for (extent k = 0; k < y.elements; ++k) set(n.value, k, -1);
    for (extent k = 0; k < x.elements; ++k) {
      extent of = 0;
      for (int i = 0; i < from.rank; ++i)
        if (x.large[i] < 0) of += x.at(k, i, from) * stride[i];
      int const now = part(id, in, k), before = element(n.value, of);
      set(n.value, of, before < 0 ? now : two(unroll::combines(n.op), before, now, x.batch));
    }
    for (extent k = 0; k < y.elements && n_axes > 0; ++k) {
      int const e = element(n.value, k);
      set(n.value, k, write(n.op, &e, 1, axes, n_axes, y.batch));
    }
  }
  /// The first of the best elements along a small axis, and where it stands: where the best so far changes. NaN is
  /// better than numbers, and is no longer equal to itself then.
  constexpr void best(node_info const& n, int in, parted const& y) {
    int const id = from_.edges[n.edge], axis = int(from_.attrs[n.attr]);
    tensor_type const from = from_.values[id].type, flag = y.batch.with(dtype::boolean),
                      place = y.batch.with(dtype::i32);
    parted const x(from);
    extent const inner = x.stride[axis], run = inner * from.e[axis];
    for (extent k = 0; k < y.elements; ++k) {
      extent const first = k / inner * run + k % inner;
      int best = part(id, in, first), so_far = best, at = number(place, 0);
      for (extent j = 1; j < from.e[axis]; ++j) {
        int const other = part(id, in, first + j * inner), before = so_far;
        so_far = two(unroll::combines(n.op), before, other, y.batch);
        int wins = two(code<ops::ne_p>, so_far, before, flag);
        if (is_floating(from.d))
          wins = two(code<ops::logical_and_p>, wins, two(code<ops::eq_p>, before, before, flag), flag);
        best = chosen(wins, other, best, y.batch);
        at = chosen(wins, number(place, double(j)), at, place);
      }
      set(n.value, k, best);
      set(n.value + 1, k, at);
    }
  }
  constexpr int chosen(int which, int x, int y, tensor_type const& t) const {
    int const in[] = {which, x, y};
    return simplest(code<ops::select_p>, in, 3, nullptr, 0, t);
  }
  constexpr void update(node_info const& n, int const* in, tensor_type const& t, parted const& y) {
    int const *ids = from_.edges + n.edge, id = ids[1];
    std::int64_t const* a = from_.attrs + n.attr;
    tensor_type const u = from_.values[id].type;
    parted const z(u);
    for (extent k = 0; k < y.elements; ++k) set(n.value, k, part(ids[0], in[0], k));
    for (extent k = 0; k < z.elements; ++k) {
      extent to = 0;
      for (int i = 0; i < t.rank; ++i) {
        ops::update_dim const s = ops::update_dim::read(a, i);
        if (y.large[i] < 0) to += (s.start + z.at(k, i, u) * s.step) * y.stride[i];
      }
      set(n.value, to, part(id, in[1], k));
    }
  }
  /// Of a gather's result, or of what a scatter adds, which has type t and its parts in y: element k comes from element
  /// `of` of the source, but for the picked axis, and is picked by element `by` of the index.
  struct picked_element {
    extent of = 0, by = 0;
    constexpr picked_element(ops::gather_dims const& d, tensor_type const& t, parted const& y, extent k,
                             parted const& x, tensor_type const& index, parted const& z) {
      for (int i = 0; i < t.rank; ++i) {
        if (y.large[i] >= 0) continue;
        gathered_axis const a(d, index.rank - d.n_batch, i);
        if (a.source >= 0) of += y.at(k, i, t) * x.stride[a.source];
        if (a.index >= 0) by += y.at(k, i, t) * z.stride[a.index];
      }
    }
  };
  constexpr void gather(node_info const& n, int const* in, tensor_type const& t, parted const& y) {
    int const* ids = from_.edges + n.edge;
    tensor_type const from = from_.values[ids[0]].type, index = from_.values[ids[1]].type;
    parted const x(from), z(index);
    ops::gather_dims const d = ops::gather_dims::read(from_.attrs + n.attr);
    bool const is_known = x.large[d.axis] < 0;
    known_places const places(from_, ids[1], is_known ? from.e[d.axis] : 0);
    int large_batch = 0;
    for (int i = 0; i < d.n_batch; ++i) large_batch += x.large[i] >= 0;
    std::int64_t const attr[] = {x.large[d.axis], large_batch};
    for (extent k = 0; k < y.elements; ++k) {
      picked_element const e(d, t, y, k, x, index, z);
      if (is_known) {
        set(n.value, k, part(ids[0], in[0], e.of + places.at[e.by] * x.stride[d.axis]));
        continue;
      }
      int const operands[] = {part(ids[0], in[0], e.of), part(ids[1], in[1], e.by)};
      set(n.value, k, write(n.op, operands, 2, attr, 2, y.batch));
    }
  }
  /// Elements are added one after the other, each to where it belongs.
  constexpr void scatter(node_info const& n, int const* in, tensor_type const& t, parted const& y) {
    int const* ids = from_.edges + n.edge;
    tensor_type const index = from_.values[ids[1]].type, added = from_.values[ids[2]].type;
    parted const z(index), u(added);
    ops::gather_dims const d = ops::gather_dims::read(from_.attrs + n.attr);
    known_places const places(from_, ids[1], t.e[d.axis]);
    for (extent k = 0; k < y.elements; ++k) set(n.value, k, part(ids[0], in[0], k));
    for (extent k = 0; k < u.elements; ++k) {
      picked_element const e(d, added, u, k, y, index, z);
      extent const to = e.of + places.at[e.by] * y.stride[d.axis];
      set(n.value, to, two(code<ops::add_p>, element(n.value, to), part(ids[2], in[2], k), y.batch));
    }
  }
  /// In a derivative a factor that is 0 while compiling leaves its products out: a Jacobian's zeros are zeros. In the
  /// program's own equations 0 times infinity is NaN.
  constexpr void contract(node_info const& n, int const* in, tensor_type const& t, parted const& y) {
    int const* ids = from_.edges + n.edge;
    ops::dot_dims const d = ops::dot_dims::read(from_.attrs + n.attr);
    struct side {
      tensor_type t;
      parted p;
      extent stride[max_rank]{};  // of the result's axes, among its elements
      int to_axis[max_rank]{};
      constexpr explicit side(tensor_type const& t) : t(t), p(t) {}
    };
    side sides[] = {side(from_.values[ids[0]].type), side(from_.values[ids[1]].type)};
    extent terms = 1;
    for (int c = 0; c < d.n_contract; ++c) terms *= sides[0].t.e[d.lhs_contract[c]];
    int axis = d.n_batch;
    for (int s = 0; s < 2; ++s) {
      side& x = sides[s];
      product_axes const of(d, s, x.t.rank);
      auto is = [&](int from, int to) {
        if (x.p.large[from] >= 0) x.to_axis[x.p.large[from]] = y.large[to];
        else x.stride[to] = x.p.stride[from];
      };
      for (int b = 0; b < d.n_batch; ++b) is(of.batch[b], b);
      for (int f = 0; f < of.n_free; ++f) is(of.free[f], axis++);
    }
    int const zero = number(y.batch, 0);
    for (extent k = 0; k < y.elements; ++k) {
      int total = -1;
      for (extent c = 0; c < terms; ++c) {
        int factor[2]{};
        for (int s = 0; s < 2; ++s) {
          side const& x = sides[s];
          extent of = 0, rest = c;
          for (int i = d.n_contract - 1; i >= 0; --i) {
            int const from = (s ? d.rhs_contract : d.lhs_contract)[i];
            of += rest % x.t.e[from] * x.p.stride[from];
            rest /= x.t.e[from];
          }
          for (int i = 0; i < t.rank; ++i)
            if (y.large[i] < 0) of += y.at(k, i, t) * x.stride[i];
          int e = spread_over(part(ids[s], in[s], of), y.batch, x.to_axis);
          std::int64_t const to = std::int64_t(t.d);
          if (x.t.d != t.d) e = write(code<ops::convert_p>, &e, 1, &to, 1, y.batch);
          factor[s] = e;
        }
        if (w_->to.derived && (factor[0] == zero || factor[1] == zero)) continue;
        int const product = two(code<ops::mul_p>, factor[0], factor[1], y.batch);
        total = total < 0 ? product : two(code<ops::add_p>, total, product, y.batch);
      }
      set(n.value, k, total < 0 ? zero : total);
    }
  }
};

/// Of each long part that was written, by the equation that stands for it: the operations of elements that are read.
///
/// part   by new equation: that equation's number + 1, or 0
constexpr void count_written(graph const& to, int const* outputs, int n_out, int const* part, int* counted) {
  tracing::zeros<bool> read;
  for (int k = 0; k < n_out; ++k) read.at[outputs[k]] = true;
  for (int i = to.n_nodes - 1; i >= 0; --i) {
    node_info const& n = to.nodes[i];
    bool wanted = n.effect != 0;
    for (int k = 0; k < n.results; ++k) wanted = wanted || read.at[n.value + k];
    if (!wanted) continue;
    for (int k = 0; k < n.operands; ++k) read.at[to.edges[n.edge + k]] = true;
    ops::form const f = ops::table.at[n.op].form;
    if (part[i] > 0 && (f == ops::form::pointwise || f == ops::form::convert)) ++counted[part[i] - 1];
  }
}
/// Write it; `part` as above. Are there long parts?
constexpr bool write(subject& s, regions const& r, graph& to, int* outputs, int* part) {
  expander rule(*s.g, r);
  bool any = false;
  auto const each = [&](writer& w, graph const& g, node_info const& n, int* in) {
    int const i = int(&n - g.nodes), before = w.to.n_nodes;
    int const result = rule(w, g, n, in);
    for (int k = before; k < w.to.n_nodes; ++k) part[k] = r.is_long(i) ? r.first(i) + 1 : 0;
    any = any || r.is_long(i);
    return result;
  };
  rewrite(*s.g, to, s.outputs, s.n_out, outputs, each, no_more, r.written());
  return any;
}

/// The pass.
constexpr bool pass(subject& s, graph& to, int* outputs) {
  regions r(*s.g, s.outputs, s.n_out);
  if (!r.any()) return false;
  tracing::zeros<int> part, counted;
  if (!write(s, r, to, outputs, part.at)) return true;
  count_written(to, outputs, s.n_out, part.at, counted.at);
  if (!r.leave_out_long(counted.at)) return true;
  tracing::forget(to);
  if (!r.any()) return false;
  write(s, r, to, outputs, part.at);
  return true;
}

}  // namespace etna::rewrite::lanes
