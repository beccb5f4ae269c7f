// SPDX-License-Identifier: BSD-3-Clause
// A network on a table of one's own, from a CSV file to a prediction. Page: docs/examples/25_table.md
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <limits>

#include <unistd.h>

#include <etna/data/csv.hpp>
#include <etna/data/pipeline.hpp>
#include <etna/data/shuffle.hpp>
#include <etna/etna.hpp>
#include <etna/train/metrics.hpp>
#include <etna/train/state.hpp>
#include <etna/train/training_loop.hpp>

using namespace etna;
constexpr int columns = 3, classes = 3;
using row = array<float, columns>;
struct net {
  nn::dense<float, columns, 32> first;
  nn::dense<float, 32, classes> last;
  constexpr auto operator()(auto const& x) const { return last(relu(first(x))); }
};
constexpr auto optimizer = optim::adamw(1e-2, {.weight_decay = 1e-2});
constexpr auto loss = [](net const& p, auto const& x, auto const& y) { return mean(softmax_cross_entropy(p(x), y)); };
constexpr auto step = jit([](train::state<optimizer, net> s, array<float, 32, columns> x, array<int, 32> y) {
  auto [value, gradient] = value_and_grad(loss)(s.params, x, y);
  return std::pair{s.apply_gradients(gradient), value};
});
constexpr auto right =
    jit([](net const& p, array<float, "b"_n, columns> x, array<int, "b"_n> y) { return train::accuracy(p(x), y); });
struct kept {  // in a checkpoint: a prediction needs the numbers that rows are normalised with, too
  train::state<optimizer, net> training;
  row mean, deviation;
  row normal(row const& x) const { return where(isnan(x), 0.0f, (x - mean) / deviation); }  // missing: the mean
};
// Of each column, over the rows of the training and without what is missing.
void measure(std::vector<row> const& rows, kept& all) {
  auto n = zeros<double, columns>(), sum = n, squares = n;
  for (auto const& x : rows) {
    auto const v = astype<double>(where(isnan(x), 0.0f, x));
    n = n + (1.0 - astype<double>(isnan(x))), sum = sum + v, squares = squares + v * v;
  }
  all.mean = astype<float>(sum / n);
  all.deviation = astype<float>(sqrt(squares / n - square(sum / n)));
}
// A table for who has none: the breed is a formula of height and weight, and a weight in 20 is missing.
void write_table(std::filesystem::path const& path) {
  std::ofstream file(path);
  file << "height,weight,age,breed\n";
  for (std::uint64_t i = 0; i < 1000; ++i) {
    auto const any = [i](std::uint64_t column) { return 1 + data::mix(i, column) % 100; };  // 1 to 100
    file << any(0) << ',' << (i % 20 ? std::to_string(any(1)) : "NA") << ',' << any(2)
         << (any(0) > 2 * any(1) ? ",greyhound\n"
             : any(0) > 50       ? ",mastiff\n"
                                 : ",pug\n");
  }
}
// 25_table [FILE.csv [FOLDER]]: with these columns and three breeds; FOLDER keeps the checkpoints.
int main(int argc, char** argv) {
  auto const mine = std::filesystem::temp_directory_path() / ("etna-table-" + std::to_string(::getpid()));
  std::filesystem::create_directories(mine);
  if (argc < 2) write_table(mine / "dogs.csv");
  auto const table = data::read_csv(argc < 2 ? mine / "dogs.csv" : argv[1], {.missing = {"", "NA"}});
  auto const rows = table.numbers<float, columns>({"height", "weight", "age"}, std::numeric_limits<float>::quiet_NaN());
  auto const breeds = table.categories("breed");
  if (breeds.names.size() != classes) return std::puts("not three breeds"), 2;
  std::vector<row> xs[2];  // a fixed order of the rows: four fifths to train, the others to validate
  std::vector<int> ys[2];
  for (auto i : data::shuffled(rows.size(), 1, 0)) {
    auto const part = xs[0].size() < rows.size() * 4 / 5 ? 0 : 1;
    xs[part].push_back(rows[i]), ys[part].push_back(breeds[i]);
  }
  kept all{train::create<optimizer>(nn::init<net>(random::key(0))), {}, {}};
  measure(xs[0], all);
  auto const normal = data::map<0>([all](row const& one) { return all.normal(one); });
  auto training = data::in_memory(xs[0], ys[0]) | normal | data::cache() | data::shuffle(2) | data::batch<32>();
  auto validation = data::in_memory(xs[1], ys[1]) | normal | data::cache() | data::batch<"b"_n>(64);
  auto const accuracy = [&](net const& p, train::mean m = train::mean::empty()) {
    for (auto const& [x, y] : validation.epoch(0)) m = m.add(right(p, x, y), y.size());
    return m.value().item();
  };
  train::loop run(all, training, {.folder = argc < 3 ? mine / "run" : argv[2], .epochs = 20, .monitor = "accuracy"});
  for (auto& [x, y] : run) {
    auto [next, value] = step(std::move(all.training), x, y);
    all.training = std::move(next);
    run.log("loss", value);
    if (run.epoch_ends()) run.record("accuracy", accuracy(all.training.params));
  }
  kept best = all;
  data::load(best, run.best());
  double const share = accuracy(best.training.params);
  auto const p = softmax(best.training.params(best.normal(xs[1][0])));
  std::printf("epoch %d: %.1f%% right; the first of these a %s (%.3f), in the file a %s\n", run.best_epoch(),
              100 * share, breeds.names[std::size_t(argmax(p).item())].c_str(), double(max(p)),
              breeds.names[std::size_t(ys[1][0])].c_str());
  std::filesystem::remove_all(mine);
  return share > 0.85 ? 0 : 1;
}
