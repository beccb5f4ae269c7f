// SPDX-License-Identifier: BSD-3-Clause
// Many threads at once: first calls, plans whose arenas come from one free list, arrays that several hold, a loop's
// workspace, eager gradients, parallel regions of the user's. Bits are those of one thread alone; a build with
// ETNA_SANITIZE=thread has no race.
#include <doctest/doctest.h>

#include <cstdint>
#include <cstdio>
#include <thread>
#include <vector>

#include "kokkos.hpp"
#include "numbers.hpp"

using namespace etna;
using test::bits_of, test::some;

namespace {

using rows = array<float, "n"_n, 64>;
struct net {
  array<float, 64, 96> w;
  array<float, 96, 64> v;
};

constexpr auto loss = [](net const& p, rows x) {
  auto h = dot(tanh(dot(x, p.w)), p.v);
  return mean(square(h - x)) + mean(exp(softmax(h)));
};
// large enough for the thread pool, with temporaries, and in place where nobody else holds the parameters
constexpr auto step = jit([](net p, rows x) {
  auto [value, g] = value_and_grad(loss)(p, x);
  return std::pair{tree::map([](auto w, auto dw) { return w - 0.1f * dw; }, p, g), value};
});
constexpr auto wide = jit([](rows x) { return sum<1>(exp(sin(x) * 2.0f)) + max<1>(cumsum<1>(x)); });
constexpr auto walk = jit([](array<double, 400> x) {  // a loop that is one equation: its frames have a workspace
  return scan(
      [](auto const& h, auto const& e) {
        auto n = sin(h * 0.5) + e;
        return std::pair{n, sum(n * n)};
      },
      zeros<double, 50>(), reshape<8, 50>(x));
});

constexpr auto heat = jit([](array<float, 100003> y) {  // a chain: threads share its row
  using v = array<float, 100003>;
  auto step = [](v const& y) {
    return v(y + 0.25f * (pad<1, 0>(slice<range{0, 100002}>(y)) - 2.0f * y + pad<0, 1>(slice<range{1, 100003}>(y))));
  };
  return step(step(step(step(y))));
});

net some_net() { return {some<array<float, 64, 96>>(1), some<array<float, 96, 64>>(2)}; }

// Everything once; t changes the sizes, so that blocks of the free list wander between threads.
std::vector<std::uint64_t> work(net const& shared, int t) {
  std::vector<std::uint64_t> r;
  extent const n = 40 + 24 * (t % 3);
  rows const x = some<rows>(t % 3, {n, 64});
  net mine = shared;  // held by others too: the first step may not write in it, the others may
  for (int i = 0; i < 4; ++i) mine = step(std::move(mine), x).first;
  r.push_back(bits_of(mine));
  r.push_back(bits_of(wide(x)));
  r.push_back(bits_of(walk(some<array<double, 400>>(t % 3))));
  auto g = grad([](array<double, 5> y) { return sum(y * sin(y)); })(some<array<double, 5>>(t % 3));
  r.push_back(bits_of(g));
  r.push_back(bits_of(heat(some<array<float, 100003>>(t % 3))));
  r.push_back(bits_of(random::normal<float, 300>(random::key(t % 3))));
  return r;
}

template <class F> void in_threads(int n, F f) {
  std::vector<std::thread> threads;
  for (int t = 0; t < n; ++t) threads.emplace_back([&f, t] { f(t); });
  for (auto& t : threads) t.join();
}

}  // namespace

TEST_CASE("first calls from eight threads at once, then again, and one alone: equal bits") {
  net const p = some_net();
  std::vector<std::uint64_t> of[8], again[8];
  in_threads(8, [&](int t) { of[t] = work(p, t); });
  in_threads(8, [&](int t) {
    for (int i = 0; i < 3; ++i) again[t] = work(p, t);
  });
  for (int t = 0; t < 8; ++t) {
    CHECK(of[t] == work(p, t));
    CHECK(again[t] == of[t]);
  }
  std::printf("bits");
  for (int t = 0; t < 3; ++t)
    for (auto h : of[t]) std::printf(" %016llx", (unsigned long long)h);
  std::printf("\n");
}
TEST_CASE("arrays pass from thread to thread: the last one that lets go gives the memory back") {
  net const p = some_net();
  std::uint64_t const want = bits_of(p);
  for (int round = 0; round < 20; ++round) {
    net held = p;
    std::vector<net> copies(4, held);
    std::uint64_t seen[4] = {};
    in_threads(4, [&](int t) {
      net mine = std::move(copies[std::size_t(t)]);
      seen[t] = bits_of(mine);
      mine = step(std::move(mine), some<rows>(3, {8, 64})).first;  // a block of the same size is taken at once
    });
    for (auto h : seen) CHECK(h == want);
  }
  CHECK(bits_of(p) == want);
}
TEST_CASE("inside a parallel region of the user's, by OpenMP and by Kokkos") {
  net const p = some_net();
  std::vector<std::uint64_t> alone = work(p, 0), of[4];
#pragma omp parallel for num_threads(2)
  for (int t = 0; t < 4; ++t) of[t] = work(p, 0);
  for (auto const& b : of) CHECK(b == alone);
  std::vector<std::uint64_t> inside[4];
  test::with_kokkos();
  Kokkos::parallel_for("user", Kokkos::RangePolicy<Kokkos::DefaultHostExecutionSpace>(0, 4),
                       [&](int t) { inside[t] = work(p, 0); });
  for (auto const& b : inside) CHECK(b == alone);
}
