// SPDX-License-Identifier: BSD-3-Clause
// Kernels run in the floating-point mode of the thread that calls, on whatever thread they run, and leave no trace of
// it.
#include <cfenv>
#include <limits>

#include "same.hpp"

using namespace test;

namespace {

constexpr extent few = 5, many = 1 << 20;  // the second is shared among threads
constexpr auto half = [](auto const& x) { return x * 0.5f; };
constexpr auto half_of_few = jit([](array<float, few> x) { return half(x); });
constexpr auto half_of_many = jit([](array<float, many> x) { return half(x); });

template <extent N> array<float, N> smallest() {
  return array<float, N>::build([](float* o) { std::fill_n(o, N, std::numeric_limits<float>::min()); });
}
template <class A> extent zeros(A const& x) { return extent(std::count(x.data(), x.data() + x.size(), 0.f)); }
constexpr bool known = exec::float_mode::flush != 0;

}  // namespace

TEST_CASE("flush_denormals") {
  auto a = smallest<few>();
  auto b = smallest<many>();
  CHECK(zeros(half_of_few(a)) == 0);
  CHECK(zeros(half_of_many(b)) == 0);
  {
    flush_denormals scope;
    CHECK(zeros(half_of_few(a)) == (known ? few : 0));
    CHECK(zeros(half_of_many(b)) == (known ? many : 0));
  }
  CHECK(zeros(half_of_few(a)) == 0);
  CHECK(zeros(half_of_many(b)) == 0);
}

TEST_CASE("threads round as the caller does, and go back") {
  auto x = array<float, many>::build([](float* o) { std::fill_n(o, many, 1.f); });
  auto third = jit([](array<float, many> v) { return v / 3.f; });
  float const nearest = third(x).data()[0];
  auto all = [&](float f) {
    auto y = third(x);
    return std::count(y.data(), y.data() + many, f) == many;
  };
  CHECK(all(nearest));
  std::fesetround(FE_DOWNWARD);
  float const below = third(x).data()[0];
  bool const same = all(below);
  std::fesetround(FE_TONEAREST);
  CHECK(same);
  CHECK(below < nearest);
  CHECK(all(nearest));
}
