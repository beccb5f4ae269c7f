// SPDX-License-Identifier: BSD-3-Clause
// Which elements of a short row one phase stores for the later ones. Whatever is not kept, a later phase computes again
// from the inputs. Read next: reading.hpp.
#pragma once
#include <algorithm>
#include <array>

#include "registers.hpp"

namespace etna::lower {

template <class K> struct keeping;
template <nest Nest, int Phases, class... In, class... S> struct keeping<kernel<Nest, Phases, list<In...>, S...>> {
 private:
  static constexpr int n = sizeof...(S);
  struct fact {
    bool element = false, sums = false;
    int phases = 0, flops = 0;
    dtype d{};
    std::array<value_read, 3> of{};
  };
  using facts = std::array<fact, n + 1>;
  template <class X> static constexpr fact fact_of{
      X::at == level::element, X::at == level::reduce, X::phases, X::P::flops, X::d, X::values};
  /// Does element i, with all that it is made of, take so many operations?
  static constexpr bool takes(int operations, facts const& f, int i) {
    std::array<bool, n + 1> in{};
    int sum = 0;
    in[i] = true;
    for (int k = i; k >= 0 && sum < operations; --k) {
      if (!in[k]) continue;
      sum += f[k].flops;
      for (value_read o : f[k].of)
        if (o.from >= 0 && f[o.from].element) in[o.from] = true;
    }
    return sum >= operations;
  }
  /// The phases that compute a statement which is not kept: a sum in its own, an element also where it is read.
  static constexpr int computed_in(fact const& s, int own, int read) {
    if (s.sums) return s.phases;
    return s.element ? own | read : 0;
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
      facts const f{fact_of<stmt_of<S>>...};
      std::array<int, n + 1> read{};  // the phases that compute what reads an element
      int count = 0;
      for (int i = n - 1; i >= 0; --i) {
        int const own = f[i].phases & -f[i].phases;
        bool const later = f[i].element && (read[i] & ~own) != 0;
        kept[i] =
            later && (f[i].flops >= tuning::kept::dear ||
                      (count < tuning::kept::most && f[i].d != dtype::boolean && takes(tuning::kept::from, f, i)));
        count += kept[i];
        int const computed = kept[i] ? own : computed_in(f[i], own, read[i]);
        for (value_read o : f[i].of)
          if (o.from >= 0) read[o.from] |= computed;
      }
    }
    return kept;
  }();
  template <int Nth> static constexpr int kept_index = int(std::count(is_kept.begin(), is_kept.begin() + Nth, true));
  static constexpr int n_kept = kept_index<n>;
  static constexpr int kept_bytes = [] {
    int most = 0, i = 0;
    ((most = is_kept[i++] && bytes_of(stmt_of<S>::d) > most ? bytes_of(stmt_of<S>::d) : most), ...);
    return most;
  }();
  struct kept_row {
    alignas(64) unsigned char at[n_kept == 0 ? 1 : n_kept][n_kept == 0 ? 1 : tuning::kept::short_row * kept_bytes];
  };
};

}  // namespace etna::lower
