// SPDX-License-Identifier: BSD-3-Clause
// expect: E035
// errors g++: 2
#include <etna/etna.hpp>

using namespace etna;

constexpr auto f = [](array<float, 3> x) { return vmap<0>([](auto v) { return v * v.item(); })(x); };
auto z(array<float, 3> a) { return show(f, a); }
