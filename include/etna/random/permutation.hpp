// SPDX-License-Identifier: BSD-3-Clause
// Random orders and choices, bit for bit those of JAX: repeated stable sorting by random words.
// Read next: ../nn/dropout.hpp.
#pragma once
#include <etna/control/loop.hpp>
#include <etna/numpy/sorting.hpp>

#include "distribution.hpp"

namespace etna::random {

struct independent_t {};
struct without_replacement_t {};
/// Each vector along the axis in an order of its own: permutation<1>(key, x, independent).
inline constexpr independent_t independent{};
/// No element twice: choice<3>(key, x, without_replacement).
inline constexpr without_replacement_t without_replacement{};

namespace detail {

/// How often so many elements are sorted, so that equal words hardly matter: n^3 possible pairs against 2^32 words a
/// round. Above each limit, a round more.
inline constexpr std::int64_t round_limits[] = {1, 1625, 2642245};
constexpr auto rounds(extent n) {
  int r = 0;
  for (std::int64_t limit : round_limits) r += n > limit;
  return r;
}
constexpr array<int> rounds(array<std::int64_t> const& n) {
  array<int> r = 0;
  for (std::int64_t limit : round_limits) r = r + astype<int>(greater(n, array<std::int64_t>(limit)));
  return r;
}
template <class A, int Axis> struct order_holder {
  static constexpr tensor_type value{dtype::i32, 1, {A::type.e[Axis]}};
};

/// `step(subkey, x)` once for each round that x's size asks for.
template <class X, class F> constexpr X in_rounds(prng_key const& key, X const& x, F step) {
  auto round = [&](auto const& at) {
    auto [next, subkey] = split(std::get<0>(at));
    return std::pair{next, step(subkey, std::get<1>(at))};
  };
  std::pair<prng_key, X> at{key, x};
  if constexpr (X::is_static) {
    for (int k = rounds(X::type.size()); k > 0; --k) at = round(at);
    return at.second;
  } else {
    handle h = numpy::to_handle(x);
    array<std::int64_t> n = 1;
    for (int i = 0; i < X::rank; ++i)
      n = n * numpy::to_array<array<std::int64_t>>(numpy::size_of_axis(h, i, dtype::i64));
    return std::get<1>(fori_loop(
        0, rounds(n), [&](auto const&, auto const& c) { return round(c); }, at));
  }
}
/// 0, 1, ... in a random order.
template <class R> constexpr R order(prng_key const& key, tensor_type const& t) {
  R first = numpy::to_array<R>(numpy::ramp(t, 0));
  return in_rounds(key, first, [&](prng_key const& k, R const& x) {
    return take<0>(x, argsort<0>(words<ops::random_bits_p, R>(k, t)));
  });
}

}  // namespace detail

/// The numbers 0 .. N - 1 in a random order, i32.
///
/// diff    none
/// cost    one sort, two from 1626 elements on, three from 2642246 on
/// errors  E051 not a key, E052 a batch of keys
/// source  JAX random.permutation of an integer
template <extent N, one_key K> constexpr auto permutation(K const& key) {
  using R = array<int, N>;
  constexpr bool one = detail::require_key<K>();
  if constexpr (!one) return R();
  else return detail::order<R>(key, R::type);
}
/// x in a random order along an axis: its slices, all in one order.
///
/// shape   same as x, also with names
/// diff    linear in x
/// errors  E051 not a key, E052 a batch of keys, E005 axis out of range
/// source  JAX random.permutation
template <int Axis = 0, one_key K, any_array A> constexpr auto permutation(K const& key, A const& x) {
  constexpr bool one = detail::require_key<K>();
  numpy::require_axes<ops::gather_p, A, Axis>();
  constexpr int axis = Axis < 0 ? Axis + A::rank : Axis;
  if constexpr (!one || axis < 0 || axis >= A::rank) return x;
  else {
    using R = array_of<detail::order_holder<A, axis>>;
    return take<axis>(x, detail::order<R>(key, {dtype::i32, 1, {numpy::to_handle(x).type().e[axis]}}));
  }
}
/// The same with an order of its own for each vector along the axis.
///
/// source  JAX random.permutation, independent=True
template <int Axis = 0, one_key K, any_array A> constexpr auto permutation(K const& key, A const& x, independent_t) {
  constexpr bool one = detail::require_key<K>();
  numpy::require_axes<ops::gather_p, A, Axis>();
  constexpr int axis = Axis < 0 ? Axis + A::rank : Axis;
  if constexpr (!one || axis < 0 || axis >= A::rank) return x;
  else {
    tensor_type t = numpy::to_handle(x).type();
    return detail::in_rounds(key, x, [&](prng_key const& k, A const& y) {
      return A(take_along_axis<axis>(y, argsort<axis>(detail::words<ops::random_bits_p, A>(k, t))));
    });
  }
}

/// Slices of x along its first axis, each equally likely every time.
///
/// shape   x [n, a] -> [E..., a]
/// diff    linear in x
/// errors  E051 not a key, E052 a batch of keys
/// source  JAX random.choice with replacement
template <extent... E, one_key K, any_array A> constexpr auto choice(K const& key, A const& x) {
  if constexpr (A::is_static) return take<0>(x, randint<int, E...>(key, 0, A::type.e[0]));
  else
    return take<0>(
        x, randint<int, E...>(key, 0,
                              numpy::to_array<array<int>>(numpy::size_of_axis(numpy::to_handle(x), 0, dtype::i32))));
}
/// The same where slice i has probability p[i] / sum(p).
///
/// errors  E054 p of integers
/// source  JAX random.choice with p: where the running sum of p passes a uniform number
template <extent... E, one_key K, any_array A, any_array P>
constexpr auto choice(K const& key, A const& x, P const& p) {
  constexpr bool ok = detail::require_real<K, typename P::value_type>();
  if constexpr (!ok) return take<0>(x, array<int, E...>());
  else {
    using T = typename P::value_type;
    auto sums = cumsum<0>(p);
    auto all = take<0>(sums, array<int>(-1));
    auto at = expand_dims<-1>(all * (T(1) - uniform<T, E...>(key)));
    return take<0>(x, sum<-1>(astype<int>(less(sums, at))));
  }
}

namespace detail {
/// The first E... of an order: rows of x.
template <extent... E, class A, class Index> constexpr auto first_of(A const& x, Index const& all) {
  constexpr extent n = (E * ... * 1), most = A::type.e[0];
  if constexpr (most < 0)
    message::fail<message::E042_part_of_a_named_axis<typename numpy::text_of<A>::type, message::indices<n>>>();
  else if constexpr (n > most)
    message::fail<message::E040_index_out_of_range<typename numpy::text_of<A>::type, message::indices<n>>>();
  if constexpr (n > most) return take<0>(x, array<int, E...>());
  else return take<0>(x, reshape<E...>(slice<range{0, n}>(all)));
}
}  // namespace detail

/// Slices of x along its first axis, none twice.
///
/// errors  E051 not a key, E052 a batch of keys, E040 more of them than x has, E042 an axis with a name
/// source  JAX random.choice, replace=False
template <extent... E, one_key K, any_array A> constexpr auto choice(K const& key, A const& x, without_replacement_t) {
  return detail::first_of<E...>(x, permutation<A::type.e[0]>(key));
}
/// The same where slice i is drawn with weight p[i].
///
/// errors  E054 p of integers
/// source  JAX random.choice with p, replace=False: the greatest of log(p) + gumbel
template <extent... E, one_key K, any_array A, any_array P>
constexpr auto choice(K const& key, A const& x, P const& p, without_replacement_t) {
  constexpr bool ok = detail::require_real<K, typename P::value_type>();
  if constexpr (!ok) return take<0>(x, array<int, E...>());
  else {
    using T = typename P::value_type;
    return detail::first_of<E...>(
        x, argsort<0>(detail::gumbel_of(uniform_like(key, p, detail::tiny<T>, 1)) + log(p), descending));
  }
}

ETNA_REFUSE_BEHIND_KEY(permutation, "permutation<10>(key), permutation<0>(key, x)");

ETNA_NEEDS_KEY(permutation, "permutation<10>(key)");
ETNA_NEEDS_KEY(choice, "choice<3>(key, x)");

}  // namespace etna::random
