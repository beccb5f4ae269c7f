// SPDX-License-Identifier: BSD-3-Clause
// Keys as values: seeds, splitting, constants in a program, trees, gradients through draws, dropout, one kernel for a
// draw.
#include <string>

#include "same.hpp"

using namespace test;
using random::prng_key;
using std::uint32_t;

namespace {

template <class K> bool is(K const& k, uint32_t first, uint32_t second) {
  return k.first.item() == first && k.second.item() == second;
}
auto const fixed = [](array<float, 64, 128> const& x) { return x + random::normal<float, 64, 128>(random::key(7)); };

}  // namespace

TEST_CASE("seeds: an int has one word, a 64-bit integer two, as in JAX") {
  CHECK(is(random::key(42), 0, 42));
  CHECK(is(random::key(-1), 0, 0xffffffffu));
  CHECK(is(random::key(std::int64_t(-1)), 0xffffffffu, 0xffffffffu));
  CHECK(is(random::key((std::int64_t(1) << 40) + 5), 256, 5));
  CHECK(is(random::key(array<int>(-1)), 0, 0xffffffffu));
  CHECK(is(random::key(array<std::int64_t>(-2)), 0xffffffffu, 0xfffffffeu));
  CHECK(is(random::key(array<std::int64_t>((std::int64_t(1) << 40) + 5)), 256, 5));
}

TEST_CASE("split, split_batch and key_data agree") {
  auto k = random::key(1);
  auto [a, b, c] = random::split<3>(k);
  auto all = random::split_batch<3>(k);
  auto words = random::key_data(all);
  static_assert(std::is_same_v<decltype(words), array<uint32_t, 3, 2>>);
  prng_key const one[] = {a, b, c};
  for (int i = 0; i < 3; ++i) {
    CHECK(is(one[i], all.first(i), all.second(i)));
    CHECK(words(i, 0) == all.first(i));
    CHECK(words(i, 1) == all.second(i));
  }
  CHECK(same_bits(random::wrap_key_data(words), all));
  CHECK(same_bits(random::wrap_key_data(random::key_data(k)), k));
  auto square = random::split_batch<2, 2>(k);
  auto flat = random::split_batch<4>(k);
  for (int i = 0; i < 4; ++i) CHECK(square.first(i / 2, i % 2) == flat.first(i));
}

TEST_CASE("a constant key is drawn from at run time, in one kernel") {
  using program = etna::plan_of<decltype(fixed), array<float, 64, 128>>;
  static_assert(program::kernel_count == 1);
  std::string plan = show_plan(jit(fixed), array<float, 64, 128>{});
  CHECK(plan.find("random_bits") != std::string::npos);
  auto x = some<array<float, 64, 128>>();
  near(jit(fixed)(x), fixed(x));
}

TEST_CASE("keys are arguments and results, in trees") {
  auto step = [](prng_key const& key, array<float, 8> const& x) {
    auto [next, now] = random::split(key);
    return std::pair{next, x + random::uniform<float, 8>(now)};
  };
  auto fused = jit(step);
  prng_key a = random::key(3), b = a;
  array<float, 8> x, y;
  for (int i = 0; i < 3; ++i) {
    std::tie(a, x) = fused(a, x);
    std::tie(b, y) = step(b, y);
  }
  CHECK(same_bits(a, b));
  CHECK(same_bits(x, y));
}

TEST_CASE("vmap over keys beside whole and mapped arguments") {
  auto f = [](auto const& key, auto const& mean, auto const& spread) {
    return mean + spread * random::normal<float, 5>(key);
  };
  auto means = some<array<float, 4>>();
  auto spread = some<array<float, 5>>(2);
  auto keys = random::split_batch<4>(random::key(9));
  auto batched = [f](auto const& k, auto const& m, auto const& s) { return vmap<0, 0, none>(f)(k, m, s); };
  auto all = batched(keys, means, spread);
  for (int i = 0; i < 4; ++i) {
    prng_key k{array<uint32_t>(keys.first(i)), array<uint32_t>(keys.second(i))};
    auto one = f(k, array<float>(means(i)), spread);
    for (int j = 0; j < 5; ++j) CHECK(all(i, j) == one(j));
  }
  near(jit([](auto const& k, auto const& m, auto const& s) {
         return vmap<0, 0, none>([](auto const& key, auto const& mean, auto const& width) {
           return mean + width * random::normal<float, 5>(key);
         })(k, m, s);
       })(keys, means, spread),
       all);
}

TEST_CASE("derivatives pass through a draw's parameters") {
  auto f = [](array<double> const& low, array<double> const& high, array<double> const& spread, prng_key const& key) {
    auto [a, b] = random::split(key);
    return sum(random::uniform<double, 50>(a, low, high)) + sum(spread * random::normal<double, 50>(b));
  };
  auto [a, b] = random::split(random::key(5));
  double u = sum(random::uniform<double, 50>(a)).item(), n = sum(random::normal<double, 50>(b)).item();
  auto check = [&](auto const& g) {
    CHECK(std::get<0>(g).item() == doctest::Approx(50 - u));
    CHECK(std::get<1>(g).item() == doctest::Approx(u));
    CHECK(std::get<2>(g).item() == doctest::Approx(n));
  };
  array<double> low(-1.), high(3.), spread(2.);
  check(grad<0, 1, 2>(f)(low, high, spread, random::key(5)));
  check(jit(grad<0, 1, 2>(f))(low, high, spread, random::key(5)));
}

namespace {
using rows = array<float, "batch"_n, 40>;
auto const dropped = [](prng_key const& key, rows const& x) { return dropout(key, x, 0.25); };
auto const weighed = [](auto const& x, prng_key const& key) { return sum(dropout(key, x, 0.25) * 3.f); };
auto const pulled = [](rows const& x, prng_key const& key) { return grad<0>(weighed)(x, key); };
}  // namespace

TEST_CASE("bernoulli is drawn in the type of its probability, which C++ tells") {
  auto key = random::key(5);
  CHECK(same_bits(random::bernoulli<300>(key, 0.3), less(random::uniform<double, 300>(key), 0.3)));
  CHECK(same_bits(random::bernoulli<300>(key, 0.3), random::bernoulli<300>(key, array<double>(0.3))));
  CHECK(same_bits(random::bernoulli<300>(key, 0.3f), less(random::uniform<float, 300>(key), 0.3f)));
  CHECK(same_bits(random::bernoulli<300>(key), less(random::uniform<float, 300>(key), 0.5f)));
}
TEST_CASE("dropout: the choice of bernoulli, the mean kept, the gradient the same choice") {
  auto key = random::key(11);
  auto x = some<array<float, 100, 40>>(3, 1, 2);
  auto keep = random::bernoulli<100, 40>(key, 0.75f);
  auto y = dropout(key, x, 0.25);
  near(y, where(keep, x / 0.75, 0));
  CHECK(mean(astype<float>(keep)).item() == doctest::Approx(0.75).epsilon(0.02));
  near(jit(dropped)(key, x), rows(y));
  near(jit(pulled)(x, key), rows(where(keep, array<float>(4.f), 0.f)));
  near(grad<0>(weighed)(x, key), rows(where(keep, array<float>(4.f), 0.f)));
  CHECK(same_bits(dropout(key, x, 0), x));
  CHECK(same_bits(dropout(key, x, 1), zeros_like(x)));
}

TEST_CASE("moments") {
  auto [a, b, c] = random::split<3>(random::key(0));
  auto u = random::uniform<float, 100000>(a, -1, 3);
  CHECK(mean(u).item() == doctest::Approx(1).epsilon(0.01));
  CHECK(min(u).item() >= -1);
  CHECK(max(u).item() < 3);
  auto z = random::normal<double, 100000>(b);
  CHECK(std::abs(mean(z).item()) < 0.01);
  CHECK(var(z).item() == doctest::Approx(1).epsilon(0.01));
  auto k = random::randint<int, 100000>(c, -2, 3);
  CHECK(min(k).item() == -2);
  CHECK(max(k).item() == 2);
  CHECK(std::abs(mean(k).item()) < 0.02);
  CHECK(same_bits(random::randint<int, 4>(c, 5, 5), array<int, 4>{5, 5, 5, 5}));
  // bounds that the type does not hold are its ends
  CHECK(same_bits(random::randint<std::uint64_t, 4>(c, -5, 1), array<std::uint64_t, 4>{0, 0, 0, 0}));
  auto const same = random::randint<int, 100>(c, -2, 3);  // bounds as numbers, as arrays, and one of each
  CHECK(same_bits(random::randint<int, 100>(c, array<int>(-2), 3), same));
  CHECK(same_bits(random::randint<int, 100>(c, -2, array<int>(3)), same));
  CHECK(same_bits(random::randint<int, 100>(c, array<int>(-2), array<int, 1>{3}), same));
}

TEST_CASE("erf_inv undoes erf, and is inf at the ends and NaN beyond") {
  auto x = some<array<double, 200>>(1, -3, 3);
  near(erf_inv(erf(x)), x, 1e-6, 1e-11);
  near(erf(erf_inv(some<array<double, 200>>(2))), some<array<double, 200>>(2), 1e-6, 1e-14);
  auto ends = [](array<double, 4> const& e) { return erf_inv(e); };
  array<double, 4> at{1, -1, 1.5, 0};
  auto check = [](auto const& y) {
    CHECK(y(0) == std::numeric_limits<double>::infinity());
    CHECK(y(1) == -std::numeric_limits<double>::infinity());
    CHECK(std::isnan(y(2)));
    CHECK(y(3) == 0);
  };
  check(ends(at));
  check(jit(ends)(at));
}

namespace {
constexpr auto permuted = [](prng_key const& key, auto const& x) { return random::permutation(key, x); };
constexpr auto permuted_each = [](prng_key const& key, auto const& x) {
  return random::permutation(key, x, random::independent);
};
constexpr auto chosen = [](prng_key const& key, auto const& x) { return random::choice<4, 2>(key, x); };
template <extent N> void as_static(int seed) {
  auto x = some<array<double, N, 2>>(seed);
  array<double, "n"_n, 2> named = x;
  auto key = random::key(seed);
  near(permuted(key, named), permuted(key, x));
  near(jit(permuted)(key, named), permuted(key, x));
  near(jit(permuted_each)(key, named), permuted_each(key, x));
  near(jit(chosen)(key, named), chosen(key, x));
}
}  // namespace

TEST_CASE("permutations and choices of a named size are those of the static one") {
  as_static<1>(1);
  as_static<5>(2);
  as_static<850>(3);  // 1700 numbers: each vector on its own takes two rounds
  as_static<1700>(4);
  auto none = permuted(random::key(5), array<double, "n"_n, 2>(array<double, 0, 2>()));
  CHECK(none.shape()[0] == 0);
}

TEST_CASE("a permutation moves gradients to where the elements came from") {
  auto f = [](prng_key const& key, array<double, 7> const& x) {
    return grad<1>([](prng_key const& k, array<double, 7> const& y) {
      return sum(random::permutation(k, y) * arange<double, 7>());
    })(key, x);
  };
  auto key = random::key(3);
  auto order = random::permutation<7>(key);
  auto g = jit(f)(key, some<array<double, 7>>(1));
  near(g, f(key, some<array<double, 7>>(1)));
  for (int i = 0; i < 7; ++i) CHECK(g(order(i)) == i);
}
