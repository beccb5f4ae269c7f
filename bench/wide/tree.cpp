// SPDX-License-Identifier: BSD-3-Clause
// A soft decision tree of six levels over 20,000 examples; gradient by its parameters. Levels by take and where, and
// joined by stack and reshape.
#include "program.hpp"

namespace {

using namespace wide;
constexpr extent n = 20000;
struct soft_tree {
  array<float, 16, 63> w;
  array<float, 63> b;
  array<float, 64, 10> leaf;
};
using examples = array<float, n, 16>;
using classes = array<int, n>;
constexpr auto by_take = [](soft_tree const& p, examples x, classes y) {
  auto s = sigmoid(dot(x, p.w) + p.b);
  auto prob = ones<float, n, 64>();
  for (int d = 0; d < 6; ++d) {
    auto l = arange<int, 64>();
    auto node = ((1 << d) - 1) + right_shift(l, 6 - d);
    auto right = bitwise_and(right_shift(l, 5 - d), 1) == 1;
    auto sd = take<1>(s, node);
    prob = decltype(prob)(prob * where(expand_dims<0>(right), sd, 1.0f - sd));
  }
  return mean(softmax_cross_entropy(dot(prob, p.leaf), y));
};
template <int D, class S, class P> constexpr auto levels(S const& s, P const& prob) {
  if constexpr (D == 6) return prob;
  else {
    constexpr extent m = 1 << D;
    auto sd = slice<every, range{m - 1, 2 * m - 1}>(s);
    return levels<D + 1>(s, reshape<n, 2 * m>(stack<2>(prob * (1.0f - sd), prob * sd)));
  }
}
constexpr auto by_stack = [](soft_tree const& p, examples x, classes y) {
  auto s = sigmoid(dot(x, p.w) + p.b);
  return mean(softmax_cross_entropy(dot(levels<0>(s, ones<float, n, 1>()), p.leaf), y));
};
constexpr auto f = jit([](soft_tree p, examples x, classes y) { return grad(by_take)(p, x, y); });
constexpr auto g = jit([](soft_tree p, examples x, classes y) { return grad(by_stack)(p, x, y); });
template <class F> void run_tree(double seconds, F const& of) {
  soft_tree p{fill<array<float, 16, 63>>(1), fill<array<float, 63>>(2), fill<array<float, 64, 10>>(3)};
  run_or_show(seconds, of, p, fill<examples>(4), fill_int<classes>(5, 10));
}
entry const e("tree", [](double seconds) { run_tree(seconds, f); });
entry const s("tree_stack", [](double seconds) { run_tree(seconds, g); });

}  // namespace
