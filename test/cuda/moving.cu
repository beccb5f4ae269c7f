// SPDX-License-Identifier: BSD-3-Clause
// What moves elements compiles with nvcc: views with offsets, updates and patches, sorting, running sums, places by index.
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
struct scattered {
  constexpr auto operator()(matrix const& x, array<int> const& i, array<int, 3> const& k) const {
    auto y = x.at<0>().set(1.f).at<every, 1>().add(x.at<every, 2>().get());
    auto z = y.at(k).set(take<0>(x, k, mode::clip));
    return sum(square(dynamic_update_slice(z, dynamic_slice<2, 2>(y, i, 1), i, 0))) + sum(cummax<0>(z)) + sum(top_k<2>(x).first);
  }
};

struct stencil {
  constexpr auto operator()(array<float, 6, 40> const& x) const {
    auto left = concatenate<1>(ones<float, 6, 1>(), slice<range{0, 6}, range{0, 39}>(x));
    auto wide = pad<1, 2>(x);
    return sum(square(x - left)) + sum(max<1>(wide)) + sum(sum<0>(wide) * 2.f);
  }
};

}  // namespace

auto moved(matrix const& x) { return jit(parts{})(x); }
auto gradient(matrix const& x, array<int> const& i, array<int, 3> const& k) { return jit(grad(scattered{}))(x, i, k); }
auto neighbours(array<float, 6, 40> const& x) { return jit(grad(stencil{}))(x); }
