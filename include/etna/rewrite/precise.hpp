// SPDX-License-Identifier: BSD-3-Clause
// Products of f32 and f64 that ask for less: their operands are rounded, and the sums are f32. For bf16x3 each operand
// is a high and a low part, and three products are added, the small ones first. Read next: widen.hpp.
#pragma once
#include "pass.hpp"

namespace etna::rewrite::precise {

constexpr precision asked(graph const& g, node_info const& n) {
  return n.op == code<ops::dot_general_p> ? precision(ops::dot_dims::read(g.attrs + n.attr).precision)
                                          : precision::usual;
}
constexpr int converted(writer& w, int x, dtype d) {
  tensor_type const type = w.to.values[x].type.with(d);
  std::int64_t const to = std::int64_t(d);
  return w.to.values[x].type.d == d ? x : w.write(code<ops::convert_p>, &x, 1, &to, 1, &type, 1);
}
constexpr int rounded(writer& w, int x) { return converted(w, converted(w, x, dtype::bf16), dtype::f32); }
template <class P> constexpr int two(writer& w, int x, int y, dtype d) {
  int const in[] = {x, y};
  tensor_type const type = w.to.values[x].type.with(d);
  return w.write(code<P>, in, 2, nullptr, 0, &type, 1);
}

class product {
 public:
  constexpr product(writer& w, graph const& from, node_info const& n) : w_(w) {
    out_ = from.values[n.value].type.with(dtype::f32);
    ops::dot_dims d = ops::dot_dims::read(from.attrs + n.attr);
    d.precision = 0;
    d.accumulate = dtype::f32;
    words_ = d.write(attr_);
  }
  constexpr int of(int x, int y) {
    int const in[] = {x, y};
    return w_.write(code<ops::dot_general_p>, in, 2, attr_, words_, &out_, 1);
  }
  /// Where the high parts are infinite, the low ones are NaN, and count for nothing.
  constexpr int of_parts(int const* high, int const* low) {
    int const small = two<ops::add_p>(w_, of(low[0], high[1]), of(high[0], low[1]), dtype::f32);
    std::int64_t const zero = to_bits(dtype::f32, 0.0);
    int const pick[] = {two<ops::eq_p>(w_, small, small, dtype::boolean), small,
                        w_.write(code<ops::full_p>, nullptr, 0, &zero, 1, &out_, 1)};
    return two<ops::add_p>(w_, w_.write(code<ops::select_p>, pick, 3, nullptr, 0, &out_, 1), of(high[0], high[1]),
                           dtype::f32);
  }

 private:
  writer& w_;
  tensor_type out_;
  std::int64_t attr_[4 * max_rank + 4]{};
  int words_;
};

constexpr int rule(writer& w, graph const& from, node_info const& n, int* in) {
  precision const p = asked(from, n);
  if (p == precision::usual) return keep(w, from, n, in);
  product product_of(w, from, n);
  int high[2]{}, low[2]{}, r;
  for (int k = 0; k < 2; ++k) {
    high[k] = in[k] = converted(w, in[k], dtype::f32);
    if (p == precision::f32) continue;
    high[k] = rounded(w, in[k]);
    if (p == precision::bf16x3) low[k] = rounded(w, two<ops::sub_p>(w, in[k], high[k], dtype::f32));
  }
  if (p == precision::bf16x3) r = product_of.of_parts(high, low);
  else r = product_of.of(high[0], high[1]);
  return converted(w, r, from.values[n.value].type.d);
}
/// The pass.
constexpr bool pass(subject& s, graph& to, int* outputs) {
  return rewrite_where(
      s, to, outputs,
      [](graph const& g, node_info const& n) { return n.level == 0 && asked(g, n) != precision::usual; }, rule);
}

}  // namespace etna::rewrite::precise
