// SPDX-License-Identifier: BSD-3-Clause
// How many pictures a second the pipeline makes of CIFAR-10's files as large networks want them: resized to 448, a part
// of 224, turned, as floats. What a step asks for is its batch divided by its time.
// Usage: data_upscaled FOLDER [BATCHES THREADS]: files that FOLDER lacks are made, of random bytes.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <etna/etna.hpp>

#include <etna/data/cifar.hpp>
#include <etna/data/crop.hpp>
#include <etna/data/normalise.hpp>
#include <etna/data/pipeline.hpp>
#include <etna/data/resize.hpp>

using namespace etna;
namespace fs = std::filesystem;

constexpr int rows = 32;

void make_files(fs::path const& folder) {
  fs::create_directories(folder);
  for (std::uint64_t k = 1; k <= 5; ++k) {
    auto const path = folder / ("data_batch_" + std::to_string(k) + ".bin");
    if (fs::exists(path)) continue;
    data::generator random(k);
    std::ofstream to(path, std::ios::binary);
    for (int i = 0; i < 10000; ++i) {
      to.put(char(random.integer(10)));
      for (std::size_t n = 0; n < data::cifar_set::bytes; ++n) to.put(char(random.integer(256)));
    }
  }
}

// Seconds for so many batches of an epoch, without the first, for which all threads begin.
template <class Pipeline> void time(char const* what, Pipeline const& pictures, long batches) {
  std::chrono::steady_clock::time_point start;
  long n = 0;
  for ([[maybe_unused]] auto const& b : pictures.epoch(0)) {
    if (n == 0) start = std::chrono::steady_clock::now();
    if (n++ == batches) break;
  }
  double const seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::printf("%s: %.0f pictures a second\n", what, double(rows) * double(n - 1) / seconds);
}

int main(int argc, char** argv) try {
  fs::path const folder = argc > 1 ? argv[1] : "cifar";
  long const batches = argc > 2 ? std::atol(argv[2]) : 100;
  auto const threads = std::size_t(argc > 3 ? std::atol(argv[3]) : 1);
  make_files(folder);
  auto const set = data::cifar10(folder) | data::shuffle(1);
  auto const grown = set | data::map<0>(data::resize<448, 448>);
  auto const cut = grown | data::map<0>(data::random_crop<224, 224>()) | data::map<0>(data::random_flip());
  time("resize to 448", grown | data::batch<rows>() | data::prefetch(4, threads), batches);
  time("and a part of 224, turned or not", cut | data::batch<rows>() | data::prefetch(4, threads), batches);
  time("and as floats",
       cut | data::map<0>(data::normalise({0.5, 0.5, 0.5}, {0.25, 0.25, 0.25})) | data::batch<rows>() |
           data::prefetch(4, threads),
       batches);
} catch (std::exception const& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
