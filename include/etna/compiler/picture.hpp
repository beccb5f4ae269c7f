// SPDX-License-Identifier: BSD-3-Clause
// A graph at rest: a constant that is compiled, shown, and written again where a compiled function is
// called on values that are being recorded. Read next: program.hpp.
#pragma once
#include <etna/tracing/graph.hpp>

namespace etna::compiler {

template <int Nodes, int Values, int Edges, int Attrs, int Outputs> struct picture_storage {
  tracing::node_info nodes[Nodes];
  tracing::value_info values[Values];
  int edges[Edges];
  std::int64_t attrs[Attrs];
  int outputs[Outputs];
  int n_nodes, n_values, n_edges, n_attrs, n_outputs;
  int error;  // an etna error number; in which scope
  int error_scope;
  bool has_wide;
  bool effects;

  template <class Graph> constexpr void count(Graph const& g, int n_out) {
    n_nodes = g.n_nodes;
    n_values = g.n_values;
    n_edges = g.n_edges;
    n_attrs = g.n_attrs;
    n_outputs = n_out;
    error = g.error;
    error_scope = g.error_scope;
    has_wide = g.has_wide;
    effects = g.effects;
  }
  template <class Graph> constexpr void take(Graph const& g, int const* out, int n_out) {
    count(g, n_out);
    for (int i = 0; i < n_nodes; ++i) nodes[i] = g.nodes[i];
    for (int i = 0; i < n_values; ++i) values[i] = g.values[i];
    for (int i = 0; i < n_edges; ++i) edges[i] = g.edges[i];
    for (int i = 0; i < n_attrs; ++i) attrs[i] = g.attrs[i];
    for (int i = 0; i < n_out; ++i) outputs[i] = out[i];
  }
  /// A graph over this memory, to be read.
  constexpr tracing::graph graph() const {
    tracing::graph g;
    g.nodes = const_cast<tracing::node_info*>(nodes);
    g.values = const_cast<tracing::value_info*>(values);
    g.edges = const_cast<int*>(edges);
    g.attrs = const_cast<std::int64_t*>(attrs);
    g.n_nodes = n_nodes;
    g.n_values = n_values;
    g.n_edges = n_edges;
    g.n_attrs = n_attrs;
    g.has_wide = has_wide;
    g.effects = effects;
    return g;
  }
};
/// With room to spare.
using picture = picture_storage<tracing::most_nodes, tracing::most_nodes, 3 * tracing::most_nodes,
                                6 * tracing::most_nodes, tracing::most_nodes>;

// g++ remembers the result of a call, and keeps each constant variable in an object file that is not optimised;
// the others forget calls.
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#define ETNA_CALLS_ARE_REMEMBERED 1
#endif

/// A value made while compiling that the program does not keep. The constructor of Made makes it, in its place: what a
/// function returns is copied, part by part.
template <class Made> struct transient {
#if defined(ETNA_CALLS_ARE_REMEMBERED)
  static constexpr Made get() { return Made{}; }
#else
  static constexpr Made value{};
  static constexpr Made const& get() { return value; }
#endif
};

/// The picture that Source::get() gives, without its spare room: a constant of the program.
template <class Source> struct kept_picture {
  struct counts {
    int nodes, values, edges, attrs, outputs;
  };
  static constexpr counts count(picture const& g) {
    return {g.n_nodes + 1, g.n_values + 1, g.n_edges + 1, g.n_attrs + 1, g.n_outputs + 1};
  }
  static constexpr auto tighten(picture const& g) {
    constexpr counts n = count(Source::get());
    picture_storage<n.nodes, n.values, n.edges, n.attrs, n.outputs> t{};
    t.take(g, g.outputs, g.n_outputs);
    return t;
  }
  static constexpr auto value = tighten(Source::get());
};

/// A trace as replay needs it: a constant of the program.
template <class Source> struct kept_script {
  struct counts {
    int nodes, edges, attrs, sources, outputs;
  };
  static constexpr counts count(picture const& g) {
    counts c{g.n_nodes + 1, g.n_edges + 1, g.n_attrs + 1, 1, g.n_outputs + 1};
    for (int i = 0; i < g.n_nodes; ++i) c.sources += g.nodes[i].operands == 0;
    return c;
  }
  static constexpr counts n = count(Source::get());
  struct storage {
    tracing::node_info nodes[n.nodes];
    int edges[n.edges];
    std::int64_t attrs[n.attrs];
    tensor_type sources[n.sources];
    int outputs[n.outputs];
    int n_values;
  };
  static constexpr storage make(picture const& g) {
    storage t{};
    for (int i = 0, s = 0; i < g.n_nodes; ++i) {
      t.nodes[i] = g.nodes[i];
      if (g.nodes[i].operands == 0) t.sources[s++] = g.values[g.nodes[i].value].type;
    }
    for (int i = 0; i < g.n_edges; ++i) t.edges[i] = g.edges[i];
    for (int i = 0; i < g.n_attrs; ++i) t.attrs[i] = g.attrs[i];
    for (int i = 0; i < g.n_outputs; ++i) t.outputs[i] = g.outputs[i];
    t.n_values = g.n_values;
    return t;
  }
  static constexpr storage value = make(Source::get());
  static constexpr tracing::script script() {
    return {value.nodes,   value.edges, value.attrs,    value.sources,
            value.outputs, n.nodes - 1, value.n_values, n.outputs - 1};
  }
};

}  // namespace etna::compiler
