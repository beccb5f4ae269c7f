// SPDX-License-Identifier: BSD-3-Clause
// A fused step as words without addresses and names, so that equal kernels are one before any type
// exists. Read next: memory.hpp.
#pragma once
#include "loops.hpp"

namespace etna::planning {

/// An input of the kernel: where, and the strides; equal ones are one.
constexpr int input_of(planner& d, step& st, space const& sp, int b, tensor_type const& t, extent const* stride,
                       bool element, extent offset, extent gather_stride = 0, extent gather_size = 0, int index = -1) {
  view_in_step& w = d.p.views[d.p.n_views];  // the next free one; it stays zero where an equal one is found
  set_strides(w, sp, t, stride, element);
  if (st.view >= 0)
    for (int k = st.view; k < d.p.n_views; ++k) {
      view_in_step const& x = d.p.views[k];
      if (x.buffer != b || x.offset != offset || x.window != index + 1 || x.gather_stride != gather_stride ||
          x.gather_size != gather_size)
        continue;
      bool same = true;
      for (int a = 0; a < sp.t.rank; ++a) same = same && x.stride[a] == w.stride[a];
      if (!same) continue;
      for (int a = 0; a < sp.t.rank; ++a) w.stride[a] = 0;
      return k - st.view;
    }
  d.add_view(st, b);
  w.offset = offset;
  w.gather_stride = gather_stride;
  w.gather_size = gather_size;
  w.window = index + 1;
  return d.p.n_views - 1 - st.view;
}

// The index is read in the shape of the result; the source moves along all but the indexed axis, and is an input of its
// own for each index, which stands in place of a window for now.
constexpr int gather_operand(planner& d, step& st, space const& sp, node_info const& n, int k, bool element) {
  graph const& g = d.g;
  tensor_type const& out = g.values[n.value].type;
  int x = g.edges[n.edge], index = g.edges[n.edge + 1];
  tensor_type const &xt = g.values[x].type, &it = g.values[index].type;
  auto const [axis, nb] = ops::gather_dims::read(g.attrs + n.attr);
  int ni = it.rank - nb;
  extent stride[max_rank]{};
  if (k == 1) {
    for (int i = 0; i < nb; ++i) stride[i] = d.v[index].stride[i];
    for (int i = 0; i < ni; ++i) stride[axis + i] = d.v[index].stride[nb + i];
    int b = g.nodes[g.values[d.v[index].root].node].op == code<ops::iota_p> ? ramp_of(it.d) : d.buffer_of(index);
    return input_of(d, st, sp, b, out, stride, element, d.v[index].offset);
  }
  for (int i = 0; i < axis; ++i) stride[i] = xt.e[i] == 1 ? 0 : d.v[x].stride[i];
  for (int i = axis + 1; i < xt.rank; ++i) stride[i + ni - 1] = xt.e[i] == 1 ? 0 : d.v[x].stride[i];
  return input_of(d, st, sp, d.buffer_of(x), out, stride, element, d.v[x].offset, d.v[x].stride[axis], xt.e[axis],
                  xt.e[axis] != 0 ? index : -1);
}

// The block is read in the shape of the result; its window is written when all views are known. (Where it has one
// element along an axis any stride will do: that of memory in a row, so that loops merge.)
constexpr int patch_operand(planner& d, step& st, space const& sp, int i, bool element) {
  graph const& g = d.g;
  node_info const& n = g.nodes[i];
  tensor_type const& out = g.values[n.value].type;
  int u = g.edges[n.edge + 1];
  extent stride[max_rank]{};
  extent next = 1;
  for (int a = out.rank - 1; a >= 0; --a) {
    if (out.e[a] == 1) continue;
    stride[a] = g.values[u].type.e[a] != 1 ? d.v[u].stride[a] : next;
    next = ext::mul(stride[a], out.e[a]);
    if (next == ext::invalid) next = 0;
  }
  view_in_step& w = d.add_view(st, d.buffer_of(u));
  w.offset = d.v[u].offset;
  w.window = i + 1;  // its equation, for now
  set_strides(w, sp, out, stride, element);
  return d.p.n_views - 1 - st.view;
}
constexpr void write_windows(planner& d, step& st, space const& sp) {
  graph const& g = d.g;
  for (int k = st.view; k < st.view + st.inputs; ++k) {
    view_in_step& v = d.p.views[k];
    if (v.gather_size != 0) v.window = 0;
    if (v.window == 0) continue;
    node_info const& n = g.nodes[v.window - 1];
    tensor_type const &out = g.values[n.value].type, &u = g.values[g.edges[n.edge + 1]].type;
    extent first[max_rank]{}, size[max_rank]{};
    for (int a = 0; a < out.rank; ++a) {
      if (u.e[a] == out.e[a]) continue;
      first[a] = ops::update_dim::read(g.attrs + n.attr, a).start;
      size[a] = u.e[a];
    }
    view_in_step begin{}, extents{};
    set_strides(begin, sp, out, first, d.element[v.window - 1]);
    set_strides(extents, sp, out, size, d.element[v.window - 1]);
    v.window = d.p.n_numbers + 1;
    d.p.n_numbers += words_of_window;
    st.numbers += words_of_window;
    auto const w = window_of(d.p, v);
    for (int a = 0; a < max_rank; ++a) {
      w.begin(a) = begin.stride[a];
      w.size(a) = extents.stride[a];
    }
  }
}

constexpr int write_statement(planner& d, step& st, space const& sp, extent elements, int i, std::int64_t* w, int at) {
  graph const& g = d.g;
  view const* views = d.v;
  auto const& n = g.nodes[i];
  bool gathers = d.c.form[i] == ops::form::gather, patches = d.c.form[i] == ops::form::patch, reduces = d.c.reduces[i],
       element = d.element[i];
  int outs = (d.value_buffer[n.value] > 0) + (n.results > 1 && d.value_buffer[n.value + 1] > 0 ? 2 : 0);
  level where = reduces ? level::reduce : element ? level::element : level::row;
  w[at] = stmt_head::word(n.op, g.values[n.value].type.d, where, outs, element || reduces ? d.mask[i] : d.phase[i]);
  for (int k = n.operands; k < 3; ++k) w[at + 1 + k] = 0;  // another kernel may have stood here
  for (int k = 0; k < n.operands; ++k) {
    int q = g.edges[n.edge + k], root = views[q].root, r = g.values[root].node;
    auto const& rn = g.nodes[r];
    std::int64_t& operand = w[at + 1 + k];
    if (rn.op == code<ops::full_p>) {
      operand = kernel_operand::word_of_literal(st.numbers++, g.values[rn.value].type.d);
      d.p.numbers[d.p.n_numbers++] = g.attrs[rn.attr];
    } else if (patches && k == 1 && d.kernel[r] == st.node)
      operand = kernel_operand::word_of_moved(d.local[r], shift_of(g, views, n));
    else if (patches && k == 1) operand = kernel_operand::word_of_input(patch_operand(d, st, sp, i, element));
    else if (d.kernel[r] == st.node && r != i && !(gathers && k == 0))
      operand = kernel_operand::word_of_value(d.local[r], root - rn.value);
    else if (gathers) operand = kernel_operand::word_of_input(gather_operand(d, st, sp, n, k, element));
    else {
      tensor_type const& qt = g.values[q].type;
      int b = rn.op == code<ops::iota_p> ? ramp_of(qt.d) : d.value_buffer[root] - 1;
      operand = kernel_operand::word_of_input(
          input_of(d, st, sp, b, qt, views[q].stride, element || reduces, views[q].offset));
    }
  }
  extent size = element || reduces ? elements : g.values[n.value].type.size();
  if (size > 0) st.flops += size * ops::table.at[n.op].flops;
  return at + stmt_words;
}

/// When statements are known, and which phases evaluate an element; returns the number of phases.
constexpr int find_phases(planner& d, int kernel, space const& sp, int& n_stmts) {
  graph const& g = d.g;
  if (sp.split < 0) {  // nothing is reduced: all are elements, in one phase
    for (int j = d.head[kernel]; j > 0; j = d.next[j - 1]) {
      d.local[j - 1] = n_stmts++;
      d.mask[j - 1] = 1;
      d.phase[j - 1] = 0;
      d.element[j - 1] = true;
    }
    return 1;
  }
  int phases = 0;
  for (int j = d.head[kernel]; j > 0; j = d.next[j - 1]) {
    int i = j - 1, ph = 0;
    d.local[i] = n_stmts++;
    d.mask[i] = 0;
    auto const& n = g.nodes[i];
    bool reduces = d.c.reduces[i];
    tensor_type const& t = g.values[n.value].type;
    d.element[i] = !reduces && (t.same_shape(sp.t) || squeezed(t).same_shape(sp.t));
    for (int k = 0; k < n.operands; ++k) {
      int r = g.values[d.v[g.edges[n.edge + k]].root].node;
      if (d.kernel[r] == kernel && d.phase[r] > ph) ph = d.phase[r];
    }
    if (reduces && ++ph > phases) phases = ph;
    else if (d.element[i] && ph + 1 > phases && d.is_out(i)) phases = ph + 1;
    d.phase[i] = ph;  // for rows: the phase before which it is known
  }
  // an element is evaluated in the phases of its readers: what an earlier phase computed is computed again
  for (int j = d.tail[kernel]; j > 0; j = d.previous[j - 1]) {
    int i = j - 1;
    auto const& n = g.nodes[i];
    if (d.c.reduces[i]) d.mask[i] = 1 << (d.phase[i] - 1);
    else if (!d.element[i]) continue;
    else if (d.is_out(i)) d.mask[i] |= 1 << d.phase[i];
    for (int k = 0; k < n.operands; ++k) {
      int r = g.values[d.v[g.edges[n.edge + k]].root].node;
      if (d.kernel[r] == kernel && d.element[r]) d.mask[r] |= d.mask[i];
    }
  }
  return phases;
}

/// The number of the kernel whose words end the pool: an equal one's, or a new one's.
constexpr int unique(planner& d, int from, int n) {
  draft& p = d.p;
  std::int64_t h = n;  // of the heads: equal kernels are compared whole
  for (int i = head_words; i < n; i += stmt_words) h += p.words[from + i];
  for (int k = 0; k < p.n_kernels; ++k) {
    if (d.hash[k] != h || p.kernel_size[k] != n) continue;
    bool same = true;
    for (int i = 0; i < n && same; ++i) same = p.words[p.kernel_at[k] + i] == p.words[from + i];
    if (!same) continue;
    p.n_words = from;  // written before: forget this one
    return k;
  }
  d.hash[p.n_kernels] = h;
  p.kernel_at[p.n_kernels] = from;
  p.kernel_size[p.n_kernels] = n;
  return p.n_kernels++;
}

/// How an input moves along the innermost loop.
constexpr motion motion_of(view_in_step const& v) {
  bool const next = v.inner == 1;
  if (v.gather_size != 0) return next ? motion::indexed_rows : motion::indexed;
  if (v.window) return next ? motion::window : motion::strided_window;
  if (v.buffer < 0 && v.inner == 0) return motion::still_ramp;
  if (v.buffer < 0) return next ? motion::ramp : motion::strided_ramp;
  if (v.inner == 0) return motion::still;
  return next ? motion::next : motion::strided;
}
/// Are short rows summed once, as they lie in memory, so that registers go along each and their sums are joined for
/// some rows together (../lower/joined_rows.hpp)? Then they may be longer than others that go together.
constexpr bool joins_rows(draft const& p, step const& st, std::int64_t const* w, int stmts, bool sums, int phases,
                          int widest) {
  if (!sums || phases != 1 || st.n_mid > 0 || widest < 4 || stmts > tuning::short_rows::walked_statements) return false;
  for (int k = 0; k < st.inputs; ++k)
    if (!goes_along(motion_of(p.views[st.view + k]))) return false;
  for (int i = 0; i < stmts; ++i) {
    stmt_head const h = stmt_head::read(w[head_words + i * stmt_words]);
    if (h.at == level::row && h.phases == 0) return false;
    if (h.at == level::reduce &&
        (h.d == dtype::boolean || bytes_of(h.d) != widest || ops::table.at[h.op].form == ops::form::arg_reduction))
      return false;
  }
  return st.inner * widest <= tuning::short_rows::joined_bytes;
}

/// Are rows too short for registers, so that some go together; and if they are, may their sums be joined? Elements
/// narrower than others are picked and converted only.
constexpr bool has_short_rows(draft const& p, step const& st, std::int64_t const* w, int stmts, bool sums, int phases,
                              bool& joined) {
  using limits = tuning::short_rows;
  extent row = st.inner;
  for (int i = 0; i < st.n_mid && row > 0; ++i) row = st.loop[st.n_outer + i] < 0 ? -1 : row * st.loop[st.n_outer + i];
  if (st.n_outer == 0 || row < 2) return false;
  if (extent const n = st.loop[st.n_outer - 1]; n >= 0 && n < limits::least) return false;
  int widest = 0;
  bool has_i64 = false;
  auto see = [&](dtype d) {
    widest = bytes_of(d) > widest ? bytes_of(d) : widest;
    has_i64 = has_i64 || d == dtype::i64;
  };
  auto of = [&](int i) { return stmt_head::read(w[head_words + i * stmt_words]); };
  for (int k = 0; k < st.inputs; ++k) {
    view_in_step const& v = p.views[st.view + k];
    if (v.window != 0 || v.gather_size != 0) return false;
    see(v.buffer < 0 ? type_of_ramp(v.buffer) : p.buffers[v.buffer].d);
  }
  for (int i = 0; i < stmts; ++i) see(of(i).d);
  bool const joins = joins_rows(p, st, w, stmts, sums, phases, widest);
  bool stores = false;  // elements, of which those of a row's last register are computed twice
  for (int i = 0; i < stmts; ++i) stores = stores || (of(i).at == level::element && of(i).outs != 0);
  if (row > (sums ? limits::summed : limits::flat) && (!joins || stores)) return false;
  if (!sums && row * widest >= limits::flat_bytes) return false;
  for (int i = 0; i < stmts; ++i) {
    stmt_head const h = of(i);
    ops::form const f = ops::table.at[h.op].form;
    if (f == ops::form::arg_reduction && (!is_floating(h.d) || bytes_of(h.d) != widest)) return false;
    if (f == ops::form::convert) {
      if (h.d == dtype::u32 || h.d == dtype::i64 || (h.d == dtype::f32 && has_i64))
        return false;  // no register has all of these
    } else if (h.d != dtype::boolean && h.op != code<ops::select_p> && bytes_of(h.d) != widest) return false;
  }
  joined = joins;
  return true;
}

/// Where the last of the outer loops has too few rows to go together: the longest of the others that walks over no more
/// than some lines of a cache from row to row; -1 if there is none.
constexpr int long_loop(draft const& p, step const& st) {
  using limits = tuning::short_rows;
  auto length = [&](int i) { return st.loop[i] < 0 ? tuning::lanes::named : st.loop[i]; };
  if (st.n_outer < 2 || st.inner < 0 || length(st.n_outer - 1) >= limits::least) return -1;
  int longest = -1;
  extent walked = st.inner;  // bytes
  for (int k = st.view; k < st.view + st.inputs + st.outputs; ++k)
    if (int const b = p.views[k].buffer; b >= 0) walked = std::max(walked, st.inner * bytes_of(p.buffers[b].d));
  for (int i = st.n_outer - 2; i >= 0; --i) {
    walked *= length(i + 1);
    if (walked > limits::walked_over) break;
    if (length(i) >= limits::least && (longest < 0 || length(i) > length(longest))) longest = i;
  }
  return longest;
}
/// An outer loop changes places with the last one.
constexpr void swap_outer(draft& p, step& st, int loop) {
  int const last = st.n_outer - 1;
  std::swap(st.loop[loop], st.loop[last]);
  for (int k = 0; k < st.inputs + st.outputs; ++k) {
    extent* stride = p.views[st.view + k].stride;
    std::swap(stride[loop], stride[last]);
  }
}

/// The input that alone says which elements of input k are picked, and that moves along the innermost loop; else -1.
constexpr int index_of(draft const& p, step const& st, int k, std::int64_t const* w, int stmts) {
  int by = -1;
  for (int i = 0; i < stmts; ++i) {
    std::int64_t const* of = w + head_words + i * stmt_words;
    auto operand = [&](int o) { return kernel_operand::read(of[1 + o]); };
    auto is_k = [&](int o) { return operand(o).kind == kernel_operand::input && operand(o).of == k; };
    int const op = stmt_head::read(of[0]).op, arity = ops::table.at[op].arity;
    for (int o = 0; o < arity; ++o) {
      if (!is_k(o)) continue;
      if (ops::table.at[op].form != ops::form::gather || o != 0 || operand(1).kind != kernel_operand::input) return -1;
      if (by >= 0 && by != operand(1).of) return -1;
      by = operand(1).of;
    }
  }
  if (by < 0) return -1;
  view_in_step const& index = p.views[st.view + by];
  motion const m = motion_of(index);
  return index.buffer >= 0 && (m == motion::next || m == motion::strided) ? by : -1;
}
/// How the inputs of a step are picked from.
constexpr void find_picking(draft const& p, step const& st, std::int64_t const* w, int stmts, picking* of) {
  auto view = [&](int k) -> view_in_step const& { return p.views[st.view + k]; };
  // of an element; registers hold those of 4 and more as they lie
  auto bytes = [&](int k) { return view(k).buffer >= 0 ? bytes_of(p.buffers[view(k).buffer].d) : 0; };
  auto alike = [&](int j, int k) {
    view_in_step const &x = view(j), &y = view(k);
    return x.gather_size == y.gather_size && x.gather_stride == y.gather_stride && x.inner == y.inner;
  };
  for (int k = 0; k < st.inputs; ++k)
    if (bytes(k) >= 4 && motion_of(view(k)) == motion::indexed) of[k].by = index_of(p, st, k, w, stmts);
  for (int k = 0; k < st.inputs; ++k) {
    bool alone = true;
    for (int j = 0; j < st.inputs && alone && of[k].by >= 0; ++j)
      alone = j == k || of[j].by != of[k].by || view(j).buffer != view(k).buffer || !alike(j, k);
    if (alone) of[k].by = -1;
  }
  for (int k = 0; k < st.inputs; ++k) {
    view_in_step const& x = view(k);
    if (x.gather_size == 0) continue;
    extent const last = ext::mul(x.gather_size, x.gather_stride), lanes = ext::mul(x.inner, tuning::cache::line);
    of[k].is_near = x.gather_size > 0 && x.gather_stride >= 0 && x.inner >= 0 && last >= 0 && lanes >= 0 &&
                    last + lanes <= std::numeric_limits<std::int32_t>::max();
    bool const is_row = bytes(k) >= 4 && x.gather_stride == 1 && x.inner == 0 && x.gather_size > 0;
    if (is_row && x.gather_size * bytes(k) <= tuning::table_bytes) of[k].table = int(x.gather_size);
    int& first = of[k].as = 0;  // what has a tile lies elsewhere
    while (!alike(first, k) || (of[first].by >= 0) != (of[k].by >= 0)) ++first;
  }
}

/// The strides of a piece of an array, of which update i says where it is; returns its offset.
constexpr extent strides_of_place(graph const& g, int i, extent* stride) {
  node_info const& n = g.nodes[i];
  tensor_type const& whole = g.values[n.value].type;
  row_major(whole, stride);
  extent offset = 0;
  for (int a = 0; a < whole.rank; ++a) {
    ops::update_dim const at = ops::update_dim::read(g.attrs + n.attr, a);
    if (at.start != 0) offset = ext::add(offset, ext::mul(stride[a], at.start));
    if (at.step != 1) stride[a] = ext::mul(stride[a], at.step);
  }
  return offset;
}
/// Results whose elements lie apart along the innermost loop are stored so. (Other loops ask at the call.)
constexpr void mark_results_apart(planner const& d, step const& st, std::int64_t* w, int n_stmts) {
  view_in_step const* out = d.p.views + st.view + st.inputs;
  for (int i = 0; i < n_stmts; ++i) {
    std::int64_t& head = w[head_words + i * stmt_words];
    stmt_head const h = stmt_head::read(head);
    bool apart = false;
    for (int left = h.outs; left; left >>= 1)
      if (left & 1) {
        extent const step = (out++)->inner;
        apart = apart || (step != 0 && step != 1);
      }
    if (apart) head = stmt_head::word(h.op, h.d, h.at, h.outs | stmt_head::apart, h.phases);
  }
}

constexpr void write_kernel(planner& d, int s) {
  draft& p = d.p;
  step& st = p.steps[s];
  space const& sp = d.c.spaces[st.node];
  int n_stmts = 0, phases = find_phases(d, st.node, sp, n_stmts);
  int from = p.n_words, at = head_words;
  std::int64_t* w = p.words + from;
  extent elements = sp.t.size();
  st.number = p.n_numbers;
  for (int i = d.head[st.node]; i > 0; i = d.next[i - 1]) at = write_statement(d, st, sp, elements, i - 1, w, at);
  st.inputs = st.view < 0 ? 0 : p.n_views - st.view;
  write_windows(d, st, sp);
  for (int i = d.head[st.node]; i > 0; i = d.next[i - 1]) {
    auto const& n = d.g.nodes[i - 1];
    for (int k = 0; k < n.results; ++k)
      if (int b = d.value_buffer[n.value + k]; b > 0) {
        extent stride[max_rank]{};
        view_in_step& w = d.add_view(st, b - 1);
        int const place = d.c.place[i - 1] - 1, as = place < 0 ? n.value + k : d.g.edges[d.g.nodes[place].edge + 1];
        tensor_type const& t = d.g.values[as].type;
        if (place >= 0) w.offset = strides_of_place(d.g, place, stride);
        else row_major(t, stride);
        set_strides(w, sp, t, stride, d.element[i - 1]);
        ++st.outputs;
      }
  }
  for (int k = 0; k < st.inputs + st.outputs; ++k) d.use(p.views[st.view + k].buffer, s);
  bool const sums = sp.split >= 0, stencil = d.c.moves_of[st.node] > 0;
  make_loops(d, st, sp, stencil);
  bool joined = false;
  auto has_short = [&] { return has_short_rows(p, st, w, n_stmts, sums, phases, joined); };
  bool short_rows = !stencil && !(sums && sp.is_columns()) && has_short();
  if (int const loop = long_loop(p, st); !stencil && !(sums && sp.is_columns()) && !short_rows && loop >= 0) {
    swap_outer(p, st, loop);
    short_rows = has_short();
    if (!short_rows) swap_outer(p, st, loop);
  }
  nest const loops = choose_nest({stencil, sums, sp.is_columns(), short_rows, joined, elements});
  if (loops == nest::pointwise || loops == nest::columns || loops == nest::rows) mark_results_apart(d, st, w, n_stmts);
  w[0] = std::int64_t(loops);
  w[1] = phases;
  w[2] = n_stmts;
  w[3] = st.inputs;
  auto* of = new picking[std::size_t(st.inputs + 1)];
  find_picking(p, st, w, n_stmts, of);
  for (int k = 0; k < st.inputs; ++k) {
    view_in_step const& x = p.views[st.view + k];
    w[at++] = std::int64_t(x.buffer < 0 ? type_of_ramp(x.buffer) : p.buffers[x.buffer].d);
    w[at++] = kernel_words::word_of_input(motion_of(x), of[k]);
  }
  delete[] of;
  p.n_words += at;
  st.kernel = unique(d, from, at);
}

}  // namespace etna::planning
