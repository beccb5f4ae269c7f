// SPDX-License-Identifier: BSD-3-Clause
// Pass: collectives are posted, and waited for where their results are read: two equations each.
#pragma once
#include "pass.hpp"

namespace etna::rewrite {

/// The pass.
constexpr bool post(subject& s, graph& to, int* outputs) {
  auto const applies = [](graph const& g, node_info const& n) {
    return ops::table.at[n.op].is_collective && !ops::mesh_words::read(g.attrs + n.attr).posted;
  };
  return rewrite_where(s, to, outputs, applies, [&](writer& w, graph const& from, node_info const& n, int* in) {
    if (!applies(from, n)) return keep(w, from, n, in);
    auto* words = new std::int64_t[std::size_t(n.attrs)];
    for (int k = 0; k < n.attrs; ++k) words[k] = from.attrs[n.attr + k];
    ops::mesh_words::post(words);
    tensor_type const& t = from.values[n.value].type;
    int const both[] = {w.write(n.op, in, 1, words, n.attrs, &t, 1), in[0]};
    delete[] words;
    return w.write(code<ops::awaited_p>, both, 2, nullptr, 0, &t, 1);
  });
}

}  // namespace etna::rewrite
