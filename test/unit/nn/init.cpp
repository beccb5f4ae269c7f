// SPDX-License-Identifier: BSD-3-Clause
// nn::init: each leaf by its initializer, from a key that its path tells; rules; stacks of blocks; in jit.
#include "layers.hpp"

using namespace test;

namespace {

namespace in = nn::initializers;

template <class T> struct block {
  nn::layer_norm<T, 4> norm;
  nn::dense<T, 4, 4> next;
  constexpr auto operator()(auto const& x) const { return x + tanh(next(norm(x))); }
};
struct model {
  nn::dense<float, 3, 4> first;
  array<float, 4> token;
  std::array<block<float>, 3> blocks;
  nn::dense<float, 4, 2> head;
  static constexpr auto initial = nn::initial(&model::token, in::normal{0.02});
};
struct larger {
  nn::dense<float, 4, 2> head;
  nn::layer_norm<float, 7> one_more;
  array<float, 4> token, other;
  std::array<block<float>, 5> blocks;
  nn::dense<float, 3, 4> first;
  static constexpr auto initial =
      nn::initial(&larger::token, in::normal{0.02}, &larger::other, in::ones, &larger::head,
                  nn::initial(&nn::dense<float, 4, 2>::bias, in::constant{3}), &larger::one_more, in::constant{5});
};
struct with_stack {
  nn::dense<float, 3, 4> first;
  nn::stacked<block<float>, 3> blocks;
};

template <class T> auto at(T const& t) { return leaves(t); }

}  // namespace

TEST_CASE("each leaf by its own initializer, with a key that its path tells") {
  auto const key = random::key(3);
  auto p = nn::init<model>(key);
  CHECK(same_bits(p.first.bias, zeros<float, 4>()));
  CHECK(same_bits(p.blocks[1].norm.scale, ones<float, 4>()));
  auto hash = [](std::string_view path) {
    std::uint32_t h = 2166136261u;
    for (char c : path) h = (h ^ static_cast<unsigned char>(c)) * 16777619u;
    return h;
  };
  CHECK(same_bits(p.token, nn::draw<array<float, 4>>(in::normal{0.02}, random::fold_in(key, hash("token")))));
  CHECK(
      same_bits(p.blocks[2].next.kernel,
                nn::draw<array<float, 4, 4>>(in::lecun_normal(), random::fold_in(key, hash("blocks.2.next.kernel")))));
  // another model with leaves of the same paths has the same numbers
  auto q = nn::init<larger>(key);
  CHECK(same_bits(q.first, p.first));
  CHECK(same_bits(q.token, p.token));
  CHECK(same_bits(q.blocks[1], p.blocks[1]));
  CHECK(same_bits(q.head.kernel, p.head.kernel));
  // what the outer struct says of a layer's leaf, and of all leaves of one
  CHECK(same_bits(q.head.bias, full<float, 2>(3.f)));
  CHECK(same_bits(q.one_more.scale, full<float, 7>(5.f)));
  CHECK(same_bits(q.one_more.bias, full<float, 7>(5.f)));
  CHECK(same_bits(q.other, ones<float, 4>()));
}

TEST_CASE("in jit the same numbers, and another key is another model") {
  auto f = jit([](random::prng_key const& key) { return nn::init<larger>(key); });
  near(f(random::key(3)), nn::init<larger>(random::key(3)));
  CHECK(!same_bits(f(random::key(4)).first.kernel, f(random::key(3)).first.kernel));
  // an ensemble
  auto many =
      vmap([](random::prng_key const& key) { return nn::init<model>(key); })(random::split_batch<3>(random::key(5)));
  near(take<0>(many.get<&model::token>(), array<int>(1)), nn::init<model>(random::split<3>(random::key(5))[1]).token);
}

TEST_CASE("rules come before all else, the first that matches") {
  auto const key = random::key(3);
  auto p = nn::init<model>(key);
  auto q = nn::init<model>(key, nn::rule<"blocks.1.*.kernel">(in::ones), nn::rule<"*.kernel">(in::constant{2}),
                           nn::rule<"token">(in::zeros));
  CHECK(same_bits(q.blocks[1].next.kernel, ones<float, 4, 4>()));
  CHECK(same_bits(q.blocks[0].next.kernel, full<float, 4, 4>(2.f)));
  CHECK(same_bits(q.first.kernel, full<float, 3, 4>(2.f)));
  CHECK(same_bits(q.token, zeros<float, 4>()));
  CHECK(same_bits(q.blocks[1].norm, p.blocks[1].norm));
  // an initializer of matrices alone, by a pattern that matches matrices alone
  auto r = nn::init<model>(key, nn::rule<"*.kernel">(in::orthogonal{}));
  near(dot(transpose(r.blocks[1].next.kernel), r.blocks[1].next.kernel), eye<float, 4>());
  CHECK(same_bits(r.first.bias, p.first.bias));
}

TEST_CASE("a stack of blocks begins as those one by one, and gives what they give") {
  auto const key = random::key(3);
  auto one_by_one = nn::init<model>(key);
  auto stack = nn::init<with_stack>(key);
  for (int i = 0; i < 3; ++i) CHECK(same_bits(stack.blocks.block(i), one_by_one.blocks[std::size_t(i)]));
  CHECK(tree::paths<with_stack>()[2] == "blocks.norm.scale");
  auto ruled = nn::init<with_stack>(key, nn::rule<"blocks.next.bias">(in::normal{1}));
  CHECK(!same_bits(ruled.blocks.block(0).next.bias, ruled.blocks.block(1).next.bias));
  near(jit([](random::prng_key const& key) { return nn::init<with_stack>(key); })(key), stack);
  auto many = vmap([](random::prng_key const& key) { return nn::init<with_stack>(key); })(random::split_batch<2>(key));
  auto second = tree::map([](auto const& x) { return take<0>(x, array<int>(1)); }, many);
  CHECK(same_bits(second, nn::init<with_stack>(random::split(key)[1])));

  auto x = some<array<float, 2, 4>>(9);
  auto loop = [](model const& p, array<float, 2, 4> x) {
    for (auto const& b : p.blocks) x = b(x);
    return sum(x);
  };
  auto scanned = [](with_stack const& p, array<float, 2, 4> const& x) { return sum(p.blocks(x)); };
  auto kept = [](with_stack const& p, array<float, 2, 4> const& x) { return sum(p.blocks(x, keep_none)); };
  near(scanned(stack, x), loop(one_by_one, x));
  auto const should = value_and_grad(loop)(one_by_one, x);
  auto check = [&](auto const& r) {
    near(r.first, should.first);
    for (int i = 0; i < 3; ++i) near(r.second.blocks.block(i), should.second.blocks[std::size_t(i)], 1e-5);
  };
  check(value_and_grad(scanned)(stack, x));
  check(jit(value_and_grad(scanned))(stack, x));
  check(jit(value_and_grad(kept))(stack, x));
}
