#include <iostream>
#include "same.hpp"
using namespace test;
struct net { array<float, 3, 4> kernel; array<float, 4> bias; };
constexpr auto rule = optim::chain(optim::clip_by_global_norm(1.0), optim::adamw(optim::warmup_cosine_decay_schedule(0, 0.1, 3, 10), {.weight_decay = 0.05}, [](auto path) { return path.ends_with("kernel"); }));
constexpr auto step = jit([](net p, optim::state_of<rule, net> s, net g) {
  auto [u, next] = rule.update(g, s, p);
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(next)>, optim::state_of<rule, net>>);
  return std::pair{optim::apply_updates(p, u), next};
});
constexpr auto two = optim::multi_transform([](auto path) { return path.ends_with("bias") ? 1 : 0; }, optim::sgd(0.1, {.momentum = 0.9}), optim::freeze<"*">());
TEST_CASE("try") {
  net p{some<array<float,3,4>>(1), some<array<float,4>>(2)}; auto q = p;
  auto s = rule.init(p), t = s;
  for (int i = 0; i < 5; ++i) {
    net g{some<array<float,3,4>>(i + 3), some<array<float,4>>(i+30)};
    auto [u, next] = rule.update(g, s, p);
    p = optim::apply_updates(p, u); s = next;
    std::tie(q, t) = step(q, t, g);
    near(q, p); near(t, s);
  }
  auto [u, n] = two.update(p, two.init(p));
  std::cout << u.kernel << u.bias;
  std::cout << optim::cosine_onecycle_schedule(100, 0.1)(30); 
}
