// SPDX-License-Identifier: BSD-3-Clause
// expect: E029
// expect: named_shape<
// expect: size<3>|shape<3
#include <etna/language.hpp>

using namespace etna;

using rows = array<float, "sentence"_n, "position"_n, 3>;
auto f(rows const& x) { return reshape<3, -1>(x); }
