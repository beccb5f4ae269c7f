// SPDX-License-Identifier: BSD-3-Clause
// The tests that every row gets, at a point: the samples of its domain under value and vjp, as straight-line code,
// against the interpreter. A row without a form for single numbers must be refused, and says so in the printed table.
#pragma once
#include "unit/lower/fused_rows.hpp"

namespace test::at_a_point {

using namespace test::fused;

// The rows i with i % files == file are in one. Straight-line code touches no memory that a sanitizer could watch, and
// takes it long: there every sixth row is enough.
inline constexpr int files = 3;
#if defined(__SANITIZE_ADDRESS__)
inline constexpr int stride = 6;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
inline constexpr int stride = 6;
#else
inline constexpr int stride = 1;
#endif
#else
inline constexpr int stride = 1;
#endif

/// The numbers of a tree of small arrays, in order.
template <class T> void pour(T const& t, std::vector<double>& to) {
  if constexpr (any_small<T>) to.insert(to.end(), t.begin(), t.end());
  else std::apply([&](auto const&... x) { (pour(x, to), ...); }, t);
}

template <class Program, class... S> int compare_at_point(numbers<S> const&... in) {
  using code = straight::scalars<Program, numbers<S>...>;
  if constexpr (code::value.wrong == 62) return 0;
  else {
    std::vector<double> is, should;
    std::apply([&](auto const&... x) { pour(point<numbers<S>...>(Program{})(x...), is); },
               std::tuple_cat(tree::leaves(in)...));
    for (auto const& l : test::leaves(by_equations<compiler::trace_of<Program, numbers<S>...>>(Program{}, in...)))
      should.insert(should.end(), l.x.begin(), l.x.end());
    check_numbers(is, should, 1e-11);
    return int(is.size());
  }
}
/// The samples that are small: what is for small arrays is tried on those, and compilers take minutes for a choice
/// among hundreds of numbers. The first three, where not the whole is tested.
template <int Op> constexpr auto small_samples() {
  struct {
    int n = 0, number[ops::max_samples]{};
  } list;
  ops::samples const all = ops::domains.at[Op]();
  for (int i = 0; i < all.n; ++i) {
    bool small = true;
    for (int k = 0; k < all.s[i].n; ++k) small = small && all.s[i].type[k].size() <= 64;
#if !defined(ETNA_WHOLE)
    small = small && list.n < 3;
#endif
    if (small) list.number[list.n++] = i;
  }
  return list;
}
template <int Op> int row_at_a_point() {
  constexpr auto list = small_samples<Op>();
  constexpr int n = list.n;
  std::string const row = ops::table.at[Op].name;
  CAPTURE(row);
  int compared = 0;
  if constexpr (n > 0)
    [&]<int... I>(std::integer_sequence<int, I...>) {
      compared = compare_at_point<program<value_of, vjp_of>>(numbers<sampled<Op, list.number[I]>>::some()...);
    }(std::make_integer_sequence<int, n>{});
  if (n > 0) std::printf("%-14s %9d\n", row.c_str(), compared);
  return compared > 0;
}

template <int File> void test_file() {
  std::printf("%-14s %9s\n", "row", "numbers");
  constexpr int rows = int(ops::table.size()), mine = (rows - File + files - 1) / files / stride;
  int compared = 0;
  [&]<int... I>(std::integer_sequence<int, I...>) {
    compared = (row_at_a_point<(I * stride) * files + File>() + ...);
  }(std::make_integer_sequence<int, mine>{});
  CHECK(compared >= 14 / stride);  // of 49 rows, sources and those that are refused are none
}

}  // namespace test::at_a_point
