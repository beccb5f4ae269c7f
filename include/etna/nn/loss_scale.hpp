// SPDX-License-Identifier: BSD-3-Clause
// Losses scaled, so that gradients of f16 do not vanish: times a number before the gradient is taken, and divided by it
// behind. Where something overflowed, the step is left out and the number halved. Read next: ../optim/update.hpp.
#pragma once
#include <etna/numpy/finite.hpp>

#include "layer.hpp"

namespace etna::nn {
namespace detail {
/// Each floating leaf times a number of f32.
template <class T, class S> constexpr auto times(T const& t, S const& s) {
  return tree::map(
      [&](auto const& x) {
        using X = std::remove_cvref_t<decltype(x)>;
        if constexpr (!any_array<X>) return x;
        else if constexpr (!is_floating(X::type.d)) return x;
        else return X(x * astype<typename X::value_type>(s));
      },
      t);
}
}  // namespace detail

/// No scale, in the place of one.
///
/// source  jmp NoOpLossScale
struct no_loss_scale {
  template <class T> constexpr T scale(T const& t) const { return t; }
  template <class T> constexpr T unscale(T const& t) const { return t; }
  template <any_array B> constexpr no_loss_scale adjust(B const&) const { return {}; }
};

/// One that stays: nn::static_loss_scale{1024}.
///
/// source  jmp StaticLossScale
struct static_loss_scale {
  array<float> loss_scale;
  template <class T> constexpr auto scale(T const& t) const { return detail::times(t, loss_scale); }
  template <class T> constexpr auto unscale(T const& t) const { return detail::times(t, 1 / loss_scale); }
  template <any_array B> constexpr static_loss_scale adjust(B const&) const { return *this; }
};

/// One that finds itself: after Period steps whose gradients were finite it grows by Factor, and after one that was not
/// it shrinks by it, to Least at the least. It is a tree, so it goes through jit and scan beside the parameters:
///
///   nn::dynamic_loss_scale<> scale{32768};
///   auto gradient = scale.unscale(grad([&](auto const& p) { return scale.scale(loss(p, x, y)); })(p));
///   auto finite = nn::all_finite(gradient);
///   p = nn::select_tree(finite, stepped, p);
///   scale = scale.adjust(finite);
///
/// source  jmp DynamicLossScale
template <int Period = 2000, int Factor = 2, int Least = 1> struct dynamic_loss_scale {
  array<float> loss_scale;
  array<int> counter{};

  template <class T> constexpr auto scale(T const& t) const { return detail::times(t, loss_scale); }
  template <class T> constexpr auto unscale(T const& t) const { return detail::times(t, 1 / loss_scale); }
  /// The next one. It does not grow where it would be infinite.
  template <any_array B> constexpr dynamic_loss_scale adjust(B const& finite) const {
    auto const more = loss_scale * float(Factor);
    auto const grown = where(isfinite(more), more, loss_scale);
    return {where(finite, where(equal(counter, Period - 1), grown, loss_scale),
                  maximum(loss_scale / float(Factor), float(Least))),
            where(finite, (counter + 1) % Period, 0)};
  }
};

/// Is each number of each leaf finite?
///
/// shape   a tree -> bool []
/// source  jmp all_finite
template <class T> constexpr auto all_finite(T const& t) {
  auto fine = [](auto const& before, auto const& x) -> array<bool> {
    using X = std::remove_cvref_t<decltype(x)>;
    if constexpr (!any_array<X>) return before;
    else if constexpr (!is_floating(X::type.d)) return before;
    else return logical_and(before, all(isfinite(x)));
  };
  return tree::reduce(fine, t, array<bool>(true));
}
/// Leaf by leaf that of a, or, where the condition is false, that of b.
///
/// shape   bool [], two trees of one structure -> the same
/// errors  E022 the trees differ in structure
/// source  jmp select_tree
template <any_array B, class T> constexpr T select_tree(B const& condition, T const& a, T const& b) {
  return tree::map([&](auto const& x, auto const& y) { return where(condition, x, y); }, a, b);
}

}  // namespace etna::nn
