// SPDX-License-Identifier: BSD-3-Clause
// A wide network on pictures of 224 x 224 from PNG files: 311 million parameters, and what an epoch waits for its
// pictures, the first from files and the others from the cache. Page: docs/examples/22_wide_mlp.md
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>

#include <etna/data/image_folder.hpp>
#include <etna/data/meter.hpp>
#include <etna/data/pipeline.hpp>
#include <etna/data/random_images.hpp>
#include <etna/data/shuffle.hpp>
#include <etna/etna.hpp>
#include <etna/train/metrics.hpp>

using namespace etna;

constexpr int rows = 32, classes = 5;
template <int Side> using pictures = array<std::uint8_t, rows, Side, Side, 3>;
using labels = array<int, rows>;

template <int Side> struct mlp {
  nn::sequential<nn::dense<float, Side * Side * 3, 2048>, nn::function<[](auto const& x) { return relu(x); }>,
                 nn::dense<float, 2048, 1024>, nn::function<[](auto const& x) { return relu(x); }>,
                 nn::dense<float, 1024, 512>, nn::function<[](auto const& x) { return relu(x); }>,
                 nn::dense<float, 512, classes>>
      layers;
  // Bytes become numbers where the first product reads them.
  constexpr auto operator()(pictures<Side> const& x) const {
    return layers(astype<float>(reshape<rows, Side * Side * 3>(x)) / 255);
  }
};
template <int Side> constexpr auto loss = [](mlp<Side> const& p, pictures<Side> const& x, labels const& y) {
  return mean(softmax_cross_entropy(p(x), y));
};
template <int Side> constexpr auto step = jit([](mlp<Side> p, pictures<Side> x, labels y) {
  auto [value, gradient] = value_and_grad(loss<Side>)(p, x, y);
  return std::pair{tree::map([](auto const& a, auto const& g) { return a - 0.01f * g; }, p, gradient), value};
});
template <int Side> constexpr auto right =
    jit([](mlp<Side> const& p, pictures<Side> x, labels y) { return train::accuracy(p(x), y); });

template <int Side, class Set, class Other> float train_on(Set const& training, Other const& validation, int epochs) {
  auto p = nn::init<mlp<Side>>(random::key(0));
  array<float> value;
  for (int e = 0; e < epochs; ++e) {
    data::meter meter(0);
    meter.go();
    for (auto const& one : meter.waits(training.epoch(std::uint64_t(e))))
      std::tie(p, value) = meter.step([&] { return step<Side>(std::move(p), std::get<0>(one), std::get<1>(one)); });
    float good = 0;
    for (auto const& [x, y] : validation.epoch(0)) good += right<Side>(p, x, y).item();
    std::printf("epoch %d: %.1f s, loss %.3f, validation %.1f%%; %s\n", e + 1, meter.whole(), value.item(),
                100 * good / float(validation.size()),
                meter.text(rows, double(plan_type<decltype(step<Side>)>::flops)).c_str());
    std::fflush(stdout);
  }
  return value.item();
}
// Some examples of a set: parts that are cut once share none, whatever the order of an epoch.
struct some_of {
  data::image_folder_set set;
  std::vector<std::uint32_t> which;
  std::size_t size() const { return which.size(); }
  auto operator[](std::size_t i) const { return set[which[i]]; }
};
// Random pictures, each of its class a little brighter in one of five stripes.
void make(std::filesystem::path const& folder, std::size_t count) {
  auto const set = data::random_images<224, 224, 3>(count, classes, 1);
  for (std::size_t i = 0; i < count; ++i) {
    auto const [x, y] = set[i];
    auto const brighter = std::remove_cvref_t<decltype(x)>::build([&, from = x.data(), label = y](std::uint8_t* out) {
      for (int k = 0; k < 224 * 224 * 3; ++k)
        out[k] = std::uint8_t(from[k] / 2 + (k / (224 * 3) / 45 == label ? 100 : 0));
    });
    auto const to = folder / std::to_string(y);
    std::filesystem::create_directories(to);
    data::write_png(to / (std::to_string(i) + ".png"), brighter);
  }
}

// 22_wide_mlp make FOLDER [COUNT]: makes 3,670 pictures. 22_wide_mlp FOLDER [EPOCHS]: trains on four fifths of them.
int main(int argc, char** argv) try {
  if (argc > 2 && !std::strcmp(argv[1], "make")) {
    make(argv[2], argc > 3 ? std::size_t(std::atol(argv[3])) : 3670);
  } else if (argc > 1) {
    auto const all = data::image_folder(argv[1]);
    auto const n = all.size() * 4 / 5;
    if (all.size() - n < rows) return std::puts("too few pictures: a fifth is less than a batch of 32; give 160"), 1;
    auto const order = data::shuffled(all.size(), 1, 0);
    auto const middle = order.begin() + std::ptrdiff_t(n);
    auto part = [&](auto from, auto to) {
      return some_of{all, {from, to}} | data::map<0>(data::to_array<224, 224, 3>) | data::shuffle(2) | data::cache() |
             data::batch<rows>() | data::prefetch(4, 1);
    };
    train_on<224>(part(order.begin(), middle), part(middle, order.end()), argc > 2 ? std::atoi(argv[2]) : 3);
  } else {
    auto const some = data::random_images<8, 8, 3>(2 * rows, classes, 1) | data::batch<rows>();
    return train_on<8>(some, some, 1) > 0 ? 0 : 1;
  }
  return 0;
} catch (std::exception const& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 2;
}
