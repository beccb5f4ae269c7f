// SPDX-License-Identifier: BSD-3-Clause
// Small arrays that ranks reduce together travel as one message: what a message costs beside its bytes is that of many
// small arrays. Read next: named_axis.hpp.
#pragma once
#include "leaves.hpp"

namespace etna::control {

/// Leaves of a tree, reduced over an axis of a mesh by reduce(value). The last are put together first: a backward pass
/// has their gradients first.
template <class Reduce> class buckets {
 public:
  constexpr buckets(var_list& leaves, Reduce const& reduce)
      : leaves_(leaves), reduce_(reduce), mine_(new int[std::size_t(leaves.n + 1)]{}) {}
  constexpr ~buckets() { delete[] mine_; }
  buckets(buckets const&) = delete;
  buckets& operator=(buckets const&) = delete;

  /// Puts the results in the places of the leaves.
  constexpr void run() {
    for (int k = leaves_.n; k-- > 0;) {
      tensor_type const t = tracing::type_of(leaves_[k]);
      extent const n = t.size();  // no size: it is told at a call
      if (n <= 0 || n > tuning::ranks::small / bytes_of(t.d)) leaves_.v[k] = reduce_(leaves_[k]);
      else mine_[n_mine_++] = k;
    }
    for (int first = 0; first < n_mine_; ++first) {
      if (mine_[first] < 0) continue;
      dtype const d = tracing::type_of(leaves_[mine_[first]]).d;
      extent total = 0;
      int members = 0;
      for (int k = first; k < n_mine_; ++k)
        if (fits(k, d, total)) total += size(k), ++members;
      if (members == 1) leaves_.v[mine_[first]] = reduce_(leaves_[mine_[first]]), mine_[first] = -1;
      else reduce_together(first, d, total);
    }
  }

 private:
  var_list& leaves_;
  Reduce const& reduce_;
  int* mine_;  // leaves that wait for others; -1: done
  int n_mine_ = 0;

  constexpr extent size(int k) const { return tracing::type_of(leaves_[mine_[k]]).size(); }
  constexpr bool fits(int k, dtype d, extent before) const {
    return mine_[k] >= 0 && tracing::type_of(leaves_[mine_[k]]).d == d &&
           (before == 0 || (before + size(k)) * bytes_of(d) <= tuning::ranks::bucket);
  }
  constexpr void reduce_together(int first, dtype d, extent total) {
    tensor_type const line{d, 1, {total}};
    var all = ops::full(leaves_[mine_[first]].g, line, 0);
    extent at = 0;
    for (int k = first; k < n_mine_; ++k) {
      if (!fits(k, d, at)) continue;
      ops::update_dim const place{at, 1};
      all = ops::update(all, ops::reshape(leaves_[mine_[k]], {d, 1, {size(k)}}), &place);
      at += size(k);
    }
    all = reduce_(all);
    at = 0;
    for (int k = first; k < n_mine_; ++k) {
      if (!fits(k, d, at)) continue;
      tensor_type const t = tracing::type_of(leaves_[mine_[k]]);
      ops::slice_dim const part{at, t.size(), 1};
      leaves_.v[mine_[k]] = ops::reshape(ops::slice(all, &part), t);
      mine_[k] = -1;
      at += t.size();
    }
  }
};

}  // namespace etna::control
