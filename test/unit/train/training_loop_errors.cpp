// SPDX-License-Identifier: BSD-3-Clause
// What goes wrong around a run is a sentence, and nothing is lost: full disks, missing folders, other trees, damaged
// files, numbers that are none.
#include <doctest/doctest.h>

#include <csignal>

#include <sys/resource.h>

#include <etna/train/training_loop.hpp>

#include "../data/file.hpp"
#include "run.hpp"

using namespace test_data;
using namespace test_train;

namespace {
train::loop_options options(fs::path const& folder) {
  return {.folder = folder, .epochs = 2, .save_every = 5, .keep = 100, .picture = false, .quiet = true};
}
state first() { return train::create<optimizer>(first_parameters()); }
// Files of the process end behind so many bytes, as if the disk were full, while this lives.
struct full_disk {
  ::rlimit before{};
  explicit full_disk(::rlim_t bytes) {
    std::signal(SIGXFSZ, SIG_IGN);
    ::getrlimit(RLIMIT_FSIZE, &before);
    ::rlimit const less{bytes, before.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &less);
  }
  full_disk(full_disk const&) = delete;
  ~full_disk() { ::setrlimit(RLIMIT_FSIZE, &before); }
};
// Train; `at(run)` is called behind each step.
template <class At, class Options> void train_with(state& s, Options const& o, At at) {
  batches b;
  train::loop run(s, b, o);
  for (auto& [x, y] : run) {
    auto [next, value] = step(std::move(s), x, y);
    s = std::move(next);
    run.log("loss", value);
    at(run);
  }
}
constexpr auto nothing = [](auto&) {};
std::vector<std::uint64_t> steps(fs::path const& folder) {
  return train::checkpoint_folder(folder / "checkpoints").steps();
}
using list = std::vector<std::uint64_t>;
}  // namespace

TEST_CASE("a full disk: the training goes on, the last checkpoint stays, the end throws") {
  folder f;
  auto whole = first(), s = first();
  train_with(whole, options({}), nothing);
  std::optional<full_disk> full;
  auto const fill = [&](auto& run) {
    (void)run.best();  // waits
    if (run.step() == 11) full.emplace(700);
  };
  CHECK(error_of([&] { train_with(s, options(f.path), fill); }) == 123);
  full.reset();
  CHECK(numbers(s) == numbers(whole));  // trained to the end
  CHECK(steps(f.path) == list{5, 10});
  CHECK(count(f / "checkpoints") == 2);  // and no halves
  s = first();
  train_with(s, options(f.path), nothing);  // goes on at 10
  CHECK(numbers(s) == numbers(whole));
  CHECK(steps(f.path) == list{5, 10, 15, 20, 25, 30, 35, 40});
}

TEST_CASE("a disk that was full for a while") {
  folder f;
  auto s = first();
  std::optional<full_disk> full;
  auto const a_while = [&](auto& run) {
    (void)run.best();  // waits
    if (run.step() == 6) full.emplace(700);
    if (run.step() == 22) run.log("loss", 1), full.reset();
  };
  train_with(s, options(f.path), a_while);
  CHECK(steps(f.path) == list{5, 25, 30, 35, 40});
  auto o = options(f / "best");  // the best was not written: that is said at the end, and the one before it is named
  o.epochs = 3;
  o.monitor = "score";
  s = first();
  batches b;
  train::loop run(s, b, o);
  CHECK(error_of([&] {
          for ([[maybe_unused]] auto& batch : run) {
            (void)run.best();
            if (run.step() == 36) full.emplace(700);
            if (run.step() == 42) full.reset();
            if (run.epoch_ends()) run.record("score", run.epoch() == 2 ? 1 : run.epoch() + 1);
          }
        }) == 123);
  CHECK(run.best() == f / "best/checkpoints/step_000020.safetensors");
  CHECK(fs::exists(run.best()));
  CHECK(run.history().rows.size() == 3);
}

TEST_CASE("a folder that cannot be made") {
  folder f;
  put(f / "file", {});
  auto s = first();
  CHECK(error_of([&] { train_with(s, options(f / "file/run"), nothing); }) == 123);
  CHECK(s.step.item() == 40);  // said at the end, and by save at once
  CHECK(error_of([&] { train_with(s, options(f / "file/run"), [](auto& run) { run.save(); }); }) == 123);
  CHECK(s.step.item() == 41);
}

TEST_CASE("E122: a checkpoint of another tree, and nothing is touched") {
  folder f;
  auto s = first();
  train_with(s, options(f.path), nothing);
  auto const before = get(f / "checkpoints/step_000040.safetensors");
  struct other {
    state train;
    array<float> more;
  } o{first(), {}};
  batches b;
  CHECK(error_of([&] { train::loop run(o, b, options(f.path)); }) == 122);
  CHECK(get(f / "checkpoints/step_000040.safetensors") == before);
  CHECK(o.train.step.item() == 0);
}

TEST_CASE("a damaged newest checkpoint: the one before is taken, with the same end") {
  folder f;
  auto s = first(), t = first();
  train_with(s, options(f.path), nothing);
  auto const end = get(f / "checkpoints/step_000040.safetensors");
  auto half = end;
  half.resize(half.size() / 2);
  put(f / "checkpoints/step_000040.safetensors", half);
  auto one_kept = options(f.path);
  one_kept.keep = 1;
  int turns = 0;
  train_with(t, one_kept, [&](auto&) { ++turns; });
  CHECK(turns == 5);
  CHECK(numbers(t) == numbers(s));
  CHECK(steps(f.path) == list{40});
  CHECK(error_of([&] {
          put(f / "checkpoints/step_000040.safetensors", half);
          train_with(t, options(f.path), nothing);
        }) == 121);  // none is left, and it is not begun anew
  CHECK(get(f / "checkpoints/step_000040.safetensors") == half);
}

TEST_CASE("E150: a run is not begun over another, unless that is said") {
  folder f;
  auto s = first();
  train_with(s, options(f.path), nothing);
  auto o = options(f.path);
  o.resume = false;
  s = first();
  CHECK(error_of([&] { train_with(s, o, nothing); }) == 150);
  CHECK(steps(f.path) == list{5, 10, 15, 20, 25, 30, 35, 40});
  o.overwrite = true;
  o.epochs = 1;
  o.save_every = 0;
  train_with(s, o, nothing);
  CHECK(s.step.item() == 20);
  CHECK(steps(f.path) == list{20});
}

TEST_CASE("a run goes on from a checkpoint that is named") {
  folder f;
  auto s = first(), t = first(), u = first();
  auto o = options(f / "a");
  o.metadata = {{"seed", "7"}};
  train_with(s, o, nothing);
  auto const from = f / "a/checkpoints/step_000015.safetensors";
  CHECK(data::read_safetensors(from).metadata.at("seed") == "7");
  auto p = options(f / "b");
  p.from = from;
  int turns = 0;
  train_with(t, p, [&](auto&) { ++turns; });
  CHECK(turns == 25);
  CHECK(numbers(t) == numbers(s));
  CHECK(steps(f / "b") == list{20, 25, 30, 35, 40});
  auto q = options(f / "c");  // the best is taken along
  q.from = f / "a/checkpoints/step_000025.safetensors";
  q.keep = 1;
  q.epochs = 1;
  u = first();
  train_with(u, q, nothing);
  CHECK(steps(f / "c") == list{20});
  CHECK(get(f / "c/checkpoints/step_000020.safetensors") == get(f / "a/checkpoints/step_000020.safetensors"));
  u = first();
  auto again = o;
  again.from = from;
  CHECK(error_of([&] { train_with(u, again, nothing); }) == 150);  // newer ones would be gone on from next time
  CHECK(steps(f / "a") == list{5, 10, 15, 20, 25, 30, 35, 40});
  again.overwrite = true;
  again.epochs = 1;
  train_with(u, again, nothing);
  CHECK(steps(f / "a") == list{5, 10, 15, 20});
  p.from = f / "missing";
  CHECK(error_of([&] { train_with(u, p, nothing); }) == 120);
  auto in_memory = options({});
  in_memory.from = f / "b/checkpoints/step_000040.safetensors";
  u = first();
  train_with(u, in_memory, nothing);
  CHECK(numbers(u) == numbers(s));
}

TEST_CASE("E152: other batches than the run's, or fewer than are said") {
  folder f;
  auto s = first();
  train_with(s, options(f.path), nothing);
  batches other{21}, none{0};
  CHECK(error_of([&] { train::loop run(s, other, options(f.path)); }) == 152);
  CHECK(error_of([&] { train::loop run(s, none); }) == 152);
  struct short_one {
    std::vector<int> all{1, 2, 3};
    std::size_t size() const { return 4; }
    auto epoch(std::uint64_t, std::size_t first) const { return std::views::drop(std::views::all(all), long(first)); }
  } few;
  int turns = 0;
  CHECK(error_of([&] {
          train::loop run(s, few, {.quiet = true});
          for (auto& i : run) turns += i > 0;
        }) == 152);
  CHECK(turns == 3);
}

TEST_CASE("E113: what is no number any more is not saved") {
  folder f;
  auto s = first();
  CHECK(error_of([&] {
          train_with(s, options(f.path), [](auto& run) {
            if (run.step() == 9) run.log("loss", std::nan(""));  // a checkpoint would be due
          });
        }) == 113);
  CHECK(steps(f.path) == list{5});
}

TEST_CASE("E151: what is judged by must be there; the epoch is not lost") {
  folder f;
  auto s = first();
  auto o = options(f.path);
  o.monitor = "accuracy";
  CHECK(error_of([&] { train_with(s, o, nothing); }) == 151);
  CHECK(steps(f.path) == list{5, 10, 15, 20});
  CHECK(error_of([&] { train_with(s, o, [](auto& run) { run.log("a,b", 1); }); }) == 149);
  o.folder = f / "b";  // a checkpoint of the last turn would be without it for ever
  o.save_every = 0;
  CHECK(error_of([&] {
          train_with(s, o, [](auto& run) {
            if (run.epoch_ends()) run.save();
          });
        }) == 151);
  CHECK(steps(f / "b").empty());
}

TEST_CASE("E158: log and record come before save; E157: patience needs a monitor") {
  folder f;
  auto s = first();
  auto const o = options(f.path);
  CHECK(error_of([&] { train_with(s, o, [](auto& run) { run.save(), run.log("more", 1); }); }) == 158);
  CHECK(error_of([&] { train_with(s, o, [](auto& run) { run.save(), run.record("more", 1); }); }) == 158);
  train_with(s, o, [](auto& run) { run.log("more", 1), run.save(); });
  auto p = options({});
  p.patience = 3;
  CHECK(error_of([&] { train_with(s, p, nothing); }) == 157);
}
