// SPDX-License-Identifier: BSD-3-Clause
// Derivatives of numbers are constants: they are computed while this file compiles.
#include <etna/language.hpp>

using namespace etna;

namespace {

constexpr auto cube = [](auto x) { return x * x * x; };
static_assert(grad(cube)(2.0) == 12.0);
static_assert(grad(grad(cube))(2.0) == 12.0);
static_assert(grad(grad(grad(cube)))(2.0) == 6.0);
static_assert(grad(cube)(2.0f) == 12.0f);
static_assert(std::is_same_v<decltype(grad(cube)(2.0)), double>);
static_assert(std::is_same_v<decltype(grad(cube)(2.0f)), float>);
static_assert(std::is_same_v<decltype(grad(cube)(array<double>(2.0))), array<double>>);

// By other arguments, and by several.
constexpr auto product = [](auto x, auto y) { return x * x * y; };
static_assert(grad<1>(product)(3.0, 4.0) == 9.0);
constexpr auto both = grad<0, 1>(product)(3.0, 4.0);
static_assert(std::get<0>(both) == 24.0 && std::get<1>(both) == 9.0);
constexpr auto swapped = grad<1, 0>(product)(3.0, 4.0);
static_assert(std::get<0>(swapped) == 9.0 && std::get<1>(swapped) == 24.0);

// The mixed second derivative, and one that another function takes inside.
static_assert(grad<1>([](auto x, auto y) { return grad(product)(x, y); })(3.0, 4.0) == 6.0);
static_assert(grad([](auto x) { return x * grad([&](auto y) { return x + y; })(x); })(1.0) == 1.0);

// A chain of other rows.
static_assert(grad([](auto x) { return x / (x + 1.0); })(1.0) == 0.25);
static_assert(grad([](auto x) { return where(x > 0, x * 3.0, -x); })(2.0) == 3.0);
static_assert(grad([](auto x) { return where(x > 0, x * 3.0, -x); })(-2.0) == -1.0);
static_assert(grad([](auto x) { return stop_gradient(x) * x; })(5.0) == 5.0);
static_assert(grad([](auto x) { return x * 0.0 + 1.0; })(5.0) == 0.0);

// The value beside the gradient.
static_assert(value_and_grad(cube)(2.0).first.item() == 8.0);
static_assert(value_and_grad(cube)(2.0).second == 12.0);

// Forward mode.
static_assert(jvp(cube, 2.0, 1.0).second.item() == 12.0);
static_assert(jvp(product, std::tuple{3.0, 4.0}, std::tuple{1.0, 0.0}).second.item() == 24.0);

// Trees: the gradient has the type of the argument.
struct line {
  array<double> slope;
  array<double> at_zero;
};
constexpr auto height = [](line const& l, array<double> x) { return l.slope * x + l.at_zero; };
static_assert(std::is_same_v<decltype(grad(height)(line{}, array<double>())), line>);
constexpr double by_slope(double x) { return grad(height)(line{2.0, 1.0}, array<double>(x)).slope.item(); }
static_assert(by_slope(3.0) == 3.0);

// Types of Jacobians.
using vec = array<double, 3>;
constexpr auto squares = [](auto x) { return x * x; };
static_assert(std::is_same_v<decltype(jacfwd(squares)(vec{})), array<double, 3, 3>>);
static_assert(std::is_same_v<decltype(jacrev(squares)(vec{})), array<double, 3, 3>>);
static_assert(std::is_same_v<decltype(hessian([](auto x) { return sum(x * x); })(vec{})), array<double, 3, 3>>);

}  // namespace

// a number that comes from a loop or a branch is no constant outside jit, instead of a wrong one
constexpr auto repeated = [](auto x) { return scan<3>([&](auto const& c) { return std::pair{c * x, c}; }, x).first; };
constexpr auto piecewise = [](auto x) {
  return cond(
      x > 1.0, [](auto y) { return y * y; }, [](auto y) { return y; }, x);
};
template <class F> concept is_constant = requires { typename std::bool_constant<(grad(F{})(2.0) > 0)>; };
static_assert(is_constant<decltype(cube)>);
static_assert(!is_constant<decltype(repeated)> && !is_constant<decltype(piecewise)>);
