// SPDX-License-Identifier: BSD-3-Clause
// Which leaves of a tree are no numbers any more. Read next: saver.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <cmath>
#include <set>
#include <string>

#include <etna/data/checkpoint.hpp>

namespace etna::train {

namespace detail {

template <class T> bool all_finite(T const* x, std::size_t n) {
  using wide = std::conditional_t<(sizeof(T) < sizeof(float)), float, T>;
  for (std::size_t i = 0; i < n; ++i)
    if (!std::isfinite(wide(x[i]))) return false;
  return true;
}

}  // namespace detail

/// The paths of the leaves of floating numbers that have a NaN or an infinity.
///
/// example test/unit/train/not_finite.cpp  [each floating type, arrays and numbers]
template <tree::any_tree Tree> std::set<std::string> not_finite(Tree const& tree) {
  std::set<std::string> found;
  tree::for_each_with_path(tree, [&](std::string const& name, auto const& x) {
    using leaf = data::detail::leaf_of<std::remove_cvref_t<decltype(x)>>;
    using T = typename leaf::value_type;
    if constexpr (is_floating(dtype_of<T>)) {
      std::size_t n = 1;
      for (auto size : leaf::shape(x)) n *= std::size_t(size);
      if (!detail::all_finite(static_cast<T const*>(leaf::data(x)), n)) found.insert(name);
    }
  });
  return found;
}

}  // namespace etna::train

#include <etna/set_back.hpp>
