// SPDX-License-Identifier: BSD-3-Clause
// A batch of small computations is one kernel, an example in each lane; and what is none stays what it was.
#include "same.hpp"

using namespace test;

namespace {

template <class F, class... P> constexpr int steps(F const&, P const&...) {
  return compiler::program<F, P...>::value.n_steps;
}
template <class F, class... P> constexpr bool has(std::string_view what, F const& f, P const&...) {
  return graph_text<after<"lanes">, P...>(f).find(what) != std::string_view::npos;
}
constexpr extent n = 261;  // no multiple of a register
template <class T> using vectors = array<T, n, 3>;

constexpr auto cross_product = [](auto a, auto b) {
  auto a0 = slice<0>(a), a1 = slice<1>(a), a2 = slice<2>(a), b0 = slice<0>(b), b1 = slice<1>(b), b2 = slice<2>(b);
  return stack<0>(a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0);
};
constexpr auto turned = [](auto q, auto p) {
  auto w = slice<0>(q);
  auto v = slice<range{1, 4}>(q);
  auto t = 2 * cross_product(v, p);
  return p + w * t + cross_product(v, t);
};
template <class T> constexpr auto jacobians = [](array<T, n, 4> q, vectors<T> p) {
  auto one = [](array<T, 4> q, array<T, 3> p) {
    return std::tuple{turned(q, p), concatenate<1>(jacrev<0>(turned)(q, p), jacfwd<1>(turned)(q, p))};
  };
  return vmap(one)(q, p);
};

}  // namespace

TEST_CASE("Jacobians of rotations are a few kernels") {
  using T = double;
  auto q = some<array<T, n, 4>>(1);
  auto p = some<vectors<T>>(2);
  static_assert(steps(jacobians<T>, array<T, n, 4>(), vectors<T>()) <= 3);  // 192 equations a kernel
  as_eager(jacobians<T>, q, p);
}

namespace {
constexpr auto small_chain = [](auto a, auto b, auto x) {
  auto one = [](auto a, auto b, auto x) {
    using T = typename decltype(x)::value_type;
    auto y = dot(dot(a, transpose(b)) + eye<T, 2>(), dot(b, x));
    return y / (1 + dot(y, y)) + max<1>(a) * prod<0>(b);
  };
  return vmap(one)(a, b, x);
};
constexpr auto small_loss = [](auto a, auto b, auto x) { return sum(square(small_chain(a, b, x))); };
}  // namespace
TEST_CASE("products, sums and extremes of small matrices, and their derivatives") {
  using T = float;
  auto a = some<array<T, n, 2, 2>>(1), b = some<array<T, n, 2, 2>>(2);
  auto x = some<array<T, n, 2>>(3);
  static_assert(steps(small_chain, array<T, n, 2, 2>(), array<T, n, 2, 2>(), array<T, n, 2>()) == 1);
  as_eager(small_chain, a, b, x);
  as_eager([](auto a, auto b, auto x) { return grad<0, 1, 2>(small_loss)(a, b, x); }, a, b, x);
  as_eager([](auto a, auto b, auto x) { return jvp(small_loss, std::tuple{a, b, x}, std::tuple{b, a, x}); }, a, b, x);
}

TEST_CASE("shapes: axes in all places, names, broadcasts, reversals, pieces of pieces") {
  auto x = some<array<double, 3, n, 2>>(1);
  auto y = some<array<double, n, 2, 3>>(2);
  // the batch lies in the middle, and goes to the front
  as_eager(
      [](auto x, auto y) {
        return vmap<1, 0>([](array<double, 3, 2> a, array<double, 2, 3> b) {
          auto c = dot(a, b);
          auto d = stack<1>(slice<every, 0>(c), slice<every, 2>(c), sum<1>(c));
          auto e = concatenate<0>(slice<range{rest, rest, -1}>(d), dot(d, c));
          return std::pair{transpose(e), reshape<9>(slice<range{0, 3}>(e)) * 2.0};
        })(x, y);
      },
      x, y);
  // examples along two axes, of which one is broadcast
  as_eager(
      [](array<double, 40, 2, 3> a, array<double, 30, 2, 3> b) {
        auto one = [](array<double, 2, 3> p, array<double, 2, 3> q) {
          return dot(p, transpose(q)) - dot(q, transpose(p));
        };
        return vmap<0, none>([&](auto p, auto all) { return vmap<none, 0>(one)(p, all); })(a, b);
      },
      some<array<double, 40, 2, 3>>(3), some<array<double, 30, 2, 3>>(4));
  // one matrix for all
  as_eager(
      [](array<double, n, 3> v, array<double, 3, 3> m) {
        auto one = [&](array<double, 3> v) {
          auto w = dot(m, v);
          auto g = stack<0>(w, v * w);
          return dot(g, transpose(g));
        };
        return vmap(one)(v);
      },
      some<array<double, n, 3>>(5), some<array<double, 3, 3>>(6));
}

TEST_CASE("columns side by side, more than a register has lanes, and not in order") {
  auto f = [](auto x, auto y) {
    auto one = [](auto a, auto b) {
      auto back = flip<0>(b);
      return concatenate<0>(a * dot(a, b), back - a, slice<range{2, 9}>(b) * sum(back * a));
    };
    return vmap(one)(x, y);
  };
  as_eager(f, some<array<float, n, 13>>(1), some<array<float, n, 13>>(2));
  as_eager([](auto x, auto i) { return vmap([](auto a, auto k) { return a * dot(a, astype<float>(k)); })(x, i); },
           some<array<float, n, 11>>(5), some<array<std::int16_t, n, 11>>(6, -9, 9));
}

TEST_CASE("sizes with names, whole numbers and masks") {
  using named = array<float, "batch"_n, 3>;
  auto f = [](named x, named y) {
    return vmap([](array<float, 3> a, array<float, 3> b) {
      auto m = stack<0>(a, b, cross_product(a, b));
      return std::pair{dot(m, transpose(m)), where(slice<0>(a) > 0, sum(a), sum(b))};
    })(x, y);
  };
  for (extent size : {extent(1), extent(7), extent(600)})
    as_eager(f, some<named>(1, {size, 3}), some<named>(2, {size, 3}));
  as_eager(
      [](array<int, 300, 2, 2> a, array<int, 300, 2> x) {
        return vmap([](array<int, 2, 2> a, array<int, 2> x) {
          auto y = dot(dot(a, a), x);
          return stack<0>(slice<1>(y), slice<0>(y) % 7);
        })(a, x);
      },
      some<array<int, 300, 2, 2>>(3, -9, 9), some<array<int, 300, 2>>(4, -9, 9));
}

TEST_CASE("in a loop, and over examples that are summed") {
  as_eager(
      [](array<float, 300, 3, 3> a, array<float, 300, 3> x) {
        auto step = [&](auto, array<float, 300, 3> v) {
          auto w =
              vmap([](array<float, 3, 3> m, array<float, 3> v) { return dot(m, cross_product(v, dot(m, v))); })(a, v);
          return array<float, 300, 3>(w / (1.0f + sum<1>(w * w, keepdims)));
        };
        return fori_loop<0, 4>(step, x);
      },
      some<array<float, 300, 3, 3>>(1), some<array<float, 300, 3>>(2));
  as_eager(
      [](array<double, 300, 2, 2> a, array<double, 2> w) {
        auto loss = [&](array<double, 2> w) {
          return mean(vmap([&](array<double, 2, 2> m) { return dot(w, dot(dot(m, m), w)); })(a));
        };
        return std::pair{loss(w), grad(loss)(w)};
      },
      some<array<double, 300, 2, 2>>(3), some<array<double, 2>>(4));
}

TEST_CASE("zeros of the program are factors: times infinity they are NaN") {
  as_eager(
      [](array<float, 300, 2, 2> a, array<float, 300, 2> x) {
        return vmap([](array<float, 2, 2> m, array<float, 2> v) {
          return dot(dot(zeros<float, 2, 2>(), m), v) + dot(dot(eye<float, 2>(), m), dot(m, v));
        })(a / (a - a), x);
      },
      some<array<float, 300, 2, 2>>(1), some<array<float, 300, 2>>(2));
}

TEST_CASE("what is no batch of small computations stays") {
  auto layer = [](array<float, 300, 9> x, array<float, 9, 5> w) { return dot(x, w); };
  CHECK(has("dot_general", layer, array<float, 300, 9>(), array<float, 9, 5>()));
  auto alone = [](array<float, 300, 4, 4> a, array<float, 300, 4, 4> b) {
    return vmap([](array<float, 4, 4> x, array<float, 4, 4> y) { return dot(x, y); })(a, b);
  };
  CHECK(has("dot_general", alone, array<float, 300, 4, 4>(), array<float, 300, 4, 4>()));
  auto few = [](array<float, 20, 3> a, array<float, 20, 3> b) {
    return vmap([](array<float, 3> x, array<float, 3> y) { return cross_product(x, y) * 2.0f; })(a, b);
  };
  CHECK(has("update", few, array<float, 20, 3>(), array<float, 20, 3>()));
}

TEST_CASE("small transposes and sums of short columns are lanes, and views stay views") {
  auto const x = some<array<float, n, 3, 3>>(1);
  auto const turn = [](auto const& x) { return transpose<0, 2, 1>(x); };
  auto const front = [](array<float, 3, n, 3> x) { return transpose<1, 0, 2>(x); };
  auto const product = [](auto const& a, auto const& b) { return sum<2>(expand_dims<3>(a) * expand_dims<1>(b)); };
  as_eager(turn, x);
  as_eager(front, some<array<float, 3, n, 3>>(2));
  as_eager(product, x, some<array<float, n, 3, 3>>(3));
  CHECK(!has("transpose", turn, x));
  CHECK(!has("sum[", product, x, x));
  auto const view = [](auto const& x, array<float, n, 40> y) { return dot(transpose(reshape<n, 9>(x)), y); };
  CHECK(!has("update", view, x, array<float, n, 40>()));
}
namespace {
constexpr auto cross_by_index = [](auto a, auto b) {
  array<int, 3> i{1, 2, 0}, j{2, 0, 1};
  return take<1>(a, i) * take<1>(b, j) - take<1>(a, j) * take<1>(b, i);
};
constexpr auto picked_twice = [](auto a, auto b) {
  array<int, 2, 2> at{{2, 0}, {0, -2}};
  return take<1>(a * b, at) * expand_dims<2>(take<1>(b, array<int, 2>{2, 2}));
};
template <auto F> constexpr auto with_gradient = [](auto a, auto b) {
  return std::pair{F(a, b), grad<0, 1>([](auto a, auto b) { return sum(square(F(a, b))); })(a, b)};
};
}  // namespace
TEST_CASE("gathers of small axes by known places, and what is added there, are registers") {
  auto a = some<vectors<float>>(1), b = some<vectors<float>>(2);
  static_assert(steps(cross_by_index, vectors<float>(), vectors<float>()) == 1);
  static_assert(!has("gather", cross_by_index, vectors<float>(), vectors<float>()));
  static_assert(!has("scatter", with_gradient<cross_by_index>, vectors<float>(), vectors<float>()));
  static_assert(!has("scatter", with_gradient<picked_twice>, vectors<float>(), vectors<float>()));
  as_eager(with_gradient<cross_by_index>, a, b);
  as_eager(with_gradient<picked_twice>, a, b);
  // none where a place is out of range
  auto const outside = [](auto a) { return take<1>(a, array<int, 3>{0, 3, 1}) * 2; };
  static_assert(has("gather", outside, vectors<float>()));
  as_eager(outside, a);
}
TEST_CASE("few examples are lanes too") {
  constexpr extent few = 27;
  auto f = [](array<float, few, 3, 3> a, array<float, few, 3> x) {
    auto one = [](array<float, 3, 3> a, array<float, 3> x) {
      array<float, 3, 3> m{{1, 0.5f, 0}, {0, 1, 0.5f}, {0.25f, 0, 1}};  // numbers of the program
      auto y = dot(dot(m, a), x);
      return std::pair{y / (1 + dot(y, y)), dot(a, transpose(m))};
    };
    return vmap(one)(a, x);
  };
  static_assert(steps(f, array<float, few, 3, 3>(), array<float, few, 3>()) <= 2);
  as_eager(f, some<array<float, few, 3, 3>>(1), some<array<float, few, 3>>(2));
}

namespace {
template <class T> using matrices = array<T, n, 3, 3>;
constexpr auto and_turned = [](auto m) { return m + transpose<0, 2, 1>(m); };
constexpr auto of_all_pairs = [](auto a, auto b) { return expand_dims<2>(a) * expand_dims<1>(b) - 1; };
constexpr auto of_neighbours = [](auto a) { return slice<every, range{0, 2}>(a) * slice<every, range{1, 3}>(a); };
constexpr auto reversed = [](auto a) { return flip<1>(a) - a; };
constexpr auto lower_part = [](auto m) { return tril(m); };
constexpr auto moved_on = [](auto a) { return roll<1, 1>(a); };
constexpr auto twice = [](auto a) { return tile<1, 2>(a); };
constexpr auto sums_so_far = [](auto a) {
  return std::tuple{cumsum<1>(a), cumsum<1>(a * a, backward), cumprod<1>(a + 1)};
};
constexpr auto products = [](auto a) { return grad([](auto a) { return sum(square(prod<1>(a))); })(a); };
constexpr auto classes = [](array<int, n> y) { return one_hot<float, 5>(y); };
constexpr auto rows_of_table = [](array<float, 40, 3> t, array<int, n> at) { return take<0>(t, at); };
constexpr auto products_of_pairs = [](auto a, auto b) { return einsum<"ni,nj->nij">(a, b); };
template <class T> void short_rows() {
  auto const a = some<vectors<T>>(1), b = some<vectors<T>>(2);
  auto const m = some<matrices<T>>(3);
  auto const is_one = [](auto const& f, auto const&... x) {
    as_eager(f, x...);
    CHECK(steps(f, x...) == 1);
  };
  is_one(and_turned, m);
  is_one(of_all_pairs, a, b);
  is_one(of_neighbours, a);
  is_one(reversed, a);
  is_one(lower_part, m);
  is_one(moved_on, a);
  is_one(twice, a);
  is_one(sums_so_far, a);
  is_one(products, a);
  is_one(products_of_pairs, a, b);
  static_assert(!has("transpose", and_turned, matrices<T>()) && !has("broadcast", of_all_pairs, a, b));
  static_assert(!has("iota", lower_part, matrices<T>()) && !has("cumsum", sums_so_far, a) &&
                !has("recurrence", sums_so_far, a) && !has("prod[", products, a));
  static_assert(!has("dot_general", products_of_pairs, a, b));
}
}  // namespace
TEST_CASE("short rows that are computed or put together in another order than they lie in are lanes") {
  short_rows<float>();
  short_rows<double>();
  array<int, n> const at = remainder(astype<int>(some<array<float, n>>(1) * 1000.0f), 5);
  as_eager(classes, at);
  as_eager(rows_of_table, some<array<float, 40, 3>>(2), at * 7);
  static_assert(steps(classes, at) == 1 && !has("iota", classes, at));
  // infinities behind a mask are no NaN
  auto const x = some<matrices<float>>(3);
  CHECK(same_bits(jit(lower_part)(x / (x - x)), lower_part(x / (x - x))));
}

namespace {
/// Extremes along a small axis and their places, with equal elements and NaN.
constexpr auto extremes = [](auto x) {
  auto one = [](auto x) {
    auto y = x + transpose(x);
    auto a = argmax<0>(y), b = argmin<1>(y);
    return std::tuple{max<0>(y), a, take_along_axis<0>(y, expand_dims<0>(a)), min<1>(y), b + argmax<1>(x)};
  };
  return vmap(one)(x);
};
template <class T> array<T, n, 5, 5> with_equals() {
  return array<T, n, 5, 5>::build([](T* out) {
    for (int i = 0; i < n * 25; ++i) {
      int const k = i * 7 % 11;
      out[i] = k == 10 && std::is_floating_point_v<T> && i % 3 == 0 ? std::numeric_limits<T>::quiet_NaN() : T(k % 4);
    }
  });
}
}  // namespace
TEST_CASE("extremes along small axes, and where they stand") {
  static_assert(!has("argmax", extremes, array<float, n, 5, 5>()));
  as_eager(extremes, with_equals<float>());
  as_eager(extremes, some<array<double, n, 5, 5>>(1));
  as_eager(extremes, with_equals<int>());
  as_eager(extremes, with_equals<std::int64_t>());
}

namespace {
/// Five products of 8x8 an example are more equations than are written out: that is known when they have been counted.
/// What is beside them is still lanes.
constexpr auto long_beside_short = [](auto a, auto b) {
  auto one = [](auto a, auto b) {
    auto p = a;
    for (int i = 0; i < 5; ++i) p = matmul(p, a) * 0.3f;
    return std::pair{p, cross_product(b, b * b)};
  };
  return vmap(one)(a, b);
};
using many_matrices = array<float, n, 8, 8>;
static_assert(has("dot_general", long_beside_short, many_matrices(), vectors<float>()));
}  // namespace
TEST_CASE("a part that has too many equations once they are counted, beside one that has not") {
  as_eager(long_beside_short, some<many_matrices>(1), some<vectors<float>>(2));
}
