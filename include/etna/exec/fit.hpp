// SPDX-License-Identifier: BSD-3-Clause
// Memory as a budget that is known while compiling: a step that fits into so many bytes, and the largest batch that
// does. Read next: price.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include "plan_type.hpp"

namespace etna {

inline constexpr extent KiB = 1024, MiB = 1024 * KiB, GiB = 1024 * MiB;

/// fit<Bytes>(f): f, whose arguments, results and temporaries together take at most so many bytes, rvalue arguments
/// being donated. Where its plan would take more, values that lie idle are computed again, first those that cost the
/// fewest operations a byte.
///
///     constexpr auto step = fit<6 * GiB>(jit([](net p, batch x, labels y) { ... }));
///
/// f       what jit takes, or what it gives; no extent has a name
/// nested  of two budgets the smaller one counts; a function that is compiled as a part of another has that one's. A
///         loop or a checkpointed function is not looked into: say there what is kept (keep_none, keep_every<K>)
/// cost    of compiling: where it does not fit at once, the plan is made up to twelve times
/// errors  E154 it takes more, whatever is computed again: the least that was found is named; E155 a named extent;
///         others as jit
/// source  Chen, Xu, Zhang and Guestrin, "Training Deep Nets with Sublinear Memory Cost", 2016
/// example test/unit/exec/fit.cpp  [the same numbers in less memory]
template <extent Bytes, class F> requires(Bytes > 0)
constexpr auto fit(F const& f) {
  if constexpr (!std::is_empty_v<F> || !std::is_default_constructible_v<F>) {
    message::fail<message::E007_capture_in_jit<F>>();
    return jit(f);
  } else return jit(compiler::fitted<Bytes, F>{});
}
template <extent Bytes, class F> requires(Bytes > 0)
constexpr auto fit(jitted<F> const& f) {
  return fit<Bytes>(f.f);
}

namespace exec {

/// A function of a batch's size that gives jitted functions.
template <class F, extent N> concept family_at =
    requires(F const& f) { typename plan_type<decltype(f.template operator()<N>())>; };
template <class F, extent N> inline constexpr extent peak_at =
    plan_type<decltype(std::declval<F const&>().template operator()<N>())>::peak_bytes;

/// Between Low units, which fit, and High, which do not: where a line through two known points meets the budget, and if
/// that has come no closer, in the middle.
template <class F, extent Bytes, extent Unit, extent Low, extent High, bool Middle = false>
constexpr extent largest_between() {
  if constexpr (High - Low <= 1) return Low * Unit;
  else {
    constexpr extent low = peak_at<F, Low * Unit>, high = peak_at<F, High * Unit>,
                     guess = Middle ? (Low + High) / 2
                                    : Low + extent(double(High - Low) * double(Bytes - low) / double(high - low)),
                     at = guess <= Low    ? Low + 1
                          : guess >= High ? High - 1
                                          : guess;
    // Where the line is right, the one behind it is too large, and the search is over.
    if constexpr (peak_at<F, at * Unit> > Bytes)
      return largest_between < F, Bytes, Unit, Low, at, !Middle && at != Low + 1 && at != High - 1 > ();
    else if constexpr (at + 1 < High && peak_at<F, (at + 1) * Unit> > Bytes) return at * Unit;
    else return largest_between < F, Bytes, Unit, at, High, !Middle && at != Low + 1 > ();
  }
}
template <class F, extent Bytes, extent Unit, extent Low> constexpr extent largest_from() {
  if constexpr (peak_at<F, 2 * Low * Unit> > Bytes) return largest_between<F, Bytes, Unit, Low, 2 * Low>();
  else {
    // Twice as much took so many bytes more: go near the budget at once.
    constexpr extent low = peak_at<F, Low * Unit>, high = peak_at<F, 2 * Low * Unit>,
                     more = high > low ? extent(0.9 * double(Low) * double(Bytes - high) / double(high - low)) : 0,
                     next = 2 * Low + more;
    if constexpr (next > 2 * Low && peak_at<F, next * Unit> > Bytes)
      return largest_between<F, Bytes, Unit, 2 * Low, next>();
    else return largest_from<F, Bytes, Unit, next>();
  }
}

}  // namespace exec

/// max_batch<Bytes, Unit>(family): the largest batch, a multiple of Unit, for which a step's plan takes at most so many
/// bytes; the next multiple takes more.
///
///     template <extent N> constexpr auto step = jit([](net p, array<float, N, 784> x, array<int, N> y) { ... });
///     constexpr extent n = max_batch<8 * GiB>([]<extent N>() { return step<N>; });
///
/// family  a template lambda: N gives a jitted function that declares its parameters; with recomputation, N gives
///         fit<Bytes>(step<N>)
/// cost    of compiling: some eight plans, and no kernels
/// errors  E156 not even Unit fits; family is none
/// example test/unit/exec/fit.cpp  [the largest batch]
template <extent Bytes, extent Unit = 1, class F> requires(exec::family_at<F, Unit>)
constexpr extent max_batch(F const&) {
  if constexpr (exec::peak_at<F, Unit> > Bytes) {
    message::fail<message::E156_no_batch_fits<message::size<Bytes>, message::size<exec::peak_at<F, Unit>>>>();
    return 0;
  } else return exec::largest_from<F, Bytes, Unit, 1>();
}

template <extent Bytes, extent Unit = 1, class F> requires(!exec::family_at<F, Unit>)
ETNA_REFUSAL(E156_no_batch_fits,
             "E156: max_batch asks a template lambda, in which N gives a jitted function that declares its parameters: "
             "max_batch<8 * GiB>([]<extent N>() { return step<N>; })",
             max_batch(F const&));

}  // namespace etna

#include <etna/set_back.hpp>
