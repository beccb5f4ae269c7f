// SPDX-License-Identifier: BSD-3-Clause
// Elements picked by an index, which differs from lane to lane: of all types, as they lie, in each kind of loop;
// indices from the end and out of range.
#include "same.hpp"

using namespace test;

namespace {

constexpr extent n = 37, m = 21;  // no multiples of a register
/// All of [-size - 2, size + 1]: two on either side are out of range.
template <class I> array<I, m, n> indices(int size) {
  return array<I, m, n>::build([=](I* out) {
    for (int i = 0; i < m * n; ++i)
      out[i] = I(std::is_signed_v<I> ? i * 7 % (2 * size + 4) - size - 2 : i * 7 % (size + 2));
  });
}
constexpr auto picks = [](auto x, auto i) { return take<0>(x, i); };

template <class T, class I> void check_types() {
  auto x = some<array<T, 19>>(1, -9, 9);
  as_eager(picks, x, indices<I>(19));
  as_eager([](array<T, 19> x, array<I, m, n> i) { return take<0>(x * x, i); }, x, indices<I>(19));
}

}  // namespace

TEST_CASE("types of elements and of indices") {
  check_types<float, int>();
  check_types<double, int>();
  check_types<float, std::int64_t>();
  check_types<double, std::uint8_t>();
  check_types<bfloat16, std::int16_t>();
  check_types<std::int8_t, int>();
  check_types<std::int64_t, std::int8_t>();
  as_eager(picks, some<array<int, 19>>(1, -9, 9), indices<std::uint32_t>(19));
  as_eager([](array<float, 19> x, array<int, m, n> i) { return where(take<0>(x > 0, i), 1.0f, 2.0f); },
           some<array<float, 19>>(1), indices<int>(19));
}

namespace {
constexpr auto lying = [](auto x, auto i) {
  auto column = slice<range{}, 1>(x);
  auto two = take<0>(column, i) * take<0>(slice<range{}, 2>(x), i);  // the same places
  auto reversed = take<0>(flip<0>(column), i) + take<0>(slice<range{3, 11}, 0>(x), i);
  auto turned = take<1>(transpose(x), reshape<m * n>(i));
  return std::tuple{two - reversed, sum<1>(two), sum<0>(two), sum(two), turned, sum<0>(turned)};
};
}  // namespace
TEST_CASE("sources as they lie, in each kind of loop") {
  as_eager(lying, some<array<float, 19, 4>>(1), indices<int>(19));
  as_eager(lying, some<array<double, 19, 4>>(1), indices<int>(19));
  // along a row of its own, by an index that is computed, and by rows
  auto along = [](auto x, auto i) {
    auto j = take_along_axis<1>(i, i % 5 * 2 - 3);
    return std::tuple{take_along_axis<1>(x, j), take<0>(x, slice<range{}, 3>(i)), sum<1>(take<1>(x, slice<2>(i)))};
  };
  as_eager(along, some<array<float, m, n>>(2), indices<int>(n));
  as_eager(along, some<array<double, m, n>>(2), indices<std::int64_t>(n));
}

TEST_CASE("sizes with names: of what is picked from, and none of it") {
  using source = array<float, "size"_n>;
  for (extent size : {extent(0), extent(1), extent(19)})
    as_eager(picks, some<source>(1, std::array{size}), indices<int>(19));
}

TEST_CASE("of an axis without elements all are missing, whatever stands beside") {
  auto const none_there = array<double, 0, 5>::build([](double*) {});
  auto const no_numbers = array<int, 0>::build([](int*) {});
  auto const i = array<int, 300>::build([](int* to) {
    for (int k = 0; k < 300; ++k) to[k] = k - 150;
  });
  auto const [rows, twice, halves, sums, numbers] = jit([](auto a, auto b, auto i, auto x) {
    return std::tuple{take<0>(a, i), x * 2.0, a * 0.5, sum<1>(a), take<0>(b, i) + 1};
  })(none_there, no_numbers, i, array<double, 5>{1, 2, 3, 4, 5});
  for (double x : rows) CHECK(x != x);
  for (int x : numbers) CHECK(x == 1);
  near(twice, array<double, 5>{2, 4, 6, 8, 10}, 0, 0);
  CHECK(halves.size() + sums.size() == 0);
}

namespace {
// Springs between points: of each the energy, forces at both ends, and those of their points.
template <class T> constexpr auto springs = [](array<T, 400, 3> x, array<int, 900, 2> ends, array<T, 900> length) {
  auto energy = [&](array<T, 400, 3> x) {
    auto at = take<0>(x, ends);
    auto d = slice<range{}, 0>(at) - slice<range{}, 1>(at);
    return sum(square(sqrt(sum<1>(d * d)) - length));
  };
  return value_and_grad(energy)(x);
};
template <class T> constexpr auto pairs = [](array<T, 400, 3> x, array<int, 400, 20> near) {
  auto energy = [&](array<T, 400, 3> x) {
    auto d = expand_dims<1>(x) - take<0>(x, near);
    auto r2 = sum<2>(d * d) + T(.1);
    return sum(T(1) / r2) + sum(sum<1>(r2) * T(.01));
  };
  return std::tuple{value_and_grad(energy)(x), vmap([&](array<int, 20> i) { return sum<0>(take<0>(x, i)); })(near)};
};
template <class F, class... P> constexpr int steps(F const&, P const&...) {
  return compiler::program<F, P...>::value.n_steps;
}
}  // namespace
TEST_CASE("points of pairs: a kernel of all that a pair has, and the sum of what its points get") {
  auto x = some<array<float, 400, 3>>(1);
  auto ends = array<int, 900, 2>::build([](int* out) {
    for (int i = 0; i < 1800; ++i) out[i] = i * 37 % 401 - (i % 5 == 0 ? 400 : 0);
  });
  as_eager(springs<float>, x, ends, some<array<float, 900>>(2));
  auto near = array<int, 400, 20>::build([](int* out) {
    for (int i = 0; i < 8000; ++i) out[i] = i * 53 % 400;
  });
  static_assert(steps(pairs<double>, array<double, 400, 3>(), array<int, 400, 20>()) <= 6);
  as_eager(pairs<double>, some<array<double, 400, 3>>(1), near);
}

TEST_CASE("what is added at places: indices as they lie, and sums of such") {
  auto f = [](auto ends, auto a, auto b) {
    auto onto = zeros<float, 40, 3>();
    auto first = slice<range{}, 0>(ends), second = slice<range{}, 1>(ends);
    auto one = onto.at(first).add(a), two = onto.at(second).add(b);
    auto reversed = onto.at(flip<0>(first)).add(a * b);
    auto pair =
        zeros<float, 40>().at(reshape<100>(transpose(slice<range{0, 50}>(ends)))).add(slice<range{0, 100}, 0>(a));
    return std::tuple{one + two + reversed, (two - one) + 2.0f * reversed, pair, vmap([](auto i, auto u) {
                        return zeros<float, 40>().at(i).add(u);
                      })(ends, slice<range{}, range{0, 2}>(b))};
  };
  auto ends = array<int, 100, 2>::build([](int* out) {
    for (int i = 0; i < 200; ++i) out[i] = i * 37 % 43 - (i % 7 == 0 ? 40 : 0);
  });
  as_eager(f, ends, some<array<float, 100, 3>>(1), some<array<float, 100, 3>>(2));
}

namespace {
template <class T, extent Size, class I> void check_table() {
  CAPTURE(Size);
  as_eager(picks, some<array<T, Size>>(1, -9, 9), indices<I>(Size));
  as_eager([](auto x, auto i) { return take<1>(x, i); }, some<array<T, 5, Size>>(1, -9, 9),
           reshape<m * n>(indices<I>(Size)));
}
}  // namespace
TEST_CASE("tables of one to four registers, and one element more") {
  [&]<extent... Size>(std::integer_sequence<extent, Size...>) {
    (check_table<float, Size, int>(), ...);
    (check_table<double, Size, int>(), ...);
  }(std::integer_sequence<extent, 1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 48, 63, 64, 65>{});
  check_table<float, 40, std::int64_t>();
  check_table<double, 30, std::int64_t>();
  check_table<int, 50, std::uint8_t>();
  check_table<std::uint32_t, 20, int>();
  check_table<std::int64_t, 32, int>();
  check_table<bfloat16, 64, int>();
  check_table<bfloat16, 128, int>();  // as many bytes, but held wider than they lie
  check_table<std::uint8_t, 200, int>();
  check_table<std::int8_t, 256, int>();
  // one that a row of the loop has of its own, which stands still there, and one that is a part of another array
  as_eager([](auto x, auto i) { return vmap([](auto x, auto i) { return take<0>(x, i); })(x, i); },
           some<array<float, m, 40>>(2), indices<int>(40));
  as_eager(
      [](auto x, auto i) {
        return take<0>(slice<3, range{5, 30}>(x), i);
      },
      some<array<float, 4, 40>>(3), indices<int>(25));
}
