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
    return f.template find<Ph, Keep>(s, from, to, typename F::template elements<Ph>{}, typename F::template reductions<Ph>{});
  }

 private:
  template <int Ph, bool Keep, int... I, int... R>
  ETNA_FN bool find(state& s, std::int64_t from, std::int64_t to, std::integer_sequence<int, I...>, std::integer_sequence<int, R...>) {
    (start<R>(), ...);
    for (std::int64_t k = from; k < to; ++k) {
      one_each r;
      (F::template element<one, Ph, Keep, I>(s, r, k), ...);
      (which<R>(s, r, k), ...);
    }
    if (has_nan_) return false;
    for (std::int64_t k = from; k < to; ++k) {
      one_each r;
      (F::template element<one, Ph, Keep, I>(s, r, k), ...);
      (where<R>(s, r, k, from), ...);
    }
    (end<R>(s, from), ...);
    return true;
  }
  template <int I> ETNA_FN void start() {
    best_.template get<S_<I>::d>(I) = S_<I>::P::template identity<element_of<S_<I>::d>>();
    places_[I] = 0;
  }
  template <int I> ETNA_FN void which(state& s, one_each& r, std::int64_t k) {
    auto& best = best_.template get<S_<I>::d>(I);
    auto const x = F::template reduced<I>(s, r, k);
    best = S_<I>::P::better(best, x);
    has_nan_ |= x != x;
  }
  template <int I> ETNA_FN void where(state& s, one_each& r, std::int64_t k, std::int64_t from) {
    places_[I] |= std::uint64_t(F::template reduced<I>(s, r, k) == best_.template get<S_<I>::d>(I)) << (k - from);
  }
  template <int I> ETNA_FN void end(state& s, std::int64_t from) {
    auto& best = s.row.template get<S_<I>::d>(I);
    auto const x = best_.template get<S_<I>::d>(I);
    if (!S_<I>::P::wins(best, x)) return;
    best = x;
    s.second.template get<dtype::i32>(I) = std::int32_t(from + std::countr_zero(places_[I]));
  }
};

}  // namespace etna::lower
