// SPDX-License-Identifier: BSD-3-Clause
// Runge and Kutta's fourth order: 1,000 steps on 16 states, their gradient; ten steps of the heat equation on 1,000,000
// points with fixed ends, and the gradient through them.
#include "job.hpp"

namespace {

using namespace bench;
using state = array<float, 16>;

template <int Steps, class Y, class Slope> constexpr Y runge_kutta(Slope const& slope, float h, Y const& start) {
  auto step = [&](Y y) {
    Y a = slope(y), b = slope(y + 0.5f * h * a), c = slope(y + 0.5f * h * b), d = slope(y + h * c);
    return std::pair{Y(y + h / 6 * (a + 2.0f * b + 2.0f * c + d)), std::tuple<>{}};
  };
  return scan<Steps>(step, start).first;
}

constexpr auto rk4 = jit(grad([](state start, state k) {
  state end = runge_kutta<1000>([&](state y) { return tanh(k * y) - 0.5f * y; }, 0.01f, start);
  return sum(end * end);
}));

entry const a1("etna", "rk4", [] { return of(rk4, 1, filled<state>(12, 2), filled<state>(13, 2, 1)); });

using line = array<float, 1000000>;
constexpr auto heat = [](line start) {
  constexpr extent n = line::extents[0];
  return runge_kutta<10>(
      [](line y) {
        return pad<1, 0>(slice<range{0, n - 1}>(y)) - 2.0f * y + pad<0, 1>(slice<range{1, n}>(y));
      },
      0.2f, start);
};

void slope(float const* y, float* out, std::size_t n) {
  out[0] = y[1] - 2 * y[0];
  for (std::size_t i = 1; i + 1 < n; ++i) out[i] = y[i - 1] - 2 * y[i] + y[i + 1];
  out[n - 1] = y[n - 2] - 2 * y[n - 1];
}
job heat_by_hand() {
  auto start = filled<line>(15, 2);
  auto run = [start] {
    std::size_t const n = std::size_t(start.size());
    constexpr float h = 0.2f;
    std::vector<float> y(start.begin(), start.end()), z(n), a(n), b(n), c(n), d(n);
    for (int s = 0; s < 10; ++s) {
      slope(y.data(), a.data(), n);
      for (std::size_t i = 0; i < n; ++i) z[i] = y[i] + 0.5f * h * a[i];
      slope(z.data(), b.data(), n);
      for (std::size_t i = 0; i < n; ++i) z[i] = y[i] + 0.5f * h * b[i];
      slope(z.data(), c.data(), n);
      for (std::size_t i = 0; i < n; ++i) z[i] = y[i] + h * c[i];
      slope(z.data(), d.data(), n);
      for (std::size_t i = 0; i < n; ++i) y[i] += h / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
    }
    return y;
  };
  return {[run] { use(run().data()); },
          [run] {
            auto y = run();
            std::pair<double, double> s{0, 0};
            add_numbers(s, y.data(), y.size());
            return s;
          }};
}

entry const b1("etna", "heat", [] { return of(jit(heat), 1, filled<line>(15, 2)); });
entry const b2("cpp", "heat", heat_by_hand);
entry const b3("etna", "heat_grad",
               [] { return of(jit(grad([](line y) { return sum(square(heat(y))); })), 1, filled<line>(15, 2)); });

}  // namespace
