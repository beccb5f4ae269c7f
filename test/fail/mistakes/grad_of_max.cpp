// SPDX-License-Identifier: BSD-3-Clause
// expect: E058
// remedy: lambda.around.it
#include <etna/etna.hpp>

using namespace etna;

auto g(array<float, 3> const& x) { return grad(max)(x); }
