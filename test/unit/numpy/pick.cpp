// SPDX-License-Identifier: BSD-3-Clause
#include "moving.hpp"

using namespace test::moving;
using namespace etna;
using test::near, test::as_eager;
template <extent... E> using d = array<double, E...>;

TEST_CASE("take: what an index out of range reads") {
  d<3, 2> x{{0, 1}, {2, 3}, {4, 5}};
  array<int, 7> i{0, 2, -1, -3, -4, 3, 9};
  auto clip = [](auto const& y, auto const& k) { return take<0>(y, k, mode::clip); };
  auto wrap = [](auto const& y, auto const& k) { return take<0>(y, k, mode::wrap); };
  auto fill = [](auto const& y, auto const& k) { return take<0>(y, k, mode::fill{-7.}); };
  auto rows = [&](std::array<int, 7> r) {
    return d<7, 2>::build([&](double* o) {
      for (int k = 0; k < 14; ++k) o[k] = r[std::size_t(k / 2)] < 0 ? -7 : 2 * r[std::size_t(k / 2)] + k % 2;
    });
  };
  auto check_both = [&](auto f, std::array<int, 7> r) {
    near(f(x, i), rows(r));
    near(jit(f)(x, i), rows(r));
    near(jit(f)(x, astype<std::int64_t>(i)), rows(r));
    near(jit(f)(x, astype<std::uint8_t>(maximum(i, 0))), f(x, maximum(i, 0)));
  };
  check_both(clip, {0, 2, 0, 0, 0, 2, 2});
  check_both(wrap, {0, 2, 2, 0, 2, 0, 0});
  check_both(fill, {0, 2, 2, 0, -1, -1, -1});
  auto loss = [](d<3, 2> const& y, array<int, 7> const& k) {
    return sum(square(take<0>(y, k, mode::clip))) + sum(exp(take<0>(y, k, mode::wrap))) +
           sum(take<0>(y, k, mode::fill{1.}));
  };
  as_eager(grad(loss), x, i);
  as_eager([](d<2, 3> const& y, array<int, 2, 2> const& k) { return take<1>(y, k, mode::fill{2.5}); },
           d<2, 3>{{1, 2, 3}, {4, 5, 6}}, array<int, 2, 2>{{0, 3}, {-3, -4}});
}

TEST_CASE("places by index: set writes the last, add adds all, out of range nothing") {
  d<5, 2> x{{0, 1}, {2, 3}, {4, 5}, {6, 7}, {8, 9}};
  array<int, 4> i{1, -1, 7, 1};
  d<4, 2> u{{10, 11}, {12, 13}, {14, 15}, {16, 17}};
  auto set = [](auto const& y, auto const& k, auto const& v) { return y.at(k).set(v); };
  auto add = [](auto const& y, auto const& k, auto const& v) { return y.at(k).add(v); };
  d<5, 2> after_set{{0, 1}, {16, 17}, {4, 5}, {6, 7}, {12, 13}}, after_add{{0, 1}, {28, 31}, {4, 5}, {6, 7}, {20, 22}};
  near(set(x, i, u), after_set);
  near(jit(set)(x, i, u), after_set);
  near(add(x, i, u), after_add);
  near(jit(add)(x, i, u), after_add);
  // gradients: what was overwritten has none, nor have updates that do not show
  auto loss = [](d<5, 2> const& y, array<int, 4> const& k, d<4, 2> const& v) {
    return sum(y.at(k).set(v)) + 2 * sum(y.at(k).add(v));
  };
  auto [dx, dv] = jit(grad<0, 2>(loss))(x, i, u);
  near(dx, d<5, 2>{{3, 3}, {2, 2}, {3, 3}, {3, 3}, {2, 2}});
  near(dv, d<4, 2>{{2, 2}, {3, 3}, {0, 0}, {3, 3}});
  as_eager(grad<0, 2>(loss), x, i, u);
}

TEST_CASE("places along another axis, under vmap, of named extents") {
  using A = d<3, 4, 2>;
  auto f = [](A const& x, array<int, 2, 3> const& i) {
    return std::tuple{x.at<every, picked>(i).set(1.5), x.at<every, picked>(i).add(x.at<every, picked>(i).get()),
                      x.at<every, every, picked>(i).set(0)};
  };
  auto x = test::some<d<5, 3, 4, 2>>(1);
  auto i = test::some<array<int, 5, 2, 3>>(2, -5, 6);
  as_eager(f, slice<0>(x), slice<0>(i));
  as_eager(vmap(f), x, i);
  as_eager(vmap<none, 0>(f), slice<0>(x), i);
  auto loss = [](A const& y, array<int, 2, 3> const& k) {
    return sum(square(y.at<every, picked>(k).set(y.at<every, picked>(k).get() * 2)));
  };
  as_eager(vmap(grad(loss)), x, i);
  using N = array<float, "n"_n, 2>;
  auto g = [](N const& y, array<int, 3> const& k) {
    return std::tuple{y.at(k).set(1), y.at(k).add(2.f), take<0>(y, k, mode::clip)};
  };
  as_eager(g, test::some<N>(1, -1, 1, {6, 2}), array<int, 3>{5, 0, 5});
}
