// SPDX-License-Identifier: BSD-3-Clause
// check_nan names the operation, its result and its scope: eager, compiled, in blocks and in the backward pass.
#include <doctest/doctest.h>

#include <etna/etna.hpp>
#include <string>

using namespace etna;
using vec = array<float, 3>;

namespace {
template <class F, class... A> std::string said(F const& f, A const&... args) {
  try {
    (void)f(args...);
  } catch (error const& e) { return e.what(); }
  return "nothing thrown";
}
std::string e113(std::string const& about) {
  return "E113: a value became NaN: " + about +
         "; look at the operation that is named, and at its operands; a training that diverges goes on from the "
         "checkpoint before, with a smaller rate";
}

constexpr auto f = [](vec x) {
  return named_scope<"model">([](auto const& x) {
    auto z = named_scope<"head">([](auto const& x) { return log(x); })(x * 2.0f);
    return sum(z);
  })(x);
};
vec const good{1, 2, 4}, bad{1, -1, 4};
}  // namespace

TEST_CASE("eager and compiled functions say the same") {
  std::string const what = e113("f32[3] of log at element 1, in scope model/head");
  CHECK(said(debug::check_nan(f), bad) == what);
  CHECK(said(debug::check_nan(jit(f)), bad) == what);
  CHECK(said(debug::check_nan([](vec x) { return jit(f)(x) + 1.0f; }), bad) == what);
  CHECK(said(debug::check_nan(grad(f)), bad) == what);
  CHECK(said(debug::check_nan(grad(jit(f))), bad) == what);
  CHECK(said(debug::check_nan(jit(value_and_grad(f))), bad) == what);
  CHECK(said(jit(f), bad) == "nothing thrown");
  CHECK(debug::check_nan(jit(f))(good).item() == f(good).item());
  CHECK(said(debug::check_nan([](vec x) { return log(x); }), bad) == e113("f32[3] of log at element 1"));
}
TEST_CASE("the backward pass is named too") {
  // sqrt(0) is 0, its slope infinite; 0 * inf is NaN
  auto g = [](vec x) { return named_scope<"norm">([](auto const& x) { return sum(x * sqrt(x - x)); })(x); };
  CHECK(said(debug::check_nan(jit(g)), good) == "nothing thrown");
  std::string const what = "in scope transpose(jvp(norm))";
  CHECK(said(debug::check_nan(jit(grad(g))), good).find(what) != std::string::npos);
  CHECK(said(debug::check_nan(grad(g)), good).find(what) != std::string::npos);
}
TEST_CASE("rules of the user's") {
  auto h = [](vec v) {
    auto s = custom_vjp(
        [](auto a) { return a * 1.0f; },
        [](auto a) {
          return std::pair{a * 1.0f, a};
        },
        [](auto r, auto ct) { return named_scope<"back">([](auto r, auto ct) { return log(r) * ct; })(r, ct); });
    return named_scope<"model">([&](auto v) { return sum(s(v) * v); })(v);
  };
  auto pushed = [](vec v) { return jvp(decltype(h){}, v, v).second; };
  std::string const back = e113("f32[3] of log at element 1, in scope transpose(jvp(model))/back");
  CHECK(said(debug::check_nan(grad(h)), bad) == back);
  CHECK(said(debug::check_nan(jit(grad(h))), bad) == back);
  CHECK(said(debug::check_nan(pushed), bad) == e113("f32[3] of log at element 1, in scope jvp(model)/back"));
  CHECK(said(debug::check_nan(jit(pushed)), bad) == e113("f32[3] of log at element 1, in scope jvp(model)/back"));
}
TEST_CASE("in loops and branches") {
  auto g = [](vec xs) {
    return named_scope<"rnn">([](auto const& v) {
      return scan(
                 [](auto c, auto x) {
                   auto d = cond(
                       x > 0.0f, [](auto a) { return a + 1.0f; },
                       [](auto a) { return named_scope<"root">([](auto b) { return sqrt(b); })(a); }, x);
                   return std::pair{c + d, std::tuple<>{}};
                 },
                 array<float>(0.0f), v)
          .first;
    })(xs);
  };
  std::string const what = e113("f32[] of sqrt at element 0, in scope rnn/root");
  CHECK(said(debug::check_nan(g), bad) == what);
  CHECK(said(debug::check_nan(jit(g)), bad) == what);
  CHECK(said(debug::check_nan(jit(g)), good) == "nothing thrown");
}
TEST_CASE("trees, shapes with names, arrays that are large; and what the thread does next") {
  struct pair_of {
    array<double, 20, 20> a;
    array<float> b;
  };
  auto g = jit([](pair_of p) { return pair_of{p.a * 2.0, p.b / p.b}; });
  pair_of p{array<double, 20, 20>::build([](double* x) {
              for (int i = 0; i < 400; ++i) x[i] = i;
            }),
            2.0f};
  pair_of q = debug::check_nan(g)(p);
  CHECK(q.a(19, 19) == 798);
  p.b = 0.0f;
  CHECK(said(debug::check_nan(g), p) == e113("f32[] of div at element 0"));
  CHECK(said(g, p) == "nothing thrown");
  auto h = jit([](array<float, "n"_n> x) { return sum(log(x)); });
  CHECK(said(debug::check_nan(h), bad) == e113("f32[3] of log at element 1"));
  CHECK(said(debug::check_nan(jit([](array<float>) { return array<float>(2.0f); })), array<float>(1.0f)) ==
        "nothing thrown");
}
