// SPDX-License-Identifier: BSD-3-Clause
// What layers share: options among their template arguments, whether a call trains, the check of their features. A
// layer is a plain struct of its parameters with a call; a model is a plain struct of layers. Read next: dense.hpp.
#pragma once
#include <etna/numpy/linalg.hpp>

#include "init.hpp"

namespace etna::nn {

/// A real number as a template argument: nn::dropout<0.1>.
struct real {
  double value;
  constexpr real(double v) : value(v) {}
};

/// Whether a layer adds a bias: nn::dense<float, 784, 10, nn::no_bias>.
enum class bias_option : bool { none, some };
inline constexpr bias_option no_bias = bias_option::none, with_bias = bias_option::some;

/// What a call is for, the last argument of layers that ask: evaluation, or training; a random key says training too,
/// and is what dropout draws from.
struct evaluation_t {};
struct training_t {};
inline constexpr evaluation_t evaluation{};
inline constexpr training_t training{};
template <class M> concept call_mode = std::is_same_v<std::remove_cvref_t<M>, evaluation_t> ||
                                       std::is_same_v<std::remove_cvref_t<M>, training_t> || random::one_key<M>;

/// The mode of part n of a model: another key where it is a key, otherwise itself.
template <call_mode M> constexpr auto fold_in(M const& mode, int n) {
  if constexpr (random::one_key<M>) return random::fold_in(mode, n);
  else return mode;
}

/// Extents as one template argument: nn::dense_general<float, nn::shape<64>, nn::shape<4, 16>>.
template <extent... E> struct shape {
  static constexpr extent size = (E * ... * 1);
  static constexpr int rank = int(sizeof...(E));
};

namespace detail {

/// Do A's last axes have these extents? Otherwise the compiler stops with the reason.
template <class A, extent... E> constexpr bool require_features() {
  constexpr bool fits = [] {
    constexpr int n = int(sizeof...(E));
    if (A::rank < n) return false;
    extent const wanted[]{E..., 0};
    for (int i = 0; i < n; ++i)
      if (A::type.e[A::rank - n + i] != wanted[i]) return false;
    return true;
  }();
  if constexpr (!fits)
    message::fail<
        message::E066_features_of_another_size<message::shape_text<E...>, typename numpy::text_of<A>::type>>();
  return fits;
}
/// The type of A whose last Drop axes are others.
template <class A, int Drop, extent... E> struct with_features {
  static constexpr tensor_type value = [] {
    tensor_type t = A::type;
    for (int i = 0; i < Drop; ++i) t = t.drop(t.rank - 1);
    ((t = t.insert(t.rank, E)), ...);
    return t;
  }();
};
/// What a layer that has refused x gives, so that no layer behind it refuses too.
template <int Drop, extent... E, class A> constexpr auto refused(A const&) {
  return array_of<with_features<A, (Drop < A::rank ? Drop : A::rank), E...>>{};
}
/// x with other last axes, as many elements.
template <int Drop, extent... E, class A> constexpr auto with_last(A const& x) {
  using R = array_of<with_features<A, Drop, E...>>;
  tensor_type t = numpy::to_handle(x).type();
  for (int i = 0; i < Drop; ++i) t = t.drop(t.rank - 1);
  ((t = t.insert(t.rank, E)), ...);
  return numpy::to_array<R>(numpy::reshape(numpy::to_handle(x), t));
}

}  // namespace detail
}  // namespace etna::nn
