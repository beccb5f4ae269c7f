// SPDX-License-Identifier: BSD-3-Clause
// while_loop, with and without a bound, and fori_loop. Read next: <etna/nn/loss.hpp>.
#pragma once
#include "branch.hpp"
#include "scan.hpp"

namespace etna {
namespace control {

template <class P> concept one_bool =
    any_array<lifted<P>> && lifted<P>::rank == 0 && lifted<P>::type.d == dtype::boolean;

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
    auto carry = lift(init);
    transform::names_agree(carry);
    bool recorded = transform::is_recording(carry);
    home h(transform::graph_of(carry), tree::size<Carry>());
    var_list operands(tree::size<Carry>());
    push_leaves(current(h.g), carry, operands);
    type_list_of types(operands);
    block_writer<2> blocks(h.g);
    blocks.template write<Carry>(go_on, types.t);
    blocks.template write<Carry>(body, types.t);
    blocks.agree(types.t, operands.n);
    int first = blocks.finish(operands, [&](nested_equation const& e) { return ops::while_p::write(e, operands); });
    return tree_from<Carry>(blocks.g(), first, recorded);
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

/// while_loop<N>: at most N rounds, so it has a reverse mode too; of none the carry stays.
template <int N, class F, class G, class C> constexpr auto while_loop(F const& go_on, G const& body, C const& init) {
  return scan<(N > 0 ? N : 0)>(
             [&](auto const& c) {
               auto same = [](auto const& x) { return x; };
               return std::pair{cond(
                                    go_on(c), [&](auto const& x) { return transform::lift(body(x)); }, same, c),
                                std::tuple<>{}};
             },
             init, keep_none)
      .first;
}

/// fori_loop<From, To>(f, init): carry = f(i, carry) for i = From .. To - 1; where To is no more than From the carry
/// stays.
///
/// diff    forward and reverse
/// source  JAX lax.fori_loop
template <int From, int To, class F, class C> constexpr auto fori_loop(F const& f, C const& init) {
  return scan(
             [&](auto const& c, array<int> const& i) {
               return std::pair{f(i, c), std::tuple<>{}};
             },
             init, arange<int, (To > From ? To - From : 0)>() + From)
      .first;
}
/// fori_loop(from, to, f, init): bounds that are known at run time, integers or arrays of one; forward mode only.
template <numpy::integer_operand From, numpy::integer_operand To, class F, class C>
constexpr auto fori_loop(From const& from, To const& to, F const& f, C const& init) {
  auto end = array<int>(numpy::parameter<int>(to));
  auto last = while_loop([&](auto const& c) { return std::get<0>(c) < end; },
                         [&](auto const& c) {
                           return std::pair{std::get<0>(c) + 1, f(std::get<0>(c), std::get<1>(c))};
                         },
                         std::pair{array<int>(numpy::parameter<int>(from)), init});
  return std::get<1>(last);
}

}  // namespace etna
