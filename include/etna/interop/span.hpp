// SPDX-License-Identifier: BSD-3-Clause
// To and from std::span and what is like it: contiguous memory with one axis (std::vector, std::array).
// Read next: mdspan.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <ranges>
#include <span>

#include "strided.hpp"

namespace etna {

namespace interop {
// xtensor's containers are ranges as well, but of many axes
template <class X> concept row = std::ranges::contiguous_range<X const&> && std::ranges::sized_range<X const&> &&
                                 !any_array<X> && element<std::remove_cv_t<std::ranges::range_value_t<X>>> &&
                                 !requires(X const& x) { x.dimension(); };
template <row X> struct describe<X> {
  static constexpr known_shape known{1, {-1}};
  static auto of(auto& x) {
    using T = std::remove_reference_t<decltype(*std::ranges::data(x))>;
    return strided<T>{std::ranges::data(x), 1, {extent(std::ranges::size(x))}, {1}};
  }
};
}  // namespace interop

/// An array of one axis with the elements of a span, a vector, ...
///
/// errors  E002, E034 another element type; E112 another size (run time)
template <any_array A, interop::row X> A from_span(X const& x) { return interop::copy_in<A>(x); }
/// The array's elements in row-major order, without a copy; valid while x lives.
template <any_array A> std::span<typename A::value_type const> to_span(A const& x) {
  return {x.data(), std::size_t(x.size())};
}
template <any_array A> std::span<typename A::value_type const> to_span(A const&&) = delete;

}  // namespace etna

#include <etna/set_back.hpp>
