// SPDX-License-Identifier: BSD-3-Clause
// Extremes with their places in short rows: first which element is best, then where it is. Nobody can guess which one wins, so
// a loop that asks element by element waits at each; these two have no branch. Read next: fused.hpp.
#pragma once
#include <bit>

#include "statements.hpp"

namespace etna::lower {

/// F   the statements of a kernel
template <class F> class few {
  using state = typename F::state;
  using one_each = registers<one, F::n>;
  template <int I> using S_ = typename F::template S_<I>;
  using seq = typename F::seq;
  template <int I> static constexpr bool finds = S_<I>::is_arg && is_floating(S_<I>::d);

  one_each best_;
  std::uint64_t places_[F::n];
  bool has_nan_ = false;

 public:
  /// Rows of fewer elements than this: less than four registers, and a bit for each.
  template <class L> static constexpr std::int64_t below = 4 * L::width < 65 ? 4 * L::width : 65;
  /// Is it such a kernel? Elements are computed twice, so none may be stored; and there are no sums beside.
  static constexpr bool is_meant = []<int... I>(std::integer_sequence<int, I...>) {
    return (finds<I> || ...) && ((S_<I>::at == level::reduce ? finds<I> : S_<I>::at != level::element || S_<I>::outs == 0) && ...);
  }(seq{});

  /// Elements [from, to) of a row in phase Ph; false, and nothing done, where one is NaN.
  template <int Ph, bool Keep> ETNA_FN static bool sweep(state& s, std::int64_t from, std::int64_t to) {
    few f;  // few() would write zeros first
    return f.template find<Ph, Keep>(s, from, to, seq{});
  }

 private:
  template <int Ph, bool Keep, int... I> ETNA_FN bool find(state& s, std::int64_t from, std::int64_t to, std::integer_sequence<int, I...>) {
    (start<Ph, I>(), ...);
    for (std::int64_t k = from; k < to; ++k) {
      one_each r;
      (F::template element<one, Ph, Keep, I>(s, r, k), ...);
      (which<Ph, I>(s, r, k), ...);
    }
    if (has_nan_) return false;
    for (std::int64_t k = from; k < to; ++k) {
      one_each r;
      (F::template element<one, Ph, Keep, I>(s, r, k), ...);
      (where<Ph, I>(s, r, k, from), ...);
    }
    (end<Ph, I>(s, from), ...);
    return true;
  }
  template <int Ph, int I> static constexpr bool is_here = finds<I> && S_<I>::phases == 1 << Ph;
  template <int Ph, int I> ETNA_FN void start() {
    if constexpr (is_here<Ph, I>) {
      best_.template get<S_<I>::d>(I) = S_<I>::P::template identity<element_of<S_<I>::d>>();
      places_[I] = 0;
    }
  }
  template <int Ph, int I> ETNA_FN void which(state& s, one_each& r, std::int64_t k) {
    if constexpr (is_here<Ph, I>) {
      auto& best = best_.template get<S_<I>::d>(I);
      auto const x = F::template reduced<I>(s, r, k);
      best = S_<I>::P::better(best, x);
      has_nan_ |= x != x;
    }
  }
  template <int Ph, int I> ETNA_FN void where(state& s, one_each& r, std::int64_t k, std::int64_t from) {
    if constexpr (is_here<Ph, I>) places_[I] |= std::uint64_t(F::template reduced<I>(s, r, k) == best_.template get<S_<I>::d>(I)) << (k - from);
  }
  template <int Ph, int I> ETNA_FN void end(state& s, std::int64_t from) {
    if constexpr (is_here<Ph, I>) {
      auto& best = s.row.template get<S_<I>::d>(I);
      auto const x = best_.template get<S_<I>::d>(I);
      if (!S_<I>::P::wins(best, x)) return;
      best = x;
      s.second.template get<dtype::i32>(I) = std::int32_t(from + std::countr_zero(places_[I]));
    }
  }
};

}  // namespace etna::lower
