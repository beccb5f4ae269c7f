// SPDX-License-Identifier: BSD-3-Clause
// Training from a pipeline of which each rank makes its part of the batch: losses are those of one rank with all of it.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <etna/data/pipeline.hpp>
#include <etna/dist/collectives.hpp>
#include <etna/dist/world.hpp>
#include <etna/etna.hpp>
#include <vector>

using namespace etna;

namespace {

using line = std::pair<array<double, 3>, array<double>>;

constexpr auto loss = [](line const& p, array<double, "n"_n, 3> const& x, array<double, "n"_n> const& y) {
  return mean(square(matmul(x, p.first) + p.second - y));
};
constexpr auto gradient = jit([](line const& p, array<double, "n"_n, 3> const& x, array<double, "n"_n> const& y) {
  return value_and_grad(loss)(p, x, y);
});

// 103 examples, noise drawn for each anew in each epoch.
auto examples() {
  std::vector<double> x(3 * 103), y(103);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::sin(0.7 * double(i) + 0.1 * double(i * i));
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = 2 * x[3 * i] - x[3 * i + 1] + 0.5;
  return data::in_memory(data::rows<3>(std::move(x)), std::move(y)) | data::shuffle(3) |
         data::map<1>([](double y, data::generator& random) { return y + 0.1 * random.uniform(); }, 5);
}
template <class Part, class Mean> std::vector<double> losses(Part const& part, Mean const& mean_of_all) {
  line p{};
  std::vector<double> r;
  for (std::uint64_t epoch = 0; epoch < 5; ++epoch)
    for (auto const& [x, y] : part.epoch(epoch)) {
      auto const [value, slope] = mean_of_all(gradient(p, x, y));
      p = tree::map([](auto const& a, auto const& g) { return a - 0.1 * g; }, p, slope);
      r.push_back(value.item());
    }
  return r;
}

}  // namespace

int main(int argc, char** argv) try {
  dist::session const mpi(&argc, &argv);
  auto const ranks = dist::world();
  std::size_t const me = std::size_t(ranks->rank()), all = std::size_t(ranks->size());
  auto const of_one = losses(examples() | data::batch<"n"_n>(24, data::rest::drop), [](auto const& x) { return x; });
  auto const together = [&](auto const& x) { return dist::all_reduce_mean(*ranks, x); };
  auto const in_order = losses(examples() | data::shard_batch<"n"_n>(24, me, all), together);
  auto const dealt =
      losses(examples() | data::shard(me, all) | data::batch<"n"_n>(24 / all, data::rest::drop), together);
  int wrong = of_one.size() != 20 || in_order.size() != 20 || dealt.size() != 20;
  for (std::size_t k = 0; !wrong && k < 20; ++k)
    wrong += !(std::abs(in_order[k] - of_one[k]) <= 1e-12) + !(std::abs(dealt[k] - of_one[k]) <= 1e-12);
  wrong += of_one[19] >= of_one[0];
  std::printf("rank %d of %d: %d wrong\n", ranks->rank(), ranks->size(), wrong);
  return wrong > 0;
} catch (error const& e) {
  std::fprintf(stderr, "a rank says: %s\n", e.what());
  return 2;
}
