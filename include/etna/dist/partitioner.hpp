// SPDX-License-Identifier: BSD-3-Clause
// A graph of whole arrays, written once more for one process of a mesh: each value is cut as its operands are, by the
// column `sharding` of the rows, and where parts meet, a collective stands. Here is what is known of it; how equations
// are divided: partition_equations.hpp, how values are brought to where they are wanted: partition_values.hpp, loops:
// partition_loops.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include "put_in.hpp"
#include "recut.hpp"

namespace etna::dist::detail {

using tracing::graph, tracing::var;

/// A value of the whole graph, here.
struct here_as {
  int id = -1, other = -1;  // values of the new graph, cut so; and once more, otherwise
  cut by, other_by;
  bool is_free = false;  // of constants, or broadcast: written where it is needed, as it is needed there
  int waits = 0;         // parts of a sum, which is not there yet: the axis of the mesh, + 1
};

class partitioner {
 public:
  constexpr partitioner(graph const& from, mesh_in_graph const& mesh, graph& to, put_in_list& said)
      : from_(from),
        mesh_(mesh),
        to_(to),
        said_(said),
        here_(new here_as[std::size_t(from.n_values + 1)]{}),
        waiting_(new int[std::size_t(from.n_values + 1)]{}) {
    find_arguments();
  }
  constexpr ~partitioner() {
    delete[] here_;
    delete[] waiting_;
    delete[] argument_;
  }
  partitioner(partitioner const&) = delete;
  partitioner& operator=(partitioner const&) = delete;

  constexpr here_as& at(int value) { return here_[value]; }
  /// The equations, one after the other; arguments are there already, by argument(number, value, cut).
  constexpr void run();
  constexpr void argument(std::int64_t number, int id, cut const& c) {
    if (number >= n_arguments_ || argument_[number] == 0) return;  // nobody reads it
    here_as& h = here_[argument_[number] - 1];
    h.id = id;
    h.by = mesh_.real(c);
  }
  /// A value, cut so.
  constexpr int wanted(int value, cut c, int op, reason why);
  constexpr bool is_cut(int value) const {
    bool any = false;
    for (int k = 0; k < mesh_.axes; ++k) any = any || (!here_[value].is_free && here_[value].by.of[k] >= 0);
    return any;
  }

 private:
  graph const& from_;
  mesh_in_graph const& mesh_;
  graph& to_;
  put_in_list& said_;
  here_as* here_;
  int* argument_ = nullptr;  // by number: its value + 1
  std::int64_t n_arguments_ = 0;
  int* waiting_;  // values whose parts are not combined yet
  int n_waiting_ = 0;
  int node_ = 0;  // that is being written

  constexpr bool is_argument(int node) const {
    tracing::node_info const& n = from_.nodes[node];
    return n.op == tracing::input_op && n.level == 0 && n.attrs > 0;
  }
  constexpr void find_arguments() {
    for (int i = 0; i < from_.n_nodes; ++i)
      if (is_argument(i) && from_.attrs[from_.nodes[i].attr] >= n_arguments_)
        n_arguments_ = from_.attrs[from_.nodes[i].attr] + 1;
    argument_ = new int[std::size_t(n_arguments_ + 1)]{};
    for (int i = 0; i < from_.n_nodes; ++i)
      if (is_argument(i)) argument_[from_.attrs[from_.nodes[i].attr]] = from_.nodes[i].value + 1;
  }
  constexpr tensor_type const& type_at(int value) const { return from_.values[value].type; }
  constexpr int operand(tracing::node_info const& n, int k) const { return from_.edges[n.edge + k]; }
  /// Notes a collective, in whose scope it is written: "over data: parts that dot_general combines".
  constexpr void say(int op, int what, int k, var x, reason why) {
    tensor_type const t = tracing::type_of(x);
    said_.add({node_, op, what, k, t.size() < 0 ? 0 : t.size() * etna::bytes_of(t.d), why});
    char text[tracing::scope_entry::most_letters + 1]{}, name[48]{};
    int n = 0;
    auto put = [&](const char* s) {
      for (; *s && n < tracing::scope_entry::most_letters; ++s) text[n++] = *s;
    };
    *ext::write(name, mesh_.name[k]) = 0;
    reason_words const w = words_of(why);
    for (const char* s : {"over ", static_cast<const char*>(name), ": ", w.before}) put(s);
    if (why != reason::result) put(ops::table.at[op].name);
    put(w.behind);
    to_.scope = tracing::scope_in(to_, to_.scopes, to_.scope, tracing::scope_name(text));
  }
  /// The scope of the equations around collectives.
  struct kept_scope {
    graph& g;
    int scope;
    constexpr explicit kept_scope(graph& g) : g(g), scope(g.scope) {}
    constexpr ~kept_scope() { g.scope = scope; }
    kept_scope(kept_scope const&) = delete;
  };

  // An equation: by which factor each axis of the mesh cuts it.
  struct factors {
    int of[living_mesh::most_axes] = {-1, -1, -1, -1};
    reason why_not = reason::mixed;
  };
  constexpr ops::sharding_rule rule_of(tracing::node_info const& n) const;
  constexpr factors choose(tracing::node_info const& n, ops::sharding_rule const& r) const;
  constexpr bool can_cut(tracing::node_info const& n, ops::sharding_rule const& r, int f, int k, bool& combined) const;
  constexpr cut cut_of(ops::sharding_rule::axes const& a, int rank, factors const& f) const {
    cut c;
    for (int k = 0; k < mesh_.axes; ++k)
      for (int i = 0; i < rank && f.of[k] >= 0; ++i)
        if (a.factor[i] == f.of[k]) c.of[k] = i;
    return c;
  }
  constexpr int write(tracing::node_info const& n, ops::sharding_rule const& r, factors const& f);
  constexpr void place(tracing::node_info const& n);
  constexpr extent bytes(int value) const {
    extent const n = mesh_.part(type_at(value), here_[value].by).size();  // with a name: told at a call, and goes alone
    return n < 0 ? tuning::ranks::small + 1 : n * bytes_of(type_at(value).d);
  }
  constexpr var reduced(var x, int k, int op);
  /// x on the first rank along an axis, zeros on the others.
  constexpr var once(var x, int k) const {
    tracing::value_info const& info = to_.values[x.id];
    tracing::node_info const& made = to_.nodes[info.node];
    if (made.op == ops::code<ops::full_p> && to_.attrs[made.attr] == 0) return x;
    var const place = mesh_.place(to_, k), first = ops::eq(place, ops::full_like(place, 0));
    tensor_type const t = tracing::type_of(x);
    return ops::select(ops::broadcast(first, t.with(dtype::boolean), nullptr), x, ops::full_like(x, 0));
  }
  constexpr void combine(int value);
  constexpr int written_free(int value, cut const& c);
  constexpr var source(tracing::node_info const& n, cut const& c);
  constexpr void as_it_is(tracing::node_info const& n);
  constexpr void scan(tracing::node_info const& n);
  constexpr bool settles(partitioner& inner, int const* outputs, int n_out, int carry, cut* carry_cuts,
                         cut* out_cuts) const;
};

/// What is cut nowhere.
inline constexpr cut nowhere{};

}  // namespace etna::dist::detail

#include <etna/set_back.hpp>
