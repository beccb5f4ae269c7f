// SPDX-License-Identifier: BSD-3-Clause
// Rows over an axis of a mesh: what processes do together, each with its own array. In a plan they are posted, and
// waited for where somebody reads the result (rewrite/post.hpp). eager/ranks.hpp does what they say.
#pragma once
#include <etna/group/process_group.hpp>

#include "indexing.hpp"

namespace etna::ops {

/// An axis of a mesh: its number, the mesh by the number that stands for it (group/mesh.hpp).
struct mesh_axis {
  int number;
  std::int64_t mesh;
};
/// Along which axis; and whether it is only posted: `awaited_p` waits then.
struct mesh_words {
  mesh_axis axis;
  bool posted;
  static constexpr int count = 3;
  static constexpr mesh_words read(std::int64_t const* a) { return {{int(a[0]), a[1]}, a[2] != 0}; }
  static constexpr void post(std::int64_t* a) { a[2] = 1; }
};
/// attributes  mesh_words, further ones of a row
struct across_ranks : movement {
  static constexpr ops::form form = ops::form::routine;
  static constexpr int arity = 1;
  static constexpr accepts takes = accepts::numbers;
  static constexpr bool is_collective = true;
  static constexpr int head = mesh_words::count;
  static constexpr samples make_samples(interval) {
    samples none;
    return none;
  }  // test/ranks
  static constexpr int shape(tensor_type const* in, int, std::int64_t const*, int, tensor_type* out) {
    out[0] = in[0];
    return 0;
  }
  /// The row again, of another value.
  static constexpr var again(eqn e, var x) { return tracing::emit(e.info().op, &x, 1, e.attrs(), e.attr_count()); }
  static constexpr void batch(batched_eqn const& e, var* out) { out[0] = again(e, e.in[0]); }
};
/// A row of few words more.
template <class Row> constexpr var over_ranks(var x, mesh_axis a, std::initializer_list<std::int64_t> more = {}) {
  std::int64_t words[mesh_words::count + 3] = {a.number, a.mesh, 0};
  int n = mesh_words::count;
  for (std::int64_t w : more) words[n++] = w;
  return tracing::emit(code<Row>, &x, 1, words, n);
}

/// attributes  further: the reduction
struct allreduce_p : across_ranks {
  static constexpr auto name = "allreduce";
  static constexpr bool in_place = true;
  static constexpr spread gives = spread::alike;
  static constexpr dist::reduction reduction_of(std::int64_t const* a) { return dist::reduction(a[head]); }
  static constexpr var of(var x, mesh_axis a, dist::reduction r) {
    return over_ranks<allreduce_p>(x, a, {std::int64_t(r)});
  }
  static constexpr auto jvp = per_operand{[](var t, eqn e) {
    mesh_axis const axis = mesh_words::read(e.attrs()).axis;
    if (reduction_of(e.attrs()) == dist::reduction::sum) return again(e, t);
    // those that share the extreme share the derivative
    var hit = convert(eq(e[0], e.out()), type_of(e[0]).d);
    return of(scale(t, hit / of(hit, axis, dist::reduction::sum)), axis, dist::reduction::sum);
  }};
  static constexpr auto transpose = per_operand{[](var ct, eqn e) { return again(e, ct); }};
  static void reference(call const& c);
  static void run(call const& c) { reference(c); }
};

/// Rows that put the elements of all ranks in front of an array's axes, [size, ...], or have them there.
///
/// attributes  further: how many ranks there are
struct fronted_by_ranks : across_ranks {
  static constexpr accepts takes = accepts::any;
  static constexpr extent size_of(std::int64_t const* a) { return a[head]; }
  static constexpr int check_front(tensor_type const& x, std::int64_t const* a) {
    return x.rank > 0 && x.e[0] == size_of(a) ? 0 : bad_shape;
  }
};
/// shape  x [...] -> [size, ...]
struct allgather_p : fronted_by_ranks {
  static constexpr auto name = "allgather";
  static constexpr spread gives = spread::alike;
  static constexpr int shape(tensor_type const* in, int, std::int64_t const* a, int, tensor_type* out) {
    if (in[0].rank == max_rank) return bad_shape;
    out[0] = tensor_type(in[0]).insert(0, size_of(a));
    return 0;
  }
  static constexpr void batch(batched_eqn const& e, var* out) { out[0] = move_axis(again(e, e.in[0]), 0, 1); }
  static constexpr auto jvp = per_operand{[](var t, eqn e) { return again(e, t); }};
  static constexpr var back(var ct, eqn e);
  static constexpr auto transpose = per_operand{[](var ct, eqn e) { return back(ct, e); }};
  static void reference(call const& c);
  static void run(call const& c) { reference(c); }
};
/// shape  x [size, ...] -> [...]: the sum over all ranks of what they have for this one
struct reduce_scatter_p : fronted_by_ranks {
  static constexpr auto name = "reduce_scatter";
  static constexpr accepts takes = accepts::numbers;
  static constexpr spread gives = spread::differs;
  static constexpr int shape(tensor_type const* in, int, std::int64_t const* a, int, tensor_type* out) {
    out[0] = tensor_type(in[0]).drop(0);
    return check_front(in[0], a);
  }
  static constexpr void batch(batched_eqn const& e, var* out) { out[0] = again(e, move_axis(e.in[0], 1, 0)); }
  static constexpr auto jvp = per_operand{[](var t, eqn e) { return again(e, t); }};
  static constexpr auto transpose = per_operand{[](var ct, eqn e) {
    return over_ranks<allgather_p>(ct, mesh_words::read(e.attrs()).axis, {size_of(e.attrs())});
  }};
  static void reference(call const& c);
  static void run(call const& c) { reference(c); }
};
constexpr var allgather_p::back(var ct, eqn e) {
  return over_ranks<reduce_scatter_p>(ct, mesh_words::read(e.attrs()).axis, {size_of(e.attrs())});
}
/// shape  x [size, ...] -> [size, ...]: what each rank has for this one
struct alltoall_p : fronted_by_ranks {
  static constexpr auto name = "alltoall";
  static constexpr spread gives = spread::differs;
  static constexpr int shape(tensor_type const* in, int, std::int64_t const* a, int, tensor_type* out) {
    out[0] = in[0];
    return check_front(in[0], a);
  }
  static constexpr void batch(batched_eqn const& e, var* out) {
    out[0] = move_axis(again(e, move_axis(e.in[0], 1, 0)), 0, 1);
  }
  static constexpr auto jvp = per_operand{[](var t, eqn e) { return again(e, t); }};
  static constexpr auto transpose = per_operand{[](var ct, eqn e) { return again(e, ct); }};
  static void reference(call const& c);
  static void run(call const& c) { reference(c); }
};

/// To whom this rank sends, and from whom it receives; process_group::nobody.
struct partners {
  int to = dist::process_group::nobody, from = dist::process_group::nobody;
};
/// attributes  further: 0 and pairs {from, to}; or 1, how far to go along the axis, and whether it is closed to a ring
struct sendrecv_p : across_ranks {
  static constexpr auto name = "sendrecv";
  static constexpr accepts takes = accepts::any;
  static constexpr spread gives = spread::differs;
  static constexpr int by_pairs = 0, by_shift = 1;
  static constexpr partners of_rank(std::int64_t const* a, int n, int rank, int size) {
    partners p;
    if (a[head] == by_shift) {
      int const by = int(a[head + 1]);
      bool const ring = a[head + 2] != 0;
      auto at = [&](int r) {
        return ring ? ((r % size) + size) % size : r >= 0 && r < size ? r : dist::process_group::nobody;
      };
      p.to = at(rank + by);
      p.from = at(rank - by);
      return p;
    }
    for (int k = head + 1; k + 1 < n; k += 2) {
      if (a[k] == rank) p.to = int(a[k + 1]);
      if (a[k + 1] == rank) p.from = int(a[k]);
    }
    return p;
  }
  static constexpr auto jvp = per_operand{[](var t, eqn e) { return again(e, t); }};
  /// What was received goes back.
  static constexpr auto transpose = per_operand{[](var ct, eqn e) {
    int const n = e.attr_count();
    auto* words = new std::int64_t[std::size_t(n)];
    for (int k = 0; k < n; ++k) words[k] = e.attr(k);
    if (words[head] == by_shift) words[head + 1] = -words[head + 1];
    else
      for (int k = head + 1; k + 1 < n; k += 2) std::swap(words[k], words[k + 1]);
    var const x = tracing::emit(code<sendrecv_p>, &ct, 1, words, n);
    delete[] words;
    return x;
  }};
  static void reference(call const& c);
  static void run(call const& c) { reference(c); }
};

}  // namespace etna::ops
