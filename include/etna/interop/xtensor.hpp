// SPDX-License-Identifier: BSD-3-Clause
// xtensor's containers and adaptors (xarray, xtensor, xtensor_fixed) for borrow and copy_to, by their form alone. What adopts
// them, from_xtensor and to_xtensor, is in <etna/array/bridge.hpp>.
#pragma once
#include "strided.hpp"

namespace etna::interop {

template <class X> concept xtensor_like = requires(X const& x) { x.dimension(); x.shape(); x.strides(); x.data(); typename X::value_type; };
template <xtensor_like X> struct describe<X> {
  static auto of(auto& x) {
    using T = std::remove_pointer_t<decltype(x.data())>;
    strided<T> s{x.data(), int(x.dimension()), {}, {}};
    for (int i = 0; i < s.rank; ++i) {
      s.size[i] = extent(x.shape()[std::size_t(i)]);
      s.stride[i] = extent(x.strides()[std::size_t(i)]);
    }
    return s;
  }
};

}  // namespace etna::interop
