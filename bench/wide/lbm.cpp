// SPDX-License-Identifier: BSD-3-Clause
// Lattice Boltzmann (D2Q9) on 256 x 256, 20 steps; gradient of the kinetic energy by the first populations.
#include "program.hpp"

namespace {

using namespace wide;
using populations = array<float, 9, 256, 256>;
constexpr int cx[] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, cy[] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
constexpr double wl[] = {4. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 36, 1. / 36, 1. / 36, 1. / 36};

constexpr auto macro = [](populations f) {
  array<float, 9> x{0, 1, 0, -1, 0, 1, -1, -1, 1}, y{0, 0, 1, 0, -1, 1, 1, -1, -1};
  auto rho = sum<0>(f);
  return std::tuple{rho, einsum<"i,ixy->xy">(x, f) / rho, einsum<"i,ixy->xy">(y, f) / rho};
};
constexpr auto step = [](populations f) {
  auto moved = [&]<std::size_t... I>(std::index_sequence<I...>) {
    return stack<0>(roll<cy[I], 1>(roll<cx[I], 0>(slice<int(I)>(f)))...);
  }(std::make_index_sequence<9>{});
  auto [rho, ux, uy] = macro(moved);
  auto column = [](array<float, 9> v) { return reshape<9, 1, 1>(v); };
  auto x = column({0, 1, 0, -1, 0, 1, -1, -1, 1}), y = column({0, 0, 1, 0, -1, 1, 1, -1, -1});
  auto w = column({float(wl[0]), float(wl[1]), float(wl[2]), float(wl[3]), float(wl[4]), float(wl[5]), float(wl[6]),
                   float(wl[7]), float(wl[8])});
  auto cu = x * ux + y * uy;
  auto feq = w * rho * (1.0f + 3.0f * cu + 4.5f * cu * cu - 1.5f * (ux * ux + uy * uy));
  return moved - 1.2f * (moved - feq);
};
constexpr auto energy = [](populations f) {
  auto last = fori_loop<0, 20>([](auto, populations f) { return populations(step(f)); }, f);
  auto [rho, ux, uy] = macro(last);
  return 0.5f * sum(rho * (ux * ux + uy * uy));
};
constexpr auto f = jit([](populations f0) { return grad(energy)(f0); });
entry const e("lbm", [](double seconds) {
  auto f0 = populations::build([](float* out) {
    for (extent i = 0; i < populations::type.size(); ++i)
      out[i] = float(wl[i / 65536] * (1 + 0.1 * double(float(filled(std::uint32_t(i), 1)))));
  });
  run_or_show(seconds, f, f0);
});

}  // namespace
