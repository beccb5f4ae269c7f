// SPDX-License-Identifier: BSD-3-Clause
// A training run of two epochs that is killed thirty times (SIGKILL) ends with the bits of one that was not. The
// moments come from a seed: so many steps after its start and some microseconds, while checkpoints are being written.
// Usage: training; 0 where all was as it should be. `training FOLDER` is one run.
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <random>
#include <string>

#include <etna/train/training_loop.hpp>

#include "../unit/train/run.hpp"

using namespace test_train;
namespace fs = std::filesystem;

namespace {

constexpr std::size_t in_epoch = 200;
constexpr int kills = 30;

// A byte on the standard output for each step.
int train_in(fs::path const& folder) {
  auto s = train::create<optimizer>(first_parameters());
  batches b{in_epoch};
  train::loop run(
      s, b,
      {.folder = folder, .epochs = 2, .save_every = 3, .keep = 2, .monitor = "loss", .picture = false, .quiet = true});
  for (auto& [x, y] : run) {
    auto [next, value] = step(std::move(s), x, y);
    s = std::move(next);
    run.log("loss", value);
    if (::write(1, ".", 1) != 1) return 3;
    ::usleep(500);
  }
  return 0;
}

struct child {
  ::pid_t id = 0;
  int steps = -1;  // its standard output
  child(fs::path const& self, std::string folder) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) std::abort();
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, ends[1], 1);
    std::string name = self.string();
    char* arguments[] = {name.data(), folder.data(), nullptr};
    if (::posix_spawn(&id, name.c_str(), &files, nullptr, arguments, environ) != 0) std::abort();
    posix_spawn_file_actions_destroy(&files);
    ::close(ends[1]);
    steps = ends[0];
  }
  child(child const&) = delete;
  ~child() { ::close(steps); }
  // Wait for so many steps; how many came.
  int wait(int n) const {
    int seen = 0;
    for (char c; seen < n && ::read(steps, &c, 1) == 1;) ++seen;
    return seen;
  }
  int status() const {
    int s = 0;
    if (::waitpid(id, &s, 0) != id) std::abort();
    return s;
  }
};

// The arrays of the last checkpoint, and the words that are no clock.
std::string last_checkpoint(fs::path const& folder) {
  train::checkpoint_folder const c(folder / "checkpoints");
  auto const steps = c.steps();
  if (steps.empty() || steps.back() != 2 * in_epoch) return "no last checkpoint in " + folder.string();
  auto const a = etna::data::read_safetensors(c.path(steps.back()));
  std::string all;
  for (auto const& e : a.entries) all += e.name + std::string(e.bytes.begin(), e.bytes.end());
  auto const r = train::run_record::of(a.metadata);
  if (!r) return "no record in " + folder.string();
  for (auto const& row : r->history.rows) all += " " + train::detail::shortest(row.values.at(0));
  return all + " best " + std::to_string(r->best_epoch) + " " + std::to_string(r->best_step);
}

bool killed_and_whole_are_equal(fs::path const& self, fs::path const& folder) {
  child whole(self, folder / "whole");
  whole.wait(1 << 20);
  if (whole.status() != 0) return std::puts("the run that was left alone failed"), false;
  std::mt19937 random(1);
  auto const below = [&](unsigned n) { return int(random() % n); };
  for (int i = 0; i < kills; ++i) {
    child one(self, folder / "killed");
    if (i % 6 != 5) one.wait(1 + below(24));
    ::usleep(::useconds_t(below(i % 6 == 5 ? 20000 : 2000)));  // some before it trains
    ::kill(one.id, SIGKILL);
    if (!WIFSIGNALED(one.status())) return std::printf("it had ended before kill %d\n", i + 1), false;
  }
  child last(self, folder / "killed");
  int const steps = last.wait(1 << 20);
  if (last.status() != 0) return std::puts("the last run failed"), false;
  std::printf("%d kills; the last run had %d steps left of %zu\n", kills, steps, 2 * in_epoch);
  for (auto const& f : fs::directory_iterator(folder / "killed/checkpoints"))
    if (f.path().extension() != ".safetensors") return std::printf("left: %s\n", f.path().c_str()), false;
  if (last_checkpoint(folder / "whole") == last_checkpoint(folder / "killed")) return true;
  return std::puts("the last checkpoints differ"), false;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc == 2) return train_in(argv[1]);
  auto const folder = fs::temp_directory_path() / ("etna-killed-" + std::to_string(::getpid()));
  fs::create_directories(folder);
  bool const good = killed_and_whole_are_equal(fs::read_symlink("/proc/self/exe"), folder);
  fs::remove_all(folder);
  return good ? 0 : 1;
} catch (std::exception const& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 2;
}
