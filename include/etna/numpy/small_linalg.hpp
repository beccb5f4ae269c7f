// SPDX-License-Identifier: BSD-3-Clause
// linalg: norm, and solutions, inverses, determinants and factors of small matrices, written out by elements: whole
// batches lie side by side, and derivatives are those of the arithmetic. Read next: take.hpp.
#pragma once
#include "math.hpp"
#include "matrix.hpp"
#include "reduce.hpp"

namespace etna {
namespace numpy {

inline constexpr extent most_rows = 16;
template <class A> constexpr bool is_small_square() {
  if constexpr (A::rank < 2) return false;
  else {
    constexpr extent n = A::type.e[A::rank - 1];
    return n >= 1 && n <= most_rows && A::type.e[A::rank - 2] == n && is_floating(A::type.d);
  }
}
template <class A> constexpr bool require_small_square() {
  constexpr bool ok = is_small_square<A>();
  if constexpr (!ok) message::fail<message::E143_small_matrix<typename text_of<A>::type>>();
  return ok;
}

/// The elements of matrices, each of which is an array of the axes before them.
template <class A> struct by_elements {
  static constexpr std::size_t n = std::size_t(A::type.e[A::rank - 1]);
  using element_type = typename decltype(unstack<-1>(unstack<-1>(std::declval<A const&>())[0]))::value_type;
  std::array<std::array<element_type, n>, n> at;  // rows
  constexpr explicit by_elements(A const& x) : at(rows(x, std::make_index_sequence<n>())) {}
  constexpr auto& operator[](std::size_t i) { return at[i]; }
  constexpr auto const& operator[](std::size_t i) const { return at[i]; }
  constexpr auto matrix() const {
    return std::apply([](auto const&... row) { return stack<-2>(stack<-1>(row)...); }, at);
  }

 private:
  template <std::size_t... Nth>
  static constexpr std::array<std::array<element_type, n>, n> rows(A const& x, std::index_sequence<Nth...>) {
    auto const r = unstack<-2>(x);
    return {unstack<-1>(r[Nth])...};
  }
};

/// Gauss' elimination with the largest element of each column as its pivot. Rows of b come along.
///
/// a       becomes upper triangular
/// returns the sign of the exchanges: 1 or -1
template <class E, class B> constexpr auto eliminate(E& a, B& b) {
  constexpr std::size_t n = E::n;
  auto sign = ones_like(a[0][0]);
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = k + 1; i < n; ++i) {
      auto const larger = abs(a[i][k]) > abs(a[k][k]);
      auto exchange = [&](auto& x, auto& y, auto const& which) {
        auto const first = where(which, y, x);
        y = where(which, x, y);
        x = first;
      };
      for (std::size_t j = k; j < n; ++j) exchange(a[k][j], a[i][j], larger);
      if constexpr (!std::is_same_v<B, std::nullptr_t>) exchange(b[k], b[i], expand_dims<-1>(larger));
      sign = where(larger, -sign, sign);
    }
    for (std::size_t i = k + 1; i < n; ++i) {
      auto const factor = a[i][k] / a[k][k];
      for (std::size_t j = k + 1; j < n; ++j) a[i][j] = a[i][j] - factor * a[k][j];
      if constexpr (!std::is_same_v<B, std::nullptr_t>) b[i] = b[i] - expand_dims<-1>(factor) * b[k];
    }
  }
  return sign;
}
/// x of a x = b, a triangular; rows of b become those of x.
template <bool Lower, class E, class B> constexpr void substitute(E const& a, B& b) {
  constexpr std::size_t n = E::n;
  for (std::size_t s = 0; s < n; ++s) {
    std::size_t const i = Lower ? s : n - 1 - s;
    for (std::size_t r = 0; r < s; ++r) {
      std::size_t const k = Lower ? r : n - 1 - r;
      b[i] = b[i] - expand_dims<-1>(a[i][k]) * b[k];
    }
    b[i] = b[i] / expand_dims<-1>(a[i][i]);
  }
}
/// The rows of b, in the batch and the element type that it has with a; a vector is a column.
template <class A, class B> constexpr auto rows_beside(A const& a, B const& b) {
  constexpr int n = int(A::type.e[A::rank - 1]);
  if constexpr (B::rank == 1) return rows_beside(a, expand_dims<1>(b));
  else return unstack<-2>(b + zeros_like(split<n, -1>(split<n, -2>(a)[0])[0]));
}
template <class A, class B> constexpr bool require_rows() {
  constexpr int axis = B::rank == 1 ? 0 : B::rank - 2;
  constexpr bool ok = B::rank > 0 && B::type.e[axis < 0 ? 0 : axis] == A::type.e[A::rank - 1];
  if constexpr (!ok)
    message::fail<message::E004_shapes_do_not_contract<ops::dot_general_p, typename text_of<A>::type,
                                                       typename text_of<B>::type>>();
  return ok;
}
/// x of a x = b by f(elements of a, rows of b).
template <class A, class B, class F> constexpr auto solved(A const& a, B const& b, F const& f) {
  by_elements<A> elements(a);
  auto rows = rows_beside(a, b);
  f(elements, rows);
  auto const x = stack<-2>(rows);
  if constexpr (B::rank == 1) return squeeze<-1>(x);
  else return x;
}

}  // namespace numpy

namespace linalg {

/// The square root of the sum of squares: of vectors their length, of matrices Frobenius' norm.
///
/// shape   x [a, n] -> [a], or [a, 1] with keepdims, over the axes that are given, all of them without one
/// diff    x / norm; NaN where x is 0
/// dtype   integers become floating before they are squared
/// errors  E005 axis out of range, E006 axis named twice
/// source  NumPy linalg.norm
template <int... Axis, any_array A, numpy::keeps_option K = numpy::drop_axes>
constexpr auto norm(A const& x, K k = {}) {
  if constexpr (is_floating(A::type.d)) return sqrt(sum<Axis...>(x * x, k));
  else return norm<Axis...>(astype<typename decltype(sqrt(x))::value_type>(x), k);
}

ETNA_REFUSE(norm, numpy::takes_keepdims, "linalg::norm<-1>(x), linalg::norm<-1>(x, keepdims)",
            "it takes keepdims alone; other norms: sum<-1>(abs(x)), max<-1>(abs(x))");

/// x of a x = b, by Gauss' elimination with pivots.
///
/// shape   a [s, n, n], b [s, n, m] -> [s, n, m]; b [n] -> [s, n]; s broadcasts; n at most 16
/// diff    that of the arithmetic
/// errors  E143 a is no small square, E004 b has other rows, E001 the batches do not broadcast
/// source  NumPy linalg.solve
template <any_array A, any_array B> constexpr auto solve(A const& a, B const& b) {
  if constexpr (!numpy::require_small_square<A>()) return a;
  else if constexpr (!numpy::require_rows<A, B>()) return b;
  else
    return numpy::solved(a, b, [](auto& e, auto& rows) {
      (void)numpy::eliminate(e, rows);
      numpy::substitute<false>(e, rows);
    });
}
/// x of a x = b, where a is upper triangular, or lower: what lies on the other side is not read.
///
/// shape   as solve's
/// errors  as solve's
/// source  SciPy linalg.solve_triangular
template <bool Lower = false, any_array A, any_array B> constexpr auto solve_triangular(A const& a, B const& b) {
  if constexpr (!numpy::require_small_square<A>()) return a;
  else if constexpr (!numpy::require_rows<A, B>()) return b;
  else return numpy::solved(a, b, [](auto& e, auto& rows) { numpy::substitute<Lower>(e, rows); });
}
/// The inverse.
///
/// shape   a [s, n, n] -> [s, n, n], n at most 16
/// errors  E143 a is no small square
/// source  NumPy linalg.inv; a singular matrix gives infinities or NaN
template <any_array A> constexpr auto inv(A const& a) {
  if constexpr (!numpy::require_small_square<A>()) return a;
  else return solve(a, eye<typename A::value_type, A::type.e[A::rank - 1]>());
}
/// The sign of the determinant and the logarithm of its magnitude.
///
/// shape   a [s, n, n] -> [s], [s], n at most 16
/// errors  E143 a is no small square
/// source  NumPy linalg.slogdet: of a singular matrix 0 and -inf
template <any_array A> constexpr auto slogdet(A const& a) {
  if constexpr (!numpy::require_small_square<A>()) return std::pair{a, a};
  else {
    numpy::by_elements<A> e(a);
    std::nullptr_t none{};
    auto s = numpy::eliminate(e, none);
    auto magnitude = log(abs(e[0][0]));
    s = s * sign(e[0][0]);
    for (std::size_t i = 1; i < e.n; ++i) {
      magnitude = magnitude + log(abs(e[i][i]));
      s = s * sign(e[i][i]);
    }
    return std::pair{s, magnitude};
  }
}
/// The determinant.
///
/// shape   a [s, n, n] -> [s], n at most 16
/// errors  E143 a is no small square
/// source  NumPy linalg.det
template <any_array A> constexpr auto det(A const& a) {
  if constexpr (!numpy::require_small_square<A>()) return a;
  else {
    numpy::by_elements<A> e(a);
    std::nullptr_t none{};
    auto product = numpy::eliminate(e, none);
    for (std::size_t i = 0; i < e.n; ++i) product = product * e[i][i];
    return product;
  }
}
/// The lower triangular L of a = L L^T; the upper triangle of a is not read.
///
/// shape   a [s, n, n] -> [s, n, n], n at most 16
/// errors  E143 a is no small square
/// source  NumPy linalg.cholesky; where a is not positive definite there is NaN
template <any_array A> constexpr auto cholesky(A const& a) {
  if constexpr (!numpy::require_small_square<A>()) return a;
  else {
    numpy::by_elements<A> e(a);
    for (std::size_t j = 0; j < e.n; ++j) {
      for (std::size_t k = 0; k < j; ++k) e[j][j] = e[j][j] - e[j][k] * e[j][k];
      e[j][j] = sqrt(e[j][j]);
      for (std::size_t i = j + 1; i < e.n; ++i) {
        for (std::size_t k = 0; k < j; ++k) e[i][j] = e[i][j] - e[i][k] * e[j][k];
        e[i][j] = e[i][j] / e[j][j];
        e[j][i] = zeros_like(e[j][i]);
      }
    }
    return e.matrix();
  }
}

}  // namespace linalg
}  // namespace etna
