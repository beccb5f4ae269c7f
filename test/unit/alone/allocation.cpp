// SPDX-License-Identifier: BSD-3-Clause
// A jitted call allocates nothing after its first runs: malloc is counted by an interposer, results
// returned by value included.
#include <doctest/doctest.h>

#include <atomic>
#include <cstddef>
#include <etna/etna.hpp>

#if defined(__SANITIZE_ADDRESS__)
#define ETNA_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ETNA_SANITIZED 1
#endif
#endif

namespace {
std::atomic<long> allocations{0};
}

#if !defined(ETNA_SANITIZED)  // a sanitizer has its own malloc, which must stay
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void* malloc(std::size_t n) {
  ++allocations;
  return __libc_malloc(n);
}
void* aligned_alloc(std::size_t a, std::size_t n) {
  ++allocations;
  return __libc_memalign(a, n);
}
}
#endif

using namespace etna;

namespace {
struct net {
  array<float, 100, 64> w;
  array<float, 64> b;
};
constexpr auto step = jit([](net p, array<float, 32, 100> x) {
  auto [value, g] =
      value_and_grad([](net const& q, array<float, 32, 100> y) { return mean(square(tanh(dot(y, q.w) + q.b))); })(p, x);
  return std::pair{tree::map([](auto w, auto dw) { return w - 0.1f * dw; }, p, g), value};
});
}  // namespace

TEST_CASE("a function at a point allocates nothing, not even at first") {
  constexpr auto energy = [](array<double, 6> u) { return sum(exp(u) * sin(u)); };
  double x[6] = {1, 2, 3, 4, 5, 6}, total = 0;
  long before = allocations.load();
  auto g = point(grad(energy))(x);
  auto h = point(hessian(energy))(x);
  long after = allocations.load();
  for (double v : g) total += v;
  for (double v : h) total += v;
  CHECK(after - before == 0);
  CHECK(total == total);
}
TEST_CASE("no allocation after the first call") {
#if defined(__clang__)
  // clang's OpenMP runtime itself allocates for each parallel region (16 times a turn here): one thread
  setenv("OMP_NUM_THREADS", "1", 1);
  Kokkos::initialize(Kokkos::InitializationSettings().set_num_threads(1).set_disable_warnings(true));
#endif
  net p;
  array<float, 32, 100> x = array<float, 32, 100>::build([](float* o) {
    for (int i = 0; i < 3200; ++i) o[i] = float(i % 13) * 0.1f;
  });
  net kept = p;
  float last = 0;
  auto turn = [&] {
    auto [q, v] = step(std::move(p), x);  // donated, but for the first turn, when `kept` shares it
    p = std::move(q);
    auto other = step(kept, x);  // not donated: results take memory that was let go
    last += v.item() + other.second.item();
  };
  turn();
  turn();
  long before = allocations.load();
  for (int i = 0; i < 20; ++i) turn();
  long after = allocations.load();
#if !defined(ETNA_SANITIZED)
  CHECK(before > 0);
#endif
  CHECK(after - before == 0);
  CHECK(last == last);
#if defined(__clang__)
  Kokkos::finalize();
#endif
}
