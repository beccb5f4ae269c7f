// SPDX-License-Identifier: BSD-3-Clause
// A recurrent network of l layers with diagonal weights that reads c characters of 14 bits, each predicting the next.
// The derivative is the gradient by all parameters. Compiled once for each number of layers, LAYERS.
#include "work.hpp"

namespace gradbench {
namespace {

constexpr int bits = 14;
using row = array<double, bits>;

template <int L> struct network {
  array<double, L, 2, 4, bits> main;  // weights and biases of the gates: forget, in, out, change
  array<double, 3, bits> extra;       // weight of the input, weight and bias of the output
};

constexpr auto layer = [](row x, std::pair<array<double, 2, 4, bits>, array<double, 2, bits>> const& wb_and_state) {
  auto const& wb = wb_and_state.first;
  auto const& state = wb_and_state.second;
  row hidden = slice<0>(state), cell = slice<1>(state);
  auto gate = [&]<int G>(std::integral_constant<int, G>, row v) { return row(v * slice<0, G>(wb) + slice<1, G>(wb)); };
  row forget = sigmoid(gate(std::integral_constant<int, 0>{}, x)),
      in = sigmoid(gate(std::integral_constant<int, 1>{}, hidden));
  row out = sigmoid(gate(std::integral_constant<int, 2>{}, x)),
      change = tanh(gate(std::integral_constant<int, 3>{}, hidden));
  cell = cell * forget + in * change;
  hidden = out * tanh(cell);
  return std::pair{hidden, array<double, 2, bits>(stack<0>(hidden, cell))};
};

template <int L, extent C> struct problem {
  using states = array<double, L, 2, bits>;
  using text = array<double, C, bits>;
  using network = gradbench::network<L>;

  static constexpr auto loss = [](network const& w, states start, text const& characters) {
    row in = slice<0>(w.extra), out = slice<1>(w.extra), offset = slice<2>(w.extra);
    auto step = [&](states s, std::pair<row, row> const& xy) {
      auto [x, next] = scan(layer, row(xy.first * in), std::pair{w.main, s});
      row y = x * out + offset;
      return std::pair{states(next), sum(xy.second * (y - log(2.0 + sum(exp(y)))))};
    };
    auto xs = std::pair{slice<range{0, C - 1}>(characters), slice<range{1, C}>(characters)};
    return -sum(scan(step, start, xs).second) / double((C - 1) * bits);
  };
  static constexpr auto gradient = jit([](network w, states s, text t) { return grad(loss)(w, s, t); });
};

double sigmoid_of(double x) { return 1 / (1 + std::exp(-x)); }

[[gnu::noinline]] double by_hand(int layers, std::size_t count, double const* main, double const* extra,
                                 double const* start, double const* text) {
  std::vector<double> state(start, start + 2 * layers * bits);
  double out[bits], total = 0;
  for (std::size_t t = 0; t + 1 < count; ++t) {
    for (int i = 0; i < bits; ++i) out[i] = text[t * bits + i] * extra[i];
    double const* x = out;
    for (int l = 0; l < layers; ++l) {
      double const *w = main + 8 * bits * l, *b = w + 4 * bits;
      double *hidden = state.data() + 2 * bits * l, *cell = hidden + bits;
      for (int i = 0; i < bits; ++i) {
        double f = sigmoid_of(x[i] * w[i] + b[i]);
        double g = sigmoid_of(hidden[i] * w[bits + i] + b[bits + i]);
        double o = sigmoid_of(x[i] * w[2 * bits + i] + b[2 * bits + i]);
        double n = std::tanh(hidden[i] * w[3 * bits + i] + b[3 * bits + i]);
        cell[i] = cell[i] * f + g * n;
        hidden[i] = o * std::tanh(cell[i]);
      }
      x = hidden;
    }
    double sum = 2;
    for (int i = 0; i < bits; ++i) {
      out[i] = x[i] * extra[bits + i] + extra[2 * bits + i];
      sum += std::exp(out[i]);
    }
    double const all = std::log(sum);
    for (int i = 0; i < bits; ++i) total += text[(t + 1) * bits + i] * (out[i] - all);
  }
  return -total / double((count - 1) * bits);
}

template <int L, extent C> work make() {
  using P = problem<L, C>;
  typename P::network w{uniform<array<double, L, 2, 4, bits>>(5), uniform<array<double, 3, bits>>(6)};
  auto s = uniform<typename P::states>(7);
  auto t = P::text::build([](double* out) {  // bits of made-up letters
    for (extent i = 0; i < C * bits; ++i) out[i] = reference::value(std::uint64_t(i), 8, 1) < 0 ? 0 : 1;
  });
  auto hand = [=](double const* main, double const* extra) { return by_hand(L, C, main, extra, s.data(), t.data()); };
  return {[=] {
            double r = hand(w.main.data(), w.extra.data());
            use(&r);
          },
          [=] { use_all(P::gradient(w, s, t)); },
          [=] {  // slopes along some directions, by central differences
            auto g = P::gradient(w, s, t);
            std::size_t const n = 8 * bits * L, all = n + 3 * bits;
            std::vector<double> at(all), slopes(4), want(4);
            for (std::size_t k = 0; k < 4; ++k)
              for (double side : {1.0, -1.0}) {
                double const h = 1e-5;
                for (std::size_t i = 0; i < all; ++i) {
                  double along = reference::value(i, 9 + k, 2);
                  at[i] = (i < n ? w.main.data()[i] : w.extra.data()[i - n]) + side * h * along;
                  if (side > 0) slopes[k] += along * (i < n ? g.main.data()[i] : g.extra.data()[i - n]);
                }
                want[k] += side * hand(at.data(), at.data() + n) / (2 * h);
              }
            return difference(slopes.data(), want.data(), 4);
          }};
}
template <int L, extent... C> std::vector<entry> sizes() {
  return {{"lstm", "l=" + std::to_string(L) + " c=" + std::to_string(C), 2.0, 1e-6, make<L, C>}...};
}

}  // namespace

template <> std::vector<entry> lstm<LAYERS>() { return sizes<LAYERS, 1024, 4096, 8192>(); }

}  // namespace gradbench
