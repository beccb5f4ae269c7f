// SPDX-License-Identifier: BSD-3-Clause
// Conversions between element types, a register at a time: what they are for one element, to the bit. All numbers of 16
// bits are read and written; of others those at which types end, or at which a conversion rounds.
#include <etna/lower/converting.hpp>

#include <cstdio>
#include <cstring>
#include <vector>

#include "../ends.hpp"

namespace {

using namespace etna;

int wrong = 0;
std::size_t checked = 0;

/// Results of one type, n of so many bytes, and what they should be.
void compare(char const* what, dtype to, dtype from, int bytes, std::size_t n, void const* is, void const* want) {
  std::size_t const b = std::size_t(bytes_of(to));
  checked += n;
  for (std::size_t i = 0; i < n; ++i) {
    if (std::memcmp(static_cast<char const*>(is) + i * b, static_cast<char const*>(want) + i * b, b) == 0) continue;
    if (++wrong < 40)
      std::printf("%s: %s from %s in registers of %d bytes: number %zu\n", what, row_of(to).name, row_of(from).name,
                  bytes, i);
    return;
  }
}

constexpr std::size_t count = 64;  // whole registers
template <class T> struct ends {
  T x[count]{};
  ends() {
    for (std::size_t i = 0; i < count; ++i)
      if constexpr (is_real<T>) x[i] = T(test::reals_at_ends[i % std::size(test::reals_at_ends)]);
      else x[i] = T(test::integers_at_ends[i % std::size(test::integers_at_ends)]);
  }
};

template <int Bytes, class To, class From> void converts() {
  using L = lower::conversion<Bytes>;
  if constexpr (int(sizeof(To)) <= Bytes && int(sizeof(From)) <= Bytes)
    if constexpr (L::template fits<To, From>) {
      using held = std::conditional_t<std::is_integral_v<To>, typename L::template held<To>, To>;
      static ends<From> const from;
      To is[count], want[count];
      held wide[count], should[count];  // whole numbers as registers have them; reals are rounded where they are stored
      for (std::size_t i = 0; i < count; i += std::size_t(L::width)) {
        auto const y = L::template convert<To, From>(L::template load<From>(from.x + i));
        L::template store<To>(is + i, y);
        if constexpr (std::is_integral_v<To>) y.store_unaligned(wide + i);
      }
      for (std::size_t i = 0; i < count; ++i) should[i] = held(want[i] = lower::convert_one<To>(from.x[i]));
      compare("converted", dtype_of<To>, dtype_of<From>, Bytes, count, is, want);
      if constexpr (std::is_integral_v<To>) compare("held", dtype_of<held>, dtype_of<From>, Bytes, count, wide, should);
    }
}
template <class To, int... From> void converts_to(std::integer_sequence<int, From...>) {
  (converts<1, To, element_of<dtype(From + 1)>>(), ...);
  (converts<2, To, element_of<dtype(From + 1)>>(), ...);
  (converts<4, To, element_of<dtype(From + 1)>>(), ...);
  (converts<8, To, element_of<dtype(From + 1)>>(), ...);
}
template <int... To> void all_pairs(std::integer_sequence<int, To...> all) {
  (converts_to<element_of<dtype(To + 1)>>(all), ...);
}

/// Elements of 16 bits, all of them: what a register holds, and what it writes, of a NaN any.
template <int Bytes, class T> void all_bits() {
  using L = lower::conversion<Bytes>;
  using held = typename L::template held<T>;
  std::vector<T> from(65536), is(from.size()), want(from.size());
  std::vector<held> wide(from.size()), should(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) {
    from[i] = std::bit_cast<T>(std::uint16_t(i));
    should[i] = lower::convert_one<held>(from[i]);
    want[i] = lower::convert_one<T>(should[i]);
  }
  for (std::size_t i = 0; i < from.size(); i += std::size_t(L::width)) {
    auto const x = L::template load<T>(from.data() + i);
    x.store_unaligned(wide.data() + i);
    L::template store<T>(is.data() + i, x);
  }
  for (std::size_t i = 0; i < from.size(); ++i)
    if (should[i] != should[i] && is[i] != is[i]) is[i] = want[i];
  compare("read", dtype_of<held>, dtype_of<T>, Bytes, from.size(), wide.data(), should.data());
  compare("written", dtype_of<T>, dtype_of<held>, Bytes, from.size(), is.data(), want.data());
}

/// Floats of all exponents and both signs: by chance, half way between two of the type and beside that, and NaN with
/// whatever a float has beside.
std::vector<float> floats() {
  std::vector<float> x;
  std::uint64_t state = 1;
  for (std::uint32_t i = 0; x.size() < 100'000; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    std::uint32_t const chance = std::uint32_t(state >> 32), high = chance >> 23 << 31 | i % 256 << 23;
    std::uint32_t const half = 1u << (i / 256 % 24);  // of one that has so many digits less, in f16 also of a subnormal
    std::uint32_t const even = chance % (1u << 23) & ~(2 * half - 1);
    for (std::uint32_t fraction : {chance % (1u << 23), even | half, (even | half) - 1, (even | half) + 1})
      x.push_back(std::bit_cast<float>(high | (fraction & ((1u << 23) - 1))));
  }
  return x;
}
template <int Bytes, class T> void rounds(std::vector<float> const& from) {
  using L = lower::conversion<Bytes>;
  std::vector<T> is(from.size()), want(from.size());
  for (std::size_t i = 0; i < from.size(); i += std::size_t(L::width)) {
    auto const x = L::template convert<T, float>(L::template load<float>(from.data() + i));
    L::template store<T>(is.data() + i, x);
  }
  for (std::size_t i = 0; i < from.size(); ++i) want[i] = T(from[i]);
  compare("rounded", dtype_of<T>, dtype::f32, Bytes, from.size(), is.data(), want.data());
}

template <int Bytes> void halves(std::vector<float> const& from) {
  all_bits<Bytes, bfloat16>(), all_bits<Bytes, float16>(), all_bits<Bytes, std::int16_t>(),
      all_bits<Bytes, std::uint16_t>();
  rounds<Bytes, bfloat16>(from), rounds<Bytes, float16>(from);
}

}  // namespace

int main() {
  static_assert(dtype(0) == dtype::boolean);  // which masks hold
  all_pairs(std::make_integer_sequence<int, dtype_count - 1>{});
  halves<4>(floats()), halves<8>(floats());
  std::printf("narrow: registers of %d floats, %zu results, %d wrong\n", lower::conversion<4>::width, checked, wrong);
  return wrong != 0;
}
