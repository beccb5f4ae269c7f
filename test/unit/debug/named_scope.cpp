// SPDX-License-Identifier: BSD-3-Clause
// named_scope: what has the names, and what does not change because of them.
#include <doctest/doctest.h>

#include <etna/etna.hpp>
#include <string>

using namespace etna;
using vec = array<float, 3>;

namespace {

bool has(std::string const& text, std::string const& part) { return text.find(part) != std::string::npos; }
int count(std::string const& text, std::string const& part) {
  int n = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}
constexpr auto encoder = named_scope<"encoder">([](auto const& w, auto const& x) {
  auto h = named_scope<"attention">([](auto const& w, auto const& x) { return tanh(w * x); })(w, x);
  return log(h * 2.0f);
});
constexpr auto loss = [](vec w, vec x) { return sum(encoder(w, x)); };

}  // namespace

TEST_CASE("show: names join, and derivatives say what they are of") {
  std::string text = show(jit(loss), vec{}, vec{});
  CHECK(has(text, "tanh c  # encoder/attention\n"));
  CHECK(has(text, "# encoder\n"));
  CHECK(has(text, "sum[0] g\n"));
  text = show(jit(grad(loss)), vec{}, vec{});
  CHECK(has(text, "# jvp(encoder/attention)\n"));
  CHECK(has(text, "# transpose(jvp(encoder/attention))\n"));
  text = show_plan(jit(loss), vec{}, vec{});
  CHECK(has(text, "flops  # encoder/attention, encoder\n"));
}
TEST_CASE("a block tells its own scopes, under the scope of its equation") {
  constexpr auto cell = [](auto c, auto x) {
    auto d = named_scope<"cell">([](auto a, auto b) { return tanh(a + b); })(c, x);
    return std::pair{d, d};
  };
  constexpr auto f = [](vec xs) {
    return named_scope<"rnn">([](auto const& v) { return scan(decltype(cell){}, array<float>(0.0f), v).first; })(xs);
  };
  std::string text = show(jit(f), vec{}), plan = show_plan(jit(f), vec{});
  CHECK(has(text, "# cell\n"));
  CHECK(has(text, "# rnn\n"));
  CHECK(has(plan, "# rnn/cell\n"));
  plan = show_plan(jit(grad(f)), vec{});
  CHECK(has(plan, "# rnn/cell\n"));
  CHECK(has(plan, "transpose(jvp(rnn))/transpose(jvp(cell))\n"));
  CHECK(has(show_plan(jit([](vec xs) { return vmap([](auto x) { return encoder(x, x); })(xs); }), vec{}),
            "encoder/attention"));
}
TEST_CASE("equations and kernels that differ in their scopes alone are one") {
  auto plain = [](vec x, vec y) { return exp(x) + exp(x) * tanh(exp(y)); };
  auto named = [](vec x, vec y) {
    auto a = named_scope<"a">([](auto const& x) { return exp(x); })(x),
         b = named_scope<"b">([](auto const& x) { return exp(x); })(x);
    return a + named_scope<"c">([](auto const& b, auto const& y) { return b * tanh(exp(y)); })(b, y);
  };
  using one = plan_of<decltype(plain), vec, vec>;
  using other = plan_of<decltype(named), vec, vec>;
  static_assert(one::kernel_count == other::kernel_count && one::flops == other::flops);
  CHECK(count(show(jit(named), vec{}, vec{}), "exp") == 2);
  // two kernels of the same form, in two scopes: one instantiation
  auto layers = [](array<float, 4, 4> w, array<float, 4> x) {
    auto first = named_scope<"first">([](auto const& w, auto const& x) { return tanh(matmul(w, x)); })(w, x);
    return named_scope<"second">([](auto const& w, auto const& x) { return tanh(matmul(w, x)); })(w, first);
  };
  using plan = plan_of<decltype(layers), array<float, 4, 4>, array<float, 4>>;
  static_assert(plan::kernel_count == 4 && plan::unique_kernels == 1);
  std::string text = show_plan(jit(layers), array<float, 4, 4>(), array<float, 4>());
  CHECK(count(text, "# first\n") == 2);
  CHECK(count(text, "# second\n") == 2);
}
TEST_CASE("loops with equal bodies are one, whatever the names in them") {
  auto f = [](vec xs) {
    auto a =
        scan(
            [](auto c, auto x) {
              return std::pair{named_scope<"a">([](auto c, auto x) { return c * x + 1.0f; })(c, x), std::tuple<>{}};
            },
            xs, xs)
            .first;
    auto b = scan(
                 [](auto c, auto x) {
                   return std::pair{named_scope<"longer name">([](auto c, auto x) { return c * x + 1.0f; })(c, x),
                                    std::tuple<>{}};
                 },
                 xs, xs)
                 .first;
    auto c =
        scan(
            [](auto c, auto x) {
              return std::pair{named_scope<"a">([](auto c, auto x) { return c * x + 2.0f; })(c, x), std::tuple<>{}};
            },
            xs, xs)
            .first;
    return a + b + c;
  };
  CHECK(count(show(jit(f), vec{}), "= scan") == 2);
  CHECK(jit(f)(vec{1, 2, 3})(2) == f(vec{1, 2, 3})(2));
}
TEST_CASE("constants, trees and captured values") {
  struct pair_of {
    vec a, b;
  };
  auto f = [](vec x) {
    auto y = named_scope<"outer">([&](pair_of const& p) {
      auto z = fori_loop<0, 3>(
          [&](auto, auto c) { return named_scope<"inner">([&](auto c) { return c + p.a * x; })(c); }, vec{0, 0, 0});
      return pair_of{z, p.b};
    })(pair_of{x, x});
    return sum(y.a * y.b);
  };
  std::string text = show(jit(f), vec{});
  CHECK(has(text, "# inner\n"));
  CHECK(has(text, "# outer\n"));
  CHECK(has(text, "sum[0] "));
  CHECK(has(show_plan(jit(f), vec{}), "outer/inner\n"));
  CHECK(jit(f)(vec{1, 2, 3}).item() == 108);
  CHECK(f(vec{1, 2, 3}).item() == 108);
  CHECK(allclose(jit(grad(f))(vec{1, 2, 3}), vec{9, 36, 81}));
  static_assert(named_scope<"a">([](array<double> a) { return a * a; })(array<double>(3.0)).item() == 9);
}
