// SPDX-License-Identifier: BSD-3-Clause
// Where the views of a kernel are: at a row, and at a place of the reduced axes that are not the innermost loop.
// Read next: columns.hpp.
#pragma once
#include <algorithm>
#include <cstring>

#include "statements.hpp"

namespace etna::lower {

/// Units of a processor with a cache: elements of a pointwise loop, columns, and elements of a long row whose sums join
/// later.
struct by_cache {
  static constexpr std::int64_t piece = tuning::loops::piece, strip = tuning::loops::strip, part = tuning::loops::part;
};
/// Units of one thread among the many of a device.
struct by_thread {
  static constexpr std::int64_t piece = 1, strip = 1, part = tuning::loops::part_of_a_thread;
};

/// The loops of a kernel. Each has units(numbers) and run(numbers, from, to).
template <class K, class Unit = by_cache> struct fused;

/// A walk over loops, as their indices: a division takes as long as ten elements.
struct index_walk {
  std::int64_t at[max_rank];
  std::int64_t const* size;
  int loops;
  ETNA_FN index_walk(std::int64_t const* size, int loops, std::int64_t i) : size(size), loops(loops) {
    if (loops == 1) at[0] = i;
    else {
      ETNA_ROLLED for (int k = loops - 1; k >= 0; --k) {
        at[k] = i == 0 ? 0 : i % size[k];
        if (i != 0) i /= size[k];
      }
    }
  }
  /// The loop that goes on, where those inside it begin again; 0 at the end too.
  ETNA_FN int next() {
    ETNA_ROLLED for (int k = loops - 1; k > 0; --k) {
      if (++at[k] < size[k]) return k;
      at[k] = 0;
    }
    if (loops > 0 && ++at[0] == size[0]) at[0] = 0;
    return 0;
  }
};
ETNA_FN inline index_walk row_walk(loop_numbers const& c, std::int64_t row) { return {c.outer, c.n_outer, row}; }
/// Of the reduced axes that are not the innermost loop.
ETNA_FN inline index_walk mid_walk(loop_numbers const& c, std::int64_t i = 0) { return {c.mid_extent, c.n_mid, i}; }

/// How far from its begin a view is at a row, and at a place of the reduced axes that are not the innermost loop.
ETNA_FN inline std::int64_t offset_of(int loops, std::int64_t const* stride, std::int64_t const* at) {
  if (loops == 1) return at[0] * stride[0];
  std::int64_t o = 0;
  ETNA_ROLLED for (int i = 0; i < loops; ++i) o += at[i] * stride[i];
  return o;
}
ETNA_FN inline std::int64_t row_offset(loop_numbers const& c, view_numbers const& v, std::int64_t const* at) {
  return offset_of(c.n_outer, v.outer, at);
}
ETNA_FN inline std::int64_t mid_offset(loop_numbers const& c, view_numbers const& v, std::int64_t const* at) {
  return offset_of(c.n_mid, v.mid, at);
}
/// How far each of n views moves from the last row of all loops inside one to its next: n numbers for each loop.
ETNA_FN_ONCE inline void steps_of_rows(loop_numbers const& c, view_numbers const* v, int n, std::int64_t* by) {
  for (int j = 0; j < n; ++j) {
    std::int64_t back = 0;
    for (int i = c.n_outer - 1; i >= 0; --i) {
      by[i * n + j] = v[j].outer[i] - back;
      back += v[j].outer[i] * (c.outer[i] - 1);
    }
  }
}
/// Does one of the results lie where one of the operands before them does?
ETNA_FN_ONCE inline bool is_in_place(view_numbers const* v, int n_in, int n_out) {
  for (int o = n_in; o < n_in + n_out; ++o)
    for (int j = 0; j < n_in; ++j)
      if (v[o].data == v[j].data) return true;
  return false;
}

/// Units of work that are some rows behind one another in the last of the outer loops.
struct row_group {
  index_walk first;
  std::int64_t rows;
  /// Of so many units, or up to the end of that loop.
  row_group(loop_numbers const& c, std::int64_t unit, std::int64_t together, std::int64_t units = 1)
      : first(c.outer, c.n_outer - 1, unit / in_line(c, together)) {
    std::int64_t const i = unit % in_line(c, together) * together, line = c.outer[c.n_outer - 1];
    first.at[c.n_outer - 1] = i;
    rows = std::min(together * units, line - i);
  }
  static std::int64_t units(loop_numbers const& c, std::int64_t together) {
    return c.rows == 0 ? 0 : c.rows / c.outer[c.n_outer - 1] * in_line(c, together);
  }

 private:
  static std::int64_t in_line(loop_numbers const& c, std::int64_t together) {
    return (c.outer[c.n_outer - 1] + together - 1) / together;
  }
};

/// f of a null pointer to elements of so many bytes. (Elements that only move are of no other type.)
template <class Each> void of_bytes(int bytes, Each const& f) {
  switch (bytes) {
    case 1: return f(static_cast<std::uint8_t*>(nullptr));
    case 2: return f(static_cast<std::uint16_t*>(nullptr));
    case 4: return f(static_cast<float*>(nullptr));
    default: return f(static_cast<double*>(nullptr));
  }
}

/// The views of a kernel, moved with its loops.
template <class K> struct placing {
  using F = statements<K>;
  using state = typename F::state;
  using lanes = typename F::lanes;
  static constexpr int n = F::n, n_in = F::n_in, n_out = F::n_out;
  using views = std::make_integer_sequence<int, n_in + n_out>;
  template <int Nth> using S_ = typename F::template S_<Nth>;
  template <int Nth> using In_ = typename F::template In_<Nth>;
  /// Elements of a part of a long sum: fewer, where each takes much computation.
  template <class Unit> static constexpr std::int64_t part_of = std::max(
      Unit::part / std::clamp(F::work / tuning::loops::cheap, 1, 1 << 10), std::min(Unit::part, tuning::loops::block));

  ETNA_FN static void begin(loop_numbers const& c, state& s) {
    s.v = c.views;
    s.non_temporal = c.non_temporal;
    if constexpr (F::n_numbers > 0) F::read_all_numbers(c, s, typename F::seq{});
  }
  template <int... J> ETNA_FN static void move_to_row(loop_numbers const& c, state& s, index_walk const& row,
                                                      std::integer_sequence<int, J...>) {
    place_all(c, s, row.at, nullptr, views{});
  }
  /// Is an operand where a result will be? Then no element is computed twice.
  ETNA_FN static bool is_in_place(view_numbers const* v) { return lower::is_in_place(v, n_in, n_out); }
  /// Inputs that results are written over, the elements of a row of which are copied, so that some of them may be
  /// computed twice.
  template <int Most> class kept_operands {
   public:
    ETNA_FN explicit kept_operands(state const& s) : kept_operands(s, std::make_integer_sequence<int, n_in>{}) {}
    /// May such rows be copied?
    ETNA_FN bool has_all() const { return has_all_; }
    /// Elements [0, count) are read where they are copied,
    ETNA_FN void take(state& s, std::int64_t count) {
      each([&]<int J>() ETNA_INLINE_LAMBDA {
        where_[J] = s.p[J];
        s.p[J] = std::memcpy(of_[J].at, s.p[J], std::size_t(count) * sizeof(element_of<In_<J>::d>));
      });
    }
    /// and where they belong.
    ETNA_FN void give_back(state& s) const {
      each([&]<int J>() ETNA_INLINE_LAMBDA { s.p[J] = where_[J]; });
    }

   private:
    static constexpr int places = n_in == 0 ? 1 : n_in;
    struct elements {
      alignas(64) unsigned char at[Most * F::facts.widest];
    };
    elements of_[places];
    void* where_[places];
    bool is_over_[places]{}, has_all_ = true;

    template <int... J> ETNA_FN kept_operands(state const& s, std::integer_sequence<int, J...>) { (see<J>(s), ...); }
    template <int J> ETNA_FN void see(state const& s) {
      for (int o = n_in; o < n_in + n_out; ++o) is_over_[J] = is_over_[J] || s.v[o].data == s.v[J].data;
      has_all_ = has_all_ && (!is_over_[J] || In_<J>::m == motion::next);
    }
    template <class Each> ETNA_FN_INLINE void each(Each f) const {
      [&]<int... J>(std::integer_sequence<int, J...>)
          ETNA_INLINE_LAMBDA { (each_of<J>(f), ...); }(std::make_integer_sequence<int, n_in>{});
    }
    template <int J, class Each> ETNA_FN_INLINE void each_of(Each& f) const {
      if constexpr (In_<J>::m == motion::next)
        if (is_over_[J]) f.template operator()<J>();
    }
  };
  /// What of a loop is left behind its registers: copies of these elements, the last of them as often as fills one, are
  /// computed by the loop itself, so that its statements are there once.
  static constexpr bool may_be_copied = [] {
    for (int j = 0; j < n_in; ++j)
      if (motion const m = F::facts.inputs[std::size_t(j)].m;
          !planning::goes_along(m) && m != motion::strided && m != motion::strided_ramp)
        return false;
    return true;
  }();
  class copied_rest {
   public:
    /// Elements [from, from + size) of where `all` is.
    explicit copied_rest(state const& all, std::int64_t from, std::int64_t size)
        : s(all), all_(all), from_(from), size_(size) {
      s.v = views_;
      s.non_temporal = false;
      for (int j = 0; j < n_in + n_out; ++j) {
        view_numbers const& v = all.v[j];
        views_[j] = v;
        if (kinds[j] < 0) continue;
        if (kinds[j] == 0) {
          s.base[j] += from * v.inner;
          continue;
        }
        s.p[j] = of_[j].at;
        views_[j].inner = 1;
        if (j < n_in) copy(j, of_[j].at, 1, in_memory(j), v.inner, lanes::width);
      }
    }
    /// The results to where they belong.
    void put_back() const {
      for (int j = n_in; j < n_in + n_out; ++j) copy(j, in_memory(j), all_.v[j].inner, of_[j].at, 1, size_);
    }
    state s;

   private:
    struct one_register {
      alignas(64) unsigned char at[lanes::width * F::facts.widest];
    };
    state const& all_;
    std::int64_t from_, size_;
    view_numbers views_[n_in + n_out];
    one_register of_[n_in + n_out];

    /// Of a view: bytes of an element; 0: of a ramp; -1: it stands still.
    static constexpr auto kinds = [] {
      std::array<int, std::size_t(n_in + n_out)> k{};
      for (int j = 0; j < n_in; ++j) {
        input_fact const& x = F::facts.inputs[std::size_t(j)];
        k[std::size_t(j)] = F::stands(x.m) ? -1 : planning::is_ramp(x.m) ? 0 : bytes_of(x.d);
      }
      for (int j = 0; j < n_out; ++j) k[std::size_t(n_in + j)] = bytes_of(F::outs[std::size_t(j)].d);
      return k;
    }();
    void* in_memory(int j) const { return static_cast<char*>(all_.p[j]) + from_ * all_.v[j].inner * kinds[j]; }
    void copy(int j, void* to, std::int64_t by, void const* from, std::int64_t step, std::int64_t n) const {
      of_bytes(kinds[j], [&]<class T>(T*) {
        for (std::int64_t i = 0; i < n; ++i)
          static_cast<T*>(to)[i * by] = static_cast<T const*>(from)[std::min(i, size_ - 1) * step];
      });
    }
  };
  /// Units [from, to), of which a row has so many: f(unit, its number in the row), with the views at the row.
  template <class Each> ETNA_FN_INLINE static void each_unit(loop_numbers const& c, state& s, std::int64_t in_row,
                                                             std::int64_t from, std::int64_t to, Each f) {
    if (from >= to) return;
    index_walk row = row_walk(c, in_row == 1 ? from : from / in_row);
    std::int64_t part = in_row == 1 ? 0 : from % in_row;
    for (std::int64_t u = from; u < to; ++u) {
      move_to_row(c, s, row, views{});
      f(u, part);
      if (++part < in_row) continue;
      part = 0;
      row.next();
    }
  }
  /// Move view J to the row `at` (null: where it is), and to place `mid` of the reduced axes that are not the innermost
  /// loop (null: their begin).
  template <int J>
  ETNA_FN static void place(loop_numbers const& c, state& s, std::int64_t const* at, std::int64_t const* mid) {
    view_numbers const& v = s.v[J];
    if constexpr (F::template has_window<J>) {
      typename F::window_reader const w{c.numbers + F::template window_at<J>};
      if (at) {
        bool in = true;
        s.origin[J] = 0;
        for (int i = 0; i < c.n_outer; ++i) s.origin[J] += F::within(w, i, at[i], in) * v.outer[i];
        s.windows[J].has_row = in;
      }
      std::int64_t o = s.origin[J];
      bool in = s.windows[J].has_row;
      for (int i = 0; i < c.n_mid; ++i) o += F::within(w, c.n_outer + i, mid ? mid[i] : 0, in) * v.mid[i];
      F::template open_window<J>(s, w, in, v.data, o);
    } else {
      if (at) s.origin[J] = row_offset(c, v, at);
      std::int64_t const o = s.origin[J] + (mid ? mid_offset(c, v, mid) : 0);
      if constexpr (J >= n_in) s.p[J] = static_cast<char*>(v.data) + o * bytes_of(F::outs[J - n_in].d);
      else {
        if constexpr (planning::is_ramp(In_<J>::m)) s.base[J] = v.first + o;
        else s.p[J] = static_cast<element_of<In_<J>::d>*>(v.data) + o;
        F::template refresh<J>(s);
      }
    }
  }
  /// Move view J by so many elements, to another row.
  template <int J> ETNA_FN static void step(state& s, std::int64_t o) {
    if constexpr (J >= n_in) s.p[J] = static_cast<char*>(s.p[J]) + o * bytes_of(F::outs[J - n_in].d);
    else {
      if constexpr (planning::is_ramp(In_<J>::m)) s.base[J] += o;
      else s.p[J] = static_cast<element_of<In_<J>::d>*>(s.p[J]) + o;
      F::template refresh<J>(s);
    }
  }
  template <int... J>
  ETNA_FN static void seek(loop_numbers const& c, state& s, std::int64_t const* mid, std::integer_sequence<int, J...>) {
    place_all(c, s, nullptr, mid, views{});
  }

  /// f of the state at each of the rows [from, to), which is met by a step from the row before it: for rows of few
  /// elements.
  template <class Row, int... J> ETNA_FN_INLINE static void walk_rows(loop_numbers const& c, state& all,
                                                                      std::int64_t from, std::int64_t to, Row f,
                                                                      std::integer_sequence<int, J...>) {
    std::int64_t by[max_rank][n_in + n_out];
    steps_of_rows(c, all.v, n_in + n_out, by[0]);
    index_walk row = row_walk(c, from);
    move_to_row(c, all, row, views{});
    state s = all;  // of this loop alone, so that its parts may be registers
    int const last = c.n_outer - 1;
    // the two last loops are counted here, since the last may be as short as its rows
    std::int64_t const lines = last > 0 ? c.outer[last - 1] : 1;
    std::int64_t line = last > 0 ? row.at[last - 1] : 0, in_line = row.at[last];
    for (std::int64_t u = from;; in_line = 0) {
      std::int64_t const rows = std::min(to - u, c.outer[last] - in_line);
      for (std::int64_t i = 0;;) {
        f(s);
        if (++i == rows) break;
        (step<J>(s, by[last][J]), ...);
      }
      u += rows;
      if (u == to) return;
      int loop = last - 1;
      if (++line == lines) {
        line = 0;
        row.at[last] = c.outer[last] - 1;
        if (last > 0) row.at[last - 1] = lines - 1;
        loop = row.next();
      }
      (step<J>(s, by[loop][J]), ...);
    }
  }

 private:
  // Many views are placed by a loop: written out, each would cost the compiler as much as a statement.
  static constexpr bool is_written_out = n_in + n_out <= tuning::loops::views_written_out;
  /// Of a view: bytes of an element; 0: of a ramp; -1: it wants code of its own.
  template <int J> static constexpr int placed_by() {
    if constexpr (J >= n_in) return bytes_of(F::outs[J - n_in].d);
    else if constexpr (F::template has_window<J> || In_<J>::m == motion::still || In_<J>::m == motion::still_ramp)
      return -1;
    else return planning::is_ramp(In_<J>::m) ? 0 : bytes_of(In_<J>::d);
  }
  template <int... J> ETNA_FN static void place_all(loop_numbers const& c, state& s, std::int64_t const* at,
                                                    std::int64_t const* mid, std::integer_sequence<int, J...>) {
    if constexpr (is_written_out) (place<J>(c, s, at, mid), ...);
    else {
      constexpr int by[] = {placed_by<J>()...};
      for (int j = 0; j < n_in + n_out; ++j) {
        if (by[j] < 0) continue;
        view_numbers const& v = s.v[j];
        if (at) s.origin[j] = row_offset(c, v, at);
        std::int64_t const o = s.origin[j] + (mid ? mid_offset(c, v, mid) : 0);
        if (by[j] == 0) s.base[j] = v.first + o;
        else s.p[j] = static_cast<char*>(v.data) + o * by[j];
      }
      (place_alone<J>(c, s, at, mid), ...);
    }
  }
  template <int J>
  ETNA_FN static void place_alone(loop_numbers const& c, state& s, std::int64_t const* at, std::int64_t const* mid) {
    if constexpr (placed_by<J>() < 0) place<J>(c, s, at, mid);
  }
};

}  // namespace etna::lower
