// SPDX-License-Identifier: BSD-3-Clause
// The loop around a step: the same bits as a loop by hand, also when it is stopped anywhere; what is on the disk.
#include <doctest/doctest.h>

#include <etna/train/training_loop.hpp>

#include "../data/file.hpp"
#include "run.hpp"

using namespace test_data;
using namespace test_train;

namespace {
train::loop_options quiet(fs::path const& folder = {}, int epochs = 2) {
  return {.folder = folder, .epochs = epochs, .picture = false, .quiet = true};
}
state first() { return train::create<optimizer>(first_parameters()); }
// Until the given step is reached: then it is left, as a program that is stopped leaves it.
template <class Options> bool run_until(state& s, Options const& o, std::uint64_t last, std::string* csv = nullptr) {
  batches b;
  train::loop run(s, b, o);
  for (auto& [x, y] : run) {
    if (run.step() == last) return false;
    auto [next, value] = step(std::move(s), x, y);
    s = std::move(next);
    run.log("loss", value);
    if (run.epoch_ends()) run.record("first weight", s.params.w1(0, 0));
  }
  if (csv) *csv = run.history().csv();
  return true;
}
// The history without the seconds.
std::string without_seconds(std::string const& csv) {
  std::string all;
  for (auto const& line : csv | std::views::split('\n')) {
    std::string const text(line.begin(), line.end());
    all += text.substr(0, text.rfind(',')) + "\n";
  }
  return all;
}
std::vector<std::string> files(fs::path const& folder) {
  std::vector<std::string> all;
  for (auto const& f : fs::directory_iterator(folder)) all.push_back(f.path().filename().string());
  std::sort(all.begin(), all.end());
  return all;
}
using names = std::vector<std::string>;
// The error output goes to a file while this lives.
struct error_output {
  fs::path path;
  int before = ::dup(2);
  explicit error_output(fs::path const& to) : path(to) { CHECK(std::freopen(path.c_str(), "w", stderr)); }
  error_output(error_output const&) = delete;
  ~error_output() {
    std::fflush(stderr);
    ::dup2(before, 2);
    ::close(before);
  }
  std::string text() const {
    std::fflush(stderr);
    auto const all = get(path);
    return {all.begin(), all.end()};
  }
};
}  // namespace

TEST_CASE("as a loop by hand, without a folder") {
  auto s = first(), t = first();
  batches b;
  double total = 0;
  for (std::uint64_t e = 0; e < 2; ++e) {
    total = 0;
    for (auto const& [x, y] : b.epoch(e)) {
      auto [next, value] = step(std::move(t), x, y);
      t = std::move(next);
      total += double(value.item());
    }
  }
  std::string csv;
  CHECK(run_until(s, quiet(), 1000, &csv));
  CHECK(numbers(s) == numbers(t));
  auto const h = train::history::read_csv(csv);
  REQUIRE(h);
  CHECK(h->value(2, "loss") == total / 20);
  CHECK(h->value(2, "first weight") == double(s.params.w1(0, 0)));
  CHECK(h->value(2, "loss") < h->value(1, "loss"));
}

TEST_CASE("a run that is stopped anywhere ends with the same bits") {
  folder f;
  auto s = first();
  std::string csv;
  auto o = quiet(f / "whole");
  o.save_every = 3;
  CHECK(run_until(s, o, 1000, &csv));
  auto p = quiet(f / "parts");
  p.save_every = 3;
  std::string csv_of_parts;
  for (std::uint64_t stop : {2, 5, 7, 19, 20, 21, 33, 39, 1000}) {
    auto t = first();
    CHECK(run_until(t, p, stop, &csv_of_parts) == (stop == 1000));
    if (stop == 1000) CHECK(numbers(t) == numbers(s));
  }
  CHECK(without_seconds(csv) == without_seconds(csv_of_parts));
  CHECK(without_seconds(csv).find("2,") != std::string::npos);
  auto const a = data::read_safetensors(f / "whole/checkpoints/step_000040.safetensors");
  auto const b = data::read_safetensors(f / "parts/checkpoints/step_000040.safetensors");
  REQUIRE(a.entries.size() == b.entries.size());
  for (std::size_t i = 0; i < a.entries.size(); ++i)
    CHECK(std::equal(a.entries[i].bytes.begin(), a.entries[i].bytes.end(), b.entries[i].bytes.begin(),
                     b.entries[i].bytes.end()));
  auto const table = get(f / "parts/history.csv");
  CHECK(std::string(table.begin(), table.end()) == csv_of_parts);
  auto t = first();  // one that is over has nothing to do
  CHECK(run_until(t, p, 0));
  CHECK(numbers(t) == numbers(s));
}

TEST_CASE("a run that goes on says where, and one that is over that there is nothing to do") {
  folder f;
  auto o = quiet(f / "run");
  o.save_every = 3;
  o.quiet = false;
  auto const said = [&](train::loop_options const& options, std::uint64_t last) {
    auto s = first();
    error_output const to(f / "said");
    run_until(s, options, last);
    return to.text();
  };
  auto const where = (f / "run").string();
  CHECK(said(o, 8).empty());  // it begins
  CHECK(said(o, 25) == "etna: goes on at epoch 1/2, step 6, from " + where + "\n");
  auto p = o;
  p.quiet = true;
  CHECK(said(p, 25).empty());
  CHECK(said(o, 1000) == "etna: goes on at epoch 2/2, step 24, from " + where + "\n");
  auto const remedy = "give more .epochs, another .folder, or .resume = false with .overwrite = true\n";
  CHECK(said(o, 0) == "etna: nothing to do: the run of " + where + " has 2 epochs; " + remedy);
  o.from = f / "run/checkpoints/step_000036.safetensors";
  o.overwrite = true;
  CHECK(said(o, 1000).ends_with("etna: goes on at epoch 2/2, step 36, from " + o.from.string() + "\n"));
  o.from.clear();
  o.resume = false;
  CHECK(said(o, 1000).empty());
}

TEST_CASE("the last checkpoints are kept, and the best; patience ends a run") {
  folder f;
  auto s = first();
  batches b;
  auto o = quiet(f / "run", 10);
  o.save_every = 15;
  o.keep = 2;
  o.monitor = "accuracy";
  o.patience = 3;
  double const accuracy[] = {0.1, 0.5, 0.3, 0.5, 0.4, 0.9};
  {
    train::loop run(s, b, o);
    for ([[maybe_unused]] auto& batch : run) {
      s.step = s.step + 1;
      if (run.epoch_ends()) run.record("accuracy", accuracy[run.epoch()]);
    }
    CHECK(run.is_over());
    CHECK(run.best_epoch() == 2);
    CHECK(run.history().rows.size() == 5);  // equal is not better
    CHECK(run.best() == f / "run/checkpoints/step_000040.safetensors");
  }
  CHECK(files(f / "run/checkpoints") ==
        names{"step_000040.safetensors", "step_000090.safetensors", "step_000100.safetensors"});
  auto t = first();
  data::load(t, f / "run/checkpoints/step_000040.safetensors");
  CHECK(t.step.item() == 40);
  train::loop again(t, b, o);
  CHECK(again.is_over());
  CHECK(again.best() == f / "run/checkpoints/step_000040.safetensors");
  train::run_record const r{.step = 100, .batches = 20, .epoch = 5};
  CHECK(train::where_text(r, o, true).find(" ended by its patience after epoch 5; give ") != std::string::npos);
  for ([[maybe_unused]] auto& batch : again) FAIL("it is over");
}

TEST_CASE("less is better where it is a loss, or where it is said") {
  train::loop_options o{.monitor = "val_loss"};
  CHECK(o.is_better(1, 2));
  o.mode = train::better::greater;
  CHECK(!o.is_better(1, 2));
  o = {.monitor = "accuracy"};
  CHECK(o.is_better(2, 1));
  o.mode = train::better::less;
  CHECK(!o.is_better(2, 1));
  CHECK(!o.is_better(1, 1));
}

TEST_CASE("left and entered again, and saved in the middle of a turn") {
  folder f;
  auto s = first(), t = first();
  CHECK(run_until(s, quiet(), 1000));
  batches b;
  {
    train::loop run(t, b, quiet(f / "run"));
    for (int part = 0; part < 2; ++part)
      for (auto& [x, y] : run) {
        if (part == 0 && run.step() == 7) break;  // not trained: it comes again
        auto [next, value] = step(std::move(t), x, y);
        t = std::move(next);
        run.log("loss", value);
        if (run.step() == 19) {
          run.record("first weight", t.params.w1(0, 0));
          run.save();  // trained
          break;
        }
      }
  }
  CHECK(files(f / "run/checkpoints") == names{"step_000020.safetensors"});
  auto u = first();
  std::string csv;
  CHECK(run_until(u, quiet(f / "run"), 1000, &csv));
  CHECK(numbers(u) == numbers(s));
}

TEST_CASE("left by break behind save(): the batch is trained, and does not come again") {
  struct {
    std::size_t size() const { return 4; }
    auto epoch(std::uint64_t, std::size_t first) const { return std::views::iota(int(first), 4); }
  } b;
  for (int last : {1, 3}) {
    folder f;
    array<int> s(0);
    train::loop run(s, b, quiet(f / "run", 1));
    std::vector<int> seen;
    for (int part = 0; part < 2; ++part)
      for (int k : run) {
        seen.push_back(k);
        s = s + 1;
        run.log("k", k);
        run.log("half", bfloat16(0.5f)), run.log("array of half", array<bfloat16>(0.5f));
        if (k == last) {
          run.save();
          break;
        }
      }
    CHECK(seen == std::vector<int>{0, 1, 2, 3});
    CHECK(run.history().value(1, "k") == 1.5);
    CHECK(run.history().value(1, "half") + run.history().value(1, "array of half") == 1);
    CHECK(run.step() == 4);
    CHECK(run.is_over());
  }
}

TEST_CASE("a snapshot is what it was, whatever the training does meanwhile") {
  folder f;
  auto s = first();
  batches b;
  auto o = quiet(f / "run", 1);
  o.save_every = 1;
  o.keep = 1000;
  std::vector<std::vector<float>> seen;
  {
    train::loop run(s, b, o);
    for (auto& [x, y] : run) {
      auto [next, value] = step(std::move(s), x, y);
      s = std::move(next);
      seen.push_back(numbers(s));
    }
  }
  CHECK(files(f / "run/checkpoints").size() == 20);
  for (std::uint64_t i = 1; i <= 20; ++i) {
    auto t = first();
    data::load(t, train::checkpoint_folder(f / "run/checkpoints").path(i));
    CHECK(numbers(t) == seen[i - 1]);
  }
}

TEST_CASE("batches that are values, and such that lie somewhere") {
  struct lying {
    std::vector<std::vector<int>> all{{1}, {2}, {3}};
    std::size_t size() const { return all.size(); }
    auto epoch(std::uint64_t, std::size_t first = 0) { return std::views::drop(std::views::all(all), long(first)); }
  } some;
  array<int> s(0);
  train::loop run(s, some, {.epochs = 2, .quiet = true});
  for (auto& x : run) x[0] *= 10;  // the source's own
  CHECK(some.all == std::vector<std::vector<int>>{{100}, {200}, {300}});
  static_assert(!train::batch_source<std::vector<int>>);
}
