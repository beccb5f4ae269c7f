// SPDX-License-Identifier: BSD-3-Clause
// batch_norm, a layer with a running state, which is handed in and given back beside the result. Read next:
// attention_layer.hpp.
#pragma once
#include <etna/control/named_axis.hpp>

#include "layer.hpp"

namespace etna::nn {

namespace detail {
/// Is x one example of a vmap that has no name for its axis?
template <class A> constexpr bool is_unnamed_example(A const& x) {
  auto* g = transform::graph_around(x);
  return g && g->depth > 0 && g->names[g->depth] == 0;
}
}  // namespace detail

/// Features without mean and of variance 1 over the batch, scaled and shifted. A call gives {y, state}: in training
/// (nn::training, or a key) by mean and variance of x, the state moved towards them; with nn::evaluation by those of
/// the state, which stays.
///
/// Name    of the axis of the vmap that the batch lies on: x is then one example, and the mean is over all of them
/// shape   x [..., C], a batch -> {[..., C], state}; with a name also x [C]
/// state   batch_norm::state, a tree: nn::init<state>(key) is mean zeros, var ones; beside a model, a struct of them
/// init    scale ones, bias zeros
/// diff    through mean and variance of the batch
/// errors  E066 x has another number of features, E096 one example, and no name, E078 no vmap has the name
/// source  flax BatchNorm (momentum 0.99, epsilon 1e-5, the biased variance); Ioffe and Szegedy, arXiv 1502.03167
template <element T, extent C, extent Name = 0, real Momentum = 0.99, real Epsilon = 1e-5> struct batch_norm {
  array<T, C> scale, bias;
  static constexpr auto initial = nn::initial(&batch_norm::scale, initializers::ones);

  struct state {
    array<T, C> mean, var;
    static constexpr auto initial = nn::initial(&state::var, initializers::ones);
  };

  template <any_array A, call_mode M> constexpr auto operator()(A const& x, state const& running, M const&) const {
    constexpr bool evaluates = std::is_same_v<M, evaluation_t>;
    if constexpr (!detail::require_features<A, C>()) return std::pair{x, running};
    else if constexpr (evaluates) return std::pair{normalized(x, running.mean, running.var), running};
    else if constexpr (A::rank == 1 && Name == 0) {
      message::fail<message::E096_batch_norm_of_one_example<typename numpy::text_of<A>::type>>();
      return std::pair{x, running};
    } else {
      if (Name == 0 && detail::is_unnamed_example(x))
        tracing::refuse<message::batch_norm_of_one_example>(transform::graph_around(x));
      auto average = over_batch(x);
      auto variance = over_batch(square(x - average));
      auto moved = [](auto const& from, auto const& to) {
        return from * T(Momentum.value) + stop_gradient(to) * T(1 - Momentum.value);
      };
      return std::pair{normalized(x, average, variance),
                       state{moved(running.mean, average), moved(running.var, variance)}};
    }
  }

 private:
  template <class A, class S> constexpr auto normalized(A const& x, S const& mean, S const& var) const {
    return (x - mean) * (rsqrt(var + Epsilon.value) * scale) + bias;
  }
  template <class A> static constexpr array<T, C> over_batch(A const& x) {
    auto own = [&]<int... Nth>(std::integer_sequence<int, Nth...>) {
      if constexpr (sizeof...(Nth) == 0) return x;
      else return etna::mean<Nth...>(x);
    }(std::make_integer_sequence<int, A::rank - 1>{});
    if constexpr (Name == 0) return own;
    else return pmean<Name>(own);
  }
};

}  // namespace etna::nn
