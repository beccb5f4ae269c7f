// SPDX-License-Identifier: BSD-3-Clause
// xtensor in and out without a copy: a container is adopted, a result is seen as an adaptor. Page:
// docs/examples/06_xtensor.md
#include <cmath>
#include <cstdio>

#include <etna/etna.hpp>
#include <etna/interop/xtensor.hpp>

using etna::array;
using table = array<float, 50, 20>;

// Columns brought to mean 0 and deviation 1.
constexpr auto standardize = etna::jit([](table x) {
  auto centred = x - etna::mean<0>(x, etna::keepdims);
  return centred / etna::sqrt(etna::mean<0>(etna::square(centred), etna::keepdims));
});

int main() {
  xt::xtensor<float, 2> measured({50, 20});
  for (std::size_t i = 0; i < 50; ++i)
    for (std::size_t j = 0; j < 20; ++j) measured(i, j) = float(std::sin(double(i * (j + 1))) + double(j));

  float const* memory = measured.data();
  auto x = etna::from_xtensor<table>(std::move(measured));
  bool adopted = x.data() == memory;

  auto y = standardize(x);
  auto seen = etna::to_xtensor(y);  // no copy: an xtensor expression over y's memory
  double mean = 0, square = 0;
  for (std::size_t i = 0; i < 50; ++i) {
    mean += double(seen(i, 3)) / 50;
    square += double(seen(i, 3)) * double(seen(i, 3)) / 50;
  }
  std::printf("adopted without a copy: %s\ncolumn 3: mean %.4f, mean square %.4f\n", adopted ? "yes" : "no",
              std::fabs(mean), square);
  return adopted && std::fabs(mean) < 1e-5 && std::fabs(square - 1) < 1e-4 ? 0 : 1;
}
