// SPDX-License-Identifier: BSD-3-Clause
// expect: E088
#include <etna/etna.hpp>

using namespace etna;

struct twice_p : ops::real_function<1> {
  static constexpr auto name = "twice";
  static constexpr auto jvp = ops::per_operand{[](tracing::var t, tracing::eqn) { return t + t; }};
  static constexpr auto transpose = ops::per_operand{[](tracing::var ct, tracing::eqn) { return ct + ct; }};
  static constexpr auto reference = [](double x) { return x + x; };
  template <class T> ETNA_FN static T lower(T x) { return x + x; }
};

auto z(array<float, 3> const& x) { return numpy::real_of<twice_p>(x); }
