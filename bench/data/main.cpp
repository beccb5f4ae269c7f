// SPDX-License-Identifier: BSD-3-Clause
// What a training step waits for its pictures: a folder of PNG files (random pictures, made here), decoded and
// augmented
// by threads, and the step of a convolutional network. With --limit there is no cache, and the kernel refuses more
// memory.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

#include <sys/resource.h>

#include <etna/etna.hpp>

#include <etna/data/image_folder.hpp>
#include <etna/data/crop.hpp>
#include <etna/data/normalise.hpp>
#include <etna/data/pipeline.hpp>
#include <etna/data/random_images.hpp>

using namespace etna;
namespace fs = std::filesystem;

constexpr int side = BENCH_SIZE, rows = 32, classes = 10;
constexpr int stride = side > 100 ? 2 : 1, left = side / stride / 4;

struct net {
  nn::conv<float, 3, 32, 5, 5, window_strides<stride, stride>> c1;
  nn::conv<float, 32, 64, 3, 3> c2;
  nn::dense<float, left * left * 64, classes> d;
  constexpr auto operator()(array<float, side, side, 3> const& x) const {
    return d(ravel(max_pool<2, 2>(relu(c2(max_pool<2, 2>(relu(c1(x))))))));
  }
};
constexpr auto predict = [](net const& p, auto const& x) { return p(x); };
constexpr auto loss = [](net const& p, array<float, rows, side, side, 3> const& x, array<int, rows> const& y) {
  return mean(softmax_cross_entropy(vmap<none, 0>(predict)(p, x), y));
};
constexpr auto descend = [](auto const& a, auto const& g) { return a - 0.01f * g; };
constexpr auto step = jit([](net const& p, array<float, rows, side, side, 3> const& x, array<int, rows> const& y) {
  auto [value, gradient] = value_and_grad(loss)(p, x, y);
  return std::pair{tree::map(descend, p, gradient), value};
});

struct options {
  fs::path folder = "pictures";
  long count = 4000, epochs = 3, threads = 1, ahead = 4, limit = 0;
};

// Pictures where the folder has fewer than are asked for; random bytes, which PNG cannot pack: its slowest case.
double make_folder(options const& o) {
  auto const set = data::random_images<side, side, 3>(std::size_t(o.count), classes, 1);
  double bytes = 0;
  for (std::size_t i = 0; i < set.size(); ++i) {
    auto const [x, y] = set[i];
    auto const path = o.folder / std::to_string(y) / (std::to_string(i) + ".png");
    if (!fs::exists(path)) {
      fs::create_directories(path.parent_path());
      data::write_png(path, x);
    }
    bytes += double(fs::file_size(path));
  }
  return bytes;
}

double peak_megabytes() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  return double(used.ru_maxrss) / 1024;
}

template <class Pipeline> void train(Pipeline const& pictures, options const& o) {
  auto p = nn::init<net>(random::key(0));
  array<float> value;
  for (long e = 0; e < o.epochs; ++e) {
    data::meter meter(e == 0 ? 2 : 0);
    meter.go();
    for (auto const& [x, y] : meter.waits(pictures.epoch(std::uint64_t(e))))
      std::tie(p, value) = meter.step([&] { return step(std::move(p), x, y); });
    std::printf("epoch %ld: %s; loss %.3f, peak %.0f MB\n", e,
                meter.text(rows, double(plan_type<decltype(step)>::flops)).c_str(), double(value.item()),
                peak_megabytes());
    std::fflush(stdout);
  }
}

int main(int argc, char** argv) {
  options o;
  for (int i = 1; i + 1 < argc; i += 2) {
    auto is = [&](char const* name) { return !std::strcmp(argv[i], name); };
    if (is("--folder")) o.folder = argv[i + 1];
    else if (is("--count")) o.count = std::atol(argv[i + 1]);
    else if (is("--epochs")) o.epochs = std::atol(argv[i + 1]);
    else if (is("--threads")) o.threads = std::atol(argv[i + 1]);
    else if (is("--ahead")) o.ahead = std::atol(argv[i + 1]);
    else if (is("--limit")) o.limit = std::atol(argv[i + 1]);
    else {
      std::fprintf(stderr, "unknown option %s\n", argv[i]);
      return 1;
    }
  }
  try {
    double const bytes = make_folder(o);
    if (o.limit > 0) {
      rlimit const most{rlim_t(o.limit) << 20, rlim_t(o.limit) << 20};
      if (::setrlimit(RLIMIT_DATA, &most) != 0) throw std::runtime_error("the limit cannot be set");
    }
    std::printf("%ld PNG files of %d x %d x 3, %.1f MB; %ld threads read %ld batches of %d ahead%s\n", o.count, side,
                side, bytes / 1e6, o.threads, o.ahead, rows, o.limit ? "; no cache, limited memory" : "");
    auto behind = [&](auto const& set) {
      return set | data::shuffle(1) | data::map<0>(data::random_crop<side, side>(side / 8)) |
             data::map<0>(data::random_flip()) | data::map<0>(data::normalise({0.5, 0.5, 0.5}, {0.25, 0.25, 0.25})) |
             data::batch<rows>() | data::prefetch(std::size_t(o.ahead), std::size_t(o.threads));
    };
    auto set = data::image_folder(o.folder) | data::map<0>(data::to_array<side, side, 3>);
    if (o.limit) train(behind(set), o);
    else train(behind(set | data::cache()), o);
  } catch (std::exception const& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
