// SPDX-License-Identifier: BSD-3-Clause
// Three programs after each pass, as text against test/golden/passes_of_*.txt: what a pass leaves, or that it had
// nothing to do. To write them anew, and then read the difference:
//     ETNA_WRITE_GOLDEN=1 build/gcc/unit_compiler; git diff test/golden
#include "golden.hpp"

using namespace etna;

namespace {

template <int Number> struct after_number {
  static constexpr std::string_view name = compiler::name_of(Number);
};
/// The program after all passes, one after another.
template <class F, class... A> std::string after_each(F const&, A const&...) {
  std::string all, before;
  auto one = [&]<int N>() {
    std::string const text = show_types<after_number<N>, F, A...>();
    all += "== after " + std::string(after_number<N>::name) + (text == before ? ": the same\n" : "\n" + text);
    before = text;
  };
  [&]<int... N>(std::integer_sequence<int, N...>) {
    (one.template operator()<N - 1>(), ...);
  }(std::make_integer_sequence<int, compiler::all_passes + 1>{});
  return all;
}

// A dense layer and its update: identities, masks that sink, a product that adds itself.
struct layer {
  array<float, 24, 16> w;
  array<float, 16> b;
};
constexpr auto train = [](layer p, array<float, 8, 24> x, array<float, 8, 16> y) {
  auto g = grad([](layer const& p, auto const& x, auto const& y) { return mean(square(relu(dot(x, p.w) + p.b) - y)); })(
      p, x, y);
  return layer{p.w - 0.1f * g.w, p.b - 0.1f * g.b};
};

// Products of many kinds: in another order, with a vector, of elements, in halves.
constexpr auto products = [](array<float, 512, 512> w, array<float, 16, 512> x, array<float, 512, 4> u,
                             array<float, 4, 512> v, array<float, 512> a) {
  return std::tuple{dot(x, w), dot(dot(u, v), a), einsum<"bi,bj->bij">(x, x)};
};

// A loop over a stencil, with a rule of its own inside, and an update in the place of an argument.
constexpr auto bend = custom_jvp([](auto const& x) { return sin(x); },
                                 [](auto const& of, auto const& by) {
                                   auto const& x = std::get<0>(of);
                                   return std::pair{sin(x), cos(x) * std::get<0>(by)};
                                 });
constexpr auto loop = [](array<float, 64, 2048> y, array<float, 2048> first) {
  auto step = [](auto const& y) {
    auto next = y + 0.1f * (pad<0, 0, 1, 0>(slice<every, range{0, -1}>(y)) - bend(y));
    return std::pair{next, sum(next)};
  };
  auto [last, sums] = scan<3>(step, y);
  return std::pair{last.template at<0>().set(first), sums};
};

}  // namespace

TEST_CASE("passes: a layer and its update") {
  compare("passes_of_train", after_each(train, layer(), array<float, 8, 24>(), array<float, 8, 16>()));
}
TEST_CASE("passes: products") {
  compare("passes_of_products", after_each(products, array<float, 512, 512>(), array<float, 16, 512>(),
                                           array<float, 512, 4>(), array<float, 4, 512>(), array<float, 512>()));
}
TEST_CASE("passes: a loop over a stencil") {
  compare("passes_of_loop", after_each(loop, array<float, 64, 2048>(), array<float, 2048>()));
}
