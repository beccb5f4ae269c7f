// SPDX-License-Identifier: BSD-3-Clause
// Small torch modules as structs, loaded by names: results, and losses of 20 steps.
#include <doctest/doctest.h>

#include <etna/data/naming.hpp>

#include "../../data/torch_nets.inc.hpp"
#include "../data/file.hpp"
#include "near.hpp"

using namespace etna;

namespace {

/// The first example of torch.nn.Module's page.
struct model {
  nn::conv<double, 1, 20, 5, 5, padding_valid> conv1;
  nn::conv<double, 20, 20, 5, 5, padding_valid> conv2;
  template <any_array A> constexpr auto operator()(A const& x) const { return relu(conv2(relu(conv1(x)))); }
};
template <bool Approximate> struct gelu_net {
  nn::dense<double, 6, 8> first;
  nn::dense<double, 8, 3> last;
  template <any_array A> constexpr auto operator()(A const& x) const { return last(gelu(first(x), Approximate)); }
};

template <class Net, class X> struct training {
  static constexpr auto call = jit([](Net const& p, X const& x) { return p(x); });
  static constexpr auto step = jit([](Net const& p, X const& x, array<double> const& rate) {
    auto loss = [](Net const& p, X const& x) { return mean(square(p(x))); };
    auto [value, gradient] = value_and_grad(loss)(p, x);
    return std::pair{tree::map([&](auto const& a, auto const& g) { return a - rate * g; }, p, gradient), value};
  });
  static Net loaded(std::vector<huggingface::kept> const& entries, data::torch_names const& names) {
    test_data::folder f;
    huggingface::write_checkpoint(f / "x", entries);
    Net p{};
    data::load(p, f / "x", names);
    return p;
  }
  static void learns(Net p, X const& x, double rate, std::vector<double> const& losses) {
    for (double const wanted : losses) {
      auto [next, loss] = step(p, x, array<double>(rate));
      p = next;
      CHECK(std::abs(loss.item() - wanted) < 1e-12 * (1 + wanted));
    }
  }
};
data::torch_names const numbered({{"^first", "0"}, {"^last", "2"}});

}  // namespace

TEST_CASE("torch's network of 1, 20 and 20 channels") {
  using nets = training<model, array<double, 1, 12, 12, 1>>;
  auto const p = nets::loaded(huggingface::conv_1_20_20::entries, data::torch_names({}));
  auto const x = test::some<array<double, 1, 12, 12, 1>>(50);
  CHECK(models::distance(transpose<0, 3, 1, 2>(nets::call(p, x)), huggingface::conv_1_20_20::result) < 1e-11);
  nets::learns(p, x, 0.01, huggingface::conv_1_20_20::losses);
}

TEST_CASE("networks with both forms of gelu") {
  auto const x = test::some<array<double, 4, 6>>(50);
  using exact = training<gelu_net<false>, array<double, 4, 6>>;
  auto const p = exact::loaded(huggingface::gelu_exact::entries, numbered);
  CHECK(models::distance(exact::call(p, x), huggingface::gelu_exact::result) < 1e-12);
  exact::learns(p, x, 0.1, huggingface::gelu_exact::losses);
  using by_tanh = training<gelu_net<true>, array<double, 4, 6>>;
  auto const q = by_tanh::loaded(huggingface::gelu_tanh::entries, numbered);
  CHECK(models::distance(by_tanh::call(q, x), huggingface::gelu_tanh::result) < 1e-12);
  by_tanh::learns(q, x, 0.1, huggingface::gelu_tanh::losses);
}
