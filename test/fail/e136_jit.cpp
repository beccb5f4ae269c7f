// SPDX-License-Identifier: BSD-3-Clause
// expect: E136
// remedy: astype<std::int64_t>\(x\)
#include <etna/etna.hpp>

using namespace etna;

auto z(array<bool, 3> const& c, array<std::uint64_t, 3> const& x, array<std::int64_t, 3> const& y) {
  return jit([](auto c, auto x, auto y) { return where(c, x, y); })(c, x, y);
}
