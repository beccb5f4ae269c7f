// SPDX-License-Identifier: BSD-3-Clause
// What dist::predict says of steps beside what they take: on the ranks that are there, or on one process that says that
// it is one of so many (dist::modelled_group), with a network that is stated.
// Run: [mpirun -n 2] predicted; predicted RANKS
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <etna/dist/measure.hpp>
#include <etna/dist/modelled_group.hpp>
#include <etna/dist/pmap.hpp>
#include <etna/dist/predict.hpp>
#include <etna/dist/world.hpp>
#include <etna/etna.hpp>

using namespace etna;

namespace {

template <extent In, extent Width, extent Out, int Layers> struct net {
  nn::dense<float, In, Width> first;
  std::array<nn::dense<float, Width, Width>, Layers> inner;
  nn::dense<float, Width, Out> last;
  constexpr auto operator()(auto const& x) const {
    auto h = relu(first(x));
    for (auto const& layer : inner) h = relu(layer(h));
    return last(h);
  }
};
template <class Net, extent In, extent Out> struct training {
  using rows = array<float, 64, In>;
  static constexpr auto loss = [](Net const& p, rows const& x) { return mean(square(p(x))); };
  static constexpr auto step = dist::pmap<"i"_n>([](Net p, rows const& x) {
    auto const [l, g] = value_and_grad(loss)(p, x);
    return std::pair{tree::map([](auto const& w, auto const& d) { return w - 1e-3f * d; }, p, pmean<"i"_n>(g)),
                     pmean<"i"_n>(l)};
  });
};
using field = array<float, 512, 1024>;
constexpr auto heat = dist::pmap<"i"_n>([](field const& u) {
  return fori_loop<0, 50>(
      [](auto const&, auto const& c) {
        auto const up = pshift<"i"_n, 1>(slice<range{511, 512}>(c)), down = pshift<"i"_n, -1>(slice<range{0, 1}>(c));
        auto const x = concatenate(up, c, down);
        return c + 0.1f * (slice<range{0, 512}>(x) + slice<range{2, 514}>(x) - 2.0f * c);
      },
      u);
});

/// The least of many calls, as the slowest rank has it: other programs only make them longer.
template <class Call>
void compare(char const* what, dist::process_group& g, dist::prediction const& p, Call const& call) {
  int const times = int(std::clamp(1 / p.seconds, 30.0, 500.0));
  call();
  double const real = dist::detail::fastest_of_all(g, times, call);
  if (g.rank() == 0)
    std::printf("| %s | %d | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f |\n", what, g.size(), p.computing * 1e3,
                p.network() * 1e3, p.waiting * 1e3, p.seconds * 1e3, real * 1e3, p.seconds / real);
}
template <class Net, extent In, extent Out>
void train(char const* what, dist::process_group& g, dist::machine const& m) {
  using t = training<Net, In, Out>;
  Net p = nn::init<Net>(random::key(0));
  typename t::rows const x = random::normal<float, 64, In>(random::key(1));
  compare(what, g, dist::predict(t::step, m, g.size(), p, x), [&] { p = t::step(std::move(p), x).first; });
}
void all(dist::process_group& g, dist::machine const& m) {
  dist::mesh<"i"_n> const mesh(g);
  if (g.rank() == 0)
    std::puts(
        "| | ranks | computing, ms | network | waiting | predicted | measured | ratio |\n"
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
  train<net<784, 512, 10, 1>, 784, 10>("784-512-512-10", g, m);
  train<net<256, 256, 256, 6>, 256, 256>("8 layers of 256", g, m);
  train<net<1024, 1024, 1024, 2>, 1024, 1024>("4 layers of 1024", g, m);
  field u = full<float, 512, 1024>(0.5f);
  compare("heat, 50 steps", g, dist::predict(heat, m, g.size(), u), [&] { u = heat(u); });
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc > 1) {
    dist::machine m = dist::measure();
    m.inside = m.between = {20e-6, 2e9};
    m.ranks_a_node = std::atoi(argv[1]);
    dist::modelled_group g(m.ranks_a_node, m);
    std::puts("one process, messages stated: 20 us, 2 GB/s");
    all(g, m);
    return 0;
  }
  dist::session const mpi(&argc, &argv);
  auto const ranks = dist::world();
  auto const begin = std::chrono::steady_clock::now();
  dist::machine const m = dist::measure(*ranks);
  double const took = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (ranks->rank() == 0)
    std::printf(
        "measured in %.2f s: products %.1f GFLOP/s, kernels %.1f, memory %.1f GB/s, messages %.2f us, %.2f "
        "GB/s, additions %.2f GB/s, busy %.2f\n",
        took, m.product_f32 * 1e-9, m.kernel_f32 * 1e-9, m.memory * 1e-9, m.inside.latency * 1e6,
        m.inside.bandwidth * 1e-9, m.added * 1e-9, m.busy);
  all(*ranks, m);
} catch (error const& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 2;
}
