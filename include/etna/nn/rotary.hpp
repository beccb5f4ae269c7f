// SPDX-License-Identifier: BSD-3-Clause
// Rotary positions: pairs of features turned by an angle that grows with the position. Read next: attention_layer.hpp.
#pragma once
#include <etna/numpy/blocks.hpp>
#include <etna/numpy/elementary.hpp>
#include <etna/numpy/join.hpp>
#include <etna/numpy/trigonometry.hpp>

#include "attention.hpp"

namespace etna::nn {

/// Option of multi_head_attention: queries and keys are turned by their positions.
struct rotary {
  double base = 10000;
};
template <class O> concept attention_layer_option = attention_option<O> || std::is_same_v<O, rotary>;

/// x with feature i of each head's first half and feature i of its second turned by the angle p base^(-2 i / h), where
/// p is the position, counted from `first`, a number or an integer array of one.
///
/// shape   x [..., t, n, h], h even -> the same
/// diff    linear in x
/// source  Su et al., arXiv 2104.09864; halves as in GPT-NeoX
template <any_array A, numpy::integer_operand P = int> requires(A::rank >= 3 && A::type.e[A::rank - 1] % 2 == 0)
constexpr auto rotary_embedding(A const& x, P const& first = 0, double base = 10000) {
  using T = typename A::value_type;
  constexpr extent t = A::type.e[A::rank - 3], half = A::type.e[A::rank - 1] / 2;
  auto inverse = pow(array<T>(T(base)), arange<T, half>() * T(-1. / double(half)));
  auto position = astype<T>(arange<int, t>() + first);
  auto angle = reshape<t, 1, half>(expand_dims<1>(position) * inverse);
  auto [a, b] = split<2, -1>(x);
  return A(concatenate<-1>(a * cos(angle) - b * sin(angle), b * cos(angle) + a * sin(angle)));
}

}  // namespace etna::nn
