// SPDX-License-Identifier: BSD-3-Clause
// The models of docs/layers.md: a vision transformer and a network with dropout and batch_norm, trained
// some steps in jit.
#include "layers.hpp"

using namespace test;

namespace {

template <extent D> struct block {
  nn::layer_norm<float, D> norm_1, norm_2;
  nn::multi_head_attention<float, D, 4> attention;
  nn::dense<float, D, 4 * D> up;
  nn::dense<float, 4 * D, D> down;

  constexpr auto operator()(auto const& x) const {
    auto h = x + attention(norm_1(x));
    return h + down(gelu(up(norm_2(h))));
  }
};
template <template <class, int> class Blocks> struct vit {
  nn::dense<float, 16, 32> patches;
  array<float, 1, 32> token;
  array<float, 10, 32> position;
  Blocks<block<32>, 3> blocks;
  nn::layer_norm<float, 32> norm;
  nn::dense<float, 32, 10> head;
  static constexpr auto initial = nn::initial(&vit::token, nn::initializers::normal{0.02},  //
                                              &vit::position, nn::initializers::normal{0.02});

  constexpr auto operator()(array<float, 9, 16> const& x) const {
    array<float, 10, 32> h = concatenate(token, patches(x)) + position;
    if constexpr (requires { blocks(h); }) h = blocks(h);
    else
      for (auto const& b : blocks) h = b(h);
    return head(slice<0>(norm(h)));
  }
};
template <class B, int N> using one_by_one = std::array<B, std::size_t(N)>;
using unrolled = vit<one_by_one>;
using scanned = vit<nn::stacked>;

template <class Net> struct training {
  static constexpr auto loss = [](Net const& p, array<float, 8, 9, 16> const& x, array<int, 8> const& y) {
    auto logits = vmap<none, 0>([](Net const& p, auto const& x) { return p(x); })(p, x);
    return mean(softmax_cross_entropy(logits, y));
  };
  static constexpr auto step = [](Net const& p, array<float, 8, 9, 16> const& x, array<int, 8> const& y) {
    auto [v, g] = value_and_grad(loss)(p, x, y);
    return std::pair{tree::map([](auto const& a, auto const& b) { return a - 0.1f * b; }, p, g), v};
  };
};
template <class Net> std::vector<float> losses_of() {
  auto p = nn::init<Net>(random::key(0));
  auto x = random::normal<float, 8, 9, 16>(random::key(1));
  array<int, 8> y{0, 1, 2, 3, 4, 5, 6, 7};
  auto const step = jit(training<Net>::step);
  std::vector<float> losses;
  for (int i = 0; i < 20; ++i) {
    auto [next, loss] = step(p, x, y);
    p = next;
    losses.push_back(loss.item());
  }
  return losses;
}

/// dropout and batch_norm: the state goes in and comes out.
struct net {
  nn::dense<float, 16, 32> first;
  nn::batch_norm<float, 32> norm;
  nn::dropout<0.2> drop;
  nn::dense<float, 32, 4> last;
  struct state {
    nn::batch_norm<float, 32>::state norm;
  };
  constexpr auto operator()(auto const& x, state const& s, auto const& mode) const {
    auto [h, after] = norm(first(x), s.norm, mode);
    return std::pair{last(drop(relu(h), mode)), state{after}};
  }
};

}  // namespace

TEST_CASE("a vision transformer learns eight pictures, its blocks one by one or in a stack alike") {
  auto a = losses_of<unrolled>(), b = losses_of<scanned>();
  CHECK(a.back() < 0.3f * a.front());
  for (std::size_t i = 0; i < a.size(); ++i) CHECK(a[i] == doctest::Approx(b[i]).epsilon(1e-3));
}

TEST_CASE("a network with dropout and batch_norm: the state moves in training and stays in evaluation") {
  auto p = nn::init<net>(random::key(0));
  auto s = nn::init<net::state>(random::key(0));
  auto x = random::normal<float, 32, 16>(random::key(1)) + 2.f;
  auto y = astype<int>(greater(sum<1>(x), 32.f)) + 2 * astype<int>(greater(slice<every, 0>(x), 2.f));
  auto step = jit([](net const& p, net::state const& s, array<float, 32, 16> const& x, array<int, 32> const& y,
                     random::prng_key const& key) {
    auto loss = [&](net const& p) { return mean(softmax_cross_entropy(p(x, s, key).first, y)); };
    auto [v, g] = value_and_grad(loss)(p);
    return std::tuple{tree::map([](auto const& a, auto const& b) { return a - 0.3f * b; }, p, g), p(x, s, key).second,
                      v};
  });
  auto evaluate = jit([](net const& p, net::state const& s, array<float, 32, 16> const& x, array<int, 32> const& y) {
    auto [logits, same] = p(x, s, nn::evaluation);
    return std::pair{mean(astype<float>(equal(argmax<1>(logits), y))), same};
  });
  for (int i = 0; i < 200; ++i) {
    auto [next, after, loss] = step(p, s, x, y, random::fold_in(random::key(2), i));
    p = next;
    s = after;
  }
  auto [accuracy, same] = evaluate(p, s, x, y);
  CHECK(accuracy.item() > 0.9f);
  near(same, s);
  CHECK(mean(abs(s.norm.mean)).item() > 0.3f);
}
