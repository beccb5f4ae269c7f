// SPDX-License-Identifier: BSD-3-Clause
// Promotion against JAX's table, of all pairs. JAX keeps the result of two weak kinds weak (i64, f64 by name); a C++
// number beside an array of integers or bool gives f32 or i32, and u64 beside signed integers E136: these are where we
// differ, and the table says so.
#include <string_view>

#include <etna/language.hpp>

#include "data/promotion.inc.hpp"

using namespace etna;

namespace {

constexpr int find(std::string_view name) {
  for (int i = 0; i < dtype_count; ++i)
    if (name == dtypes[std::size_t(i)].name) return i;
  return -1;
}
constexpr int weak_kind(std::string_view name) {
  return name == "weak_bool"    ? int(kind::boolean)
         : name == "weak_int"   ? int(kind::signed_integer)
         : name == "weak_float" ? int(kind::floating)
                                : -1;
}
// What we give: a dtype, or -1 for E136.
constexpr int ours(std::string_view left, std::string_view right) {
  dtype const a = dtype(find(left));
  if (right == "sin") return int(to_floating(a));
  if (right == "sum") return int(numpy::totalled(a));
  if (int w = weak_kind(right); w >= 0) return int(promote_weak(a, kind(w)));
  dtype const b = dtype(find(right));
  return have_no_common(a, b) ? -1 : int(promote(a, b));
}
constexpr int wrong_row() {
  int i = 0;
  for (auto const& p : reference::promotions) {
    if (ours(p.left, p.right) != (p.etna == std::string_view("E136") ? -1 : find(p.etna))) return i;
    ++i;
  }
  return -1;
}
static_assert(wrong_row() == -1);

constexpr bool laws() {
  for (int a = 0; a < dtype_count; ++a)
    for (int b = 0; b < dtype_count; ++b) {
      if (have_no_common(dtype(a), dtype(b)) != have_no_common(dtype(b), dtype(a))) return false;
      if (have_no_common(dtype(a), dtype(b))) continue;
      if (promote(dtype(a), dtype(b)) != promote(dtype(b), dtype(a))) return false;
      if (promote(dtype(a), promote(dtype(a), dtype(b))) != promote(dtype(a), dtype(b))) return false;
      for (int c = 0; c < dtype_count; ++c)
        if (!have_no_common(dtype(a), dtype(c)) && !have_no_common(dtype(b), dtype(c)) &&
            promote(promote(dtype(a), dtype(b)), dtype(c)) != promote(dtype(a), promote(dtype(b), dtype(c))))
          return false;
    }
  return true;
}
static_assert(laws());

// The same through the operators.
template <class A, class B> using sum_of = decltype(std::declval<A>() + std::declval<B>());
static_assert(std::is_same_v<sum_of<array<int, 3>, array<std::uint32_t, 3>>, array<std::int64_t, 3>>);
static_assert(std::is_same_v<sum_of<array<int, 3>, array<float, 3>>, array<float, 3>>);
static_assert(std::is_same_v<sum_of<array<std::uint8_t, 3>, array<bool, 3>>, array<std::uint8_t, 3>>);
static_assert(std::is_same_v<sum_of<array<float, 3>, double>, array<float, 3>>);
static_assert(std::is_same_v<sum_of<int, array<std::uint8_t, 3>>, array<std::uint8_t, 3>>);
static_assert(std::is_same_v<sum_of<array<int, 3>, double>, array<float, 3>>);
static_assert(std::is_same_v<sum_of<array<bool, 3>, int>, array<int, 3>>);
static_assert(std::is_same_v<sum_of<array<float, 3>, array<double>>, array<double, 3>>);
static_assert(std::is_same_v<sum_of<array<bfloat16, 3>, array<float16, 3>>, array<float, 3>>);
static_assert(std::is_same_v<sum_of<array<bfloat16, 3>, double>, array<bfloat16, 3>>);
static_assert(std::is_same_v<sum_of<array<std::uint64_t, 3>, array<float16, 3>>, array<float16, 3>>);
static_assert(std::is_same_v<sum_of<array<std::int8_t, 3>, array<std::uint16_t, 3>>, array<int, 3>>);
static_assert(std::is_same_v<sum_of<array<std::uint64_t, 3>, int>, array<std::uint64_t, 3>>);

}  // namespace
