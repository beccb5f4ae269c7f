// SPDX-License-Identifier: BSD-3-Clause
// Dormand and Prince's pair, whose steps adapt, in a bounded while loop, with gradients by the initial state and the
// rates.
#include "species.hpp"

using namespace test;

namespace {

template <int Rounds> struct dormand_prince {
  constexpr auto operator()(auto const& start, auto const& p, double end) const {
    auto [t, h, y, n] = while_loop<Rounds>(
        [&](auto const& s) { return std::get<0>(s) < end; },
        [&](auto const& s) {
          auto const& [t, proposed, y, n] = s;
          auto h = minimum(proposed, end - t);
          auto k1 = species(y, p);
          auto k2 = species(y + h * (1. / 5 * k1), p);
          auto k3 = species(y + h * (3. / 40 * k1 + 9. / 40 * k2), p);
          auto k4 = species(y + h * (44. / 45 * k1 - 56. / 15 * k2 + 32. / 9 * k3), p);
          auto k5 =
              species(y + h * (19372. / 6561 * k1 - 25360. / 2187 * k2 + 64448. / 6561 * k3 - 212. / 729 * k4), p);
          auto k6 = species(
              y + h * (9017. / 3168 * k1 - 355. / 33 * k2 + 46732. / 5247 * k3 + 49. / 176 * k4 - 5103. / 18656 * k5),
              p);
          auto next = y + h * (35. / 384 * k1 + 500. / 1113 * k3 + 125. / 192 * k4 - 2187. / 6784 * k5 + 11. / 84 * k6);
          auto k7 = species(next, p);
          auto e = h * (71. / 57600 * k1 - 71. / 16695 * k3 + 71. / 1920 * k4 - 17253. / 339200 * k5 + 22. / 525 * k6 -
                        1. / 40 * k7);
          auto error = sqrt(mean(square(e / (1e-6 + 1e-6 * maximum(abs(y), abs(next))))));
          auto ok = error <= 1.0;
          return std::tuple{where(ok, t + h, t), h * clip(0.9 * pow(error, -0.2), 0.2, 5.0), where(ok, next, y), n + 1};
        },
        std::tuple{scalar(0.0), scalar(0.5), start, array<int>(0)});
    return std::pair{y, n};
  }
};

constexpr auto end_of = [](auto const& y, auto const& p) { return sum(sin(dormand_prince<64>{}(y, p, 2.0).first)); };

}  // namespace

TEST_CASE("programs: an adaptive integrator in a bounded while loop and its gradient") {
  both_as_jax(
      "dormand_prince", 1e-10, [](state y, rates p) { return dormand_prince<64>{}(y, p, 2.0); }, start, known);
  both_as_jax(
      "dormand_prince_grad", 1e-8, [](state y, rates p) { return value_and_grad<0, 1>(end_of)(y, p); }, start, known);
}

TEST_CASE("programs: the integrator and its gradient under vmap, each example in its own number of rounds") {
  auto each = [](array<double, 3, 2> y, rates p) {
    return vmap<0, none>([](auto const& y, auto const& p) {
      return std::pair{dormand_prince<64>{}(y, p, 2.0).second, grad(end_of)(y, p)};
    })(y, p);
  };
  both_as_jax("dormand_prince_each", 1e-8, each, array<double, 3, 2>{{1, 0.5}, {2, 1}, {0.3, 0.1}}, known);
}
