// SPDX-License-Identifier: BSD-3-Clause
// Nanoseconds per element of each elementary function, for 4,096 arguments in cache: on full registers and one by one,
// where arguments are usual and where they are not. speed.sh compares two trees. Usage: speed [NAME...]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <random>

#include "../timing.hpp"
#include "accuracy/kernels.hpp"

namespace {

/// Arguments of a function: x and y even in these ranges, or with `spread` exponents even between those of the ends.
struct arguments {
  char const *function, *kind;
  double x_low, x_high;
  bool spread = false;
  double y_low = 0, y_high = 0;
  bool whole = false;  // y is a whole number
};
constexpr arguments jobs[] = {
    {"exp", "", -10, 10},
    {"exp2", "", -10, 10},
    {"expm1", "", -10, 10},
    {"expm1", "small", -0.5, 0.5},
    {"log", "", 1e-3, 1e3, true},
    {"log2", "", 1e-3, 1e3, true},
    {"log10", "", 1e-3, 1e3, true},
    {"log1p", "", -0.9, 10},
    {"pow", "", 1e-3, 1e3, true, -5, 5},
    {"pow", "whole", -10, 10, false, -5, 5, true},
    {"pow", "square", -10, 10, false, 2, 2},
    {"sqrt", "", 1e-3, 1e3, true},
    {"rsqrt", "", 1e-3, 1e3, true},
    {"cbrt", "", 1e-3, 1e3, true},
    {"hypot", "", -10, 10, false, -10, 10},
    {"sin", "", -10, 10},
    {"sin", "large", -1e4, 1e4},
    {"sin", "huge", 1e7, 1e30, true},
    {"cos", "", -10, 10},
    {"cos", "large", -1e4, 1e4},
    {"cos", "huge", 1e7, 1e30, true},
    {"tan", "", -10, 10},
    {"tan", "huge", 1e7, 1e30, true},
    {"asin", "", -1, 1},
    {"acos", "", -1, 1},
    {"atan", "", -10, 10},
    {"atan2", "", -10, 10, false, -10, 10},
    {"sinh", "", -10, 10},
    {"cosh", "", -10, 10},
    {"tanh", "", -5, 5},
    {"asinh", "", -10, 10},
    {"acosh", "", 1, 10},
    {"atanh", "", -0.99, 0.99},
    {"erf", "", -3, 3},
    {"erfc", "", -3, 5},
    {"logistic", "", -10, 10},
    {"logaddexp", "", -10, 10, false, -10, 10},
};

constexpr std::size_t count = 4096, block = 256;

/// Arguments, or a block of results; where they lie must not change from program to program.
template <class T> struct held {
  alignas(4096) T at[count];
};

template <class T> void fill(held<T>& to, double low, double high, bool spread, bool whole, unsigned seed) {
  std::mt19937 bits(seed);
  std::uniform_real_distribution<double> even(spread ? std::log(low) : low, spread ? std::log(high) : high);
  for (T& x : to.at) {
    double u = even(bits);
    x = T(spread ? std::exp(u) : whole ? std::round(u) : u);
  }
}

/// The least of many sweeps' nanoseconds per element.
template <class T> double nanoseconds(accuracy::loop<T> f, held<T> const& x, held<T> const& y) {
  static held<T> out;
  auto once = [&] {
    auto begin = bench::clock_type::now();
    for (std::size_t i = 0; i < count; i += block) f(x.at + i, y.at + i, out.at, block);
    return bench::since(begin);
  };
  double least = once();
  for (auto begin = bench::clock_type::now(); bench::since(begin) < 0.008;) least = std::min(least, once());
  return least * 1e9 / count;
}

template <class T> void line(accuracy::kernel const& k, arguments const& a, char const* type) {
  static held<T> x, y;
  fill(x, a.x_low, a.x_high, a.spread, false, 1);
  fill(y, a.y_low, a.y_high, false, a.whole, 2);
  auto const& f = accuracy::of<T>(k);
  std::printf("%s%s%s %s %.4f %.4f\n", a.function, *a.kind ? "/" : "", a.kind, type, nanoseconds<T>(f.registers, x, y),
              nanoseconds<T>(f.numbers, x, y));
}

}  // namespace

// Prints for each: function[/kind] type registers numbers.
int main(int n, char** names) {
  for (auto const& a : jobs) {
    bool wanted = n == 1;
    for (int i = 1; i < n; ++i) wanted = wanted || std::strcmp(names[i], a.function) == 0;
    if (!wanted) continue;
    for (auto const& k : accuracy::kernels())
      if (std::strcmp(k.name, a.function) == 0) {
        line<float>(k, a, "f32");
        line<double>(k, a, "f64");
      }
  }
}
