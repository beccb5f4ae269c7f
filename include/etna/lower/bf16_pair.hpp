// SPDX-License-Identifier: BSD-3-Clause
// Two steps of a product's sums at once: AVX512-BF16 has an instruction that adds two products of bf16 to each f32.
// What one of a block's sums adds is then a pair of numbers, the first of them in the low half. Read next:
// gemm_block.hpp.
#pragma once
#include <etna/tuning.hpp>

#include "converting.hpp"

namespace etna::lower {

struct bf16_pair {
  std::uint32_t bits;
};
template <class T> inline constexpr bool is_pair = std::is_same_v<T, bf16_pair>;

#if defined(ETNA_HAS_SIMD)
/// Steps in registers V of sums: loaded, one of them for all lanes, and added.
template <class T, class V> struct steps_of {
  static V load(T const* p) { return V::load_unaligned(p); }
  static void store(V const& v, T* p) { v.store_unaligned(p); }
  static V spread(T x) { return V(x); }
  static V add(V const& s, V const& row, V const& sum) { return xsimd::fma(s, row, sum); }
};
template <class V> struct steps_of<bf16_pair, V> {
  using word = xsimd::batch<std::uint32_t>;
  static V load(bf16_pair const* p) {
    return xsimd::bitwise_cast<float>(word::load_unaligned(reinterpret_cast<std::uint32_t const*>(p)));
  }
  static void store(V const& v, bf16_pair* p) {
    xsimd::bitwise_cast<std::uint32_t>(v).store_unaligned(reinterpret_cast<std::uint32_t*>(p));
  }
  static V spread(bf16_pair x) { return V(std::bit_cast<float>(x.bits)); }
  static V add(V const& s, V const& row, V const& sum) {
#if defined(__AVX512BF16__)
    return _mm512_dpbf16_ps(sum, std::bit_cast<__m512bh>(__m512(s)), std::bit_cast<__m512bh>(__m512(row)));
#else
    return xsimd::fma(high(s), high(row), xsimd::fma(low(s), low(row), sum));
#endif
  }

 private:
  static V low(V const& x) { return xsimd::bitwise_cast<float>(xsimd::bitwise_cast<std::uint32_t>(x) << 16); }
  static V high(V const& x) {
    return xsimd::bitwise_cast<float>(xsimd::bitwise_cast<std::uint32_t>(x) & word(0xffff0000u));
  }
};
#endif

}  // namespace etna::lower
