// SPDX-License-Identifier: BSD-3-Clause
// A graph: equations over values, in the order in which they were written (so it is topological).
// Its storage is bounded and in-object in constant evaluation, where nothing is allocated; on the
// heap it grows (recipes, eager traces). Levels and depths carry vmap, see docs/architecture/transforms.md.
// Read next: emit.hpp.
#pragma once
#include <iterator>
#include <type_traits>

#include <etna/array/traced.hpp>

#include "precision.hpp"

namespace etna::tracing {

/// One result of a node. A value of level L > 0 is one example inside the L-th enclosing vmap; all
/// examples together are the value `shadow`, with the mapped axis in front.
struct value_info {
  tensor_type type;
  int node;
  int level;
  int shadow;
};

/// One equation. It is one of the worlds `level`..`depth`: a world is the number of enclosing vmaps.
struct node_info {
  int op;
  int level, depth;
  int edge, operands;  // operand values, in the pool of edges
  int attr, attrs;     // attributes, in the pool of attributes
  int value, results;  // its values are consecutive
  int scope;           // of names, scope.hpp; 0: none
  int effect;          // it does something besides its results (a print): live, written once each, in order
  bool derived;        // written by a rule of a derivative, whose zeros are left out of sums: -0 + 0 is -0 there
};

template <class X> constexpr int grow(X*& p, int n, int to) {
  X* q = new X[std::size_t(to)];
  for (int i = 0; i < n; ++i) q[i] = p[i];
  delete[] p;
  p = q;
  return to;
}

struct capacity {
  int nodes, edges, attrs, scratch;
};

/// A trace to be written again: its equations, and the types of those without operands (in order).
struct script {
  node_info const* nodes;
  int const* edges;
  std::int64_t const* attrs;
  tensor_type const* sources;
  int const* outputs;
  int n_nodes, n_values, n_outputs;
};

/// Values that follow one another.
struct followed_values {
  int first, top;
};

/// Axes of the mesh on which a program runs: names, and sizes; 0: told when it runs. `mesh`: its number
/// (group/mesh.hpp).
struct mesh_names {
  int n = 0;
  std::int64_t mesh = 0;
  extent name[4]{}, size[4]{};
};

struct graph {
  node_info* nodes = nullptr;
  value_info* values = nullptr;
  int* edges = nullptr;
  std::int64_t* attrs = nullptr;
  int* scratch = nullptr;
  capacity cap{};
  int n_nodes = 0, n_values = 0, n_edges = 0, n_attrs = 0, n_scratch = 0, most_scratch = 0;
  int depth = 0;
  int floor = 0;  // inside a block: the vmaps around it, which do not batch what is written in it
  int error = 0;  // what a transform could not do: an etna error number; in which scope
  int error_scope = 0;
  int reads = 0;  // numbers that were asked for and are not known; the evaluation ends at so many
  static constexpr int most_reads = 4096;
  bool has_wide = false;  // equations of any number of operands and results
  bool abstract = false;  // inside a block: equations are written, and not evaluated
  bool effects = false;   // some equation has one
  bool on_heap = false;
  int refs = 0;
  int scope = 0, barrier = 0;  // of what is written now, and the region around it: entries in the pool of attributes,
  int scopes = 0;              // the latest of them (scope.hpp)
  bool derived = false;        // what is written now is a derivative's
  precision precision_here = precision::usual;    // of products that are written now, and,
  precision precision_around = precision::usual;  // once taken in by another graph, what that had
  graph* forward = nullptr;                       // taken in by another graph; values moved up by `offset`
  int offset = 0;
  graph *taken = nullptr, *next_taken = nullptr;  // in constant evaluation: those that it has taken in, which it owns
  extent batch[16]{};                             // size of the mapped axis of each level
  extent names[16]{};                             // and its name, or 0
  mesh_names mesh;
  int entered[16]{};               // and the first value that may be one of its examples; beyond all when it is left
  int most_depth = 0;              // the deepest of them all
  followed_values followed[16]{};  // the arguments of derivatives whose functions run now
  int n_followed = 0;
  numbers* rt = nullptr;
  static constexpr int constant_bits = 6;
  int constants[1 << constant_bits]{};  // some values that are constant arrays, by hash: ops::full_of

  constexpr node_info const& node(int i) const { return nodes[i]; }
  constexpr tensor_type const& type(int id) const { return values[id].type; }
  constexpr int operand(node_info const& n, int k) const { return edges[n.edge + k]; }
  constexpr std::int64_t const* attrs_of(node_info const& n) const { return attrs + n.attr; }

  /// Append an equation; its values follow one another from the index returned.
  constexpr int append(int op, int level, int const* in, int n_in, std::int64_t const* at, int n_at,
                       tensor_type const* out, int n_out) {
    if (n_nodes >= cap.nodes || n_values + n_out > cap.nodes || n_edges + n_in > cap.edges ||
        n_attrs + n_at > cap.attrs)
      return grown(op, level, in, n_in, at, n_at, out, n_out);
    int first = n_values;
    nodes[n_nodes] = {op, level, depth, n_edges, n_in, n_attrs, n_at, first, n_out, scope, 0, derived};
    for (int k = 0; k < n_in; ++k) edges[n_edges++] = in[k];
    for (int k = 0; k < n_at; ++k) attrs[n_attrs++] = at[k];
    for (int k = 0; k < n_out; ++k) values[n_values++] = {out[k], n_nodes, level, -1};
    ++n_nodes;
    return first;
  }

  /// The same where the pools must move first: what is to be written may lie in them, as a rule's attributes do.
  constexpr int grown(int op, int level, int const* in, int n_in, std::int64_t const* at, int n_at,
                      tensor_type const* out, int n_out) {
    int* ids = new int[std::size_t(n_in + 1)]{};
    auto* attributes = new std::int64_t[std::size_t(n_at + 1)]{};
    auto* types = new tensor_type[std::size_t(n_out + 1)]{};
    for (int k = 0; k < n_in; ++k) ids[k] = in[k];
    for (int k = 0; k < n_at; ++k) attributes[k] = at[k];
    for (int k = 0; k < n_out; ++k) types[k] = out[k];
    room(1, n_out, n_in, n_at);
    int first = append(op, level, ids, n_in, attributes, n_at, types, n_out);
    delete[] ids;
    delete[] attributes;
    delete[] types;
    return first;
  }

  /// A vmap begins.
  constexpr void enter(int level) {
    entered[level] = n_values;
    if (level > most_depth) most_depth = level;
  }
  /// From now on these are the arguments of a derivative whose function runs.
  constexpr void follow(followed_values v) {
    if (n_followed == int(std::size(followed))) throw "derivatives are nested more than 16 deep";
    followed[n_followed++] = v;
  }
  constexpr void unfollow(int first) {
    int i = n_followed - 1;
    while (i > 0 && followed[i].first != first) --i;
    for (--n_followed; i < n_followed; ++i) followed[i] = followed[i + 1];
  }

  /// Append a word to the pool of attributes.
  constexpr void word(std::int64_t w) {
    if (n_attrs >= cap.attrs) room(0, 0, 0, 64);
    attrs[n_attrs++] = w;
  }
  /// Append an equation of any number of operands and results, whose attributes end the pool from `at` on; the caller
  /// sets the results' types.
  constexpr int append_wide(int op, int level, int const* in, int n_in, int at, int n_at, int n_out) {
    room(1, n_out, n_in, 0);
    has_wide = true;
    int first = n_values;
    nodes[n_nodes] = {op, level, depth, n_edges, n_in, at, n_at, first, n_out, scope, 0, derived};
    for (int k = 0; k < n_in; ++k) edges[n_edges++] = in[k];
    for (int k = 0; k < n_out; ++k) values[n_values++] = {{}, n_nodes, level, -1};
    ++n_nodes;
    return first;
  }

  /// A graph on the heap, empty. Release it with tracing::release.
  static constexpr graph* make(capacity c) {
    graph* g = new graph;  // E057: an array is no constexpr variable; write static const
    g->cap = c;
    g->nodes = new node_info[std::size_t(c.nodes)];
    g->values = new value_info[std::size_t(c.nodes)];
    g->edges = new int[std::size_t(c.edges)];
    g->attrs = new std::int64_t[std::size_t(c.attrs)];
    g->scratch = new int[std::size_t(c.scratch)];
    g->on_heap = true;
    g->refs = 1;
    return g;
  }
  constexpr void free_pools() {
    delete[] nodes;
    delete[] values;
    delete[] edges;
    delete[] attrs;
    delete[] scratch;
  }

  constexpr void room(int more_nodes, int more_values, int more_edges, int more_attrs) {
    if (n_nodes + more_nodes <= cap.nodes && n_values + more_values <= cap.nodes && n_edges + more_edges <= cap.edges &&
        n_attrs + more_attrs <= cap.attrs)
      return;
    // A bounded graph: the evaluation ends here, and is no constant (ETNA_MOST_NODES is its room).
    if (!on_heap) throw "the graph's capacity is used up";
    cap.nodes = grow(nodes, n_nodes, cap.nodes * 2 + more_nodes + more_values);
    grow(values, n_values, cap.nodes);
    cap.edges = grow(edges, n_edges, cap.edges * 2 + more_edges);
    cap.attrs = grow(attrs, n_attrs, cap.attrs * 2 + more_attrs);
  }
};

/// Ints for the time of one pass, taken from the graph's pool: no allocation while compiling.
struct scratch_frame {
  graph& g;
  int from, n;
  int* heap = nullptr;
  constexpr scratch_frame(graph& g, int n, int fill) : scratch_frame(g, n) {
    int* p = data();
    for (int i = 0; i < n; ++i) p[i] = fill;
  }
  /// Not filled.
  constexpr scratch_frame(graph& g, int n) : g(g), from(g.n_scratch), n(n) {
    if (g.on_heap) heap = new int[std::size_t(n + 1)];
    else if (from + n > g.cap.scratch) throw "the graph's capacity is used up";
    else g.n_scratch += n;
    if (g.n_scratch > g.most_scratch) g.most_scratch = g.n_scratch;
  }
  scratch_frame(scratch_frame const&) = delete;
  constexpr ~scratch_frame() {
    if (g.on_heap) delete[] heap;
    else g.n_scratch = from;
  }
  constexpr int* data() const { return heap ? heap : g.scratch + from; }
  constexpr int& operator[](int i) const { return data()[i]; }
};

/// Equations that a graph may have in constant evaluation. Compilers keep arrays of zeros as one number until
/// they are written, so room costs nothing; nvcc keeps them whole, and bounds the size of an object.
#if defined(ETNA_MOST_NODES)
inline constexpr int most_nodes = ETNA_MOST_NODES;
#elif defined(__CUDACC__)
inline constexpr int most_nodes = 8192;
#else
inline constexpr int most_nodes = 262144;
#endif

/// A base of what a pass works in. nvcc tries each local variable as a constant where a function is read, and would
/// keep the zeros of all passes for a file that only includes them (a gigabyte): there the try ends at once.
#if defined(__CUDACC__)
inline void leave_constants() {}
struct working {
  constexpr working() {
    if (!__builtin_is_constant_evaluated()) leave_constants();
  }
};
#else
struct working {};
#endif

/// Zeros for a pass: a class around them, since clang writes out each element of a bare local array.
template <class T, int N = most_nodes> struct zeros : working {
  T at[N]{};
};

/// Let g write its equations into these pools, of that many nodes, and work in `scratch`.
template <class Pools> constexpr void write_into(graph& g, Pools& pools, int* scratch) {
  g.nodes = pools.nodes;
  g.values = pools.values;
  g.edges = pools.edges;
  g.attrs = pools.attrs;
  g.scratch = scratch;
  g.cap = {most_nodes, 3 * most_nodes, 6 * most_nodes, 4 * most_nodes};
}

/// A graph whose storage is in the object: for constant evaluation.
struct bounded_graph : working {
  node_info nodes[most_nodes]{};
  value_info values[most_nodes]{};
  int edges[3 * most_nodes]{};
  std::int64_t attrs[6 * most_nodes]{};
  int scratch[4 * most_nodes]{};
  graph g;
  constexpr bounded_graph() { write_into(g, *this, scratch); }
  bounded_graph(bounded_graph const&) = delete;
};

/// Make it empty again: room for another graph.
constexpr void clear(bounded_graph& r) {
  int const used = std::max(r.g.n_scratch, r.g.most_scratch);
  for (int i = 0; i < used; ++i) r.scratch[i] = 0;
  r.g = graph{};
  write_into(r.g, r, r.scratch);
}

/// Forget what a pass has written: it writes anew.
constexpr void forget(graph& g) {
  int const used = std::max(g.n_scratch, g.most_scratch);
  for (int i = 0; i < used; ++i) g.scratch[i] = 0;
  for (int& id : g.constants) id = 0;
  g.n_nodes = g.n_values = g.n_edges = g.n_attrs = g.n_scratch = g.scopes = 0;
  g.has_wide = g.effects = false;
}

/// Free the graphs on the heap that g has taken in, in constant evaluation. g++ 12 miscounts there: it copies an array
/// that is a member (of a std::array too), and what `?:` gives, without the constructor, and destroys both. So a graph
/// that was taken in is not freed by count, but at the end.
constexpr void free_taken(graph& g) {
  for (graph* t = g.taken; t;) {
    graph* next = t->next_taken;
    free_taken(*t);
    t->free_pools();
    delete t;
    t = next;
  }
  g.taken = nullptr;
}
/// The graph that counts for g: in constant evaluation that of which it is a part.
constexpr graph* counted(graph* g) {
  if (__builtin_is_constant_evaluated())
    while (g->forward) g = g->forward;
  return g;
}
inline void drop_numbers(numbers* n) { eager::recording.load(std::memory_order_acquire)->drop(n); }
/// References of graphs on the heap. Functions of their own at run time: each array's copies and ends call them.
struct references {
  [[gnu::noinline]] static constexpr void add(graph* g) {
    g = counted(g);
    if (g->on_heap) ++g->refs;
  }
  [[gnu::noinline]] static constexpr void drop(graph* g) {
    g = counted(g);
    if (!g->on_heap || --g->refs > 0) return;
    if (__builtin_is_constant_evaluated()) free_taken(*g);
    graph* next = g->forward;
    if (g->rt) drop_numbers(g->rt);
    g->free_pools();
    delete g;
    if (next && next->on_heap) drop(next);
  }
};
constexpr void retain(graph* g) {
  if (g->on_heap) references::add(g);
}
constexpr void release(graph* g) {
  if (g->on_heap) references::drop(g);
}

/// Where the value lives now, if its graph was taken in by another.
constexpr var resolve(var v) {
  while (v.g && v.g->forward) {
    v.id += v.g->offset;
    v.g = v.g->forward;
  }
  return v;
}
constexpr tensor_type const& type_of(var v) {
  for (; v.g->forward; v.g = v.g->forward) v.id += v.g->offset;
  return v.g->values[v.id].type;
}

void move_numbers(graph& from, graph& to);
/// Scopes of a graph that was taken in: its attributes lie `by` further.
constexpr void adopt_scopes(graph const& from, graph& to, int by);

/// Take all of `from` into `to`; values of `from` stay reachable through `forward`.
constexpr void absorb(graph& from, graph& to) {
  to.room(from.n_nodes, from.n_values, from.n_edges, from.n_attrs);
  if (from.abstract) {
    to.abstract = true;
    to.floor = to.depth + from.floor;
  }
  to.has_wide = to.has_wide || from.has_wide;
  int v0 = to.n_values, n0 = to.n_nodes, e0 = to.n_edges, a0 = to.n_attrs;
  for (int i = 0; i < from.n_nodes; ++i) {
    node_info n = from.nodes[i];
    n.edge += e0;
    n.attr += a0;
    n.value += v0;
    n.level += n.level > 0 ? to.depth : 0;
    n.depth += to.depth;
    n.scope = n.scope ? n.scope + a0 : from.barrier ? 0 : to.scope;
    if (n.effect == 1 && from.barrier) n.effect = 2 + v0;  // of a region that is open there
    to.nodes[to.n_nodes++] = n;
  }
  for (int i = 0; i < from.n_values; ++i) {
    value_info x = from.values[i];
    x.node += n0;
    x.level += x.level > 0 ? to.depth : 0;
    if (x.shadow >= 0) x.shadow += v0;
    to.values[to.n_values++] = x;
  }
  for (int i = 0; i < from.n_edges; ++i) to.edges[to.n_edges++] = from.edges[i] + v0;
  for (int i = 0; i < from.n_attrs; ++i) to.attrs[to.n_attrs++] = from.attrs[i];
  to.effects = to.effects || from.effects;
  if (from.precision_here != precision::usual) {
    from.precision_around = to.precision_here;
    to.precision_here = from.precision_here;
  }
  if (from.scopes || from.barrier) adopt_scopes(from, to, a0);
  if (from.mesh.n > 0) to.mesh = from.mesh;
  for (int i = 1; i <= from.depth; ++i) {
    to.batch[to.depth + i] = from.batch[i];
    to.names[to.depth + i] = from.names[i];
  }
  for (int i = 1; i <= from.most_depth; ++i)
    to.entered[to.depth + i] = i <= from.depth ? from.entered[i] + v0 : to.n_values;
  if (to.depth + from.most_depth > to.most_depth) to.most_depth = to.depth + from.most_depth;
  to.depth += from.depth;
  for (int i = 0; i < from.n_followed; ++i) to.follow({from.followed[i].first + v0, from.followed[i].top + v0});
  from.forward = &to;
  from.offset = v0;
  if (from.on_heap && __builtin_is_constant_evaluated()) {
    from.next_taken = to.taken;
    to.taken = &from;
    to.refs += from.refs;
  } else if (from.on_heap) retain(&to);
  if (from.rt || to.rt) move_numbers(from, to);
}

/// The graph that holds all operands: the program's own if there is one, otherwise the oldest.
constexpr graph* join(var* in, int n) {
  graph* g = nullptr;
  for (int k = 0; k < n; ++k) {
    in[k] = resolve(in[k]);
    if (in[k].g && (!g || (g->on_heap && (!in[k].g->on_heap || (in[k].g->rt && !g->rt))))) g = in[k].g;
  }
  for (int k = 0; k < n; ++k) {
    if (!in[k].g) continue;
    in[k] = resolve(in[k]);
    if (in[k].g == g) continue;
    absorb(*in[k].g, *g);
    in[k] = resolve(in[k]);
  }
  return g;
}

}  // namespace etna::tracing
