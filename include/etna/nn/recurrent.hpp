// SPDX-License-Identifier: BSD-3-Clause
// Recurrent cells, and their run along an axis: lstm_cell, gru_cell, simple_cell, rnn. A cell gives {carry, y}, as the
// function of a scan does. Read next: count.hpp.
#pragma once
#include <etna/control/scan.hpp>
#include <etna/numpy/manipulate.hpp>

#include "dense.hpp"
#include "orthogonal.hpp"

namespace etna::nn {

namespace detail {
template <class T, class A, extent H> struct state_beside {
  static constexpr tensor_type value = with_features<A, 1, H>::value.with(dtype_of<T>);
};
/// Zeros [..., H] beside x [..., In].
template <extent H, class T, class A> constexpr auto start_of(A const& x) {
  tensor_type t = numpy::to_handle(x).type().with(dtype_of<T>);
  t.e[t.rank - 1] = H;
  return numpy::to_array<array_of<state_beside<T, A, H>>>(numpy::full(t, 0));
}
/// Kernels of what comes from the state before.
template <class T, extent H, bias_option Bias> constexpr auto recurrent() {
  return nn::initial(&dense<T, H, H, Bias>::kernel, initializers::orthogonal{});
}
}  // namespace detail

/// Long short-term memory. The carry is {c, h}, the result h. `if_` is `if` in paths.
///
/// shape   carry {[..., H], [..., H]}, x [..., In] -> {carry, [..., H]}
/// init    kernels lecun_normal, those of the state orthogonal, biases (of the state's) zeros; start(x): zeros
/// errors  E066 x has another number of features
/// source  flax LSTMCell; Hochreiter and Schmidhuber, Neural Computation 9 (1997)
template <element T, extent In, extent H> struct lstm_cell {
  dense<T, In, H, no_bias> ii, if_, ig, io;
  dense<T, H, H> hi, hf, hg, ho;
  static constexpr auto names = tree::names("ii", "if", "ig", "io", "hi", "hf", "hg", "ho");
  static constexpr auto from_state = detail::recurrent<T, H, with_bias>();
  static constexpr auto initial = nn::initial(&lstm_cell::hi, from_state, &lstm_cell::hf, from_state, &lstm_cell::hg,
                                              from_state, &lstm_cell::ho, from_state);

  template <any_array A> static constexpr auto start(A const& x) {
    auto zero = detail::start_of<H, T>(x);
    return std::pair{zero, zero};
  }
  template <class C, any_array A> constexpr auto operator()(C const& carry, A const& x) const {
    auto const& [c, h] = carry;
    auto i = sigmoid(ii(x) + hi(h)), f = sigmoid(if_(x) + hf(h)), o = sigmoid(io(x) + ho(h));
    auto next = f * c + i * tanh(ig(x) + hg(h));
    auto y = o * tanh(next);
    return std::pair{std::pair{next, y}, y};
  }
};

/// Gated recurrent unit. The carry is the result, h.
///
/// shape   carry [..., H], x [..., In] -> {carry, [..., H]}
/// init    kernels lecun_normal, those of the state orthogonal, biases zeros; start(x): zeros
/// errors  E066 x has another number of features
/// source  flax GRUCell; Cho et al., arXiv 1406.1078
template <element T, extent In, extent H> struct gru_cell {
  dense<T, In, H> ir, iz, in;
  dense<T, H, H, no_bias> hr, hz;
  dense<T, H, H> hn;
  static constexpr auto initial =
      nn::initial(&gru_cell::hr, detail::recurrent<T, H, no_bias>(), &gru_cell::hz, detail::recurrent<T, H, no_bias>(),
                  &gru_cell::hn, detail::recurrent<T, H, with_bias>());

  template <any_array A> static constexpr auto start(A const& x) { return detail::start_of<H, T>(x); }
  template <class C, any_array A> constexpr auto operator()(C const& h, A const& x) const {
    auto r = sigmoid(ir(x) + hr(h)), z = sigmoid(iz(x) + hz(h));
    auto n = tanh(in(x) + r * hn(h));
    auto y = (1 - z) * n + z * h;
    return std::pair{y, y};
  }
};

/// tanh of a product of the input and one of the state. The carry is the result, h.
///
/// shape   carry [..., H], x [..., In] -> {carry, [..., H]}
/// init    kernels lecun_normal, that of the state orthogonal, bias zeros; start(x): zeros
/// errors  E066 x has another number of features
/// source  flax SimpleCell
template <element T, extent In, extent H> struct simple_cell {
  dense<T, In, H> i;
  dense<T, H, H, no_bias> h;
  static constexpr auto initial = nn::initial(&simple_cell::h, detail::recurrent<T, H, no_bias>());

  template <any_array A> static constexpr auto start(A const& x) { return detail::start_of<H, T>(x); }
  template <class C, any_array A> constexpr auto operator()(C const& carry, A const& x) const {
    auto y = tanh(i(x) + h(carry));
    return std::pair{y, y};
  }
};

/// A cell along the last axis but one, from `start` on or from a carry that is given.
///
/// shape   x [..., t, In] -> [..., t, H]; with a carry behind x: {the last carry, [..., t, H]}
/// cost    a scan: compile time does not depend on t
/// source  flax RNN
template <class Cell> struct rnn {
  Cell cell;

  template <any_array A> requires(A::rank > 1)
  constexpr auto operator()(A const& x) const {
    return (*this)(x, Cell::start(take<-2>(x, array<int>(0)))).second;
  }
  template <any_array A, class C> requires(A::rank > 1)
  constexpr auto operator()(A const& x, C const& carry) const {
    auto [last, y] = scan(cell, carry, moveaxis<-2, 0>(x));
    return std::pair{last, moveaxis<0, -2>(y)};
  }
};

}  // namespace etna::nn
