// SPDX-License-Identifier: BSD-3-Clause
// Loops that end by themselves: Newton's method as a root with its gradient, and while loops under vmap whose examples
// end each in its time.
#include "as_jax.hpp"

using namespace test;

namespace {

using scalar = array<double>;
using vector = array<double, 3>;
using matrix = array<double, 3, 3>;

constexpr auto cross = [](auto const& x, auto const& y) {
  auto [a, b, c] = unstack(x);
  auto [d, e, f] = unstack(y);
  return stack(b * f - c * e, c * d - a * f, a * e - b * d);
};
// the z with m z = y, by cofactors
constexpr auto solved = [](auto const& m, auto const& y) {
  auto [a, b, c] = unstack(m);
  auto first = cross(b, c);
  return dot(y, stack(first, cross(c, a), cross(a, b))) / dot(a, first);
};
constexpr auto equations = [](auto const& x, auto const& a, auto const& c) { return x + 0.25 * tanh(dot(a, x)) - c; };
constexpr auto newton = [](auto const& x0, auto const& a, auto const& c) {
  auto f = [&](auto const& x) { return equations(x, a, c); };
  return while_loop([&](auto const& x) { return max(abs(f(x))) > 1e-13; },
                    [&](auto const& x) { return x - solved(jacfwd(f)(x), f(x)); }, x0);
};
constexpr auto root = custom_root(
    equations, newton, [](auto const& g, auto const& y) { return solved(jacfwd(g)(zeros<double, 3>()), y); });

constexpr auto collatz = [](array<int> const& n) {
  auto [end, steps] = while_loop([](auto const& s) { return std::get<0>(s) > 1; },
                                 [](auto const& s) {
                                   auto const& [n, k] = s;
                                   return std::pair{where(n % 2 == 0, floor_divide(n, 2), 3 * n + 1), k + 1};
                                 },
                                 std::pair{n, array<int>(0)});
  return steps;
};
// the arithmetic-geometric mean, and its number of rounds
constexpr auto agm = [](auto const& a, auto const& b) {
  auto [mean, other, rounds] =
      while_loop([](auto const& s) { return abs(std::get<0>(s) - std::get<1>(s)) > 1e-12 * std::get<0>(s); },
                 [](auto const& s) {
                   auto const& [a, b, n] = s;
                   return std::tuple{(a + b) / 2, sqrt(a * b), n + 1};
                 },
                 std::tuple{a, b, array<int>(0)});
  return std::pair{mean, rounds};
};

constexpr auto of_root = [](auto const& a, auto const& c) { return sum(square(root(zeros<double, 3>(), a, c))); };

}  // namespace

TEST_CASE("programs: Newton's method as a root, and the gradient through it") {
  auto a = numbers<matrix>(7, 1. / 8);
  auto c = numbers<vector>(8);
  both_as_jax(
      "newton", 1e-12, [](matrix a, vector c) { return root(zeros<double, 3>(), a, c); }, a, c);
  both_as_jax(
      "newton_grad", 1e-12, [](matrix a, vector c) { return value_and_grad<0, 1>(of_root)(a, c); }, a, c);
  both_as_jax(
      "newton_each", 1e-12, [](matrix a, matrix cs) { return vmap<none, 0>(grad<1>(of_root))(a, cs); }, a,
      stack(c, 2 * c, c + 0.5));
  both_as_jax(
      "newton_hessian", 1e-12, [](matrix a, vector c) { return hessian<1>(of_root)(a, c); }, a, c);
}

TEST_CASE("programs: vmap over while loops of different lengths") {
  both_as_jax(
      "collatz", 0, [](array<int, 6> n) { return vmap(collatz)(n); }, array<int, 6>{1, 2, 3, 7, 27, 97});
  array<double, 4> a{1, 1.5, 24, 1e6};
  both_as_jax(
      "agm", 1e-13, [](array<double, 4> a) { return vmap<0, none>(agm)(a, scalar(1.0)); }, a);
  both_as_jax(
      "agm_jvp", 1e-12,
      [](array<double, 4> a) {
        return vmap([](auto const& a) {
          return jvp([](auto const& a) { return agm(a, scalar(1.0)).first; }, a, scalar(1.0)).second;
        })(a);
      },
      a);
}
