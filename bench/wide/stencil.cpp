// SPDX-License-Identifier: BSD-3-Clause
// Ten steps of a wave on 512 x 512 points, each side with a condition of its own; gradient by the first field and the
// speed.
#include "program.hpp"

namespace {

using namespace wide;
constexpr extent n = 512;
using field = array<float, n, n>;
struct wave {
  field now, before;
};
/// Above held at 0, below an even field, at the left a wave that leaves, at the right held at its number.
constexpr auto step = [](wave const& w, field speed) {
  constexpr auto inner = range{1, n - 1};
  auto u = slice<inner, inner>(w.now);
  auto around = slice<range{0, n - 2}, inner>(w.now) + slice<range{2, n}, inner>(w.now) +
                slice<inner, range{0, n - 2}>(w.now) + slice<inner, range{2, n}>(w.now);
  auto middle = 2.0f * u - slice<inner, inner>(w.before) + slice<inner, inner>(speed) * (around - 4.0f * u);
  auto c = sqrt(slice<inner, range{0, 1}>(speed));
  auto left = slice<inner, range{1, 2}>(w.now) +
              (c - 1.0f) / (c + 1.0f) * (slice<every, range{0, 1}>(middle) - slice<inner, range{0, 1}>(w.now));
  auto rows = concatenate<1>(left, middle, slice<inner, range{n - 1, n}>(w.now));
  return wave{concatenate<0>(zeros<float, 1, n>(), rows, slice<range{n - 3, n - 2}>(rows)), w.now};
};
constexpr auto energy = [](field first, field speed) {
  auto last = scan<10>(
                  [&](wave const& w) {
                    return std::pair{step(w, speed), std::tuple{}};
                  },
                  wave{first, first})
                  .first;
  return sum(square(last.now));
};
constexpr auto f = jit([](field first, field speed) { return value_and_grad<0, 1>(energy)(first, speed); });
entry const e("stencil",
              [](double seconds) { run_or_show(seconds, f, fill<field>(1), 0.25f + 0.2f * fill<field>(2)); });

}  // namespace
