// SPDX-License-Identifier: BSD-3-Clause
// How a jitted function runs: named extents, donation, threads, repeatability, and its plan's constants.
#include <doctest/doctest.h>

#include <omp.h>

#include <cstring>
#include <thread>
#include <vector>

#include "numbers.hpp"

using namespace etna;
using test::some;

namespace {

template <class A> bool same_bits(A const& a, A const& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), std::size_t(a.size()) * sizeof(*a.data())) == 0;
}

struct net {
  array<float, 20, 130> w;
  array<float, 130> b;
  array<float, 130, 5> v;
};
using rows = array<float, "batch"_n, 20>;
using labels = array<int, "batch"_n>;
constexpr auto loss = [](net const& p, rows x, labels y) {
  auto predict = [](net const& q, array<float, 20> r) { return dot(relu(dot(r, q.w) + q.b), q.v); };
  return mean(softmax_cross_entropy(vmap<none, 0>(predict)(p, x), y));
};
constexpr auto step = jit([](net p, rows x, labels y) {
  auto [value, g] = value_and_grad(loss)(p, x, y);
  return std::pair{tree::map([](auto w, auto dw) { return w - 0.1f * dw; }, p, g), value};
});
net some_net() { return {some<array<float, 20, 130>>(1), some<array<float, 130>>(2), some<array<float, 130, 5>>(3)}; }
labels some_labels(extent n) {
  return labels::build(
      [&](int* out) {
        for (extent i = 0; i < n; ++i) out[i] = int(i * 7 % 5);
      },
      {n});
}

}  // namespace

TEST_CASE("one instantiation serves batches of 1, 7 and 32, and agrees with the interpreter") {
  net p = some_net();
  for (extent n : {extent(1), extent(7), extent(32)}) {
    rows x = some<rows>(int(n), {n, 20});
    labels y = some_labels(n);
    auto [value, g] = value_and_grad(loss)(p, x, y);
    auto [q, v] = step(p, x, y);
    CHECK(v.item() == doctest::Approx(value.item()).epsilon(1e-6));
    CHECK(allclose(q.w, p.w - 0.1f * g.w, 1e-5, 1e-7));
    CHECK(allclose(q.b, p.b - 0.1f * g.b, 1e-5, 1e-7));
    CHECK(allclose(q.v, p.v - 0.1f * g.v, 1e-5, 1e-7));
  }
}

TEST_CASE("named extents that disagree are error 110") {
  net p = some_net();
  try {
    (void)step(p, some<rows>(1, {7, 20}), some_labels(8));
    FAIL("no error");
  } catch (error const& e) {
    CHECK(e.number == 110);
    CHECK(std::string(e.what()).find("batch") != std::string::npos);
  }
}

TEST_CASE("a donated parameter is updated in place, a kept one is not touched") {
  net p = some_net();
  rows x = some<rows>(4, {7, 20});
  labels y = some_labels(7);
  net kept = p;
  array<float, 20, 130> before =
      array<float, 20, 130>::build([&](float* o) { std::memcpy(o, p.w.data(), 2600 * sizeof(float)); });
  auto [q, v1] = step(p, x, y);
  CHECK(same_bits(p.w, before));
  CHECK(q.w.data() != p.w.data());
  float const* memory_of_w = q.w.data();
  auto [r, v2] = step(std::move(q), x, y);
  CHECK(r.w.data() == memory_of_w);
  CHECK(same_bits(kept.w, before));
  // shared: an rvalue whose memory somebody else reads is not donated
  net alias = r;
  auto [s, v3] = step(std::move(r), x, y);
  CHECK(s.w.data() != alias.w.data());
}

TEST_CASE("eight threads, a parallel region and twenty runs give equal bits") {
  net p = some_net();
  rows x = some<rows>(5, {32, 20});
  labels y = some_labels(32);
  auto [q, value] = step(p, x, y);
  for (int i = 0; i < 20; ++i) CHECK(same_bits(step(p, x, y).first.w, q.w));
  std::vector<net> of(8);
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) threads.emplace_back([&, t] { of[std::size_t(t)] = step(p, x, y).first; });
  for (auto& t : threads) t.join();
  for (auto& n : of) CHECK(same_bits(n.w, q.w));
  std::vector<net> inside(2);
#pragma omp parallel for num_threads(2)
  for (int t = 0; t < 2; ++t) inside[std::size_t(t)] = step(p, x, y).first;
  for (auto& n : inside) CHECK(same_bits(n.v, q.v));
}

namespace {
struct twice {
  array<float, 64, 64> a, b;
};
constexpr auto both = jit([](twice t) { return tree::map([](auto x) { return exp(x) * 2.0f + 1.0f; }, t); });
constexpr auto moved = jit([](array<float, 100, 7> x) { return exp(x) * 2.0f + 1.0f; });
using P = plan_type<decltype(both)>::program;
using Q = plan_type<decltype(moved)>::program;
}  // namespace

TEST_CASE("equal computations at different places and of other shapes are one kernel type") {
  static_assert(plan_type<decltype(both)>::kernel_count == 2);
  static_assert(plan_type<decltype(both)>::unique_kernels == 1);
  static_assert(std::is_same_v<lower::kernel_t<P, 0>, lower::kernel_t<Q, 0>>);
  static_assert(plan_type<decltype(both)>::arena_bytes == 0);
  static_assert(plan_type<decltype(both)>::peak_bytes == 2 * 64 * 64 * 4);
  auto x = some<array<float, 100, 7>>(6);
  CHECK(allclose(moved(x), exp(x) * 2.0f + 1.0f, 1e-6));
}

TEST_CASE("softmax with cross entropy over rows is two kernels") {
  constexpr auto f = jit([](array<float, 32, 10> z, array<int, 32> y) { return mean(softmax_cross_entropy(z, y)); });
  static_assert(plan_type<decltype(f)>::kernel_count <= 2);
  CHECK(true);
}

namespace {
constexpr auto row_sums = [](array<float, 4, 3> x) { return sum<1>(exp(x) * 2.0f); };
}
TEST_CASE("the graph of a function is text, in constant evaluation too") {
  constexpr std::string_view text = graph_text<array<float, 4, 3>>(row_sums);
  CHECK(std::string(text) ==
        "{ lambda a:f32[4,3] . let\n"
        "    b:f32[4,3] = exp a\n"
        "    c:f32[4,3] = full 2\n"
        "    d:f32[4,3] = mul b c\n"
        "    e:f32[4] = sum[1] d\n"
        "  in (e) }\n");
  static_assert(graph_text<after<"trace">, array<float, 4, 3>>(row_sums) == text);  // nothing to simplify
  static_assert(graph_text<after<"fuse">, array<float, 4, 3>>(row_sums).find("| kernel b") != std::string_view::npos);
}

namespace {
constexpr auto sum_of_cubes = [](array<float, 6> x) { return sum(x * x * x); };
constexpr auto cube_rows = [](auto x) { return x * x * x; };
}  // namespace
TEST_CASE("a transform of a lambda is jitted as it is, as a value and as a type") {
  array<float, 6> x{1, 2, 3, 4, 5, 6};
  constexpr auto g = jit(grad(sum_of_cubes));
  CHECK(allclose(g(x), 3.0f * x * x, 1e-6));
  constexpr auto h = jit(types::grad<sum_of_cubes>{});
  CHECK(same_bits(h(x), g(x)));
  constexpr auto rows = jit(types::vmap<types::grad<cube_rows>{}, 0>{});
  CHECK(allclose(rows(x), 3.0f * x * x, 1e-6));
}

namespace {
// rounds that need none of each other, with a loop inside that keeps a carry
constexpr auto per_head = [](array<float, 6, 40, 64> q, array<float, 64, 48> w, array<float, 6, 5> decay) {
  auto head = [&](auto const& x) {
    auto y = tanh(dot(x.first, w));
    auto [last, all] = scan(
        [&](auto const& h, auto const& d) {
          return std::pair{exp(-abs(h)) * d + y, sum<1>(h)};
        },
        zeros_like(y), x.second);
    return std::pair{last, all};
  };
  return etna::map(head, std::pair{q, decay});
};
constexpr auto shared_rounds = jit(per_head);
constexpr auto shared_gradient = jit(grad<0, 1>([](auto const& q, auto const& w, auto const& d) {
  auto [last, all] = per_head(q, w, d);
  return sum(last * last) + sum(all);
}));
constexpr auto printed_rounds = jit([](array<float, 6, 40, 64> q) {
  return etna::map([](auto const& x) { return debug::print("{}", sum(x)), exp(x); }, q);
});
template <class F> constexpr int loops_apart() {
  auto const& p = plan_type<F>::program::value;
  int n = 0;
  for (int i = 0; i < p.n_steps; ++i) n += p.steps[i].apart;
  return n;
}
}  // namespace
TEST_CASE("threads share the rounds of a loop where none needs another's: equal bits, and the interpreter's values") {
  static_assert(loops_apart<decltype(shared_rounds)>() == 1);   // not the inner one, which has a carry
  static_assert(loops_apart<decltype(printed_rounds)>() == 0);  // prints keep their order
  auto q = some<array<float, 6, 40, 64>>(1);
  auto w = some<array<float, 64, 48>>(2);
  auto d = some<array<float, 6, 5>>(3);
  int const before = omp_get_max_threads();
  omp_set_num_threads(1);
  auto const [last, all] = shared_rounds(q, w, d);
  auto const [dq, dw] = shared_gradient(q, w, d);
  auto const [expected_last, expected_all] = per_head(q, w, d);
  CHECK(allclose(last, expected_last, 1e-5, 1e-6));
  CHECK(allclose(all, expected_all, 1e-5, 1e-5));
  for (int threads : {2, 3, 4}) {  // 4: six rounds do not come out even, so the steps of a round are shared
    omp_set_num_threads(threads);
    auto const [y, z] = shared_rounds(q, w, d);
    CHECK((same_bits(y, last) && same_bits(z, all)));
    auto const [gq, gw] = shared_gradient(q, w, d);
    CHECK((same_bits(gq, dq) && same_bits(gw, dw)));
  }
  omp_set_num_threads(before);
}
