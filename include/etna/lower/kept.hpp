// SPDX-License-Identifier: BSD-3-Clause
// Which elements of a short row one phase stores for the later ones. Whatever is not kept, a later phase computes again
// from the inputs. Read next: reading.hpp.
#pragma once
#include <algorithm>
#include <array>

#include "registers.hpp"

namespace etna::lower {

/// Memory of the elements that are kept: so many rows, of elements of so many bytes.
template <int N, int Bytes> struct kept_rows {
  alignas(64) unsigned char at[N == 0 ? 1 : N][N == 0 ? 1 : tuning::kept::short_row * Bytes];
};

template <class K> struct keeping : facts_of<K> {
  using facts_of<K>::n;

 private:
  static constexpr nest Nest = parts<K>::loops;
  static constexpr int Phases = parts<K>::phases;
  using fact = statement_fact;
  using all_facts = std::array<fact, n + 1>;
  /// Does element i, with all that it is made of, take so many operations?
  static constexpr bool takes(int operations, all_facts const& f, int i) {
    std::array<bool, n + 1> in{};
    int sum = 0;
    in[i] = true;
    for (int k = i; k >= 0 && sum < operations; --k) {
      if (!in[k]) continue;
      sum += f[k].flops();
      for (value_read o : f[k].values)
        if (o.from >= 0 && f[o.from].at == level::element) in[o.from] = true;
    }
    return sum >= operations;
  }
  /// The phases that compute a statement which is not kept: a sum in its own, an element also where it is read.
  static constexpr int computed_in(fact const& s, int own, int read) {
    if (s.at == level::reduce) return s.phases;
    return s.at == level::element ? own | read : 0;
  }
#if defined(__CUDACC__)
  static constexpr bool keeps = false;  // a row is a thread's, whose stack is no cache
#else
  static constexpr bool keeps = (Nest == nest::rows || Nest == nest::across_rows) && Phases > 1;
#endif

 public:
  static constexpr auto is_kept = [] {
    std::array<bool, n + 1> kept{};
    if constexpr (keeps) {
      all_facts const& f = facts_of<K>::facts.statements;
      std::array<int, n + 1> read{};  // the phases that compute what reads an element
      int count = 0;
      for (int i = n - 1; i >= 0; --i) {
        int const own = f[i].phases & -f[i].phases;
        bool const later = f[i].at == level::element && (read[i] & ~own) != 0;
        kept[i] =
            later && (f[i].flops() >= tuning::kept::dear ||
                      (count < tuning::kept::most && f[i].d != dtype::boolean && takes(tuning::kept::from, f, i)));
        count += kept[i];
        int const computed = kept[i] ? own : computed_in(f[i], own, read[i]);
        for (value_read o : f[i].values)
          if (o.from >= 0) read[o.from] |= computed;
      }
    }
    return kept;
  }();
  template <int Nth> static constexpr int kept_index = int(std::count(is_kept.begin(), is_kept.begin() + Nth, true));
  static constexpr int n_kept = kept_index<n>;
  static constexpr int kept_bytes = [] {
    int most = 0;
    for (int i = 0; i < n; ++i)
      if (is_kept[i]) most = std::max(most, bytes_of(facts_of<K>::facts.statements[i].d));
    return most;
  }();
  using kept_row = kept_rows<n_kept, kept_bytes>;
};

}  // namespace etna::lower
