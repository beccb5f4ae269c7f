// SPDX-License-Identifier: BSD-3-Clause
// Large draws outside jit: piece by piece they are JAX's numbers, and the bits of the whole; under transforms too.
#include <cmath>

#include "data/draws.inc.hpp"
#include "same.hpp"

using namespace test;
namespace rd = random::detail;

namespace {

constexpr extent size = 70001;  // three pieces, of which the last is shorter
static_assert(size > 2 * tuning::drawn_piece && size % tuning::drawn_piece != 0);
using whole = array<float, size>;
using shaped = array<float, 3, 177, 113>;

/// Every so many elements of two draws, as draws.py has them.
template <class F, std::size_t N> void compare(double const (&wanted)[N], double tolerance, F draw) {
  auto const keys = random::split(random::key(2026));
  std::size_t at = 0;
  for (auto const& key : keys) {
    auto const x = draw(key);
    for (extent i = 0; i < size; i += 6999, ++at) {
      INFO("number " << at);
      REQUIRE(at < N);
      CHECK(std::abs(double(x(i)) - wanted[at]) <= tolerance * std::abs(wanted[at]));
    }
  }
  CHECK(at == N);
}

}  // namespace

TEST_CASE("a large draw has JAX's numbers in each of its pieces") {
  using namespace reference;
  compare(large_bits, 0, [](auto const& key) { return random::bits<std::uint32_t, size>(key); });
  compare(large_uniform, 0, [](auto const& key) { return random::uniform<float, size>(key); });
  compare(large_uniform_f64, 0, [](auto const& key) { return random::uniform<double, size>(key, -3, 5); });
  compare(large_bernoulli, 0, [](auto const& key) { return random::bernoulli<size>(key, 0.3f); });
  compare(large_normal, 5e-7, [](auto const& key) { return random::normal<float, size>(key); });
  compare(large_truncated, 1e-13, [](auto const& key) { return random::truncated_normal<double, size>(key, -2, 2); });
  compare(large_gumbel, 1e-13, [](auto const& key) { return random::gumbel<double, size>(key); });
}

TEST_CASE("the pieces are those of the whole, to the bit, in any shape") {
  auto const key = random::key(7);
  CHECK(same_bits(random::normal<float, size>(key), rd::normal_in<whole>(key, whole::type)));
  CHECK(same_bits(random::normal<float, 3, 177, 113>(key), rd::normal_in<shaped>(key, shaped::type)));
  using narrow = array<bfloat16, 300, 300>;
  CHECK(same_bits(random::normal<bfloat16, 300, 300>(key), rd::normal_in<narrow>(key, narrow::type)));
  array<float, "batch"_n> const named = zeros<float, size>();
  CHECK(same_bits(random::normal_like(key, named), random::normal<float, size>(key)));
  CHECK(random::normal_like(key, named).shape()[0] == size);
  using wide = array<std::uint64_t, size>;
  auto const upper = rd::words<ops::random_first_p, wide>(key, wide::type);
  auto const lower = rd::words<ops::random_second_p, wide>(key, wide::type);
  CHECK(same_bits(random::bits<std::uint64_t, size>(key),
                  (astype<std::uint64_t>(upper) << 32) | astype<std::uint64_t>(lower)));
}

TEST_CASE("under a transform a draw is one equation after the other, with the same numbers") {
  auto const key = random::key(9);
  auto two =
      vmap([](random::prng_key const& k) { return random::normal<float, size>(k); })(random::split_batch<2>(key));
  auto const keys = random::split(key);
  CHECK(same_bits(slice<0>(two), random::normal<float, size>(keys[0])));
  CHECK(same_bits(slice<1>(two), random::normal<float, size>(keys[1])));
  // what is broadcast to the draw is no piece of it
  auto const low = array<float, size>::build([](float* x) {
    for (extent i = 0; i < size; ++i) x[i] = float(i);
  });
  auto const u = random::uniform<float, size>(key, low, low + 1.f);
  CHECK(u(0) < 1);
  CHECK(u(69999) >= 69999);
  CHECK(grad([&](array<float> const& a) { return sum(random::uniform<float, size>(key, 0, a)); })(array<float>(2.f))
            .item() == doctest::Approx(size / 2.).epsilon(0.01));
}

TEST_CASE("an initializer scales in place, and leaves what others have") {
  auto const x = random::normal<float, size>(random::key(1));
  auto const by = [](auto const& part) { return part * 3.f; };
  auto const before = x(68000);
  auto const y = rd::changed(x, by);  // x is still here: y has memory of its own
  CHECK(x(68000) == before);
  CHECK(same_bits(y, x * 3.f));
  auto mine = random::normal<float, size>(random::key(1));
  auto const* at = mine.data();
  auto const z = rd::changed(std::move(mine), by);
  CHECK(z.data() == at);
  CHECK(same_bits(z, y));
  using kernel = array<float, 300, 500>;
  CHECK(same_bits(nn::draw<kernel>(nn::initializers::normal{0.02}, random::key(4)),
                  random::normal<float, 300, 500>(random::key(4)) * 0.02f));
}
