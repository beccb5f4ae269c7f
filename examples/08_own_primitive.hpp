// SPDX-License-Identifier: BSD-3-Clause
// Two primitives of a program's own. Every file of it includes this header before etna, or is compiled with
// -DETNA_PRIMITIVES='"08_own_primitive.hpp"'. Page: docs/add_a_primitive.md
#pragma once
#include <Kokkos_Core.hpp>

#include <cmath>
#include <etna/ops/list.hpp>

// The list, then the rows.
namespace own {
struct softsign_p;   // x / (1 + |x|): a part of fused kernels
struct laplacian_p;  // x[i - 1] - 2 x[i] + x[i + 1] along the last axis, 0 beyond its ends: a loop of Kokkos over the
                     // array
}  // namespace own
template <> struct etna::ops::own_primitives<> : etna::ops::type_list<own::softsign_p, own::laplacian_p> {};

#include <etna/ops/family.hpp>

namespace own {

using namespace etna::ops;
using etna::dtype;
using etna::tensor_type;

struct softsign_p : real_function<1> {
  static constexpr auto name = "softsign";
  static constexpr int flops = 3;
  static constexpr auto jvp = per_operand{[](var t, eqn e) {
    var one = full_like(t, 1), d = one + apply<abs_p>(e[0]);
    return scale(t, one / (d * d));
  }};
  static constexpr auto transpose = absent{"not linear"};
  static constexpr auto reference = [](double x) { return x / (1 + std::fabs(x)); };
  template <class T> ETNA_FN static T lower(T x) {
    using std::abs;
    return x / (T(1) + abs(x));
  }
};

struct laplacian_p : movement {
  static constexpr auto name = "laplacian";
  static constexpr etna::ops::form form = etna::ops::form::routine;
  static constexpr accepts takes = accepts::floating;
  static constexpr int flops = 3;
  static constexpr int shape(tensor_type const* in, int, std::int64_t const*, int, tensor_type* out) {
    out[0] = in[0];
    return in[0].rank == 0 ? bad_axis : is_floating(in[0].d) ? 0 : dtype_not_accepted;
  }
  static constexpr void batch(batched_eqn const& e, var* out) {
    out[0] = apply<laplacian_p>(e.in[0]);
  }  // the last axis stays the last
  static constexpr samples make_samples(interval from) {
    return {2, {one_operand({dtype::f64, 1, {7}}, from, {}), one_operand({dtype::f64, 2, {3, 5}}, from, {})}};
  }
  // linear, and its matrix is symmetric
  static constexpr auto jvp = per_operand{[](var t, eqn) { return apply<laplacian_p>(t); }};
  static constexpr auto transpose = per_operand{[](var ct, eqn) { return apply<laplacian_p>(ct); }};

  /// Outside jit, plainly.
  static void reference(call const& c) {
    if (c.in_type[0].d == dtype::f32) plain<float>(c);
    else plain<double>(c);
  }
  /// In a jitted function: whole arrays, in memory of the host.
  static void run(call const& c) {
    if (!Kokkos::is_initialized()) reference(c);  // its beginning is the program's
    else if (c.in_type[0].d == dtype::f32) loop<float>(c);
    else loop<double>(c);
  }

 private:
  template <class T> static void plain(call const& c) {
    auto n = c.in_type[0].e[c.in_type[0].rank - 1];
    auto const* x = static_cast<T const*>(c.in[0]);
    auto* y = static_cast<T*>(c.out[0]);
    for (std::int64_t i = 0; i < c.in_type[0].size(); ++i)
      y[i] = (i % n > 0 ? x[i - 1] : 0) - 2 * x[i] + (i % n < n - 1 ? x[i + 1] : 0);
  }
  template <class T> static void loop(call const& c) {
    using space = Kokkos::DefaultHostExecutionSpace;
    using matrix = Kokkos::View<T**, Kokkos::LayoutRight, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
    using const_matrix =
        Kokkos::View<T const**, Kokkos::LayoutRight, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
    std::int64_t n = c.in_type[0].e[c.in_type[0].rank - 1], rows = n > 0 ? c.in_type[0].size() / n : 0;
    const_matrix x(static_cast<T const*>(c.in[0]), std::size_t(rows), std::size_t(n));
    matrix y(static_cast<T*>(c.out[0]), std::size_t(rows), std::size_t(n));
    Kokkos::parallel_for("laplacian", Kokkos::RangePolicy<space>(0, rows * n), [=](std::int64_t k) {
      std::int64_t r = k / n, i = k % n;
      y(r, i) = (i > 0 ? x(r, i - 1) : T(0)) - 2 * x(r, i) + (i < n - 1 ? x(r, i + 1) : T(0));
    });
    space().fence();
  }
};

}  // namespace own
