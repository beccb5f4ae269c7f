// SPDX-License-Identifier: BSD-3-Clause
// Copies that g++ 12 makes in constant evaluation without a constructor, and destroys all the same: of a std::array or
// another struct with an array as member, and of what `?:` gives. A trace does not count on them.
#include <etna/language.hpp>
#include <etna/compiler/program.hpp>

using namespace etna;

namespace {

using vec = array<float, 3>;
template <class F> constexpr bool is_traced = compiler::traced<F, vec>{}.n_outputs == 1;

struct layers {
  vec w[2];
};

constexpr auto in_vmap = [](vec x) {
  return vmap<0>([](array<float> a) {
    std::array<array<float>, 2> t{ones_like(a), a};
    auto old = t;
    return old[0] + t[1];
  })(x);
};
constexpr auto twice = [](vec x) {
  std::array<vec, 2> t{ones<float, 3>(), zeros_like(x)};
  auto old = t;
  auto older = old;
  return older[0] * x + old[1] + t[0];
};
constexpr auto rows = [](vec x) {
  std::array<array<float, 2>, 2> t{array<float, 2>{1, 2}, ones<float, 2>()};
  auto old = t;
  return old[0] + t[1] * sum(x);
};
constexpr auto by_value = [](vec x) {
  auto f = [&](layers l) { return l.w[0] * x + l.w[1]; };
  layers l{{ones<float, 3>(), zeros<float, 3>()}};
  return f(l) + f(l);
};
constexpr auto left_alone = [](vec x) {
  std::array<vec, 2> t{ones<float, 3>(), zeros<float, 3>()};
  {
    auto old = t;
    auto older = old;
  }
  return t[0] * x;
};
constexpr auto of_constants = [](vec x) {
  std::array<vec, 2> t{ones<float, 3>(), zeros<float, 3>()};
  return fori_loop<0, 3>(
             [](auto const&, auto const& c) {
               auto old = c;
               return std::array{old[0] * c[1], c[0] + old[1]};
             },
             t)[0] *
         x;
};
constexpr auto carried = [](vec x) {
  std::array<vec, 2> t{ones<float, 3>(), zeros<float, 3>()};
  auto [c, ys] = scan<3>([&](auto const& c) { return std::pair{std::array{c[0] * x, c[1] + x}, c[0]}; }, t);
  return c[0] + c[1];
};
template <bool B> struct chosen {
  constexpr auto operator()(vec x) const {
    auto one = ones<float, 3>();
    bool b = B;
    auto y = b ? zeros<float, 3>() : x;
    auto none = b ? ones<float, 3>() : zeros<float, 3>();
    array<float> number = b ? array<float>(2.f) : array<float>(3.f);
    auto z = B ? x * one : one;
    auto a = fori_loop<0, 3>([&](auto const&, auto const& c) { return B ? c * x : c; }, x);
    auto e = fori_loop<0, 3>([&](auto const&, auto const& c) { return B ? c * x : one; }, x);
    auto d = fori_loop<0, 3>([&](auto const& i, auto const& c) { return i.rank == 0 ? c * x : c; }, ones_like(x));
    return x * y * number + one + none + z + a + e + d;
  }
};

static_assert(is_traced<decltype(in_vmap)>);
static_assert(is_traced<decltype(twice)>);
static_assert(is_traced<decltype(rows)>);
static_assert(is_traced<decltype(by_value)>);
static_assert(is_traced<decltype(left_alone)>);
static_assert(is_traced<decltype(of_constants)>);
static_assert(is_traced<decltype(carried)>);
static_assert(is_traced<chosen<true>>);
static_assert(is_traced<chosen<false>>);

}  // namespace
