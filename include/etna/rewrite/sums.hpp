// SPDX-License-Identifier: BSD-3-Clause
// What a loop only adds up is summed behind it. Rounds that have no other carry then need nothing of each other, and
// threads share them; short products, whose sums would go on from round to round, are one long product. Read next:
// jam.hpp.
#pragma once
#include "scans.hpp"

namespace etna::rewrite::sums {

using limits = tuning::loop_sums;
using tracing::block;
using tracing::var;

enum class how { stays, sum, product };

/// What the carries of a loop are: those that are only added to, and what is added. A loop that is to keep little keeps
/// its sums; and so do elements of 8 and 16 bits and products of their own precision, which passes before have seen.
class carries {
 public:
  constexpr carries(graph const& g, node_info const& n) : h(words_of_loop(g, n)), b_(body_of_loop(g, n)) {
    if (h.recompute || h.carry == 0 || h.length < 2 || b_.has_effects()) return;
    read_block();
    bool all = true;
    for (int k = 0; k < h.carry; ++k) {
      bool const is_added = follow(k), is_product = is_added && are_products(k);
      how_.at[k] = is_product ? how::product : how::stays;
      extent const bytes = bytes_of_value(k);
      all = all && (is_product || (is_added && bytes >= 0 && bytes * h.length <= limits::kept));
      any_ = any_ || is_product;
    }
    for (int k = 0; k < h.carry && all; ++k)
      if (how_.at[k] == how::stays) how_.at[k] = how::sum;
    any_ = any_ || all;
  }
  scan_words h;
  constexpr bool any() const { return any_; }
  constexpr how of(int carry) const { return how_.at[carry]; }
  /// Call f(value, equation) for what is added to a carry, and where.
  template <class F> constexpr void each_addend(int carry, F const& f) const {
    for (int v = carry; v != out(carry);) {
      equation const e = at(user_.at[v] - 1);
      f(operand(e, operand(e, 0) == v), e);
      v = e.value;
    }
  }

  constexpr block body() const { return b_; }

  struct equation {
    int place, value;  // where it is in the block; its first result
  };
  constexpr int op(equation e) const { return block::op_of(b_[e.place]); }
  constexpr int operand(equation e, int k) const { return int(b_[e.place + 4 + k]); }
  constexpr int operands(equation e) const { return int(b_[e.place + 1]); }
  constexpr std::int64_t const* attrs(equation e) const { return b_.words(e.place + 4 + operands(e)); }
  constexpr int n_attrs(equation e) const { return int(b_[e.place + 2]); }
  /// The equation that gives a value; where it is an input, there is none.
  constexpr equation given(int v) const { return at(given_.at[v] - 1); }
  /// The product that v is, perhaps moved.
  constexpr equation product(int v) const {
    while (op(given(v)) != code<ops::dot_general_p>) v = operand(given(v), 0);
    return given(v);
  }
  constexpr int values() const { return b_.values(); }
  constexpr tensor_type type(int v) const {
    int at = type_.at[v];
    return tracing::read_type(b_, at);
  }
  constexpr bool is_slice(int v) const { return v >= h.carry && v < h.carry + h.xs; }

 private:
  block b_;
  bool any_ = false;
  tracing::zeros<how> how_;            // by carry
  tracing::zeros<int> place_, first_;  // by equation
  // by value: its equation + 1, its readers, the last of them + 1, where its type is
  tracing::zeros<int> given_, users_, user_, type_;

  constexpr equation at(int e) const { return {place_.at[e], first_.at[e]}; }
  constexpr int out(int carry) const {
    int value = 0;
    tracing::output_type(b_, carry, &value);
    return value;
  }
  constexpr extent bytes_of_value(int v) const {
    tensor_type const t = type(v);
    return t.is_static() ? std::max(t.size(), extent(1)) * bytes_of(t.d) : -1;
  }
  constexpr void read_block() {
    int values = 0, equations = 0, at = block::head;
    auto types = [&](int n) {
      for (int k = 0; k < n; ++k) {
        type_.at[values++] = at;
        tracing::read_type(b_, at);
      }
    };
    types(b_.inputs());
    tracing::each_equation(b_, [&](int place) {
      int const n = int(b_[place + 1]), results = int(b_[place + 3]);
      for (int k = 0; k < n; ++k)
        if (std::int64_t const v = b_[place + 4 + k]; v >= 0) ++users_.at[v], user_.at[v] = equations + 1;
      place_.at[equations] = place;
      first_.at[equations++] = values;
      for (int k = 0; k < results; ++k) given_.at[values + k] = equations;
      at = place + 4 + n + int(b_[place + 2]);
      types(results);
    });
    at = b_.outputs_at();
    for (int k = 0; k < b_.outputs(); ++k) {
      if (std::int64_t const v = b_[at++]; v >= 0) ++users_.at[v];
      tracing::read_type(b_, at);
    }
  }
  /// From a carry by additions, which nobody else reads, to what it is in the next round?
  constexpr bool follow(int carry) const {
    int const end = out(carry);
    int v = carry;
    if (is_narrow(type(v).d)) return false;
    while (v != end) {
      if (end < 0 || users_.at[v] != 1 || user_.at[v] == 0) return false;
      equation const e = at(user_.at[v] - 1);
      if (op(e) != code<ops::add_p>) return false;
      v = e.value;
    }
    return v != carry && users_.at[v] == 1;
  }
  /// Are all that are added products of short sums, moved perhaps, whose operands are no more than what they are added
  /// to?
  constexpr bool are_products(int carry) const {
    bool all = true;
    extent bytes = 0;
    each_addend(carry, [&](int v, equation) {
      int moves = 0;
      auto is_move = [&] { return ops::is_movement(ops::table.at[op(given(v))].form); };
      while (v >= 0 && given_.at[v] && users_.at[v] == 1 && is_move() && moves++ < limits::moves)
        v = operand(given(v), 0);
      all = all && v >= 0 && given_.at[v] && users_.at[v] == 1 && op(given(v)) == code<ops::dot_general_p>;
      if (!all) return;
      equation const e = given(v);
      auto const dims = ops::dot_dims::read(attrs(e));
      extent terms = 1;
      for (int k = 0; k < 2 && all; ++k) {
        int const x = operand(e, k);
        all = x >= 0 && type(x).is_static() && type(x).rank < max_rank && !is_narrow(type(x).d);
        if (all && !is_slice(x)) bytes += bytes_of_value(x);
      }
      for (int i = 0; i < dims.n_contract && all; ++i) terms *= type(operand(e, 0)).e[dims.lhs_contract[i]];
      all = all && terms <= limits::terms && dims.precision == 0;
    });
    return all && bytes <= limits::more * bytes_of_value(carry) && bytes * h.length <= limits::most;
  }
};

/// A loop without the carries that are only added to, and these behind it.
class summed {
 public:
  constexpr summed(writer& w, graph const& from, node_info const& n, int const* in, carries const& c)
      : to_(w.to),
        c_(c),
        in_(in),
        id_(w.to, c.values(), -1),
        given_(w.to, c.values() + c.h.carry, -1),
        added_(c.values() + c.h.carry),
        results(n.results) {
    scan_words const& h = c.h;
    ops::var_list operands(h.carry + h.xs), block_in(h.carry + h.xs), args(h.carry + h.xs), outs(n.results),
        block_out(n.results + c.values() + h.carry);
    ops::nested_equation whole(to_, 1);
    int carry = 0;
    {
      ops::region r(to_);
      for (int k = 0; k < h.carry + h.xs; ++k) {
        var const x = operand(k);
        args.push(ops::argument(&to_, k < h.carry ? type_of(x) : ops::slice_type(type_of(x))));
        if (is_gone(k)) continue;
        carry += k < h.carry;
        operands.push(x);
        block_in.push(args[k]);
      }
      unpack_loop(w, from, n, in, args, outs, id_.data());
      for (int k = 0; k < h.carry; ++k)
        if (c.of(k) == how::sum) give_sum(k);
        else if (c.of(k) == how::product) c.each_addend(k, [&](int v, auto) { give_operands(c.product(v)); });
      for (int k = 0; k < n.results; ++k)
        if (!is_gone(k)) block_out.push(outs[k]);
      for (int k = 0; k < added_.n; ++k) block_out.push(added_[k]);
      whole.pack(r, block_in, block_out);
    }
    int y = 0;
    if (scan_words const left{h.length, h.reverse, false, 0, carry, operands.n - carry, block_out.n - carry};
        block_out.n > 0)
      y = scan_p::write(whole, left, operands);
    first_added_ = y + block_out.n - added_.n;
    for (int k = 0; k < n.results; ++k) results.push(is_gone(k) ? total(k) : var{&to_, y++});
  }

 private:
  graph& to_;
  carries const& c_;
  int const* in_;
  ops::scratch_frame id_;     // of each value of the block, in the region
  ops::scratch_frame given_;  // of each such value, and then of the sum for each carry: which result more, or -1
  ops::var_list added_;       // what the loop gives more, of one round
  int first_added_ = 0;       // all rounds of the first of these

 public:
  ops::var_list results;

 private:
  /// A value of the block, in one round.
  constexpr var in_round(int v) const { return {&to_, v < 0 ? in_[-1 - v] : id_[v]}; }
  constexpr var operand(int k) const { return {&to_, in_[c_.h.captured + k]}; }
  constexpr bool is_gone(int k) const { return k < c_.h.carry && c_.of(k) != how::stays; }
  constexpr void give(int number, var x) {
    if (given_[number] >= 0) return;
    given_[number] = added_.n;
    added_.push(x);
  }
  constexpr void give_sum(int carry) {
    var t{};
    c_.each_addend(carry, [&](int v, carries::equation e) {
      if (v < 0) return;
      written_as const here(to_, c_.body(), e.place);
      var const x = in_round(v);
      t = t ? t + x : x;
    });
    if (t) give(c_.values() + carry, t);
  }
  constexpr void give_operands(carries::equation e) {
    for (int k = 0; k < 2; ++k)
      if (int const v = c_.operand(e, k); !c_.is_slice(v)) give(v, in_round(v));
  }
  /// A value of the block, of all rounds.
  constexpr var all(int v) const { return c_.is_slice(v) ? operand(v) : var{&to_, first_added_ + given_[v]}; }
  constexpr var total(int carry) const {
    var t = operand(carry);
    int summed = given_[c_.values() + carry];
    c_.each_addend(carry, [&](int v, carries::equation e) {
      written_as const here(to_, c_.body(), e.place);
      std::int64_t const rounds = 0;
      if (c_.of(carry) == how::product) {
        t = t + moved(v, product(c_.product(v)));
      } else if (v < 0) {  // no round changes it
        t = t + in_round(v) * ops::full_like(t, double(c_.h.length));
      } else if (summed >= 0) {
        t = t + ops::sum({&to_, first_added_ + summed}, &rounds, 1);
        summed = -1;
      }
    });
    return t;
  }
  constexpr var product(carries::equation e) const {
    ops::dot_dims d = ops::dot_dims::read(c_.attrs(e)), over = d;
    for (int i = 0; i < d.n_batch; ++i) over.lhs_batch[i] = d.lhs_batch[i] + 1, over.rhs_batch[i] = d.rhs_batch[i] + 1;
    over.lhs_contract[0] = over.rhs_contract[0] = 0;  // the rounds
    for (int i = 0; i < d.n_contract; ++i) {
      over.lhs_contract[i + 1] = d.lhs_contract[i] + 1;
      over.rhs_contract[i + 1] = d.rhs_contract[i] + 1;
    }
    ++over.n_contract;
    return ops::dot_general(all(c_.operand(e, 0)), all(c_.operand(e, 1)), over);
  }
  /// What moves the product until it is value v.
  constexpr var moved(int v, var x) const {
    carries::equation moves[limits::moves]{};
    int n = 0;
    for (int at = v; c_.op(c_.given(at)) != code<ops::dot_general_p>; at = c_.operand(c_.given(at), 0))
      moves[n++] = c_.given(at);
    while (n-- > 0) {
      carries::equation const e = moves[n];
      x = tracing::emit(c_.op(e), &x, 1, c_.attrs(e), c_.n_attrs(e), c_.type(e.value), &to_);
    }
    return x;
  }
};

/// The pass.
constexpr bool pass(subject& s, graph& to, int* outputs) {
  if (!s.g->has_wide || s.g->effects) return false;
  return rewrite_where(
      s, to, outputs, [](graph const& g, node_info const& n) { return is_loop(n) && carries(g, n).any(); },
      [](writer& w, graph const& from, node_info const& n, int const* in) {
        if (!is_loop(n)) return keep(w, from, n, in);
        carries const c(from, n);
        return c.any() ? in_a_row(w, summed(w, from, n, in, c).results) : keep(w, from, n, in);
      });
}

}  // namespace etna::rewrite::sums
