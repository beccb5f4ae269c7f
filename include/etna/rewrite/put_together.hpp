// SPDX-License-Identifier: BSD-3-Clause
// Identities of arrays that are put together: by pieces (updates), or by what is added at places (scatters). Read next:
// simplify.hpp.
#pragma once
#include "term.hpp"

namespace etna::rewrite {

/// A sum of what is scattered onto zeros: the second is added where the first has been. (Not to any other array: each
/// of its elements would round where the sum of all did once.)
constexpr int scattered(term const& t) {
  using namespace ops;
  int onto[2]{};  // how many scatters, on zeros
  for (int k = 0; k < 2; ++k)
    for (int id = t.in[k];; id = t.g.edges[t.g.nodes[t.g.values[id].node].edge], ++onto[k]) {
      node_info const& n = t.g.nodes[t.g.values[id].node];
      if (n.op == code<scatter_add_p>) continue;
      if (n.op != code<full_p> || bits_to_double(t.out.d, t.g.attrs[n.attr]) != 0) return nothing;
      break;
    }
  if (onto[0] == 0 || onto[1] == 0 || (onto[0] > 1 && onto[1] > 1)) return nothing;
  int const last = onto[1] == 1, *operands = t.g.edges + t.node(last).edge,
            in[] = {t.in[1 - last], operands[1], operands[2]};
  return t.w.write(code<scatter_add_p>, in, 3, t.g.attrs + t.node(last).attr, t.node(last).attrs, &t.out, 1);
}

/// A sum of pieces in zeros, none of which lies over another: one array of all of them. (-0 + 0 is 0.)
constexpr int put_together(term const& t) {
  using namespace ops;
  constexpr int most = tuning::most_pieces;
  if (is_floating(t.out.d) && !t.g.derived) return nothing;
  int pieces[2][most]{}, n[2]{};
  for (int k = 0; k < 2; ++k) {
    int i = t.source[k];
    for (; t.g.nodes[i].op == code<update_p> && n[k] < most; i = t.g.values[t.g.edges[t.g.nodes[i].edge]].node)
      pieces[k][n[k]++] = i;
    if (t.g.nodes[i].op != code<full_p> || bits_to_double(t.out.d, t.g.attrs[t.g.nodes[i].attr]) != 0) return nothing;
  }
  int const last = n[1] == 1, one = pieces[last][0];
  if (n[last] != 1) return nothing;
  for (int i = 0; i < n[1 - last]; ++i)
    if (!are_apart(t.g, t.g.nodes[one], t.g.nodes[pieces[1 - last][i]])) return nothing;
  int const in[] = {t.in[1 - last], t.g.edges[t.g.nodes[one].edge + 1]};
  return t.w.write(code<update_p>, in, 2, t.g.attrs + t.g.nodes[one].attr, t.g.nodes[one].attrs, &t.out, 1);
}

/// A piece in zeros, added to an array that has zeros in its place: the piece is put there. (So it is where a block of
/// an array is set to what is computed of it.)
constexpr int put_into_hole(term const& t) {
  using namespace ops;
  if (is_floating(t.out.d) && !t.g.derived) return nothing;
  auto is_zero = [&](int id) {
    node_info const& n = t.g.nodes[t.g.values[id].node];
    return n.op == code<full_p> && bits_to_double(t.out.d, t.g.attrs[n.attr]) == 0;
  };
  for (int k = 0; k < 2; ++k) {
    node_info const &hole = t.node(k), &piece = t.node(1 - k);
    if (hole.op != code<update_p> || piece.op != code<update_p> || hole.attrs != piece.attrs) continue;
    int const *around = t.g.edges + hole.edge, *put = t.g.edges + piece.edge;
    if (!is_zero(around[1]) || !is_zero(put[0]) || !t.g.values[around[1]].type.same_shape(t.g.values[put[1]].type))
      continue;
    bool same = true;
    for (int i = 0; i < hole.attrs; ++i) same = same && t.g.attrs[hole.attr + i] == t.g.attrs[piece.attr + i];
    int const in[] = {around[0], put[1]};
    if (same) return t.w.write(code<update_p>, in, 2, t.g.attrs + hole.attr, hole.attrs, &t.out, 1);
  }
  return nothing;
}

/// A broadcast of an array that is put together from constants: put together where it is needed, of as many copies. So
/// what other pieces are put into has no memory.
constexpr int broadcast_of_constants(term const& t) {
  using namespace ops;
  constexpr int most = tuning::most_pieces;
  int chain[most]{}, n = 0, at = t.source[0];
  for (; t.g.nodes[at].op == code<update_p>; at = t.g.values[t.g.edges[t.g.nodes[at].edge]].node) {
    if (n == most || t.g.nodes[t.g.values[t.g.edges[t.g.nodes[at].edge + 1]].node].op != code<full_p>) return nothing;
    chain[n++] = at;
  }
  tensor_type const from = t.type(0);
  if (t.g.nodes[at].op != code<full_p>) return nothing;
  for (int i = 0; i < from.rank; ++i)
    if (from.e[i] != t.out.e[broadcast_words::axis_of(t.attr, i)]) return nothing;
  int r = t.w.write(code<full_p>, nullptr, 0, t.g.attrs + t.g.nodes[at].attr, 1, &t.out, 1);
  while (n-- > 0) {
    node_info const update = t.g.nodes[chain[n]];
    int const id = t.g.edges[update.edge + 1];
    tensor_type const part = t.g.values[id].type;
    tensor_type piece = t.out;
    std::int64_t attr[update_dim::words * max_rank]{};
    for (int i = 0; i < t.out.rank; ++i) update_dim{0, 1}.write(attr, i);
    for (int i = 0; i < from.rank; ++i) {
      int const axis = broadcast_words::axis_of(t.attr, i);
      piece.e[axis] = part.e[i];
      update_dim::read(t.g.attrs + update.attr, i).write(attr, axis);
    }
    node_info const constant = t.g.nodes[t.g.values[id].node];
    int const in[] = {r, t.w.write(code<full_p>, nullptr, 0, t.g.attrs + constant.attr, 1, &piece, 1)};
    r = t.w.write(code<update_p>, in, 2, attr, update_dim::words * t.out.rank, &t.out, 1);
  }
  return r;
}

/// Does a transpose move nothing but axes of one element?
constexpr bool is_reshape(tensor_type const& t, std::int64_t const* perm) {
  for (int i = 0, last = -1; i < t.rank; ++i) {
    if (t.e[perm[i]] == 1) continue;
    if (perm[i] < last) return false;
    last = int(perm[i]);
  }
  return true;
}
/// A transpose that moves nothing, of slices and of arrays put together from pieces: where they are made of what is
/// turned back by it, as what a loop under vmap gives and takes in another order, or of what it only reshapes, as
/// `stack` joins, they are made in its order at once.
class turned {
 public:
  constexpr explicit turned(term const& t) : t_(t), g_(t.g) {
    for (int i = 0; i < t.out.rank; ++i) perm_[i] = t.attr[i];
  }
  constexpr bool is_free(int id) const {
    int left = 4 * tuning::most_pieces;  // equations that are looked at, in all: pieces may be of one another
    return is_free(id, left);
  }
  constexpr int write(int id) const {
    using namespace ops;
    node_info const n = of(id);
    if (turns_back(n)) return g_.edges[n.edge];
    tensor_type const from = g_.values[id].type;
    tensor_type to = from;
    for (int i = 0; i < to.rank; ++i) to.e[i] = from.e[perm_[i]];
    if (n.op == code<full_p>) return t_.w.write(n.op, nullptr, 0, g_.attrs + n.attr, 1, &to, 1);
    if (is_reshape(from, perm_)) return reshaped(t_.w, id, to);
    std::int64_t attr[slice_dim::words * max_rank]{};
    for (int i = 0; i < to.rank; ++i)
      if (n.op == code<slice_p>) slice_dim::read(g_.attrs + n.attr, int(perm_[i])).write(attr, i);
      else update_dim::read(g_.attrs + n.attr, int(perm_[i])).write(attr, i);
    int in[2]{};
    for (int k = 0; k < n.operands; ++k) in[k] = write(g_.edges[n.edge + k]);
    return t_.w.write(n.op, in, n.operands, attr, n.attrs, &to, 1);
  }

 private:
  term const& t_;
  graph const& g_;
  std::int64_t perm_[max_rank]{};

  constexpr node_info const& of(int id) const { return g_.nodes[g_.values[id].node]; }
  constexpr bool is_free(int id, int& left) const {
    using namespace ops;
    node_info const& n = of(id);
    if (left-- == 0 || n.level > 0) return false;
    if (n.op == code<full_p> || turns_back(n) || is_reshape(g_.values[id].type, perm_)) return true;
    if (n.op == code<slice_p>) return is_free(g_.edges[n.edge], left);
    return n.op == code<update_p> && is_free(g_.edges[n.edge + 1], left) && is_free(g_.edges[n.edge], left);
  }
  /// Is it a transpose that this one undoes?
  constexpr bool turns_back(node_info const& n) const {
    if (n.op != code<ops::transpose_p>) return false;
    for (int i = 0; i < t_.out.rank; ++i)
      if (g_.attrs[n.attr + perm_[i]] != i) return false;
    return true;
  }
};

/// A transpose of an array that was transposed and whose axes were then split: split first, so that there is one
/// transpose, as between a loop over all examples of a vmap and one over blocks of them.
constexpr int transpose_of_split_axes(term const& t) {
  using namespace ops;
  int const x = t.g.edges[t.node(0).edge];
  node_info const inner = t.g.nodes[t.g.values[x].node];
  if (inner.op != code<transpose_p> || !t.out.is_static()) return nothing;
  tensor_type const whole = t.g.values[x].type, parts = t.type(0);
  int first[max_rank]{}, count[max_rank]{};  // of each axis: its parts
  int at = 0;
  for (int i = 0; i < whole.rank; ++i) {
    extent n = 1;
    first[i] = at;
    do {
      if (at == parts.rank) return nothing;
      n *= parts.e[at++];
    } while (n < whole.e[i]);
    count[i] = at - first[i];
    if (n != whole.e[i]) return nothing;
  }
  if (at != parts.rank) return nothing;
  int y = t.g.edges[inner.edge];
  tensor_type split{whole.d, 0, {}};
  int place[max_rank]{};  // of each part, where the axes lie as y has them
  for (int j = 0; j < whole.rank; ++j)
    for (int i = 0; i < whole.rank; ++i)
      if (t.g.attrs[inner.attr + i] == j)
        for (int k = 0; k < count[i]; ++k) {
          place[first[i] + k] = split.rank;
          split.e[split.rank++] = parts.e[first[i] + k];
        }
  std::int64_t perm[max_rank]{};
  bool stays = true;
  for (int k = 0; k < t.out.rank; ++k) {
    perm[k] = place[t.attr[k]];
    stays = stays && perm[k] == k;
  }
  y = reshaped(t.w, y, split);
  return stays ? y : t.w.write(code<transpose_p>, &y, 1, perm, t.out.rank, &t.out, 1);
}

/// Where a slice lies beside a piece that was put into what it reads.
enum class beside { apart, inside, across };
/// inside    the slice of the piece
constexpr beside place_beside(term const& t, node_info const& put, ops::slice_dim* inside) {
  tensor_type const& piece = t.g.values[t.g.edges[put.edge + 1]].type;
  beside r = beside::inside;
  for (int i = 0; i < t.out.rank; ++i) {
    ops::slice_dim const s = ops::slice_dim::read(t.attr, i);
    ops::update_dim const p = ops::update_dim::read(t.g.attrs + put.attr, i), f = ops::update_dim::forward(s);
    extent const n = piece.e[i];
    if (n < 0 || s.size < 0 || f.start < 0 || p.start < 0) return beside::across;  // a name
    if (n == 0 || s.size == 0) return beside::apart;
    if (f.start + (s.size - 1) * f.step < p.start || p.start + (n - 1) * p.step < f.start) return beside::apart;
    extent const off = s.start - p.start;
    bool const holds = f.start >= p.start && f.start + (s.size - 1) * f.step <= p.start + (n - 1) * p.step;
    if (holds && off % p.step == 0 && s.step % p.step == 0) inside[i] = {off / p.step, s.size, s.step / p.step};
    else r = beside::across;
  }
  return r;
}
/// A slice of an array of pieces: of the piece that it lies in, or of what those were put into that it has nothing of.
constexpr int slice_of_pieces(term const& t) {
  using namespace ops;
  constexpr int most = tuning::most_pieces;
  int x = t.in[0];
  slice_dim inside[max_rank]{};
  for (int k = 0; k < most; ++k) {
    node_info const& n = t.g.nodes[t.g.values[x].node];
    beside const b = n.op == code<update_p> ? place_beside(t, n, inside) : beside::across;
    if (b == beside::across) break;
    x = t.g.edges[n.edge + (b == beside::inside)];
    if (b == beside::inside) {
      if (t.g.values[x].type.same_shape(t.out)) {
        bool whole = true;
        for (int i = 0; i < t.out.rank; ++i) whole = whole && (inside[i].step == 1 || t.out.e[i] <= 1);
        if (whole) return x;
      }
      dims_as_words const attr(inside, t.out.rank);
      return t.w.write(code<slice_p>, &x, 1, attr.a, attr.n, &t.out, 1);
    }
  }
  if (x == t.in[0]) return nothing;
  node_info const& n = t.g.nodes[t.g.values[x].node];
  if (n.op == code<full_p>) return t.w.write(n.op, nullptr, 0, t.g.attrs + n.attr, 1, &t.out, 1);
  return t.w.write(code<slice_p>, &x, 1, t.attr, t.n_attr, &t.out, 1);
}

}  // namespace etna::rewrite
