// SPDX-License-Identifier: BSD-3-Clause
// Updates of parameters, norms, and what a transformation is.
#include "optim.hpp"

using namespace test;

namespace {
struct one {
  array<float, 2> x;
};
struct two_types {
  array<float, 2> x;
  array<double, 2> y;
};
struct of_the_user {  // a rule without etna's help
  template <class P> constexpr auto init(P const&) const { return array<int>(0); }
  template <class U, class S, class P = optim::no_parameters>
  constexpr auto update(U const& updates, S const& state, P const& = {}) const {
    return std::pair{tree::map([&](auto const& u) { return u * state; }, updates), S(state + 1)};
  }
};
static_assert(optim::transformation<of_the_user>);
static_assert(optim::transformation<decltype(optim::adamw(0.1))>);
static_assert(!optim::transformation<one>);
static_assert(!optim::transformation<double>);
static_assert(!optim::transformation<optim::lbfgs<>>);  // its update takes more
static_assert(!optim::transformation<decltype(optim::constant_schedule(0.1))>);
static_assert(optim::rate<double> && optim::rate<array<float>> && optim::rate<decltype(optim::constant_schedule(1))>);
constexpr auto several =
    optim::chain(optim::clip_by_global_norm(1.0), optim::adamw(optim::linear_schedule(0.1, 0, 9)), optim::trace(0.5));
static_assert(!optim::rate<array<float, 2>> && !optim::rate<of_the_user>);
}  // namespace

TEST_CASE("parameters keep their element type") {
  auto const p =
      optim::apply_updates(one{{1, 2}}, net_of<double>{}.bias.size() ? std::tuple{array<double, 2>{0.5, -0.5}}
                                                                     : std::tuple{array<double, 2>{}});
  static_assert(std::is_same_v<decltype(p), one const>);
  CHECK(p.x(1) == 1.5f);
  auto const q = optim::incremental_update(two_types{{4, 8}, {1, 2}}, two_types{{0, 4}, {3, 4}}, 0.25);
  static_assert(std::is_same_v<decltype(q), two_types const>);
  CHECK(same_bits(q, two_types{{1, 5}, {2.5, 3.5}}));
  CHECK(same_bits(optim::incremental_update(one{{4, 8}}, one{{0, 4}}, array<double>(0.25)), one{{1, 5}}));
}

TEST_CASE("a step keeps element types of mixed trees") {
  two_types const p{{1, 2}, {3, 4}}, g{{0.5, -0.5}, {0.25, 1}};
  constexpr auto rule = optim::chain(optim::clip_by_global_norm(1.0), optim::adamw(optim::linear_schedule(0.1, 0, 9)));
  auto const [u, next] = rule.update(g, rule.init(p), p);
  static_assert(std::is_same_v<decltype(u), two_types const>);
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(next)>, decltype(rule.init(p))>);
  // gradients of another element type than the parameters
  auto const [v, after] = rule.update(p.y, rule.init(p.x), p.x);
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(after)>, decltype(rule.init(p.x))>);
}

TEST_CASE("global_norm is that of all elements") {
  CHECK(optim::global_norm(std::pair{array<float, 2>{1, 2}, array<float>(2)}).item() == 3.f);
  auto const mixed = optim::global_norm(two_types{{1, 2}, {2, 4}});
  static_assert(std::is_same_v<decltype(mixed), array<double> const>);
  CHECK(mixed.item() == 5);
  CHECK(optim::global_norm(tree::nothing{}).item() == 0);
  CHECK(optim::global_norm(array<float16, 2>{300, 400}).item() == 500);  // the squares are no numbers of f16
}

TEST_CASE("a rule of the user's, in a chain") {
  auto const rule = optim::chain(of_the_user{}, optim::scale(2.0));
  one const g{{1, 2}};
  auto [u, s] = rule.update(g, rule.init(g));
  auto [v, t] = rule.update(g, s);
  CHECK(same_bits(u, one{{0, 0}}));
  CHECK(same_bits(v, one{{2, 4}}));
}

TEST_CASE("numbers are leaves") {
  auto const rule = optim::sgd(0.5, {.momentum = 0.5});
  auto const [u, s] = rule.update(std::pair{2.0, array<float, 2>{1, 2}}, rule.init(std::pair{1.0, array<float, 2>{}}));
  near(u, std::pair{array<double>(-1.0), array<float, 2>{-0.5, -1}});
  near(optim::apply_updates(std::pair{3.0, 1.f}, std::pair{1.0, 2.f}), std::pair{array<double>(4.0), array<float>(3)});
}

TEST_CASE("parameters of 16 bits, and of named sizes") {
  auto check = [](auto const& p, auto const& g, double tolerance) {
    using P = std::remove_cvref_t<decltype(p)>;
    auto one = [](P const& p, P const& g) {
      auto s = several.init(p);
      auto [u, next] = several.update(g, s, p);
      static_assert(std::is_same_v<decltype(u), P>);
      static_assert(std::is_same_v<decltype(next), decltype(s)>);
      return optim::apply_updates(p, u);
    };
    near(jit(one)(p, g), one(p, g), tolerance, tolerance);
    return one(p, g);
  };
  auto const p = some<array<float, 6>>(1), g = some<array<float, 6>>(2);
  auto const want = check(p, g, 1e-6);
  auto const narrow = check(astype<bfloat16>(p), astype<bfloat16>(g), 1e-2);
  static_assert(std::is_same_v<decltype(narrow), array<bfloat16, 6> const>);
  near(astype<float>(narrow), want, 2e-2);
  auto const named = check(array<float, "n"_n>(p), array<float, "n"_n>(g), 1e-6);
  near(array<float, 6>(named), want);
}
