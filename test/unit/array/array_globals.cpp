// SPDX-License-Identifier: BSD-3-Clause
// Arrays that live as long as the program: what a compiler may evaluate of them before it starts must not be their
// elements.
#include <doctest/doctest.h>

#include <etna/etna.hpp>

using namespace etna;

namespace {

struct parameters {
  array<float, 3> b;
  array<float, 100> w;
  array<double> scale = 0.5;
};

array<float> zero;
array<float> rate(0.25f);
array<int, 3> small;
array<float, 100> large;  // beyond what lies in the object
array<double, 100> written = ones<double, 100>();
array<double, 100> given(written);
array<float, 3> copied = array<float, 3>(array<float, 3>());
array<float, 100> moved = [] {
  array<float, 100> a, b = std::move(a);
  return b;
}();
parameters nested;
std::array<parameters, 2> several{};
thread_local array<float, 100> of_thread;
static const array<float, 2> braces{1, 2};
inline array<bool, 300> flags = full<bool, 300>(true);

TEST_CASE("arrays at namespace scope have their elements") {
  CHECK(zero.item() == 0);
  CHECK(rate.item() == 0.25f);
  CHECK((all(small == 0) && small.data() != nullptr));
  CHECK(sum(large + 1.f).item() == 100);
  CHECK(sum(written).item() == 100);
  CHECK(sum(given).item() == 100);
  CHECK(sum(copied + 1.f).item() == 3);
  CHECK(sum(moved + 1.f).item() == 100);
  CHECK(sum(nested.b + 1.f).item() == 3);
  CHECK(sum(nested.w + 1.f).item() == 100);
  CHECK(nested.scale.item() == 0.5);
  for (auto const& p : several) CHECK(sum(p.w + 1.f).item() + sum(p.b).item() == 100);
  CHECK(sum(of_thread + 1.f).item() == 100);
  CHECK(sum(braces).item() == 3);
  CHECK(all(flags).item());
}

TEST_CASE("static arrays of a function, and of compiled functions") {
  static array<float, 100> local;
  static parameters all;
  CHECK(sum(local + 1.f).item() == 100);
  CHECK(sum(all.w + 1.f).item() == 100);
  CHECK(jit([](array<float, 100> x, array<float> r) { return sum(x + r); })(large, rate).item() == 25);
}

}  // namespace
