// SPDX-License-Identifier: BSD-3-Clause
// What a derivative keeps of a block: the first equation gives the values that tangents read as more results. Shared by
// scan and branch. Read next: scanning.hpp.
#pragma once
#include "rank_marks.hpp"

namespace etna::ops {

/// What reverse mode keeps of a checkpointed function, as words: how many follow, and then, one after another, `all`,
/// `products`, or `named` with the name's words behind their number. A value is kept if one of them says so.
struct keep_words {
  enum kind : std::int64_t { all = 1, products, named };
  /// In place of where such words are.
  static constexpr int nothing = -1, everything = -2;
  std::int64_t const* w;
  constexpr bool has(graph const& g, tracing::node_info const& n) const {
    for (int i = 1; i <= w[0]; ++i) switch (w[i]) {
        case all: return true;
        case products:
          if (row_of(n.op).is_product) return true;
          break;
        default: {
          std::int64_t const* name = w + i + 2;
          int words = int(w[i + 1]);
          bool same = n.op == code<name_p> && n.attrs == words;
          for (int k = 0; k < words && same; ++k) same = g.attrs[n.attr + k] == name[k];
          if (same) return true;
          i += 1 + words;
        }
      }
    return false;
  }
};

/// Is b the equation a with more results?
constexpr bool extends(graph const& g, tracing::node_info const& a, tracing::node_info const& b) {
  if (a.op != b.op) return false;
  if (a.operands != b.operands) return false;
  for (int k = 0; k < a.operands; ++k)
    if (g.edges[a.edge + k] != g.edges[b.edge + k]) return false;
  return has_more_results(a.op, g.attrs + a.attr, g.attrs + b.attr);
}

/// A block of an equation has been written once more in a region, and its derivative behind it: what that reads. Values
/// are kept of an equation with one block; of a branch with many each block's are asked for, and all computed again.
///
/// A loop or branch inside the block, whose own derivative keeps something, stands in the region twice, the second time
/// with more results. The second is added to the block behind its equations, and what it keeps may be kept.
class kept_values {
 public:
  /// b         the block that has been written: tables have its counts, which are no other block's
  /// value_of  the ids of the block's values; the first `carry` of them are kept if they are read
  /// first     of the results that have a value of the block as it is (those before are the last carry of many)
  /// outputs   of the derivative
  /// keep      the place of keep_words in the pool, or what they have in its place: the results of equations that they
  ///           name are kept if they are read, all others computed again
  constexpr kept_values(eqn e, block b, region const& r, tracing::range const& primal, int const* value_of, int carry,
                        int first, var_list const& outputs, int keep)
      : e_(e),
        block_(b),
        primal_(primal),
        all_(r.written()),
        ids_(value_of),
        live_(*e.g, all_.top - all_.base, 0),
        place_(*e.g, all_.end - primal.end, 0),
        still_(*e.g, primal.end - primal.begin, 0),
        local_(*e.g, block_.values() + all_.top - primal.top),
        id_(*e.g, block_.values() + all_.top - primal.top),
        result_of_(*e.g, block_.values(), -1) {
    graph& g = *e.g;
    find_extensions();
    find_still();
    auto stays = [&](int node) {
      if (keep == keep_words::everything && node < primal_.end && still_[node - primal_.begin]) return false;
      return (node < primal_.end || place_[node - primal_.end]) && g.nodes[node].operands > 0 &&
             keeps(keep, g.nodes[node]);
    };
    auto read = [&](int id) {
      if (all_.holds(id)) live_[id - all_.base] = 1;
    };
    for (int k = 0; k < outputs.n; ++k) read(outputs[k].id);
    for (int i = all_.end; i-- > all_.begin;) {
      auto const& m = g.nodes[i];
      bool wanted = false;
      for (int k = 0; k < m.results; ++k) wanted = wanted || live_[m.value + k - all_.base];
      if (!wanted || stays(i)) continue;
      for (int k = 0; k < m.operands; ++k) read(g.edges[m.edge + k]);
    }
    int values = block_.values(), at = block_.outputs_at();
    for (int k = 0; k < block_.outputs(); ++k) {
      std::int64_t value = block_[at++];
      tracing::read_type(block_, at);
      if (k >= first && value >= 0) result_of_[int(value)] = k;
    }
    for (int k = 0; k < values; ++k) {
      if (ids_[k] < 0 || !is_read({&g, ids_[k]})) continue;
      if (k < carry || (k >= block_.inputs() && stays(g.values[ids_[k]].node))) add(k, ids_[k]);
    }
    for (int i = primal_.end; i < all_.end; ++i) {
      if (!place_[i - primal_.end]) continue;
      auto const& m = g.nodes[i];
      int before = n;
      for (int id = m.value, local = values; id < m.value + m.results && stays(i); ++id, ++local)
        if (live_[id - all_.base]) add(local, id);
      if (n == before) place_[i - primal_.end] = 0;
      else values += m.results;
    }
  }
  int n = 0;
  constexpr var operator[](int k) const { return {e_.g, id_[k]}; }
  /// Does the derivative read this value of the region (what is kept is not computed)?
  constexpr bool is_read(var x) const { return live_[x.id - all_.base] != 0; }

  /// The results that hold what is kept: of the equation, or of another with more behind its own.
  ///
  /// counted   the word that counts the results
  /// behind    the word that says where words behind the block begin, if the equation has such words
  constexpr void write(var_list& to, int counted, int behind = -1) const {
    int first = -1, next = e_.info().results;
    for (int k = 0; k < n; ++k) {
      if (int r = result_of(k); r >= 0) {
        to.push(e_.out(r));
        continue;
      }
      if (first < 0) first = widened(counted, behind);
      to.push({e_.g, first + next++});
    }
  }

 private:
  constexpr int widened(int counted, int behind) const {
    graph& g = *e_.g;
    tracing::node_info const node = e_.info();
    block const& b = block_;
    int at = g.n_attrs, first = b.at - node.attr, outputs = b.outputs_at(), size = b.size(), more = 0, more_values = 0;
    auto copy = [&](int from, int to) {
      for (int i = from; i < to; ++i) g.word(g.attrs[node.attr + i]);
    };
    int equations = tracing::each_equation(b, [](int) {});
    copy(0, first + equations);
    for (int i = primal_.end; i < all_.end; ++i) {
      int place = place_[i - primal_.end];
      if (!place) continue;
      tracing::node_info const m = g.nodes[i];
      g.word(m.op);
      g.word(m.operands);
      g.word(m.attrs);
      g.word(m.results);
      copy(first + place + 4, first + place + 4 + m.operands);
      for (int k = 0; k < m.attrs; ++k) g.word(g.attrs[m.attr + k]);
      for (int k = 0; k < m.results; ++k) tracing::write_type(g, g.values[m.value + k].type);
      ++more;
      more_values += m.results;
    }
    int longer = g.n_attrs - at - first - equations;
    copy(first + equations, first + outputs);  // scopes, which equations name by their places
    tracing::each_equation(block{&g, at + first}, [&](int place) {
      if (std::int64_t& w = g.attrs[at + first + place]; w >> block::op_bits)
        w += std::int64_t(longer) << block::op_bits;
    });
    int outputs_at = g.n_attrs - at - first;
    copy(first + outputs, first + size);
    int more_results = 0;
    for (int k = 0; k < n; ++k) {
      if (result_of(k) >= 0) continue;
      ++more_results;
      g.word(local_[k]);
      tracing::write_type(g, g.values[id_[k]].type);
    }
    int total = g.n_attrs - at - first;
    copy(first + size, node.attrs);
    std::int64_t* head = g.attrs + at + first;
    head[0] = total;
    head[2] += more;
    if (head[2] & block::effects) head[2] |= block::muted;  // the first one has them
    head[3] += more_results;
    head[4] += more_values;
    head[5] = outputs_at;
    g.attrs[at + counted] += more_results;
    if (behind >= 0) g.attrs[at + behind] += total - size;
    scratch_frame ids(g, node.operands);
    for (int k = 0; k < node.operands; ++k) ids[k] = g.edges[node.edge + k];
    int scope = g.scope;
    bool derived = g.derived;
    g.scope = node.scope;
    g.derived = node.derived;
    int result = tracing::emit_wide(g, node.op, ids.data(), node.operands, at, g.n_attrs - at);
    g.scope = scope;
    g.derived = derived;
    return result;
  }

  eqn e_;
  block block_;
  tracing::range primal_, all_;
  int const* ids_;
  scratch_frame live_;
  scratch_frame place_;  // of each equation of the derivative: where the block has the one that it extends, or 0
  scratch_frame still_;  // marks of equations
  scratch_frame local_, id_;
  scratch_frame result_of_;  // of each value of the block: the result that it is, or -1
  constexpr bool keeps(int keep, tracing::node_info const& n) const {
    return keep < 0 ? keep == keep_words::everything : keep_words{e_.g->attrs + keep}.has(*e_.g, n);
  }
  constexpr int result_of(int k) const { return local_[k] < block_.values() ? result_of_[local_[k]] : -1; }
  constexpr void add(int local, int id) {
    local_[n] = local;
    id_[n++] = id;
  }
  /// What is light and is made of constants and of what is captured is the same in each round of a loop: the derivative
  /// computes it again, where each round would keep a copy.
  constexpr void find_still() {
    graph const& g = *e_.g;
    for (int i = primal_.begin; i < primal_.end; ++i) {
      tracing::node_info const& n = g.nodes[i];
      form const f = row_of(n.op).form;
      bool still =
          n.op != tracing::input_op && n.results == 1 && !n.effect &&
          (f == form::source || f == form::pointwise || f == form::convert || is_movement(f) || n.op == code<update_p>);
      for (int k = 0; k < n.operands && still; ++k)
        if (int const id = g.edges[n.edge + k]; all_.holds(id))
          still = g.values[id].node < primal_.end && still_[g.values[id].node - primal_.begin];
      still_[i - primal_.begin] = still;
    }
  }
  constexpr void find_extensions() {
    graph& g = *e_.g;
    bool any = false;
    for (int i = primal_.end; i < all_.end; ++i)
      any = any || (row_of(g.nodes[i].op).wide && row_of(g.nodes[i].op).wide->extends);
    if (!any) return;
    int value = block_.inputs();
    tracing::each_equation(block_, [&](int place) {
      int op = block::op_of(block_[place]), results = int(block_[place + 3]);
      if (tracing::is_wide(op) && results > 0)
        for (int j = primal_.end; j < all_.end; ++j)
          if (g.nodes[j].op == op && extends(g, g.nodes[g.values[ids_[value]].node], g.nodes[j]))
            place_[j - primal_.end] = place;
      value += results;
    });
  }
};

}  // namespace etna::ops
