// SPDX-License-Identifier: BSD-3-Clause
// The types that vmap gives: where the mapped axis goes, what stays whole, how trees come back.
#include <etna/language.hpp>

using namespace etna;

namespace {

template <class Expected, class F, class... A> inline constexpr bool gives =
    std::is_same_v<Expected, std::invoke_result_t<F, A...>>;

constexpr auto total = [](array<float, 3> x) { return sum(x); };
constexpr auto twice = [](auto x) { return x + x; };
constexpr auto plus = [](auto x, auto y) { return x + y; };
constexpr auto one = [](auto) { return array<float, 2>{}; };

using by_default = decltype(vmap(total));
static_assert(gives<array<float, 4>, by_default, array<float, 4, 3>>);
using second = decltype(vmap<1>(total));
static_assert(gives<array<float, 4>, second, array<float, 3, 4>>);
using last = decltype(vmap<-1>(total));
static_assert(gives<array<float, 4>, last, array<float, 3, 4>>);

using whole = decltype(vmap<0, none>(plus));
static_assert(gives<array<float, 4, 3>, whole, array<float, 4, 3>, array<float, 3>>);
using crossed = decltype(vmap<0, 1>(plus));
static_assert(gives<array<float, 4, 3>, crossed, array<float, 4, 3>, array<float, 3, 4>>);
using one_for_all = decltype(vmap<1>(plus));
static_assert(gives<array<float, 4, 3>, one_for_all, array<float, 3, 4>, array<float, 3, 4>>);

using behind = decltype(vmap<0>(twice, out_axes<1>));
static_assert(gives<array<float, 3, 4>, behind, array<float, 4, 3>>);
using at_end = decltype(vmap<0>(twice, out_axes<-1>));
static_assert(gives<array<float, 3, 4>, at_end, array<float, 4, 3>>);

// A result that no mapped argument reaches is repeated.
using repeated = decltype(vmap(one));
static_assert(gives<array<float, 4, 2>, repeated, array<float, 4>>);

// A named axis is mapped like another.
using of_a_batch = decltype(vmap(total));
static_assert(gives<array<float, "batch"_n>, of_a_batch, array<float, "batch"_n, 3>>);

// Nested.
using nested = decltype(vmap(vmap(total)));
static_assert(gives<array<float, 5, 4>, nested, array<float, 5, 4, 3>>);
using of_gradients = decltype(vmap(grad(total)));
static_assert(gives<array<float, 4, 3>, of_gradients, array<float, 4, 3>>);

// Trees: a tuple stays a tuple; a struct whose leaves change type becomes `like` it.
using tuples = decltype(vmap([](auto x) { return std::tuple{x, sum(x)}; }));
static_assert(gives<std::tuple<array<float, 4, 3>, array<float, 4>>, tuples, array<float, 4, 3>>);
struct moments {
  array<float> mean;
  array<float, 3> all;
};
using structs = decltype(vmap([](array<float, 3> x) { return moments{mean(x), x}; }));
static_assert(gives<like<moments, array<float, 4>, array<float, 4, 3>>, structs, array<float, 4, 3>>);
template <class A, class B> struct two {
  A a;
  B b;
};
using templates = decltype(vmap([](array<float, 3> x) { return two<array<float>, array<float, 3>>{sum(x), x}; }));
static_assert(gives<two<array<float, 4>, array<float, 4, 3>>, templates, array<float, 4, 3>>);

// A mapped argument: what is like a struct is that struct for each example.
struct weights {
  array<float, 3> w;
  array<float> b;
};
constexpr auto apply = [](weights const& p, array<float, 3> x) { return dot(x, p.w) + p.b; };
using many = decltype(vmap<0, none>(apply));
static_assert(gives<array<float, 4>, many, like<weights, array<float, 4, 3>, array<float, 4>>, array<float, 3>>);

}  // namespace
