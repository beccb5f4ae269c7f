// SPDX-License-Identifier: BSD-3-Clause
// What moves elements compiles with nvcc: views with offsets, updates, sorting, running sums, places by index.
#include <etna/etna.hpp>

using namespace etna;

namespace {

using matrix = array<float, 6, 4>;

struct parts {
  constexpr auto operator()(matrix const& x) const {
    auto inner = slice<range{1, -1}, range{rest, rest, -1}>(x);
    return std::tuple{concatenate<1>(x, flip<0>(x) * 2.f), pad<1>(inner, 0.5f), sort<0>(x, descending), argsort(x), cumsum<1>(x), cumprod<0>(x)};
  }
};
struct loss {
  constexpr auto operator()(matrix const& x, array<int> const& i, array<int, 3> const& k) const {
    auto y = x.at<0>().set(1.f).at<every, 1>().add(x.at<every, 2>().get());
    auto z = y.at(k).set(take<0>(x, k, mode::clip));
    return sum(square(dynamic_update_slice(z, dynamic_slice<2, 2>(y, i, 1), i, 0))) + sum(cummax<0>(z)) + sum(top_k<2>(x).first);
  }
};

}  // namespace

auto moved(matrix const& x) { return jit(parts{})(x); }
auto gradient(matrix const& x, array<int> const& i, array<int, 3> const& k) { return jit(grad(loss{}))(x, i, k); }
