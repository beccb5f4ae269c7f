// SPDX-License-Identifier: BSD-3-Clause
// Names of extents and the sizes that they have in a call: learned from arguments, and known to be told by them.
// Read next: run.hpp.
#pragma once
#include <etna/array/tree.hpp>
#include <etna/message/runtime.hpp>
#include <etna/rewrite/plan.hpp>

namespace etna::exec {

/// Sizes of names from an argument of type t; E110 where arguments disagree.
inline void learn_sizes(tensor_type const& t, extent const* shape, ext::bindings& size) {
  for (int i = 0; i < t.rank; ++i)
    if (t.e[i] < 0 && !size.learn(t.e[i], shape[i])) {
      char text[48]{};
      *ext::write(text, t.e[i]) = 0;
      bool known = size.knows(t.e[i]);
      message::raise<110>(std::string(text) + " is " + std::to_string(shape[i]) + " here" +
                          (known ? " and " + std::to_string(size(t.e[i])) + " elsewhere" : ", which no size of the name gives"));
    }
}

/// Do sizes that are derived from more than one name agree with what the names turned out to be?
inline void check_sizes(tensor_type const& t, extent const* shape, ext::bindings const& size) {
  for (int i = 0; i < t.rank; ++i)
    if (t.e[i] < 0 && ext::name_told(t.e[i]) == 0 && size(t.e[i]) != shape[i]) {
      char text[48]{};
      *ext::write(text, t.e[i]) = 0;
      message::raise<110>(std::string(text) + " is " + std::to_string(shape[i]) + " here, and by its names " + std::to_string(size(t.e[i])));
    }
}

/// Has a shape a size that tells no name?
constexpr bool has_products(tensor_type const& t) {
  for (int i = 0; i < t.rank; ++i)
    if (t.e[i] < 0 && ext::name_told(t.e[i]) == 0) return true;
  return false;
}
template <class Leaves> struct leaf_types;
template <class... L> struct leaf_types<std::tuple<L...>> { static constexpr tensor_type types[sizeof...(L) + 1] = {L::type..., tensor_type{}}; };
/// Do the parameters P tell all names in P, in the result R, and in the program's buffers?
template <class Program, class R, class... P> constexpr bool names_told() {
  if constexpr (Program::value.is_static) return true;
  else {
    using all_leaves = leaf_types<decltype(tree::leaves(std::declval<std::tuple<P..., R> const&>()))>;
    ext::bindings told;
    for (int k = 0; k < (tree::size<P>() + ... + 0); ++k)
      for (extent e : all_leaves::types[k].e)
        if (extent name = e < 0 ? ext::name_told(e) : 0) told.bind(name, 1);
    bool all = true;
    for (tensor_type const& t : all_leaves::types)
      for (int i = 0; i < t.rank; ++i) all = all && told.knows(t.e[i]);
    auto const& plan = Program::value;
    for (int k = 0; k < plan.n_buffers; ++k) {
      rewrite::buffer const& b = plan.buffers[k];
      all = all && told.knows(b.size) && (b.kind != rewrite::buffer::size_of || told.knows(plan.numbers[b.index]));
    }
    for (int k = 0; k < plan.n_steps; ++k)
      if (plan.steps[k].kind == rewrite::step_kind::fused) {
        all = all && told.knows(plan.steps[k].inner);
        for (int i = 0; i < plan.steps[k].n_outer + plan.steps[k].n_mid; ++i) all = all && told.knows(plan.steps[k].loop[i]);
      }
    return all;
  }
}

}  // namespace etna::exec
