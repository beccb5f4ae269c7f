// Numbers of f32 as bf16 and f16, and the other way: hashes of JAX's bits.
// Written by test/data/narrow.py with jax 0.10.2, ml_dtypes 0.6.0, numpy 2.4.6; do not edit.
#pragma once

#include <cstdint>

namespace reference {

// five blocks of f32 as bf16
inline constexpr std::uint64_t to_bf16[] = {0x1d52abb9ee940c79, 0xbb61fa42ade99b5d, 0x418575f18087d65f, 0xd0430d5c41fb9579, 0xdc531846704b11a4};
// all 65536 of them as f32
inline constexpr std::uint64_t from_bf16 = 0x43a13836c4ca3b25;
// five blocks of f32 as f16
inline constexpr std::uint64_t to_f16[] = {0x19d709cbd66fc5ad, 0x865572d23aa8d0b0, 0x8a338dea4c9f8c5a, 0xec508b722d2ca9bb, 0x489614e07bc15455};
// all 65536 of them as f32
inline constexpr std::uint64_t from_f16 = 0x5d79f1b086f30345;

}  // namespace reference
