// SPDX-License-Identifier: BSD-3-Clause
// expect: E029
// expect: named_shape<
#include <etna/language.hpp>

using namespace etna;

using rows = array<float, "sentence"_n, "position"_n>;
auto f(rows const& x) { return ravel(x); }
