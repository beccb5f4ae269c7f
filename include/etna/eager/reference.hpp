// SPDX-License-Identifier: BSD-3-Clause
// Reference evaluation on plain memory: type-erased, in double and 64-bit integers, with tables of
// functions by element type instead of templates. Written apart from the kernels, so that the two test each
// other. Read next: reordering.hpp.
#pragma once
#include <concepts>
#include <cstring>
#include <limits>

#include <etna/array/bits.hpp>
#include <etna/ops/table.hpp>

namespace etna::eager {

using ops::call;

/// Floating values saturate in integer types, NaN becomes 0; whole values wrap.
template <class T, class X> inline T narrow(X x) {
  if constexpr (std::is_floating_point_v<X> && std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    if (!(x == x)) return T(0);
    if (x <= X(std::numeric_limits<T>::lowest())) return std::numeric_limits<T>::lowest();
    if (x >= X(std::numeric_limits<T>::max())) return std::numeric_limits<T>::max();
  }
  return T(x);
}
// Elements of each type as numbers, and back: a function each, reached by the type. There are three types of numbers:
// double, and 64-bit integers with and without a sign, which differ only in what floating elements are made of them.
template <class X> concept number =
    std::same_as<X, double> || std::same_as<X, std::int64_t> || std::same_as<X, std::uint64_t>;
using mover = void (*)(void*, void const*, extent);
template <class X, class T> inline void load_as(void* to, void const* from, extent n) {
  for (extent i = 0; i < n; ++i) static_cast<X*>(to)[i] = X(+static_cast<T const*>(from)[i]);
}
template <class X, class T> inline void store_as(void* to, void const* from, extent n) {
  for (extent i = 0; i < n; ++i) static_cast<T*>(to)[i] = narrow<T>(static_cast<X const*>(from)[i]);
}
template <class X, bool Real> using as = std::conditional_t<std::is_integral_v<X> && !Real, std::int64_t, X>;
struct movers {
  mover at[dtype_count];
};
template <class X> inline constexpr movers loaders = []<int... D>(std::integer_sequence<int, D...>) {
  return movers{&load_as<as<X, false>, element_of<dtype(D)>>...};
}(std::make_integer_sequence<int, dtype_count>{});
template <class X> inline constexpr movers storers = []<int... D>(std::integer_sequence<int, D...>) {
  return movers{&store_as<as<X, is_floating(dtype(D))>, element_of<dtype(D)>>...};
}(std::make_integer_sequence<int, dtype_count>{});

template <number X> inline void load(dtype d, void const* from, extent at, extent n, X* to) {
  loaders<X>.at[int(d)](to, static_cast<char const*>(from) + at * bytes_of(d), n);
}
template <number X> inline void store(dtype d, void* to, extent at, extent n, X const* from) {
  storers<X>.at[int(d)](static_cast<char*>(to) + at * bytes_of(d), from, n);
}
template <number X> inline X load_one(dtype d, void const* p, extent i) {
  X x{};
  load(d, p, i, 1, &x);
  return x;
}
template <number X> inline void store_one(dtype d, void* p, extent i, X x) { store(d, p, i, 1, &x); }
// Elements as numbers in whose order they are: u64 as i64, from its least number on.
template <class X> inline X in_order(dtype d, X x) {
  if constexpr (std::is_integral_v<X>)
    if (d == dtype::u64) return x ^ std::numeric_limits<X>::min();
  return x;
}
template <class X> inline X load_in_order(dtype d, void const* p, extent i) {
  return in_order(d, load_one<X>(d, p, i));
}
template <class X> inline void store_in_order(dtype d, void* p, extent i, X x) { store_one(d, p, i, in_order(d, x)); }
/// Store a literal, given as bits.hpp has it. (Functions of one element: compiled programs have them too.)
template <class T> inline void store_literal(void* to, std::int64_t bits) { *static_cast<T*>(to) = from_bits<T>(bits); }
inline constexpr auto literal_storers = []<int... D>(std::integer_sequence<int, D...>) {
  return std::array<void (*)(void*, std::int64_t), dtype_count>{&store_literal<element_of<dtype(D)>>...};
}(std::make_integer_sequence<int, dtype_count>{});
inline void store_bits(dtype d, void* to, extent i, std::int64_t bits) {
  literal_storers[std::size_t(d)](static_cast<char*>(to) + i * bytes_of(d), bits);
}

/// Memory for the time of one evaluation, not filled; too little of it is error 107.
template <class X> struct scratch {
  memory_block* b;
  explicit scratch(extent n) : b(memory::allocate(std::size_t(n) * sizeof(X))) {}
  scratch(scratch const&) = delete;
  ~scratch() { release(b); }
  X* data() const { return static_cast<X*>(b->data); }
  X& operator[](extent i) const { return data()[i]; }
};

inline void row_major(tensor_type const& t, extent* stride) {
  extent s = 1;
  for (int i = t.rank - 1; i >= 0; --i) {
    stride[i] = s;
    s *= t.e[i];
  }
}
/// Visit all index tuples of t: f(flat index, offset under `stride`).
template <class F> inline void for_each_index(tensor_type const& t, extent const* stride, F&& f) {
  extent at[max_rank]{}, n = t.size(), offset = 0;
  for (extent i = 0; i < n; ++i) {
    f(i, offset);
    for (int k = t.rank - 1; k >= 0; --k) {
      offset += stride[k];
      if (++at[k] < t.e[k]) break;
      offset -= stride[k] * t.e[k];
      at[k] = 0;
    }
  }
}

template <class X, class F> inline void elementwise_of(call const& c, int n_in, F f) {
  constexpr int chunk = 64;
  X in[3][chunk], out[chunk], x[3];
  extent n = c.out_type[0].size();
  for (extent at = 0; at < n; at += chunk) {
    extent m = n - at < chunk ? n - at : chunk;
    for (int k = 0; k < n_in; ++k) load(c.in_type[k].d, c.in[k], at, m, in[k]);
    for (extent i = 0; i < m; ++i) {
      for (int k = 0; k < n_in; ++k) x[k] = in[k][i];
      out[i] = f(x);
    }
    store(c.out_type[0].d, c.out[0], at, m, out);
  }
}
inline bool all_whole(call const& c, int n) {
  for (int k = 0; k < n; ++k)
    if (is_floating(c.in_type[k].d)) return false;
  return true;
}
/// Is one of them u64, whose order is not that of integers with a sign?
inline bool any_u64(call const& c, int n) {
  for (int k = 0; k < n; ++k)
    if (c.in_type[k].d == dtype::u64) return true;
  return false;
}
inline void elementwise(call const& c, ops::evaluator const& r) {
  if (r.scalar.whole && all_whole(c, r.arity)) {
    if (any_u64(c, r.arity)) elementwise_of<std::uint64_t>(c, r.arity, r.scalar.natural);
    else elementwise_of<std::int64_t>(c, r.arity, r.scalar.whole);
  } else if (r.scalar.single && computed_in(c.out_type[0].d) == dtype::f32)
    elementwise_of<double>(c, r.arity, [&](double const* x) {
      float const single = float(x[0]);
      return double(r.scalar.single(&single));
    });
  else elementwise_of<double>(c, r.arity, r.scalar.real);
}

/// Strides that send an index of the operand to its place in the reduced result (0 on axes gone).
inline void reduced_strides(call const& c, extent* stride) {
  extent full[max_rank]{};
  row_major(c.out_type[0], full);
  for (int i = 0, k = 0; i < c.in_type[0].rank; ++i) {
    bool gone = false;
    for (int a = 0; a < c.n_attr; ++a) gone = gone || c.attr[a] == i;
    stride[i] = gone ? 0 : full[k++];
  }
}
template <class X, class F> inline void reduce_of(call const& c, F f, X start) {
  extent stride[max_rank]{}, n = c.out_type[0].size();
  reduced_strides(c, stride);
  scratch<X> acc(n);
  for (extent i = 0; i < n; ++i) acc[i] = start;
  for_each_index(c.in_type[0], stride, [&](extent i, extent at) {
    X x[] = {acc[at], load_one<X>(c.in_type[0].d, c.in[0], i)};
    acc[at] = f(x);
  });
  store(c.out_type[0].d, c.out[0], 0, n, acc.data());
}
inline void reduction(call const& c, ops::evaluator const& r) {
  if (c.in_type[0].d == dtype::u64) reduce_of(c, r.scalar.natural, r.scalar.natural_start);
  else if (!is_floating(c.in_type[0].d)) reduce_of(c, r.scalar.whole, r.scalar.whole_start);
  else reduce_of(c, r.scalar.real, r.scalar.real_start);
}
template <class X, class F> inline void arg_reduce_of(call const& c, F wins) {
  extent stride[max_rank]{}, full[max_rank]{}, n = c.out_type[0].size(), axis = c.attr[0];
  reduced_strides(c, stride);
  row_major(c.in_type[0], full);
  scratch<X> best(n);
  std::int32_t* where = static_cast<std::int32_t*>(c.out[1]);
  for (extent i = 0; i < n; ++i) where[i] = -1;
  for_each_index(c.in_type[0], stride, [&](extent i, extent at) {
    X x[] = {where[at] < 0 ? X(0) : best[at], load_one<X>(c.in_type[0].d, c.in[0], i)};
    if (where[at] < 0 || wins(x) != 0) {
      best[at] = x[1];
      where[at] = std::int32_t(i / full[axis] % c.in_type[0].e[axis]);
    }
  });
  store(c.out_type[0].d, c.out[0], 0, n, best.data());
}
inline void arg_reduction(call const& c, ops::evaluator const& r) {
  if (c.in_type[0].d == dtype::u64) arg_reduce_of<std::uint64_t>(c, r.scalar.natural);
  else if (!is_floating(c.in_type[0].d)) arg_reduce_of<std::int64_t>(c, r.scalar.whole);
  else arg_reduce_of<double>(c, r.scalar.real);
}

/// Elements of the operand, visited in the order of the result, copied byte by byte.
inline void copy_strided(call const& c, extent const* stride) {
  int b = bytes_of(c.in_type[0].d);
  auto const* from = static_cast<char const*>(c.in[0]);
  auto* to = static_cast<char*>(c.out[0]);
  for_each_index(c.out_type[0], stride,
                 [&](extent i, extent at) { std::memcpy(to + i * b, from + at * b, std::size_t(b)); });
}

/// Where a gather or scatter reads: f(flat index in the slices, offset in x or -1, flat index).
template <class F> inline void for_each_slice(tensor_type const& x, tensor_type const& index, void const* at,
                                              std::int64_t const* attr, tensor_type const& slices, F&& f) {
  ops::gather_dims const d = ops::gather_dims::read(attr);
  int axis = d.axis, nb = d.n_batch, ni = index.rank - nb;
  extent xs[max_rank]{}, is[max_rank]{}, sx[max_rank]{}, si[max_rank]{};
  row_major(x, xs);
  row_major(index, is);
  for (int k = 0; k < axis; ++k) sx[k] = xs[k];
  for (int k = 0; k < nb; ++k) si[k] = is[k];
  for (int k = 0; k < ni; ++k) si[axis + k] = is[nb + k];
  for (int k = axis + 1; k < x.rank; ++k) sx[k + ni - 1] = xs[k];
  scratch<extent> place(slices.size());
  for_each_index(slices, si, [&](extent i, extent o) { place[i] = o; });
  for_each_index(slices, sx, [&](extent i, extent o) {
    std::int64_t k = load_one<std::int64_t>(index.d, at, place[i]);
    if (k < 0) k += x.e[axis];
    f(i, k >= 0 && k < x.e[axis] ? o + k * xs[axis] : extent(-1));
  });
}

}  // namespace etna::eager

namespace etna::ops {

inline void literal_p::reference(call const& c) {
  for (int i = 0; i < c.n_attr; ++i) eager::store_bits(c.out_type[0].d, c.out[0], i, c.attr[i]);
}
inline void full_p::reference(call const& c) {
  extent const n = c.out_type[0].size(), b = bytes_of(c.out_type[0].d);
  if (n == 0) return;
  eager::store_bits(c.out_type[0].d, c.out[0], 0, c.attr[0]);
  auto* const to = static_cast<char*>(c.out[0]);
  for (extent done = 1; done < n; done *= 2)
    std::memcpy(to + done * b, to, std::size_t((done < n - done ? done : n - done) * b));
}
inline void iota_p::reference(call const& c) {
  extent stride[max_rank]{};
  stride[c.attr[0]] = 1;
  eager::for_each_index(c.out_type[0], stride,
                        [&](extent i, extent k) { eager::store_one(c.out_type[0].d, c.out[0], i, k); });
}
inline void extent_size_p::reference(call const& c) { eager::store_one(c.out_type[0].d, c.out[0], 0, c.attr[0]); }
inline void broadcast_p::reference(call const& c) {
  extent full[max_rank]{}, stride[max_rank]{};
  eager::row_major(c.in_type[0], full);
  for (int k = 0; k < c.in_type[0].rank; ++k)
    if (c.in_type[0].e[k] != 1) stride[broadcast_words::axis_of(c.attr, k)] = full[k];
  eager::copy_strided(c, stride);
}
inline void reshape_p::reference(call const& c) {
  std::memcpy(c.out[0], c.in[0], std::size_t(c.out_type[0].size() * bytes_of(c.out_type[0].d)));
}
inline void transpose_p::reference(call const& c) {
  extent full[max_rank]{}, stride[max_rank]{};
  eager::row_major(c.in_type[0], full);
  for (int k = 0; k < c.n_attr; ++k) stride[k] = full[c.attr[k]];
  eager::copy_strided(c, stride);
}
// An operand of a product of this precision; what bf16 leaves of it, where that is wanted.
inline void round_to(precision p, double& x, double* low) {
  float const whole = float(x);
  x = p == precision::f32 ? whole : low ? float(bfloat16(whole)) : float(bfloat16(x));
  if (low) *low = float(bfloat16(whole - float(x)));
}
// Each output element is one sum over the contracted axes, kept in X: double, or integers that wrap.
template <class X> inline void dot_in(call const& c) {
  dot_dims d = dot_dims::read(c.attr);
  tensor_type const &x = c.in_type[0], &y = c.in_type[1];
  extent xs[max_rank]{}, ys[max_rank]{}, ox[max_rank]{}, oy[max_rank]{}, kx[max_rank]{}, ky[max_rank]{};
  eager::row_major(x, xs);
  eager::row_major(y, ys);
  int axes[max_rank]{}, r = 0;
  for (int i = 0; i < d.n_batch; ++i, ++r) {
    ox[r] = xs[d.lhs_batch[i]];
    oy[r] = ys[d.rhs_batch[i]];
  }
  int n = dot::free_axes(x.rank, d.lhs_batch, d.n_batch, d.lhs_contract, d.n_contract, axes);
  for (int i = 0; i < n; ++i) ox[r++] = xs[axes[i]];
  n = dot::free_axes(y.rank, d.rhs_batch, d.n_batch, d.rhs_contract, d.n_contract, axes);
  for (int i = 0; i < n; ++i) oy[r++] = ys[axes[i]];
  tensor_type inner{x.d, d.n_contract, {}};
  for (int i = 0; i < d.n_contract; ++i) {
    inner.e[i] = x.e[d.lhs_contract[i]];
    kx[i] = xs[d.lhs_contract[i]];
    ky[i] = ys[d.rhs_contract[i]];
  }
  extent total = c.out_type[0].size(), contracted = inner.size();
  eager::scratch<extent> from_x(total), along_x(contracted);
  eager::for_each_index(c.out_type[0], ox, [&](extent i, extent o) { from_x[i] = o; });
  eager::for_each_index(inner, kx, [&](extent i, extent o) { along_x[i] = o; });
  extent nx = x.size(), ny = y.size();
  eager::scratch<X> vx(nx), vy(ny);
  eager::load(x.d, c.in[0], 0, nx, vx.data());
  eager::load(y.d, c.in[1], 0, ny, vy.data());
  precision const p{std::uint8_t(d.precision)};
  bool const three = p == precision::bf16x3;
  eager::scratch<X> low_x(three ? nx : 0), low_y(three ? ny : 0);
  if constexpr (std::is_same_v<X, double>) {
    for (extent i = 0; i < nx && p != precision::usual; ++i) round_to(p, vx[i], three ? &low_x[i] : nullptr);
    for (extent i = 0; i < ny && p != precision::usual; ++i) round_to(p, vy[i], three ? &low_y[i] : nullptr);
  }
  eager::for_each_index(c.out_type[0], oy, [&](extent i, extent o) {
    X s = 0, small = 0;
    eager::for_each_index(inner, ky, [&](extent k, extent ok) {
      extent const at = from_x[i] + along_x[k], other = o + ok;
      s += vx[at] * vy[other];
      if (three) small += vx[at] * low_y[other] + low_x[at] * vy[other];
    });
    if (small == small) s += small;  // NaN where an operand is infinite
    eager::store_one(c.out_type[0].d, c.out[0], i, s);
  });
}
inline void dot_general_p::reference(call const& c) {
  if (eager::all_whole(c, 2)) dot_in<std::uint64_t>(c);
  else dot_in<double>(c);
}
inline void gather_p::reference(call const& c) {
  dtype d = c.out_type[0].d;
  eager::for_each_slice(c.in_type[0], c.in_type[1], c.in[1], c.attr, c.out_type[0], [&](extent i, extent at) {
    double missing = is_floating(d) ? std::numeric_limits<double>::quiet_NaN() : 0;
    if (at < 0) eager::store_one(d, c.out[0], i, missing);
    else if (is_floating(d)) eager::store_one(d, c.out[0], i, eager::load_one<double>(d, c.in[0], at));
    else eager::store_one(d, c.out[0], i, eager::load_one<std::int64_t>(d, c.in[0], at));
  });
}
inline void scatter_add_p::reference(call const& c) {
  dtype const d = c.out_type[0].d, sum = computed_in(d);
  extent const n = c.out_type[0].size();
  // sums of 8 and 16 bits are rounded when they are complete
  eager::scratch<std::int64_t> wide(sum == d ? 0 : n);
  void* const to = sum == d ? c.out[0] : wide.data();
  auto in = [&]<class X>(X) {
    if (sum == d) std::memcpy(to, c.in[0], std::size_t(n * bytes_of(d)));
    else
      for (extent i = 0; i < n; ++i) eager::store_one(sum, to, i, eager::load_one<X>(d, c.in[0], i));
    eager::for_each_slice(c.in_type[0], c.in_type[1], c.in[1], c.attr, c.in_type[2], [&](extent i, extent at) {
      if (at < 0) return;
      eager::store_one(sum, to, at, X(eager::load_one<X>(sum, to, at) + eager::load_one<X>(d, c.in[2], i)));
    });
    for (extent i = 0; sum != d && i < n; ++i) eager::store_one(d, c.out[0], i, eager::load_one<X>(sum, to, i));
  };
  if (is_floating(d)) in(0.0);
  else in(std::uint64_t(0));
}

}  // namespace etna::ops
