// SPDX-License-Identifier: BSD-3-Clause
// A recurrent network by scan: 7 steps of 3 sequences, its loss and the gradient by weights, start and inputs.
#include "as_jax.hpp"

using namespace test;

namespace {

struct rnn {
  array<double, 2, 5> wx;
  array<double, 5, 5> wh;
  array<double, 5> b;
};
constexpr auto loss = [](auto const& net, auto const& h0, auto const& xs, auto const& targets) {
  auto [h, losses] = scan(
      [&](auto const& h, auto const& xt) {
        auto const& [x, t] = xt;
        auto next = tanh(dot(x, net.wx) + dot(h, net.wh) + net.b);
        return std::pair{next, mean(squared_error(next, t))};
      },
      h0, std::tuple{xs, targets});
  return sum(losses) + 0.1 * sum(square(h));
};

}  // namespace

TEST_CASE("programs: a recurrent network by scan and its gradient") {
  auto f = [](rnn net, array<double, 3, 5> h0, array<double, 7, 3, 2> xs, array<double, 7, 3, 5> targets) {
    return value_and_grad<0, 1, 2>(loss)(net, h0, xs, targets);
  };
  rnn net{numbers<array<double, 2, 5>>(1, 1. / 32), numbers<array<double, 5, 5>>(2, 1. / 32),
          numbers<array<double, 5>>(3)};
  auto h0 = numbers<array<double, 3, 5>>(4);
  auto xs = numbers<array<double, 7, 3, 2>>(5);
  auto targets = numbers<array<double, 7, 3, 5>>(6);
  both_as_jax("rnn", 1e-12, f, net, h0, xs, targets);
  auto product = [](rnn net, array<double, 3, 5> h0, array<double, 7, 3, 2> xs, array<double, 7, 3, 5> targets,
                    array<double, 5, 5> t) {
    return jvp(
               [&](auto const& wh) {
                 return grad(loss)(rnn{net.wx, wh, net.b}, h0, xs, targets).wh;
               },
               net.wh, t)
        .second;
  };
  both_as_jax("rnn_hessian_product", 1e-12, product, net, h0, xs, targets, numbers<array<double, 5, 5>>(18));
}
