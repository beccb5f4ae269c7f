// SPDX-License-Identifier: BSD-3-Clause
// What is computed of sums of rows is a kernel of its own where it is much, and elements whose columns alone are summed
// are computed there: a logistic regression beside features that are picked is three kernels that each read what they
// need once. The numbers are the interpreter's.
#include "same.hpp"

namespace {

using namespace etna;

constexpr extent n = 600, wide = 40;
struct model {
  array<float, wide> w;
  array<float, 9> bias;
};
constexpr auto loss = [](model const& m, array<float, n, wide> x, array<int, n> group, array<float, n> y) {
  auto t = dot(x, m.w) + take<0>(m.bias, group);
  return mean(logaddexp(0.0f, t) - y * t);
};
constexpr auto derivative = [](model const& m, array<float, n, wide> x, array<int, n> group, array<float, n> y) {
  return value_and_grad(loss)(m, x, group, y);
};
/// Rows that their sums come back into: no tail.
constexpr auto centred = [](array<float, n, wide> x) {
  auto m = expand_dims<1>(mean<1>(x));
  return array<float, n, wide>(tanh((x - m) * exp(m)));
};
/// A tail of which one value goes back into the rows, and the rest does not.
constexpr auto both = [](array<float, n, wide> x) {
  auto s = sum<1>(x) * 0.1f, scale = 1.0f / (1.0f + s * s);
  auto far = tanh(exp(sin(s)) + cos(s)) * log(2.0f + s * s);
  return std::pair{array<float, n, wide>(x * expand_dims<1>(scale)), array<float, n>(far)};
};
template <class F, class... A> constexpr auto const& plan_of = compiler::program<F, A...>::value;

/// So many kernels of rows have a primitive in them; the elements of a kernel's loops are `elements`.
template <class P> constexpr int rows_with(P const& p, int op) {
  int found = 0;
  for (int i = 0; i < p.n_steps; ++i) {
    if (!planning::is<planning::kernel_step>(p.steps[i])) continue;
    planning::kernel_words const kernel(p, p.steps[i].kernel);
    bool sums = planning::nest_of(p, p.steps[i]) == planning::nest::rows ||
                planning::nest_of(p, p.steps[i]) == planning::nest::joined_rows,
         has = false;
    for (int s = 0; s < kernel.statements(); ++s) has = has || kernel.head(s).op == op;
    found += sums && p.steps[i].n_outer > 0 && has;
  }
  return found;
}
/// Bytes of temporaries, the largest.
template <class P> constexpr extent largest(P const& p) {
  extent most = 0;
  for (int i = 0; i < p.n_buffers; ++i)
    if (p.buffers[i].kind == planning::buffer::temporary && p.buffers[i].last >= 0 && p.buffers[i].size > most)
      most = p.buffers[i].size;
  return most;
}
constexpr auto const& of_derivative =
    plan_of<decltype(derivative), model, array<float, n, wide>, array<int, n>, array<float, n>>;
static_assert(rows_with(of_derivative, ops::code<ops::gather_p>) == 0);
static_assert(rows_with(of_derivative, ops::code<ops::logistic_p>) == 0);
static_assert(rows_with(of_derivative, ops::code<ops::sum_p>) == 1);
static_assert(largest(of_derivative) == n, "nothing has an element for each of x");
static_assert(rows_with(plan_of<decltype(centred), array<float, n, wide>>, ops::code<ops::exp_p>) == 1);
static_assert(rows_with(plan_of<decltype(both), array<float, n, wide>>, ops::code<ops::log_p>) == 0);
static_assert(rows_with(plan_of<decltype(both), array<float, n, wide>>, ops::code<ops::div_p>) == 1);

}  // namespace

TEST_CASE("sums of rows, and what is computed of them") {
  auto const x = test::some<array<float, n, wide>>(1, -1, 1);
  auto const y = test::some<array<float, n>>(2, 0, 1);
  model const m{test::some<array<float, wide>>(3, -1, 1), test::some<array<float, 9>>(4, -1, 1)};
  auto const group = array<int, n>::build([](int* o) {
    for (extent i = 0; i < n; ++i) o[i] = int(i * i % 9);
  });
  test::near(jit(derivative)(m, x, group, y), derivative(m, x, group, y), 1e-5);
  test::near(jit(centred)(x), centred(x), 1e-5);
  test::near(jit(both)(x), both(x), 1e-5);
}
