// SPDX-License-Identifier: BSD-3-Clause
// Which gates of derivatives can go. scale(t, y) is t * y, and 0 wherever t is 0: for branches that `where` did not
// take. Where no branch lies behind t, and y is bounded, it is a plain product. Read next: associate.hpp.
#pragma once
#include "pass.hpp"
#include "simplify.hpp"

namespace etna::rewrite {

/// What a value may be: infinite or NaN though the arguments are finite (short of overflow by + - * /); 0 by a branch,
/// a comparison or an extreme; below 0; close to 0.
namespace may_be {
inline constexpr char unbounded = 1, branched = 2, negative = 4, zero = 8, any = 15;
}

/// Of the first result of n, whose operands are marked. An unknown primitive may be anything.
constexpr char mark_of(graph const& g, node_info const& n, char const* marks) {
  using namespace ops;
  using namespace may_be;
  int const* in = g.edges + n.edge;
  char const a = n.operands > 0 ? marks[in[0]] : char(0), b = n.operands > 1 ? marks[in[1]] : a;
  char const either = char((a | b) & (unbounded | branched)), real = char(either | negative | zero);
  bool const positive = (a & (negative | zero)) == 0;
  switch (n.op) {
    case code<full_p>: {
      if (!is_finite(g.values[n.value].type.d, g.attrs[n.attr])) return unbounded | negative | zero;
      double v = bits_to_double(g.values[n.value].type.d, g.attrs[n.attr]);
      return v > 0 ? char(0) : v < 0 ? negative : zero;
    }
    case code<input_p>: return negative | zero;
    case code<copy_p>:
    case code<name_p>:
    case code<broadcast_p>:
    case code<reshape_p>:
    case code<transpose_p>:
    case code<slice_p>: return a;
    case code<add_p>: {
      bool above = ((a | b) & negative) == 0 && (a & b & zero) == 0;
      return char(either | ((a | b) & negative) | (above ? 0 : zero));
    }
    case code<mul_p>:
    case code<scale_p>: return in[0] == in[1] ? char(either | zero) : char(either | ((a | b) & negative) | zero);
    case code<sum_p>: return char(a | zero);  // that of nothing
    case code<sub_p>:
    case code<sin_p>:
    case code<cos_p>:
    case code<tanh_p>:
    case code<erf_p>:
    case code<dot_general_p>: return real;
    case code<neg_p>: return char(either | negative | (a & zero));
    case code<logistic_p>: return char(either | zero);
    case code<exp_p>: return char(either | unbounded | zero);
    case code<sqrt_p>: return char(either | (a & zero) | (a & negative ? unbounded | negative | zero : 0));
    case code<rsqrt_p>: return positive ? either : char(real | unbounded);
    case code<log_p>: return positive ? real : char(real | unbounded);
    case code<div_p>: return char(either | ((a | b) & negative) | zero | (b & zero ? unbounded : 0));
    case code<pow_p>: return char(real | unbounded);
    case code<relu_p>: return char((a & unbounded) | branched | zero);
    case code<select_p>:
    case code<max_p>:
    case code<min_p>:
    case code<abs_p>:
    case code<convert_p>: {
      char m = branched;
      for (int k = 0; k < n.operands; ++k) m = char(m | marks[in[k]]);
      return char(m | negative | zero);
    }
    default: return any;
  }
}
/// May the gate of scale(t, y) go?
constexpr bool is_open(char t, char y) { return !(t & may_be::branched) && !(y & may_be::unbounded); }

/// The rule of simplify, for which gates that can go are products.
class simplifier {
 public:
  /// in_block   of a loop or a branch: what its arguments are, nobody knows here
  constexpr simplifier(graph const& from, bool in_block) : in_block_(in_block) {
    for (int i = 0; i < from.n_nodes; ++i) has_gates_ = has_gates_ || from.nodes[i].op == code<ops::scale_p>;
  }
  constexpr int operator()(writer& w, graph const& from, node_info const& n, int const* in) {
    if (has_gates_) mark(w.to);
    if (n.op != code<ops::scale_p> || !is_open(marks_.at[in[0]], marks_.at[in[1]]))
      return simplify_equation(w, from, n, in);
    node_info product = n;
    product.op = code<ops::mul_p>;
    return simplify_equation(w, from, product, in);
  }

 private:
  bool in_block_, has_gates_ = false;
  int marked_ = 0;
  tracing::zeros<char> marks_;  // of new values

  constexpr void mark(graph const& g) {
    for (; marked_ < g.n_values; ++marked_) {
      node_info const& n = g.nodes[g.values[marked_].node];
      bool known = n.value == marked_ && !(in_block_ && n.op == code<ops::input_p>);
      marks_.at[marked_] = known ? mark_of(g, n, marks_.at) : may_be::any;
    }
  }
};

/// The pass: identities, one equation at a time.
constexpr bool simplify(subject& s, graph& to, int* outputs) {
  simplifier rule(*s.g, s.in_block);
  rewrite(
      *s.g, to, s.outputs, s.n_out, outputs, [&](auto&... x) { return rule(x...); }, no_more);
  return true;
}

}  // namespace etna::rewrite
