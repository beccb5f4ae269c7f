// SPDX-License-Identifier: BSD-3-Clause
// Adafactor: of a matrix's mean squares the means of rows and of columns are kept. Read next: multi_steps.hpp.
#pragma once
#include <optional>

#include "trust_ratio.hpp"

namespace etna::optim {

/// Mean squares: of rows and columns, or of elements. What a leaf does not have is one zero.
template <class Row, class Column, class P> struct factored_state {
  array<int> count;
  Row v_row;
  Column v_col;
  P v;
};

namespace detail {

/// The two longest axes of a leaf; none where the shorter of them is less than Least, or a size has a name.
struct longest_axes {
  bool there = false;
  int second = 0, first = 0;
};
template <class A, int Least> constexpr longest_axes find_longest() {
  if constexpr (!A::is_static || A::rank < 2) return {};
  else {
    int by_size[A::rank];
    for (int i = 0; i < A::rank; ++i) {  // of equal sizes the last is the longest
      int k = i;
      for (; k > 0 && A::type.e[by_size[k - 1]] > A::type.e[i]; --k) by_size[k] = by_size[k - 1];
      by_size[k] = i;
    }
    int const second = by_size[A::rank - 2], first = by_size[A::rank - 1];
    return {A::type.e[second] >= Least, second, first};
  }
}
template <class A, int Least> inline constexpr longest_axes longest = find_longest<A, Least>();

template <class A> constexpr auto one_zero() { return zeros<typename A::value_type, 1>(); }
template <int Least, class P> constexpr auto no_squares(P const& parameters) {
  auto zero = filled(parameters);
  auto rows = [](auto const& x) {
    using A = std::remove_cvref_t<decltype(x)>;
    if constexpr (longest<A, Least>.there) return sum<longest<A, Least>.first>(x);
    else return one_zero<A>();
  };
  auto columns = [](auto const& x) {
    using A = std::remove_cvref_t<decltype(x)>;
    if constexpr (longest<A, Least>.there) return sum<longest<A, Least>.second>(x);
    else return one_zero<A>();
  };
  auto elements = [](auto const& x) {
    using A = std::remove_cvref_t<decltype(x)>;
    if constexpr (longest<A, Least>.there) return one_zero<A>();
    else return x;
  };
  auto row = tree::map(rows, zero);
  auto column = tree::map(columns, zero);
  auto element = tree::map(elements, zero);
  return factored_state<decltype(row), decltype(column), decltype(element)>{array<int>(0), row, column, element};
}

/// The next mean squares: of rows, columns or elements of the gradient g, where the leaf has those.
enum class squares_of { rows, columns, elements };
template <int Least, squares_of Which, class V, class G, class R>
constexpr auto next_squares(V const& state, G const& updates, R const& decay, double eps) {
  return each(
      [&](auto const& v, auto const& g) {
        using A = std::remove_cvref_t<decltype(g)>;
        constexpr auto axes = longest<A, Least>;
        auto mixed = [&](auto const& now) { return beside(v, decay) * v + (1 - beside(v, decay)) * beside(v, now); };
        if constexpr (axes.there != (Which != squares_of::elements)) return v;
        else if constexpr (Which == squares_of::elements) return mixed(g * g + eps);
        else return mixed(mean < Which == squares_of::rows ? axes.first : axes.second > (g * g + eps));
      },
      state, updates);
}

}  // namespace detail

struct scale_by_factored_rms_options {
  double decay_rate = 0.8, epsilon = 1e-30;
  int step_offset = 0;
};
/// The gradient over the root of its mean square, which for the two longest axes of a leaf is a product of two means,
/// where the shorter of them has MinDimSizeToFactor elements or more.
///
/// source  Shazeer and Stern, Adafactor, arXiv 1804.04235; Optax scale_by_factored_rms
template <int MinDimSizeToFactor = 128>
constexpr auto scale_by_factored_rms(scale_by_factored_rms_options options = {}) {
  auto start = [](auto const& parameters) { return detail::no_squares<MinDimSizeToFactor>(parameters); };
  return detail::rule_of(start, [o = options](auto const& updates, auto const& state, auto const&) {
    using R = detail::real_of<std::remove_cvref_t<decltype(updates)>>;
    using S = std::remove_cvref_t<decltype(state)>;
    using detail::squares_of;
    constexpr int least = MinDimSizeToFactor;
    auto decay = 1 - pow(astype<R>(state.count - o.step_offset + 1), -o.decay_rate);
    S next{state.count + 1, detail::next_squares<least, squares_of::rows>(state.v_row, updates, decay, o.epsilon),
           detail::next_squares<least, squares_of::columns>(state.v_col, updates, decay, o.epsilon),
           detail::next_squares<least, squares_of::elements>(state.v, updates, decay, o.epsilon)};
    auto one = [](auto const& g, auto const& row, auto const& column, auto const& v) {
      using A = std::remove_cvref_t<decltype(g)>;
      constexpr auto axes = detail::longest<A, least>;
      if constexpr (!axes.there) return g * rsqrt(detail::beside(g, v));
      else {
        auto rows = detail::beside(g, row);
        auto columns = detail::beside(g, column);
        auto share = rows / mean<axes.second - (axes.second > axes.first)>(rows, keepdims);
        return g * expand_dims<axes.first>(rsqrt(share)) * expand_dims<axes.second>(rsqrt(columns));
      }
    };
    return std::pair{detail::each(one, updates, next.v_row, next.v_col, next.v), next};
  });
}

/// clipping_threshold           nothing: updates are not clipped
/// multiply_by_parameter_scale  steps are as large as the parameters
struct adafactor_options {
  double decay_rate = 0.8;
  int decay_offset = 0;
  bool multiply_by_parameter_scale = true;
  std::optional<double> clipping_threshold = 1.0;
  double weight_decay_rate = 0, eps = 1e-30;
};
namespace detail {
template <int Least, rate R, transformation Mean>
constexpr auto adafactor_of(R const& learning_rate, adafactor_options const& o, Mean const& mean) {
  auto clipped = leaf_by_leaf([most = o.clipping_threshold](auto const& u) {
    if (!most) return u;
    return u / maximum(1, sqrt(etna::mean(square(u))) / *most);
  });
  auto by_parameters = beside_parameters([on = o.multiply_by_parameter_scale](auto const& u, auto const& p) {
    if (!on) return u;
    return u * root_mean_square(beside(u, p), 1e-3);
  });
  return chain(scale_by_factored_rms<Least>({o.decay_rate, o.eps, o.decay_offset}), clipped,
               scale_by_learning_rate(learning_rate, false), by_parameters, mean,
               add_decayed_weights(o.weight_decay_rate), scale(-1.0));
}
}  // namespace detail
/// Adafactor: adafactor(1e-2), adafactor<32>(1e-2, {.weight_decay_rate = 1e-4}). update takes the parameters.
///
/// errors  E144 update was given no parameters
/// source  Shazeer and Stern, Adafactor, arXiv 1804.04235; Optax adafactor
template <int MinDimSizeToFactor = 128, rate R>
constexpr auto adafactor(R const& learning_rate, adafactor_options options = {}) {
  return detail::adafactor_of<MinDimSizeToFactor>(learning_rate, options, identity());
}
/// With momentum: a mean of the updates.
template <int MinDimSizeToFactor = 128, rate R>
constexpr auto adafactor(R const& learning_rate, adafactor_options options, double momentum) {
  return detail::adafactor_of<MinDimSizeToFactor>(learning_rate, options, ema(momentum, false));
}

}  // namespace etna::optim
