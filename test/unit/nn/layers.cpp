// SPDX-License-Identifier: BSD-3-Clause
// Layers with fixed parameters against flax.linen: results and gradients, eager and in jit; on a batch and under vmap.
#include "data/layers.inc.hpp"
#include "layers.hpp"

using namespace test;

TEST_CASE("dense and dense_general are flax's") {
  against<nn::dense<double, 4, 5>, array<double, 2, 3, 4>>(reference::layer_dense);
  against<nn::dense<double, 4, 5, nn::no_bias>, array<double, 3, 4>>(reference::layer_dense_without_bias);
  against<nn::dense_general<double, nn::shape<4>, nn::shape<3, 2>>, array<double, 2, 3, 4>>(
      reference::layer_dense_general);
  against<nn::dense_general<double, nn::shape<3, 2>, nn::shape<4>>, array<double, 5, 3, 2>>(
      reference::layer_dense_general_joins);
}

TEST_CASE("embed is flax's: it looks up, and gives products with all vectors") {
  auto p = filled<nn::embed<double, 7, 3>>();
  array<int, 2, 2> ids{{0, 3}, {6, 3}};
  auto looked = [](auto const& ct, auto const& p, array<int, 2, 2> const& ids) {
    auto [y, pull] = vjp([&](auto const& q) { return q(ids); }, p);
    return std::pair{y, pull(ct)};
  };
  auto ct = some<array<double, 2, 2, 3>>(90);
  check_leaves(leaves(looked(ct, p, ids)), reference::layer_embed);
  check_leaves(leaves(jit(looked)(ct, p, ids)), reference::layer_embed);
  against<nn::embed<double, 7, 3>, array<double, 2, 3>>(reference::layer_embed_attend,
                                                        [](auto const& p, auto const& x) { return p.attend(x); });
}

TEST_CASE("layer_norm, rms_norm and group_norm are flax's") {
  against<nn::layer_norm<double, 7>, array<double, 3, 7>>(reference::layer_layer_norm);
  against<nn::rms_norm<double, 7>, array<double, 3, 7>>(reference::layer_rms_norm);
  against<nn::group_norm<double, 6, 3>, array<double, 2, 4, 3, 6>>(reference::layer_group_norm);
  // one example, under vmap, is one of the batch
  auto p = filled<nn::group_norm<double, 6, 3>>();
  auto x = some<array<double, 2, 4, 3, 6>>(50);
  near(vmap<none, 0>([](auto const& p, auto const& x) { return p(x); })(p, x), p(x));
}

TEST_CASE("recurrent layers are flax's") {
  using x = array<double, 2, 4, 3>;
  against<nn::rnn<nn::lstm_cell<double, 3, 5>>, x>(reference::layer_lstm);
  against<nn::rnn<nn::gru_cell<double, 3, 5>>, x>(reference::layer_gru);
  against<nn::rnn<nn::simple_cell<double, 3, 5>>, x>(reference::layer_simple);
  // a run in two parts, the carry handed on; one example of a batch
  auto p = filled<nn::rnn<nn::lstm_cell<double, 3, 5>>>();
  auto all = some<x>(50);
  auto [carry, first] = p(slice<every, range{0, 3}>(all), p.cell.start(take<1>(all, array<int>(0))));
  auto [last, second] = p(slice<every, range{3, 4}>(all), carry);
  near(concatenate<1>(first, second), p(all));
  near(last.second, squeeze<1>(second));
  near(vmap<none, 0>([](auto const& p, auto const& x) { return p(x); })(p, all), p(all));
}

TEST_CASE("layers of named batches") {
  using x = array<double, "batch"_n, 4, 3>;
  auto p = filled<nn::sequential<nn::layer_norm<double, 3>, nn::rnn<nn::gru_cell<double, 3, 5>>,
                                 nn::dense_general<double, nn::shape<4, 5>, nn::shape<2, 3>>>>();
  auto f = [](decltype(p) const& p, x const& x) { return p(x); };
  auto all = some<array<double, 2, 4, 3>>(50);
  near(jit(f)(p, x(all)), p(all));
  near(f(p, x(all)), p(all));
}
