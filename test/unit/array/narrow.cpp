// SPDX-License-Identifier: BSD-3-Clause
// bfloat16 and float16: 100,000 floats become them, one by one, by the interpreter and in registers, with JAX's bits;
// so do all of them as floats. What the types are as numbers of C++.
#include <doctest/doctest.h>

#include <algorithm>
#include <etna/etna.hpp>
#include <limits>

#include "data/narrow.inc.hpp"
#include "numbers.hpp"

using namespace etna;

namespace {

std::uint64_t splitmix64(std::uint64_t x) {
  std::uint64_t z = x + 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}
constexpr int block = 20000;
// As test/data/narrow.py has it, line by line.
float number(int i) {
  std::uint64_t const r = splitmix64(std::uint64_t(i));
  std::uint32_t const high = std::uint32_t(r >> 32), low = std::uint32_t(r), sign = high & 0x80000000u,
                      digits = high & 0x807FFFFFu, near = std::uint32_t(i % 3) - 1, fraction = low >> 8 & 0x3FF;
  auto of = [](std::uint32_t b) { return std::bit_cast<float>(b); };
  switch (i / block) {
    case 0: return of(high);
    case 1: return of((low << 16 | 0x8000) + near);
    case 2: return of((sign | (113 + low % 31) << 23 | fraction << 13 | 0x1000) + near);
    case 3: return of(sign | (std::bit_cast<std::uint32_t>((2 * float(fraction) + 1) * 0x1p-25f) + near));
    default: return of(i % 2 == 0 ? digits : digits | 0x7F800000);
  }
}
using floats = array<float, 5 * block>;
floats numbers() {
  return floats::build([](float* o) {
    for (int i = 0; i < 5 * block; ++i) o[i] = number(i);
  });
}
template <class T> void check_blocks(T const* x, std::uint64_t const (&want)[5]) {
  for (int k = 0; k < 5; ++k) {
    CAPTURE(k);
    CHECK(test::fnv(x + k * block, block * sizeof(T)) == want[k]);
  }
}
template <class T> void check_type(std::uint64_t const (&to)[5], std::uint64_t from) {
  floats const x = numbers();
  auto one_by_one = array<T, 5 * block>::build([&](T* o) { std::copy_n(x.data(), 5 * block, o); });
  check_blocks(one_by_one.data(), to);
  check_blocks(astype<T>(x).data(), to);
  check_blocks(jit([](floats const& v) { return astype<T>(v); })(x).data(), to);

  using all = array<T, 65536>;
  auto const every = all::build([](T* o) {
    for (std::uint32_t b = 0; b < 65536; ++b) o[b] = T::of_bits(std::uint16_t(b));
  });
  auto back = array<float, 65536>::build([&](float* o) { std::copy_n(every.data(), 65536, o); });
  CHECK(test::bits_of(back) == from);
  // The interpreter computes in double, where a signalling NaN is quiet.
  auto const by_double = astype<float>(every);
  int others = 0;
  for (std::uint32_t b = 0; b < 65536; ++b) {
    auto const is = std::bit_cast<std::uint32_t>(by_double.data()[b]),
               should = std::bit_cast<std::uint32_t>(back.data()[b]);
    others += is != (back.data()[b] == back.data()[b] ? should : should | 0x400000);
  }
  CHECK(others == 0);
  CHECK(test::bits_of(jit([](all const& v) { return astype<float>(v); })(every)) == from);
}

// Sums and the like are of float; what a number becomes is said when it is stored.
template <class T> using limits = std::numeric_limits<T>;
static_assert(std::is_same_v<decltype(bfloat16(1) + float16(2)), float>);
static_assert(float(limits<float16>::max()) == 65504 && float(limits<bfloat16>::max()) == 0x1.fep127f);
static_assert(float(limits<float16>::denorm_min()) == 0x1p-24f && float(limits<bfloat16>::denorm_min()) == 0x1p-133f);
static_assert(float(limits<float16>::min()) == 0x1p-14f && float(limits<bfloat16>::min()) == 0x1p-126f);
static_assert(float(limits<float16>::epsilon()) == 0x1p-10f && float(limits<bfloat16>::epsilon()) == 0x1p-7f);
static_assert(limits<float16>::digits == 11 && limits<bfloat16>::digits == 8 && limits<float16>::max_digits10 == 5);
// From double in one step: through float 1 + 2^-11 + 2^-40 would be a tie, and 1.
static_assert(float(float16(1 + 0x1p-11 + 0x1p-40)) == 1 + 0x1p-10f && float(float16(float(1 + 0x1p-11))) == 1);
static_assert(float(bfloat16(1 + 0x1p-8 + 0x1p-40)) == 1 + 0x1p-7f && float(bfloat16(0x1p-134)) == 0);
static_assert(bfloat16((std::int64_t(1) << 62) + (std::int64_t(1) << 54) + 1).bits ==
              0x5e81);  // a double has no last 1
static_assert(bfloat16(-(std::int64_t(1) << 62) - (std::int64_t(1) << 54)).bits == 0xde80);
static_assert(bfloat16(~std::uint64_t(0)).bits == 0x5f80 && bfloat16(-1).bits == 0xbf80);
static_assert(to_bits(dtype::bf16, (std::int64_t(1) << 62) + (std::int64_t(1) << 54) + 1) ==
              std::bit_cast<std::int64_t>(0x1.02p62));
static_assert(float(float16(65519.99)) == 65504 && float16(65520).bits == 0x7c00 && float16(-1e300).bits == 0xfc00);

}  // namespace

TEST_CASE("floats become bfloat16 and back with JAX's bits") {
  check_type<bfloat16>(reference::to_bf16, reference::from_bf16);
}
TEST_CASE("floats become float16 and back with JAX's bits") {
  check_type<float16>(reference::to_f16, reference::from_f16);
}
TEST_CASE("conversions of constants have the bits of those of the run time") {
  constexpr std::uint16_t told[] = {bfloat16(0.1f).bits, float16(0.1f).bits, float16(-1e-7).bits, bfloat16(-0.).bits};
  float volatile tenth = 0.1f;
  double volatile little = -1e-7, zero = -0.;
  CHECK(told[0] == bfloat16(float(tenth)).bits);
  CHECK(told[1] == float16(float(tenth)).bits);
  CHECK(told[2] == float16(double(little)).bits);
  CHECK(told[3] == bfloat16(double(zero)).bits);
}
