// SPDX-License-Identifier: BSD-3-Clause
// sequential, functions as layers, dropout by a key or in evaluation, and through a stack of blocks.
#include "layers.hpp"

using namespace test;

namespace {

using mlp = nn::sequential<nn::dense<double, 4, 8>, nn::function<[](auto const& x) { return relu(x); }>,
                           nn::dropout<0.5>, nn::dense<double, 8, 2>>;
struct block {
  nn::dense<double, 4, 4> next;
  nn::dropout<0.5> drop;
  constexpr auto operator()(auto const& x, auto const& mode) const { return x + drop(tanh(next(x)), mode); }
};

}  // namespace

TEST_CASE("layers one after another; a mode goes to those that take it") {
  auto p = filled<mlp>();
  auto x = some<array<double, 3, 4>>(50);
  auto& [first, f, drop, last] = p.layers;
  auto h = relu(first(x));
  near(p(x, nn::evaluation), last(h));
  auto key = random::key(1);
  near(p(x, key), last(dropout(random::fold_in(key, 2), h, 0.5)));
  near(
      jit([](mlp const& p, array<double, 3, 4> const& x, random::prng_key const& key) { return p(x, key); })(p, x, key),
      p(x, key));
  CHECK(tree::paths<mlp>()[2] == "3.kernel");
  auto relu_alone = nn::sequential<nn::function<[](auto const& x) { return relu(x); }>>{};
  near(relu_alone(x), relu(x));
}

TEST_CASE("dropout keeps the mean, and in evaluation all") {
  nn::dropout<0.25> drop;
  auto x = ones<float, 4096>();
  auto y = drop(x, random::key(2));
  CHECK(mean(y).item() == doctest::Approx(1).epsilon(0.05));
  CHECK(all((equal(y, 0) | equal(y, float(1 / 0.75)))).item());
  near(drop(x, nn::evaluation), x);
  CHECK(tree::size<nn::dropout<0.25>>() == 0);
}

TEST_CASE("blocks of a stack have their own keys, and a mode") {
  using stack = nn::stacked<block, 3>;
  auto p = nn::init<stack>(random::key(0));
  auto x = some<array<double, 5, 4>>(50);
  auto one_by_one = [&](auto mode_of) {
    auto h = x;
    for (int i = 0; i < 3; ++i) h = p.block(i)(h, mode_of(i));
    return h;
  };
  near(p(x, nn::evaluation), one_by_one([](int) { return nn::evaluation; }));
  auto keys = random::split<3>(random::key(7));
  near(p(x, random::key(7)), one_by_one([&](int i) { return keys[std::size_t(i)]; }));
  auto f = [](stack const& p, array<double, 5, 4> const& x, random::prng_key const& key) {
    return sum(p(x, key, keep_none));
  };
  near(jit(value_and_grad(f))(p, x, random::key(7)), value_and_grad(f)(p, x, random::key(7)));
}

TEST_CASE("blocks of a stack beside slices of something else") {
  using stack = nn::stacked<block, 3>;
  auto p = nn::init<stack>(random::key(0));
  auto x = some<array<double, 5, 4>>(50);
  auto weights = some<array<double, 3, 4>>(51);
  auto h = x;
  std::vector<array<double, 4>> sums;
  for (int i = 0; i < 3; ++i) {
    h = p.block(i)(h, nn::evaluation) * take<0>(weights, array<int>(i));
    sums.push_back(sum<0>(h));
  }
  auto f = [](stack const& p, array<double, 5, 4> const& x, array<double, 3, 4> const& weights) {
    return p.scan(
        [](auto const& one, auto const& h, auto const& w) {
          auto y = one(h, nn::evaluation) * w;
          return std::pair{y, sum<0>(y)};
        },
        x, weights);
  };
  for (auto const& [last, each] : {f(p, x, weights), jit(f)(p, x, weights)}) {
    near(last, h);
    for (int i = 0; i < 3; ++i) near(take<0>(each, array<int>(i)), sums[std::size_t(i)]);
  }
}
