// SPDX-License-Identifier: BSD-3-Clause
// map_with_path, partition, filter and combine: eager, in jit, and under grad.
#include "same.hpp"

using namespace test;

namespace {

struct layer {
  array<double, 2, 3> kernel;
  array<double, 3> bias;
};
struct nowhere {};
struct net {
  layer first;
  std::array<layer, 3> blocks;
  nowhere drop;
  layer head;
};
net made() {
  int seed = 0;
  return tree::map([&](auto const& x) { return some<std::remove_cvref_t<decltype(x)>>(++seed); }, net{});
}
void equal(net const& a, net const& b) {
  tree::map(
      [](auto const& x, auto const& y) {
        near(x, y);
        return 0;
      },
      a, b);
}

}  // namespace

TEST_CASE("map_with_path gives each leaf its path, as a constant") {
  auto p = made();
  std::string seen;
  auto q = tree::map_with_path(
      [&](auto path, auto const& x) {
        seen += std::string(path) + " ";
        if constexpr (path.matches("blocks.1.*")) return 2. * x;
        else return x;
      },
      p);
  CHECK(seen ==
        "first.kernel first.bias blocks.0.kernel blocks.0.bias blocks.1.kernel blocks.1.bias blocks.2.kernel "
        "blocks.2.bias head.kernel head.bias ");
  static_assert(std::is_same_v<decltype(q), net>);
  near(q.blocks[1].bias, 2. * p.blocks[1].bias);
  near(q.blocks[2].bias, p.blocks[2].bias);
  auto sums = tree::map_with_path(
      [](auto path, auto const& x, auto const& y) {
        if constexpr (path == "head.bias") return x;
        else return sum(x + y);
      },
      p, p);
  near(sums.template get<&net::blocks>()[2].template get<&layer::bias>(), 2. * sum(p.blocks[2].bias));
}

TEST_CASE("what partition parts, combine joins") {
  auto p = made();
  auto check = [&](auto const& parts) {
    equal(tree::combine(parts.first, parts.second), p), equal(tree::combine(parts.second, parts.first), p);
  };
  check(tree::partition<"head.*">(p));
  check(tree::partition<"*.bias", "first.*">(p));
  check(tree::partition<"blocks.1.*">(p));
  check(tree::partition<"*">(p));
  check(tree::partition([](auto path) { return path.starts_with("blocks.2") || path == "head.bias"; }, p));
  auto [head, rest] = tree::partition<"head.*">(p);
  static_assert(tree::size<decltype(head)>() == 2 && tree::size<decltype(rest)>() == 8);
  near(head.get<&net::head>().bias, p.head.bias);
  static_assert(std::is_same_v<decltype(tree::filter<"blocks.*">(p)),
                               like<net, tree::nothing, std::array<layer, 3>, nowhere, tree::nothing>>);
  auto three = tree::partition<"first.*">(rest);
  equal(tree::combine(head, three.first, three.second), p);
}

TEST_CASE("a part is trained and the other is frozen") {
  auto p = made();
  auto x = some<array<double, 2>>(50);
  auto apply = [](net const& p, array<double, 2> const& x) {
    auto y = dot(x, p.first.kernel) + p.first.bias;
    for (auto const& b : p.blocks) y = y * sin(dot(x, b.kernel) + b.bias);
    return sum(y * (dot(x, p.head.kernel) + p.head.bias));
  };
  auto all = grad(apply)(p, x);
  auto [trained, frozen] = tree::partition<"head.*", "blocks.1.kernel">(p);
  auto loss = [apply](auto const& trained, auto const& frozen, array<double, 2> const& x) {
    return apply(tree::combine(trained, frozen), x);
  };
  auto check = [&](auto const& g) {
    static_assert(std::is_same_v<std::remove_cvref_t<decltype(g)>, decltype(trained)>);
    near(g.template get<&net::head>().kernel, all.head.kernel);
    near(g.template get<&net::head>().bias, all.head.bias);
    int leaves = 0;
    tree::for_each([&](auto const&) { ++leaves; }, g);
    CHECK(leaves == 3);
    bool found = false;
    tree::map_with_path(
        [&](auto path, auto const& leaf) {
          if constexpr (path == "blocks.1.kernel") found = true, near(leaf, all.blocks[1].kernel);
          return 0;
        },
        g);
    CHECK(found);
  };
  check(grad(loss)(trained, frozen, x));
  auto step = jit([](decltype(trained) const& t, decltype(frozen) const& f, array<double, 2> const& x) {
    auto apply_ = [](auto const& t, auto const& f, array<double, 2> const& x) {
      auto p = tree::combine(t, f);
      auto y = dot(x, p.first.kernel) + p.first.bias;
      for (auto const& b : p.blocks) y = y * sin(dot(x, b.kernel) + b.bias);
      return sum(y * (dot(x, p.head.kernel) + p.head.bias));
    };
    return grad(apply_)(t, f, x);
  });
  check(step(trained, frozen, x));
}
