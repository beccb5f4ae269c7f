// SPDX-License-Identifier: BSD-3-Clause
// Programs on a device: a GPU where Kokkos is built for one, otherwise that of deferred.hpp.
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <etna/interop/span.hpp>
#include <thread>

#include "same.hpp"

using namespace etna;
using test::some, test::near, test::as_eager;

namespace {
static_assert(exec::device::is_present);
array<float, 20, 30> const early = ones<float, 20, 30>();  // from before Kokkos runs: in memory of the host

constexpr auto softmax_of = [](array<float, 40, 70> x) { return softmax<1>(x) * 2.f; };
constexpr auto loss_of = [](array<float, 20, 30> a, array<float, 30, 25> b, array<float, 25> c, array<int, 6> i) {
  auto h = tanh(dot(a, b) + c);
  return sum(take<0>(h, i) * take<0>(h, i)) + sum(max<0>(h)) + mean(h);
};
constexpr auto pushed = [](array<float, 20, 30> a, array<float, 30, 25> b) {
  return jvp([](auto const& a, auto const& b) { return sum<1>(tanh(dot(a, b))); }, std::tuple{a, b},
             std::tuple{sin(a), b})
      .second;
};
struct net {
  array<float, 70, 40> w1;
  array<float, 40> b1;
  array<float, 40, 10> w2;
};
constexpr auto loss = [](net const& p, array<float, 32, 70> x, array<int, 32> y) {
  return mean(softmax_cross_entropy(dot(relu(dot(x, p.w1) + p.b1), p.w2), y));
};
constexpr auto train = jit([](net p, array<float, 32, 70> x, array<int, 32> y) {
  auto [value, g] = value_and_grad(loss)(p, x, y);
  return std::pair{tree::map([](auto w, auto dw) { return w - 0.1f * dw; }, p, g), value};
});
constexpr auto long_sum = [](array<float, 300000> x) { return std::pair{sum(x * x), max(x)}; };
}  // namespace

TEST_CASE("arguments and results in objects, of before, and of the user's are copied to and fro") {
  auto both = [](array<float, 20, 30> x, array<float, 30> y) { return std::pair{sum<0>(x) + y, sum(x) * 2.f}; };
  as_eager(both, early, some<array<float, 30>>(1));
  std::vector<float> mine(600, 3.f);
  as_eager([](array<float, 600> x) { return std::pair{sum(x), x * 2.f}; }, borrow<array<float, 600>>(std::span(mine)));
  CHECK(mine == std::vector<float>(600, 3.f));
}

TEST_CASE("kernels of all shapes, products, gathers and scatters, and their derivatives") {
  auto a = some<array<float, 20, 30>>(1);
  auto b = some<array<float, 30, 25>>(2);
  auto c = some<array<float, 25>>(3);
  array<int, 6> i{0, 19, 3, 3, -1, 7};
  as_eager(softmax_of, some<array<float, 40, 70>>(4));
  near(jit(loss_of)(a, b, c, i), loss_of(a, b, c, i), 1e-5);
  near(jit(grad<0, 1, 2>(loss_of))(a, b, c, i), grad<0, 1, 2>(loss_of)(a, b, c, i), 1e-5);
  near(jit(pushed)(a, b), pushed(a, b), 1e-5);
  as_eager(
      [](array<double, 9, 8> x) {
        return std::tuple{sort<0>(x), cumsum<1>(x), flip<1>(x), argmax<1>(x)};
      },
      some<array<double, 9, 8>>(5));
}

TEST_CASE("sums of long rows are joined") {
  auto x = some<array<float, 300000>>(6);
  auto [s, m] = jit(long_sum)(x);
  double want = 0;
  float most = -1;
  for (float v : x) want += double(v) * v, most = std::max(most, v);
  CHECK(s.item() == doctest::Approx(want).epsilon(1e-6));
  CHECK(m.item() == most);
}

TEST_CASE("loops and branches whose conditions the device computes") {
  auto x = some<array<float, 50, 40>>(7);
  auto w = some<array<float, 40, 40>>(8, -0.2, 0.2);
  as_eager(
      [](array<float, 50, 40> x, array<float, 40, 40> w) {
        auto [h, n] = while_loop([](auto const& s) { return sum(square(s.first)) > 1e-3f; },
                                 [&](auto const& s) {
                                   return std::pair{tanh(dot(s.first, w)), s.second + 1};
                                 },
                                 std::pair{x, array<int>(0)});
        return std::pair{h, n};
      },
      x, w);
  as_eager(
      [](array<float, 50, 40> x, array<float, 40, 40> w) {
        return scan(
            [&](auto const& h, auto const& row) {
              auto next = cond(
                  sum(h) < 0.f, [&](auto const& a) { return tanh(dot(a, w) + row); },
                  [](auto const& a) { return sin(a); }, h);
              return std::pair{next, sum(next)};
            },
            zeros<float, 40>(), x);
      },
      x, w);
  as_eager(
      [](array<float, 50, 40> x) {
        return fori_loop(
            0, 0, [](auto const&, auto const& h) { return sin(h); }, x);
      },
      x);
}

TEST_CASE("names: sizes of the call") {
  auto f = [](array<float, "rows"_n, 30> x) { return std::pair{mean<0>(x), softmax<1>(x)}; };
  for (extent n : {1, 7, 64}) as_eager(f, some<array<float, "rows"_n, 30>>(9, {n, 30}));
}

TEST_CASE("training: the interpreter's weights after three steps, in memory given over") {
  net p{some<array<float, 70, 40>>(10), some<array<float, 40>>(11), some<array<float, 40, 10>>(12)}, q = p;
  auto x = some<array<float, 32, 70>>(13);
  auto y = some<array<int, 32>>(14, 0, 10);
  void const* memory = nullptr;
  for (int i = 0; i < 3; ++i) {
    auto [p1, v1] = train(std::move(p), x, y);
    auto [q1, v2] = train.f(q, x, y);
    if (memory) CHECK(p1.w1.data() == memory);  // from the second step on: before, they may be in memory of the host
    memory = p1.w1.data();
    near(v1, v2, 1e-5);
    p = std::move(p1);
    q = std::move(q1);
  }
  near(p, q, 1e-5);
}

TEST_CASE("eight threads at once give equal bits") {
  net p{some<array<float, 70, 40>>(10), some<array<float, 40>>(11), some<array<float, 40, 10>>(12)};
  auto x = some<array<float, 32, 70>>(13);
  auto y = some<array<int, 32>>(14, 0, 10);
  auto q = train(p, x, y).first;
  std::vector<net> of(8);
  std::vector<std::thread> threads;
  for (net& n : of)
    threads.emplace_back([&] {
      for (int i = 0; i < 5; ++i) n = train(p, x, y).first;
    });
  for (auto& t : threads) t.join();
  for (net const& n : of) CHECK(test::same_bits(n, q));
}

#if defined(ETNA_DEVICE)
TEST_CASE("a call is waited for once, before it returns, unless the host must see a number") {
  auto x = some<array<float, 50, 40>>(7);
  auto f = jit([](array<float, 50, 40> x) { return sum<0>(exp(x)) / sum(square(dot(x, transpose(x)))); });
  (void)f(x);
  long started = deferred_device::started(), waited = deferred_device::waits();
  (void)f(x);
  CHECK(deferred_device::started() - started >= 3);
  CHECK(deferred_device::waits() - waited == 1);
}
#else
TEST_CASE("a call runs in a queue of the user's") {
  auto queues = Kokkos::Experimental::partition_space(Kokkos::Cuda(), 1, 1);
  run_in_queue here(queues[1]);
  as_eager(softmax_of, some<array<float, 40, 70>>(4));
}
#endif

// A process of its own (device.no_more): Kokkos is over at the end of it.
TEST_CASE("no device any more: E138 in a forked child, and where Kokkos has ended" * doctest::skip()) {
  auto const a = some<array<float, 20, 30>>(1);
  auto number = [&] {
    try {
      jit([](array<float, 20, 30> x) { return sum(exp(x)); })(a);
    } catch (error const& e) { return e.number; }
    return 0;
  };
  CHECK(number() == 0);
  std::thread waiting([] { std::this_thread::sleep_for(std::chrono::milliseconds(300)); });
  pid_t const child = fork();
  if (child == 0) _exit(number());
  int status = 0;
  waitpid(child, &status, 0);
  waiting.join();
  CHECK(WEXITSTATUS(status) == 138);
  CHECK(number() == 0);
  Kokkos::finalize();
  CHECK(number() == 138);
}
