// SPDX-License-Identifier: BSD-3-Clause
#include "moving.hpp"

using namespace test::moving;
using test::near, test::as_eager;
using namespace etna;
template <extent... E> using d = array<double, E...>;
using a3 = d<3, 4, 5>;
using a2 = d<4, 6>;

TEST_CASE("blocks at run-time positions are JAX's") {
  check<a2>("dynamic_slice", [](auto const& x) { return dynamic_slice<2, 4>(x, array<int>(2), 3); });
  check<a3>("dynamic_slice_inside",
            [](auto const& x) { return dynamic_slice<1, 4, 2>(x, 1, 0, array<std::int64_t>(2)); });
  check<a2, d<2, 3>>("dynamic_update_slice",
                     [](auto const& x, auto const& y) { return dynamic_update_slice(x, y, 3, array<int>(1)); });
}

TEST_CASE("starts are clamped, and negative ones count from the end") {
  auto f = [](d<5> const& x, array<int> const& i) { return dynamic_slice<2>(x, i); };
  d<5> x{0, 1, 2, 3, 4};
  int from[] = {-9, -5, -2, -1, 0, 2, 3, 4, 9}, to[] = {0, 0, 3, 3, 0, 2, 3, 3, 3};
  for (int k = 0; k < 9; ++k) {
    d<2> want{double(to[k]), double(to[k] + 1)};
    near(f(x, from[k]), want);
    near(jit(f)(x, from[k]), want);
  }
}

TEST_CASE("positions that differ within a batch") {
  auto f = [](a2 const& x, array<int> const& i, array<int> const& j) { return dynamic_slice<2, 3>(x, i, j); };
  auto g = [](a2 const& x, d<2, 3> const& u, array<int> const& i) { return dynamic_update_slice(x, u, i, 2 * i - 1); };
  array<int, 5> i{0, 3, 1, -1, 2}, j{1, 1, 9, 0, 2};
  auto x = test::some<d<5, 4, 6>>(1);
  auto u = test::some<d<5, 2, 3>>(2);
  as_eager(vmap(f), x, i, j);
  as_eager(vmap<none, 0, none>(f), slice<0>(x), i, array<int>(1));
  as_eager(vmap(g), x, u, i);
  as_eager(vmap<0, none, 0>(g), x, slice<0>(u), i);
  auto fused = jit(vmap(g))(x, u, i);
  for (int k = 0; k < 5; ++k) {
    auto one = [&](auto const& all) { return dynamic_index_in_dim(all, k); };
    near(one(fused), g(one(x), one(u), one(i)));
  }
  auto loss = [](a2 const& y, d<2, 3> const& v, array<int> const& n) {
    return sum(square(dynamic_update_slice(y, v, n, 2 * n - 1))) + sum(exp(dynamic_slice<2, 3>(y, n, n)));
  };
  as_eager(vmap(grad<0, 1>(loss)), x, u, i);
}

TEST_CASE("one axis at a run-time position") {
  as_eager(
      [](a3 const& x, array<int> const& i) {
        return std::tuple{dynamic_slice_in_dim<2, 1>(x, i), dynamic_index_in_dim<-1>(x, i),
                          dynamic_update_slice_in_dim<2>(x, slice<every, every, range{0, 2}>(x) * 2, i)};
      },
      test::some<a3>(4), array<int>(1));
}

TEST_CASE("a block is written in place where nobody else reads the array") {
  using cache = array<float, 64, 32>;
  auto f = [](cache const& x, array<float, 1, 32> const& row, array<int> const& i) {
    return dynamic_update_slice_in_dim(x, row, i);
  };
  cache x = test::some<cache>(1), y = x;
  auto row = test::some<array<float, 1, 32>>(2);
  auto want = f(x, row, 7);
  x = f(x, row, 7);
  cache mine = test::some<cache>(1) + 0.f;
  void const* at = mine.data();
  auto donated = jit(f)(std::move(mine), row, array<int>(7));
  CHECK(donated.data() == at);
  near(donated, want);
  near(jit(f)(y, row, array<int>(7)), want);  // shared: copied
  near(y, test::some<cache>(1));
  using P = plan_of<decltype(f), cache, array<float, 1, 32>, array<int>>;
  CHECK(P::donated_bytes == 64 * 32 * 4);
}

TEST_CASE("large blocks are copied in parts") {
  using A = array<float, 700, 600>;
  auto f = [](A const& x, array<int> const& i) {
    auto y = x * 2.f;
    auto joined = concatenate<1>(y, x, slice<range{rest, rest, -1}>(y));
    return std::tuple{joined, dynamic_slice<500, 580>(joined, i, i),
                      pad<3>(y, 1.f).at<range{5, 705, 7}, range{3, 603, 2}>().set(7.f),
                      dynamic_update_slice(y, slice<range{0, 650}, range{10, rest}>(y), i, i)};
  };
  as_eager(f, test::some<A>(1), array<int>(9));
}

TEST_CASE("a chain of writes has one buffer; what is read again keeps its memory") {
  using A = array<float, 100, 50>;
  auto chain = [](A const& x) { return (x * 2.f).at<0>().set(1.f).at<1>().set(slice<5>(x)).at<every, 3>().add(2.f); };
  CHECK(plan_of<decltype(chain), A>::arena_bytes < 4 * 100 * 50);
  as_eager(chain, test::some<A>(1));
  auto read_again = [](A const& x) {
    auto y = x * 2.f;
    auto z = y.at<0>().set(slice<1>(y));
    return std::tuple{z + y, z.at<range{1, 3}>().set(slice<range{0, 2}>(z)), z};
  };
  as_eager(read_again, test::some<A>(2));
}
