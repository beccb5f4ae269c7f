// SPDX-License-Identifier: BSD-3-Clause
// Rules for equations of single numbers, beside those of simplify.hpp: what is known while compiling. Read next:
// scalarize.hpp.
#pragma once
#include <etna/rewrite/gates.hpp>

namespace etna::straight {

using ops::code;
using rewrite::fold;
using rewrite::identity;
using rewrite::is_open;
using rewrite::mark_of;
using rewrite::nothing;
using rewrite::term;
using rewrite::writer;
using tracing::graph;
using tracing::node_info;

/// What `fold` leaves: choices, comparisons, whole numbers and bools that are known.
constexpr int fold_whole(term const& t) {
  using namespace ops;
  std::int64_t x[2]{};
  switch (t.op) {
    case code<select_p>: return t.constant(0) ? t.in[t.number(0) != 0 ? 1 : 2] : nothing;
    case code<eq_p>:
    case code<ne_p>:
    case code<lt_p>:
    case code<le_p>:
      if (t.constants < 2) return nothing;
      if (is_floating(t.type(0).d)) {
        if (!t.finite(0) || !t.finite(1)) return nothing;
        double y[2] = {t.number(0), t.number(1)};
        return t.full(row_of(t.op).scalar.real(y));
      }
      break;
    case code<add_p>:
    case code<sub_p>:
    case code<mul_p>:
    case code<neg_p>:
    case code<max_p>:
    case code<min_p>:
    case code<logical_and_p>:
    case code<logical_or_p>:
    case code<logical_xor_p>:
    case code<logical_not_p>:
      if (t.constants < t.n || is_floating(t.out.d)) return nothing;
      break;
    default: return nothing;
  }
  for (int k = 0; k < t.n; ++k) {
    if (!t.finite(k) || t.number(k) > 0x1p30 || t.number(k) < -0x1p30) return nothing;
    x[k] = t.g.attrs[t.node(k).attr];
  }
  std::int64_t r = row_of(t.op).scalar.whole(x);
  dtype_row const& held = row_of(t.out.d);
  bool const fits = t.out.d == dtype::boolean || (r >= held.least && r <= std::int64_t(held.most & 0x7fffffff));
  return fits ? t.full(double(r)) : nothing;
}

}  // namespace etna::straight
