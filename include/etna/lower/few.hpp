// SPDX-License-Identifier: BSD-3-Clause
// Extremes with their places (argmax and the like) in short rows: one loop finds the best element, a second one where
// it is. A single loop would branch at every element, and a processor cannot predict which element wins; these two
// loops have no branch. Read next: fused.hpp.
#pragma once
#include <algorithm>
#include <bit>

#include "statements.hpp"

namespace etna::lower {

// What is true of any lane, and a bit for each.
inline ETNA_FN bool any_of(bool m) { return m; }
inline ETNA_FN std::uint64_t bits_of(bool m) { return m; }
#if defined(ETNA_HAS_SIMD)
template <class T, class A> bool any_of(xsimd::batch_bool<T, A> const& m) { return xsimd::any(m); }
template <class T, class A> std::uint64_t bits_of(xsimd::batch_bool<T, A> const& m) { return m.mask(); }
#endif

/// F   the statements of a kernel
template <class F> class few {
  using state = typename F::state;
  template <class L> using values = typename F::template values<L>;
  template <int Nth> using S_ = typename F::template S_<Nth>;
  template <int Nth> using element_of_ = element_of<S_<Nth>::d>;

 public:
  /// Rows of fewer elements than this: less than four registers, and a bit for each.
  template <class L> static constexpr std::int64_t below = std::min(tuning::loops::few_registers * L::width, 65);
  /// Is it such a kernel? Elements are computed twice, so none may be stored; and there are no sums beside.
  static constexpr bool applies = [] {
    bool any = false;
    for (int i = 0; i < F::n; ++i) {
      statement_fact const& s = F::facts.statements[std::size_t(i)];
      bool const finds = s.is_arg && is_floating(s.d);
      if (s.at == level::reduce ? !finds : s.at == level::element && s.outs != 0) return false;
      any = any || finds;
    }
    return any;
  }();
  /// Elements [from, to) of a row in phase Ph; false, and nothing done, where one is NaN. A row of at least a register
  /// goes by registers: the last one ends where the row ends, so it may have some elements of the one before it again.
  template <class L, int Ph, bool Keep> ETNA_FN static bool sweep(state& s, std::int64_t from, std::int64_t to) {
    using elements = typename F::template elements<Ph>;
    using reductions = typename F::template reductions<Ph>;
    few f;  // few() would write zeros first
    if (to - from < L::width) return f.template find<one, Ph, Keep>(s, from, to, elements{}, reductions{});
    return f.template find<L, Ph, Keep>(s, from, to, elements{}, reductions{});
  }

 private:
  values<one> best_;
  std::uint64_t places_[F::n];
  bool has_nan_ = false;

  template <class L, int Ph, bool Keep, int... Nth, int... R>
  ETNA_FN bool find(state& s, std::int64_t from, std::int64_t to, std::integer_sequence<int, Nth...>,
                    std::integer_sequence<int, R...>) {
    auto each = [&](auto const& use) {
      for (std::int64_t b = from; b < to; b += L::width) {
        std::int64_t const k = std::min(b, to - L::width);
        values<L> r;
        (F::template element<L, Ph, Keep, Nth>(s, r, k), ...);
        use(r, k);
      }
    };
    values<L> best;
    (start<L, R>(best), ...);
    each([&](auto& r, std::int64_t k) { (which<L, R>(s, r, best, k), ...); });
    if (has_nan_) return false;
    (join<L, R>(best), ...);
    each([&](auto& r, std::int64_t k) { (where<L, R>(s, r, k, k - from), ...); });
    (end<R>(s, from), ...);
    return true;
  }
  template <class L, int Nth> ETNA_FN void start(values<L>& best) {
    best.template get<S_<Nth>::d>(Nth) =
        L::template spread<element_of_<Nth>>(S_<Nth>::P::template identity<element_of_<Nth>>());
    places_[Nth] = 0;
  }
  template <class L, int Nth> ETNA_FN void which(state& s, values<L>& r, values<L>& all, std::int64_t k) {
    auto& best = all.template get<S_<Nth>::d>(Nth);
    auto const x = F::template reduced<L, Nth>(s, r, k);
    best = S_<Nth>::P::better(best, x);
    has_nan_ |= any_of(x != x);
  }
  template <class L, int Nth> ETNA_FN void join(values<L>& all) {
    auto better = [](auto const& a, auto const& x) { return S_<Nth>::P::better(a, x); };
    best_.template get<S_<Nth>::d>(Nth) =
        L::template joined<element_of_<Nth>, element_of_<Nth>>(better, all.template get<S_<Nth>::d>(Nth));
  }
  template <class L, int Nth> ETNA_FN void where(state& s, values<L>& r, std::int64_t k, std::int64_t shift) {
    places_[Nth] |= bits_of(F::template reduced<L, Nth>(s, r, k) ==
                            L::template spread<element_of_<Nth>>(best_.template get<S_<Nth>::d>(Nth)))
                    << shift;
  }
  template <int Nth> ETNA_FN void end(state& s, std::int64_t from) {
    auto& best = s.row.template get<S_<Nth>::d>(Nth);
    auto const x = best_.template get<S_<Nth>::d>(Nth);
    if (!S_<Nth>::P::wins(best, x)) return;
    best = x;
    s.second.template get<dtype::i32>(Nth) = std::int32_t(from + std::countr_zero(places_[Nth]));
  }
};

}  // namespace etna::lower
