// SPDX-License-Identifier: BSD-3-Clause
// Single functions of narrow arrays: sums of columns beside what they sum, products with a vector.
#include "program.hpp"

namespace {

using namespace wide;

constexpr extent rows = 65536;
template <extent W> constexpr auto gate = jit([](array<float, rows, W> h, array<float, rows, W> c) {
  auto g = where(h > 0.0f, c, 0.0f);
  return std::pair{g, sum<0>(g)};
});
template <extent W> void run_gate(double seconds) {
  using A = array<float, rows, W>;
  run_or_show(seconds, gate<W>, fill<A>(1), fill<A>(2));
}
entry const g8("gate8", run_gate<8>), g12("gate12", run_gate<12>), g20("gate20", run_gate<20>),
    g24("gate24", run_gate<24>), g40("gate40", run_gate<40>), g72("gate72", run_gate<72>);

template <class T, extent N, extent W> constexpr auto times =
    jit([](array<T, N, W> a, array<T, W> x) { return dot(a, x); });
template <class T, extent N, extent W> void run_times(double seconds) {
  run_or_show(seconds, times<T, N, W>, fill<array<T, N, W>>(1), fill<array<T, W>>(2));
}
template <class T, extent N, extent W> constexpr auto left =
    jit([](array<T, N> x, array<T, N, W> a) { return dot(x, a); });
template <class T, extent N, extent W> void run_left(double seconds) {
  run_or_show(seconds, left<T, N, W>, fill<array<T, N>>(2), fill<array<T, N, W>>(1));
}
entry const t8("times8", run_times<float, rows, 8>), t12("times12", run_times<float, rows, 12>),
    t20("times20", run_times<float, rows, 20>), t32("times32", run_times<float, rows, 32>),
    t10("times10_f64", run_times<double, 20000, 10>), l8("left8", run_left<float, rows, 8>),
    l20("left20", run_left<float, rows, 20>), l32("left32", run_left<float, rows, 32>),
    l10("left10_f64", run_left<double, 20000, 10>);

}  // namespace
