// SPDX-License-Identifier: BSD-3-Clause
// What the pass of identities takes away is not computed, and the numbers stay those of the interpreter, which has no
// passes.
#include <string>
#include <string_view>

#include "same.hpp"

using namespace test;

namespace {

using column = array<double, 3, 1>;
using row = array<double, 4>;

constexpr auto sums = [](column c, row r, array<float, 2, 3> m) {
  auto wide = broadcast_to<7, 4>(r);
  auto grid = broadcast_to<2, 3, 5>(c);
  auto both = broadcast_to<6, 2, 3>(m);
  return std::tuple{sum<0>(wide), sum<1>(wide), sum(wide),       sum<2>(grid), sum<0, 2>(grid), sum<0, 1>(grid),
                    sum(grid),    sum<0>(both), sum<0, 2>(both), max<0>(wide), min<0, 2>(grid), max(both)};
};
constexpr auto repeated = jit([](row r) {
  return std::pair{sum<0>(broadcast_to<1000, 4>(r)), max<0>(broadcast_to<1000, 4>(r))};
});
// a sum over an axis that is not repeated stays
constexpr auto both_ways = jit([](row r) { return sum(broadcast_to<1000, 4>(r)); });

constexpr auto nearest = [](array<double, 5, 9> x, array<int, 3> at) {
  auto ones = full<double, 9>(2.5);
  return std::tuple{take(ones, argmin<1>(x)), take(ones, argmax<1>(x)), take(full<double, 4, 9>(3), argmin<0>(x)),
                    take(full<float, 9>(1), at)};
};
constexpr auto of_constant = jit([](array<double, 5, 9> x) { return take(full<double, 9>(2.5), argmin<1>(x)); });

/// How often an operation stands in the graph of a jitted function.
template <class F, class... A> int equations(std::string_view of, F const& f, A const&... a) {
  std::string const text = show(jit(f), a...);
  int n = 0;
  for (std::size_t at = 0; (at = text.find(of, at)) != std::string::npos; at += of.size()) ++n;
  return n;
}
// what is turned and turned back, with something between that moves elements
using matrix = array<double, 5, 7>;
constexpr auto turned_back = [](matrix x, matrix y, array<double, 3, 5, 7> z) {
  auto xt = transpose(x), yt = transpose(y);
  return std::tuple{transpose(flip<0>(xt)),
                    transpose(slice<range{6, 1, -2}, range{1, 4}>(xt)),
                    transpose(concatenate<0>(xt, slice<range{2, 5}>(yt))),
                    transpose(concatenate<0>(zeros<double, 1, 5>(), slice<range{0, 6}>(xt))),
                    transpose(pad<0, 1, 2, 0>(flip<1>(xt))),
                    transpose<2, 0, 1>(flip<1>(transpose<1, 2, 0>(z))),
                    transpose(xt.at<range{1, 4}, every>().set(slice<range{0, 3}>(yt)))};
};
// one of them stays: the order is another
constexpr auto turned_on = [](array<double, 3, 5, 7> z) { return transpose<1, 2, 0>(flip<1>(transpose<1, 2, 0>(z))); };
// of two pieces one is turned back only
constexpr auto half_turned = [](matrix x, array<double, 2, 5> y) {
  return transpose(concatenate<0>(transpose(x), sin(y)));
};

constexpr auto of_shorter = jit([](array<double, 5, 9> x) { return take(full<double, 8>(2.5), argmax<1>(x)); });

}  // namespace

TEST_CASE("sums and extremes along repeated axes are of what is repeated") {
  as_eager(sums, some<column>(1), some<row>(2), some<array<float, 2, 3>>(3));
  as_eager([](row r) { return sum<0>(broadcast_to<7, 4>(r)); }, row{INFINITY, -INFINITY, NAN, 1e308});
  CHECK(plan_type<decltype(repeated)>::flops == 4);
  CHECK(plan_type<decltype(both_ways)>::flops <= 8);
}
TEST_CASE("a gather from a constant is one only where an index may be out of range") {
  as_eager(nearest, some<array<double, 5, 9>>(4), array<int, 3>{0, 9, -10});
  CHECK(plan_type<decltype(of_constant)>::flops == 0);
  auto last = array<double, 5, 9>::build([](double* x) {
    for (int i = 0; i < 45; ++i) x[i] = i;
  });
  auto out = of_shorter(last);  // the index 8 is out of range
  CHECK(std::isnan(out(0)));
}

namespace {
// the same comparison with a constant for a value and for others, which are written before and behind
template <class Choose> constexpr auto with_masks() {
  return [](row x, row y) {
    constexpr Choose choose{};
    auto const mask = choose.mask(x);
    auto const before = where(mask, y, 1.);
    auto const chosen = choose.value(mask, x);
    auto const far = exp(y) + y * before;
    return std::tuple{before, chosen, where(mask, far, 0.), where(mask, x * y, y)};
  };
}
struct least {
  constexpr auto mask(row const& x) const { return x < 3.; }
  constexpr auto value(auto const& m, row const& x) const { return where(m, x, 3.); }
};
struct greatest {
  constexpr auto mask(row const& x) const { return 3. < x; }
  constexpr auto value(auto const& m, row const& x) const { return where(m, x, 3.); }
};
struct other {  // no choice between the two that are compared
  constexpr auto mask(row const& x) const { return x < 3.; }
  constexpr auto value(auto const& m, row const& x) const { return where(m, x, 2.); }
};
template <class F> int comparisons(F f) {
  std::string const text = show<after<"simplify">>(f, row{}, row{});
  int n = 0;
  for (auto at = text.find(" lt "); at != std::string::npos; at = text.find(" lt ", at + 1)) ++n;
  return n;
}
template <class Choose> void check_masks(int n) {
  constexpr auto f = with_masks<Choose>();
  CHECK(comparisons(f) == n);
  as_eager(f, row{1, 3, 5, NAN}, row{-1, 0, INFINITY, 2});
}
}  // namespace
TEST_CASE("a comparison that has chosen between what it compares is asked of the choice") {
  check_masks<least>(2);
  check_masks<greatest>(2);
  check_masks<other>(1);
}

TEST_CASE("a zero is left out of sums of derivatives, and of the user's where it changes nothing") {
  auto signs = [](auto const& x) {
    std::string s;
    for (int i = 0; i < 2; ++i) s += std::signbit(double(x(i))) ? '-' : '+';
    return s;
  };
  using pair = array<double, 2>;
  pair const x{-0., 0.};
  auto all = [](pair v) {
    auto minus = full<double, 2>(-0.);
    return std::tuple{v + 0,  v + zeros<double, 2>(), zeros<double, 2>() + v, v - 0,  v - minus, v + minus,
                      0. + v, v - zeros<double, 2>(), v + minus * 2,          -0. + v};
  };
  // IEEE 754, 6.3: a sum of zeros of two signs is +0
  constexpr char const* right[] = {"++", "++", "++", "-+", "++", "-+", "++", "-+", "-+", "-+"};
  auto check = [&](auto const& r) {
    std::apply(
        [&](auto const&... y) {
          CHECK(std::vector<std::string>{signs(y)...} == std::vector<std::string>(std::begin(right), std::end(right)));
        },
        r);
  };
  check(all(x));
  check(jit(all)(x));
  check(point<pair>(all)(x));
  constexpr auto moved = jit([](pair v) { return v + full<double, 2>(-0.); });
  CHECK(plan_type<decltype(moved)>::flops == 0);
  constexpr auto with_zeros = [](pair v) { return sum(v * v + zeros<double, 2>()); };
  constexpr auto without = [](pair v) { return sum(v * v); };
  constexpr auto slope = jit([](pair v) { return grad(with_zeros)(v); });
  constexpr auto plain = jit([](pair v) { return grad(without)(v); });
  CHECK(plan_type<decltype(slope)>::flops == plan_type<decltype(plain)>::flops);
}

namespace {
using part = array<double, 5, 4>;
// slices of what is put together: of a piece, of several, of what lies between pieces
constexpr auto of_pieces = [](part a, part b) {
  auto const all = concatenate<1>(a, b * 2.0, a);
  auto const odd = zeros<double, 5, 9>().at<every, range{1, 9, 2}>().set(b);
  return std::tuple{slice<every, range{4, 8}>(all),      slice<every, range{5, 7}>(all),
                    slice<every, range{3, 9}>(all),      slice<range{4, none, -1}, range{11, 8, -1}>(all),
                    slice<every, range{1, 9, 4}>(odd),   slice<every, range{0, 9, 2}>(odd),
                    slice<range{1, 3}, range{2, 7}>(odd)};
};
constexpr auto of_one = jit([](part a, part b) { return slice<every, range{4, 8}>(concatenate<1>(a, b * 2.0, a)); });
constexpr auto weights = [](array<double, 5, 12> w, part a, part b) {
  return grad<1, 2>([](auto const& w, auto const& a, auto const& b) { return sum(w * concatenate<1>(a, b, a)); })(w, a,
                                                                                                                  b);
};
}  // namespace
TEST_CASE("a slice of pieces reads the piece that it lies in") {
  as_eager(of_pieces, some<part>(1), some<part>(2));
  CHECK(plan_type<decltype(of_one)>::flops == 20);
  as_eager(weights, some<array<double, 5, 12>>(3), some<part>(1), some<part>(2));
}
TEST_CASE("transposes that undo each other around slices and pieces are none") {
  as_eager(turned_back, some<matrix>(1), some<matrix>(2), some<array<double, 3, 5, 7>>(3));
  CHECK(equations("transpose", turned_back, matrix{}, matrix{}, array<double, 3, 5, 7>{}) == 0);
  as_eager(turned_on, some<array<double, 3, 5, 7>>(3));
  CHECK(equations("transpose", turned_on, array<double, 3, 5, 7>{}) == 2);
  // each is put together from parts of the last: were all ways down looked at, there would be 2^40 of them
  constexpr auto again = [](matrix x) {
    array<double, 7, 5> y = transpose(x);
    for (int i = 0; i < 40; ++i) y = y.at<range{1, 4}, every>().set(slice<range{0, 3}, every>(y));
    return transpose(y);
  };
  as_eager(again, some<matrix>(1));
  as_eager(half_turned, some<matrix>(1), some<array<double, 2, 5>>(2));
  CHECK(equations("transpose", half_turned, matrix{}, array<double, 2, 5>{}) == 2);
}
TEST_CASE("axes are split before they are turned twice") {
  using cube = array<double, 3, 4, 12>;
  constexpr auto split = [](cube x) {
    return std::tuple{transpose<0, 2, 3, 1>(reshape<2, 6, 3, 4>(transpose<2, 0, 1>(x))),
                      transpose<3, 1, 0, 2>(reshape<12, 3, 2, 2>(transpose<2, 0, 1>(x))),
                      transpose<2, 3, 0, 1>(reshape<3, 4, 3, 4>(transpose<2, 0, 1>(reshape<3, 4, 12>(x)))),
                      transpose<2, 3, 0, 1>(reshape<2, 6, 3, 4>(transpose<2, 0, 1>(x))),
                      transpose<4, 0, 2, 1, 3>(reshape<1, 12, 3, 1, 4>(transpose<2, 0, 1>(x)))};
  };
  as_eager(split, some<cube>(1));
  constexpr auto one = [](cube x) { return transpose<0, 2, 3, 1>(reshape<2, 6, 3, 4>(transpose<2, 0, 1>(x))); };
  CHECK(equations("transpose", one, cube{}) == 1);
  constexpr auto none_left = [](cube x) { return transpose<2, 3, 0, 1>(reshape<2, 6, 3, 4>(transpose<2, 0, 1>(x))); };
  CHECK(equations("transpose", none_left, cube{}) == 0);
  // axes that are joined come of both
  constexpr auto joined = [](cube x) { return transpose<1, 0>(reshape<36, 4>(transpose<2, 0, 1>(x))); };
  as_eager(joined, some<cube>(1));
  CHECK(equations("transpose", joined, cube{}) == 2);
}
TEST_CASE("an update of everything is what it puts there") {
  constexpr auto all = [](matrix x, matrix y) { return flip<1>(x.at<every, every>().set(sin(y))); };
  as_eager(all, some<matrix>(1), some<matrix>(2));
  CHECK(equations("update", all, matrix{}, matrix{}) == 0);
  // the derivative of a flip
  constexpr auto by_flip = [](matrix x) { return grad([](matrix x) { return sum(sin(flip<1>(x))); })(x); };
  as_eager(by_flip, some<matrix>(1));
  CHECK(equations("update", by_flip, matrix{}) == 0);
}
TEST_CASE("the gradient by an array of which a block is set to what is computed of it has one piece") {
  static constexpr auto relaxed = [](array<double, 40, 30> x) {
    auto const inside = slice<range{1, 39}, range{1, 29}>(x);
    return x.at<range{1, 39}, range{1, 29}>().set(inside * inside + 0.5);
  };
  auto const f = [](array<double, 40, 30> x) {
    return grad([](array<double, 40, 30> x) { return sum(square(relaxed(relaxed(x)))); })(x);
  };
  auto const x = some<array<double, 40, 30>>(1);
  as_eager(f, x);
  CHECK(equations("update", f, x) == 4);  // two forward, two back
  // what is added elsewhere stays a sum
  auto const beside = [](array<double, 8> x) {
    return grad([](array<double, 8> x) {
      return sum(square(x.at<range{0, 4}>().set(slice<range{2, 6}>(x) * 3.0)));
    })(x);
  };
  as_eager(beside, some<array<double, 8>>(2));
}
TEST_CASE("what is negated and added is subtracted") {
  auto const f = [](array<double, 8> x, array<double, 8> y) { return std::pair{-x + y, x + -y}; };
  auto const x = some<array<double, 8>>(1), y = some<array<double, 8>>(2);
  CHECK(same_bits(jit(f)(x, y), f(x, y)));
  CHECK(equations("neg", f, x, y) == 0);
}
TEST_CASE("what is put together from numbers and repeated has no memory of its own") {
  auto const f = [](array<double, 300> x) {
    return vmap([](array<double> x) { return stack<0>(array<double>(0.25), x, array<double>(1), x * x, -x); })(x);
  };
  as_eager(f, some<array<double, 300>>(1));
  static_assert(compiler::program<decltype(f), array<double, 300>>::value.n_steps == 1);
}
TEST_CASE("a row that is repeated along two axes is written once") {
  constexpr auto twice = [](auto x) { return repeat<2, 2>(repeat<3, 1>(x)); };
  using image = array<float, 2, 5, 4, 3>;
  static_assert(compiler::program<decltype(twice), image>::value.n_steps == 1);
  as_eager(twice, some<image>(1));
  as_eager(
      [](auto x) {
        return std::pair{tile<2, 1, 3>(repeat<2, 0>(x)), repeat<3, 1>(tile<2, 2, 1>(x))};
      },
      some<array<float, 2, 4, 6>>(2));
  constexpr auto gradient = [](image x) {
    return grad([](image x) { return sum(square(repeat<2, 2>(repeat<3, 1>(x)))); })(x);
  };
  as_eager(gradient, some<image>(3));
}
namespace {
using features = array<float, 50, 7>;
using more_features = array<float, 50, 9>;
constexpr auto linear = [](features a, more_features b, array<float, 16> w, array<float, 50> y) {
  return sum(square(dot(concatenate<1>(a, b), w) - y));
};
constexpr auto of_linear = [](features a, more_features b, array<float, 16> w, array<float, 50> y) {
  return value_and_grad<0, 1, 2>(linear)(a, b, w, y);
};
}  // namespace
TEST_CASE("a product of a join with a vector is of its pieces, and so are its derivatives") {
  constexpr auto text =
      graph_text<after<"associate">, features, more_features, array<float, 16>, array<float, 50>>(linear);
  static_assert(text.find("update") == std::string_view::npos);
  as_eager(of_linear, some<features>(1), some<more_features>(2), some<array<float, 16>>(3), some<array<float, 50>>(4));
  // joined along the other axis: the products are joined
  as_eager([](features a, features b, array<float, 7> w) { return dot(concatenate<0>(a, b), w) * 2; },
           some<features>(1), some<features>(2), some<array<float, 7>>(3));
}
