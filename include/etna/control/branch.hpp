// SPDX-License-Identifier: BSD-3-Clause
// cond, switch_ and checkpoint: one of several functions. Read next: loop.hpp.
#pragma once
#include "leaves.hpp"

namespace etna {
namespace control {

template <class R, class F> constexpr bool same_result = std::is_same_v<R, F>;

template <class W, class... F, class... A>
constexpr auto run_branch(W const& which, std::tuple<F...> const& branches, A const&... args) {
  using R = lifted<decltype(std::declval<std::tuple_element_t<0, std::tuple<F...>> const&>()(std::declval<lifted<A>&>()...))>;
  if constexpr (!(std::is_same_v<R, lifted<decltype(std::declval<F const&>()(std::declval<lifted<A>&>()...))>> && ...)) {
    message::fail<message::E072_branches_differ<lifted<decltype(std::declval<F const&>()(std::declval<lifted<A>&>()...))>...>>();
    return R{};
  } else {
    constexpr int n_in = (tree::size<lifted<A>>() + ... + 0), n_out = tree::size<R>();
    bool recorded = transform::is_recording(which, args...);
    home h(transform::graph_of(which, args...));
    var_list number(1), operands(n_in);
    number.push(value_in(current(h.g), which));
    std::tuple<lifted<A>...> trees{lift(args)...};
    std::apply([&](auto const&... t) { (push_leaves(current(h.g), t, operands), ...); }, trees);
    tensor_type types[n_in + 1]{};
    for (int k = 0; k < n_in; ++k) types[k] = trace::type_of(operands[k]);
    constexpr int n = sizeof...(F);
    var first[n], in[n * n_in + 1], out[n * n_out + 1];
    int b = 0;
    auto write = [&](auto const& f) {
      region r(current(h.g));
      var_list mine(n_in), results(n_out);
      int at = 0;
      auto take = [&]<class T>(T const&) {
        constexpr int size = tree::size<T>();
        at += size;
        return stand_ins<T>(r.g(), types + at - size, size, mine);
      };
      auto inner = std::apply([&](auto const&... t) { return std::tuple<std::remove_cvref_t<decltype(t)>...>{take(t)...}; }, trees);
      auto y = lift(std::apply(f, inner));
      push_leaves(r.g(), y, results);
      r.close();
      first[b] = r.first;
      for (int k = 0; k < n_in; ++k) in[b * n_in + k] = mine[k];
      for (int k = 0; k < n_out; ++k) out[b * n_out + k] = results[k];
      ++b;
    };
    std::apply([&](auto const&... f) { (write(f), ...); }, branches);
    graph& g = current(h.g);
    for (int k = 0; k < n_in; ++k) operands[k] = trace::resolve(operands[k]);
    nested_equation e(g, n);
    for (b = 0; b < n; ++b) {
      var_list mine(n_in), results(n_out);
      for (int k = 0; k < n_in; ++k) mine.push(trace::resolve(in[b * n_in + k]));
      for (int k = 0; k < n_out; ++k) results.push(trace::resolve(out[b * n_out + k]));
      e.pack(trace::range_of(first[b], g), mine, results);
    }
    int y = ops::branch_p::write(e, n_out, trace::resolve(number[0]), operands);
    return tree_from<R>(g, y, recorded);
  }
}

template <class F> struct checkpointed {
  [[no_unique_address]] F f;
  template <class... A> constexpr auto operator()(A const&... args) const { return run_branch(array<int>(0), std::tuple<F const&>(f), args...); }
};

}  // namespace control

/// cond(pred, f, g, args...): f(args...) where the bool is true, else g(args...); only one of them runs.
///
/// errors  E072 f and g return trees of different types, E073 pred is no single bool
/// diff    forward and reverse; the derivative of the branch that ran, which computes again what it needs
/// source  JAX lax.cond
template <class P, class F, class G, class... A> constexpr auto cond(P const& pred, F const& f, G const& g, A const&... args) {
  using B = control::lifted<P>;
  if constexpr (!std::is_same_v<typename B::value_type, bool> || B::rank != 0) {
    message::fail<message::E073_condition_not_boolean<P>>();
    return f(lift(args)...);
  } else return control::run_branch(astype<int>(transform::as_array(pred)), std::tuple<G const&, F const&>(g, f), args...);
}

/// switch_(index, std::tuple{f, g, ...}, args...): the function of that number, which is brought into range.
///
/// errors  E072 the functions return trees of different types, E073 the index is no single integer
/// source  JAX lax.switch
template <class I, class... F, class... A> constexpr auto switch_(I const& index, std::tuple<F...> const& branches, A const&... args) {
  using N = control::lifted<I>;
  if constexpr (!is_integer(N::type.d) || N::rank != 0) {
    message::fail<message::E073_condition_not_boolean<I>>();
    return std::get<0>(branches)(args...);
  } else return control::run_branch(astype<int>(transform::as_array(index)), branches, args...);
}

/// checkpoint(f): f, of which reverse mode keeps the arguments only and computes the rest again.
///
/// diff    the same numbers, bit for bit, from less memory
/// source  JAX checkpoint (remat)
template <class F> constexpr auto checkpoint(F f) { return control::checkpointed<F>{f}; }

}  // namespace etna
