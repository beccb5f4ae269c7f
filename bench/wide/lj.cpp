// SPDX-License-Identifier: BSD-3-Clause
// Lennard-Jones: 2,000 particles with 48 neighbours each, minimum image, switched off between two distances.
#include <numeric>

#include "program.hpp"

namespace {

using namespace wide;
constexpr extent n = 2000, near = 48;
constexpr double box = 15.6, rc = 2.9, ron = 2.4;
template <class T> using positions = array<T, n, 3>;
using neighbours = array<int, n, near>;

template <class T> constexpr auto energy = [](positions<T> x, neighbours nbr) {
  auto d = expand_dims<1>(x) - take<0>(x, nbr);
  d = decltype(d)(d - T(box) * round(d / T(box)));
  auto r2 = sum<-1>(d * d);
  auto i2 = T(1) / r2;
  auto i6 = i2 * i2 * i2;
  auto e = T(4) * (i6 * i6 - i6);
  constexpr double c2 = rc * rc, o2 = ron * ron;
  auto u = T(c2) - r2;
  auto sw = u * u * (T(c2) + T(2) * r2 - T(3 * o2)) / T((c2 - o2) * (c2 - o2) * (c2 - o2));
  return T(0.5) * sum(where(r2 < T(o2), e, where(r2 < T(c2), e * sw, T(0))));
};
template <class T> constexpr auto f =
    jit([](positions<T> x, neighbours nbr) { return value_and_grad(energy<T>)(x, nbr); });

template <class T> void lj(double seconds) {
  int const m = 13;
  std::vector<double> x(std::size_t(3 * n));
  for (int i = 0; i < n; ++i) {
    int const grid[] = {i % m, i / m % m, i / (m * m)};
    for (int k = 0; k < 3; ++k)
      x[std::size_t(3 * i + k)] = grid[k] * 1.2 + -.12 + .24 * u01(std::uint64_t(3 * i + k), 41);
  }
  auto nbr = neighbours::build([&](int* out) {
    std::vector<double> r2(static_cast<std::size_t>(n));
    std::vector<int> order(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        double s = 0;
        for (int k = 0; k < 3; ++k) {
          double d = x[std::size_t(3 * i + k)] - x[std::size_t(3 * j + k)];
          d -= box * std::nearbyint(d / box);
          s += d * d;
        }
        r2[std::size_t(j)] = i == j ? 1e9 : s;
      }
      std::iota(order.begin(), order.end(), 0);
      std::stable_sort(order.begin(), order.end(),
                       [&](int a, int b) { return r2[std::size_t(a)] < r2[std::size_t(b)]; });
      std::copy_n(order.begin(), near, out + i * near);
      std::sort(out + i * near, out + (i + 1) * near);
    }
  });
  auto at = positions<T>::build([&](T* out) { std::copy(x.begin(), x.end(), out); });
  run_or_show(seconds, f<T>, at, nbr);
}
entry const e32("lj32", lj<float>), e64("lj64", lj<double>);

}  // namespace
