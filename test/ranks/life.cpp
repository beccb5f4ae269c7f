// SPDX-License-Identifier: BSD-3-Clause
// A training that is killed, throws or hangs, and goes on from its last checkpoint on any number of ranks: driven by
// faults.sh and two_hosts.sh. Usage: life FOLDER [killed | throws | hangs | hangs_at_end]; at its end it prints all
// losses and parameters as bits.
#include <unistd.h>

#include <bit>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <etna/dist/sum_of_blocks.hpp>
#include <etna/dist/world.hpp>
#include <etna/etna.hpp>
#include <etna/train/checkpoint_folder.hpp>
#include <etna/train/state.hpp>
#include <fstream>
#include <string>

using namespace etna;

namespace {

constexpr int blocks = 12, steps = 400;
constexpr std::uint64_t save_every = 5;

struct net {
  nn::dense<double, 4, 16> first;
  nn::dense<double, 16, 1> last;
  constexpr auto operator()(auto const& x) const { return last(tanh(first(x))); }
};
using rows = array<double, 4, 4>;
using wanted = array<double, 4, 1>;
constexpr auto optimizer = optim::adam(0.01);
using state = train::state<optimizer, net>;
// What a checkpoint holds: the losses too, so that no log is written half.
struct run {
  state s;
  array<double, steps> losses;
};

constexpr auto loss = [](net const& p, rows const& x, wanted const& y) { return mean(square(p(x) - y)); };
constexpr auto gradient =
    jit([](net const& p, rows const& x, wanted const& y) { return value_and_grad(loss)(p, x, y); });
constexpr auto update = jit([](state s, net const& sum) {
  return s.apply_gradients(tree::map([](auto const& a) { return a / double(blocks); }, sum));
});

double number(int i) { return std::sin(0.7 * i + 0.3 * i * i); }
rows rows_of(int block, int step) {
  return rows::build([&](double* out) {
    for (int i = 0; i < 16; ++i) out[i] = number(16 * (block + blocks * step % 997) + i);
  });
}
wanted wanted_of(int block, int step) {
  return wanted::build([&](double* out) {
    for (int i = 0; i < 4; ++i) out[i] = number(16 * (block + blocks * step % 997) + 4 * i) > 0;
  });
}

array<double, steps> with(array<double, steps> const& losses, std::uint64_t step, double value) {
  return array<double, steps>::build([&](double* out) {
    std::copy_n(losses.data(), steps, out);
    out[step] = value;
  });
}

// Rank 0 reads and writes the folder.
std::uint64_t resumed(dist::process_group& g, train::checkpoint_folder const& folder, run& r) {
  std::uint64_t step = 0;
  if (g.rank() == 0)
    if (auto const record = folder.load(r)) step = record->step;
  std::tie(r, step) = dist::broadcast(g, std::tuple{r, step});
  return step;
}

// The script looks at its clock when the file is there.
void go_wrong(std::string const& folder, std::string const& fault) {
  std::ofstream(folder + ".fault");
  if (fault == "killed") std::raise(SIGKILL);
  if (fault == "throws") message::raise<107>("as if memory had ended");
  for (volatile bool for_ever = true; fault == "hangs" && for_ever;) {}
}

void train_from(dist::process_group& g, std::string const& name, run& r, std::string const& fault) {
  train::checkpoint_folder const folder(name);
  auto const [first, count] = dist::blocks_of(g, blocks);
  for (std::uint64_t step = resumed(g, folder, r); step < steps; ++step) {
    dist::at_step(step);
    if (step == 12 && g.rank() == g.size() - 1 && fault != "" && fault != "hangs_at_end") go_wrong(name, fault);
    std::vector<std::pair<array<double>, net>> of_blocks;
    for (int b = first; b < first + count; ++b)
      of_blocks.push_back(gradient(r.s.params, rows_of(b, int(step)), wanted_of(b, int(step))));
    auto const [value, slope] = dist::sum_of_blocks(g, of_blocks);
    r.losses = with(r.losses, step, value.item() / blocks);
    r.s = update(std::move(r.s), slope);
    if (g.rank() == 0 && (step + 1) % save_every == 0) {
      train::run_record record;
      record.step = record.batch = step + 1;
      record.batches = steps;  // one epoch
      folder.write(r, record);
      folder.prune(step + 1, 2, 0);
    }
    ::usleep(1000);
  }
}

void print_bits(run const& r) {
  tree::for_each(
      [&](auto const& leaf) {
        if constexpr (any_array<decltype(leaf)>)
          for (extent i = 0; i < leaf.size(); ++i)
            std::printf("%016llx\n", static_cast<unsigned long long>(
                                         std::uint64_t(std::bit_cast<std::uint64_t>(double(leaf.data()[i])))));
      },
      r);
}

}  // namespace

int main(int argc, char** argv) try {
  std::string const folder = argc > 1 ? argv[1] : "life", fault = argc > 2 ? argv[2] : "";
  dist::session const mpi(&argc, &argv, {.limit = std::chrono::seconds(fault.starts_with("hangs") ? 2 : 30)});
  auto const ranks = dist::world();
  run r{train::create<optimizer>(nn::init<net>(random::key(0))), {}};
  train_from(*ranks, folder, r, fault);
  if (ranks->rank() == 0) print_bits(r);
  if (fault == "hangs_at_end" && ranks->rank() == ranks->size() - 1) go_wrong(folder, "hangs");
  return 0;
} catch (error const& e) {
  std::fprintf(stderr, "a rank says: %s\n", e.what());
  return 2;
}
