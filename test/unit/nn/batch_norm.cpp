// SPDX-License-Identifier: BSD-3-Clause
// batch_norm against flax: a batch, pictures, evaluation; by the name of a vmap's axis; its state.
#include "data/layers.inc.hpp"
#include "layers.hpp"

using namespace test;

namespace {

/// {y, gradients, state} as layers.py has them.
template <class X, class L, class M> auto pulled(L, M) {
  return [](auto const& ct, L const& p, X const& x, typename L::state const& s) {
    auto [y, pull] = vjp([&](L const& p, X const& x) { return p(x, s, M{}).first; }, p, x);
    return std::tuple{y, pull(ct), p(x, s, M{}).second};
  };
}
template <class L> typename L::state state_of() {
  using features = decltype(L::state::mean);
  return {some<features>(30), 2. + some<features>(31)};
}
template <class X, class L, class M> void check(std::vector<std::vector<double>> const& should, L, M mode) {
  auto f = pulled<X>(L{}, mode);
  auto p = filled<L>();
  check_leaves(leaves(f(some<X>(90), p, some<X>(50), state_of<L>())), should);
  check_leaves(leaves(jit(f)(some<X>(90), p, some<X>(50), state_of<L>())), should);
}
using named = nn::batch_norm<double, 3, "i"_n>;

}  // namespace

TEST_CASE("batch_norm is flax's, its running state too") {
  check<array<double, 5, 3>>(reference::layer_batch_norm, nn::batch_norm<double, 3>{}, nn::training);
  check<array<double, 5, 3>>(reference::layer_batch_norm_evaluates, nn::batch_norm<double, 3>{}, nn::evaluation);
  check<array<double, 2, 3, 2, 4>>(reference::layer_batch_norm_of_pictures, nn::batch_norm<double, 4>{}, nn::training);
}

TEST_CASE("one example of a vmap with a name is one of the batch") {
  using batch = array<double, 5, 3>;
  auto p = filled<named>();
  auto x = some<batch>(50);
  auto s = state_of<named>();
  auto f = [](auto const& ct, named const& p, batch const& x, named::state const& s) {
    auto all = vmap<none, 0, none>([](named const& p, auto const& x, auto const& s) { return p(x, s, nn::training); },
                                   axis_name<"i"_n>);
    auto [y, pull] = vjp([&](auto const& p, auto const& x) { return all(p, x, s).first; }, p, x);
    // each example has the same state
    return std::tuple{y, pull(ct),
                      tree::map([](auto const& v) { return take<0>(v, array<int>(4)); }, all(p, x, s).second)};
  };
  auto ct = some<batch>(90);
  check_leaves(leaves(f(ct, p, x, s)), reference::layer_batch_norm);
  check_leaves(leaves(jit(f)(ct, p, x, s)), reference::layer_batch_norm);
  // evaluation asks for no name
  near(vmap<none, 0, none>([](named const& p, auto const& x, auto const& s) { return p(x, s, nn::evaluation).first; })(
           p, x, s),
       p(x, s, nn::evaluation).first);
  CHECK_THROWS_WITH_AS(
      (vmap<none, 0, none>([](auto const& p, auto const& x, auto const& s) { return p(x, s, nn::training).first; })(
          nn::batch_norm<double, 3>{}, some<array<double, 2, 4, 3>>(1), state_of<nn::batch_norm<double, 3>>())),
      doctest::Contains("E116"), etna::error);
}

TEST_CASE("a state begins as mean 0 and variance 1") {
  auto s = nn::init<named::state>(random::key(0));
  near(s.mean, zeros<double, 3>());
  near(s.var, ones<double, 3>());
  near(nn::init<named>(random::key(0)).scale, ones<double, 3>());
}
