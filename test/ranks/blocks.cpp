// SPDX-License-Identifier: BSD-3-Clause
// Sums in the order of blocks have the bits of one loop over all blocks, on any number of ranks; so have parameters
// that are trained with them.
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <etna/dist/sum_of_blocks.hpp>
#include <etna/dist/delayed_group.hpp>
#include <etna/dist/world.hpp>
#include <etna/etna.hpp>
#include <string>

using namespace etna;

namespace {

constexpr int blocks = 12;

int wrong = 0;
#define MUST(...)                                                       \
  if (!(__VA_ARGS__)) {                                                 \
    std::printf("line %d: %s does not hold\n", __LINE__, #__VA_ARGS__); \
    ++wrong;                                                            \
  }

// Numbers of many sizes, so that another order gives other bits.
double number(int block, int i) { return std::sin(1.7 * i + block) * std::exp2((7 * block + 5 * i) % 23 - 11); }
template <class T> T of(int block, int i) {
  if constexpr (std::is_integral_v<T>) return T(1000003 * block + 7919 * i);
  else return T(float(number(block, i)));
}
template <> double of<double>(int block, int i) { return number(block, i); }

template <class T> array<T, "n"_n> filled(int block, int n) {
  return array<T, "n"_n>::build(
      [&](T* out) {
        for (int i = 0; i < n; ++i) out[i] = of<T>(block, i);
      },
      {n});
}
auto tree_of(int block, int n) {
  return std::tuple{filled<float>(block, n),        filled<double>(block, n + 3),       filled<bfloat16>(block, 5),
                    filled<std::int32_t>(block, n), array<float>(of<float>(block, 99)), number(block, 98),
                    filled<std::int16_t>(block, 1)};
}
// One after another: what a sum means here.
template <class T> bool is_sum(array<T, "n"_n> const& is) {
  using wide = std::conditional_t<std::is_floating_point_v<T> || std::is_integral_v<T>, T, float>;
  for (int i = 0; i < int(is.size()); ++i) {
    wide sum = wide(of<T>(0, i));
    for (int b = 1; b < blocks; ++b) {
      if constexpr (std::is_integral_v<T>) sum = T(unsigned(sum) + unsigned(of<T>(b, i)));
      else sum = sum + wide(of<T>(b, i));
    }
    T const should = T(sum), got = is.data()[i];
    if (std::memcmp(&should, &got, sizeof(T)) != 0) return false;
  }
  return true;
}
template <class T> T sum_at(int i) {
  T sum = of<T>(0, i);
  for (int b = 1; b < blocks; ++b) sum += of<T>(b, i);
  return sum;
}

void sums(dist::process_group& g, int n) {
  auto const [first, count] = dist::blocks_of(g, blocks);
  std::vector<decltype(tree_of(0, n))> mine;
  for (int b = first; b < first + count; ++b) mine.push_back(tree_of(b, n));
  auto const [f, d, h, i, f1, d1, s] = dist::sum_of_blocks(g, mine);
  MUST(f.size() == n && is_sum(f));
  MUST(d.size() == n + 3 && is_sum(d));
  MUST(is_sum(h));
  MUST(is_sum(i));
  MUST(is_sum(s));
  MUST(f1.item() == sum_at<float>(99));
  MUST(d1 == sum_at<double>(98));
}

using net = std::tuple<array<float, 4, 16>, array<float, 16>, array<float, 16>>;
using rows = array<float, 4, 4>;
using wanted = array<float, 4>;
constexpr auto loss = [](net const& p, rows const& x, wanted const& y) {
  auto const& [w, b, v] = p;
  return mean(square(matmul(tanh(matmul(x, w) + b), v) - y));
};
constexpr auto gradient =
    jit([](net const& p, rows const& x, wanted const& y) { return value_and_grad(loss)(p, x, y); });
constexpr auto update = jit([](net p, net const& g) {
  return tree::map([](auto const& a, auto const& b) { return a - 0.05f / blocks * b; }, p, g);
});

// Twenty steps on this group; what comes out as a text of bits.
std::string trained(dist::process_group& g) {
  net p{random::normal<float, 4, 16>(random::key(3)), array<float, 16>{}, random::normal<float, 16>(random::key(4))};
  auto const [first, count] = dist::blocks_of(g, blocks);
  std::string bits;
  auto add = [&](float x) { bits += std::to_string(std::bit_cast<std::uint32_t>(x)) + " "; };
  for (int step = 0; step < 20; ++step) {
    std::vector<std::pair<array<float>, net>> of_blocks;
    for (int b = first; b < first + count; ++b) {
      auto const x = rows::build([&](float* out) {
        for (int i = 0; i < 16; ++i) out[i] = float(std::sin(0.7 * (16 * b + i) + 0.3 * i * i));
      });
      auto const y = wanted::build([&](float* out) {
        for (int i = 0; i < 4; ++i) out[i] = float((b + i) % 2);
      });
      of_blocks.push_back(gradient(p, x, y));
    }
    auto const sum = dist::sum_of_blocks(g, of_blocks);
    add(sum.first.item());
    p = update(std::move(p), sum.second);
  }
  tree::for_each(
      [&](auto const& leaf) {
        for (extent i = 0; i < leaf.size(); ++i) add(leaf.data()[i]);
      },
      p);
  return bits;
}

template <class F> bool refused(int number, F const& f) {
  try {
    f();
  } catch (error const& e) { return e.number == number && std::string(e.what()).find("; ") != std::string::npos; }
  return false;
}

}  // namespace

int main(int argc, char** argv) try {
  dist::session const mpi(&argc, &argv);
  auto const ranks = dist::world();
  int const me = ranks->rank(), all = ranks->size();
  dist::one_process alone;
  dist::delayed_group late(*ranks, std::chrono::milliseconds(1), std::uint32_t(me));
  for (int n : {0, 1, 2, 7, 1000}) sums(*ranks, n);
  sums(late, 30);
  MUST(trained(*ranks) == trained(alone));

  using one = array<float>;
  using some = array<float, "n"_n>;
  if (all > 1) {  // each rank is told, and they still meet
    std::vector<one> const uneven(me == 0 ? 1 : 2, one(1));
    MUST(refused(181, [&] { dist::sum_of_blocks(*ranks, uneven); }));
    std::vector<some> const others(2, filled<float>(0, me == 0 ? 4 : 5));
    MUST(refused(170, [&] { dist::sum_of_blocks(*ranks, others); }));
    MUST(refused(181, [&] { dist::blocks_of(*ranks, 12 * all + 1); }));
  }
  std::vector<some> const unlike{filled<float>(0, 4), filled<float>(0, 5)};
  MUST(refused(170, [&] { dist::sum_of_blocks(*ranks, unlike); }));
  MUST(refused(181, [&] { dist::sum_of_blocks(*ranks, std::vector<one>()); }));
  std::printf("rank %d of %d: %d wrong\n", me, all, wrong);
  return wrong > 0;
} catch (error const& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 2;
}
