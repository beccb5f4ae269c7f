// SPDX-License-Identifier: BSD-3-Clause
// Draws from 1,000 keys against JAX: bits, uniform, bernoulli, randint, split and fold_in to the bit (by hash), normals
// within 2 units in the last place; eager and fused, key by key and under vmap.
#include <bit>

#include "data/draws.inc.hpp"
#include "same.hpp"

using namespace test;
using std::int64_t, std::int8_t, std::uint16_t, std::uint32_t, std::uint64_t, std::uint8_t;

namespace {

constexpr int n = 1000;
constexpr int64_t least = std::numeric_limits<int64_t>::lowest(), most = std::numeric_limits<int64_t>::max();
static_assert(std::size(reference::draws) == n);

/// In the order in which draws.py hashes them.
auto const exact = [](auto const& key) {
  return std::tuple{random::key_data(random::split_batch<3>(key)),
                    random::key_data(random::fold_in(key, 12345)),
                    random::bits<uint32_t, 3, 5>(key),
                    random::bits<uint8_t, 3, 5>(key),
                    random::uniform<float, 3, 5>(key),
                    random::uniform<double, 3, 5>(key),
                    random::bernoulli<3, 5>(key, 0.3f),
                    random::randint<int, 3, 5>(key, -7, 1000003),
                    random::randint<uint8_t, 3, 5>(key, 0, 256),
                    random::randint<int, 3, 5>(key, -2147483648ll, 2147483647),
                    random::randint<int64_t, 3, 5>(key, -7, 1000003),
                    random::randint<int64_t, 3, 5>(key, least, most),
                    random::randint<int64_t, 3, 5>(key, -(int64_t(1) << 62), (int64_t(1) << 62) + 12345),
                    random::permutation<13>(key),
                    random::bits<uint16_t, 3, 5>(key),
                    random::bits<uint64_t, 3, 5>(key),
                    random::uniform<bfloat16, 3, 5>(key),
                    random::uniform<float16, 3, 5>(key, -2, 3),
                    random::normal<bfloat16, 3, 5>(key),
                    random::normal<float16, 3, 5>(key),
                    random::randint<int8_t, 3, 5>(key, -100, 100),
                    random::randint<uint16_t, 3, 5>(key, 5, 60000),
                    random::randint<uint64_t, 3, 5>(key, 5, uint64_t(-10))};
};
auto const normals = [](auto const& key) {
  return std::pair{random::normal<float, 3, 5>(key), random::normal<double, 3, 5>(key)};
};
auto const draws_of = [](auto const& key) { return std::pair{exact(key), normals(key)}; };
auto const over_keys = [](auto const& keys) { return vmap(draws_of)(keys); };

auto const batch = [] { return random::split_batch<n>(random::key(2026)); }();
random::prng_key key_at(int i) { return {array<uint32_t>(batch.first(i)), array<uint32_t>(batch.second(i))}; }

struct hash {
  uint32_t h = 2166136261u;
  void word(uint32_t w) { h = (h ^ w) * 16777619u; }
  void operator()(float x) { word(std::bit_cast<uint32_t>(x)); }
  void both(uint64_t x) {
    word(uint32_t(x));
    word(uint32_t(x >> 32));
  }
  void operator()(double x) { both(std::bit_cast<uint64_t>(x)); }
  void operator()(int64_t x) { both(uint64_t(x)); }
  void operator()(uint64_t x) { both(x); }
  void operator()(bfloat16 x) { word(x.bits); }
  void operator()(float16 x) { word(x.bits); }
  template <class I> void operator()(I x) { word(uint32_t(x)); }
};

/// Distance in units in the last place; both of one sign.
template <class T, class U> std::int64_t ulps(T x, U bits) {
  U mine = std::bit_cast<U>(x);
  return mine > bits ? std::int64_t(mine - bits) : std::int64_t(bits - mine);
}

/// The draws of key i: element `at` on of each leaf is the key's.
struct counted {
  int wrong = 0;
  std::int64_t most_f32 = 0, most_f64 = 0;
};
template <class T> void compare(int i, T const& drawn, int at, counted& c) {
  hash h;
  tree::for_each(
      [&](auto const& x) {
        extent size = extent(x.size()) / (at < 0 ? 1 : n), from = at < 0 ? 0 : at * size;
        for (extent k = 0; k < size; ++k) h(x.data()[from + k]);
      },
      drawn.first);
  c.wrong += h.h != reference::draws[i].hash;
  extent from = (at < 0 ? 0 : at * 15) + i % 15;
  c.most_f32 = std::max(c.most_f32, ulps(drawn.second.first.data()[from], reference::draws[i].normal));
  c.most_f64 = std::max(c.most_f64, ulps(drawn.second.second.data()[from], reference::draws[i].normal_f64));
}
void check(counted const& c) {
  CHECK(c.wrong == 0);
  CHECK(c.most_f32 <= 2);
  CHECK(c.most_f64 <= 2);
  std::printf("normals: most %lld ulp in f32, %lld in f64\n", (long long)c.most_f32, (long long)c.most_f64);
}
template <class F> void check_each(F f) {
  counted c;
  for (int i = 0; i < n; ++i) compare(i, f(key_at(i)), -1, c);
  check(c);
}
template <class F> void check_batch(F f) {
  counted c;
  auto drawn = f(batch);
  for (int i = 0; i < n; ++i) compare(i, drawn, i, c);
  check(c);
}

}  // namespace

TEST_CASE("draws of 1,000 keys are JAX's, eager") { check_each(draws_of); }
TEST_CASE("draws of 1,000 keys are JAX's, fused") { check_each(jit(draws_of)); }
TEST_CASE("draws of 1,000 keys are JAX's, eager vmap") { check_batch(over_keys); }
TEST_CASE("draws of 1,000 keys are JAX's, fused vmap") { check_batch(jit(over_keys)); }

namespace {

auto const samplers = [](auto const& key) {
  array<double, 2, 4> logits{{0.5, -1, 2, 0}, {3, 0.25, -0.5, 1}};
  auto rows = reshape<5, 3>(arange<double, 15>());
  array<double, 5> weights{1, 0.5, 4, 0.25, 2};
  array<int, 3> low{-3, 0, 100}, high{3, 0, 2147483647};
  return std::tuple{random::uniform<double, 3, 5>(key, -2.5, 7),
                    random::randint<int, 5, 3>(key, low, high),
                    random::bernoulli(key, array<double, 4>{0, 0.25, 0.5, 1}),
                    random::truncated_normal<double, 3, 5>(key, -1.5, 0.25),
                    random::exponential<double, 3, 5>(key),
                    random::gumbel<double, 3, 5>(key),
                    random::laplace<double, 3, 5>(key),
                    random::logistic<double, 3, 5>(key),
                    random::cauchy<double, 3, 5>(key),
                    random::rademacher<int, 3, 5>(key),
                    random::categorical(key, logits),
                    random::choice<7>(key, arange<double, 10>() + 10.),
                    random::choice<6>(key, rows, weights),
                    random::choice<2, 2>(key, rows, random::without_replacement),
                    random::choice<4>(key, rows, weights, random::without_replacement),
                    random::permutation(key, rows),
                    random::permutation<1>(key, rows),
                    random::permutation<-1>(key, rows, random::independent),
                    slice<range{0, 1700, 100}>(random::permutation<1700>(key))};
};
double const* const expected[] = {
    reference::uniform,          reference::randint_of_arrays, reference::bernoulli_of_array,
    reference::truncated_normal, reference::exponential,       reference::gumbel,
    reference::laplace,          reference::logistic,          reference::cauchy,
    reference::rademacher,       reference::categorical,       reference::choice,
    reference::choice_by_weight, reference::choice_once,       reference::choice_once_by_weight,
    reference::permuted,         reference::permuted_columns,  reference::permuted_each,
    reference::permuted_twice};
template <class F> void check_samplers(F f) {
  for (int i = 0; i < 2; ++i) {
    int sampler = 0;
    auto const drawn = f(key_at(i));
    tree::for_each(
        [&](auto const& x) {
          CAPTURE(sampler);
          double const* should = expected[sampler++] + i * extent(x.size());
          for (extent k = 0; k < extent(x.size()); ++k)
            CHECK(double(x.data()[k]) == doctest::Approx(should[k]).epsilon(1e-12));
        },
        drawn);
  }
}

}  // namespace

TEST_CASE("other samplers are JAX's, eager") { check_samplers(samplers); }
TEST_CASE("other samplers are JAX's, fused") { check_samplers(jit(samplers)); }
