// SPDX-License-Identifier: BSD-3-Clause
// bucket<16, 64, 256>(f): equal to the plain call for every size, with masks, counts, gradients inside, trees and other
// names.
#include <string>

#include "same.hpp"

using namespace test;

namespace {

using rows = array<float, "n"_n, 5>;
using mask = array<bool, "n"_n>;
struct net {
  array<float, 5, 3> w;
  array<float, 3> b;
};
struct batch {
  rows x;
  array<int, "n"_n> y;
};
extent const sizes[] = {1, 15, 16, 17, 64, 200, 256};

rows some_rows(extent n) { return some<rows>(int(n), -1, 1, {n, 5}); }
net some_net() { return {some<array<float, 5, 3>>(1), some<array<float, 3>>(2)}; }
array<int, "n"_n> some_labels(extent n) { return some<array<int, "n"_n>>(int(n), 0, 3, {n}); }

constexpr auto layer = [](net const& p, rows const& x) { return tanh(dot(x, p.w) + p.b); };
constexpr auto masked_mean = [](rows const& x, mask const& valid) {
  return sum(where(valid, sum<1>(x), 0)) / sum(astype<float>(valid));
};
constexpr auto counted_mean = [](auto const& x, auto const& n) { return sum(x) / astype<float>(n); };
constexpr auto loss = [](net const& p, batch const& b, mask const& valid) {
  auto predict = [](auto const& q, auto const& r) { return dot(r, q.w) + q.b; };
  return sum(where(valid, softmax_cross_entropy(vmap<none, 0>(predict)(p, b.x), b.y), 0)) / sum(astype<float>(valid));
};
constexpr auto step = [](net const& p, batch const& b, mask const& valid) {
  auto [value, g] = value_and_grad(loss)(p, b, valid);
  return std::pair{tree::map([](auto const& w, auto const& dw) { return w - 0.1f * dw; }, p, g), value};
};
template <class F> int error_of(F f) {
  try {
    f();
  } catch (error const& e) { return e.number; }
  return 0;
}

}  // namespace

TEST_CASE("a bucketed call is the plain call, for every size") {
  for (extent n : sizes) {
    auto y = bucket<16, 64, 256>(layer)(some_net(), some_rows(n));
    static_assert(std::is_same_v<decltype(y), array<float, "n"_n, 3>>);
    near(y, layer(some_net(), some_rows(n)));
  }
}

TEST_CASE("a bucket's program has no name left: its memory is known while compiling") {
  using leaves = std::tuple<array<float, 5, 3>, array<float, 3>, rows>;
  using fitted = exec::fitted<std::remove_cvref_t<decltype(layer)>, exec::besides::nothing, "n"_n, 16,
                              std::tuple<net, rows>, leaves>;
  using program = compiler::program<fitted, array<float, 5, 3>, array<float, 3>, array<float, 16, 5>, array<int>>;
  static_assert(program::value.is_static);
}

TEST_CASE("a mask and a count keep padding out of a mean") {
  for (extent n : sizes) {
    auto x = some_rows(n);
    near(bucket<16, 64, 256>(masked_mean)(x), sum(x) / float(n));
    near(bucket<"n"_n, 16, 256>(counted_mean, with_count)(x), sum(x) / float(n));
  }
}

TEST_CASE("a gradient inside, of a mean over labelled rows in a struct") {
  for (extent n : sizes) {
    batch b{some_rows(n), some_labels(n)};
    auto all = mask::build([&](bool* o) { std::fill_n(o, n, true); }, {n});
    near(bucket<16, 64, 256>(step)(some_net(), b), step(some_net(), b, all), 1e-5);
  }
}

TEST_CASE("a named program's reshapes, sums, ramps and draws have the bucket's sizes") {
  constexpr auto f = [](rows const& x) {
    auto y = reshape<"n"_n, 5, 1>(x) + zeros_like(x.at<every, newaxis>().get());
    auto gram = dot(x, transpose(x));
    return std::tuple{y, gram, cumsum<0>(x), argmax<1>(x), flip<1>(x) * 2, sum<1>(x * x)};
  };
  for (extent n : {extent(3), extent(8), extent(9)}) near(bucket<8, 12>(f)(some_rows(n)), f(some_rows(n)), 1e-5);
}

TEST_CASE("another name stays a name; static arrays are given where the function has names") {
  constexpr auto f = [](array<float, "n"_n, "m"_n> const& x, array<float, "m"_n> const& w) {
    return std::pair{dot(x, w), w * 2};
  };
  for (extent n : {extent(2), extent(5)}) {
    auto x = some<array<float, "n"_n, "m"_n>>(3, -1, 1, {n, 7});
    auto w = some<array<float, 7>>(4);
    near(bucket<"n"_n, 4, 8>(f)(x, w), f(x, w));
  }
}

TEST_CASE("in jit and in a transform at run time the function is called as it is, with a mask of all") {
  auto x = some_rows(20);
  constexpr auto f = [](rows const& x) { return bucket<16, 64>(masked_mean)(x); };
  near(jit(f)(x), sum(x) / 20.f);
  near(grad(bucket<16, 64>(masked_mean))(x), full_like(x, 1 / 20.f));
  auto count = [](auto const& x) { return bucket<"n"_n, 16, 64>(counted_mean, with_count)(x); };
  near(grad(count)(x), full_like(x, 1 / 20.f));
}

TEST_CASE("too large a size is error 118, sizes that disagree are error 110") {
  auto call = bucket<16, 64>(layer);
  try {
    (void)call(some_net(), some_rows(65));
    FAIL("no error");
  } catch (error const& e) {
    CHECK(e.number == 118);
    CHECK(std::string(e.what()).find("n is 65, and the buckets are 16, 64") != std::string::npos);
  }
  auto b = batch{some_rows(5), some_labels(6)};
  CHECK(error_of([&] { (void)bucket<16>(step)(some_net(), b); }) == 110);
}

TEST_CASE("no rows at all fit the smallest bucket") {
  auto y = bucket<16>(layer)(some_net(), some_rows(0));
  CHECK(y.shape()[0] == 0);
}
