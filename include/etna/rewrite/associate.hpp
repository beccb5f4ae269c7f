// SPDX-License-Identifier: BSD-3-Clause
// Products of products in the order that computes least: (A B) v becomes A (B v). Only where nothing else reads A B,
// and where that saves half of the work, since the sums are rounded otherwise. Read next: halve.hpp.
#pragma once
#include <bit>
#include <utility>

#include "pass.hpp"

namespace etna::rewrite {

/// A value and the letters of its axes, as in einsum.
struct lettered {
  int id = -1;
  int n = 0;
  int letter[max_rank]{};
  unsigned set = 0;  // of them

  constexpr void add(int l) {
    letter[n++] = l;
    set |= 1u << l;
  }
  constexpr bool has(int l) const { return set >> l & 1; }
  constexpr int find(int l) const {
    int i = 0;
    while (letter[i] != l) ++i;
    return i;
  }
};

/// Batch, then what is free in a, then what is free in b.
constexpr lettered letters_of(lettered const& a, lettered const& b, ops::dot_dims const& d) {
  lettered r;
  for (int i = 0; i < d.n_batch; ++i) r.add(a.letter[d.lhs_batch[i]]);
  for (int i = 0; i < a.n; ++i)
    if (!b.has(a.letter[i])) r.add(a.letter[i]);
  for (int i = 0; i < b.n; ++i)
    if (!a.has(b.letter[i])) r.add(b.letter[i]);
  return r;
}

/// The product that a value is, perhaps behind transposes.
struct seen_product : behind_transposes {
  int node;  // -1: it is none
  constexpr seen_product(graph const& g, int of) : behind_transposes(g, of), node(g.values[id].node) {
    if (ops::table.at[g.nodes[node].op].form != ops::form::contraction) node = -1;
  }
};

/// A product of a product: (x y) z or z (x y).
class triple_product {
 public:
  /// in       operands of the outer product
  /// side     which of them is a product
  constexpr triple_product(graph const& g, int const* in, std::int64_t const* attr, int side) : side_(side) {
    seen_product seen(g, in[side]);
    node_info const& n = g.nodes[seen.node];
    ops::dot_dims inner = ops::dot_dims::read(g.attrs + n.attr), outer = ops::dot_dims::read(attr);
    op_ = n.op;
    last_.precision = outer.precision;
    last_.accumulate = outer.accumulate;
    is_usable_ = inner.accumulate == outer.accumulate && inner.precision == outer.precision;
    lettered none, xy;
    x_ = name(g, g.edges[n.edge], none, inner, 0);
    y_ = name(g, g.edges[n.edge + 1], x_, inner, 1);
    lettered product = letters_of(x_, y_, inner);
    for (int i = 0; i < product.n; ++i) xy.add(product.letter[seen.axis[i]]);
    z_ = name(g, in[1 - side], xy, outer, 1 - side);
    out_ = side == 0 ? letters_of(xy, z_, outer) : letters_of(z_, xy, outer);
    inner_ = work(x_.set | y_.set);
    outer_ = work(xy.set | z_.set);
    double x_last = in_two(y_, x_), y_last = in_two(x_, y_);
    if (y_last < x_last) std::swap(x_, y_);
    best_ = y_last < x_last ? y_last : x_last;
  }
  /// May both orders be taken: is the element type one, are extents known, and ranks within the limit?
  constexpr bool is_usable() const { return is_usable_ && best_ < too_much; }
  /// Multiplications of the two products as they are, and of both in the better order.
  constexpr double inner() const { return inner_; }
  constexpr double outer() const { return outer_; }
  constexpr double best() const { return best_; }

  /// The better order, written: the value.
  constexpr int write(writer& w) const {
    // the operands stay on their sides, unless the product is there the other way, as that of a derivative may be
    product yz(*this, y_, z_, x_), zy(*this, z_, y_, x_);
    bool left = side_ == 0, turned = (left ? zy : yz).is_in(w);
    lettered first = (left != turned ? yz : zy).write(w);
    product front(*this, x_, first, {}), back(*this, first, x_, {});
    bool same_order = true;  // then the result needs no transpose
    for (int i = 0; i < out_.n; ++i) same_order = same_order && front.out.letter[i] == out_.letter[i];
    lettered r = (same_order ? front : back).write(w);
    std::int64_t perm[max_rank]{};
    for (int i = 0; i < out_.n; ++i) perm[i] = r.find(out_.letter[i]);
    return transposed(w, r.id, perm);
  }

 private:
  static constexpr double too_much = 1e300;
  int op_ = 0, side_, letters_ = 0;
  bool is_usable_ = true;
  lettered x_, y_, z_, out_;     // the better order has x last
  extent size_[3 * max_rank]{};  // of each letter
  double inner_ = 0, outer_ = 0, best_ = 0;
  ops::dot_dims last_;  // precision and element type

  /// Operand `side` of a product: letters of `other` where the two are paired, new ones elsewhere.
  constexpr lettered name(graph const& g, int id, lettered const& other, ops::dot_dims const& d, int side) {
    tensor_type const& t = g.values[id].type;
    is_usable_ = is_usable_ && t.d == last_.accumulate;
    lettered r;
    r.id = id;
    for (int i = 0; i < t.rank; ++i) {
      int l = -1;
      auto paired = [&](int const* lhs, int const* rhs, int n) {
        for (int k = 0; k < n; ++k)
          if ((side ? rhs : lhs)[k] == i) l = other.letter[(side ? lhs : rhs)[k]];
      };
      if (other.n > 0) {
        paired(d.lhs_batch, d.rhs_batch, d.n_batch);
        paired(d.lhs_contract, d.rhs_contract, d.n_contract);
      }
      if (l < 0) {
        l = letters_++;
        size_[l] = t.e[i];
        is_usable_ = is_usable_ && t.e[i] >= 0;
      }
      r.add(l);
    }
    return r;
  }
  constexpr double work(unsigned letters) const {
    double n = 1;
    for (int l = 0; l < letters_; ++l)
      if (letters >> l & 1) n *= double(size_[l]);
    return n;
  }
  /// Of z with `first`, and of that with `last`.
  constexpr double in_two(lettered const& first, lettered const& last) const {
    unsigned both = (first.set | z_.set) & (last.set | out_.set);
    return std::popcount(both) > max_rank ? too_much : work(first.set | z_.set) + work(both | last.set);
  }
  constexpr tensor_type type(lettered const& x) const {
    tensor_type t{last_.accumulate, x.n, {}};
    for (int i = 0; i < x.n; ++i) t.e[i] = size_[x.letter[i]];
    return t;
  }
  /// a with b as an equation; letters of both that neither `other` nor the result has are summed.
  struct product {
    int op, in[2], n = 0;
    lettered out;
    tensor_type type;
    std::int64_t attr[4 * max_rank + 4]{};

    constexpr product(triple_product const& c, lettered const& a, lettered const& b, lettered const& other)
        : op(c.op_), in{a.id, b.id} {
      ops::dot_dims d = c.last_;
      for (int i = 0; i < a.n; ++i) {
        if (!b.has(a.letter[i])) continue;
        bool stays = other.has(a.letter[i]) || c.out_.has(a.letter[i]);
        int& k = stays ? d.n_batch : d.n_contract;
        (stays ? d.lhs_batch : d.lhs_contract)[k] = i;
        (stays ? d.rhs_batch : d.rhs_contract)[k++] = b.find(a.letter[i]);
      }
      out = letters_of(a, b, d);
      type = c.type(out);
      n = d.write(attr);
    }
    constexpr bool is_in(writer const& w) const { return w.has(op, in, 2, attr, n, &type); }
    constexpr lettered write(writer& w) const {
      lettered r = out;
      r.id = w.write(op, in, 2, attr, n, &type, 1);
      return r;
    }
  };
};

/// Which products of a graph are taken apart; as a rule, it does so.
class association {
 public:
  constexpr association(graph const& g, int const* outputs, int n_out) {
    if (has_triple_product(g)) choose(g, outputs, n_out);
  }
  constexpr bool any() const { return any_; }
  constexpr int operator()(writer& w, graph const& from, node_info const& n, int const* in) const {
    int side = turned_.at[&n - from.nodes] - 1;
    return side < 0 ? keep(w, from, n, in) : triple_product(w.to, in, from.attrs + n.attr, side).write(w);
  }

 private:
  tracing::zeros<int> turned_;  // node -> its operand that is taken apart, + 1
  bool any_ = false;

  static constexpr bool is_product(node_info const& n) { return ops::table.at[n.op].form == ops::form::contraction; }
  static constexpr bool has_triple_product(graph const& g) {
    for (int i = 0; i < g.n_nodes; ++i)
      if (is_product(g.nodes[i]))
        for (int k = 0; k < 2; ++k)
          if (seen_product(g, g.edges[g.nodes[i].edge + k]).node >= 0) return true;
    return false;
  }
  constexpr void choose(graph const& g, int const* outputs, int n_out) {
    constexpr int other = -1;
    tracing::zeros<bool> live, taken;
    // product -> the last operand that reads it, 2 * node + side + 1; `other`: more than products do
    tracing::zeros<int> first;
    tracing::zeros<int, 2 * tracing::most_nodes> next;  // and those before it
    auto read_by_others = [&](int id) {
      if (seen_product s(g, id); s.node >= 0) first.at[s.node] = other;
    };
    for (int k = 0; k < n_out; ++k) {
      live.at[g.values[outputs[k]].node] = true;
      read_by_others(outputs[k]);
    }
    for (int i = g.n_nodes - 1; i >= 0; --i) {
      node_info const& n = g.nodes[i];
      if (!live.at[i] && !n.effect) continue;
      bool passes = ops::table.at[n.op].form == ops::form::transpose;
      int at[2] = {-1, -1};
      for (int k = 0; k < n.operands; ++k) {
        int id = g.edges[n.edge + k];
        live.at[g.values[id].node] = true;
        if (passes) continue;
        if (is_product(n)) at[k] = seen_product(g, id).node;
        else read_by_others(id);
      }
      for (int k = 0; k < 2; ++k) {
        if (at[k] < 0 || first.at[at[k]] == other) continue;
        if (at[0] == at[1]) first.at[at[k]] = other;  // a square
        else next.at[2 * i + k] = std::exchange(first.at[at[k]], 2 * i + k + 1);
      }
    }
    for (int i = g.n_nodes - 1; i >= 0; --i) {
      if (first.at[i] <= 0 || taken.at[i]) continue;
      double before = 0, after = 0;
      bool may = true;
      auto each = [&](auto f) {
        for (int e = first.at[i]; e > 0; e = next.at[e - 1]) f((e - 1) / 2, (e - 1) % 2);
      };
      each([&](int r, int side) {
        node_info const& n = g.nodes[r];
        triple_product c(g, g.edges + n.edge, g.attrs + n.attr, side);
        may = may && c.is_usable() && !taken.at[r];
        if (before == 0) before = c.inner();
        before += c.outer();
        after += c.best();
      });
      if (!may || 2 * after > before || before == 0) continue;  // products of nothing take nothing in any order
      any_ = taken.at[i] = true;
      each([&](int r, int side) {
        turned_.at[r] = side + 1;
        taken.at[r] = true;
      });
    }
  }
};

/// The pass. What is taken apart may be so again.
constexpr bool associate(subject& s, graph& to, int* outputs) {
  association order(*s.g, s.outputs, s.n_out);
  if (!order.any()) return false;
  rewrite(
      *s.g, to, s.outputs, s.n_out, outputs, [&](auto&... x) { return order(x...); }, no_more);
  return true;
}

}  // namespace etna::rewrite
