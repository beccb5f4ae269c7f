// SPDX-License-Identifier: BSD-3-Clause
// Rows: the complement and the inverse of the error function. Floating element types.
// Read next: comparison.hpp.
#pragma once
#include <limits>

#include <etna/math/functions.hpp>

#include "family.hpp"

namespace etna::ops {

/// 1 - erf(x), accurate where erf(x) is nearly 1. The derivative is -2 / sqrt(pi) exp(-x^2).
struct erfc_p : real_function<1> {
  static constexpr auto name = "erfc";
  static constexpr int flops = 25;
  static constexpr auto jvp = per_operand{
      [](var t, eqn e) { return scale(t, full_like(t, -1.1283791670955126) * apply<exp_p>(-(e[0] * e[0]))); }};
  static constexpr auto transpose = absent{"not linear"};
  static constexpr auto reference = [](double x) { return std::erfc(x); };
  template <class T> ETNA_FN static T lower(T x) { return math::erfc(x); }
};

/// Polynomials for erf_inv(x) / x, highest power first: the first in w - `shift` up to the first border of
/// w = -log(1 - x^2), the others in sqrt(w) - `shift`. Shorter ones begin with zeros.
///
/// source  Giles, "Approximating the erfinv function", GPU Computing Gems 2; the same that XLA evaluates
template <class Lane> struct erf_inv_terms {
  static constexpr int parts = 2, n = 9;
  static constexpr float border[] = {5}, shift[] = {2.5, 3};
  static constexpr float at[parts][n] = {{2.81022636e-08f, 3.43273939e-07f, -3.5233877e-06f, -4.39150654e-06f,
                                          0.00021858087f, -0.00125372503f, -0.00417768164f, 0.246640727f, 1.50140941f},
                                         {-0.000200214257f, 0.000100950558f, 0.00134934322f, -0.00367342844f,
                                          0.00573950773f, -0.0076224613f, 0.00943887047f, 1.00167406f, 2.83297682f}};
};
template <> struct erf_inv_terms<double> {
  static constexpr int parts = 3, n = 23;
  static constexpr double border[] = {6.25, 16}, shift[] = {3.125, 3.25, 5};
  static constexpr double at[parts][n] = {
      {-3.6444120640178196996e-21, -1.685059138182016589e-19,  1.2858480715256400167e-18,  1.115787767802518096e-17,
       -1.333171662854620906e-16,  2.0972767875968561637e-17,  6.6376381343583238325e-15,  -4.0545662729752068639e-14,
       -8.1519341976054721522e-14, 2.6335093153082322977e-12,  -1.2975133253453532498e-11, -5.4154120542946279317e-11,
       1.051212273321532285e-09,   -4.1126339803469836976e-09, -2.9070369957882005086e-08, 4.2347877827932403518e-07,
       -1.3654692000834678645e-06, -1.3882523362786468719e-05, 0.0001867342080340571352,   -0.00074070253416626697512,
       -0.0060336708714301490533,  0.24015818242558961693,     1.6536545626831027356},
      {0,
       0,
       0,
       0,
       2.2137376921775787049e-09,
       9.0756561938885390979e-08,
       -2.7517406297064545428e-07,
       1.8239629214389227755e-08,
       1.5027403968909827627e-06,
       -4.013867526981545969e-06,
       2.9234449089955446044e-06,
       1.2475304481671778723e-05,
       -4.7318229009055733981e-05,
       6.8284851459573175448e-05,
       2.4031110387097893999e-05,
       -0.0003550375203628474796,
       0.00095328937973738049703,
       -0.0016882755560235047313,
       0.0024914420961078508066,
       -0.0037512085075692412107,
       0.005370914553590063617,
       1.0052589676941592334,
       3.0838856104922207635},
      {0,
       0,
       0,
       0,
       0,
       0,
       -2.7109920616438573243e-11,
       -2.5556418169965252055e-10,
       1.5076572693500548083e-09,
       -3.7894654401267369937e-09,
       7.6157012080783393804e-09,
       -1.4960026627149240478e-08,
       2.9147953450901080826e-08,
       -6.7711997758452339498e-08,
       2.2900482228026654717e-07,
       -9.9298272942317002539e-07,
       4.5260625972231537039e-06,
       -1.9681778105531670567e-05,
       7.5995277030017761139e-05,
       -0.00021503011930044477347,
       -0.00013871931833623122026,
       1.0103004648645343977,
       4.8499064014085844221}};
};

/// log(1 - square) as XLA has it on a CPU, so that draws of JAX are met: up to sqrt(2) - 1 Cephes' fraction (in f64
/// some units off at its end), beyond it log; that of f32 is Cephes' polynomial in the mantissa.
struct log_terms {
  static constexpr double edge = 0.41421356237309504880;
  static constexpr int n = 7;
  static constexpr double over[] = {
      4.5270000862445199635215e-5, 4.9854102823193375972212e-1, 6.5787325942061044846969,  2.9911919328553073277375e1,
      6.0949667980987787057556e1,  5.7112963590585538103336e1,  2.0039553499201281259648e1};
  static constexpr double under[] = {1,
                                     1.5062909083469192043167e1,
                                     8.3047565967967209469434e1,
                                     2.2176239823732856465394e2,
                                     3.0909872225312059774938e2,
                                     2.1642788614495947685003e2,
                                     6.0118660497603843919306e1};
};

// The derivative is sqrt(pi) / 2 exp(erf_inv(x)^2). In f32 the reference computes in f32: near 1 the value depends on
// the rounding of x^2, and draws of JAX are to be met.
struct erf_inv_p : real_function<1> {
  static constexpr auto name = "erf_inv";
  static constexpr auto domain = unit;
  static constexpr int flops = 60;
  static constexpr auto jvp = per_operand{
      [](var t, eqn e) { return scale(t, full_like(t, 0.8862269254527580) * apply<exp_p>(e.out() * e.out())); }};
  static constexpr auto transpose = absent{"not linear"};
  template <class L> static L log_of(L square) {
    if (!(square < L(log_terms::edge))) {
      L v = 1 - square;
      if constexpr (std::is_same_v<L, float>) return mantissa_log(v);
      else return std::log(v);
    }
    L x = -square, over = 0, under = 0, xx = x * x;
    for (double c : log_terms::over) over = std::fma(over, x, L(c));
    for (double c : log_terms::under) under = std::fma(under, x, L(c));
    return x + std::fma(L(-0.5), xx, x * xx * (over / under));
  }
  template <class L> static L evaluate(L x) {
    using terms = erf_inv_terms<L>;
    if (std::abs(x) == 1) return x * std::numeric_limits<L>::infinity();
    L w = -log_of(L(x * x)), p = 0;
    int part = 0;
    while (part + 1 < terms::parts && !(w < terms::border[part])) ++part;
    w = (part == 0 ? w : std::sqrt(w)) - terms::shift[part];
    for (L c : terms::at[part]) p = std::fma(p, w, c);
    return p * x;
  }
  static constexpr auto reference = [](double x) { return evaluate(x); };
  static constexpr auto reference_f32 = [](float x) { return evaluate(x); };

  template <class T> ETNA_FN static T lower(T x) {
    using math::select;
    using std::abs, std::sqrt;
    using lane = math::lane_of<T>;
    using terms = erf_inv_terms<lane>;
    constexpr auto all = std::make_index_sequence<std::size_t(terms::n)>{};
    T w = -log_one_less(T(x * x)), root = sqrt(w), p = T(0);
    auto near = w < T(border<lane, 0>());
    if constexpr (terms::parts == 2) {
      w = select(near, w - T(shift<lane, 0>()), root - T(shift<lane, 1>()));
      p = sum(w, all, near);
    } else {
      auto middle = w < T(border<lane, 1>());
      w = select(near, w - T(shift<lane, 0>()), root - select(middle, T(shift<lane, 1>()), T(shift<lane, 2>())));
      p = sum(w, all, near, middle);
    }
    return select(abs(x) == T(lane(1)), x * T(std::numeric_limits<lane>::infinity()), p * x);
  }

 private:  // numbers by constant index: a device has no address of a constant array
  template <class L, int Nth> ETNA_FN static constexpr L border() {
    constexpr L c = erf_inv_terms<L>::border[Nth];
    return c;
  }
  template <class L, int Nth> ETNA_FN static constexpr L shift() {
    constexpr L c = erf_inv_terms<L>::shift[Nth];
    return c;
  }
  template <class L, std::size_t Part, std::size_t Nth> ETNA_FN static constexpr L term() {
    constexpr L c = erf_inv_terms<L>::at[Part][Nth];
    return c;
  }
  template <class T, bool Over, std::size_t Nth> ETNA_FN static T log_term() {
    constexpr auto c = math::lane_of<T>(Over ? log_terms::over[Nth] : log_terms::under[Nth]);
    return T(c);
  }
  template <class T, std::size_t Part, std::size_t Nth> ETNA_FN static T pick() {
    return T(term<math::lane_of<T>, Part, Nth>());
  }
  template <class T, std::size_t Part, std::size_t Nth, class M, class... More>
  ETNA_FN static T pick(M const& here, More const&... more) {
    using math::select;
    return select(here, T(term<math::lane_of<T>, Part, Nth>()), pick<T, Part + 1, Nth>(more...));
  }
  template <class T, std::size_t... Nth, class... M>
  ETNA_FN static T sum(T w, std::index_sequence<Nth...>, M const&... here) {
    T p = T(0);
    ((p = math::mul_add(p, w, pick<T, 0, Nth>(here...))), ...);
    return p;
  }
  template <class T> ETNA_FN static T log_one_less(T square) {
    using math::select;
    using std::log;
    using lane = math::lane_of<T>;
    T v = T(1) - square, far;
    if constexpr (std::is_same_v<lane, float>) far = mantissa_log(v);
    else far = log(v);
    return select(square < T(lane(log_terms::edge)), fraction(T(-square), std::make_index_sequence<log_terms::n>{}),
                  far);
  }
  template <class T, std::size_t... Nth> ETNA_FN static T fraction(T x, std::index_sequence<Nth...>) {
    T over = T(0), under = T(0), xx = x * x;
    ((over = math::mul_add(over, x, log_term<T, true, Nth>()),
      under = math::mul_add(under, x, log_term<T, false, Nth>())),
     ...);
    return x + math::mul_add(T(math::lane_of<T>(-0.5)), xx, T(x * xx * (over / under)));
  }
  /// log of positive normal f32: v = 2^e m, m from sqrt(1/2) to sqrt(2).
  template <class T> ETNA_FN static T mantissa_log(T v) {
    using math::mul_add, math::select;
    T m, e;
    split(v, m, e);
    auto low = m < T(0.707106781186547524f);
    T x = select(low, m + m, m) - T(1);
    e = select(low, e - T(1), e);
    T x2 = x * x, x3 = x2 * x;
    T a = mul_add(mul_add(T(7.0376836292e-2f), x, T(-1.1514610310e-1f)), x, T(1.1676998740e-1f));
    T b = mul_add(mul_add(T(-1.2420140846e-1f), x, T(1.4249322787e-1f)), x, T(-1.6668057665e-1f));
    T c = mul_add(mul_add(T(2.0000714765e-1f), x, T(-2.4999993993e-1f)), x, T(3.3333331174e-1f));
    T y = mul_add(mul_add(mul_add(a, x3, b), x3, c), x3, T(e * T(-2.12194440e-4f)));
    return mul_add(T(0.693359375f), e, T(mul_add(T(-0.5f), x2, x) + y));
  }
  ETNA_FN static void split(float v, float& m, float& e) {
    int k = 0;
    m = std::frexp(v, &k);
    e = float(k);
  }
  template <class T> static void split(T const& v, T& m, T& e) {
    decltype(to_int(v)) k;
    m = frexp(v, k);
    e = to_float(k);
  }
};

}  // namespace etna::ops
