// SPDX-License-Identifier: BSD-3-Clause
// A value for some places of its axes only, or with its axes in another order, computed so from what it is made of: an
// elementwise value of windows at one of their elements is one of slices. Read next: overlap.hpp.
#pragma once
#include "rewriter.hpp"

namespace etna::rewrite {

/// Which places of a value are asked for: of an axis that is `fixed` place `at`; the axis is gone then.
struct fixed_axes {
  bool fixed[max_rank]{};
  extent at[max_rank]{};
  constexpr bool any(int rank) const {
    for (int i = 0; i < rank; ++i)
      if (fixed[i]) return true;
    return false;
  }
  /// Where axis i stands among those that stay.
  constexpr int place(int i) const {
    int n = 0;
    for (int k = 0; k < i; ++k) n += !fixed[k];
    return n;
  }
  constexpr tensor_type rest(tensor_type const& t) const {
    tensor_type r{t.d, 0, {}};
    for (int i = 0; i < t.rank; ++i)
      if (!fixed[i]) r.e[r.rank++] = t.e[i];
    return r;
  }
};

/// Writes values anew: at fixed places, and transposed. What is no elementwise value of others is sliced, or seen
/// transposed.
class rewriting_of_elements {
  // The equation of a value; the pool that has its attributes may grow.
  struct equation {
    graph* g;
    node_info n;
    std::int64_t attr[4 * max_rank + 4]{};
    constexpr explicit equation(tracing::var x) : g(x.g), n(g->nodes[g->values[x.id].node]) {
      for (int i = 0; i < n.attrs && i < 4 * max_rank + 4; ++i) attr[i] = g->attrs[n.attr + i];
    }
    constexpr tracing::var operand(int k) const { return {g, g->edges[n.edge + k]}; }
    /// The same of each operand's f.
    template <class F> constexpr tracing::var again(F const& f) const {
      tracing::var in[tracing::max_operands]{};
      for (int k = 0; k < n.operands; ++k) in[k] = f(operand(k));
      return tracing::emit(n.op, in, n.operands, attr, n.attrs);
    }
  };

 public:
  constexpr tracing::var at(tracing::var x, fixed_axes const& f) {
    using namespace ops;
    tensor_type const t = tracing::type_of(x), to = f.rest(t);
    if (!f.any(t.rank)) return x;
    equation const e(x);
    std::int64_t const* const attr = e.attr;
    if (e.n.results == 1 && left_ > 0) switch (ops::table.at[e.n.op].form) {
        case form::source:
          if (e.n.op == code<full_p>) return full_of(x.g, to, attr[0]);
          if (e.n.op != code<iota_p>) break;
          if (int const axis = int(attr[0]); f.fixed[axis]) return full(x.g, to, double(f.at[axis]));
          else return iota(x.g, to, f.place(axis));
        case form::pointwise:
        case form::convert: --left_; return e.again([&](tracing::var y) { return at(y, f); });
        case form::transpose: {
          fixed_axes inner;
          int perm[max_rank]{};
          for (int i = 0; i < t.rank; ++i) {
            inner.fixed[attr[i]] = f.fixed[i];
            inner.at[attr[i]] = f.at[i];
          }
          for (int i = 0; i < t.rank; ++i)
            if (!f.fixed[i]) perm[f.place(i)] = inner.place(int(attr[i]));
          return ops::transpose(at(e.operand(0), inner), perm);
        }
        case form::broadcast: {
          tracing::var const y = e.operand(0);
          tensor_type const from = tracing::type_of(y);
          fixed_axes inner;
          int dims[max_rank]{};
          for (int k = 0; k < from.rank; ++k) {
            int const axis = broadcast_words::axis_of(attr, k);
            inner.fixed[k] = f.fixed[axis];
            inner.at[k] = from.e[k] == 1 ? 0 : f.at[axis];
          }
          for (int k = 0; k < from.rank; ++k)
            if (!inner.fixed[k]) dims[inner.place(k)] = f.place(broadcast_words::axis_of(attr, k));
          tracing::var const r = at(y, inner);
          return to.rank == tracing::type_of(r).rank && to.same_shape(tracing::type_of(r)) ? r : broadcast(r, to, dims);
        }
        case form::windows:
          if (tracing::var const r = of_windows(e.operand(0), attr, t, f); r.g) return r;
          break;
        default: break;
      }
    return sliced(x, f, to);
  }
  /// x with its axes in the order `perm`.
  constexpr tracing::var transposed(tracing::var x, int const* perm) {
    using namespace ops;
    tensor_type const t = tracing::type_of(x);
    equation const e(x);
    std::int64_t const* const attr = e.attr;
    tensor_type to = t;
    int place[max_rank]{};
    for (int i = 0; i < t.rank; ++i) {
      to.e[i] = t.e[perm[i]];
      place[perm[i]] = i;
    }
    if (e.n.results == 1 && left_ > 0) switch (ops::table.at[e.n.op].form) {
        case form::source:
          if (e.n.op == code<full_p>) return full_of(x.g, to, attr[0]);
          if (e.n.op == code<iota_p>) return iota(x.g, to, place[attr[0]]);
          break;
        case form::pointwise:
        case form::convert: --left_; return e.again([&](tracing::var y) { return transposed(y, perm); });
        case form::transpose: {
          int both[max_rank]{};
          for (int i = 0; i < t.rank; ++i) both[i] = int(attr[perm[i]]);
          return transposed(e.operand(0), both);
        }
        case form::broadcast: {
          tracing::var const y = e.operand(0);
          int dims[max_rank]{};
          int const rank = tracing::type_of(y).rank;
          bool ascends = true;
          for (int k = 0; k < rank; ++k) {
            dims[k] = place[broadcast_words::axis_of(attr, k)];
            ascends = ascends && (k == 0 || dims[k] > dims[k - 1]);
          }
          if (ascends) return broadcast(y, to, dims);
          break;
        }
        default: break;
      }
    return ops::transpose(x, perm);
  }

 private:
  int left_ = 24;  // equations that may be written: what would take more is sliced as a whole

  static constexpr tracing::var sliced(tracing::var x, fixed_axes const& f, tensor_type const& to) {
    tensor_type const t = tracing::type_of(x);
    ops::slice_dim one[max_rank]{};
    for (int i = 0; i < t.rank; ++i) one[i] = f.fixed[i] ? ops::slice_dim{f.at[i], 1, 1} : ops::slice_dim{0, t.e[i], 1};
    return ops::reshape(ops::slice(x, one), to);
  }
  // One element of each window of y: a slice. Where other axes are fixed, or not all of a window's, nothing.
  static constexpr tracing::var of_windows(tracing::var y, std::int64_t const* attr, tensor_type const& t,
                                           fixed_axes const& f) {
    tensor_type const from = tracing::type_of(y);
    ops::slice_dim block[max_rank]{};
    for (int i = 0, element = from.rank; i < from.rank; ++i) {
      ops::window_dim const w = ops::window_dim::read(attr, i);
      if (f.fixed[i] || (w.there() && !f.fixed[element])) return {};
      block[i] = w.there() ? ops::slice_dim{f.at[element] * w.dilation, t.e[i], w.step} : ops::slice_dim{0, t.e[i], 1};
      element += w.there();
    }
    return ops::slice(y, block);
  }
};

}  // namespace etna::rewrite
