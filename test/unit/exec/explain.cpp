// SPDX-License-Identifier: BSD-3-Clause
// explain: FLOPs and bytes of known kernels by formula, a row for each step, and what only a call can tell.
#include <doctest/doctest.h>

#include <etna/exec/explain.hpp>

#include "mlp.hpp"
#include "numbers.hpp"

using namespace etna;
using test::some;

namespace {

/// The only row of a function, after a run.
template <class F, class... A> explained_kernel only(F const& f, A const&... a) {
  explanation e = explain(f, a...);
  REQUIRE(e.kernels.size() == 1);
  CHECK(e.launches.number() == 1);
  CHECK(e.kernels[0].launches.number() == 1);
  CHECK(e.kernels[0].seconds > 0);
  CHECK(e.call_seconds > 0);
  return e.kernels[0];
}
void costs(explained_kernel const& k, extent flops, extent read, extent written) {
  INFO(k.what);
  CHECK(k.work.flops.number() == flops);
  CHECK(k.work.read.number() == read);
  CHECK(k.work.written.number() == written);
}
bool has(std::string const& text, std::string const& part) { return text.find(part) != std::string::npos; }

using matrix = array<float, 64, 32>;
constexpr extent n = 64 * 32;

struct net {
  array<float, 20, 130> w;
  array<float, 130> b;
  array<float, 130, 5> v;
};
template <extent B> constexpr auto loss = [](net const& p, array<float, B, 20> x, array<int, B> y) {
  auto predict = [](net const& q, array<float, 20> r) { return dot(relu(dot(r, q.w) + q.b), q.v); };
  return mean(softmax_cross_entropy(vmap<none, 0>(predict)(p, x), y));
};
template <extent B> constexpr auto step = jit([](net p, array<float, B, 20> x, array<int, B> y) {
  auto [value, g] = value_and_grad(loss<B>)(p, x, y);
  return std::pair{tree::map([](auto w, auto dw) { return w - 0.1f * dw; }, p, g), value};
});

}  // namespace

TEST_CASE("elements: each operand once, a broadcast one as it lies in memory") {
  auto x = some<matrix>(1), y = some<matrix>(2);
  auto k = only(jit([](matrix x, matrix y) { return x * y + x; }), x, y);
  costs(k, 2 * n, 2 * n * 4, n * 4);
  CHECK(k.what == "mul add");
  CHECK(k.loops == "2048");
  costs(only(jit([](matrix x, array<float, 32> b) { return x + b; }), x, some<array<float, 32>>(3)), n, n * 4 + 32 * 4,
        n * 4);
  costs(only(jit([](array<double, 50> x) { return x * x; }), some<array<double, 50>>(4)), 50, 50 * 8, 50 * 8);
  // exp has the FLOPs of its row
  costs(only(jit([](matrix x) { return exp(x); }), x), n * ops::exp_p::flops, n * 4, n * 4);
}

TEST_CASE("sums of rows and columns, and a row program that reads its row once") {
  auto x = some<matrix>(1);
  auto rows = only(jit([](matrix x) { return sum<1>(x); }), x);
  costs(rows, n, n * 4, 64 * 4);
  CHECK(rows.loops == "64x(32)");
  costs(only(jit([](matrix x) { return sum<0>(x); }), x), n, n * 4, 32 * 4);
  auto k = only(jit([](matrix x) { return x / (sum<1>(x, keepdims) + 1.0f); }), x);
  costs(k, n + 64 + n, n * 4, n * 4);
}

TEST_CASE("products, also of broadcast operands") {
  auto a = some<array<double, 6, 8>>(1);
  auto b = some<array<double, 8, 3>>(2);
  auto k = only(jit([](array<double, 6, 8> a, array<double, 8, 3> b) { return matmul(a, b); }), a, b);
  costs(k, 2 * 6 * 8 * 3, (6 * 8 + 8 * 3) * 8, 6 * 3 * 8);
  CHECK(k.what == "dot_general");
  CHECK(k.loops == "6x3x(8)");
  CHECK(k.type == dtype::f64);
}

TEST_CASE("what an index chooses is read, not the table") {
  auto table = some<array<float, 100, 8>>(1);
  array<int, 5> index{3, 1, 4, 1, 5};
  costs(only(jit([](array<float, 100, 8> t, array<int, 5> i) { return take<0>(t, i); }), table, index), 0,
        5 * 8 * 4 + 5 * 4, 5 * 8 * 4);
}

TEST_CASE("every step has a row, and the totals are those of the plan") {
  using plan = plan_type<decltype(test::step<float>)>;
  for (bool run : {false, true}) {
    auto p = test::start<float>();
    explanation e =
        run ? explain(test::step<float>, p, test::images<float>(0), test::labels(0)) : explain(test::step<float>);
    CHECK(extent(e.kernels.size()) == plan::kernel_count);
    CHECK(e.launches.number() == plan::kernel_count);
    CHECK(e.total.flops.number() == plan::flops);
    CHECK(e.peak_bytes().number() == plan::peak_bytes);
    CHECK(e.is_measured() == run);
    compiler::work sum;
    for (std::size_t i = 0; i < e.kernels.size(); ++i) {
      auto const& k = e.kernels[i];
      CHECK(k.step == int(i));
      CHECK(!k.what.empty());
      CHECK(has(e.text(), k.what + "\n"));
      CHECK((k.seconds >= 0) == run);
      sum.add(k.work, 1);
    }
    CHECK(sum.flops.number() == e.total.flops.number());
    CHECK(sum.read.number() == e.total.read.number());
    CHECK(sum.written.number() == e.total.written.number());
    CHECK(has(e.text(), "share") == run);
    CHECK(has(e.json(), "\"fma_f32\"") == run);
    // the first product, and the one of the gradient by w1, which is added to w1 times a number
    int products = 0, added = 0;
    for (auto const& k : e.kernels) {
      products += k.work.flops.number() == extent(2) * 32 * 784 * 512;
      added += k.work.flops.number() == extent(2) * 32 * 784 * 512 + extent(2) * 784 * 512;
    }
    CHECK(products == 1);
    CHECK(added == 1);
  }
}

TEST_CASE("named extents: in names before a call, as if they were static in one") {
  explanation before = explain(step<"batch"_n>), fixed = explain(step<7>);
  explanation e = explain(step<"batch"_n>, net{}, some<array<float, "batch"_n, 20>>(1, -1, 1, {7, 20}),
                          some<array<int, "batch"_n>>(2, 0, 5, {7}));
  REQUIRE(e.kernels.size() == before.kernels.size());
  CHECK(has(before.text(), "batchx130x(20)"));
  CHECK(has(before.text(), "5200*batch"));      // 2 * batch * 20 * 130
  CHECK(has(before.text(), "80*batch+10400"));  // its operands' bytes
  CHECK(!before.peak_bytes().known);
  CHECK(has(e.text(), "7x130x(20)"));
  // one is written in names, so its plan may be another; its products are the same
  extent products[2] = {0, 0};
  for (auto const& k : e.kernels)
    if (k.what == "dot_general") products[0] += k.work.flops.number();
  for (auto const& k : fixed.kernels)
    if (k.what == "dot_general") products[1] += k.work.flops.number();
  CHECK(products[0] > 0);
  CHECK(products[0] == products[1]);
  extent arguments = (20 * 130 + 130 + 130 * 5) * 4 + 7 * 20 * 4 + 7 * 4;
  CHECK(e.peak_bytes().number() >= arguments + 4);
}

TEST_CASE("a loop: its kernels once a round, and all of them in its row") {
  constexpr auto f = jit([](array<float, 1000> x) {
    return scan<50>([](array<float, 1000> c) { return std::pair{sin(c) * 0.5f, sum(c)}; }, x);
  });
  auto x = some<array<float, 1000>>(1);
  for (bool run : {false, true}) {
    explanation e = run ? explain(f, x) : explain(f);
    REQUIRE(e.kernels.size() > 1);
    auto const& loop = e.kernels[0];
    CHECK(loop.what == "scan");
    CHECK(loop.loops == "50 rounds");
    CHECK(loop.launches.number() == 1);
    extent flops = 0;
    double seconds = 0;
    for (std::size_t i = 1; i < e.kernels.size(); ++i) {
      auto const& k = e.kernels[i];
      CHECK(k.depth == 1);
      CHECK(k.launches.number() == 50);
      flops += 50 * k.work.flops.number();
      seconds += k.seconds;
    }
    CHECK(flops == extent(50) * 1000 * (ops::sin_p::flops + 2));
    CHECK(loop.work.flops.number() == flops);
    CHECK(e.total.flops.number() == flops);
    CHECK(e.launches.number() == extent(50) * extent(e.kernels.size() - 1));
    if (run) CHECK(loop.seconds > 0.5 * seconds);
  }
}

TEST_CASE("how often a while loop and a branch run, a call tells") {
  constexpr auto f = jit([](array<float, 100> x, array<int> n) {
    auto [y, i] = while_loop([](auto const& c) { return std::get<1>(c) > 0; },
                             [](auto const& c) {
                               return std::pair{std::get<0>(c) * 1.5f, std::get<1>(c) - 1};
                             },
                             std::pair{x, n});
    return cond(
        n > 10, [](auto const& y) { return y + 1.0f; }, [](auto const& y) { return exp(y); }, y);
  });
  explanation before = explain(f), e = explain(f, some<array<float, 100>>(1), array<int>(7));
  REQUIRE(e.kernels.size() == before.kernels.size());
  bool multiplied = false, other = false, chosen = false;
  for (std::size_t i = 0; i < e.kernels.size(); ++i) {
    auto const& k = e.kernels[i];
    INFO(k.what);
    CHECK(before.kernels[i].launches.known == (k.depth == 0));
    if (has(k.what, "mul")) {
      multiplied = true;
      CHECK(k.launches.number() == 7);
    }
    if (has(k.what, "exp")) {
      chosen = true;
      CHECK(k.launches.number() == 1);
    }
    if (k.what == "add") {
      other = true;
      CHECK(k.launches.number() == 0);
    }
  }
  CHECK(multiplied);
  CHECK(chosen);
  CHECK(other);
  CHECK(e.total.flops.number() >= 7 * 100 + 100 * ops::exp_p::flops);
  CHECK(e.total.flops.number() < 7 * 110 + 110 * ops::exp_p::flops);
}

TEST_CASE("lvalues stay as they are, scopes are shown") {
  auto x = some<matrix>(1);
  auto before = test::bits_of(x);
  constexpr auto f = jit([](matrix x) { return named_scope<"layer">([](auto const& x) { return x * 2.0f; })(x); });
  explanation e = explain(f, x);
  CHECK(test::bits_of(x) == before);
  CHECK(e.kernels[0].scope == "layer");
  CHECK(has(e.text(), "layer: "));
  CHECK(has(e.json(), "\"scope\": \"layer\""));
  // one that is donated is updated in place, again and again
  CHECK(explain(f, std::move(x)).peak_bytes().number() == n * 4);
}

TEST_CASE("limits are those of this machine, once for a number of threads") {
  auto const& m = exec::limits();
  CHECK(m.threads == exec::threads_here());
  CHECK(m.fma_f32 > 1e8);
  CHECK(m.fma_f32 < 1e13);
  CHECK(m.fma_f64 > 1e8);
  CHECK(m.fma_f64 < 1.2 * m.fma_f32);
  CHECK(m.copy > 1e8);
  CHECK(m.copy < 1e13);
  CHECK(&exec::limits() == &m);
}
