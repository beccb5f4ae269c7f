// SPDX-License-Identifier: BSD-3-Clause
// while_loop, with and without a bound, and fori_loop. Read next: <etna/nn/loss.hpp>.
#pragma once
#include "branch.hpp"
#include "scan.hpp"

namespace etna {
namespace control {

template <class P> concept one_bool = any_array<lifted<P>> && lifted<P>::rank == 0 && lifted<P>::type.d == dtype::boolean;

template <class F, class G, class C> constexpr auto run_while(F const& go_on, G const& body, C const& init) {
  using Carry = lifted<C>;
  using P = decltype(go_on(std::declval<Carry&>()));
  using Next = lifted<decltype(body(std::declval<Carry&>()))>;
  if constexpr (!one_bool<P>) {
    message::fail<message::E073_condition_not_boolean<P>>();
    return lift(init);
  } else if constexpr (!std::is_same_v<Next, Carry>) {
    message::fail<message::E071_carry_changes<Carry, Next>>();
    return lift(init);
  } else {
    constexpr int n = tree::size<Carry>();
    auto carry = lift(init);
    bool recorded = transform::is_recording(carry);
    home h(transform::graph_of(carry));
    var_list operands(n);
    push_leaves(current(h.g), carry, operands);
    tensor_type types[n + 1]{};
    for (int k = 0; k < n; ++k) types[k] = trace::type_of(operands[k]);
    var first[2], in[2 * n + 1], out[n + 2];
    auto write = [&](int which, auto const& f) {
      region r(current(h.g));
      var_list mine(n), results(n + 1);
      auto c = stand_ins<Carry>(r.g(), types, n, mine);
      push_leaves(r.g(), lift(f(c)), results);
      r.close();
      first[which] = r.first;
      for (int k = 0; k < n; ++k) in[which * n + k] = mine[k];
      for (int k = 0; k < results.n; ++k) out[which + k] = results[k];
    };
    write(0, go_on);
    write(1, body);
    graph& g = current(h.g);
    nested_equation e(g, 2);
    for (int which = 0; which < 2; ++which) {
      var_list mine(n), results(n + 1);
      for (int k = 0; k < n; ++k) mine.push(trace::resolve(in[which * n + k]));
      for (int k = 0; k < (which ? n : 1); ++k) results.push(trace::resolve(out[which + k]));
      e.pack(trace::range_of(first[which], g), mine, results);
    }
    for (int k = 0; k < n; ++k) operands[k] = trace::resolve(operands[k]);
    return tree_from<Carry>(g, ops::while_p::write(e, operands), recorded);
  }
}

}  // namespace control

/// while_loop(go_on, body, init): body of the carry as long as go_on(carry) is true.
///
/// shape   the carry is any tree, the same in and out
/// diff    forward; for reverse mode give a bound: while_loop<N>
/// errors  E071 the carry changes its type, E073 go_on gives no single bool
/// source  JAX lax.while_loop
template <class F, class G, class C> constexpr auto while_loop(F const& go_on, G const& body, C const& init) {
  return control::run_while(go_on, body, init);
}

/// while_loop<N>: at most N rounds, so it has a reverse mode too.
template <int N, class F, class G, class C> constexpr auto while_loop(F const& go_on, G const& body, C const& init) {
  return scan<N>([&](auto const& c) {
    auto same = [](auto const& x) { return x; };
    return std::pair{cond(go_on(c), [&](auto const& x) { return transform::lift(body(x)); }, same, c), std::tuple<>{}};
  }, init, keep_none).first;
}

/// fori_loop<From, To>(f, init): carry = f(i, carry) for i = From .. To - 1.
///
/// diff    forward and reverse
/// source  JAX lax.fori_loop
template <int From, int To, class F, class C> constexpr auto fori_loop(F const& f, C const& init) {
  return scan([&](auto const& c, array<int> const& i) { return std::pair{f(i, c), std::tuple<>{}}; }, init, arange<int, To - From>() + From).first;
}
/// fori_loop(from, to, f, init): bounds that are known at run time, integers or arrays of one; forward mode only.
template <class I, class J, class F, class C> constexpr auto fori_loop(I const& from, J const& to, F const& f, C const& init) {
  auto end = astype<int>(transform::as_array(to));
  auto last = while_loop([&](auto const& c) { return std::get<0>(c) < end; },
                         [&](auto const& c) { return std::pair{std::get<0>(c) + 1, f(std::get<0>(c), std::get<1>(c))}; },
                         std::pair{astype<int>(transform::as_array(from)), init});
  return std::get<1>(last);
}

}  // namespace etna
