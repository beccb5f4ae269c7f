// SPDX-License-Identifier: BSD-3-Clause
// Steps of training of a small vision transformer (example 13's, batch 64 a rank, f32), by turns: the ranks as
// processes that know nothing of one another, as pmap on a group of one each, and as pmap on all. Pictures a second,
// and what each is of the first. Usage: mpirun -n 2 throughput [STEPS TURNS]; rank k stays on processor k.
#include <sched.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>

#include <etna/dist/collectives.hpp>
#include <etna/dist/pmap.hpp>
#include <etna/dist/world.hpp>

#include "../../examples/models/vit.hpp"
#include "../timing.hpp"
#include "timed_group.hpp"
#include <etna/optim/adam.hpp>

using namespace etna;

constexpr models::vit_config size{28, 4, 1, 96, 192, 3, 4, 10};
constexpr int batch = 64;
using net = models::vit<float, size>;
constexpr auto optimizer = optim::adamw(1e-3);
using state = optim::state_of<optimizer, net>;
using pictures = array<float, batch, 28, 28, 1>;
using labels = array<int, batch>;

constexpr auto with_gradient = [](net const& p, state const& s, auto const& value, auto const& gradient) {
  auto const [updates, next] = optimizer.update(gradient, s, p);
  return std::tuple{optim::apply_updates(p, updates), next, value};
};
constexpr auto alone = jit([](net p, state s, pictures const& x, labels const& y) {
  auto const [value, gradient] = value_and_grad(models::vit_loss)(p, x, y);
  return with_gradient(p, s, value, gradient);
});
constexpr auto across = dist::pmap<"i"_n>([](net p, state s, pictures const& x, labels const& y) {
  auto const [value, gradient] = value_and_grad(models::vit_loss)(p, x, y);
  return with_gradient(p, s, pmean<"i"_n>(value), pmean<"i"_n>(gradient));
});

/// What this process is while it trains for a turn.
struct training {
  net p = nn::init<net>(random::key(0));
  state s = optimizer.init(p);
  pictures x = random::uniform<float, batch, 28, 28, 1>(random::key(1));
  labels y = random::randint<int, batch>(random::key(2), 0, 10);
  array<float> value{0};
  /// Seconds of some steps, from a moment that all ranks have alike; and those of its processor.
  template <class Step> std::array<float, 2> steps(dist::process_group& all, Step const& step, int n) {
    (void)dist::all_reduce(all, 0);
    auto const begin = bench::clock_type::now();
    auto const used = std::clock();
    for (int i = 0; i < n; ++i) std::tie(p, s, value) = step(std::move(p), std::move(s), x, y);
    return {float(bench::since(begin)), float(std::clock() - used) / CLOCKS_PER_SEC};
  }
};

int main(int argc, char** argv) try {
  dist::session const mpi(&argc, &argv);
  auto const ranks = dist::world();
  auto const self = ranks->split(ranks->rank(), 0);
  cpu_set_t mine;
  CPU_ZERO(&mine);
  CPU_SET(ranks->rank(), &mine);
  (void)sched_setaffinity(0, sizeof mine, &mine);
  int const n = argc > 1 ? std::atoi(argv[1]) : 2, turns = argc > 2 ? std::atoi(argv[2]) : 20;
  training t;
  std::vector<double> per_second[3], ratio[3], used[3];
  for (int turn = 0; turn <= turns; ++turn) {
    std::array<float, 2> seconds[3]{};
    for (int k = 0; k < 3; ++k) {
      int const how = (k + turn) % 3;
      dist::mesh<"i"_n> const m(how == 2 ? *ranks : *self);
      seconds[how] = how == 0 ? t.steps(*ranks, alone, n) : t.steps(*ranks, across, n);
    }
    for (int how = 0; how < 3 && turn > 0; ++how) {  // in the first, memory is new
      per_second[how].push_back(dist::all_reduce(*ranks, float(n * batch) / seconds[how][0]));
      ratio[how].push_back(per_second[how].back() / per_second[0].back());
      used[how].push_back(dist::all_reduce(*ranks, seconds[how][1]));
    }
  }
  // where it goes
  bench::timed_group timed(*ranks);
  dist::mesh<"i"_n> const m(timed);
  float const used_of_timed = t.steps(*ranks, across, 4 * n)[1];
  if (ranks->rank() > 0) return 0;
  auto best = [](std::vector<double> const& v) { return *std::max_element(v.begin(), v.end()); };
  std::printf("%-30s %10s %13s %10s %8s %18s\n", (std::to_string(ranks->size()) + " ranks, pictures/s").c_str(),
              "median", "of the first", "best turn", "of it", "processor's time");
  char const* names[]{"apart, without collectives", "apart, pmap on one rank each", "together"};
  for (int how = 0; how < 3; ++how)
    std::printf("%-30s %10.0f %13.3f %10.0f %8.3f %18.3f\n", names[how], bench::middle(per_second[how]),
                bench::middle(ratio[how]), best(per_second[how]), best(per_second[how]) / best(per_second[0]),
                bench::middle(used[how]) / bench::middle(used[0]));
  for (auto [what, part] : {std::pair{"posts", timed.posts}, {"tests", timed.tests}, {"waits", timed.waits}})
    std::printf("%s of a step: %d, %.3f ms of its processor, %.4f of its time\n", what, part.calls / (4 * n),
                part.seconds * 1e3 / (4 * n), part.seconds / double(used_of_timed));
} catch (error const& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 2;
}
