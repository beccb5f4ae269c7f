// SPDX-License-Identifier: BSD-3-Clause
// expect: E187
// remedy: make the predicate the same on all
#include <etna/etna.hpp>

#include <etna/dist/pmap.hpp>

using namespace etna;

auto z(array<float, 12> const& x) {
  return dist::pmap<"i"_n>([](auto const& t) {
    return while_loop([](auto const& y) { return sum(y) < 100.f; }, [](auto const& y) { return psum<"i"_n>(y); }, t);
  })(x);
}
