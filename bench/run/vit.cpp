// SPDX-License-Identifier: BSD-3-Clause
// A small vision transformer, four images of 32 x 32 in patches of 8, two blocks of width 64, one step of Adam.
#include <etna/nn/activation.hpp>
#include <etna/nn/attention.hpp>
#include <etna/nn/loss.hpp>
#include <etna/nn/norm.hpp>
#include <etna/optim/adam.hpp>

#include "job.hpp"

namespace {

using namespace bench;

constexpr extent images = 4, side = 32, patch = 8, across = side / patch, tokens = across * across + 1;
constexpr extent width = 64, heads = 4, hidden = 256, classes = 10, pixels = patch * patch * 3;
template <extent I, extent O> struct dense {
  array<float, I, O> w;
  array<float, O> b;
};
struct norm {
  array<float, width> scale, shift;
};
struct block {
  norm first;
  dense<width, width> query, key, value, out;
  norm second;
  dense<width, hidden> wide;
  dense<hidden, width> narrow;
};
struct model {
  dense<pixels, width> embed;
  array<float, 1, width> token;
  array<float, tokens, width> place;
  std::array<block, 2> blocks;
  norm last;
  dense<width, classes> head;
};
using pictures = array<float, images, side, side, 3>;
using classes_of = array<int, images>;

constexpr auto apply = [](auto const& x, auto const& layer) { return dot(x, layer.w) + layer.b; };
constexpr auto loss = [](model const& p, pictures x, classes_of labels) {
  auto patches = reshape<images, tokens - 1, pixels>(
      transpose<0, 1, 3, 2, 4, 5>(reshape<images, across, patch, across, patch, 3>(x)));
  array<float, images, tokens, width> h =
      concatenate<1>(broadcast_to<images, 1, width>(p.token), apply(patches, p.embed)) + p.place;
  for (auto const& b : p.blocks) {
    auto n = layer_norm(h, b.first.scale, b.first.shift);
    auto split = [&](auto const& layer) { return reshape<images, tokens, heads, width / heads>(apply(n, layer)); };
    auto mixed = dot_product_attention(split(b.query), split(b.key), split(b.value));
    h = h + apply(reshape<images, tokens, width>(mixed), b.out);
    h = h + apply(gelu(apply(layer_norm(h, b.second.scale, b.second.shift), b.wide)), b.narrow);
  }
  auto seen = layer_norm(h, p.last.scale, p.last.shift).at<every, 0>().get();
  return mean(softmax_cross_entropy(apply(seen, p.head), labels));
};
constexpr auto optimizer = optim::adam(0.001);
constexpr auto step = jit([](model p, optim::state_of<optimizer, model> s, pictures x, classes_of labels) {
  auto [value, g] = value_and_grad(loss)(p, x, labels);
  auto [updates, next] = optimizer.update(g, s);
  return std::tuple{optim::apply_updates(p, updates), next, value};
});

struct training {
  model p{};
  optim::state_of<optimizer, model> s{};
  training() {
    std::uint64_t stream = 200;
    tree::for_each([&](auto& x) { x = filled<std::remove_cvref_t<decltype(x)>>(stream++, 0.25); }, p);
    s = optimizer.init(p);
  }
};

entry const a1("etna", "vit", [] {
  auto t = std::make_shared<training>();
  auto one = [t, x = filled<pictures>(16, 2)] {
    auto [p, s, value] = step(std::move(t->p), std::move(t->s), x, classes_of({1, 3, 5, 7}));
    t->p = std::move(p);
    t->s = std::move(s);
  };
  return job{one, [t, one] {
               *t = training();
               one();
               one();
               return numbers(t->p);
             }};
});

}  // namespace
