// SPDX-License-Identifier: BSD-3-Clause
// expect: E187
// expect: router/pick
// remedy: make the predicate the same on all
#include <etna/etna.hpp>

#include <etna/dist/pmap.hpp>

using namespace etna;

auto z(array<float, 12> const& x) {
  return dist::pmap<"i"_n>(named_scope<"router">([](auto const& t) {
    return named_scope<"pick">([](auto const& u) {
      return cond(
          sum(u) > 0.f, [](auto const& y) { return psum<"i"_n>(y); }, [](auto const& y) { return y; }, u);
    })(t);
  }))(x);
}
