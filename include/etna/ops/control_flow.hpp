// SPDX-License-Identifier: BSD-3-Clause
// Rows: branch (one of several functions, by a number) and while. A branch with one function is a call: what checkpoint
// is made of, since the derivative of a branch computes what it needs again. Read next: table.hpp.
#pragma once
#include "scan_batched.hpp"

namespace etna::ops {

/// keep   where keep_words stand among the words; 0: there are none
struct branch_words {
  int branches, captured, operands, results, keep;
  static constexpr int count = 5;
  static constexpr branch_words read(std::int64_t const* a) {
    return {int(a[0]), int(a[1]), int(a[2]), int(a[3]), int(a[4])};
  }
};
struct while_words {
  int captured, carry;
  static constexpr int count = 2;
  static constexpr while_words read(std::int64_t const* a) { return {int(a[0]), int(a[1])}; }
};

/// attributes  the number of branches, of captured values, of operands, of results, and where keep_words begin (0:
/// nowhere);
///             where each block begins; blocks; keep_words: what reverse mode keeps of a branch that is the only one
/// operands    the number of the branch (i32, brought into range); captured values of all; operands
struct branch_p : nested {
  static constexpr auto name = "branch";
  static constexpr ops::form form = ops::form::branch;
  static constexpr int head = branch_words::count;
  static void reference(call const& c);  // eager/run_block.hpp

  static constexpr int results_of(std::int64_t const* a) { return branch_words::read(a).results; }
  static constexpr tensor_type type_of_result(std::int64_t const* a, int k) {
    return tracing::output_type(block_of(a, head, 0), k);
  }

  /// keep   the place of keep_words in the pool, or -1
  static constexpr int write(nested_equation const& e, int results, var which, var_list const& operands, int keep) {
    std::int64_t behind = keep < 0 ? 0 : head + e.blocks + e.size();
    return e.write(code<branch_p>, {e.blocks, e.captured.n, operands.n, results, behind}, which, operands, keep);
  }
  static constexpr int keep_of(tracing::node_info const& n, branch_words const& c) {
    return c.keep ? n.attr + c.keep : keep_words::nothing;
  }

  static constexpr void tangents(eqn e, int const* t, int* out) {
    graph& g = *e.g;
    tracing::node_info const n = e.info();
    branch_words c = branch_words::read(e.attrs());
    auto operand = [&](int k) { return var{&g, g.edges[n.edge + 1 + k]}; };  // captured and others
    auto moves = [&](int k) { return t[1 + k] >= 0; };
    int all = c.captured + c.operands, floating = 0, keep = keep_of(n, c);
    for (int k = 0; k < c.results; ++k) floating += is_floating(g.values[n.value + k].type.d);
    bool alone = c.branches == 1;
    var_list operands(0);
    nested_equation w(g, c.branches);
    for (int b = 0; b < c.branches; ++b) {
      region r(g);
      var_list captured(c.captured), args(c.operands), in(all), dots(all), arg_dots(c.operands), outs(c.results),
          result(c.results), block_out(c.results);
      for (int k = 0; k < all; ++k) {
        if (k < c.captured) captured.push(moves(k) ? alias(operand(k)) : operand(k));
        else args.push(argument(&g, type_of(operand(k))));
      }
      for (int k = 0; k < all; ++k) {
        if (!moves(k)) continue;
        in.push(k < c.captured ? captured[k] : args[k - c.captured]);
        dots.push(k < c.captured ? var{&g, t[1 + k]} : argument(&g, type_of(operand(k))));
        if (k >= c.captured) arg_dots.push(dots[dots.n - 1]);
      }
      block mine = block_of(g, n.attr, head, b);
      scratch_frame value_of(g, mine.values(), -1);
      tracing::unpack(g, mine, captured.v, args.v, outs.v, value_of.data(), true);
      tracing::range primal = r.written();
      transform::jvp(primal, in.v, dots.v, in.n, outs.v, c.results, result.v);
      for (int k = 0; k < c.results; ++k)
        if (is_floating(type_of(outs[k]).d)) block_out.push(or_zero(g, result[k].id, type_of(outs[k])));
      // one function keeps what it is told to; others would have to keep the same
      kept_values kept(e, mine, r, primal, value_of.data(), 0, 0, block_out, keep);
      auto reads = [&](int k) { return !alone || kept.is_read(args[k]); };
      var_list block_in(2 * c.operands + kept.n);
      for (int k = 0; k < kept.n; ++k) block_in.push(kept[k]);
      for (int k = 0; k < c.operands; ++k)
        if (reads(k)) block_in.push(args[k]);
      for (int k = 0; k < arg_dots.n; ++k) block_in.push(arg_dots[k]);
      w.pack(r, block_in, block_out);
      if (b == 0) {
        operands = var_list(block_in.n);
        kept.write(operands, 3, 4);
        for (int k = 0; k < c.operands; ++k)
          if (reads(k)) operands.push(operand(c.captured + k));
        for (int k = c.captured; k < all; ++k)
          if (moves(k)) operands.push({&g, t[1 + k]});
      }
    }
    int y = write(w, floating, {&g, g.edges[n.edge]}, operands, keep);
    for (int k = 0; k < c.results; ++k)
      if (is_floating(g.values[n.value + k].type.d)) out[k] = y++;
  }

  static constexpr void transposed(eqn e, int const* linear, int const* ct, int* out) {
    graph& g = *e.g;
    tracing::node_info const n = e.info();
    branch_words c = branch_words::read(e.attrs());
    auto operand = [&](int k) { return var{&g, g.edges[n.edge + 1 + k]}; };
    int all = c.captured + c.operands, n_linear = 0;
    var_list operands(all + c.results);
    for (int k = 0; k < all; ++k) n_linear += linear[1 + k] != 0;
    for (int k = c.captured; k < all; ++k)
      if (!linear[1 + k]) operands.push(operand(k));
    for (int k = 0; k < c.results; ++k)
      if (ct[k] >= 0) operands.push({&g, ct[k]});
    nested_equation w(g, c.branches);
    for (int b = 0; b < c.branches; ++b) {
      region r(g);
      var_list captured(c.captured), args(c.operands), in(all), outs(c.results), cts(c.results), result(all),
          block_in(all + c.results), block_out(all);
      for (int k = 0; k < all; ++k) {
        bool outside = k < c.captured && !linear[1 + k];
        var x = outside ? operand(k) : argument(&g, type_of(operand(k)));
        (k < c.captured ? captured : args).push(x);
        if (linear[1 + k]) in.push(x);
        else if (k >= c.captured) block_in.push(x);
      }
      for (int k = 0; k < c.results; ++k) {
        cts.push(ct[k] >= 0 ? argument(&g, tracing::type_of({&g, ct[k]})) : var{});
        if (ct[k] >= 0) block_in.push(cts[k]);
      }
      tracing::unpack(g, block_of(g, n.attr, head, b), captured.v, args.v, outs.v, nullptr, true);
      transform::transpose({r.written(), in.v, in.n, outs.v, c.results}, cts.v, result.v);
      for (int k = 0; k < in.n; ++k) block_out.push(or_zero(g, result[k].id, type_of(in[k])));
      w.pack(r, block_in, block_out);
    }
    int y = write(w, n_linear, {&g, g.edges[n.edge]}, operands, keep_of(n, c));
    for (int k = 0; k < all; ++k)
      if (linear[1 + k]) out[1 + k] = y++;
  }

  static constexpr void batched(eqn e, int const* in, int const* is_batched, int level, int* out) {
    graph& g = *e.g;
    tracing::node_info const n = e.info();
    branch_words c = branch_words::read(e.attrs());
    if (is_batched[0]) {  // all branches run, and each example takes its own
      var_list captured(c.captured), args(c.operands), outs(c.results);
      for (int k = 0; k < c.captured + c.operands; ++k)
        (k < c.captured ? captured : args).push({&g, g.edges[n.edge + 1 + k]});
      for (int b = c.branches - 1; b >= 0; --b) {
        tracing::unpack(g, block_of(g, n.attr, head, b), captured.v, args.v, outs.v);
        for (int k = 0; k < c.results; ++k) {
          var y = whole_of(g, outs[k], level);
          if (b < c.branches - 1) {
            var here = lt(var{&g, in[0]}, full_like({&g, in[0]}, b + 1));
            int front = 0;
            y = select(broadcast(here, type_of(y).with(dtype::boolean), &front), y, {&g, out[k]});
          }
          out[k] = y.id;
        }
      }
      return;
    }
    var_list operands(c.operands);
    for (int k = 0; k < c.operands; ++k) operands.push({&g, in[1 + c.captured + k]});
    nested_equation w(g, c.branches);
    for (int b = 0; b < c.branches; ++b)
      pack_batched(w, block_of(g, n.attr, head, b), in + 1, is_batched + 1, c.captured, is_batched + 1 + c.captured,
                   level);
    int y = write(w, c.results, {&g, in[0]}, operands, keep_of(n, c));
    for (int k = 0; k < c.results; ++k) out[k] = y + k;
  }

  static constexpr bool extends(std::int64_t const* a, std::int64_t const* b) {
    branch_words x = branch_words::read(a), y = branch_words::read(b);
    if (!x.keep || !y.keep || !same_blocks(block_of(a, head, 0), block_of(b, head, 0), true))
      return false;  // with keep_words there is one block
    for (int k = 0; k <= a[x.keep]; ++k)
      if (a[x.keep + k] != b[y.keep + k]) return false;
    return true;
  }

  template <class Through>
  static constexpr void spread_operands(graph& g, int attr, int const* operands, int* results, Through const& through) {
    branch_words c = branch_words::read(g.attrs + attr);
    scratch_frame one(g, c.results, 0);
    for (int k = 0; k < c.results; ++k) results[k] = operands[0];
    for (int b = 0; b < c.branches; ++b) {
      through(g, block_of(g, attr, head, b), operands + 1, operands + 1 + c.captured, one.data());
      for (int k = 0; k < c.results; ++k) results[k] |= one[k];
    }
  }
  static constexpr void depends(graph& g, int attr, int const* operands, int* results) {
    spread_operands(g, attr, operands, results, spread_marks);
  }
  static constexpr void spreads(graph& g, int attr, int const* operands, int* results, rank_marks& m) {
    rank_marks::decided const by(m, operands[0]);
    spread_operands(g, attr, operands, results, m.walk());
  }

  static constexpr wide_rules wide{head,        1,
                                   1,           [](std::int64_t const* a) { return branch_words::read(a).branches; },
                                   &results_of, &type_of_result,
                                   &tangents,   transposed,
                                   &batched,    extends,
                                   nullptr,     depends,
                                   spreads};
};

/// attributes  the number of captured values and of the carry; where the blocks begin: go on?, body
/// operands    captured values of both; the first carry
/// results     the carry when the first block says no
struct while_p : nested {
  static constexpr auto name = "while";
  static constexpr ops::form form = ops::form::loop;
  static constexpr int head = while_words::count;
  static void reference(call const& c);  // eager/run_block.hpp

  static constexpr int results_of(std::int64_t const* a) { return while_words::read(a).carry; }
  static constexpr tensor_type type_of_result(std::int64_t const* a, int k) {
    return tracing::output_type(block_of(a, head, 1), k);
  }
  static constexpr int write(nested_equation const& e, var_list const& operands) {
    return e.write(code<while_p>, {e.captured.n, operands.n}, {}, operands);
  }

  static constexpr void tangents(eqn e, int const* t, int* out) {
    graph& g = *e.g;
    tracing::node_info const n = e.info();
    int n_captured = int(e.attr(0)), carry = int(e.attr(1));
    auto operand = [&](int k) { return var{&g, g.edges[n.edge + k]}; };
    auto moves = [&](int k) { return k < n_captured ? t[k] >= 0 : is_floating(type_of(operand(k)).d); };
    int all = n_captured + carry;
    var_list operands(2 * carry);
    for (int k = n_captured; k < all; ++k) operands.push(operand(k));
    for (int k = n_captured; k < all; ++k)
      if (moves(k)) operands.push(or_zero(g, t[k], type_of(operand(k))));
    nested_equation w(g, 2);
    for (int which = 0; which < 2; ++which) {
      region r(g);
      int n_out = which ? carry : 1;
      var_list captured(n_captured), args(carry), in(all), dots(all), outs(n_out), result(n_out), block_in(2 * carry),
          block_out(2 * carry);
      for (int k = 0; k < all; ++k) {
        if (k < n_captured) captured.push(moves(k) ? alias(operand(k)) : operand(k));
        else {
          args.push(argument(&g, type_of(operand(k))));
          block_in.push(args[k - n_captured]);
        }
      }
      for (int k = 0; k < all; ++k) {
        if (!moves(k)) continue;
        in.push(k < n_captured ? captured[k] : args[k - n_captured]);
        dots.push(k < n_captured ? var{&g, t[k]} : argument(&g, type_of(operand(k))));
        if (k >= n_captured) block_in.push(dots[dots.n - 1]);
      }
      tracing::unpack(g, block_of(g, n.attr, head, which), captured.v, args.v, outs.v, nullptr, true);
      for (int k = 0; k < n_out; ++k) block_out.push(outs[k]);
      if (which) {
        transform::jvp(r.written(), in.v, dots.v, in.n, outs.v, n_out, result.v);
        for (int k = 0; k < carry; ++k)
          if (moves(n_captured + k)) block_out.push(or_zero(g, result[k].id, type_of(outs[k])));
      }
      w.pack(r, block_in, block_out);
    }
    int y = write(w, operands) + carry;
    for (int k = 0; k < carry; ++k)
      if (moves(n_captured + k)) out[k] = y++;
  }

  static constexpr void batched(eqn e, int const* in, int const* is_batched, int level, int* out) {
    graph& g = *e.g;
    tracing::node_info const n = e.info();
    int n_captured = int(e.attr(0)), carry = int(e.attr(1));
    var_list operands(carry);
    for (int k = 0; k < carry; ++k) {
      var x{&g, in[n_captured + k]};
      operands.push(is_batched[n_captured + k] ? x : broadcast_front(x, g.batch[level]));
    }
    nested_equation w(g, 2);
    for (int which = 0; which < 2; ++which) {
      region r(g);
      var_list captured(n_captured), args(carry), go(1), outs(carry), block_in(carry), block_out(carry);
      for (int k = 0; k < carry; ++k) block_in.push(argument(&g, type_of(operands[k])));
      for (int k = 0; k < n_captured; ++k) captured.push(seen(g, in[k], is_batched[k] != 0, level));
      for (int k = 0; k < carry; ++k) args.push(seen(g, block_in[k].id, true, level));
      tracing::unpack(g, block_of(g, n.attr, head, 0), captured.v, args.v, go.v);
      if (which) tracing::unpack(g, block_of(g, n.attr, head, 1), captured.v, args.v, outs.v);
      var on = whole_of(g, go[0], level);
      std::int64_t first = 0;
      if (!which) block_out.push(reduce<any_p>(on, &first, 1));
      for (int k = 0; k < carry && which; ++k) {  // examples that have ended stay as they are
        var y = whole_of(g, outs[k], level);
        int front = 0;
        block_out.push(select(broadcast(on, type_of(y).with(dtype::boolean), &front), y, block_in[k]));
      }
      w.pack(r, block_in, block_out);
    }
    int y = write(w, operands);
    for (int k = 0; k < carry; ++k) out[k] = y + k;
  }

  static constexpr void spreads(graph& g, int attr, int const* operands, int* results, rank_marks& m) {
    while_words const c = while_words::read(g.attrs + attr);
    scratch_frame carry(g, c.carry, 0), out(g, c.carry, 0);
    for (int k = 0; k < c.carry; ++k) carry[k] = operands[c.captured + k];
    for (bool again = true; again;) {
      int goes_on = 0;
      m.through(g, block_of(g, attr, head, 0), operands, carry.data(), &goes_on);
      rank_marks::decided const by(m, goes_on);
      for (int which = 0; which < 2; ++which)  // some ranks ask once more
        m.through(g, block_of(g, attr, head, which), operands, carry.data(), which ? out.data() : &goes_on);
      again = false;
      for (int k = 0; k < c.carry; ++k) {
        again = again || ((out[k] | goes_on) & ~carry[k]) != 0;
        carry[k] |= out[k] | goes_on;
      }
    }
    for (int k = 0; k < c.carry; ++k) results[k] = carry[k];
  }

  static constexpr wide_rules wide{head,        0,
                                   0,           [](std::int64_t const*) { return 2; },
                                   &results_of, &type_of_result,
                                   &tangents,   nullptr,
                                   &batched,    nullptr,
                                   nullptr,     nullptr,
                                   spreads};
};

}  // namespace etna::ops
