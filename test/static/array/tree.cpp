// SPDX-License-Identifier: BSD-3-Clause
// Types of trees: what map gives, how many leaves there are, which types are trees.
#include <etna/language.hpp>

using namespace etna;

namespace {

using vec = array<float, 3>;
struct layer {
  array<float, 2, 3> w;
  vec b;
};
struct net {
  layer first;
  std::array<layer, 2> rest;
  double rate;
};

static_assert(tree::size<vec>() == 1 && tree::size<double>() == 1 && tree::size<layer>() == 2);
static_assert(tree::size<net>() == 7 && tree::size<std::tuple<net, vec>>() == 8 &&
              tree::size<std::pair<vec, int>>() == 2);
static_assert(tree::size<std::array<std::tuple<vec, vec>, 3>>() == 6);

constexpr auto keep = [](auto const& x) { return x; };
constexpr auto to_scalar = [](auto const&) { return array<float>(); };
template <class F, class... T> using mapped = decltype(tree::map(std::declval<F>(), std::declval<T const&>()...));

static_assert(std::is_same_v<mapped<decltype(keep), net>, net>);
static_assert(std::is_same_v<mapped<decltype(to_scalar), layer>, like<layer, array<float>, array<float>>>);
static_assert(std::is_same_v<mapped<decltype(to_scalar), std::tuple<vec, layer>>,
                             std::tuple<array<float>, like<layer, array<float>, array<float>>>>);
static_assert(std::is_same_v<mapped<decltype(to_scalar), std::pair<vec, vec>>, std::pair<array<float>, array<float>>>);
static_assert(std::is_same_v<mapped<decltype(to_scalar), std::array<vec, 2>>, std::array<array<float>, 2>>);
// Back in the form of the struct, it is the struct.
constexpr auto to_layer = [](auto const&, auto const& x) { return x; };
static_assert(std::is_same_v<decltype(tree::map(to_layer, std::declval<like<layer, vec, vec> const&>(),
                                                std::declval<layer const&>())),
                             layer>);

// Several trees of one structure.
constexpr auto pairs = [](auto const& a, auto const& b) { return a + b; };
static_assert(std::is_same_v<mapped<decltype(pairs), layer, layer>, layer>);
static_assert(std::is_same_v<mapped<decltype(pairs), std::tuple<vec>, std::tuple<array<float, 2, 3>>>,
                             std::tuple<array<float, 2, 3>>>);

// get<&S::member>() of a struct whose leaves changed type.
using changed = like<layer, array<double, 5>, array<int>>;
static_assert(std::is_same_v<decltype(std::declval<changed const&>().get<&layer::w>()), array<double, 5> const&>);
static_assert(std::is_same_v<decltype(std::declval<changed&>().get<&layer::b>()), array<int>&>);
struct same_types {
  vec a, b, c;
};
using others = like<same_types, array<int>, array<float>, array<double>>;
static_assert(std::is_same_v<decltype(std::declval<others&>().get<&same_types::a>()), array<int>&>);
static_assert(std::is_same_v<decltype(std::declval<others&>().get<&same_types::c>()), array<double>&>);

// What is a tree and what is none.
template <class S> inline constexpr bool fine = tree::detail::verdict_of<S> == tree::detail::verdict::fine;
static_assert(fine<layer> && fine<net> && fine<same_types>);
class hidden {
  vec a;

 public:
  vec b;
};
struct with_c_array {
  vec a[2];
};
struct with_numbers {
  double x;
  float y[3];
};
struct with_reference {
  vec& a;
};
struct derived : layer {
  vec c;
};
struct empty {};
static_assert(!fine<hidden> && !fine<with_c_array> && !fine<with_numbers> && !fine<with_reference> && !fine<derived> &&
              fine<empty> && tree::size<empty>() == 0);
struct one_field {
  vec only;
};
struct wide {
  float f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23,
      f24, f25, f26, f27, f28, f29, f30, f31;
};
static_assert(fine<one_field> && fine<wide> && tree::size<wide>() == 32 && tree::size<one_field>() == 1);
struct nested {
  one_field a;
  layer b;
  std::tuple<vec, float> c;
  std::array<vec, 3> d;
};
static_assert(fine<nested> && tree::size<nested>() == 8);

// Structures compared.
static_assert(tree::detail::same_structure<layer, like<layer, vec, vec>>() &&
              tree::detail::same_structure<layer, std::pair<vec, vec>>());
static_assert(!tree::detail::same_structure<layer, one_field>() &&
              !tree::detail::same_structure<std::array<vec, 2>, std::array<vec, 3>>());

// Reductions of trees, computed while compiling.
static_assert(tree::reduce([](int n, auto const&) { return n + 1; }, std::tuple{1.0, 2, std::pair{3.0f, 4.0}}, 0) == 4);
static_assert(tree::reduce([](double s, auto x) { return s + double(x); }, std::tuple{1.0, 2, std::pair{3.0f, 4.0}},
                           0.0) == 10.0);
static_assert(tree::all([](auto x) { return x > 0; }, std::tuple{1.0, 2}) &&
              !tree::all([](auto x) { return x > 1; }, std::tuple{1.0, 2}));

}  // namespace
