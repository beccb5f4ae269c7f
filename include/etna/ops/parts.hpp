// SPDX-License-Identifier: BSD-3-Clause
// Rows: a block of an array read (slice) and written (update). Each is the transpose of the other, so padding,
// concatenation and flipping are made of the two. A slice is a view, an offset with strides; an update copies.
#pragma once
#include "family.hpp"

namespace etna::ops {

/// attributes  a slice_dim for each axis; an axis with a name whole
struct slice_p : movement {
  static constexpr auto name = "slice";
  static constexpr int moves = 1;
  static constexpr ops::form form = ops::form::slice;

  static constexpr int shape(tensor_type const* in, int, std::int64_t const* a, int n, tensor_type* out) {
    out[0] = in[0];
    if (n != slice_dim::words * in[0].rank) return bad_axis;
    for (int i = 0; i < in[0].rank; ++i) {
      auto const [start, size, step] = slice_dim::read(a, i);
      extent e = in[0].e[i];
      out[0].e[i] = size;
      if (step == 0) return bad_shape;
      if (size == 0 || (size == e && start == 0 && step == 1)) continue;
      extent last = start + (size - 1) * step;
      if (e < 0 || size < 0 || start < 0 || start >= e || last < 0 || last >= e) return bad_shape;
    }
    return 0;
  }
  static constexpr void batch(batched_eqn const& e, var* out) {
    slice_dim block[max_rank]{{0, e.size, 1}};
    for (int i = 0; i < e.out_type().rank; ++i) block[i + 1] = slice_dim::read(e.attrs(), i);
    out[0] = slice(e.in[0], block);
  }
  /// The axes that are read whole.
  static constexpr sharding_rule sharding(tensor_type const* in, int, std::int64_t const* a, int) {
    sharding_rule r;
    for (int i = 0; i < in[0].rank; ++i)
      if (auto const [start, size, step] = slice_dim::read(a, i); start == 0 && size == in[0].e[i] && step == 1)
        r.join(0, i, i);
    return r;
  }
  static constexpr void cut(std::int64_t* a, tensor_type const& part) {
    for (int i = 0; i < part.rank; ++i) {
      slice_dim d = slice_dim::read(a, i);
      d.size = part.e[i];
      d.write(a, i);
    }
  }
  static constexpr samples make_samples(interval from) {
    constexpr extent back = ext::number(-1), two_back = ext::number(-2);
    return {5,
            {one_operand({dtype::f64, 1, {7}}, from, {2, 3, 1}),
             one_operand({dtype::f64, 2, {4, 6}}, from, {1, 2, 1, 0, 3, 2}),
             one_operand({dtype::f64, 2, {3, 5}}, from, {0, 3, 1, 4, 5, back}),
             one_operand({dtype::f64, 3, {3, 4, 5}}, from, {2, 3, back, 1, 1, 1, 4, 2, two_back}),
             one_operand({dtype::f64, 2, {3, 4}}, from, {1, 0, 1, 0, 4, 1})}};
  }
  static constexpr auto jvp =
      per_operand{[](var t, eqn e) { return apply_with<slice_p>(t, e.attrs(), e.attr_count()); }};
  static constexpr auto transpose = per_operand{[](var ct, eqn e) {
    // what was read backward is turned first: an update goes forward
    tensor_type x = e.type(0);
    slice_dim block[max_rank]{}, turn[max_rank]{};
    update_dim place[max_rank]{};
    for (int i = 0; i < x.rank; ++i) block[i] = slice_dim::read(e.attrs(), i);
    if (forward(block, x.rank, place, turn)) ct = slice(ct, turn);
    return update(full(ct.g, x, 0), ct, place);
  }};
  static void reference(call const& c);
};

/// Into how many parts the copy of a block divides, along its first axis: a quarter of a megabyte each, about.
inline std::int64_t block_parts(tensor_type const& block) {
  std::int64_t n = block.size() * bytes_of(block.d) >> 18;
  return block.rank == 0 || n < 2 ? 1 : n < block.e[0] ? n : block.e[0];
}
/// The equation once more, on other operands.
constexpr var again(eqn e, var x, var y) {
  var in[] = {x, y};
  return tracing::emit(e.info().op, in, 2, e.attrs(), e.attr_count());
}

/// x with a block replaced by u.
///
/// attributes  an update_dim for each axis
struct update_p : movement {
  static constexpr auto name = "update";
  static constexpr int moves = 2;
  static constexpr ops::form form = ops::form::routine;
  static constexpr int arity = 2;
  static constexpr bool in_place = true;

  static constexpr int shape(tensor_type const* in, int, std::int64_t const* a, int n, tensor_type* out) {
    tensor_type const &x = in[0], &u = in[1];
    out[0] = x;
    if (n != update_dim::words * x.rank || u.rank != x.rank) return bad_axis;
    if (u.d != x.d) return dtype_not_accepted;
    for (int i = 0; i < x.rank; ++i) {
      auto const [start, step] = update_dim::read(a, i);
      if (u.e[i] == 0 || (u.e[i] == x.e[i] && start == 0 && step == 1)) continue;
      if (x.e[i] < 0 || u.e[i] < 0 || start < 0 || step < 1) return bad_shape;
      if (start + (u.e[i] - 1) * step >= x.e[i]) return bad_shape;
    }
    return 0;
  }
  static constexpr void batch(batched_eqn const& e, var* out) {
    update_dim block[max_rank]{{0, 1}};
    for (int i = 0; i < e.out_type().rank; ++i) block[i + 1] = update_dim::read(e.attrs(), i);
    var in[2]{};
    for (int k = 0; k < 2; ++k) in[k] = e.is_batched[k] ? e.in[k] : broadcast_front(e.in[k], e.size);
    out[0] = update(in[0], in[1], block);
  }
  /// The axes of which u is the whole.
  static constexpr sharding_rule sharding(tensor_type const* in, int, std::int64_t const*, int) {
    sharding_rule r;
    for (int i = 0; i < in[0].rank; ++i)
      if (in[0].e[i] == in[1].e[i]) r.join(0, i, i), r.join(1, i, i);
    return r;
  }
  static constexpr samples make_samples(interval from) {
    auto s = [&](tensor_type x, tensor_type u, std::initializer_list<std::int64_t> attr) {
      sample r = one_operand(x, from, attr);
      r.n = 2;
      r.type[1] = u;
      r.from[1] = from;
      return r;
    };
    return {4,
            {s({dtype::f64, 1, {7}}, {dtype::f64, 1, {3}}, {2, 1}),
             s({dtype::f64, 2, {4, 6}}, {dtype::f64, 2, {2, 3}}, {1, 1, 0, 2}),
             s({dtype::f64, 3, {3, 2, 4}}, {dtype::f64, 3, {3, 1, 4}}, {0, 1, 1, 1, 0, 1}),
             s({dtype::f64, 2, {3, 4}}, {dtype::f64, 2, {3, 0}}, {0, 1, 2, 1})}};
  }
  static constexpr auto jvp = per_operand{[](var t, eqn e) { return again(e, t, full(t.g, e.type(1), 0)); },
                                          [](var t, eqn e) { return again(e, full(t.g, e.type(0), 0), t); }};
  static constexpr auto transpose = per_operand{[](var ct, eqn e) { return again(e, ct, full(ct.g, e.type(1), 0)); },
                                                [](var ct, eqn e) {
                                                  tensor_type u = e.type(1);
                                                  slice_dim block[max_rank]{};
                                                  for (int i = 0; i < u.rank; ++i) {
                                                    auto const [start, step] = update_dim::read(e.attrs(), i);
                                                    block[i] = {start, u.e[i], step};
                                                  }
                                                  return slice(ct, block);
                                                }};
  static void reference(call const& c);
  static void run(call const& c, std::int64_t from, std::int64_t to);
  static std::int64_t units(call const& c) { return c.out[0] == c.in[0] ? block_parts(c.in_type[1]) : 1; }
};

/// x with a block replaced by u, as a kernel has it: an element of u inside the block, and of x outside. Plans write an
/// update so where x is no memory (rewrite/patches.hpp).
///
/// attributes  as update's; all steps are 1, and u is not empty
struct patch_p : update_p {
  static constexpr auto name = "patch";
  static constexpr ops::form form = ops::form::patch;
  static constexpr bool in_place = false;
  static constexpr int shape(tensor_type const* in, int k, std::int64_t const* a, int n, tensor_type* out) {
    int wrong = update_p::shape(in, k, a, n, out);
    for (int i = 0; !wrong && i < in[0].rank; ++i)
      if (in[1].e[i] == 0 || update_dim::read(a, i).step != 1) wrong = bad_shape;
    return wrong;
  }
  static constexpr samples make_samples(interval from) {
    samples of = update_p::make_samples(from);
    samples r;
    for (int i = 0; i < of.n; ++i) {
      sample& s = r.s[r.n];
      s = of.s[i];
      for (int a = 1; a < s.n_attr; a += 2) s.attr[a] = 1;
      tensor_type out;
      r.n += shape(s.type, s.n, s.attr, s.n_attr, &out) == 0;
    }
    return r;
  }
};

}  // namespace etna::ops
