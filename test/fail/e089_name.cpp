// SPDX-License-Identifier: BSD-3-Clause
// expect: E089
#include <etna/etna.hpp>

using namespace etna;

auto z(array<float, 3> const& x) { return checkpoint_name<"">(x); }
