// SPDX-License-Identifier: BSD-3-Clause
// A graph of whole arrays, written once more for one process of a mesh: each value is cut as its operands are, by the
// column `sharding` of the rows, and where parts meet, a collective stands. Read next: partition_loops.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include "recut.hpp"
#include <etna/control/buckets.hpp>

namespace etna::dist::detail {

using tracing::graph, tracing::var;

/// Why a collective was put in.
enum class reason : std::uint8_t {
  summed,       // parts of an axis that the equation sums (or takes the greatest of)
  mixed,        // the equation needs that axis whole: it mixes what lies along it
  indivisible,  // an axis that goes with it cannot be cut into so many
  elsewhere,    // another operand is cut along another axis
  result,       // a result is wanted so
  loop          // a loop, branch or effect runs alike on all ranks
};
/// The sentence about an equation's name: "parts that sum adds".
struct reason_words {
  const char *before, *behind;
};
constexpr reason_words words_of(reason r) {
  switch (r) {
    case reason::summed: return {"parts that ", " combines"};
    case reason::mixed: return {"", " mixes what lies along the axis"};
    case reason::indivisible: return {"", " has an axis that cannot be cut so"};
    case reason::elsewhere: return {"", " reads another operand cut along another axis"};
    case reason::result: return {"the result is wanted so", ""};
    case reason::loop: return {"", " runs alike on all ranks"};
  }
  return {"", ""};
}
struct put_in {
  int node;  // which needs it
  int op;    // its row
  int what;  // of the collective
  int axis;  // of the mesh
  extent bytes;
  reason why;
};
/// Those of a program, in order.
struct put_in_list {
  static constexpr int most = 4096;
  put_in at[most]{};
  int n = 0;
  constexpr void add(put_in const& p) {
    if (n < most) at[n++] = p;
  }
};

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
    said_.add({node_, op, what, k, t.size() * etna::bytes_of(t.d), why});
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
    return mesh_.part(type_at(value), here_[value].by).size() * bytes_of(type_at(value).d);
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
};

/// What is cut nowhere.
inline constexpr cut nowhere{};

constexpr ops::sharding_rule partitioner::rule_of(tracing::node_info const& n) const {
  ops::row const& row = ops::table.at[n.op];
  if (!row.sharding.there) return {};
  tensor_type in[tracing::max_operands]{};
  for (int k = 0; k < n.operands; ++k) in[k] = type_at(operand(n, k));
  return row.sharding(in, n.operands, from_.attrs + n.attr, n.attrs);
}
/// May axis k of the mesh cut this factor? All axes of it must divide; where no result has it, parts are combined.
constexpr bool partitioner::can_cut(tracing::node_info const& n, ops::sharding_rule const& r, int f, int k,
                                    bool& combined) const {
  combined = true;
  auto look = [&](ops::sharding_rule::axes const& a, tensor_type const& t) {
    int times = 0;
    for (int i = 0; i < t.rank; ++i)
      if (a.factor[i] == f) times += mesh_.divides(k, t.e[i]) ? 1 : 2;
    return times;
  };
  for (int o = 0; o < n.operands; ++o)
    if (look(r.operand[o], type_at(operand(n, o))) > 1) return false;
  for (int o = 0; o < n.results; ++o) {
    int const times = look(r.result[o], type_at(n.value + o));
    if (times > 1) return false;
    combined = combined && times == 0;
  }
  return !combined || ops::table.at[n.op].combined_by >= 0;
}
/// Of operands that are cut the one with the most elements decides.
constexpr partitioner::factors partitioner::choose(tracing::node_info const& n, ops::sharding_rule const& r) const {
  factors f;
  for (int k = 0; k < mesh_.axes; ++k) {
    extent most = -1;
    for (int o = 0; o < n.operands; ++o) {
      here_as const& x = here_[operand(n, o)];
      if (x.is_free || x.by.of[k] < 0) continue;
      int const factor = r.operand[o].factor[x.by.of[k]];
      bool combined = false, taken = false;
      for (int j = 0; j < k; ++j) taken = taken || f.of[j] == factor;
      extent const size = type_at(operand(n, o)).size();
      if (factor < 0 || taken || size <= most) continue;
      if (!can_cut(n, r, factor, k, combined)) {
        f.why_not = reason::indivisible;
        continue;
      }
      most = size;
      f.of[k] = factor;
    }
  }
  return f;
}
/// The equation on parts: its first result.
constexpr int partitioner::write(tracing::node_info const& n, ops::sharding_rule const& r, factors const& f) {
  ops::row const& row = ops::table.at[n.op];
  var in[tracing::max_operands]{};
  for (int o = 0; o < n.operands; ++o) {
    int const value = operand(n, o);
    cut const c = cut_of(r.operand[o], type_at(value).rank, f);
    bool const has_cut = !(c == nowhere);
    in[o] = {&to_, wanted(value, c, n.op, has_cut ? reason::elsewhere : f.why_not)};
  }
  if (row.in_place)
    for (int k = 0; k < mesh_.axes; ++k) {
      bool combined = false;
      if (f.of[k] >= 0 && can_cut(n, r, f.of[k], k, combined) && combined) in[0] = once(in[0], k);
    }
  cut const c = cut_of(r.result[0], type_at(n.value).rank, f);
  auto* words = new std::int64_t[std::size_t(n.attrs + 1)]{};
  for (int i = 0; i < n.attrs; ++i) words[i] = from_.attrs[n.attr + i];
  if (row.cut.there && !(c == nowhere)) row.cut(words, mesh_.part(type_at(n.value), c));
  var y = tracing::emit(n.op, in, n.operands, words, n.attrs, {}, &to_);
  delete[] words;
  return y.id;
}
constexpr void partitioner::place(tracing::node_info const& n) {
  ops::sharding_rule const r = rule_of(n);
  factors const f = choose(n, r);
  int first = write(n, r, f), waits = 0;
  for (int k = 0; k < mesh_.axes; ++k) {
    bool combined = false;
    if (f.of[k] < 0 || !can_cut(n, r, f.of[k], k, combined) || !combined) continue;
    if (waits) first = reduced({&to_, first}, waits - 1, n.op).id;
    waits = k + 1;
  }
  for (int o = 0; o < n.results; ++o) {
    here_as& h = here_[n.value + o];
    h.id = first + o;
    h.by = cut_of(r.result[o], type_at(n.value + o).rank, f);
    h.waits = waits;
  }
  if (waits && bytes(n.value) > tuning::ranks::small) combine(n.value);
  else if (waits) waiting_[n_waiting_++] = n.value;
}
/// Parts of all ranks, combined.
constexpr var partitioner::reduced(var x, int k, int op) {
  kept_scope const keep(to_);
  say(op, ops::code<ops::allreduce_p>, k, x, reason::summed);
  return ops::allreduce_p::of(x, mesh_.axis(k), dist::reduction(ops::table.at[op].combined_by));
}
/// A value whose parts are not combined yet, because it is needed now; small ones that wait likewise go with it, as one
/// message.
constexpr void partitioner::combine(int value) {
  auto op_of = [&](int v) { return from_.nodes[from_.values[v].node].op; };
  auto by = [&](int v) { return ops::table.at[op_of(v)].combined_by; };
  here_as const& h = here_[value];
  int const k = h.waits - 1, op = op_of(value);
  bool const is_small = bytes(value) <= tuning::ranks::small;
  ops::var_list parts(n_waiting_ + 1);
  auto* values = new int[std::size_t(n_waiting_ + 1)]{};
  extent total = bytes(value);
  parts.push({&to_, h.id});
  values[0] = value;
  int kept = 0;
  for (int i = 0; i < n_waiting_; ++i) {
    int const v = waiting_[i];
    if (v == value) continue;
    bool const goes = is_small && here_[v].waits == h.waits && by(v) == by(value) && type_at(v).d == type_at(value).d &&
                      total + bytes(v) <= tuning::ranks::bucket;
    if (!goes) {
      waiting_[kept++] = v;
      continue;
    }
    total += bytes(v);
    values[parts.n] = v;
    parts.push({&to_, here_[v].id});
  }
  n_waiting_ = kept;
  auto const one = [&](var x) { return reduced(x, k, op); };
  int const n = parts.n;
  control::buckets<decltype(one)>(parts, one).run();
  for (int i = 0; i < n; ++i) {
    here_[values[i]].id = parts[i].id;
    here_[values[i]].waits = 0;
  }
  delete[] values;
}

/// A constant, or this rank's part of it.
constexpr var partitioner::source(tracing::node_info const& n, cut const& c) {
  tensor_type const whole = type_at(n.value), part = mesh_.part(whole, c);
  std::int64_t const* a = from_.attrs + n.attr;
  auto again = [&](tensor_type const& t) {
    auto* words = new std::int64_t[std::size_t(n.attrs + 1)]{};
    for (int i = 0; i < n.attrs; ++i) words[i] = a[i];
    var const x = tracing::emit(n.op, nullptr, 0, words, n.attrs, t, &to_);
    delete[] words;
    return x;
  };
  if (n.op == ops::code<ops::full_p>) return again(part);
  if (n.op == ops::code<ops::iota_p>) {
    var x = again(part);
    for (int k = 0; k < mesh_.axes; ++k) {
      if (c.of[k] != int(a[0])) continue;
      tensor_type const one{part.d, 0, {}};
      var const begin = ops::mul(ops::convert(mesh_.place(to_, k), part.d), ops::full(&to_, one, double(part.e[a[0]])));
      x = ops::add(x, ops::broadcast(begin, part, nullptr));
    }
    return x;
  }
  var x = again(whole);
  for (int k = 0; k < mesh_.axes; ++k)
    if (c.of[k] >= 0) x = mesh_.part(x, k, c.of[k]);
  return x;
}
/// A value that is made of constants alone, cut so: its operands are cut alike, or it is cut itself.
constexpr int partitioner::written_free(int value, cut const& c) {
  tracing::node_info const& n = from_.nodes[from_.values[value].node];
  if (n.operands == 0) return source(n, c).id;
  ops::sharding_rule const r = rule_of(n);
  factors f;
  bool fits = true;
  for (int k = 0; k < mesh_.axes && fits; ++k) {
    if (c.of[k] < 0) continue;
    bool combined = false;
    f.of[k] = r.result[value - n.value].factor[c.of[k]];
    fits = f.of[k] >= 0 && can_cut(n, r, f.of[k], k, combined);
  }
  if (fits) return write(n, r, f) + value - n.value;
  var x{&to_, wanted(value, nowhere, n.op, reason::mixed)};
  for (int k = 0; k < mesh_.axes; ++k)
    if (c.of[k] >= 0) x = mesh_.part(x, k, c.of[k]);
  return x.id;
}
constexpr int partitioner::wanted(int value, cut c, int op, reason why) {
  here_as& h = here_[value];
  c = mesh_.real(c);
  if (h.waits) combine(value);
  if (h.id >= 0 && h.by == c) return h.id;
  if (h.other >= 0 && h.other_by == c) return h.other;
  int id = -1;
  kept_scope const keep(to_);
  if (h.is_free) id = written_free(value, c);
  else {
    var x{&to_, h.id};
    cut now = h.by;
    auto is_taken = [&](int axis) {
      bool taken = false;
      for (int k = 0; k < mesh_.axes; ++k) taken = taken || now.of[k] == axis;
      return taken;
    };
    for (int k = 0; k < mesh_.axes; ++k) {  // what must go, or moves to where nothing else is
      if (now.of[k] < 0 || now.of[k] == c.of[k]) continue;
      bool const moves = c.of[k] >= 0 && !is_taken(c.of[k]);
      say(op, moves ? ops::code<ops::alltoall_p> : ops::code<ops::allgather_p>, k, x, why);
      x = moves ? mesh_.exchanged(x, k, now.of[k], c.of[k]) : mesh_.gathered(x, k, now.of[k]);
      now.of[k] = moves ? c.of[k] : -1;
    }
    for (int k = 0; k < mesh_.axes; ++k)
      if (now.of[k] != c.of[k]) x = mesh_.part(x, k, c.of[k]);
    id = x.id;
  }
  here_as& again = here_[value];  // recursion writes others only
  (again.id < 0 ? again.id : again.other) = id;
  (again.id == id ? again.by : again.other_by) = c;
  return id;
}

}  // namespace etna::dist::detail

#include <etna/set_back.hpp>
