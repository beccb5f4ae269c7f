// SPDX-License-Identifier: BSD-3-Clause
// The first half of planning: which values are memory, and in which order kernels run.
// Read next: loops.hpp.
#pragma once
#include "fuse.hpp"
#include "plan.hpp"

namespace etna::planning {

/// A plan and what its making knows of the graph, by node or value. Lists hold a number + 1; 0 is none.
struct planner {
  graph const& g;
  view const* v;
  cut& c;
  draft& p;
  std::int64_t* hash;  // of unique kernels
  int const* outputs;  // values of the graph
  int n_out;
  int const* numbers;                    // nested node -> where the step's numbers are, + 1
  frame f{};                             // being made
  int workspace[tracing::most_nodes]{};  // nested node -> the buffer of its frames
  int value_buffer[tracing::most_nodes]{};
  int kernel[tracing::most_nodes]{};                             // node -> first node of its kernel, -1: runs in none
  int head[tracing::most_nodes]{}, tail[tracing::most_nodes]{};  // kernel -> its nodes, in order
  int next[tracing::most_nodes]{}, previous[tracing::most_nodes]{};
  int local[tracing::most_nodes]{};  // node -> statement of its kernel
  int phase[tracing::most_nodes]{}, mask[tracing::most_nodes]{};
  bool element[tracing::most_nodes]{};  // node -> one value an element of its kernel

  constexpr planner(graph const& g, view const* v, cut& c, int const* outputs, int n_out, std::int64_t* hash,
                    int const* numbers, draft& p)
      : g(g), v(v), c(c), p(p), hash(hash), outputs(outputs), n_out(n_out), numbers(numbers) {
    f.step = p.n_steps;
    f.buffer = p.n_buffers;
  }

  constexpr int buffer_of(int value) const { return value_buffer[v[value].root] - 1; }
  constexpr bool is_out(int i) const {
    auto const& n = g.nodes[i];
    return value_buffer[n.value] || (n.results > 1 && value_buffer[n.value + 1]);
  }
  constexpr void use(int b, int s) {
    if (b < 0) return;  // a ramp is no memory
    buffer& x = p.buffers[b];
    if (s < x.first) x.first = s;
    if (s > x.last) x.last = s;
  }
  constexpr view_in_step& add_view(step& st, int b) {
    if (st.view < 0) st.view = p.n_views;
    view_in_step& w = p.views[p.n_views++];
    w.buffer = b;
    return w;
  }
  constexpr int new_memory(buffer::kind_t k, dtype d, extent size, int index) {
    p.buffers[p.n_buffers] = {k, d, size, index, INT_MAX, -1, 0, 0, -1, false};
    return p.n_buffers++;
  }
  constexpr void new_buffer(buffer::kind_t k, int value, int index) {
    tensor_type const& t = g.values[value].type;
    value_buffer[value] = 1 + new_memory(k, t.d, t.size(), index);
  }
};

constexpr void keep_numbers(planner& w, node_info const& n) {
  w.p.has_constants = true;
  for (int k = 0; k < n.attrs; ++k) w.p.numbers[w.p.n_numbers++] = w.g.attrs[n.attr + k];
}

constexpr void make_buffers(planner& w) {
  graph const& g = w.g;
  cut const& c = w.c;
  for (int i = 0; i < g.n_nodes; ++i) {
    auto const& n = g.nodes[i];
    node_class cls = c.cls[i];
    int up = c.parent[i];  // never behind i, so its kernel is known
    bool const runs = (cls == node_class::compute || cls == node_class::opaque) && !c.whole[i];
    w.kernel[i] = !runs ? -1 : up == i ? i : w.kernel[up];
    if (n.op == code<ops::input_p>) w.new_buffer(buffer::argument, n.value, int(g.attrs[n.attr]));
    else if (cls == node_class::source) {
      w.new_buffer(n.op == code<ops::extent_size_p> ? buffer::size_of : buffer::constant, n.value, w.p.n_numbers);
      keep_numbers(w, n);
    }
  }
  w.f.result = w.p.n_buffers;
  for (int k = 0; k < w.n_out; ++k) w.new_buffer(buffer::result, w.v[w.outputs[k]].root, k);
  // what is put together has memory, and each piece its place there
  for (int i = 0; i < g.n_nodes; ++i) {
    if (c.whole[i] != i + 1) continue;
    int& whole = w.value_buffer[g.nodes[i].value];
    if (!whole) w.new_buffer(buffer::temporary, g.nodes[i].value, -1);
    w.p.buffers[whole - 1].in_pieces = true;
  }
  for (int i = 0; i < g.n_nodes; ++i)
    if (c.place[i]) w.value_buffer[g.nodes[i].value] = w.value_buffer[g.nodes[c.whole[c.place[i] - 1] - 1].value];
  // what another kernel reads is memory
  for (int i = 0; i < g.n_nodes; ++i) {
    if (w.kernel[i] < 0) continue;
    auto const& n = g.nodes[i];
    if (c.cls[i] == node_class::opaque) {
      for (int k = 0; k < n.results && !c.sum[i]; ++k)
        if (!w.value_buffer[n.value + k]) w.new_buffer(buffer::temporary, n.value + k, -1);
      if (ops::is_nested(c.form[i])) w.workspace[i] = w.new_memory(buffer::temporary, dtype::u8, 0, -1);
    }
    for (int k = 0; k < n.operands; ++k) {
      int root = w.v[g.edges[n.edge + k]].root, r = g.values[root].node;
      if (c.cls[r] == node_class::compute && !w.value_buffer[root] && w.kernel[r] != w.kernel[i])
        w.new_buffer(buffer::temporary, root, -1);
    }
  }
}

/// The scopes of a step's equations, each once and four at most, for labels and show.
constexpr void keep_scopes(planner& w, int s) {
  constexpr int most = 4;
  int scopes[most]{}, n = 0, left_out = 0;
  step& st = w.p.steps[s];
  auto look = [&](int scope) {
    for (int k = 0; k < n; ++k)
      if (scopes[k] == scope) return;
    if (scope == 0) return;
    if (n < most) scopes[n++] = scope;
    else left_out = 1;
  };
  for (int j = w.head[st.node]; j > 0; j = w.next[j - 1]) look(w.g.nodes[j - 1].scope);
  if (n == 0) return;
  std::int64_t* words = w.p.numbers + w.p.n_numbers;
  int size = 0;
  auto put = [&](char c) { packed::put(words + 1, size++, c); };
  for (int k = 0; k < n; ++k) {
    if (k) put(','), put(' ');
    tracing::put_scope(w.g.attrs, scopes[k], put);
  }
  for (int k = 0; k < 5 * left_out; ++k) put(", ..."[k]);
  words[0] = size;
  st.scope = w.p.n_numbers + 1;
  w.p.n_numbers += 1 + packed::words(size);
}

/// Kernels by stage, then by their first node; the nodes of each as a list.
constexpr void order_steps(planner& w) {
  graph const& g = w.g;
  cut const& c = w.c;
  int most = 0;
  for (int i = 0; i < g.n_nodes; ++i) {
    int k = w.kernel[i];
    if (k < 0) continue;
    if (w.head[k] == 0) w.head[k] = i + 1;
    else w.next[w.tail[k] - 1] = i + 1;
    w.previous[i] = w.tail[k];
    w.tail[k] = i + 1;
    if (c.stage[k] > most) most = c.stage[k];
  }
  int *first = w.local, *last = w.phase, *follow = w.mask;  // moves_of by stage, in memory used later
  for (int i = 0; i < g.n_nodes; ++i)
    if (w.head[i]) {
      int s = c.stage[i];
      (first[s] ? follow[last[s] - 1] : first[s]) = i + 1;
      last[s] = i + 1;
    }
  for (int s = 0; s <= most; ++s)
    for (int i = first[s]; i > 0; i = follow[i - 1]) {
      step& st = w.p.steps[w.p.n_steps++];
      st.node = i - 1;
      st.kernel = st.view = -1;
    }
}

}  // namespace etna::planning
