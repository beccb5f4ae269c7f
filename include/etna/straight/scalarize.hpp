// SPDX-License-Identifier: BSD-3-Clause
// A graph of small arrays written anew as equations of single numbers: loops are unrolled, movement is gone,
// and what is constant while compiling (the zeros of a Jacobian's seed) is folded. Read next: scalars.hpp.
#pragma once
#include <etna/rewrite/gates.hpp>

#include "number_rules.hpp"

namespace etna::straight {

/// The walk. Element i of a value of the old graph is the value element(id, i) of the new one.
class scalarizer {
 public:
  static constexpr int room = 2 * tracing::most_nodes;  // elements of all values together

  /// scratch   zeros
  constexpr scalarizer(graph const& from, graph& to, int* base, int* elements, char* marks)
      : from_(from), w_(to, to.scratch, slots(from, to.cap.scratch)), base_(base), elements_(elements), marks_(marks) {}

  /// 0, or the error's number; then `op` is the primitive.
  constexpr int run(int& op) {
    for (int i = 0; i < from_.n_nodes; ++i) {
      node_info const& n = from_.nodes[i];
      op = n.op;
      w_.to.derived = n.derived;
      for (int k = 0; k < n.results; ++k) {
        tensor_type const& t = from_.values[n.value + k].type;
        if (!t.is_static()) return 60;
        if (t.size() > room - used_) return 63;
        base_[n.value + k] = used_;
        used_ += int(t.size());
      }
      if (int wrong = write(n)) return wrong;
      if (is_too_long()) return 63;
    }
    return 0;
  }
  constexpr int element(int id, extent i) const { return elements_[base_[id] + int(i)]; }

 private:
  graph const& from_;
  writer w_;
  int *base_, *elements_;
  char* marks_;  // of new values
  int used_ = 0, marked_ = 0, inputs_ = 0;

  static constexpr int slots(graph const& g, int most) {
    extent n = 1024;
    for (int i = 0; i < g.n_values; ++i)
      if (extent size = g.values[i].type.size(); size > 0 && n < most) n += 6 * size;
    return n < most ? int(n) : most;
  }
  /// Are there too many equations, also with `more`? Once there are, the rest of a node is not worth writing: the walk
  /// ends behind it.
  constexpr bool is_too_long(extent more = 0) const { return w_.to.n_nodes + more > tracing::most_nodes / 2; }
  constexpr void set(int id, extent i, int x) { elements_[base_[id] + int(i)] = x; }
  constexpr int number(dtype d, std::int64_t bits) {
    tensor_type t{d, 0, {}};
    return w_.write(code<ops::full_p>, nullptr, 0, &bits, 1, &t, 1);
  }
  constexpr int number(dtype d, double v) { return number(d, to_bits(d, v)); }

  constexpr void mark() {
    graph const& g = w_.to;
    for (; marked_ < g.n_values; ++marked_) {
      node_info const& n = g.nodes[g.values[marked_].node];
      marks_[marked_] = mark_of(g, n, marks_);
    }
  }

  /// One equation of single numbers, or what it is equal to.
  constexpr int scalar(int op, dtype d, std::initializer_list<int> operands, std::int64_t const* attr = nullptr,
                       int n_attr = 0) {
    using namespace ops;
    if (is_too_long()) return *operands.begin();
    int const* in = operands.begin();
    tensor_type const result{d, 0, {}};
    term t(w_, op, in, int(operands.size()), attr, n_attr, result);
    mark();
    if (op == code<scale_p> && !t.constants && is_open(marks_[in[0]], marks_[in[1]])) t.op = code<mul_p>;
    int r = t.constants == t.n ? fold(t) : nothing;
    if (r < 0) r = signs(t, d);
    if (r < 0) r = fold_whole(t);
    if (r < 0) r = identity(t);
    return r >= 0 ? r : w_.write(t.op, in, t.n, attr, n_attr, &result, 1);
  }
  // Before its users: clang evaluates a call while compiling only where it has read the function.
  template <class P> constexpr int make(dtype d, std::initializer_list<int> operands) {
    return scalar(code<P>, d, operands);
  }
  /// A sign goes into a sum or a difference where it can; operands stand in one order, so that equals are found. All
  /// exact.
  constexpr int signs(term const& t, dtype d) {
    using namespace ops;
    bool product = t.op == code<mul_p>;
    if (!product && t.op != code<add_p> && t.op != code<sub_p>) return nothing;
    auto negative = [&](int k) { return t.from[k] == code<neg_p>; };
    auto inner = [&](int k) { return w_.to.edges[t.node(k).edge]; };
    if (product) {
      if (t.constant(1, -1)) return make<neg_p>(d, {t.in[0]});
      if (t.constant(0, -1)) return make<neg_p>(d, {t.in[1]});
    } else if (t.op == code<add_p>) {
      if (negative(0)) return make<sub_p>(d, {t.in[1], inner(0)});
    } else return nothing;
    return t.in[0] > t.in[1] ? scalar(t.op, d, {t.in[1], t.in[0]}) : nothing;
  }

  static constexpr void row_major(tensor_type const& t, extent* stride) {
    extent n = 1;
    for (int i = t.rank - 1; i >= 0; --i) {
      stride[i] = n;
      n *= t.e[i];
    }
  }
  /// Where element i of t lies under these strides.
  static constexpr extent at(tensor_type const& t, extent const* stride, extent i) {
    extent o = 0;
    for (int a = t.rank - 1; a >= 0; --a) {
      o += i % t.e[a] * stride[a];
      i /= t.e[a];
    }
    return o;
  }
  constexpr int write(node_info const& n) {
    using ops::form;
    tensor_type const& out = from_.values[n.value].type;
    int const* in = from_.edges + n.edge;
    std::int64_t const* a = from_.attrs + n.attr;
    extent stride[max_rank]{}, full[max_rank]{}, first = 0;
    switch (ops::table.at[n.op].form) {
      case form::source: return source(n, out, a);
      case form::pointwise:
      case form::convert:
        for (extent i = 0; i < out.size(); ++i) {
          int x[3]{};
          for (int k = 0; k < n.operands; ++k) x[k] = element(in[k], i);
          set(n.value, i,
              n.operands == 1   ? scalar(n.op, out.d, {x[0]}, a, n.attrs)
              : n.operands == 2 ? scalar(n.op, out.d, {x[0], x[1]}, a, n.attrs)
                                : scalar(n.op, out.d, {x[0], x[1], x[2]}, a, n.attrs));
        }
        return 0;
      case form::reshape:
        for (extent i = 0; i < out.size(); ++i) set(n.value, i, element(in[0], i));
        return 0;
      case form::broadcast: {
        tensor_type const& x = from_.values[in[0]].type;
        row_major(x, full);
        for (int k = 0; k < x.rank; ++k)
          if (x.e[k] != 1) stride[ops::broadcast_words::axis_of(a, k)] = full[k];
        break;
      }
      case form::transpose:
        row_major(from_.values[in[0]].type, full);
        for (int k = 0; k < out.rank; ++k) stride[k] = full[a[k]];
        break;
      case form::slice:
        row_major(from_.values[in[0]].type, full);
        for (int k = 0; k < out.rank; ++k) {
          ops::slice_dim const s = ops::slice_dim::read(a, k);
          stride[k] = full[k] * s.step;
          first += full[k] * s.start;
        }
        break;
      case form::windows:
        row_major(from_.values[in[0]].type, full);
        for (int k = 0, at = from_.values[in[0]].type.rank, n_axes = at; k < n_axes; ++k) {
          ops::window_dim const d = ops::window_dim::read(a, k);
          stride[k] = full[k] * d.step;
          if (d.there()) stride[at++] = full[k] * d.dilation;
        }
        break;
      case form::routine:
      case form::patch: return routine(n, in, out, a);
      case form::reduction: reduce(n, in[0], out, a); return 0;
      case form::arg_reduction: reduce_with_index(n, in[0], out, a); return 0;
      case form::contraction: contract(n, in, out, a); return 0;
      case form::gather:
      case form::scatter: index(n, in, a); return 0;
      default: return 62;
    }
    for (extent i = 0; i < out.size(); ++i) set(n.value, i, element(in[0], first + at(out, stride, i)));
    return 0;
  }
  constexpr int source(node_info const& n, tensor_type const& out, std::int64_t const* a) {
    using namespace ops;
    extent stride[max_rank]{};
    tensor_type one{out.d, 0, {}};
    if (n.op == code<iota_p>) stride[a[0]] = 1;
    if (n.op == code<input_p> && is_too_long(out.size())) return 63;
    for (extent i = 0; i < out.size(); ++i) {
      std::int64_t k = inputs_ + i;
      if (n.op == code<input_p>) set(n.value, i, w_.write(n.op, nullptr, 0, &k, 1, &one, 1));
      else if (n.op == code<full_p>) set(n.value, i, number(out.d, a[0]));
      else if (n.op == code<literal_p>) set(n.value, i, number(out.d, a[i]));
      else if (n.op == code<iota_p>) set(n.value, i, number(out.d, double(at(out, stride, i))));
      else return 62;
    }
    if (n.op == code<input_p>) inputs_ += int(out.size());
    return 0;
  }

  /// A block put into an array, and walks along an axis.
  constexpr int routine(node_info const& n, int const* in, tensor_type const& out, std::int64_t const* a) {
    using namespace ops;
    extent full[max_rank]{}, stride[max_rank]{};
    row_major(out, full);
    if (n.op == code<update_p> || n.op == code<patch_p>) {
      tensor_type const& u = from_.values[in[1]].type;
      extent first = 0;
      for (int k = 0; k < out.rank; ++k) {
        update_dim const s = update_dim::read(a, k);
        stride[k] = full[k] * s.step;
        first += full[k] * s.start;
      }
      for (extent i = 0; i < out.size(); ++i) set(n.value, i, element(in[0], i));
      for (extent i = 0; i < u.size(); ++i) set(n.value, first + at(u, stride, i), element(in[1], i));
      return 0;
    }
    if (n.op != code<cumsum_p> && n.op != code<recurrence_p>) return 62;
    auto const [axis, back] = walk_dims::read(a);
    stride[axis] = 1;
    for (extent j = 0; j < out.size(); ++j) {
      extent i = back ? out.size() - 1 - j : j, place = at(out, stride, i);
      int now = element(in[n.operands - 1], i);
      if (place != (back ? out.e[axis] - 1 : 0)) {
        int before = element(n.value, back ? i + full[axis] : i - full[axis]);
        if (n.operands == 2) before = make<mul_p>(out.d, {element(in[0], i), before});
        now = make<add_p>(out.d, {before, now});
      }
      set(n.value, i, now);
    }
    return 0;
  }

  // sums and products are those of two numbers, whose identities are known; others combine by their own row
  constexpr int combine(int op, dtype d, int x, int y) {
    using namespace ops;
    return scalar(op == code<sum_p> ? code<add_p> : op == code<prod_p> ? code<mul_p> : op, d, {x, y});
  }
  /// The strides in the result of a reduction's operand.
  static constexpr void reduced_strides(tensor_type const& x, tensor_type const& out, std::int64_t const* axes, int n,
                                        extent* stride) {
    extent full[max_rank]{};
    row_major(out, full);
    for (int i = 0, k = 0; i < x.rank; ++i) {
      bool gone = false;
      for (int j = 0; j < n; ++j) gone = gone || axes[j] == i;
      stride[i] = gone ? 0 : full[k++];
    }
  }
  constexpr void reduce(node_info const& n, int in, tensor_type const& out, std::int64_t const* axes) {
    tensor_type const& x = from_.values[in].type;
    extent stride[max_rank]{};
    reduced_strides(x, out, axes, n.attrs, stride);
    for (extent i = 0; i < out.size(); ++i) set(n.value, i, -1);
    for (extent i = 0; i < x.size(); ++i) {
      extent o = at(x, stride, i);
      int before = element(n.value, o), now = element(in, i);
      set(n.value, o, before < 0 ? now : combine(n.op, out.d, before, now));
    }
    for (extent i = 0; i < out.size(); ++i)
      if (element(n.value, i) < 0) set(n.value, i, number(out.d, ops::row_of(n.op).scalar.real_start));
  }
  constexpr void reduce_with_index(node_info const& n, int in, tensor_type const& out, std::int64_t const* axes) {
    tensor_type const& x = from_.values[in].type;
    extent stride[max_rank]{}, along[max_rank]{};
    reduced_strides(x, out, axes, 1, stride);
    along[axes[0]] = 1;
    for (extent i = 0; i < x.size(); ++i) {
      extent o = at(x, stride, i), k = at(x, along, i);
      int now = element(in, i), index = number(dtype::i32, double(k));
      if (k > 0) {
        int before = element(n.value, o), wins = scalar(n.op, dtype::boolean, {before, now});
        now = make<ops::select_p>(out.d, {wins, now, before});
        index = make<ops::select_p>(dtype::i32, {wins, index, element(n.value + 1, o)});
      }
      set(n.value, o, now);
      set(n.value + 1, o, index);
    }
  }

  /// A factor that is 0 while compiling leaves its products out of derivatives: a Jacobian's zeros are zeros.
  constexpr void contract(node_info const& n, int const* in, tensor_type const& out, std::int64_t const* a) {
    using namespace ops;
    auto d = dot_dims::read(a);
    tensor_type const &x = from_.values[in[0]].type, &y = from_.values[in[1]].type;
    extent fx[max_rank]{}, fy[max_rank]{}, sx[max_rank]{}, sy[max_rank]{}, kx[max_rank]{}, ky[max_rank]{};
    row_major(x, fx);
    row_major(y, fy);
    tensor_type summed{out.d, d.n_contract, {}};
    for (int i = 0; i < d.n_contract; ++i) {
      summed.e[i] = x.e[d.lhs_contract[i]];
      kx[i] = fx[d.lhs_contract[i]];
      ky[i] = fy[d.rhs_contract[i]];
    }
    int axis = 0, left[max_rank]{}, right[max_rank]{};
    for (; axis < d.n_batch; ++axis) {
      sx[axis] = fx[d.lhs_batch[axis]];
      sy[axis] = fy[d.rhs_batch[axis]];
    }
    int nl = dot::free_axes(x.rank, d.lhs_batch, d.n_batch, d.lhs_contract, d.n_contract, left);
    int nr = dot::free_axes(y.rank, d.rhs_batch, d.n_batch, d.rhs_contract, d.n_contract, right);
    for (int i = 0; i < nl; ++i) sx[axis++] = fx[left[i]];
    for (int i = 0; i < nr; ++i) sy[axis++] = fy[right[i]];
    auto widened = [&](int v, dtype from) {
      std::int64_t to = std::int64_t(out.d);
      return from == out.d ? v : scalar(code<convert_p>, out.d, {v}, &to, 1);
    };
    int const zero = number(out.d, 0.0), none = is_floating(out.d) ? number(out.d, -0.0) : zero;
    bool const all = is_floating(out.d) && !w_.to.derived;  // in the program's own equations 0 times infinity is NaN
    for (extent i = 0; i < out.size() && !is_too_long(); ++i) {
      int total = none;
      for (extent k = 0; k < summed.size(); ++k) {
        int p = widened(element(in[0], at(out, sx, i) + at(summed, kx, k)), x.d);
        int q = widened(element(in[1], at(out, sy, i) + at(summed, ky, k)), y.d);
        if (all || (p != zero && q != zero)) total = make<add_p>(out.d, {total, make<mul_p>(out.d, {p, q})});
      }
      set(n.value, i, total == none ? zero : total);
    }
  }

  /// gather and scatter_add by numbers that may be known at the call only: a choice among all slices.
  constexpr void index(node_info const& n, int const* in, std::int64_t const* a) {
    using namespace ops;
    bool scatters = table.at[n.op].form == form::scatter;
    tensor_type const &x = from_.values[in[0]].type, &index = from_.values[in[1]].type;
    auto const [axis, nb] = gather_dims::read(a);
    extent const batch = x.size(0, nb), pre = x.size(nb, axis), count = x.e[axis], post = x.size(axis + 1, x.rank),
                 places = index.size(nb, index.rank);
    if (scatters)
      for (extent i = 0; i < x.size(); ++i) set(n.value, i, element(in[0], i));
    int none = number(index.d, 0.0), all = number(index.d, double(count));
    int outside = is_floating(x.d) ? number(x.d, std::numeric_limits<double>::quiet_NaN()) : number(x.d, 0.0);
    for (extent r = 0; r < batch * pre; ++r)
      for (extent p = 0; p < places; ++p) {
        int i = element(in[1], r / pre * places + p);
        int here = make<select_p>(index.d, {make<lt_p>(dtype::boolean, {i, none}), make<add_p>(index.d, {i, all}), i});
        for (extent q = 0; q < post; ++q) {
          extent slice = (r * places + p) * post + q;
          if (!scatters) set(n.value, slice, outside);
          for (extent k = 0; k < count; ++k) {
            int chosen = make<eq_p>(dtype::boolean, {here, number(index.d, double(k))});
            extent mine = (r * count + k) * post + q;
            if (scatters) {
              int before = element(n.value, mine), more = make<add_p>(x.d, {before, element(in[2], slice)});
              set(n.value, mine, make<select_p>(x.d, {chosen, more, before}));
            } else set(n.value, slice, make<select_p>(x.d, {chosen, element(in[0], mine), element(n.value, slice)}));
          }
        }
      }
  }
};

}  // namespace etna::straight
