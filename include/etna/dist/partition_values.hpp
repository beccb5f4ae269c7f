// SPDX-License-Identifier: BSD-3-Clause
// How values are brought to where they are wanted: parts of sums are combined, constants are written as parts, others
// are cut otherwise. Read next: partition_loops.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include "partition_equations.hpp"
#include <etna/control/buckets.hpp>

namespace etna::dist::detail {

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
    // counted as an integer: a sum of two rounded numbers is not the rounded place
    tensor_type const places = is_floating(part.d) ? part.with(dtype::i32) : part;
    var x = again(places);
    for (int k = 0; k < mesh_.axes; ++k) {
      if (c.of[k] != int(a[0])) continue;
      tensor_type const one{places.d, 0, {}};
      var const begin =
          ops::mul(ops::convert(mesh_.place(to_, k), places.d), ops::full(&to_, one, double(part.e[a[0]])));
      x = ops::add(x, ops::broadcast(begin, places, nullptr));
    }
    return ops::convert(x, part.d);
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
    f.of[k] = r.result[value - n.value].at(c.of[k]);
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
