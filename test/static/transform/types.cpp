// SPDX-License-Identifier: BSD-3-Clause
// Transforms whose function is a template argument: class templates, and calls on the spot.
#include <etna/language.hpp>

using namespace etna;

namespace {

constexpr auto cube = [](auto x) { return x * x * x; };
constexpr auto product = [](auto x, auto y) { return x * x * y; };

static_assert(types::grad<cube>{}(2.0) == 12.0);
static_assert(types::grad<types::grad<cube>{}>{}(2.0) == 12.0);
static_assert(types::grad<product, 1>{}(3.0, 4.0) == 9.0);
static_assert(std::get<1>(types::grad<product, 0, 1>{}(3.0, 4.0)) == 9.0);
static_assert(types::value_and_grad<cube>{}(2.0).second == 12.0);
static_assert(types::jvp<cube>{}(2.0, 1.0).second.item() == 12.0);
static_assert(types::vjp<cube>{}(2.0).first.item() == 8.0);
// The class and the value mean the same.
static_assert(std::is_base_of_v<std::remove_const_t<decltype(grad(cube))>, types::grad<cube>>);

// On the spot, beside the other spellings of the same names.
static_assert(grad<cube>(2.0) == 12.0);
static_assert(grad<types::grad<cube>{}>(2.0) == 12.0);
static_assert(grad<product, 1>(3.0, 4.0) == 9.0);
static_assert(grad<1>(product)(3.0, 4.0) == 9.0);
static_assert(std::get<0>(grad<0, 1>(product)(3.0, 4.0)) == 24.0);
static_assert(grad(grad(cube))(2.0) == 12.0);
static_assert(value_and_grad<cube>(2.0).second == 12.0);

// A scope may take the classes under their short names.
namespace as_classes {
using etna::types::grad;
using etna::types::vmap;
static_assert(grad<cube>{}(2.0) == 12.0);
static_assert(grad<grad<cube>{}>{}(2.0) == 12.0);

constexpr auto predict = [](array<float, 3, 2> w, array<float, 3> x) { return dot(x, w); };
using batched = vmap<predict, none, 0>;
static_assert(std::is_same_v<decltype(batched{}(array<float, 3, 2>{}, array<float, 5, 3>{})), array<float, 5, 2>>);
}  // namespace as_classes

constexpr auto squares = [](auto x) { return sum(x * x); };
using vec = array<double, 3>;
static_assert(std::is_same_v<decltype(types::vmap<squares>{}(array<float, 5, 3>{})), array<float, 5>>);
static_assert(std::is_same_v<decltype(vmap<product, none, 0>(vec{}, array<double, 4, 3>{})), array<double, 4, 3>>);
static_assert(std::is_same_v<decltype(vmap<types::grad<squares>{}, 0>(array<float, 5, 3>{})), array<float, 5, 3>>);
static_assert(std::is_same_v<decltype(types::jacfwd<cube>{}(vec{})), array<double, 3, 3>>);
static_assert(std::is_same_v<decltype(jacrev<cube>(vec{})), array<double, 3, 3>>);
static_assert(std::is_same_v<decltype(types::hessian<squares>{}(vec{})), array<double, 3, 3>>);
static_assert(std::is_same_v<decltype(hessian<squares>(vec{})), array<double, 3, 3>>);

// A function object with a state keeps it.
struct scaled {
  double by;
  template <class X> constexpr auto operator()(X x) const { return by * x * x; }
};
static_assert(types::grad<scaled{3.0}>{}(2.0) == 12.0);

}  // namespace
