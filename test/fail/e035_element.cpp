// SPDX-License-Identifier: BSD-3-Clause
// expect: E035
// errors g++: 2
#include <etna/etna.hpp>

using namespace etna;

constexpr auto f = [](array<double, 3> x) { return x(0) * x; };
auto z() { return point(f)(std::array<double, 3>{1, 2, 3}); }
