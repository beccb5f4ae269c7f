// SPDX-License-Identifier: BSD-3-Clause
// Which process has which part of an array, drawn for the terminal. Read next: save_sharded.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

#include "sharded.hpp"

namespace etna::dist {

namespace detail {

/// Into how many parts an axis of an array is cut.
inline int parts_of(mesh_here const& m, cut const& c, int axis) {
  for (int k = 0; k < m.axes; ++k)
    if (c.of[k] == axis) return m.size[k];
  return 1;
}
/// The ranks that have the part of these numbers along each axis, "rank 0,2".
inline std::string ranks_with(mesh_here const& m, cut const& c, std::vector<int> const& part) {
  std::string s;
  int all = 1;
  for (int k = 0; k < m.axes; ++k) all *= m.size[k];
  for (int r = 0; r < all; ++r) {
    bool has = true;
    for (int k = 0; k < m.axes; ++k)
      if (c.of[k] >= 0) has = has && place_along(r, m.size, m.axes, k) == part[std::size_t(c.of[k])];
    if (has) s += (s.empty() ? "rank " : ",") + std::to_string(r);
  }
  return s;
}
inline std::string repeated(std::string const& s, std::size_t n) {
  std::string r;
  for (std::size_t i = 0; i < n; ++i) r += s;
  return r;
}
/// Boxes with words in them.
inline std::string boxes(std::vector<std::vector<std::string>> const& words) {
  std::size_t width = 0;
  for (auto const& row : words)
    for (auto const& w : row) width = std::max(width, w.size() + 2);
  auto line = [&](char const* left, char const* between, char const* right) {
    std::string s = left;
    for (std::size_t i = 0; i < words[0].size(); ++i) s += (i ? between : "") + repeated("─", width);
    return s + right + "\n";
  };
  std::string s = line("┌", "┬", "┐");
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i) s += line("├", "┼", "┤");
    for (auto const& w : words[i]) {
      std::size_t const before = (width - w.size()) / 2;
      s += "│" + std::string(before, ' ') + w + std::string(width - w.size() - before, ' ');
    }
    s += "│\n";
  }
  return s + line("└", "┴", "┘");
}
/// A picture of the first two axes that are cut, for each part of the others.
inline std::string picture_of_cut(mesh_here const& m, cut const& c, int rank) {
  std::vector<int> axes;
  for (int i = 0; i < rank; ++i)
    if (parts_of(m, c, i) > 1) axes.push_back(i);
  for (int i = 0; i < rank && axes.size() < 2; ++i)
    if (std::find(axes.begin(), axes.end(), i) == axes.end()) axes.push_back(i);
  if (axes.size() >= 2) std::sort(axes.begin(), axes.begin() + 2);
  int const down = axes.size() < 2 ? -1 : axes[0], right = axes.empty() ? -1 : axes[axes.size() < 2 ? 0 : 1];
  int others = 1;
  for (std::size_t k = 2; k < axes.size(); ++k) others *= parts_of(m, c, axes[k]);
  std::string s;
  for (int picture = 0; picture < others; ++picture) {
    std::vector<int> part(std::size_t(rank), 0);
    std::string title;
    for (std::size_t k = 2, below = std::size_t(others); k < axes.size(); ++k) {
      std::size_t const n = std::size_t(parts_of(m, c, axes[k]));
      below /= n;
      int const number = int(std::size_t(picture) / below % n);
      part[std::size_t(axes[k])] = number;
      title.append(k > 2 ? ", axis " : "axis ").append(std::to_string(axes[k])).append(": part ");
      title.append(std::to_string(number)).append(" of ").append(std::to_string(n));
    }
    if (!title.empty()) title += '\n';
    std::vector<std::vector<std::string>> words(std::size_t(down < 0 ? 1 : parts_of(m, c, down)));
    for (std::size_t i = 0; i < words.size(); ++i)
      for (int j = 0; j < (right < 0 ? 1 : parts_of(m, c, right)); ++j) {
        if (down >= 0) part[std::size_t(down)] = int(i);
        if (right >= 0) part[std::size_t(right)] = j;
        words[i].push_back(ranks_with(m, c, part));
      }
    s += title + boxes(words);
  }
  return s;
}

}  // namespace detail

/// Which ranks have which part, as boxes: rows are the first axis, columns the second; of more axes that are cut there
/// is a picture for each part of the others. Rank 0 writes it.
///
///     ┌────────┬────────┐
///     │ rank 0 │ rank 1 │
///     ├────────┼────────┤
///     │ rank 2 │ rank 3 │
///     └────────┴────────┘
///
/// source  JAX debug.visualize_array_sharding
/// example test/unit/dist/visualize.cpp  [boxes]
template <any_sharded X> void visualize_array_sharding(X const& x, std::ostream& to = std::cout) {
  if (x.mesh().all().rank() == 0) to << detail::picture_of_cut(detail::here(x.mesh()), X::cut, X::rank) << std::flush;
}

}  // namespace etna::dist

#include <etna/set_back.hpp>
