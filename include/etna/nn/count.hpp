// SPDX-License-Identifier: BSD-3-Clause
// The size of a model as constants: its parameters, and the operations of a call. Read next: summary.hpp.
#pragma once
#include <algorithm>

#include <etna/array/path.hpp>
#include <etna/compiler/program.hpp>

namespace etna::nn {

namespace detail {

/// A function of a model and its inputs: the model's call.
struct call_of_model {
  template <class Net, class... X> constexpr auto operator()(Net const& net, X const&... x) const { return net(x...); }
};

/// Of a frame of a plan, and of the blocks that it runs.
constexpr extent product_flops(planning::plan const& p, planning::frame const& f) {
  extent n = 0;
  for (int i = f.step; i < f.step + f.steps; ++i) {
    planning::step const& s = p.steps[i];
    if (planning::is<planning::product_step>(s)) n += 2 * s.loop[0] * s.loop[1] * s.loop[2] * s.loop[3];
    if (!planning::is_nested(s)) continue;
    planning::frame_list const blocks = planning::frames_of(p, s);
    extent inside = 0;
    for (int k = 0; k < blocks.n; ++k) {
      extent const one = product_flops(p, p.frames[blocks[k]]);
      inside = planning::facts_of(s).takes_one ? std::max(inside, one) : inside + one;
    }
    n += inside * std::max<extent>(planning::facts_of(s).rounds(p, s), 1);
  }
  return n;
}

}  // namespace detail

/// Floating-point operations of the matrix products and convolutions of one call, net(inputs...), two for each
/// multiply-add: the number by which models are compared. Of a branch that which has most, of a while loop one round.
///
/// cost    a constant: the compiler traces and plans the call, and makes no kernels
/// errors  as a call of the model
template <class Net, any_array... Input> requires(Input::is_static && ...)
constexpr extent product_flops() {
  constexpr planning::plan p(compiler::program<detail::call_of_model, Net, Input...>::value);
  return detail::product_flops(p, p.frames[p.n_frames - 1]);
}

/// Number of a model's parameters: the elements of all its leaves.
template <class Net> constexpr extent parameter_count() {
  return []<std::size_t... Nth>(std::index_sequence<Nth...>) {
    auto one = []<class A>(std::type_identity<A>) {
      extent n = 1;
      if constexpr (any_array<A>)
        for (int i = 0; i < A::rank; ++i) n *= A::type.e[i];
      return n;
    };
    return (one(std::type_identity<typename tree::path<Net, int(Nth)>::leaf>{}) + ... + extent(0));
  }(std::make_index_sequence<std::size_t(tree::size<Net>())>{});
}

}  // namespace etna::nn
