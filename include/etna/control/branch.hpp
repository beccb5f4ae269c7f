// SPDX-License-Identifier: BSD-3-Clause
// cond, switch_ and checkpoint: one of several functions. Read next: loop.hpp.
#pragma once
#include "keep.hpp"

namespace etna {
namespace control {

/// keep   what reverse mode keeps of a branch that is the only one
template <class... Keep, class W, class... F, class... A>
constexpr auto run_branch(W const& which, std::tuple<F...> const& branches, A const&... args) {
  using R =
      lifted<decltype(std::declval<std::tuple_element_t<0, std::tuple<F...>> const&>()(std::declval<lifted<A>&>()...))>;
  if constexpr (!(std::is_same_v<R, lifted<decltype(std::declval<F const&>()(std::declval<lifted<A>&>()...))>> &&
                  ...)) {
    message::fail<
        message::E072_branches_differ<lifted<decltype(std::declval<F const&>()(std::declval<lifted<A>&>()...))>...>>();
    return R{};
  } else {
    transform::names_agree(args...);
    bool recorded = transform::is_recording(which, args...);
    home h(transform::graph_of(which, args...), tree::size<R>());
    var number = value_in(current(h.g), which);
    var_list operands((tree::size<lifted<A>>() + ... + 0));
    (push_leaves(current(h.g), lift(args), operands), ...);
    type_list_of types(operands);
    block_writer<sizeof...(F)> blocks(h.g);
    [&]<std::size_t... Nth>(std::index_sequence<Nth...>) {
      ((blocks.template write<lifted<A>...>(std::get<Nth>(branches), types.t),
        Nth > 0 ? blocks.agree(blocks.types(0).t, tree::size<R>()) : void()),
       ...);
    }(std::index_sequence_for<F...>{});
    int first = blocks.finish(operands, [&](nested_equation const& e) {
      int keep = e.g.n_attrs;
      if constexpr (sizeof...(Keep) > 0) {
        e.g.word(0);
        (Keep::write(e.g), ...);
        e.g.attrs[keep] = e.g.n_attrs - keep - 1;
      }
      return ops::branch_p::write(e, tree::size<R>(), tracing::resolve(number), operands,
                                  sizeof...(Keep) > 0 ? keep : -1);
    });
    return tree_from<R>(blocks.g(), first, recorded);
  }
}

template <class F, class... Keep> struct checkpointed {
  [[no_unique_address]] F f;
  template <class... A> constexpr auto operator()(A const&... args) const {
    return run_branch<Keep...>(array<int>(0), std::tuple<F const&>(f), args...);
  }
};

/// One bool, and one integer.
template <class P> concept truth = std::is_same_v<P, bool> || std::is_same_v<P, array<bool>>;
template <class Index> concept choice = numpy::integer_operand<Index> && !truth<Index>;

}  // namespace control

/// cond(pred, f, g, args...): f(args...) where the bool is true, else g(args...); only one of them runs.
///
/// errors  E072 f and g return trees of different types, E073 pred is no single bool
/// diff    forward and reverse; the derivative of the branch that ran, which computes again what it needs
/// source  JAX lax.cond
template <control::truth P, class F, class G, class... A>
constexpr auto cond(P const& pred, F const& f, G const& g, A const&... args) {
  return control::run_branch(astype<int>(transform::as_array(pred)), std::tuple<G const&, F const&>(g, f), args...);
}

template <class P, class... More> requires(!control::truth<P>)
ETNA_REFUSAL(E073_condition_not_boolean, "E073: the condition of a branch is one bool: cond(x > 0, f, g, x)",
             cond(P const&, More const&...));

/// switch_(index, std::tuple{f, g, ...}, args...): the function of that number, which is brought into range.
///
/// errors  E072 the functions return trees of different types, E073 the index is no single integer
/// source  JAX lax.switch
template <control::choice Index, class... F, class... A>
constexpr auto switch_(Index const& index, std::tuple<F...> const& branches, A const&... args) {
  auto i = transform::as_array(index);
  if constexpr (decltype(i)::type.d != dtype::i32)
    return control::run_branch(astype<int>(clip(i, 0, int(sizeof...(F)) - 1)), branches, args...);
  else return control::run_branch(i, branches, args...);
}

template <class Index, class... F, class... More> requires(!control::choice<Index>)
ETNA_REFUSAL(E073_condition_not_boolean, "E073: switch_ chooses by one integer: switch_(i, std::tuple{f, g}, x)",
             switch_(Index const&, std::tuple<F...> const&, More const&...));

/// checkpoint(f, keep...): f, of which reverse mode keeps the arguments, and what one of `keep` says: keep_none,
/// keep_dots, keep_names<"a", "b">, keep_all. It computes the rest again.
///
/// diff    the same numbers from less memory: bit for bit where f reads each argument once
/// errors  E087 this says nothing of what to keep of a function
/// source  JAX checkpoint (remat) and its policies: nothing_saveable, dots_saveable, save_only_these_names,
/// everything_saveable
template <class F, class... Keep> constexpr auto checkpoint(F f, Keep...) {
  if constexpr ((control::kept_of_function<Keep> && ...)) return control::checkpointed<F, Keep...>{f};
  else {
    message::fail<message::E087_not_kept_of_a_function<Keep...>>();
    return f;
  }
}

}  // namespace etna
