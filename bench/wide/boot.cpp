// SPDX-License-Identifier: BSD-3-Clause
// 1,000 resamples of 2,000 pairs of numbers: mean, variance and skewness of each column, and their correlation.
#include "program.hpp"

namespace {

using namespace wide;
constexpr extent resamples = 1000, n = 2000;
using pairs = array<float, n, 2>;
constexpr auto statistics = [](pairs x, array<int, n> picked) {
  auto s = take<0>(x, picked);
  auto m = mean<0>(s);
  auto d = s - m;
  auto variance = mean<0>(square(d));
  auto skewness = mean<0>(d * d * d) / (variance * sqrt(variance));
  auto covariance = mean(slice<every, 0>(d) * slice<every, 1>(d));
  return std::tuple{m, variance, skewness, covariance / sqrt(slice<0>(variance) * slice<1>(variance))};
};
constexpr auto f = jit([](pairs x, array<int, resamples, n> picked) { return vmap<none, 0>(statistics)(x, picked); });
entry const e("boot", [](double seconds) {
  auto x = fill<pairs>(1);
  run_or_show(seconds, f, x * x + 0.5f * roll<1, 1>(x), fill_int<array<int, resamples, n>>(2, n));
});

}  // namespace
