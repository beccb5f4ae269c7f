// SPDX-License-Identifier: BSD-3-Clause
// A step of training of a whole network as a job: SGD, or Adam with decay. Parameters and batches are streams of
// numbers, the same for all peers.
#pragma once
#include <etna/optim/adam.hpp>

#include "job.hpp"
#include "transformer.hpp"

namespace bench {

template <class A> A numbered(int factor, int n) {
  return A::build([&](int* o) {
    for (int i = 0; i < int(A::type.size()); ++i) o[i] = int(std::int64_t(i) * factor % n);
  });
}
/// Pictures, or words.
template <class Net> typename Net::input first_input() {
  if constexpr (requires { Net::words; }) return numbered<typename Net::input>(7919, Net::words);
  else return filled<typename Net::input>(17, 2);
}

template <class Net, class Compute = float> constexpr auto sgd =
    jit([](Net p, typename Net::input x, typename Net::labels y) {
      auto g = grad(network_loss<Compute>)(p, x, y);
      return tree::map([](auto const& w, auto const& d) { return w - 0.001f * d; }, p, g);
    });
constexpr auto adam = optim::adam(0.001);
template <class Net> constexpr auto adamw =
    jit([](Net p, optim::state_of<adam, Net> s, typename Net::input x, typename Net::labels y, array<float> decay) {
      auto g = grad(network_loss<float>)(p, x, y);
      auto [updates, next] = adam.update(g, s);
      return std::pair{tree::map([&](auto const& w, auto const& u) { return w + u - 0.001f * decay * w; }, p, updates),
                       next};
    });

template <class Net> struct training {
  Net p{};
  optim::state_of<adam, Net> s{};
  typename Net::input x = first_input<Net>();
  typename Net::labels y = numbered<typename Net::labels>(7, 10);
  void start(bool with_state) {
    std::uint64_t stream = 400;
    tree::for_each([&](auto& x) { x = filled<std::remove_cvref_t<decltype(x)>>(stream++, 0.25); }, p);
    if (with_state) s = adam.init(p);
  }
};
template <class Net, class Step> job trained(bool with_state, Step step) {
  auto t = std::make_shared<training<Net>>();
  t->start(with_state);
  auto one = [t, step] { step(*t); };
  return {one, [=] {
            t->start(with_state);
            one();
            one();
            return numbers(t->p);
          }};
}
template <class Net, class Compute = float> job by_sgd() {
  return trained<Net>(false, [](training<Net>& t) { t.p = sgd<Net, Compute>(std::move(t.p), t.x, t.y); });
}
template <class Net> job by_adamw(float decay) {
  return trained<Net>(true, [decay](training<Net>& t) {
    auto [p, s] = adamw<Net>(std::move(t.p), std::move(t.s), t.x, t.y, decay);
    t.p = std::move(p);
    t.s = std::move(s);
  });
}
}  // namespace bench
