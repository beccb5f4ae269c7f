// SPDX-License-Identifier: BSD-3-Clause
// Initializers under JAX's names (jax.nn.initializers), with its numbers for the same key: objects that make an array
// of a key, init.operator()<float, 3, 4>(key), which nn::init does for each leaf of a model. Read next: orthogonal.hpp.
#pragma once
#include <etna/random/distribution.hpp>

namespace etna::nn {
namespace initializers {

namespace detail {
/// The square root as a constant: Newton's iteration from above, until it falls no more.
constexpr double root(double x) {
  if (!(x > 0)) return 0;
  double r = x > 1 ? x : 1;
  for (double next = (r + x / r) / 2; next < r; next = (r + x / r) / 2) r = next;
  return r;
}
/// x times a number, in x's memory.
template <class A, class T> constexpr A times(A x, T by) {
  return random::detail::changed(std::move(x), [by](auto const& part) { return part * by; });
}
}  // namespace detail

/// Arrays of one value: zeros, ones, constant(0.5).
///
/// source  JAX nn.initializers.constant
struct constant {
  double value;
  template <element T, extent... E, random::one_key K> constexpr auto operator()(K const&) const {
    return etna::full<T, E...>(T(value));
  }
};
inline constexpr constant zeros{0}, ones{1};

/// Numbers of the normal distribution with this standard deviation.
///
/// source  JAX nn.initializers.normal
struct normal {
  double stddev = 1e-2;
  template <element T, extent... E, random::one_key K> constexpr auto operator()(K const& key) const {
    return detail::times(random::normal<T, E...>(key), T(stddev));
  }
};

/// Uniform numbers from 0 up to the scale.
///
/// source  JAX nn.initializers.uniform
struct uniform {
  double scale = 1e-2;
  template <element T, extent... E, random::one_key K> constexpr auto operator()(K const& key) const {
    return detail::times(random::uniform<T, E...>(key), T(scale));
  }
};

/// Numbers of the normal distribution cut to (lower, upper), times stddev.
///
/// source  JAX nn.initializers.truncated_normal
struct truncated_normal {
  double stddev = 1e-2, lower = -2, upper = 2;
  template <element T, extent... E, random::one_key K> constexpr auto operator()(K const& key) const {
    return detail::times(random::truncated_normal<T, E...>(key, T(lower), T(upper)), T(stddev));
  }
};

/// What variance_scaling divides by, and from which distribution it draws.
enum class fan { in, out, avg, geo_avg };
enum class draw_from { truncated_normal, normal, uniform };

/// Numbers of variance scale / n, where n is the number of inputs, of outputs, or their mean. The axes of the inputs
/// and of the outputs count from the end by default; all others are a receptive field.
///
/// errors  E005 the array has no such axis
/// source  JAX nn.initializers.variance_scaling
struct variance_scaling {
  double scale;
  fan mode;
  draw_from distribution;
  int in_axis = -2, out_axis = -1;

  template <element T, extent... E, random::one_key K> constexpr auto operator()(K const& key) const {
    static_assert(
        message::holds<(sizeof...(E) > 1), message::E005_axis_out_of_range<message::axis<-2>, array<T, E...>>>);
    using F = std::conditional_t<sizeof(T) < 4, float, T>;  // where JAX rounds, it rounds to T
    T const variance = T(scale / denominator({E...}));
    auto root = [](F v) { return T(F(detail::root(double(v)))); };
    if (distribution == draw_from::truncated_normal) {
      // 0.8796...: the standard deviation of what is cut at two of them
      T const stddev = T(F(root(F(variance))) / F(T(.87962566103423978)));
      return detail::times(random::truncated_normal<T, E...>(key, T(-2), T(2)), stddev);
    }
    if (distribution == draw_from::normal) return detail::times(random::normal<T, E...>(key), root(F(variance)));
    return detail::times(random::uniform<T, E...>(key, T(-1)), root(F(T(3 * F(variance)))));
  }

 private:
  template <std::size_t N> constexpr double denominator(extent const (&e)[N]) const {
    auto size = [&](int axis) { return double(e[std::size_t(axis < 0 ? axis + int(N) : axis)]); };
    double all = 1;
    for (extent n : e) all *= double(n);
    double const in = all / size(out_axis), out = all / size(in_axis);
    return mode == fan::in ? in : mode == fan::out ? out : mode == fan::avg ? (in + out) / 2 : detail::root(in * out);
  }
};

/// Of fan-in, of its mean with fan-out, and of fan-in with variance 2.
///
/// source  JAX nn.initializers: LeCun et al., Efficient BackProp (1998); Glorot and Bengio, AISTATS 9 (2010); He et
///         al.,
///         arXiv 1502.01852
constexpr variance_scaling lecun_normal(int in_axis = -2, int out_axis = -1) {
  return {1, fan::in, draw_from::truncated_normal, in_axis, out_axis};
}
constexpr variance_scaling lecun_uniform(int in_axis = -2, int out_axis = -1) {
  return {1, fan::in, draw_from::uniform, in_axis, out_axis};
}
constexpr variance_scaling glorot_normal(int in_axis = -2, int out_axis = -1) {
  return {1, fan::avg, draw_from::truncated_normal, in_axis, out_axis};
}
constexpr variance_scaling glorot_uniform(int in_axis = -2, int out_axis = -1) {
  return {1, fan::avg, draw_from::uniform, in_axis, out_axis};
}
constexpr variance_scaling he_normal(int in_axis = -2, int out_axis = -1) {
  return {2, fan::in, draw_from::truncated_normal, in_axis, out_axis};
}
constexpr variance_scaling he_uniform(int in_axis = -2, int out_axis = -1) {
  return {2, fan::in, draw_from::uniform, in_axis, out_axis};
}
/// glorot_normal, glorot_uniform, he_normal and he_uniform under their other names.
constexpr variance_scaling xavier_normal(int in_axis = -2, int out_axis = -1) {
  return glorot_normal(in_axis, out_axis);
}
constexpr variance_scaling xavier_uniform(int in_axis = -2, int out_axis = -1) {
  return glorot_uniform(in_axis, out_axis);
}
constexpr variance_scaling kaiming_normal(int in_axis = -2, int out_axis = -1) { return he_normal(in_axis, out_axis); }
constexpr variance_scaling kaiming_uniform(int in_axis = -2, int out_axis = -1) {
  return he_uniform(in_axis, out_axis);
}

/// Another initializer's matrix of the first Rows axes by the others, in the shape of all of them.
///
/// source  flax DenseGeneral
template <int Rows, class With> struct matrix_of {
  With with;
  template <element T, extent... E, random::one_key K> constexpr auto operator()(K const& key) const {
    constexpr auto both = [] {
      std::array<extent, 2> n{1, 1};
      int k = 0;
      ((n[k++ < Rows ? 0 : 1] *= E), ...);
      return n;
    }();
    return reshape<E...>(with.template operator()<T, both[0], both[1]>(key));
  }
};
template <int Rows, class With> constexpr matrix_of<Rows, With> as_matrix(With const& with) { return {with}; }

}  // namespace initializers

namespace detail {
template <class A> struct drawn;
template <class T, extent... E> struct drawn<array<T, E...>> {
  template <class With, class K> static constexpr array<T, E...> by(With const& init, K const& key) {
    return init.template operator()<T, E...>(key);
  }
};
}  // namespace detail

/// An array of this type by an initializer: nn::draw<array<float, 3, 4>>(nn::initializers::he_normal(), key).
///
/// errors  E051 not a key, E052 a batch of keys
template <any_array A, class With, random::one_key K> constexpr A draw(With const& init, K const& key) {
  return detail::drawn<A>::by(init, key);
}

}  // namespace etna::nn
