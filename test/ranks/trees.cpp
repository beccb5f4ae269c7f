// SPDX-License-Identifier: BSD-3-Clause
// Training with data in parallel: each rank has a part of the batch, and its gradients become one; the losses are those
// of one rank with the whole batch. Ranks that come with other trees, and one that waits too long, get a sentence.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <etna/dist/collectives.hpp>
#include <etna/dist/world.hpp>
#include <etna/etna.hpp>
#include <string>
#include <thread>

using namespace etna;

namespace {

constexpr int whole = 48;
using net = std::tuple<array<double, 4, 16>, array<double, 16>, array<double, 16>>;

// Any number of rows: "n"_n is what a rank has.
constexpr auto loss = [](net const& p, array<double, "n"_n, 4> const& x, array<double, "n"_n> const& y) {
  auto const& [w, b, v] = p;
  return mean(square(matmul(tanh(matmul(x, w) + b), v) - y));
};
constexpr auto gradient = jit([](net const& p, array<double, "n"_n, 4> const& x, array<double, "n"_n> const& y) {
  return value_and_grad(loss)(p, x, y);
});
constexpr auto update =
    jit([](net p, net const& g) { return tree::map([](auto const& a, auto const& b) { return a - 0.05 * b; }, p, g); });

double number(int i) { return std::sin(0.7 * i + 0.3 * i * i); }
array<double, "n"_n, 4> rows(int from, int n) {
  return array<double, "n"_n, 4>::build(
      [&](double* out) {
        for (int i = 0; i < 4 * n; ++i) out[i] = number(4 * from + i);
      },
      {n, 4});
}
array<double, "n"_n> wanted(int from, int n) {
  return array<double, "n"_n>::build(
      [&](double* out) {
        for (int i = 0; i < n; ++i) out[i] = number(from + i) > 0;
      },
      {n});
}
net drawn(unsigned seed) {
  return {random::normal<double, 4, 16>(random::key(seed)), array<double, 16>{},
          random::normal<double, 16>(random::key(seed + 1))};
}

int differs(double is, double should) { return !(std::abs(is - should) <= 1e-12); }

int main_of(dist::process_group& g) {
  int const part = whole / g.size(), me = g.rank();
  auto p = dist::broadcast(g, drawn(me == 0 ? 3 : 77));  // rank 0's
  auto alone = drawn(3);
  int wrong = 0;
  for (int step = 0; step < 20; ++step) {
    auto [value, slope] = gradient(p, rows(me * part, part), wanted(me * part, part));
    auto const mean_of_all = dist::all_reduce_mean(g, std::pair{value, slope});
    p = update(std::move(p), mean_of_all.second);
    auto [one, ones] = gradient(alone, rows(0, whole), wanted(0, whole));
    alone = update(std::move(alone), ones);
    wrong += differs(mean_of_all.first.item(), one.item());
  }
  // Every rank has the same bits.
  auto const most = dist::all_reduce(g, p, dist::reduction::max), least = dist::all_reduce(g, p, dist::reduction::min);
  for (extent i = 0; i < 64; ++i) wrong += std::get<0>(most).data()[i] != std::get<0>(least).data()[i];
  return wrong;
}

template <class F> bool refused(int number, F const& f) {
  try {
    f();
  } catch (error const& e) { return e.number == number && std::string(e.what()).find("; ") != std::string::npos; }
  return false;
}

}  // namespace

int main(int argc, char** argv) try {
  dist::session const mpi(&argc, &argv);
  auto const ranks = dist::world();
  std::string const what = argc > 1 ? argv[1] : "";  // or the number of ranks
  if (what == "throws") {                            // the last one; the others wait for it
    if (ranks->rank() == ranks->size() - 1) message::raise<107>("as if memory had ended");
    dist::all_reduce(*ranks, array<float>(1));
    std::puts("the others went on");
    return 0;
  }
  int wrong = main_of(*ranks);
  if (ranks->size() > 1) {
    auto const mine =
        array<float, "n"_n>::build([](float* out) { std::fill_n(out, 4, 1.0f); }, {ranks->rank() == 0 ? 4 : 5});
    wrong += !refused(170, [&] { dist::all_reduce(*ranks, mine); });
    wrong += !refused(170, [&] {
      if (ranks->rank() == 0) dist::broadcast(*ranks, array<float>(1));
      else dist::all_reduce(*ranks, array<float>(1));
    });
    wrong += !refused(170, [&] {
      if (ranks->rank() == 0) dist::all_reduce(*ranks, array<float>(1));
      else dist::all_reduce_mean(*ranks, array<float>(1));
    });
    using matrix = array<float, "m"_n, "n"_n>;  // of as many numbers, and another shape
    auto const wide = matrix::build([](float* out) { std::fill_n(out, 12, 1.0f); },
                                    {ranks->rank() == 0 ? 3 : 4, ranks->rank() == 0 ? 4 : 3});
    wrong += !refused(170, [&] { dist::all_reduce(*ranks, wide); });
#if defined(ETNA_WITH_MPI)
    // "No limit" is the greatest duration.
    dist::mpi_group patient(MPI_COMM_WORLD, std::chrono::nanoseconds::max());
    int late = 1;
    if (ranks->rank() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    patient.wait(patient.all_reduce(&late, &late, 1, dtype::i32, dist::reduction::sum));
    wrong += late != ranks->size();
    dist::mpi_group hasty(MPI_COMM_WORLD, std::chrono::milliseconds(100));
    float const x = 1;
    float y = 0;
    auto post = [&] { return hasty.all_reduce(&x, &y, 1, dtype::f32, dist::reduction::sum); };
    if (ranks->rank() == 0) {
      auto const posted = post();
      wrong += !refused(169, [&] { hasty.wait(posted); });
      dist::all_reduce(*ranks, array<float>(1));
      hasty.wait(posted);
    } else {
      dist::all_reduce(*ranks, array<float>(1));  // until rank 0 has said it
      hasty.wait(post());
    }
    wrong += y != float(ranks->size());
#endif
  }
  std::printf("rank %d of %d: %d wrong\n", ranks->rank(), ranks->size(), wrong);
  return wrong > 0;
} catch (error const& e) {
  std::fprintf(stderr, "a rank says: %s\n", e.what());
  return 2;
}
