// SPDX-License-Identifier: BSD-3-Clause
// Functions of C's library that etna has not for arrays. A call without `std::` would find C's, which takes one number,
// by an array's conversion to it; so each is refused here with what to write instead. Read next: special.hpp.
#pragma once
#include "elementary.hpp"

namespace etna {

#define ETNA_NOT_OF_ARRAYS(NAME, INSTEAD)                                                                             \
  template <class... A> requires(any_array<A> || ...)                                                                 \
  ETNA_REFUSAL(E038_not_of_arrays, "E038: " #NAME " is C's, of one number, and etna has it not for arrays; " INSTEAD, \
               NAME(A const&...))
// With the names that it has for float and long double.
#define ETNA_ALL_NOT_OF_ARRAYS(NAME, INSTEAD) \
  ETNA_NOT_OF_ARRAYS(NAME, INSTEAD);          \
  ETNA_ONE_NAME(NAME, INSTEAD)
#define ETNA_ONE_NAME(NAME, INSTEAD)    \
  ETNA_NOT_OF_ARRAYS(NAME##f, INSTEAD); \
  ETNA_NOT_OF_ARRAYS(NAME##l, INSTEAD)
#define ETNA_NO_SUCH_FUNCTION "compose it of others, call it outside, or give it a row (docs/add_a_primitive.md)"

// What etna has, for all element types.
ETNA_ONE_NAME(acos, "write acos");
ETNA_ONE_NAME(acosh, "write acosh");
ETNA_ONE_NAME(asin, "write asin");
ETNA_ONE_NAME(asinh, "write asinh");
ETNA_ONE_NAME(atan, "write atan");
ETNA_ONE_NAME(atan2, "write atan2");
ETNA_ONE_NAME(atanh, "write atanh");
ETNA_ONE_NAME(cbrt, "write cbrt");
ETNA_ONE_NAME(ceil, "write ceil");
ETNA_ONE_NAME(copysign, "write copysign");
ETNA_ONE_NAME(cos, "write cos");
ETNA_ONE_NAME(cosh, "write cosh");
ETNA_ONE_NAME(erf, "write erf");
ETNA_ONE_NAME(erfc, "write erfc");
ETNA_ONE_NAME(exp, "write exp");
ETNA_ONE_NAME(exp2, "write exp2");
ETNA_ONE_NAME(expm1, "write expm1");
ETNA_ONE_NAME(fabs, "write fabs");
ETNA_ONE_NAME(fdim, "write fdim");
ETNA_ONE_NAME(floor, "write floor");
ETNA_ONE_NAME(fmax, "write fmax");
ETNA_ONE_NAME(fmin, "write fmin");
ETNA_ONE_NAME(fmod, "write fmod");
ETNA_ONE_NAME(hypot, "write hypot");
ETNA_ONE_NAME(log, "write log");
ETNA_ONE_NAME(log10, "write log10");
ETNA_ONE_NAME(log1p, "write log1p");
ETNA_ONE_NAME(log2, "write log2");
ETNA_ONE_NAME(nearbyint, "write nearbyint");
ETNA_ONE_NAME(pow, "write pow");
ETNA_ONE_NAME(remainder, "write remainder");
ETNA_ONE_NAME(rint, "write rint");
ETNA_ONE_NAME(round, "write round");
ETNA_ONE_NAME(sin, "write sin");
ETNA_ONE_NAME(sinh, "write sinh");
ETNA_ONE_NAME(sqrt, "write sqrt");
ETNA_ONE_NAME(tan, "write tan");
ETNA_ONE_NAME(tanh, "write tanh");
ETNA_ONE_NAME(trunc, "write trunc");
ETNA_ONE_NAME(isinf, "write isinf");
ETNA_ONE_NAME(isnan, "write isnan");

// What is said otherwise.
ETNA_ALL_NOT_OF_ARRAYS(fma, "write x * y + z");
ETNA_ALL_NOT_OF_ARRAYS(ldexp, "write x * exp2(n)");
ETNA_ALL_NOT_OF_ARRAYS(scalbn, "write x * exp2(n)");
ETNA_ALL_NOT_OF_ARRAYS(scalbln, "write x * exp2(n)");
ETNA_ALL_NOT_OF_ARRAYS(scalb, "write x * exp2(n)");
ETNA_ALL_NOT_OF_ARRAYS(frexp, "write e = floor(log2(abs(x))) + 1 and x * exp2(-e)");
ETNA_ALL_NOT_OF_ARRAYS(ilogb, "write astype<int>(floor(log2(abs(x))))");
ETNA_ALL_NOT_OF_ARRAYS(llogb, "write astype<int>(floor(log2(abs(x))))");
ETNA_ALL_NOT_OF_ARRAYS(logb, "write floor(log2(abs(x)))");
ETNA_ALL_NOT_OF_ARRAYS(modf, "write trunc(x) and x - trunc(x)");
ETNA_ALL_NOT_OF_ARRAYS(remquo, "write x - y * rint(x / y)");
ETNA_ALL_NOT_OF_ARRAYS(drem, "write x - y * rint(x / y)");
ETNA_ALL_NOT_OF_ARRAYS(lrint, "write astype<int>(rint(x))");
ETNA_ALL_NOT_OF_ARRAYS(llrint, "write astype<std::int64_t>(rint(x))");
ETNA_ALL_NOT_OF_ARRAYS(lround, "write astype<int>(copysign(floor(abs(x) + 0.5), x))");
ETNA_ALL_NOT_OF_ARRAYS(llround, "write astype<std::int64_t>(copysign(floor(abs(x) + 0.5), x))");
ETNA_ALL_NOT_OF_ARRAYS(roundeven, "write rint(x)");
ETNA_ALL_NOT_OF_ARRAYS(exp10, "write pow(10, x)");
ETNA_ALL_NOT_OF_ARRAYS(pow10, "write pow(10, x)");
ETNA_ALL_NOT_OF_ARRAYS(sincos, "write sin(x) and cos(x)");
ETNA_ALL_NOT_OF_ARRAYS(finite, "write isfinite(x)");
ETNA_ALL_NOT_OF_ARRAYS(fmaximum, "write maximum(x, y)");
ETNA_ALL_NOT_OF_ARRAYS(fminimum, "write minimum(x, y)");
ETNA_ALL_NOT_OF_ARRAYS(fmaximum_num, "write fmax(x, y)");
ETNA_ALL_NOT_OF_ARRAYS(fminimum_num, "write fmin(x, y)");
ETNA_NOT_OF_ARRAYS(labs, "write abs(x)");
ETNA_NOT_OF_ARRAYS(llabs, "write abs(x)");
ETNA_NOT_OF_ARRAYS(imaxabs, "write abs(x)");
ETNA_NOT_OF_ARRAYS(div, "write trunc(x / y) and rem(x, y)");
ETNA_NOT_OF_ARRAYS(ldiv, "write trunc(x / y) and rem(x, y)");
ETNA_NOT_OF_ARRAYS(lldiv, "write trunc(x / y) and rem(x, y)");
ETNA_NOT_OF_ARRAYS(imaxdiv, "write trunc(x / y) and rem(x, y)");
ETNA_NOT_OF_ARRAYS(isgreater, "write x > y");
ETNA_NOT_OF_ARRAYS(isgreaterequal, "write x >= y");
ETNA_NOT_OF_ARRAYS(isless, "write x < y");
ETNA_NOT_OF_ARRAYS(islessequal, "write x <= y");
ETNA_NOT_OF_ARRAYS(islessgreater, "write x < y || x > y");
ETNA_NOT_OF_ARRAYS(isunordered, "write isnan(x) || isnan(y)");
ETNA_NOT_OF_ARRAYS(fpclassify, "write isnan(x), isinf(x), x == 0");
ETNA_NOT_OF_ARRAYS(isnormal, "write isfinite(x) && abs(x) >= the least normal number");
ETNA_NOT_OF_ARRAYS(lgamma_r, ETNA_NO_SUCH_FUNCTION);
ETNA_NOT_OF_ARRAYS(lgammaf_r, ETNA_NO_SUCH_FUNCTION);
ETNA_NOT_OF_ARRAYS(lgammal_r, ETNA_NO_SUCH_FUNCTION);
ETNA_NOT_OF_ARRAYS(fadd, "write x + y");
ETNA_NOT_OF_ARRAYS(faddl, "write x + y");
ETNA_NOT_OF_ARRAYS(daddl, "write x + y");
ETNA_NOT_OF_ARRAYS(fsub, "write x - y");
ETNA_NOT_OF_ARRAYS(fsubl, "write x - y");
ETNA_NOT_OF_ARRAYS(dsubl, "write x - y");
ETNA_NOT_OF_ARRAYS(fmul, "write x * y");
ETNA_NOT_OF_ARRAYS(fmull, "write x * y");
ETNA_NOT_OF_ARRAYS(dmull, "write x * y");
ETNA_NOT_OF_ARRAYS(fdiv, "write x / y");
ETNA_NOT_OF_ARRAYS(fdivl, "write x / y");
ETNA_NOT_OF_ARRAYS(ddivl, "write x / y");
ETNA_NOT_OF_ARRAYS(fsqrt, "write sqrt(x)");
ETNA_NOT_OF_ARRAYS(fsqrtl, "write sqrt(x)");
ETNA_NOT_OF_ARRAYS(dsqrtl, "write sqrt(x)");
ETNA_NOT_OF_ARRAYS(ffma, "write x * y + z");
ETNA_NOT_OF_ARRAYS(ffmal, "write x * y + z");
ETNA_NOT_OF_ARRAYS(dfmal, "write x * y + z");

// What it has not.
ETNA_ALL_NOT_OF_ARRAYS(fmaxmag, ETNA_NO_SUCH_FUNCTION);
ETNA_ALL_NOT_OF_ARRAYS(fminmag, ETNA_NO_SUCH_FUNCTION);
ETNA_ALL_NOT_OF_ARRAYS(fmaximum_mag, ETNA_NO_SUCH_FUNCTION);
ETNA_ALL_NOT_OF_ARRAYS(fminimum_mag, ETNA_NO_SUCH_FUNCTION);
ETNA_ALL_NOT_OF_ARRAYS(fmaximum_mag_num, ETNA_NO_SUCH_FUNCTION);
ETNA_ALL_NOT_OF_ARRAYS(fminimum_mag_num, ETNA_NO_SUCH_FUNCTION);
ETNA_ALL_NOT_OF_ARRAYS(nextafter, ETNA_NO_SUCH_FUNCTION);
ETNA_ALL_NOT_OF_ARRAYS(nexttoward, ETNA_NO_SUCH_FUNCTION);
ETNA_ALL_NOT_OF_ARRAYS(nextup, ETNA_NO_SUCH_FUNCTION);
ETNA_ALL_NOT_OF_ARRAYS(nextdown, ETNA_NO_SUCH_FUNCTION);
ETNA_ALL_NOT_OF_ARRAYS(significand, ETNA_NO_SUCH_FUNCTION);
ETNA_ALL_NOT_OF_ARRAYS(fromfp, ETNA_NO_SUCH_FUNCTION);
ETNA_ALL_NOT_OF_ARRAYS(fromfpx, ETNA_NO_SUCH_FUNCTION);
ETNA_ALL_NOT_OF_ARRAYS(ufromfp, ETNA_NO_SUCH_FUNCTION);
ETNA_ALL_NOT_OF_ARRAYS(ufromfpx, ETNA_NO_SUCH_FUNCTION);
ETNA_NOT_OF_ARRAYS(iscanonical, ETNA_NO_SUCH_FUNCTION);
ETNA_NOT_OF_ARRAYS(issignaling, ETNA_NO_SUCH_FUNCTION);
ETNA_ALL_NOT_OF_ARRAYS(tgamma, ETNA_NO_SUCH_FUNCTION);
ETNA_ALL_NOT_OF_ARRAYS(lgamma, ETNA_NO_SUCH_FUNCTION);
ETNA_ALL_NOT_OF_ARRAYS(gamma, ETNA_NO_SUCH_FUNCTION);
ETNA_ALL_NOT_OF_ARRAYS(j0, ETNA_NO_SUCH_FUNCTION);
ETNA_ALL_NOT_OF_ARRAYS(j1, ETNA_NO_SUCH_FUNCTION);
ETNA_ALL_NOT_OF_ARRAYS(jn, ETNA_NO_SUCH_FUNCTION);
ETNA_ALL_NOT_OF_ARRAYS(y0, ETNA_NO_SUCH_FUNCTION);
ETNA_ALL_NOT_OF_ARRAYS(y1, ETNA_NO_SUCH_FUNCTION);
ETNA_ALL_NOT_OF_ARRAYS(yn, ETNA_NO_SUCH_FUNCTION);

#undef ETNA_NO_SUCH_FUNCTION
#undef ETNA_ONE_NAME
#undef ETNA_ALL_NOT_OF_ARRAYS
#undef ETNA_NOT_OF_ARRAYS

}  // namespace etna
