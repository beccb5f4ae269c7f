// SPDX-License-Identifier: BSD-3-Clause
// L-BFGS: steps along the gradient times an inverse Hessian, of which the last few steps and changes of the gradient
// are all that is kept. Read next: <etna/data/checkpoint.hpp>, which saves states.
#pragma once
#include <etna/control/scan.hpp>
#include <etna/numpy/pick.hpp>

#include "scale.hpp"
#include "zoom.hpp"

namespace etna::optim {

/// Steps taken; parameters and gradient of the last one; the last steps and changes of the gradient, one behind the
/// other, and 1 over their products.
template <class P, class M, class W> struct scale_by_lbfgs_state {
  array<int> count;
  P params, updates;
  M diff_params_memory, diff_updates_memory;
  W weights_memory;
};

namespace detail {

/// The gradient times the inverse Hessian that the memory tells, from its oldest entry on.
template <int M, class U, class S, class R>
constexpr auto by_inverse_hessian(U const& updates, S const& memory, R const& scale) {
  auto entry = [&](auto const& i) {
    auto at = [&](auto const& x) { return squeeze<0>(dynamic_slice_in_dim<1>(x, i)); };
    return std::tuple{tree::map(at, memory.diff_params_memory), tree::map(at, memory.diff_updates_memory),
                      at(memory.weights_memory)};
  };
  auto minus = [](auto const& u, auto const& share, auto const& d) {
    return each([&](auto const& x, auto const& y) { return x - beside(x, share) * y; }, u, d);
  };
  auto right = [&](auto const& u, auto const& i) {
    auto [step, change, weight] = entry(i);
    auto share = weight * inner_product(step, u);
    return std::pair{minus(u, share, change), share};
  };
  auto left = [&](auto const& u, auto const& of) {
    auto [step, change, weight] = entry(of.first);
    return std::pair{minus(u, weight * inner_product(change, u) - of.second, step), tree::nothing{}};
  };
  array<int, M> const oldest_first = (memory.count + arange<int, M>()) % M;
  auto [half, shares] = scan(right, updates, oldest_first, backward);
  auto scaled = each([&](auto const& u) { return beside(u, scale) * u; }, half);
  return scan(left, scaled, std::pair{oldest_first, shares}).first;
}

}  // namespace detail

/// The gradient times an inverse Hessian, told by the last M steps. With scale_init_precond it begins as a multiple of
/// the identity that fits the last step. update takes the parameters.
///
/// errors  E144 update was given no parameters
/// source  Nocedal and Wright, Numerical Optimization, 2006, algorithm 7.4; Optax scale_by_lbfgs
template <int MemorySize = 10> requires(MemorySize > 0)
constexpr auto scale_by_lbfgs(bool scale_init_precond = true) {
  auto start = []<class P>(P const& parameters) {
    auto zero = detail::filled(parameters);
    auto many = [&] {
      return tree::map(
          [](auto const& x) {
            return numpy::filled<array_of<transform::with_axis<std::remove_cvref_t<decltype(x)>, 0, MemorySize>>>(0);
          },
          zero);
    };
    auto weights = zeros<detail::real_of<P>, MemorySize>();
    return scale_by_lbfgs_state<decltype(zero), decltype(many()), decltype(weights)>{
        array<int>(0), zero, detail::filled(parameters), many(), many(), weights};
  };
  return detail::rule_of(start, [=](auto const& updates, auto const& state, auto const& parameters) {
    using S = std::remove_cvref_t<decltype(state)>;
    constexpr bool given = detail::require_parameters<std::remove_cvref_t<decltype(parameters)>>();
    if constexpr (!given) return std::pair{updates, state};
    else {
      auto begun = state.count > 0;
      auto difference = [&](auto const& before, auto const& now) {
        return where(begun, detail::beside(before, now) - before, 0);
      };
      auto step = detail::each(difference, state.params, parameters);
      auto change = detail::each(difference, state.updates, updates);
      auto product = detail::inner_product(change, step), length = detail::inner_product(change, change);
      auto weight = where(equal(product, 0), 0, 1 / product);
      auto last = (state.count - 1) % MemorySize;
      auto put = [&](auto const& all, auto const& one) {
        return dynamic_update_slice_in_dim(all, expand_dims<0>(one), last);
      };
      auto same = [](auto const& before, auto const& now) { return detail::beside(before, now); };
      S memory{state.count,
               detail::each(same, state.params, parameters),
               detail::each(same, state.updates, updates),
               tree::map(put, state.diff_params_memory, step),
               tree::map(put, state.diff_updates_memory, change),
               put(state.weights_memory, weight)};
      auto scale = full_like(product, 1);
      if (scale_init_precond)
        scale = where(begun, where(length > 0, product / length, 1), minimum(1, 1 / global_norm(updates)));
      auto moved = detail::by_inverse_hessian<MemorySize>(updates, memory, scale);
      memory.count = state.count + 1;
      return std::pair{moved, memory};
    }
  });
}

/// The states of its two parts.
template <class B, class L> struct lbfgs_state {
  B lbfgs;
  L linesearch;
};
/// L-BFGS with a line search: auto [updates, next] = optim::lbfgs<10>{}.update(gradient, state, parameters, value, f),
/// where f gives the value of parameters. It is no part of a chain. The state has value and gradient behind the step:
/// next.linesearch.value.
/// With a rate in place of the search it is chain(scale_by_lbfgs<10>(), scale_by_learning_rate(rate)).
///
/// source  Liu and Nocedal, On the limited memory BFGS method, 1989; Optax lbfgs
/// example test/unit/optim/lbfgs.cpp  [lbfgs is Optax's]
template <int MemorySize = 10> struct lbfgs final {
  zoom_linesearch_options linesearch{};
  bool scale_init_precond = true;

  template <class P> constexpr auto init(P const& parameters) const {
    auto b = scale_by_lbfgs<MemorySize>(scale_init_precond).init(parameters);
    auto l = scale_by_zoom_linesearch{linesearch}.init(parameters);
    return lbfgs_state<decltype(b), decltype(l)>{b, l};
  }
  template <class G, class S, class P, class V, class F> constexpr auto update(G const& gradient, S const& state,
                                                                               P const& parameters, V const& value,
                                                                               F const& value_fn) const {
    auto [preconditioned, b] = scale_by_lbfgs<MemorySize>(scale_init_precond).update(gradient, state.lbfgs, parameters);
    auto down = detail::each([](auto const& u) { return -u; }, preconditioned);
    auto [updates, l] =
        scale_by_zoom_linesearch{linesearch}.update(down, state.linesearch, parameters, value, gradient, value_fn);
    return std::pair{updates, S{b, l}};
  }
};

}  // namespace etna::optim
