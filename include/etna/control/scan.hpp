// SPDX-License-Identifier: BSD-3-Clause
// scan, fori_loop over constant bounds, and map: loops whose length is known. Read next: branch.hpp.
#pragma once
#include <etna/numpy/sorting.hpp>
#include "keep.hpp"

namespace etna {

namespace control {

/// A scan by itself, which either keeps what its derivative reads or computes it again; not one of scans.
template <class Keep> concept one_scan = std::is_same_v<Keep, keep_all_t> || std::is_same_v<Keep, keep_none_t>;
template <class> inline constexpr bool keeps_every = false;
template <int K> inline constexpr bool keeps_every<keep_every_t<K>> = true;
template <class Keep> concept any_scan = one_scan<Keep> || keeps_every<Keep>;

template <class R> concept is_step = requires(R r) {
  std::get<0>(r);
  std::get<1>(r);
} && std::tuple_size_v<R> == 2;

template <extent N, class F, class C, class X>
constexpr auto run_scan(F const& f, C const& init, X const& xs, bool recompute, bool reverse = false) {
  using Carry = lifted<C>;
  using Xs = lifted<X>;
  using Slice = slice_of<Xs>;
  using R = decltype(lift(f(std::declval<Carry&>(), std::declval<Slice&>())));
  if constexpr (!is_step<R>) {
    message::fail<message::E070_scan_returns_a_pair<F, R>>();
    return std::pair{init, xs};
  } else {
    using Next = std::remove_cvref_t<std::tuple_element_t<0, R>>;
    using Y = std::remove_cvref_t<std::tuple_element_t<1, R>>;
    if constexpr (!std::is_same_v<Next, Carry>) {
      message::fail<message::E071_carry_changes<Carry, Next>>();
      return std::pair{init, xs};
    } else {
      constexpr int n_carry = tree::size<Carry>(), n_xs = tree::size<Xs>(), n_ys = tree::size<Y>();
      transform::names_agree(init, xs);
      bool recorded = transform::is_recording(init, xs);
      auto carry = lift(init);
      auto slices = lift(xs);
      home h(transform::graph_of(carry, slices), n_carry + n_ys);
      var_list operands(n_carry + n_xs);
      push_leaves(current(h.g), carry, operands);
      push_leaves(current(h.g), slices, operands);
      type_list_of types(operands);
      extent length = n_xs > 0 ? types.t[n_carry].e[0] : N;
      if (!__builtin_is_constant_evaluated() && length < 0)
        message::raise<130>("scan of " + ext::text_of(length) + " steps");
      for (int k = n_carry; k < n_carry + n_xs; ++k) {
        if (!__builtin_is_constant_evaluated())  // one name, but sizes of their own
          if (extent n = types.t[k].e[0]; n != length)
            message::raise<110>("scan: one of xs has " + std::to_string(n) + " slices, and another " +
                                std::to_string(length));
        types.t[k] = types.t[k].drop(0);
      }
      block_writer<1> body(h.g);
      body.template write<Carry, Slice>(f, types.t);
      body.agree(types.t, n_carry);
      int first = body.finish(operands, [&](nested_equation const& e) {
        return ops::scan_p::write(e, {length, reverse, recompute, 0, n_carry, n_xs, n_ys}, operands);
      });
      return std::pair{tree_from<Carry>(body.g(), first, recorded),
                       tree_from<stack_of<N, Y>>(body.g(), first + n_carry, recorded)};
    }
  }
}

template <bool Reverse, class Keep, class F, class C, class X>
constexpr auto scan_slices(F const& f, C const& init, X const& xs) {
  constexpr extent n = transform::mapped_size<lifted<X>, 0>();
  if constexpr (n == transform::sizes_disagree || n == transform::no_axis) {
    message::fail<message::E016_vmap_sizes_disagree<F, X>>();
    return std::pair{init, xs};
  } else return run_scan<n>(f, init, xs, std::is_same_v<Keep, keep_none_t>, Reverse);
}

// [n, ...] as [n / K, K, ...], and back.
template <int K, class A> struct folded {
  static constexpr tensor_type value = A::type.drop(0).insert(0, K).insert(0, A::type.e[0] / K);
};
template <class A> struct unfolded {
  static constexpr tensor_type value = A::type.drop(0).drop(0).insert(0, A::type.e[0] * A::type.e[1]);
};
template <int K, class A> constexpr auto fold(A const& x) {
  using R = array_of<folded<K, A>>;
  return numpy::to_array<R>(numpy::reshape(numpy::to_handle(x), R::type));
}
template <class A> constexpr auto unfold(A const& x) {
  using R = array_of<unfolded<A>>;
  return numpy::to_array<R>(numpy::reshape(numpy::to_handle(x), R::type));
}
template <int K, bool Reverse, class F, class C, class X>
constexpr auto scan_runs(F const& f, C const& init, X const& xs) {
  constexpr extent n = transform::mapped_size<lifted<X>, 0>();
  if constexpr (K < 1 || n < 0 || n % K != 0) {
    message::fail<message::E074_steps_do_not_divide<message::size<n>, message::size<K>>>();
    return scan_slices<Reverse, keep_all_t>(f, init, xs);
  } else {
    auto run = [&](auto const& c, auto const& part) { return scan_slices<Reverse, keep_all_t>(f, c, part); };
    auto runs = tree::map([](auto const& x) { return fold<K>(transform::as_array(x)); }, xs);
    auto [carry, ys] = scan_slices<Reverse, keep_none_t>(run, init, runs);
    return std::pair{carry, tree::map([](auto const& y) { return unfold(y); }, ys)};
  }
}
}  // namespace control

/// scan(f, init, xs): f(carry, slice) -> {carry, y} along the leading axis of each leaf of xs; {the last carry, all y}.
/// scan(f, init, xs, backward) goes from the last slice to the first; each y lies where its slice does. `backward` and
/// what is kept come in either order.
///
/// shape   xs leaves [n, ...]; carry any tree, the same in and out; y leaves [...] -> [n, ...]; of no slices the carry
///         stays
/// diff    forward and reverse; reverse keeps what `keep` says: keep_all, keep_none, keep_every<K>
/// errors  E016 leading sizes disagree, E070 f returns no pair, E071 the carry changes its type
/// cost    compile time does not depend on n
/// source  JAX lax.scan, and its reverse
template <class F, class C, class X, control::one_scan Keep = keep_all_t>
constexpr auto scan(F const& f, C const& init, X const& xs, Keep = {}) {
  return control::scan_slices<false, Keep>(f, init, xs);
}
template <class F, class C, class X, control::one_scan Keep = keep_all_t>
constexpr auto scan(F const& f, C const& init, X const& xs, backward_t, Keep = {}) {
  return control::scan_slices<true, Keep>(f, init, xs);
}

/// scan<N>(f, init): N steps without slices, f(carry) -> {carry, y}.
template <extent N, class F, class C, control::one_scan Keep = keep_all_t>
constexpr auto scan(F const& f, C const& init, Keep = {}) {
  return control::run_scan<N>([&](auto const& c, std::tuple<> const&) { return f(c); }, init, std::tuple<>{},
                              std::is_same_v<Keep, keep_none_t>);
}

/// Reverse mode keeps the carries of every K-th step, and computes K steps at a time again.
///
/// errors  E074 K does not divide the number of steps
template <class F, class C, class X, int K>
constexpr auto scan(F const& f, C const& init, X const& xs, keep_every_t<K>) {
  return control::scan_runs<K, false>(f, init, xs);
}
template <class F, class C, class X, int K>
constexpr auto scan(F const& f, C const& init, X const& xs, backward_t, keep_every_t<K>) {
  return control::scan_runs<K, true>(f, init, xs);
}
template <class F, class C, class X, control::any_scan Keep>
constexpr auto scan(F const& f, C const& init, X const& xs, Keep keep, backward_t) {
  return scan(f, init, xs, backward, keep);
}
template <extent N, class F, class C, int K> constexpr auto scan(F const& f, C const& init, keep_every_t<K>) {
  if constexpr (K < 1 || N % K != 0) {
    message::fail<message::E074_steps_do_not_divide<message::size<N>, message::size<K>>>();
    return scan<N>(f, init);
  } else {
    auto [carry, ys] = scan<N / K>([&](auto const& c) { return scan<K>(f, c); }, init, keep_none);
    return std::pair{carry, tree::map([](auto const& y) { return control::unfold(y); }, ys)};
  }
}

/// map(f, xs): f of each slice along the leading axis, one after another (vmap does them at once).
///
/// source  JAX lax.map
template <class F, class X> constexpr auto map(F const& f, X const& xs) {
  return scan(
             [&](std::tuple<> const&, auto const& x) {
               return std::pair{std::tuple<>{}, f(x)};
             },
             std::tuple<>{}, xs)
      .second;
}

}  // namespace etna
