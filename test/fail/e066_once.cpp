// SPDX-License-Identifier: BSD-3-Clause
// expect: E066
// expect: shape<1600>, etna::message::shape<64, 3136>
// One mistake is one error: the layer behind the refused one takes what that one promises.
#include <etna/language.hpp>

using namespace etna;

struct net {
  nn::dense<float, 1600, 128> first;
  nn::dense<float, 128, 10> last;
  constexpr auto operator()(auto const& x) const { return last(first(x)); }
};
auto const f = [] { return net{}(array<float, 64, 3136>{}); };
using result = decltype(f());
