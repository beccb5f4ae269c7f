// SPDX-License-Identifier: BSD-3-Clause
// Functions over a mesh on 1 to 4 ranks, each against the same on whole arrays: specs of one axis and two, a mesh whose
// size is open, one of 2 x 2, gradients inside.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <etna/dist/placement.hpp>
#include <etna/dist/shard_map.hpp>
#include <etna/dist/world.hpp>
#include <etna/etna.hpp>

using namespace etna;
using dist::axis, dist::in_specs, dist::out_specs, dist::spec;

namespace {

int wrong = 0, me = 0;
double largest = 0;

template <class A> A numbers(double from) {
  return A::build([&](double* x) {
    for (extent i = 0; i < A::type.size(); ++i) x[i] = std::sin(from + 0.7 * double(i));
  });
}
template <any_array A, any_array B> void compare(const char* what, A const& x, B const& y) {
  for (extent i = 0; i < x.size(); ++i) {
    double const d = std::abs(double(x.data()[i]) - double(y.data()[i]));
    largest = std::max(largest, d);
    if (d > 1e-12 && ++wrong)
      return void(std::printf("rank %d: %s [%d]: %.17g, not %.17g\n", me, what, int(i), double(x.data()[i]),
                              double(y.data()[i])));
  }
  if (x.size() != y.size() && ++wrong) std::printf("rank %d: %s: %d elements\n", me, what, int(x.size()));
}

using whole_x = array<double, 12, 4>;
using whole_w = array<double, 4, 8>;
constexpr auto net = [](auto const& x, auto const& w) { return tanh(dot(x, w)); };
constexpr auto loss = [](auto const& w, auto const& x) { return sum(square(net(x, w))); };
constexpr auto plain = jit([](whole_x const& x, whole_w const& w) {
  auto const [value, slope] = value_and_grad(loss)(w, x);
  return std::tuple{net(x, w), mean<0>(x), value, slope, max<0>(x)};
});

/// A mesh of one axis that is open: as many rows on each rank as there are then.
void open_mesh(dist::process_group& ranks) {
  using line = dist::mesh<"data"_n>;
  line const m(ranks);
  auto const x = numbers<whole_x>(0);
  auto const w = numbers<whole_w>(2);
  auto const [y, mean_x, value, slope, greatest] = plain(x, w);
  auto const rows = dist::device_put<spec<"data"_n>, array<double, "r"_n, 4>>(m, x);
  constexpr auto f =
      dist::shard_map<line, in_specs<spec<"data"_n>, spec<>>,
                      out_specs<spec<"data"_n>, spec<>, spec<>, spec<>, spec<>>>([](auto const& t, auto const& u) {
        auto const [l, g] = value_and_grad(loss)(u, t);
        return std::tuple{net(t, u), pmean<"data"_n>(mean<0>(t)), psum<"data"_n>(l), psum<"data"_n>(g),
                          pmax<"data"_n>(max<0>(t))};
      });
  auto const [own, mean_own, l, g, most] = f(rows, w);
  compare("rows of a network", dist::gather<array<double, 12, 8>>(own), y);
  compare("mean over ranks", mean_own, mean_x);
  compare("loss", l, value);
  compare("gradient", g, slope);
  compare("greatest", most, greatest);
}

/// Two axes: x cut along rows and contracted columns, w along contracted rows.
template <int Data, int Model> void two_axes(dist::process_group& ranks) {
  using grid = dist::mesh<axis("data"_n, Data), axis("model"_n, Model)>;
  using by_both = spec<"data"_n, "model"_n>;
  grid const m(ranks);
  auto const x = numbers<whole_x>(0);
  auto const w = numbers<whole_w>(2);
  auto const [y, mean_x, value, slope, greatest] = plain(x, w);
  constexpr auto f = dist::shard_map<grid, in_specs<by_both, spec<"model"_n>>,
                                     out_specs<spec<"data"_n>, spec<"model"_n>, spec<>, spec<"model"_n>, by_both>>(
      [](auto const& t, auto const& u) {
        auto const out = tanh(psum<"model"_n>(dot(t, u)));
        auto const back = 2.0 * out * (1.0 - out * out);  // of the sum of squares, by what is under tanh
        auto const of_u = psum<"data"_n>(dot(transpose(t), back));
        // of the elements of x, each by its place: as if every rank had the whole array
        auto const rows = astype<double>(axis_index<"data"_n>(t)), columns = astype<double>(axis_index<"model"_n>(t));
        return std::tuple{out, pmean<"data"_n>(mean<0>(t)), psum<"data"_n>(sum(out * out)), of_u,
                          t + 100.0 * rows + 10.0 * columns};
      });
  auto const [out, mean_own, l, of_w, placed] =
      f(dist::device_put<by_both>(m, x), dist::device_put<spec<"model"_n>>(m, w));
  compare("product of parts", dist::gather(out), y);
  compare("mean of columns", dist::gather(mean_own), mean_x);
  compare("loss over two axes", l, value);
  compare("gradient of parts", dist::gather(of_w), slope);
  auto const where_all = whole_x::build([&](double* to) {
    for (int i = 0; i < 12; ++i)
      for (int k = 0; k < 4; ++k) to[4 * i + k] = x(i, k) + 100.0 * (i / (12 / Data)) + 10.0 * (k / (4 / Model));
  });
  compare("places", dist::gather(placed), where_all);

  // over both axes, and grad inside: psum's transpose is psum, so the loss of one rank is differentiated
  constexpr auto both = dist::shard_map<grid, in_specs<by_both>, out_specs<spec<>, spec<>, by_both>>([](auto const& t) {
    auto const all = psum<"data"_n, "model"_n>(sum(t * t));
    return std::tuple{all, pmean<"model"_n, "data"_n>(sum(t)), grad([](auto const& v) { return sum(v * v * v); })(t)};
  });
  auto const [squares, mean_of_sums, cubes] = both(dist::device_put<by_both>(m, x));
  compare("psum over two axes", squares, jit([](whole_x const& t) { return sum(t * t); })(x));
  compare("pmean over two axes", mean_of_sums, jit([](whole_x const& t) { return sum(t) / double(Data * Model); })(x));
  compare("gradient of shards", dist::gather(cubes), jit([](whole_x const& t) { return 3.0 * t * t; })(x));
}

}  // namespace

int main(int argc, char** argv) {
  dist::session const mpi(&argc, &argv);
  auto const ranks = dist::world();
  me = ranks->rank();
  open_mesh(*ranks);
  if (ranks->size() == 4) two_axes<2, 2>(*ranks);
  if (ranks->size() == 3) two_axes<3, 1>(*ranks);
  if (wrong == 0 && me == 0) std::printf("largest difference from one process: %.1e\n", largest);
  return wrong > 0;
}
