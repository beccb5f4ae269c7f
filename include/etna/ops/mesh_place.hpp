// SPDX-License-Identifier: BSD-3-Clause
// Rows over an axis of a mesh that send nothing: where this process is, what goes into functions over a mesh and comes
// out of them, and what waits for what was posted. Read next: rank_marks.hpp.
#pragma once
#include "across_ranks.hpp"

namespace etna::ops {

/// Of this process along the axis: its place, or how many there are. A number, not an array.
///
/// attributes  mesh_words, 0: the place, 1: the size, and how many there must be at least
struct mesh_place_p : across_ranks {
  static constexpr auto name = "mesh_place";
  static constexpr int arity = 0;
  static constexpr bool is_collective = false;
  static constexpr spread gives = spread::differs;
  static constexpr int shape(tensor_type const*, int, std::int64_t const*, int, tensor_type* out) {
    out[0] = {dtype::i32, 0, {}};
    return 0;
  }
  static constexpr void batch(batched_eqn const& e, var* out) { out[0] = e.out(); }
  static constexpr auto jvp = absent{"constant"};
  static constexpr auto transpose = absent{"constant"};
  static constexpr bool is_size(std::int64_t const* a) { return a[head] != 0; }
  static constexpr var of(graph& g, mesh_axis a, bool size, int least = 1) {
    std::int64_t const words[] = {a.number, a.mesh, 0, size, least};
    return tracing::emit(code<mesh_place_p>, nullptr, 0, words, 5, {}, &g);
  }
  static void reference(call const& c);
  static void run(call const& c) { reference(c); }
};

/// An array goes into a function over a mesh, or comes out, that the processes along an axis have alike: itself. Seen
/// from outside it is one array, so going in what each process says of it is added up; and coming out each process has
/// its part of what is said of it.
///
/// attributes  mesh_words, does it come out?, how many processes there are, or 0
struct mesh_border_p : across_ranks {
  static constexpr auto name = "mesh_border";
  static constexpr accepts takes = accepts::any;
  static constexpr bool is_collective = false;
  static constexpr var of(var x, mesh_axis a, bool out, extent size) {
    return over_ranks<mesh_border_p>(x, a, {out, size});
  }
  static constexpr auto jvp = per_operand{[](var t, eqn e) { return again(e, t); }};
  static constexpr auto transpose = per_operand{[](var ct, eqn e) {
    mesh_axis const axis = mesh_words::read(e.attrs()).axis;
    if (e.attr(head) == 0) return allreduce_p::of(ct, axis, dist::reduction::sum);
    if (e.attr(head + 1) > 0) return ct / full_like(ct, double(e.attr(head + 1)));
    var const size = convert(mesh_place_p::of(*ct.g, axis, true), type_of(ct).d);
    return ct / broadcast(size, type_of(ct), nullptr);
  }};
  static void reference(call const& c);
  static void run(call const& c) { reference(c); }
};

/// What was posted, once it is there. The second operand is what was sent, whose memory nobody writes until then.
struct awaited_p : across_ranks {
  static constexpr auto name = "awaited";
  static constexpr int arity = 2;
  static constexpr bool is_collective = false;
  static constexpr bool in_place = true;
  static constexpr void batch(batched_eqn const& e, var* out) {
    out[0] = tracing::emit(e.info().op, e.in, 2, nullptr, 0);
  }
  static constexpr auto jvp = absent{"a plan has no derivative"};
  static constexpr auto transpose = absent{"a plan has no derivative"};
  static void reference(call const& c);
  static void run(call const& c) { reference(c); }
};

}  // namespace etna::ops
