// SPDX-License-Identifier: BSD-3-Clause
// Which equations of a batch of small computations are written out, so that an example lies in each lane of a register:
// parts of the graph that hand on small arrays, where these would be passes over memory. Read next: example_lanes.hpp.
#pragma once
#include "known_places.hpp"
#include "pass.hpp"
#include "unroll.hpp"

namespace etna::rewrite::lanes {

using limits = tuning::lanes;

/// Is an axis of this extent written out?
constexpr bool is_small(extent e) { return e >= 1 && e <= limits::axis; }

/// How many elements the small axes of a type have together; more than there may be says no more than that.
constexpr extent small_elements(tensor_type const& t) {
  extent n = 1;
  for (int i = t.rank - 1; i >= 0; --i)
    if (is_small(t.e[i]) && n <= limits::elements) n *= t.e[i];
  return n;
}
/// A type, taken apart: small axes, whose elements are written out, and large ones, along which each element lies.
struct parted {
  tensor_type batch{};        // the large axes
  extent elements = 1;        // of the small axes together
  extent stride[max_rank]{};  // of a small axis, among these elements; of a large one 0
  int large[max_rank]{};      // of a large axis: where it is in `batch`; of a small one -1
  constexpr explicit parted(tensor_type const& t) {
    batch.d = t.d;
    for (int i = 0; i < t.rank; ++i) {
      large[i] = is_small(t.e[i]) ? -1 : batch.rank;
      if (large[i] >= 0) batch.e[batch.rank++] = t.e[i];
    }
    for (int i = t.rank - 1; i >= 0; --i)
      if (large[i] < 0) {
        stride[i] = elements;
        elements = elements > limits::elements ? elements : elements * t.e[i];
      }
  }
  /// Place of element k along small axis i.
  constexpr extent at(extent k, int i, tensor_type const& t) const { return k / stride[i] % t.e[i]; }
};
/// How many examples a type has, about: sizes with names count as a number of them.
constexpr extent examples(tensor_type const& t) {
  extent n = 1;
  for (int i = 0; i < t.rank; ++i)
    if (!is_small(t.e[i])) n *= t.e[i] < 0 ? limits::named : t.e[i];
  return n;
}
constexpr bool same_batch(parted const& x, parted const& y) { return x.batch.same_shape(y.batch); }

/// A reshape: the same large axes, and between two of them as many elements?
constexpr bool keeps_large_axes(tensor_type const& in, parted const& x, tensor_type const& out, parted const& y) {
  if (!same_batch(x, y)) return false;
  for (int i = 0, j = 0;; ++i, ++j) {
    extent m = 1, k = 1;
    for (; i < in.rank && x.large[i] < 0; ++i) m *= in.e[i];
    for (; j < out.rank && y.large[j] < 0; ++j) k *= out.e[j];
    if (m != k) return false;
    if (i == in.rank) return true;
  }
}
/// How many numbers a product of small arrays multiplies for an example.
constexpr extent all_products(graph const& g, node_info const& n, extent elements) {
  ops::dot_dims const d = ops::dot_dims::read(g.attrs + n.attr);
  for (int i = 0; i < d.n_contract; ++i) elements *= g.values[g.edges[n.edge]].type.e[d.lhs_contract[i]];
  return elements;
}
/// Those that are written: in a derivative none with a number that is known to be 0, of an operand that all examples
/// share (the seeds of a Jacobian).
constexpr extent small_products(graph const& g, node_info const& n, extent elements) {
  extent const all = all_products(g, n, elements);
  int const* in = g.edges + n.edge;
  if (!n.derived) return all;
  for (int s = 0; s < 2; ++s) {
    parted const x(g.values[in[s]].type);
    if (x.batch.rank > 0 || x.elements > limits::elements) continue;
    known_numbers known(g);
    extent others = 0;
    for (extent k = 0; k < x.elements; ++k) others += !known.is_zero(in[s], k);
    return all / x.elements * others;
  }
  return all;
}
/// A product: it sums over small axes, and each example has both operands of its own, or the one that all share is
/// small, or a matrix of so few numbers that it fills no block of a GEMM.
constexpr bool is_small_product(graph const& g, node_info const& n, extent elements) {
  ops::dot_dims const d = ops::dot_dims::read(g.attrs + n.attr);
  parted const x(g.values[g.edges[n.edge]].type), z(g.values[g.edges[n.edge + 1]].type);
  for (int i = 0; i < d.n_contract; ++i)
    if (x.large[d.lhs_contract[i]] >= 0 || z.large[d.rhs_contract[i]] >= 0) return false;
  int both = 0;
  for (int i = 0; i < d.n_batch; ++i) both += x.large[d.lhs_batch[i]] >= 0;
  if (x.batch.rank > both && z.batch.rank > both) return false;
  extent const written = small_products(g, n, elements), all = all_products(g, n, elements);
  bool const is_shared = x.batch.rank == 0 || z.batch.rank == 0;
  extent const numbers = std::min(x.batch.rank == 0 ? x.elements : all, z.batch.rank == 0 ? z.elements : all);
  if (!is_shared || numbers * written <= limits::shared_numbers * all) return written <= limits::terms;
  extent matrices = 1;  // for each example
  for (int i = 0; i < d.n_batch; ++i)
    if (x.large[d.lhs_batch[i]] < 0) matrices *= g.values[g.edges[n.edge]].type.e[d.lhs_batch[i]];
  return written <= std::min(limits::shared_terms * matrices, limits::terms);
}
/// An update: of all that lies along large axes?
constexpr bool updates_small(tensor_type const& u, tensor_type const& out, parted const& y) {
  parted const z(u);
  for (int i = 0; i < out.rank; ++i)
    if ((z.large[i] < 0) != (y.large[i] < 0) || (z.large[i] >= 0 && u.e[i] != out.e[i])) return false;
  return true;
}
/// A running sum, or one whose terms so far are multiplied each time.
constexpr bool is_running(int op) { return op == code<ops::cumsum_p> || op == code<ops::recurrence_p>; }
/// Does it run along a small axis, over numbers that registers add?
constexpr bool is_running_small(graph const& g, node_info const& n, tensor_type const& t) {
  return is_small(t.e[ops::walk_dims::read(g.attrs + n.attr).axis]) && bytes_of(t.d) >= 4;
}
/// Where an axis of a gather's result comes from: of the source and of the index an axis each, or -1.
struct gathered_axis {
  int source = -1, index = -1;
  constexpr gathered_axis(ops::gather_dims const& d, int n_index, int axis) {
    bool const along = axis >= d.axis && axis < d.axis + n_index;
    if (!along) source = axis < d.axis ? axis : axis - n_index + 1;
    if (along || axis < d.n_batch) index = along ? axis - d.axis + d.n_batch : axis;
  }
};
/// Does a gather or scatter pick elements of large axes, or known ones of a small axis? (Tables of known places are
/// literals by now.)
constexpr bool picks_alike(graph const& g, node_info const& n, parted const& x) {
  int const axis = ops::gather_dims::read(g.attrs + n.attr).axis, id = g.edges[n.edge + 1];
  if (x.large[axis] >= 0) return ops::table.at[n.op].form == ops::form::gather;
  return g.nodes[g.values[id].node].op == code<ops::literal_p> &&
         known_places(g, id, g.values[g.edges[n.edge]].type.e[axis]).count > 0;
}
inline constexpr int most_results = 2;  // of an equation: an extreme, and where it stands
/// Can an equation be written out? Its operands' and its result's small axes have few elements together, and it does
/// not mix what lies along large axes.
constexpr bool is_expandable(graph const& g, node_info const& n) {
  using ops::form;
  form const f = ops::table.at[n.op].form;
  if (n.level > 0 || n.results > most_results || n.effect || n.operands > 3 || ops::table.at[n.op].wide.there)
    return false;
  if (n.results == most_results && f != form::arg_reduction) return false;
  tensor_type const& out = g.values[n.value].type;
  if (small_elements(out) > limits::elements) return false;
  auto type = [&](int k) -> tensor_type const& { return g.values[g.edges[n.edge + k]].type; };
  if (f == form::pointwise || f == form::convert) {
    for (int k = 0; k < n.operands; ++k)
      if (!type(k).same_shape(out)) return false;
    return true;
  }
  for (int k = 0; k < n.operands; ++k)
    if (small_elements(type(k)) > limits::elements) return false;
  parted const y(out);
  if (n.operands == 0)
    return n.op == code<ops::full_p> || n.op == code<ops::iota_p> ||
           (n.op == code<ops::literal_p> && y.batch.rank == 0);
  parted const x(type(0));
  switch (f) {
    case form::broadcast:
    case form::transpose: return true;
    case form::reshape: return keeps_large_axes(type(0), x, out, y);
    case form::slice:
      for (int i = 0; i < out.rank; ++i)
        if ((x.large[i] < 0) != (y.large[i] < 0)) return false;
      return true;
    case form::reduction: return unroll::combines(n.op) >= 0 && out.d != dtype::boolean;
    case form::arg_reduction: return x.large[g.attrs[n.attr]] < 0;
    case form::contraction: return is_small_product(g, n, y.elements);
    case form::gather:
    case form::scatter: return picks_alike(g, n, x);
    case form::routine:
      if (is_running(n.op)) return is_running_small(g, n, out);
      return n.op == code<ops::update_p> && updates_small(type(1), out, y);
    default: return false;
  }
}

/// The equations that are written out: parts of the graph that hand on small arrays of one example to each other,
/// where these would be passes over memory.
class regions {
 public:
  constexpr regions(graph const& g, int const* outputs, int n_out) : g_(g), outputs_(outputs), n_out_(n_out) {
    for (int k = 0; k < n_out_; ++k) results_.at[outputs_[k]] = true;
    find_uses();
    bool any = false;
    for (int i = 0; i < g.n_nodes && !any; ++i) any = moves(i) && is_expandable(i);
    if (!any) return;
    leave_out_shared();
    tracing::zeros<int> reader;  // by value that is read from outside: a first equation + 1
    for (int i = 0; i < g.n_nodes; ++i) {
      node_info const& n = g.nodes[i];
      if (left_out_.at[i] || !touches_small(n) || !is_expandable(i)) continue;
      region_.at[i] = i + 1;
      for (int k = 0; k < n.operands; ++k) {
        int const id = g.edges[n.edge + k], j = g.values[id].node;
        if (small_elements(g.values[id].type) == 1) continue;
        if (region_.at[j]) unite(i, j);
        else if (is_shared(id)) continue;
        else if (int& first = reader.at[id]; first == 0) first = i + 1;
        else if (is_reduction(i) || is_reduction(first - 1)) unite(i, first - 1);  // its rows are read once
      }
    }
    weigh();
    choose();
  }
  constexpr bool any() const { return any_; }
  /// How many equations there will be, at most.
  constexpr int written() const {
    int n = 0;
    for (int i = 0; i < g_.n_nodes; ++i)
      if (region_.at[i] == i + 1 && is_taken(i)) n += written_.at[i];
    return n;
  }
  /// May there be so many that they are counted as they are written? Nobody knows before how many of a derivative's
  /// numbers are 0.
  constexpr bool is_long(int i) const { return has(i) && equations_.at[first(i)] > limits::equations; }
  /// Parts of the graph that were counted, by one of their equations, are not written out if they are too long. Were
  /// there any?
  constexpr bool leave_out_long(int const* counted) {
    bool found = false;
    for (int i = 0; i < g_.n_nodes; ++i)
      if (region_.at[i] == i + 1 && counted[i] > limits::equations) {
        saved_.at[i] = 0;
        found = true;
      }
    if (found) choose();
    return found;
  }
  /// The equation that stands for the part of the graph with equation i.
  constexpr int first(int i) const {
    while (region_.at[i] - 1 != i) i = region_.at[i] - 1;
    return i;
  }
  /// Is equation i written out?
  constexpr bool has(int i) const { return any_ && region_.at[i] && is_taken(i); }
  /// Is a value needed as an array?
  constexpr bool is_wanted(int id) const { return wanted_.at[id]; }
  /// Is equation i a transpose that a pass over memory makes, element by element?
  constexpr bool turns(int i) const { return ops::table.at[g_.nodes[i].op].form == ops::form::transpose && moves(i); }

 private:
  graph const& g_;
  int const* outputs_;
  int n_out_;
  bool any_ = false;
  tracing::zeros<int> region_;    // by node: another one of its region + 1
  tracing::zeros<extent> saved_;  // by the first node: bytes that would be written and read, less those at its border
  tracing::zeros<int> equations_, written_;  // by the first node: of kernels, and of the graph
  tracing::zeros<int> seen_;
  tracing::zeros<bool> wanted_, results_, left_out_, used_, of_places_;
  enum class answer : char { unknown, yes, no };
  tracing::zeros<answer> expandable_;  // asked of an equation several times

  /// Which parts are taken, and what is an array then.
  constexpr void choose() {
    any_ = false;
    for (int i = 0; i < g_.n_nodes; ++i)
      if (region_.at[i]) any_ = any_ || is_taken(i);
    if (!any_) return;
    for (int k = 0; k < n_out_; ++k) wanted_.at[outputs_[k]] = true;
    for (int i = 0; i < g_.n_nodes; ++i)
      for (int k = 0; k < g_.nodes[i].operands && !has(i); ++k) wanted_.at[g_.edges[g_.nodes[i].edge + k]] = true;
  }
  constexpr bool is_expandable(int i) {
    answer& known = expandable_.at[i];
    if (known == answer::unknown) known = lanes::is_expandable(g_, g_.nodes[i]) ? answer::yes : answer::no;
    return known == answer::yes;
  }
  /// Is it an operation that no kernel has with its neighbours in registers: a product of what each example has of its
  /// own, short rows picked by an index, elements that change places or come together in short runs? (Long runs are
  /// patches, or whole rows.)
  constexpr bool moves(int i) const {
    node_info const& n = g_.nodes[i];
    if (n.level > 0) return false;
    tensor_type const& t = g_.values[n.value].type;
    using ops::form;
    switch (ops::table.at[n.op].form) {
      case form::routine:
        if (is_running(n.op)) return is_short_row(t.e[last_of(t)], t.d) && small_elements(t) > 1;
        return n.op == code<ops::update_p> && (is_small(t.e[last_of(t)]) || is_short(i));
      case form::transpose: {
        tensor_type const& x = g_.values[g_.edges[n.edge]].type;
        bool const is_of_short_rows = is_small(x.e[last_of(x)]) || is_small(t.e[last_of(t)]);
        return t.is_static() && is_of_short_rows && is_used(n) && is_short(i);
      }
      case form::broadcast: return is_used(n) && repeats_short_rows(n, t);
      case form::pointwise: return meets_places(n, t);
      case form::slice: {
        int const last = last_of(t);
        return is_used(n) && t.e[last] > 1 && is_short_row(t.e[last], t.d) &&
               (t.e[last] != g_.values[g_.edges[n.edge]].type.e[last] ||
                ops::slice_dim::read(g_.attrs + n.attr, last).step != 1);
      }
      case form::reduction:
      case form::arg_reduction: {  // of columns that lie side by side in a short row, or of several such rows
        tensor_type const& x = g_.values[g_.edges[n.edge]].type;
        int const last = last_of(x);
        bool of_rows = false;
        for (int k = 0; k < n.attrs; ++k) of_rows = of_rows || g_.attrs[n.attr + k] == last;
        extent const left = small_elements(t);
        return is_short_row(x.e[last], x.d) && small_elements(x) > left && (left > 1 || !of_rows);
      }
      case form::gather: return has_short_rows(t);
      case form::scatter: return has_short_rows(g_.values[g_.edges[n.edge + 2]].type);
      case form::contraction:
        for (int k = 0; k < 2; ++k)
          if (parted(g_.values[g_.edges[n.edge + k]].type).batch.rank == 0) return false;
        return true;
      default: return false;
    }
  }
  static constexpr int last_of(tensor_type const& t) {
    int last = t.rank - 1;
    while (last > 0 && t.e[last] == 1) --last;
    return last < 0 ? 0 : last;
  }
  static constexpr bool is_short_row(extent n, dtype d) {
    return n > 0 && n * bytes_of(d) < tuning::short_rows::flat_bytes;
  }
  /// Is what is picked by an index several elements, but no whole register?
  static constexpr bool has_short_rows(tensor_type const& t) {
    extent row = t.e[last_of(t)];
    return small_elements(t) > 1 && (!is_small(row) || row * bytes_of(t.d) < tuning::cache::line);
  }
  /// Does a broadcast repeat short rows of each example, or of what each has? (The same number along a row, or the same
  /// row for all, is none.)
  static constexpr bool repeats_rows_of_examples(bool const* comes, tensor_type const& t) {
    int k = last_of(t);
    if (!comes[k]) return false;
    while (k > 0 && comes[k - 1]) --k;
    bool repeated = false;
    for (--k; k >= 0; --k) {
      if (comes[k] && t.e[k] > 1) return repeated;
      repeated = repeated || t.e[k] > 1;
    }
    return false;
  }
  constexpr bool is_used(node_info const& n) const { return results_.at[n.value] || used_.at[n.value]; }
  constexpr bool repeats_short_rows(node_info const& n, tensor_type const& t) const {
    if (!t.is_static() || t.rank < 3 || !is_short_row(t.e[last_of(t)], t.d)) return false;
    bool comes[max_rank]{};
    tensor_type const& x = g_.values[g_.edges[n.edge]].type;
    for (int a = 0; a < x.rank; ++a) {
      int const to = ops::broadcast_words::axis_of(g_.attrs + n.attr, a);
      comes[to] = x.e[a] == t.e[to];
    }
    return repeats_rows_of_examples(comes, t);
  }
  /// Does an equation compute short rows of an example's numbers and of places in them, as masks and one-hot codes are?
  constexpr bool meets_places(node_info const& n, tensor_type const& t) const {
    if (!t.is_static() || examples(t) < limits::examples || !is_short_row(t.e[last_of(t)], t.d)) return false;
    bool places = false, numbers = false;
    for (int k = 0; k < n.operands; ++k) {
      int const id = g_.edges[n.edge + k];
      node_info const& from = g_.nodes[g_.values[id].node];
      if (of_places_.at[id]) places = true;
      else numbers = numbers || !is_source(from);
    }
    return places && numbers && small_elements(t) > 1;
  }
  /// Numbers that are no argument's.
  static constexpr bool is_source(node_info const& n) {
    return ops::table.at[n.op].form == ops::form::source && n.op != code<ops::input_p>;
  }
  static constexpr bool is_elementwise(node_info const& n) {
    ops::form const f = ops::table.at[n.op].form;
    return f == ops::form::pointwise || f == ops::form::convert;
  }
  /// What elementwise equations read and what is a result, as it is or as a view of it; what is computed of places.
  constexpr void find_uses() {
    for (int i = g_.n_nodes - 1; i >= 0; --i) {
      node_info const& n = g_.nodes[i];
      bool const is_seen = results_.at[n.value] || used_.at[n.value];
      if (n.level > 0 || !(is_elementwise(n) || (is_movement(ops::table.at[n.op].form) && is_seen))) continue;
      for (int k = 0; k < n.operands; ++k) used_.at[g_.edges[n.edge + k]] = true;
    }
    for (int i = 0; i < g_.n_nodes; ++i) {
      node_info const& n = g_.nodes[i];
      bool places = n.op == code<ops::iota_p>, others = !is_elementwise(n) && !is_movement(ops::table.at[n.op].form);
      for (int k = 0; k < n.operands && !others; ++k) {
        int const id = g_.edges[n.edge + k];
        places = places || of_places_.at[id];
        others = !of_places_.at[id] && !is_source(g_.nodes[g_.values[id].node]);
      }
      if (places && (n.operands == 0 || !others)) of_places_.at[n.value] = true;
    }
  }
  /// Of an update or a transpose: have the operand and the result short runs of elements side by side in both?
  constexpr bool is_short(int i) const {
    node_info const& n = g_.nodes[i];
    bool const turns = ops::table.at[n.op].form == ops::form::transpose;
    tensor_type const &t = g_.values[n.value].type, &x = g_.values[g_.edges[n.edge + !turns]].type;
    extent run = 1;
    for (int a = t.rank - 1; a >= 0 && is_short_row(run, t.d); --a) {
      if (turns ? g_.attrs[n.attr + a] != a : ops::update_dim::read(g_.attrs + n.attr, a).step != 1) return true;
      if (x.e[a] < 0) return false;
      run *= x.e[a];
      if (x.e[a] != t.e[a]) break;
    }
    return is_short_row(run, t.d);
  }
  constexpr bool touches_small(node_info const& n) const {
    if (n.level > 0 || n.results > most_results) return false;
    bool any = small_elements(g_.values[n.value].type) > 1;
    for (int k = 0; k < n.operands && !any; ++k) any = small_elements(g_.values[g_.edges[n.edge + k]].type) > 1;
    return any;
  }
  constexpr bool is_reduction(int i) const { return ops::table.at[g_.nodes[i].op].form == ops::form::reduction; }
  constexpr bool is_shared(int id) const { return examples(g_.values[id].type) < limits::examples; }
  /// A small array that is made of what all examples share, and that is wanted as an array, is one: each of its
  /// elements would be a step of its own.
  constexpr void leave_out_shared() {
    tracing::zeros<bool> wanted;  // by value
    for (int i = g_.n_nodes - 1; i >= 0; --i) {
      node_info const& n = g_.nodes[i];
      bool shared = n.results > 0 && n.operands > 0 && is_shared(n.value),
           is_array = wanted.at[n.value] || results_.at[n.value];
      for (int k = 0; k < n.operands && shared; ++k) shared = is_shared(g_.edges[n.edge + k]);
      left_out_.at[i] = shared && is_array && small_elements(g_.values[n.value].type) > 1;
      if (left_out_.at[i] || !is_expandable(i))
        for (int k = 0; k < n.operands; ++k) wanted.at[g_.edges[n.edge + k]] = true;
    }
  }
  constexpr void unite(int i, int j) {
    i = first(i), j = first(j);
    if (i == j) return;
    region_.at[i > j ? i : j] = (i > j ? j : i) + 1;
  }
  constexpr bool is_taken(int i) const {
    int const r = first(i);
    return saved_.at[r] > 0 && equations_.at[r] <= limits::counted;
  }
  constexpr extent bytes(int id) const {
    tensor_type const& t = g_.values[id].type;
    return small_elements(t) * examples(t) * bytes_of(t.d);
  }
  /// Is an equation a pass over memory that lanes make in less time, be it alone?
  constexpr bool stands_alone(int i, extent products) const {
    node_info const& n = g_.nodes[i];
    ops::form const f = ops::table.at[n.op].form;
    if (f == ops::form::contraction) return moves(i) && products == 2 * small_elements(g_.values[n.value].type);
    bool const computes = f == ops::form::gather || f == ops::form::pointwise || is_running(n.op);
    return turns(i) || (computes && moves(i));
  }
  /// Is a value a view of an array that no kernel computes beside it?
  constexpr bool lies_elsewhere(int id) const {
    for (;;) {
      node_info const& n = g_.nodes[g_.values[id].node];
      ops::form const f = ops::table.at[n.op].form;
      if (!is_movement(f) || n.operands == 0) return !region_.at[g_.values[id].node] && !is_source(n);
      id = g_.edges[n.edge];
    }
  }
  constexpr void weigh() {
    tracing::zeros<int> outside;  // by value: read outside of its region
    for (int i = 0; i < g_.n_nodes; ++i)
      for (int k = 0; k < g_.nodes[i].operands; ++k)
        if (!region_.at[i]) outside.at[g_.edges[g_.nodes[i].edge + k]] = 1;
    for (int k = 0; k < n_out_; ++k) outside.at[outputs_[k]] = true;
    for (int i = 0; i < g_.n_nodes; ++i) {
      node_info const& n = g_.nodes[i];
      if (!region_.at[i]) continue;
      int const r = first(i);
      tensor_type const& t = g_.values[n.value].type;
      extent const elements = small_elements(t);
      bool const many = examples(t) >= limits::examples;
      ops::form const f = ops::table.at[n.op].form;
      extent operations = elements, most = elements;
      if (f == ops::form::contraction) {
        operations = 2 * small_products(g_, n, elements);
        most = 2 * all_products(g_, n, elements);
      } else if (f == ops::form::arg_reduction)
        operations = most = 3 * small_elements(g_.values[g_.edges[n.edge]].type);
      bool const is_moved =
          f != ops::form::contraction && f != ops::form::pointwise && f != ops::form::gather && !is_running(n.op);
      equations_.at[r] += int(is_moved ? 0 : operations);
      written_.at[r] += int(4 * (elements + most));  // an operand's element may be sliced, reshaped and broadcast
      for (int k = 0; k < n.results; ++k)
        if (elements > 1 && outside.at[n.value + k])
          saved_.at[r] -= many ? bytes(n.value + k) / 2 : elements * limits::step;  // a step puts each element there
      if (many && stands_alone(i, most)) saved_.at[r] += 2 * bytes(n.value);
      for (int k = 0; k < n.operands; ++k) {
        int const id = g_.edges[n.edge + k];
        int const from = g_.values[id].node;
        if (is_shared(id)) continue;
        bool const mine = region_.at[from] && first(from) == r;
        if (!mine && small_elements(g_.values[id].type) > 1 && seen_.at[id] != r + 1) {
          seen_.at[id] = r + 1;
          saved_.at[r] -= bytes(id) / 2;
        }
        // whoever computes a piece may write it where it belongs; what lies elsewhere is copied, short row by short row
        bool const is_link = n.op == code<ops::update_p> && (k == 0 || !(moves(from) || lies_elsewhere(id)));
        if (mine && !is_link && (moves(i) || moves(from))) saved_.at[r] += 2 * bytes(id);
      }
    }
  }
};

}  // namespace etna::rewrite::lanes
