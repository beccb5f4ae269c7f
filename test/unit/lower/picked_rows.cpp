// SPDX-License-Identifier: BSD-3-Clause
// Short rows that an index picks, in lanes: each is loaded whole. Of 1 to 16 elements, by indices of all types, from
// the end and out of range, one table by several indices, several tables by one; and sums of what is computed of them.
#include "same.hpp"

using namespace test;

namespace {

constexpr extent n = 333;  // examples: no multiple of a register, nor of what is picked together
/// All of [-size - 2, size + 1], or of [0, size + 1].
template <class I, extent N = n> array<I, N, 2> indices(int size) {
  return array<I, N, 2>::build([=](I* out) {
    for (int i = 0; i < 2 * N; ++i)
      out[i] = I(std::is_signed_v<I> ? i * 7 % (2 * size + 4) - size - 2 : i * 7 % (size + 2));
  });
}
/// A sum of an example's rows that tells their elements apart.
constexpr auto weighed = [](auto a, auto b) {
  using T = typename decltype(a)::value_type;
  auto w = arange<T, decltype(a)::type.e[0]>() + T(1);
  return sum(a * w) - sum(b * b * w);
};
constexpr auto by_ends = [](auto x, auto ends) {
  return vmap(weighed)(take<0>(x, slice<every, 0>(ends)), take<0>(x, slice<every, 1>(ends)));
};
template <class T, class I, extent Fields, extent N = n> void check() {
  CAPTURE(Fields);
  as_eager(by_ends, some<array<T, 17, Fields>>(1, -9, 9), indices<I, N>(17));
}
/// Is the kernel of the first step one whose inputs are rows by an index?
template <class F, class... A> constexpr int picked_rows() {
  auto const& p = compiler::program<F, A...>::value;
  int found = 0;
  for (int i = 0; i < p.n_steps; ++i) {
    if (!planning::is<planning::kernel_step>(p.steps[i])) continue;
    planning::kernel_words const kernel(p, p.steps[i].kernel);
    for (int k = 0; k < kernel.inputs(); ++k) found += kernel.input_picking(k).by >= 0;
  }
  return found;
}
static_assert(picked_rows<decltype(by_ends), array<float, 17, 6>, array<int, n, 2>>() == 12);

}  // namespace

TEST_CASE("rows of few and of many elements") {
  [&]<int... F>(std::integer_sequence<int, F...>) {
    (check<float, int, F + 1>(), ...);
  }(std::make_integer_sequence<int, 9>{});
  check<float, int, 13>();
  check<float, int, 16>();
  check<double, int, 3>();
  check<double, int, 5>();
  check<double, int, 8>();
}

TEST_CASE("types of elements and of indices") {
  check<float, std::int64_t, 3>();
  check<float, std::int64_t, 3, 3333>();  // more rows than tiles have at once
#if !defined(ETNA_FEW)
  check<float, std::int64_t, 6, 300001>();  // and more than the second cache holds
#endif
  check<float, std::uint8_t, 4>();
  check<float, std::int16_t, 7>();
  check<double, std::int64_t, 4>();
  check<double, std::int8_t, 6>();
  check<int, int, 3>();
  check<std::int64_t, std::uint32_t, 5>();
  check<bfloat16, int, 3>();
}

namespace {
/// Two tables by one index, a batch of each, and an index that is computed.
constexpr auto tables = [](auto x, auto y, auto index) {
  auto one = [](auto x, auto y, auto index) {
    auto next = (index + 1) % 17;
    auto p = take<0>(x, index), r = take<0>(x, next);
    auto q = take<0>(y, index);
    return vmap([](auto p, auto q, auto r) { return sum(p * p) * slice<0>(q) + dot(p, r) - slice<1>(q); })(p, q, r);
  };
  return vmap<0, 0, none>(one)(x, y, index);
};
}  // namespace
TEST_CASE("several tables, batches of them, and an index that is computed") {
  auto const index = array<int, n>::build([](int* out) {
    for (int i = 0; i < n; ++i) out[i] = i * 5 % 21 - 2;
  });
  as_eager(tables, some<array<float, 3, 17, 3>>(1), some<array<float, 3, 17, 2>>(2), index);
  as_eager(tables, some<array<double, 3, 17, 3>>(1), some<array<double, 3, 17, 2>>(2), index);
  // each example a table of its own
  auto own = [](auto x, auto index) {
    return vmap([](auto x, auto i) {
      auto p = take<0>(x, i);
      return sum(p * p) + slice<1>(p) - slice<2>(p);
    })(x, index);
  };
  as_eager(own, some<array<float, n, 17, 3>>(1), index);
  as_eager(own, some<array<double, n, 17, 5>>(2), index);
}

namespace {
// Springs between points: what is summed of all is a kernel of its own, so that rows are picked whole.
constexpr auto springs = [](array<float, 40, 3> x, array<int, n, 2> ends, array<float, n> length) {
  auto energy = [&](array<float, 40, 3> x) {
    auto d = take<0>(x, slice<every, 0>(ends)) - take<0>(x, slice<every, 1>(ends));
    return sum(square(sqrt(sum<1>(d * d)) - length));
  };
  return value_and_grad(energy)(x);
};
static_assert(picked_rows<decltype(springs), array<float, 40, 3>, array<int, n, 2>, array<float, n>>() == 6);
// What comes back from the sum into the elements is one kernel with it, and stays right.
constexpr auto shares = [](array<float, 40, 3> x, array<int, n> at) {
  auto p = take<0>(x, at);
  auto e = exp(slice<every, 0>(p) - slice<every, 1>(p) * slice<every, 2>(p));
  return std::pair{e / sum(e), max(e)};
};
}  // namespace
TEST_CASE("sums of what is computed of picked rows") {
  auto ends = array<int, n, 2>::build([](int* out) {
    for (int i = 0; i < n; ++i) out[2 * i] = i % 40, out[2 * i + 1] = (i * 7 + 3) % 40;
  });
  auto x = some<array<float, 40, 3>>(1);
  auto length = some<array<float, n>>(2, 0.5, 1);
  as_eager(springs, x, ends, length);
  as_eager(shares, x, slice<every, 0>(ends));
}
