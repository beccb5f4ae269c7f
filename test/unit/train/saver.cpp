// SPDX-License-Identifier: BSD-3-Clause
// What a run goes on from is checked before anything is touched; which checkpoint is the best then; what is not saved.
#include <doctest/doctest.h>

#include <etna/language.hpp>
#include <etna/train/training_loop.hpp>

#include "../data/file.hpp"

using namespace etna;
using namespace test_data;

namespace {
struct weights {
  array<float, 2> w;
};
struct two_numbers {
  std::size_t n = 2;
  std::size_t size() const { return n; }
  auto epoch(std::uint64_t, std::size_t first = 0) const { return std::views::iota(int(first), int(n)); }
};
using list = std::vector<std::uint64_t>;

weights of(float x) { return {array<float, 2>{x, x}}; }
train::loop_options options(fs::path const& folder, int epochs) {
  return {.folder = folder, .epochs = epochs, .monitor = "score", .picture = false, .quiet = true};
}
list steps(fs::path const& folder) { return train::checkpoint_folder(folder / "checkpoints").steps(); }
fs::path file(fs::path const& folder, std::uint64_t step) {
  return train::checkpoint_folder(folder / "checkpoints").path(step);
}
float weight_in(fs::path const& path) {
  auto s = of(0);
  data::load(s, path);
  return s.w(0);
}
// Epochs of two batches; in each the weights are `from` and more, and the score is that of the epoch.
template <class Options> void run_with(Options const& o, float from, std::vector<double> const& score) {
  auto s = of(0);
  two_numbers b;
  train::loop run(s, b, o);
  for ([[maybe_unused]] int k : run) {
    s = of(from + float(run.epoch()));
    if (run.epoch_ends()) run.record("score", score[std::size_t(run.epoch())]);
  }
}
}  // namespace

TEST_CASE("E152: nothing is touched where a named checkpoint has other batches") {
  folder f;
  run_with(options(f / "a", 3), 1, {3, 2, 1});
  auto o = options(f / "a", 3);
  o.from = file(f / "a", 4);
  o.overwrite = true;
  auto s = of(-1);
  two_numbers other{5};
  CHECK(error_of([&] { train::loop run(s, other, o); }) == 152);
  CHECK(steps(f / "a") == list{2, 4, 6});
  CHECK(s.w(0) == -1);
  o.folder = f / "b";
  CHECK(error_of([&] { train::loop run(s, other, o); }) == 152);
  CHECK(!fs::exists(f / "b"));
}

TEST_CASE("the best is that of the run gone on from, whatever the folder had") {
  folder f;
  run_with(options(f / "a", 3), 80, {3, 2, 1});  // the best: step 2
  run_with(options(f / "b", 2), 90, {2, 1});     // another run, with a step 2 of its own
  auto o = options(f / "b", 4);
  o.from = file(f / "a", 6);
  auto s = of(0);
  two_numbers b;
  {
    train::loop run(s, b, o);
    CHECK(run.best() == file(f / "b", 2));
    CHECK(weight_in(run.best()) == 80);
  }
  fs::copy_file(file(f / "a", 2), f / "good.safetensors");  // the best itself, of another name, with none beside it
  o.folder = f / "c";
  o.from = f / "good.safetensors";
  train::loop run(s, b, o);
  CHECK(run.best_epoch() == 1);
  CHECK(run.best() == file(f / "c", 2));
  CHECK(weight_in(run.best()) == 80);
}

TEST_CASE("a best that could not be written: the one before it is the best of the run that goes on") {
  folder f;
  auto o = options(f / "a", 3);
  o.keep = 9;
  std::vector<double> const score{0.1, 0.9, 0.5};
  {
    auto s = of(0);
    two_numbers b;
    train::loop run(s, b, o);
    CHECK(error_of([&] {
            for ([[maybe_unused]] int k : run) {
              if (run.step() == 2) run.wait(), fs::create_directories(file(f / "a", 4) / "in the way");
              s = of(float(run.epoch()));
              if (run.epoch_ends()) run.record("score", score[std::size_t(run.epoch())]);
            }
          }) == 123);
    CHECK(run.best() == file(f / "a", 2));
  }
  fs::remove_all(file(f / "a", 4));
  auto s = of(0);
  two_numbers b;
  train::loop run(s, b, o);
  CHECK(run.best_epoch() == 1);
  CHECK(run.best() == file(f / "a", 2));
}

TEST_CASE("another monitor: a best that has no value of it is none") {
  folder f;
  run_with(options(f / "a", 2), 1, {2, 1});
  auto o = options(f / "a", 6);
  o.monitor = "accuracy";
  o.patience = 2;
  auto s = of(0);
  two_numbers b;
  train::loop run(s, b, o);
  CHECK(run.best_epoch() == 0);
  CHECK(run.best().empty());
  CHECK(!run.is_over());
  for ([[maybe_unused]] int k : run)
    if (run.epoch_ends()) run.record("accuracy", 0.1 * run.epoch());
  CHECK(run.best_epoch() == 6);
  CHECK(run.history().rows.size() == 6);
}

TEST_CASE("E113: a checkpoint with a NaN is not written, though no loss has told it yet") {
  folder f;
  auto o = options(f / "a", 1);
  o.save_every = 1;
  o.monitor = {};
  auto go = [&] {
    auto s = of(1);
    two_numbers b{6};
    train::loop run(s, b, o);
    for (int k : run) {
      float const loss = s.w(0);
      s = of(k == 2 ? NAN : loss + 1);
      run.log("loss", loss);
    }
  };
  CHECK(error_of(go) == 113);
  CHECK(steps(f / "a") == list{1, 2});
  CHECK(weight_in(file(f / "a", 2)) == 3);
  o.folder = f / "b";  // one that was so at the beginning is meant so
  auto s = of(-HUGE_VALF);
  two_numbers b;
  train::loop run(s, b, o);
  for ([[maybe_unused]] int k : run) run.save();
  CHECK(steps(f / "b") == list{1, 2});
}

TEST_CASE("a table that cannot be written keeps no old checkpoint, and one that is missing is written") {
  folder f;
  auto o = options(f / "a", 6);
  o.keep = 2;
  fs::create_directories(f / "a/history.csv");
  CHECK(error_of([&] { run_with(o, 1, {9, 8, 7, 6, 5, 4}); }) == 123);
  CHECK(steps(f / "a") == list{2, 10, 12});
  fs::remove(f / "a/history.csv");
  run_with(o, 1, {});  // it is over, and was stopped before the table
  auto const table = get(f / "a/history.csv");
  auto const h = train::history::read_csv(std::string(table.begin(), table.end()));
  REQUIRE(h);
  CHECK(h->rows.size() == 6);
}
