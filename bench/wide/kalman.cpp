// SPDX-License-Identifier: BSD-3-Clause
// 1,024 Kalman filters of four numbers over 100 steps: likelihood and its gradient by the logarithms of two noises. The
// step's matrix is made of constants inside the filter.
#include "program.hpp"

namespace {

using namespace wide;
constexpr extent n = 1024, steps = 100;
using vector = array<float, 4>;
using matrix = array<float, 4, 4>;
using measured = array<float, steps, 2>;
struct noise {
  array<float> process, sensor;
};
struct state {
  vector x;
  matrix p;
  array<float> likelihood;
};
constexpr auto inverse = [](array<float, 2, 2> s, auto det) {
  auto a = slice<0, 0>(s), b = slice<0, 1>(s), c = slice<1, 0>(s), d = slice<1, 1>(s);
  return stack<0>(stack<0>(d, -b), stack<0>(-c, a)) / det;
};
constexpr auto filter = [](noise const& of, measured zs) {
  auto move =
      eye<float, 4>() + 0.1f * stack<0>(vector{0, 0, 1, 0}, vector{0, 0, 0, 1}, zeros<float, 4>(), zeros<float, 4>());
  auto step = [&](state const& s, array<float, 2> z) {
    auto x = dot(move, s.x);
    auto p = matmul(matmul(move, s.p), transpose(move)) + exp(of.process) * eye<float, 4>();
    auto y = z - slice<range{0, 2}>(x);
    auto spread = slice<range{0, 2}, range{0, 2}>(p) + exp(of.sensor) * eye<float, 2>();
    auto det = slice<0, 0>(spread) * slice<1, 1>(spread) - slice<0, 1>(spread) * slice<1, 0>(spread);
    auto inv = inverse(spread, det);
    auto gain = matmul(slice<every, range{0, 2}>(p), inv);
    return std::pair{state{x + dot(gain, y), p - matmul(gain, slice<range{0, 2}, every>(p)),
                           s.likelihood - 0.5f * (dot(y, dot(inv, y)) + log(det))},
                     std::tuple<>{}};
  };
  return scan(step, state{zeros<float, 4>(), eye<float, 4>(), zeros<float>()}, zs).first.likelihood;
};
constexpr auto loss = [](noise const& of, array<float, n, steps, 2> zs) {
  return mean(vmap([&](measured z) { return filter(of, z); })(zs));
};
constexpr auto f = jit([](noise of, array<float, n, steps, 2> zs) { return value_and_grad(loss)(of, zs); });
entry const e("kalman", [](double seconds) {
  run_or_show(seconds, f, noise{fill<array<float>>(1), fill<array<float>>(2)}, fill<array<float, n, steps, 2>>(3));
});

}  // namespace
