// SPDX-License-Identifier: BSD-3-Clause
// How exactly products of floating numbers are computed: words of a product's attributes. Read next: graph.hpp.
#pragma once
#include <etna/array/dtype.hpp>

namespace etna {

/// How exactly a product of f32 or f64 is computed. Its result has the type of its operands whatever this is; products
/// of bf16 and f16 always multiply these and sum in f32.
///
///   usual    as the innermost with_precision says; without one, as the element type has it
///   highest  as the element type has it
///   f32      f64 is rounded to f32
///   bf16     operands are rounded to bf16, sums are f32
///   bf16x3   operands are a high and a low part of bf16, of whose products the three larger ones are summed in f32:
///            nearly f32
/// source  JAX default_matmul_precision, lax.DotAlgorithmPreset
enum class precision : std::uint8_t { usual, highest, f32, bf16, bf16x3 };

namespace tracing {
/// Does the precision change a product of these elements? Otherwise it is as good as usual.
constexpr bool matters(precision p, dtype d) {
  if (d == dtype::f64) return p >= precision::f32;
  return d == dtype::f32 && p >= precision::bf16;
}
/// The innermost scope at run time; while compiling, the graph has it.
inline thread_local precision open_precision = precision::usual;
}  // namespace tracing
}  // namespace etna
