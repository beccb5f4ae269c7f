// SPDX-License-Identifier: BSD-3-Clause
// Names of extents and the sizes that they have in a call: learned from arguments, and known to be told by them.
// Read next: run.hpp.
#pragma once
#include <etna/array/tree.hpp>
#include <etna/planning/plan.hpp>

namespace etna::exec {

using ext::check_sizes;
using ext::has_products;
using ext::learn_sizes;

/// E032 where an axis is empty in this call over which the program takes an extreme.
inline void check_elements(std::int64_t const* needed, int n, ext::bindings const& size) {
  for (int k = 0; k < n; ++k)
    if (extent e = needed[2 * k + 1]; size(e) == 0)
      message::raise<32>(std::string(ops::names.at[needed[2 * k]]) + " over " + ext::text_of(e));
}

template <class Leaves> struct leaf_types;
template <class... L> struct leaf_types<std::tuple<L...>> {
  static constexpr tensor_type types[sizeof...(L) + 1] = {L::type..., tensor_type{}};
};
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
      planning::buffer const& b = plan.buffers[k];
      all = all && told.knows(b.size) && (b.kind != planning::buffer::size_of || told.knows(plan.numbers[b.index]));
    }
    for (int k = 0; k < plan.n_steps; ++k)
      if (planning::is<planning::kernel_step>(plan.steps[k])) {
        all = all && told.knows(plan.steps[k].inner);
        for (int i = 0; i < plan.steps[k].n_outer + plan.steps[k].n_mid; ++i)
          all = all && told.knows(plan.steps[k].loop[i]);
      }
    return all;
  }
}

}  // namespace etna::exec
