// SPDX-License-Identifier: BSD-3-Clause
// Gathers and scatters by an index that is known while compiling, such as {1, 2, 0}: slices, broadcasts and pieces
// where the places follow each other, and otherwise a table that no call computes. Read next: joined_operands.hpp.
#pragma once
#include "term.hpp"

namespace etna::rewrite {

/// Numbers of short arrays that are known while compiling: braced ones, ramps, and what is computed of such alone.
class known_numbers {
 public:
  static constexpr int most = 64;  // elements
  constexpr explicit known_numbers(graph const& g) : g_(g) {}

  /// Element k of a value, in the order of its memory; false: it is not known.
  constexpr bool read(int id, extent k, std::int64_t& bits) {
    using ops::form;
    if (--left_ < 0) return false;
    tensor_type const& t = g_.values[id].type;
    node_info const& n = g_.nodes[g_.values[id].node];
    if (n.level > 0 || n.results != 1 || is_floating(t.d) || t.d == dtype::u64) return false;
    std::int64_t const* const a = g_.attrs + n.attr;
    switch (ops::table.at[n.op].form) {
      case form::source:
        if (n.op == code<ops::full_p>) bits = a[0];
        else if (n.op == code<ops::literal_p>) bits = a[k];
        else if (n.op == code<ops::iota_p>) bits = coordinate(t, k, int(a[0]));
        return n.op == code<ops::full_p> || n.op == code<ops::literal_p> || n.op == code<ops::iota_p>;
      case form::pointwise: return computed(n, t, k, bits);
      case form::convert: {
        int const from = g_.edges[n.edge];
        std::int64_t x = 0;
        if (!read(from, k, x)) return false;
        bits = converted_bits(g_.values[from].type.d, x, t.d);
        return true;
      }
      case form::reshape: return read(g_.edges[n.edge], k, bits);
      case form::broadcast:
      case form::transpose:
      case form::slice: return read(g_.edges[n.edge], moved(n, t, k), bits);
      default: return false;
    }
  }
  /// Is element k of a value known to be 0, as most of a derivative's seeds are?
  constexpr bool is_zero(int id, extent k) {
    using ops::form;
    for (; --left_ >= 0;) {
      node_info const& n = g_.nodes[g_.values[id].node];
      if (n.level > 0) return false;
      std::int64_t bits = 0;
      if (n.op == code<ops::full_p>) return g_.attrs[n.attr] == 0;
      if (!is_floating(g_.values[id].type.d)) return read(id, k, bits) && bits == 0;
      form const f = ops::table.at[n.op].form;
      if (f == form::broadcast || f == form::transpose || f == form::slice) k = moved(n, g_.values[id].type, k);
      else if (f != form::convert && f != form::reshape) return false;
      id = g_.edges[n.edge];
    }
    return false;
  }

 private:
  graph const& g_;
  int left_ = 4096;  // values that are looked at: one that many read is computed for each of them

  constexpr bool computed(node_info const& n, tensor_type const& t, extent k, std::int64_t& bits) {
    ops::row const& row = ops::row_of(n.op);
    std::int64_t in[3]{};
    if (n.operands > 3 || !row.scalar.whole.there) return false;
    for (int i = 0; i < n.operands; ++i) {
      int const id = g_.edges[n.edge + i];
      if (!g_.values[id].type.same_shape(t) || !read(id, k, in[i])) return false;
    }
    bits = wrapped(t.d, row.scalar.whole(in));
    return true;
  }
  static constexpr extent coordinate(tensor_type const& t, extent k, int axis) {
    for (int i = t.rank - 1; i > axis; --i) k /= t.e[i];
    return k % t.e[axis];
  }
  /// Where element k of what is broadcast, transposed or sliced comes from.
  constexpr extent moved(node_info const& n, tensor_type const& t, extent k) const {
    tensor_type const& from = g_.values[g_.edges[n.edge]].type;
    std::int64_t const* const a = g_.attrs + n.attr;
    ops::form const f = ops::table.at[n.op].form;
    extent r = 0;
    for (int i = 0; i < from.rank; ++i) {
      extent at = 0;
      if (f == ops::form::slice) {
        ops::slice_dim const s = ops::slice_dim::read(a, i);
        at = s.start + coordinate(t, k, i) * s.step;
      } else if (f == ops::form::broadcast) {
        at = from.e[i] == 1 ? 0 : coordinate(t, k, ops::broadcast_words::axis_of(a, i));
      } else {
        int axis = 0;
        while (a[axis] != i) ++axis;
        at = coordinate(t, k, axis);
      }
      r = r * from.e[i] + at;
    }
    return r;
  }
};

/// The places that an index names along an axis of n elements, where all of them are known and none is out of range.
struct known_places {
  int count = 0;  // 0: not known
  extent at[known_numbers::most]{};
  std::int64_t number[known_numbers::most]{};  // as the index has it: from the end where it is negative
  constexpr known_places(graph const& g, int index, extent n) {
    tensor_type const& t = g.values[index].type;
    if (!t.is_static() || n < 1 || t.size() < 1 || t.size() > known_numbers::most) return;
    known_numbers numbers(g);
    for (extent k = 0; k < t.size(); ++k) {
      std::int64_t place = 0;
      if (!numbers.read(index, k, place)) return;
      number[k] = place;
      if (place < 0) place += n;
      if (place < 0 || place >= n) return;
      at[k] = place;
    }
    count = int(t.size());
  }
  constexpr extent step() const { return count > 1 ? at[1] - at[0] : 1; }
  constexpr bool follow_each_other() const {
    for (int k = 1; k < count; ++k)
      if (at[k] - at[k - 1] != step()) return false;
    return count > 0;
  }
};

/// The index as a table of its numbers, where it is computed now. (Its type may not hold a place from the front.)
constexpr int table_of(term const& t, known_places const& places) {
  tensor_type const index = t.type(1);
  return t.w.write(code<ops::literal_p>, nullptr, 0, places.number, places.count, &index, 1);
}

/// A gather by a known index: a slice, a row that is repeated, or a gather by a table.
constexpr int gather_of_known_places(term const& t) {
  using namespace ops;
  auto const [axis, nb] = gather_dims::read(t.attr);
  tensor_type const x = t.type(0), index = t.type(1);
  if (nb > 0) return nothing;
  known_places const places(t.g, t.in[1], x.e[axis]);
  if (places.count == 0) return nothing;
  if (!places.follow_each_other()) {
    if (t.from[1] == code<literal_p>) return nothing;
    int const in[] = {t.in[0], table_of(t, places)};
    return t.w.write(t.op, in, 2, t.attr, t.n_attr, &t.out, 1);
  }
  bool const repeats = places.step() == 0;
  tensor_type part = x;
  part.e[axis] = repeats ? 1 : places.count;
  slice_dim block[max_rank]{};
  for (int i = 0; i < x.rank; ++i) block[i] = {0, x.e[i], 1};
  block[axis] = {places.at[0], part.e[axis], repeats ? 1 : places.step()};
  dims_as_words const attr(block, x.rank);
  int r = t.in[0];
  if (!part.same_shape(x) || places.step() < 0) r = t.w.write(code<slice_p>, &r, 1, attr.a, attr.n, &part, 1);
  if (!repeats) return reshaped(t.w, r, t.out);
  tensor_type row{x.d, 0, {}};
  broadcast_words to(t.out);
  for (int i = 0; i < x.rank; ++i)
    if (i != axis) row.e[row.rank++] = x.e[i], to.put(i < axis ? i : i + index.rank - 1);
  r = reshaped(t.w, r, row);
  return t.w.write(code<broadcast_p>, &r, 1, to.a, to.n, &t.out, 1);
}

/// What is added at known places of zeros: a piece of them, where the places follow each other.
constexpr int scatter_of_known_places(term const& t) {
  using namespace ops;
  auto const [axis, nb] = gather_dims::read(t.attr);
  if (nb > 0) return nothing;
  known_places const places(t.g, t.in[1], t.out.e[axis]);
  if (places.count == 0) return nothing;
  bool const is_piece = places.follow_each_other() && places.step() > 0 && t.constant(0, 0);
  if (!is_piece && t.from[1] == code<literal_p>) return nothing;
  if (!is_piece) {
    int const in[] = {t.in[0], table_of(t, places), t.in[2]};
    return t.w.write(t.op, in, 3, t.attr, t.n_attr, &t.out, 1);
  }
  tensor_type piece = t.out;
  piece.e[axis] = places.count;
  std::int64_t attr[update_dim::words * max_rank]{};
  for (int i = 0; i < t.out.rank; ++i) update_dim{0, 1}.write(attr, i);
  update_dim{places.at[0], places.step()}.write(attr, axis);
  int const in[] = {t.in[0], reshaped(t.w, t.in[2], piece)};
  return t.w.write(code<update_p>, in, 2, attr, update_dim::words * t.out.rank, &t.out, 1);
}

}  // namespace etna::rewrite
