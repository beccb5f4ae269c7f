// SPDX-License-Identifier: BSD-3-Clause
// A tree of seven joints in 20,000 configurations: a trunk of three, two arms of two; gradient by the angles.
#include "program.hpp"

namespace {

using namespace wide;
constexpr extent n = 20000;
using rotation = array<float, 3, 3>;
using vector = array<float, 3>;
struct frame {
  rotation r;
  vector p;
};
using angles = array<float, 7>;
struct robot {
  array<float, 7, 3> offsets;
  array<float, 2, 3> targets;
};

/// About the z, y and x axis in turns.
template <int Joint> constexpr auto turn(angles q) {
  auto c = cos(slice<Joint>(q)), s = sin(slice<Joint>(q));
  auto one = ones_like(c), zero = zeros_like(c);
  if constexpr (Joint % 3 == 0) return stack<0>(stack<0>(c, -s, zero), stack<0>(s, c, zero), stack<0>(zero, zero, one));
  else if constexpr (Joint % 3 == 1)
    return stack<0>(stack<0>(c, zero, s), stack<0>(zero, one, zero), stack<0>(-s, zero, c));
  else return stack<0>(stack<0>(one, zero, zero), stack<0>(zero, c, -s), stack<0>(zero, s, c));
}
template <int Joint> constexpr frame moved(frame parent, robot const& b, angles q) {
  return {matmul(parent.r, turn<Joint>(q)), parent.p + matmul(parent.r, slice<Joint>(b.offsets))};
}
constexpr auto energy = [](robot const& b, angles q) {
  frame root{eye<float, 3>(), zeros<float, 3>()};
  auto trunk = moved<2>(moved<1>(moved<0>(root, b, q), b, q), b, q);
  auto left = moved<4>(moved<3>(trunk, b, q), b, q), right = moved<6>(moved<5>(trunk, b, q), b, q);
  auto tip = array<float, 3>{0, 0, 1};
  return sum(square(left.p + matmul(left.r, tip) - slice<0>(b.targets))) +
         sum(square(right.p + matmul(right.r, tip) - slice<1>(b.targets))) + 0.1f * sum(square(q));
};
constexpr auto f = jit([](robot b, array<float, n, 7> q) { return vmap<none, 0>(value_and_grad<1>(energy))(b, q); });
entry const e("body", [](double seconds) {
  robot b{fill<array<float, 7, 3>>(1), fill<array<float, 2, 3>>(2)};
  run_or_show(seconds, f, b, fill<array<float, n, 7>>(3, 3));
});

}  // namespace
