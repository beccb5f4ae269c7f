// SPDX-License-Identifier: BSD-3-Clause
// How an equation is divided: by which factors of its row the axes of the mesh cut it, and the equation on parts.
// Read next: partition_values.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include "partitioner.hpp"

namespace etna::dist::detail {

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
      int const factor = r.operand[o].at(x.by.of[k]);
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

}  // namespace etna::dist::detail

#include <etna/set_back.hpp>
