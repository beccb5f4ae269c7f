// SPDX-License-Identifier: BSD-3-Clause
// The plan: kernels in order, what they read and write, and where it lies. Kernels are written in a
// normal form (no addresses, no names), so that equal computations are one; buffers get places in an
// arena, and results take the memory of donated arguments where that is safe.
// Read next: ../lower/kernel.hpp.
#pragma once
#include <climits>

#include "fuse.hpp"

namespace etna::rewrite {

enum class step_kind { fused, contraction, scatter };
enum class level { element, row, reduce };
/// How an input moves along the innermost loop.
enum class motion { still, next, strided, ramp, still_ramp, indexed };

// Normal form of a kernel: form, phases, statements, inputs; then for each statement these words; then
// for each input its element type and motion.
inline constexpr int head_words = 4;
inline constexpr int stmt_words = 11;  // op, dtype, level, phases, outs, operands (3), literals (3)
inline constexpr std::int64_t literal_operand = INT32_MAX;

/// Memory that kernels read and write.
struct buffer {
  enum kind_t { temporary, argument, result, constant, size_of } kind;
  dtype d;
  extent size;      // elements
  int index;        // argument or result number; for constants the node
  int first, last;  // steps between which it is alive
  extent offset;    // bytes in the arena (temporaries of static plans)
  int donor;        // for results: the argument whose memory they may take, or -1
};

struct view_in_step {
  int buffer;
  extent outer[max_rank];
  extent mid[max_rank];
  extent inner;
  extent gather_stride, gather_size;
};

struct step {
  step_kind kind;
  int kernel;             // unique kernel, for fused steps
  int node;               // the equation (contraction, scatter) or the kernel's first
  int view, inputs, outputs;
  int n_outer;
  extent outer[max_rank];
  int n_mid;              // reduced axes of columns; of rows, those that do not merge into inner
  extent mid[max_rank];
  extent inner;
  extent flops;
};

template <int N> struct plan {
  step steps[N]{};
  buffer buffers[N]{};
  view_in_step views[3 * N]{};
  std::int64_t words[24 * N]{};    // normal forms of kernels
  int kernel_at[N]{}, kernel_size[N]{};
  int value_buffer[N]{};           // value -> buffer, or -1
  int n_steps = 0, n_buffers = 0, n_views = 0, n_words = 0, n_kernels = 0;
  bool is_static = true;
  extent arena = 0;
};

/// Fills a plan from a cut graph.
template <int N> class planner {
 public:
  constexpr planner(graph const& g, view const* views, cut const& c, int const* outputs, int n_out, plan<N>& p)
      : g_(g), v_(views), c_(c), p_(p) {
    for (int i = 0; i < g.n_values; ++i) p.value_buffer[i] = -1;
    for (int i = 0; i < g.n_values; ++i)
      if (!g.values[i].type.is_static()) p.is_static = false;
    make_buffers(outputs, n_out);
    order_steps();
    for (int s = 0; s < p.n_steps; ++s) {
      if (p.steps[s].kind == step_kind::fused) write_kernel(s);
      else write_opaque(s);
    }
    for (int b = 0; b < p.n_buffers; ++b)  // sizes of names are written before the first step
      if (p.buffers[b].kind == buffer::size_of) p.buffers[b].first = 0;
    donate();
  }

 private:
  graph const& g_;
  view const* v_;
  cut const& c_;
  plan<N>& p_;
  int head_[N]{}, next_[N]{}, tail_[N]{}, previous_[N]{};  // nodes of each kernel, in order
  int local_[N]{};                         // node -> statement of the kernel being written
  int phase_[N]{}, mask_[N]{};
  std::uint64_t hash_[N]{};                // of unique kernels

  constexpr int root_node(int value) const { return g_.values[v_[value].root].node; }
  constexpr int new_buffer(buffer::kind_t k, tensor_type const& t, int index) {
    p_.buffers[p_.n_buffers] = {k, t.d, t.size(), index, N + 1, -1, 0, -1};
    return p_.n_buffers++;
  }

  constexpr void make_buffers(int const* outputs, int n_out) {
    for (int i = 0; i < g_.n_nodes; ++i) {
      auto const& n = g_.nodes[i];
      if (n.op == code<ops::input_p>) {
        p_.value_buffer[n.value] = new_buffer(buffer::argument, g_.values[n.value].type, int(g_.attrs[n.attr]));
      } else if (class_of(g_, n) == node_class::source)
        p_.value_buffer[n.value] = new_buffer(n.op == code<ops::extent_size_p> ? buffer::size_of : buffer::constant,
                                              g_.values[n.value].type, i);
    }
    for (int k = 0; k < n_out; ++k) {
      int r = v_[outputs[k]].root;
      p_.value_buffer[r] = new_buffer(buffer::result, g_.values[r].type, k);
    }
    // what another kernel reads is memory
    for (int i = 0; i < g_.n_nodes; ++i) {
      auto const& n = g_.nodes[i];
      node_class cls = class_of(g_, n);
      if (cls != node_class::compute && cls != node_class::opaque) continue;
      if (cls == node_class::opaque && p_.value_buffer[n.value] < 0)
        p_.value_buffer[n.value] = new_buffer(buffer::temporary, g_.values[n.value].type, -1);
      for (int k = 0; k < n.operands; ++k) {
        int root = v_[g_.edges[n.edge + k]].root, r = g_.values[root].node;
        if (class_of(g_, g_.nodes[r]) == node_class::compute && p_.value_buffer[root] < 0 && c_.find(r) != c_.find(i))
          p_.value_buffer[root] = new_buffer(buffer::temporary, g_.values[root].type, -1);
      }
    }
  }

  constexpr void order_steps() {
    // nodes of each kernel as lists; kernels by stage, then by first node
    int most = 0;
    for (int i = 0; i < g_.n_nodes; ++i) {
      head_[i] = next_[i] = tail_[i] = -1;
      if (c_.stage[i] > most) most = c_.stage[i];
    }
    for (int i = 0; i < g_.n_nodes; ++i) {
      if (!runs(i)) continue;
      int k = c_.find(i);
      if (head_[k] < 0) head_[k] = i;
      else next_[tail_[k]] = i;
      previous_[i] = tail_[k];
      tail_[k] = i;
    }
    // counting sort by stage: chains per stage
    int* chain = local_;
    int* last = phase_;
    int* follow = mask_;
    for (int i = 0; i < N; ++i) chain[i] = last[i] = follow[i] = -1;
    for (int i = 0; i < g_.n_nodes; ++i)
      if (head_[i] >= 0) {
        int s = c_.stage[i];
        if (chain[s] < 0) chain[s] = i;
        else follow[last[s]] = i;
        last[s] = i;
      }
    for (int s = 0; s <= most; ++s)
      for (int i = chain[s]; i >= 0; i = follow[i]) {
        step& st = p_.steps[p_.n_steps++];
        ops::form f = ops::row_of(g_.nodes[i].op).form;
        st.kind = f == ops::form::contraction ? step_kind::contraction : f == ops::form::scatter ? step_kind::scatter : step_kind::fused;
        st.node = i;
        st.kernel = -1;
        st.view = -1;
      }
  }
  constexpr bool runs(int i) const {
    node_class cls = class_of(g_, g_.nodes[i]);
    return cls == node_class::compute || cls == node_class::opaque;
  }

  constexpr void use(int b, int s) {
    if (b < 0) return;  // a ramp is no memory
    buffer& x = p_.buffers[b];
    if (s < x.first) x.first = s;
    if (s > x.last) x.last = s;
  }
  constexpr view_in_step& add_view(step& st, int b) {
    if (st.view < 0) st.view = p_.n_views;
    view_in_step& w = p_.views[p_.n_views++];
    w = {};
    w.buffer = b;
    return w;
  }

  constexpr bool is_element(int i, space const& sp) const {
    return squeezed(g_.values[g_.nodes[i].value].type).same_shape(sp.t) && !reduces(i);
  }
  constexpr bool reduces(int i) const {
    ops::form f = ops::row_of(g_.nodes[i].op).form;
    return f == ops::form::reduction || f == ops::form::arg_reduction;
  }

  /// Put the strides of a view, read in the shape t, on the loops of the kernel.
  constexpr void place(view_in_step& w, space const& sp, tensor_type const& t, extent const* stride, bool element) {
    int axis[max_rank]{}, at[max_rank]{};
    int n = squeeze(t, axis), m = 0;
    for (int i = 0; i < sp.t.rank; ++i)
      if (element || (sp.is_columns() ? i < sp.split || i >= sp.to : i < sp.split)) at[m++] = i;
    for (int i = 0; i < n && i < m; ++i) w.outer[at[i]] = stride[axis[i]];
  }

  // An input of the kernel: where, and the strides; equal ones are one.
  constexpr int input_of(step& st, space const& sp, int b, tensor_type const& t, extent const* stride, bool element,
                         extent gather_stride = 0, extent gather_size = 0) {
    view_in_step w{};
    w.buffer = b;
    place(w, sp, t, stride, element);
    w.gather_stride = gather_stride;
    w.gather_size = gather_size;
    if (st.view >= 0)
      for (int k = st.view; k < p_.n_views; ++k) {
        bool same = p_.views[k].buffer == b && p_.views[k].gather_stride == gather_stride && p_.views[k].gather_size == gather_size;
        for (int a = 0; a < max_rank; ++a) same = same && p_.views[k].outer[a] == w.outer[a];
        if (same) return k - st.view;
      }
    add_view(st, b) = w;
    return p_.n_views - 1 - st.view;
  }

  constexpr void write_kernel(int s) {
    step& st = p_.steps[s];
    space const& sp = c_.spaces[st.node];
    // statements, phases
    int n_stmts = 0, phases = 0;
    for (int i = head_[st.node]; i >= 0; i = next_[i]) {
      local_[i] = n_stmts++;
      mask_[i] = 0;
      int ph = 0;
      auto const& n = g_.nodes[i];
      for (int k = 0; k < n.operands; ++k) {
        int r = root_node(g_.edges[n.edge + k]);
        if (runs(r) && c_.find(r) == st.node && r != i) ph = phase_[r] > ph ? phase_[r] : ph;
      }
      if (reduces(i)) {
        if (ph + 1 > phases) phases = ph + 1;
        ++ph;
      } else if (is_element(i, sp) && is_out(i) && ph + 1 > phases) phases = ph + 1;
      phase_[i] = ph;  // for rows: the phase before which it is known
    }
    // which phases evaluate an element: those of its readers (earlier ones are computed again)
    for (int i = tail_[st.node]; i >= 0; i = previous_[i]) {
      auto const& n = g_.nodes[i];
      if (reduces(i)) mask_[i] = 1 << (phase_[i] - 1);
      else if (!is_element(i, sp)) continue;
      else if (is_out(i)) mask_[i] |= 1 << phase_[i];
      for (int k = 0; k < n.operands; ++k) {
        int r = root_node(g_.edges[n.edge + k]);
        if (runs(r) && c_.find(r) == st.node && is_element(r, sp)) mask_[r] |= mask_[i];
      }
    }
    int from = p_.n_words;
    std::int64_t* w = p_.words + from;
    int at = head_words;
    st.flops = 0;
    for (int i = head_[st.node]; i >= 0; i = next_[i]) at = write_statement(st, sp, i, w, at);
    st.inputs = st.view < 0 ? 0 : p_.n_views - st.view;
    for (int i = head_[st.node]; i >= 0; i = next_[i]) {
      auto const& n = g_.nodes[i];
      for (int k = 0; k < n.results; ++k)
        if (int b = p_.value_buffer[n.value + k]; b >= 0) {
          extent full[max_rank]{};
          tensor_type const& t = g_.values[n.value + k].type;
          row_major(t, full);
          place(add_view(st, b), sp, t, full, is_element(i, sp));
          ++st.outputs;
        }
    }
    for (int k = 0; k < st.inputs + st.outputs; ++k) use(p_.views[st.view + k].buffer, s);
    loops(st, sp);
    w[0] = sp.split < 0 ? 0 : sp.is_columns() ? 2 : 1;
    w[1] = phases;
    w[2] = n_stmts;
    w[3] = st.inputs;
    for (int k = 0; k < st.inputs; ++k) {
      view_in_step const& x = p_.views[st.view + k];
      w[at++] = x.buffer < 0 ? -3 - x.buffer : std::int64_t(p_.buffers[x.buffer].d);
      motion m = x.gather_size != 0 ? motion::indexed
                 : x.buffer < 0     ? (x.inner ? motion::ramp : motion::still_ramp)
                 : x.inner == 0     ? motion::still
                 : x.inner == 1     ? motion::next
                                    : motion::strided;
      w[at++] = std::int64_t(m);
    }
    p_.n_words += at;
    st.kernel = unique(from, at);
  }
  constexpr bool is_out(int i) const {
    auto const& n = g_.nodes[i];
    for (int k = 0; k < n.results; ++k)
      if (p_.value_buffer[n.value + k] >= 0) return true;
    return false;
  }

  constexpr int write_statement(step& st, space const& sp, int i, std::int64_t* w, int at) {
    auto const& n = g_.nodes[i];
    ops::form f = ops::row_of(n.op).form;
    bool element = is_element(i, sp);
    tensor_type const& out = g_.values[n.value].type;
    std::int64_t literals[3]{}, operand[3]{};
    // an iota or a constant becomes part of the operand; constants are words behind the statement
    int outs = 0;
    for (int k = 0; k < n.results; ++k) outs |= (p_.value_buffer[n.value + k] >= 0) << k;
    for (int k = 0; k < n.operands; ++k) {
      int q = g_.edges[n.edge + k], root = v_[q].root, r = g_.values[root].node;
      auto const& rn = g_.nodes[r];
      tensor_type const& qt = g_.values[q].type;
      if (rn.op == code<ops::full_p>) {
        operand[k] = literal_operand;
        literals[k] = g_.attrs[rn.attr];
      } else if (runs(r) && c_.find(r) == st.node && r != i && !(f == ops::form::gather && k == 0)) {
        operand[k] = local_[r] * 2 + (root - rn.value);
      } else if (f == ops::form::gather) {
        operand[k] = -1 - gather_operand(st, sp, n, k, element);
      } else {
        bool reads_elements = element || reduces(i);
        int b = rn.op == code<ops::iota_p> ? -3 - int(qt.d) : p_.value_buffer[root];
        operand[k] = -1 - input_of(st, sp, b, qt, v_[q].stride, reads_elements);
      }
    }
    w[at++] = n.op;
    w[at++] = std::int64_t(out.d);
    w[at++] = std::int64_t(reduces(i) ? level::reduce : element ? level::element : level::row);
    w[at++] = element || reduces(i) ? mask_[i] : phase_[i];
    w[at++] = outs;
    for (int k = 0; k < 3; ++k) w[at++] = operand[k];
    for (int k = 0; k < 3; ++k) w[at++] = literals[k];
    extent size = reduces(i) || element ? sp.t.size() : out.size();
    if (size > 0) st.flops += size * ops::row_of(n.op).flops;
    return at;
  }

  // The index is read in the shape of the result; the source moves along all but the indexed axis.
  constexpr int gather_operand(step& st, space const& sp, node_info const& n, int k, bool element) {
    tensor_type const& out = g_.values[n.value].type;
    int x = g_.edges[n.edge], index = g_.edges[n.edge + 1];
    tensor_type const &xt = g_.values[x].type, &it = g_.values[index].type;
    int axis = int(g_.attrs[n.attr]), nb = int(g_.attrs[n.attr + 1]), ni = it.rank - nb;
    extent stride[max_rank]{};
    if (k == 1) {
      for (int i = 0; i < nb; ++i) stride[i] = v_[index].stride[i];
      for (int i = 0; i < ni; ++i) stride[axis + i] = v_[index].stride[nb + i];
      auto const& root = g_.nodes[root_node(index)];
      int b = root.op == code<ops::iota_p> ? -3 - int(it.d) : p_.value_buffer[v_[index].root];
      return input_of(st, sp, b, out, stride, element);
    }
    for (int i = 0; i < axis; ++i) stride[i] = xt.e[i] == 1 ? 0 : v_[x].stride[i];
    for (int i = axis + 1; i < xt.rank; ++i) stride[i + ni - 1] = xt.e[i] == 1 ? 0 : v_[x].stride[i];
    extent full[max_rank]{};
    row_major(xt, full);
    return input_of(st, sp, p_.value_buffer[v_[x].root], out, stride, element, full[axis], xt.e[axis]);
  }

  /// Loops of the step: outer axes merged where all views allow it, then mid and inner.
  constexpr void loops(step& st, space const& sp) {
    int r = sp.t.rank, inner_from = sp.split < 0 ? r - 1 : sp.is_columns() ? sp.to : sp.split;
    int mid_from = sp.is_columns() ? sp.split : inner_from;
    if (inner_from < 0) inner_from = mid_from = 0;
    st.inner = 1;
    int n_views = st.inputs + st.outputs;
    // parts: axes [0, mid_from) outer, [mid_from, inner_from) mid, [inner_from, r) inner
    extent e[max_rank]{};
    int part[max_rank]{}, n = 0;
    for (int i = 0; i < r; ++i) {
      int mine = sp.split < 0 || i < mid_from ? 0 : i < inner_from ? 1 : 2;
      bool joins = n > 0 && part[n - 1] == mine;
      for (int k = 0; k < n_views && joins; ++k) {
        view_in_step const& v = p_.views[st.view + k];
        joins = v.outer[n - 1] == ext::mul(v.outer[i], sp.t.e[i]);
      }
      if (!joins) part[n++] = mine;
      e[n - 1] = joins ? ext::mul(e[n - 1], sp.t.e[i]) : sp.t.e[i];
      for (int k = 0; k < n_views; ++k) p_.views[st.view + k].outer[n - 1] = p_.views[st.view + k].outer[i];
    }
    // the last axis is inner; what did not merge with it is mid where it is reduced, else outer
    int last = n > 0 && (sp.split < 0 || part[n - 1] == 2) ? n - 1 : -1;
    for (int i = 0; i < n; ++i) {
      bool mid = part[i] == 1 || (part[i] == 2 && !sp.is_columns());
      if (i == last) st.inner = e[i];
      else (mid ? st.mid[st.n_mid++] : st.outer[st.n_outer++]) = e[i];
    }
    for (int k = 0; k < n_views; ++k) {
      view_in_step& v = p_.views[st.view + k];
      view_in_step old = v;
      for (int i = 0; i < max_rank; ++i) v.outer[i] = v.mid[i] = 0;
      for (int i = 0, o = 0, m = 0; i < n; ++i) {
        bool mid = part[i] == 1 || (part[i] == 2 && !sp.is_columns());
        if (i == last) v.inner = old.outer[i];
        else (mid ? v.mid[m++] : v.outer[o++]) = old.outer[i];
      }
    }
  }

  constexpr int unique(int from, int n) {
    std::uint64_t h = 1469598103934665603ull;
    for (int i = 0; i < n; ++i) h = (h ^ std::uint64_t(p_.words[from + i])) * 1099511628211ull;
    for (int k = 0; k < p_.n_kernels; ++k) {
      bool same = hash_[k] == h && p_.kernel_size[k] == n;
      for (int i = 0; i < n && same; ++i) same = p_.words[p_.kernel_at[k] + i] == p_.words[from + i];
      if (same) {
        p_.n_words = from;  // written before: forget this one
        return k;
      }
    }
    hash_[p_.n_kernels] = h;
    p_.kernel_at[p_.n_kernels] = from;
    p_.kernel_size[p_.n_kernels] = n;
    return p_.n_kernels++;
  }

  constexpr void write_opaque(int s) {
    step& st = p_.steps[s];
    auto const& n = g_.nodes[st.node];
    st.inputs = n.operands;
    st.outputs = 1;
    for (int k = 0; k < n.operands; ++k) {
      int q = g_.edges[n.edge + k];
      view_in_step& w = add_view(st, p_.value_buffer[v_[q].root]);
      for (int i = 0; i < g_.values[q].type.rank; ++i) w.outer[i] = v_[q].stride[i];
      use(w.buffer, s);
    }
    use(add_view(st, p_.value_buffer[n.value]).buffer, s);
    if (st.kind == step_kind::contraction) product_loops(st, n);
    else scatter_loops(st, n);
  }
  // outer: batch, m, n, k; of the operands' views: strides of batch, m, k and of batch, k, n
  constexpr void product_loops(step& st, node_info const& n) {
    ops::dot_dims d = ops::dot_dims::read(g_.attrs + n.attr);
    merged m[2][3];
    for (int side = 0; side < 2; ++side) {
      int q = g_.edges[n.edge + side];
      tensor_type const& t = g_.values[q].type;
      int const* batch = side ? d.rhs_batch : d.lhs_batch;
      int const* contract = side ? d.rhs_contract : d.lhs_contract;
      int free[max_rank]{};
      int nf = ops::dot::free_axes(t.rank, batch, d.n_batch, contract, d.n_contract, free);
      m[side][0] = merge_axes(t, v_[q], batch, d.n_batch);
      m[side][1] = merge_axes(t, v_[q], free, nf);
      m[side][2] = merge_axes(t, v_[q], contract, d.n_contract);
    }
    extent size[] = {m[0][0].size, m[0][1].size, m[1][1].size, m[0][2].size};
    extent a[] = {m[0][0].stride, m[0][1].stride, m[0][2].stride}, b[] = {m[1][0].stride, m[1][2].stride, m[1][1].stride};
    st.flops = 2;
    for (int i = 0; i < 4; ++i) {
      st.outer[i] = size[i];
      st.flops = st.flops < 0 || size[i] < 0 ? -1 : st.flops * size[i];
    }
    if (st.flops < 0) st.flops = 0;
    for (int i = 0; i < 3; ++i) {
      p_.views[st.view].outer[i] = a[i];
      p_.views[st.view + 1].outer[i] = b[i];
    }
  }
  // outer: batch, pre, n, places, post
  constexpr void scatter_loops(step& st, node_info const& n) {
    tensor_type const &x = g_.values[g_.edges[n.edge]].type, &index = g_.values[g_.edges[n.edge + 1]].type;
    int axis = int(g_.attrs[n.attr]), nb = int(g_.attrs[n.attr + 1]);
    for (int i = 0; i < 5; ++i) st.outer[i] = 1;
    for (int i = 0; i < nb; ++i) st.outer[0] = ext::mul(st.outer[0], x.e[i]);
    for (int i = nb; i < axis; ++i) st.outer[1] = ext::mul(st.outer[1], x.e[i]);
    st.outer[2] = x.e[axis];
    for (int i = nb; i < index.rank; ++i) st.outer[3] = ext::mul(st.outer[3], index.e[i]);
    for (int i = axis + 1; i < x.rank; ++i) st.outer[4] = ext::mul(st.outer[4], x.e[i]);
  }

  /// A result takes the memory of an argument of its type that nobody reads after it is written, and
  /// that the writing kernel reads at the same element only, in one phase.
  constexpr void donate() {
    bool given[N]{};
    for (int b = 0; b < p_.n_buffers; ++b) {
      buffer& r = p_.buffers[b];
      if (r.kind != buffer::result || r.first > p_.n_steps) continue;
      step const& st = p_.steps[r.first];
      if (st.kind != step_kind::fused || p_.words[p_.kernel_at[st.kernel] + 1] > 1) continue;
      for (int k = 0; k < st.inputs && r.donor < 0; ++k) {
        int a = p_.views[st.view + k].buffer;
        if (a < 0 || p_.buffers[a].kind != buffer::argument || given[a]) continue;
        buffer const& x = p_.buffers[a];
        if (x.d != r.d || x.size != r.size || x.last > r.first) continue;
        if (!reads_in_place(st, a, b)) continue;
        given[a] = true;
        r.donor = a;
      }
    }
  }
  constexpr bool reads_in_place(step const& st, int a, int b) const {
    view_in_step const* out = nullptr;
    for (int k = 0; k < st.outputs; ++k)
      if (p_.views[st.view + st.inputs + k].buffer == b) out = &p_.views[st.view + st.inputs + k];
    if (!out) return false;
    for (int k = 0; k < st.inputs; ++k) {
      view_in_step const& v = p_.views[st.view + k];
      if (v.buffer != a) continue;
      bool same = v.inner == out->inner && v.gather_size == 0;
      for (int i = 0; i < max_rank; ++i) same = same && v.outer[i] == out->outer[i] && v.mid[i] == out->mid[i];
      if (!same) return false;
    }
    return true;
  }
};

/// Places in the arena: buffers that are alive together do not overlap. First fit by first use.
constexpr extent aligned(extent bytes) { return (bytes + 63) / 64 * 64; }
template <class Size> constexpr extent assign_memory(buffer* b, int n, Size size, int* active) {
  // temporaries in order of first use; `active` holds those alive, sorted by offset
  extent top = 0;
  int n_active = 0;
  int* order = active + n;
  int m = 0;
  for (int i = 0; i < n; ++i)
    if ((b[i].kind == buffer::temporary || b[i].kind == buffer::size_of) && b[i].last >= 0) order[m++] = i;
  // insertion by first use (they are nearly sorted)
  for (int i = 1; i < m; ++i)
    for (int j = i; j > 0 && b[order[j]].first < b[order[j - 1]].first; --j) {
      int t = order[j];
      order[j] = order[j - 1];
      order[j - 1] = t;
    }
  for (int i = 0; i < m; ++i) {
    buffer& x = b[order[i]];
    extent bytes = aligned(size(x.size) * bytes_of(x.d));
    int w = 0;
    for (int k = 0; k < n_active; ++k)
      if (b[active[k]].last >= x.first) active[w++] = active[k];
    n_active = w;
    extent at = 0;
    int slot = n_active;
    for (int k = 0; k < n_active; ++k) {
      buffer const& y = b[active[k]];
      if (at + bytes <= y.offset) { slot = k; break; }
      at = y.offset + aligned(size(y.size) * bytes_of(y.d));
    }
    for (int k = n_active; k > slot; --k) active[k] = active[k - 1];
    active[slot] = order[i];
    ++n_active;
    x.offset = at;
    if (at + bytes > top) top = at + bytes;
  }
  return top;
}

}  // namespace etna::rewrite
