// SPDX-License-Identifier: BSD-3-Clause
// Elementary functions as a kernel computes them: a row's `lower` on full registers, and on single numbers. What a
// program measures of them, it measures through these pointers. Names are those of functions.hpp.
#pragma once
#include <etna/language.hpp>
#include <etna/lower/converting.hpp>

#include "kernel.hpp"

namespace etna::ops {  // rows that not every etna has
struct log2_p;
struct log10_p;
struct hypot_p;
}  // namespace etna::ops

namespace accuracy {

template <class Row> concept present = requires { sizeof(Row); };

// What is computed in kernels where there is no such row.
struct log2_composed {
  static constexpr int arity = 1;
  template <class T> static T lower(T x) { return T(etna::ops::log_p::lower(x) / T(0.6931471805599453)); }
};
struct log10_composed {
  static constexpr int arity = 1;
  template <class T> static T lower(T x) { return T(etna::ops::log_p::lower(x) / T(2.302585092994046)); }
};
struct hypot_composed {
  static constexpr int arity = 2;
  template <class T> static T lower(T x, T y) {
    using etna::math::select, etna::math::max;
    using std::abs, std::sqrt, std::isinf;
    T a = select(isinf(x), T(abs(x)), T(0)), b = select(isinf(y), T(abs(y)), T(0)), infinite = max(a, b);
    T most = max(T(abs(x)), T(abs(y)));
    auto even = (most == T(0)) | (infinite > T(0));
    T unit = select(even, T(1), most), u = x / unit, v = y / unit, sum = u * u + v * v;
    T at_zero = max(select(even, x, T(1)), select(even, y, T(1)));
    return select(infinite > T(0), infinite, select(even, at_zero, T(unit * sqrt(select(even, T(1), sum)))));
  }
};
/// Row where there is one.
template <class Row, class Composed> using row_or = std::conditional_t<present<Row>, Row, Composed>;

// Row::lower of all, a register or a number at a time; count is a multiple of the width.
template <class Row, class V, class T> [[gnu::noinline]] void sweep(T const* x, T const* y, T* out, std::size_t count) {
  for (std::size_t i = 0; i < count; i += V::width) {
    if constexpr (Row::arity == 1) V::store(out + i, Row::template lower<typename V::type>(V::load(x + i)));
    else V::store(out + i, Row::template lower<typename V::type>(V::load(x + i), V::load(y + i)));
  }
}
template <class T> struct by_register {
  using type = xsimd::batch<T>;
  static constexpr std::size_t width = type::size;
  static type load(T const* p) { return type::load_unaligned(p); }
  static void store(T* p, type const& v) { v.store_unaligned(p); }
};
template <class T> struct by_number {
  using type = T;
  static constexpr std::size_t width = 1;
  static type load(T const* p) { return *p; }
  static void store(T* p, type v) { *p = v; }
};
template <class Row, class T> constexpr loops<T> loops_of() {
  return {sweep<Row, by_register<T>, T>, sweep<Row, by_number<T>, T>};
}
template <class Row> void add(std::vector<kernel>& all, char const* name) {
  all.push_back({name, Row::arity, loops_of<Row, float>(), loops_of<Row, double>()});
}

inline std::vector<kernel> const& kernels() {
  static std::vector<kernel> const all = [] {
    using namespace etna::ops;
    std::vector<kernel> k;
    add<exp_p>(k, "exp");
    add<exp2_p>(k, "exp2");
    add<expm1_p>(k, "expm1");
    add<log_p>(k, "log");
    add<row_or<log2_p, log2_composed>>(k, "log2");
    add<row_or<log10_p, log10_composed>>(k, "log10");
    add<log1p_p>(k, "log1p");
    add<pow_p>(k, "pow");
    add<sqrt_p>(k, "sqrt");
    add<rsqrt_p>(k, "rsqrt");
    add<cbrt_p>(k, "cbrt");
    add<row_or<hypot_p, hypot_composed>>(k, "hypot");
    add<sin_p>(k, "sin");
    add<cos_p>(k, "cos");
    add<tan_p>(k, "tan");
    add<asin_p>(k, "asin");
    add<acos_p>(k, "acos");
    add<atan_p>(k, "atan");
    add<atan2_p>(k, "atan2");
    add<sinh_p>(k, "sinh");
    add<cosh_p>(k, "cosh");
    add<tanh_p>(k, "tanh");
    add<asinh_p>(k, "asinh");
    add<acosh_p>(k, "acosh");
    add<atanh_p>(k, "atanh");
    add<erf_p>(k, "erf");
    add<erfc_p>(k, "erfc");
    add<logistic_p>(k, "logistic");
    add<logaddexp_p>(k, "logaddexp");
    add<floor_p>(k, "floor");
    add<ceil_p>(k, "ceil");
    add<trunc_p>(k, "trunc");
    add<round_p>(k, "round");
    add<rem_p>(k, "fmod");
    add<neg_p>(k, "negation");
    add<add_p>(k, "add");
    add<sub_p>(k, "sub");
    add<mul_p>(k, "mul");
    add<div_p>(k, "div");
    return k;
  }();
  return all;
}

}  // namespace accuracy
