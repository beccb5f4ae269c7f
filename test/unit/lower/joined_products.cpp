// SPDX-License-Identifier: BSD-3-Clause
// Sums of products are rounded in the same way wherever an element lies: in registers, in what is left over of a row,
// in straight-line code. Results may lie where arguments were.
#include <etna/lower/joined_products.hpp>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "same.hpp"

using namespace test;

namespace {

using lower::contraction_fact;
constexpr contraction_fact product(int a, int b) { return {true, false, {a, b, -1}}; }
constexpr contraction_fact sum(int a, int b) { return {false, true, {a, b, -1}}; }

// Each equation and the product that it takes in.
template <std::size_t N>
constexpr bool takes(std::array<contraction_fact, N> const& f, std::array<int, N> const& taken) {
  return lower::contract(f).taken == taken;
}
static_assert(takes<2>({product(-1, -1), sum(0, -1)}, {-1, 0}));
// of two products the first
static_assert(takes<3>({product(-1, -1), product(-1, -1), sum(1, 0)}, {-1, -1, 0}));
// one that something else reads, too, is rounded by itself
static_assert(takes<4>({product(-1, -1), product(0, -1), sum(0, 1), sum(0, -1)}, {-1, -1, 1, -1}));
// by all that read it
static_assert(takes<3>({product(-1, -1), sum(0, -1), sum(-1, 0)}, {-1, 0, 0}));
// not of one product twice
static_assert(takes<2>({product(-1, -1), sum(0, 0)}, {-1, -1}));
// not across a store, by which an argument may be gone
constexpr auto with_store = [] {
  std::array<contraction_fact, 4> f{product(-1, -1), product(-1, -1), sum(0, -1), sum(1, -1)};
  f[0].loads = f[1].loads = f[2].stores = true;
  return f;
}();
static_assert(takes<4>(with_store, {-1, -1, 0, -1}));
static_assert(lower::contract(with_store).apart[1] && !lower::contract(with_store).apart[0]);

template <class A> constexpr auto sums(A x, A y, A z) {
  return std::tuple{x * y + z,
                    x * y - z * x,
                    exp(x) * y - z,
                    x * y * z + x * y,
                    tanh(x) * y + z * x,
                    where(x > y, x * y + z, x * z - y),
                    (x + y * 2) * (y * 3 - z) + x * x};
}
constexpr std::size_t outputs = 7;

constexpr int most = 1000;
template <class T> struct numbers {
  T x[most], y[most], z[most];
  numbers() {
    unsigned state = 3;
    auto next = [&] { return T((state = state * 1664525 + 1013904223) >> 8) / T(1 << 24); };
    for (int i = 0; i < most; ++i) x[i] = next() * 6 - 3, y[i] = next() * 3 + T(0.1), z[i] = next() * 6 - 3;
  }
};
template <class T, int N> auto results(numbers<T> const& d, int from) {
  static constexpr auto f = jit([](array<T, N> x, array<T, N> y, array<T, N> z) { return sums(x, y, z); });
  auto some = [&](T const* p) { return array<T, N>::build([&](T* to) { std::memcpy(to, p + from, sizeof(T) * N); }); };
  return f(some(d.x), some(d.y), some(d.z));  // given away, so that results take their memory
}
template <class T, int N, class All, std::size_t... K>
void compare(numbers<T> const& d, All const& all, int from, std::index_sequence<K...>) {
  auto part = results<T, N>(d, from);
  auto same = [&](auto const& is, auto const& should) {
    return std::memcmp(is.data(), should.data() + from, sizeof(T) * N) == 0;
  };
  INFO("of ", N, " from ", from);
  std::array const equal{same(std::get<K>(part), std::get<K>(all))...};
  for (std::size_t i = 0; i < equal.size(); ++i) CHECK_MESSAGE(equal[i], i);
}
template <class T> void everywhere() {
  numbers<T> d;
  auto all = results<T, most>(d, 0);
  constexpr auto k = std::make_index_sequence<outputs>{};
  compare<T, 1>(d, all, 5, k);
  compare<T, 3>(d, all, 7, k);
  compare<T, 9>(d, all, 77, k);
  compare<T, 37>(d, all, 100, k);
  for (int i : {0, 1, 17, 500, most - 1}) {
    double x = d.x[i], y = d.y[i], z = d.z[i];
    CHECK(std::get<0>(all).data()[i] == doctest::Approx(x * y + z));
    CHECK(std::get<1>(all).data()[i] == doctest::Approx(x * y - z * x));
    CHECK(std::get<3>(all).data()[i] == doctest::Approx(x * y * z + x * y));
    CHECK(std::get<4>(all).data()[i] == doctest::Approx(std::tanh(x) * y + z * x));
    CHECK(std::get<6>(all).data()[i] == doctest::Approx((x + y * 2) * (y * 3 - z) + x * x));
  }
}

}  // namespace

TEST_CASE("joined products: an element of a sum of products is the same wherever it lies") {
  everywhere<float>();
  everywhere<double>();
}
