// SPDX-License-Identifier: BSD-3-Clause
// Orthogonal initializers. The factor Q of a matrix of normal numbers, where R has a positive diagonal, is one matrix
// whoever computes it: here Gram and Schmidt, column by column, each twice. Read next: init.hpp.
#pragma once
#include <etna/control/loop.hpp>
#include <etna/numpy/linalg.hpp>

#include "initializer.hpp"

namespace etna::nn::initializers {

namespace detail {
/// Orthonormal columns that span those of a, each on the side of its own.
template <class T, extent R, extent C> constexpr array<T, R, C> orthonormal(array<T, R, C> const& a) {
  auto step = [](auto const& k, auto const& carry) {
    auto const& [from, q] = carry;
    auto v = dynamic_slice<R, 1>(from, array<int>(0), k);
    for (int twice = 0; twice < 2; ++twice) v = v - dot(q, dot(transpose(q), v));
    return std::pair{from, dynamic_update_slice(q, v * rsqrt(sum(square(v))), array<int>(0), k)};
  };
  return fori_loop<0, int(C)>(step, std::pair{a, etna::zeros<T, R, C>()}).second;
}
}  // namespace detail

/// Matrices whose columns are orthonormal, or whose rows are where those are fewer, times the scale. All axes but the
/// column's are the rows.
///
/// errors  E005 fewer than two axes
/// source  JAX nn.initializers.orthogonal; Saxe et al., arXiv 1312.6120; Mezzadri, Notices of the AMS 54 (2007)
struct orthogonal {
  double scale = 1;
  template <element T, extent... E, random::one_key K> constexpr auto operator()(K const& key) const {
    static_assert(
        message::holds<(sizeof...(E) > 1), message::E005_axis_out_of_range<message::axis<-2>, array<T, E...>>>);
    constexpr extent all = (E * ... * 1), columns = array<T, E...>::extents[sizeof...(E) - 1], rows = all / columns;
    if constexpr (rows >= columns)
      return T(scale) * reshape<E...>(detail::orthonormal(random::normal<T, rows, columns>(key)));
    else return T(scale) * reshape<E...>(transpose(detail::orthonormal(random::normal<T, columns, rows>(key))));
  }
};

/// Kernels of convolutions that are an orthogonal matrix in their middle and 0 elsewhere.
///
/// shape   [..., in, out] of 3 to 5 axes, in at most out
/// source  JAX nn.initializers.delta_orthogonal; Xiao et al., arXiv 1806.05393
struct delta_orthogonal {
  double scale = 1;
  template <element T, extent... E, random::one_key K> constexpr auto operator()(K const& key) const {
    constexpr int rank = int(sizeof...(E));
    static_assert(
        message::holds<(rank >= 3 && rank <= 5), message::E005_axis_out_of_range<message::axis<-3>, array<T, E...>>>);
    constexpr auto e = array<T, E...>::extents;
    constexpr extent in = e[rank - 2], out = e[rank - 1];
    auto middle = [](auto const& at, extent n) { return equal(at, int((n - 1) / 2)); };
    auto q = orthogonal{scale}.template operator()<T, in, out>(key);
    if constexpr (rank == 3) return where(reshape<e[0], 1, 1>(middle(arange<int, e[0]>(), e[0])), expand_dims<0>(q), 0);
    else if constexpr (rank == 4)
      return where(reshape<e[0], 1, 1, 1>(middle(arange<int, e[0]>(), e[0])) &
                       reshape<e[1], 1, 1>(middle(arange<int, e[1]>(), e[1])),
                   reshape<1, 1, in, out>(q), 0);
    else
      return where(reshape<e[0], 1, 1, 1, 1>(middle(arange<int, e[0]>(), e[0])) &
                       reshape<e[1], 1, 1, 1>(middle(arange<int, e[1]>(), e[1])) &
                       reshape<e[2], 1, 1>(middle(arange<int, e[2]>(), e[2])),
                   reshape<1, 1, 1, in, out>(q), 0);
  }
};

}  // namespace etna::nn::initializers
