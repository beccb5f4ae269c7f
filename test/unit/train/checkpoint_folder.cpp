// SPDX-License-Identifier: BSD-3-Clause
// A folder of checkpoints: what is kept, what is loaded, damaged files, other trees.
#include <doctest/doctest.h>

#include <etna/language.hpp>
#include <etna/train/checkpoint_folder.hpp>

#include "../data/file.hpp"

using namespace etna;
using namespace test_data;
using train::checkpoint_folder, train::run_record;
using steps = std::vector<std::uint64_t>;

namespace {
struct net {
  array<float, 3> w;
  array<int> n;
};
struct other {
  array<float, 4> w;
  array<int> n;
};
run_record at(std::uint64_t step) {
  run_record r;
  r.step = r.batch = step;
  r.batches = 1'000'000;
  return r;
}
net of(int n) { return {{float(n), 0, 0}, array<int>(n)}; }
}  // namespace

TEST_CASE("the last ones are kept, and the best") {
  folder f;
  checkpoint_folder const c(f / "run/checkpoints");
  CHECK(c.steps().empty());
  for (int n : {100, 200, 300, 400, 1000000}) {
    c.write(of(n), at(std::uint64_t(n)));
    c.prune(std::uint64_t(n), 2, 200);
  }
  CHECK(c.steps() == steps{200, 400, 1000000});
  put(f / "run/checkpoints/step_x.safetensors", {});  // others' files
  put(f / "run/checkpoints/step_7.safetensors", {});
  put(f / "run/checkpoints/notes", {});
  put(f / "run/checkpoints/step_0000400.safetensors", {});
  CHECK(c.steps() == steps{200, 400, 1000000});
  c.prune(400, 1, 0);  // a newer one is nobody's
  CHECK(c.steps() == steps{400, 1000000});
  c.remove_from(0);
  CHECK(c.steps().empty());
  CHECK(count(f / "run/checkpoints") == 4);
}

TEST_CASE("the newest that reads is loaded") {
  folder f;
  checkpoint_folder const c(f.path);
  net m = of(0);
  CHECK(!c.load(m));
  for (int n : {100, 200, 300}) c.write(of(n), at(std::uint64_t(n)));
  CHECK(c.load(m)->step == 300);
  CHECK(m.n.item() == 300);
  auto bytes = get(c.path(300));
  bytes.resize(bytes.size() - 1);
  put(c.path(300), bytes);
  data::save(of(7), c.path(200));  // no run's
  CHECK(c.load(m)->step == 100);
  CHECK(m.n.item() == 100);
  fs::copy_file(c.path(100), c.path(400));  // another step's
  m = of(5);
  CHECK(c.load(m)->step == 100);
  fs::remove(c.path(300)), fs::remove(c.path(200));
  fs::rename(c.path(100), c.path(500));  // both are named for another
  m = of(5);
  CHECK(error_of([&] { c.load(m); }) == 121);
  CHECK(m.n.item() == 5);
  CHECK(error_of([&] { c.words(); }) == 121);
  fs::rename(c.path(500), c.path(100));
  fs::remove(c.path(400));
  CHECK(c.words()->at("run.step") == "100");
  for (int n : {200, 300}) put(c.path(std::uint64_t(n)), bytes);
  data::save(of(7), c.path(200));
  CHECK(checkpoint_folder::load_file(m, c.path(100)).step == 100);
  CHECK(error_of([&] { checkpoint_folder::load_file(m, c.path(200)); }) == 121);
  put(c.path(100), {});
  m = of(5);
  CHECK(error_of([&] { c.load(m); }) == 121);
  CHECK(m.n.item() == 5);
  CHECK(c.steps() == steps{100, 200, 300});
}

TEST_CASE("another tree is refused, and nothing is touched") {
  folder f;
  checkpoint_folder const c(f.path);
  c.write(of(100), at(100));
  c.write(of(200), at(200), {{"seed", "7"}, {"run.step", "9"}});
  CHECK(data::read_safetensors(c.path(200)).metadata.at("seed") == "7");
  auto const before = get(c.path(200));
  other o{};
  CHECK(error_of([&] { c.load(o); }) == 122);
  CHECK(get(c.path(200)) == before);
  CHECK(c.steps() == steps{100, 200});
  put(f / "file", {});
  CHECK(checkpoint_folder(f / "file/run").steps().empty());
  fs::create_symlink("circle", f / "circle");
  CHECK(error_of([&] { checkpoint_folder(f / "circle").steps(); }) == 128);
  fs::create_directories(c.path(300) / "in the way");
  CHECK(error_of([&] { c.remove_from(200); }) == 123);
  CHECK(error_of([&] { c.take_along(1, f / "missing"); }) == 120);
  CHECK(error_of([&] { checkpoint_folder(f / "file").write(of(1), at(1)); }) == 123);
}
