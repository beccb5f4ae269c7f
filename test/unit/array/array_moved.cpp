// SPDX-License-Identifier: BSD-3-Clause
// Reading what std::move gave away: an error outside of transforms, the value inside, where nothing is given away.
// Never other numbers.
#include <etna/message/runtime.hpp>

#include "same.hpp"

using namespace test;

namespace {

using large = array<double, 100>;  // beyond what lies in the object
using few = array<double, 4>;
using named = array<double, "n"_n>;

template <class F> int error_of(F const& f) {
  try {
    (void)f();
    return 0;
  } catch (error const& e) { return e.number; }
}

template <class A> void gives_away(A x, A const& y) {
  A const kept = x;
  A taken = std::move(x);
  CHECK(same_bits(taken, kept));
  CHECK(error_of([&] { return x.data(); }) == 132);
  CHECK(error_of([&] { return x(0); }) == 132);
  CHECK(error_of([&] { return x + 1.0; }) == 132);
  CHECK(error_of([&] { return A(x) * y; }) == 132);  // a copy of it is given away as well
  CHECK(error_of([&] { return jit([](A a) { return sum(a); })(x); }) == 132);
  CHECK(error_of([&] { return grad([](auto const& a) { return sum(a * a); })(x); }) == 132);
  CHECK(error_of([&] { return vmap<0>([](auto const& a) { return a * a; })(x); }) == 132);
  x = y;
  CHECK(same_bits(x, y));
  auto doubled = jit([](A a) { return a * 2.0; });
  auto const want = doubled(x);
  CHECK(same_bits(doubled(std::move(x)), want));
}

// inside of a transform x is a value: moved, assigned, swapped and returned
constexpr auto moves = [](auto const& given) {
  auto x = given;
  auto y = std::move(x);
  auto z = x * y;
  auto w = std::exchange(z, std::move(y));
  std::swap(w, z);
  return sum(x * y * z + std::move(w) * x + w);  // w is x, and z its square: x^4 + x^2 + x
};

}  // namespace

TEST_CASE("outside of transforms the memory of a large array goes with it") {
  std::array<extent, 1> const sizes{100};
  gives_away(some<large>(1), some<large>(2));
  gives_away(some<named>(1, sizes), some<named>(2, sizes));
  named none = named::build([](double*) {}, {0});
  named taken = std::move(none);
  CHECK(none.size() + taken.size() == 0);
  CHECK(sum(none).item() == 0);
}
TEST_CASE("a small array is copied") {
  few x{1, 2, 3, 4};
  few y = std::move(x);
  CHECK(sum(x * y).item() == 30);
}
TEST_CASE_TEMPLATE("inside of transforms a value stays", A, few, large, named) {
  A const x = some<A>(3, std::array<extent, 1>{A::is_static ? A::extents[0] : 100});
  auto const value = sum(x * x * x * x + x * x + x);
  auto const slope = 4.0 * x * x * x + 2.0 * x + 1.0;
  if constexpr (A::in_object) near(moves(x), value);
  else CHECK(error_of([&] { return moves(x); }) == 132);
  near(jit([](A x) { return moves(x); })(x), value);
  near(grad(moves)(x), slope);
  near(jit([](A x) { return grad(moves)(x); })(x), slope);
  near(jvp(moves, x, x).second, sum(slope * x));
  auto each = [](A x) {
    return vmap<0>([](auto const& a) {
      auto b = a;
      auto c = std::move(b);
      return b * c;
    })(x);
  };
  near(each(x), x * x);
  near(jit(each)(x), x * x);
  auto loop = [](A x) {
    return fori_loop<0, 3>(
        [&](auto const&, auto c) {
          auto d = std::move(c);
          return c * x + d;
        },
        x);
  };
  near(loop(x), x * (x + 1.0) * (x + 1.0) * (x + 1.0));
  near(jit(loop)(x), x * (x + 1.0) * (x + 1.0) * (x + 1.0));
}
