// SPDX-License-Identifier: BSD-3-Clause
// Convolutions under JAX's and NumPy's names: products of windows. Read next: <etna/nn/pooling.hpp>.
#pragma once
#include "einsum.hpp"
#include "windowing.hpp"

namespace etna {

/// Options of convolutions. In which order the axes stand, as letters: of the input ("NC" are batch and channels), of
/// the kernel ("OI" its output and input channels), of the result; the others are axes of space, of any letters.
template <fixed_string Input, fixed_string Kernel, fixed_string Output>
inline constexpr numpy::letters_option<Input, Kernel, Output> dimension_numbers{};
/// How far the elements of the input are from each other, with zeros between: base_dilation by another name.
template <extent... D> inline constexpr auto lhs_dilation = base_dilation<D...>;
/// How far the elements of the kernel are from each other: window_dilation by another name.
template <extent... D> inline constexpr auto rhs_dilation = window_dilation<D...>;
/// Channels in groups, each with a kernel of its own.
template <extent N> inline constexpr numpy::group_option<&numpy::window_choice::groups, N> feature_group_count{};
/// The batch in groups, each with a kernel of its own.
template <extent N> inline constexpr numpy::group_option<&numpy::window_choice::batch_groups, N> batch_group_count{};

namespace numpy {

/// Which axis of an array is what, in a convolution.
struct convolution_axes {
  int batch = -1, channel = -1, space[max_rank]{};
};
/// A convolution, as far as types say it.
struct convolution {
  enum class fault { none, axes, channels, options, too_large } wrong = fault::none;
  int n = 0;                      // axes of space
  convolution_axes x, kernel, y;  // of the kernel: batch is its output, channel its input
  window_axes windows;            // by axis of x
  extent groups = 1, batch_groups = 1;
  precision products = precision::usual;
  tensor_type value{};
};
constexpr int letter_at(char const* s, char c) {
  for (int i = 0; s[i]; ++i)
    if (s[i] == c) return i;
  return -1;
}
/// The places of letters in an array of this rank, `others` those of batch and channel (of a kernel:
/// output, input); the axes of space in the order of those of `order`.
constexpr bool read_axes(char const* letters, char const* order, char const* others, int rank, convolution_axes& to) {
  int length = 0, n = 0;
  while (letters[length]) ++length;
  to.batch = letter_at(letters, others[0]);
  to.channel = letter_at(letters, others[1]);
  if (length != rank || to.batch < 0 || to.channel < 0) return false;
  for (int i = 0; order[i]; ++i) {
    if (order[i] == 'N' || order[i] == 'C') continue;
    int const at = letter_at(letters, order[i]);
    if (at < 0 || at == to.batch || at == to.channel) return false;
    to.space[n++] = at;
  }
  return n == rank - 2;
}
constexpr convolution convolve_types(tensor_type const& x, tensor_type const& k, window_choice c) {
  using enum convolution::fault;
  constexpr char const *usual_x[] = {"NCW", "NCHW", "NCDHW"}, *usual_k[] = {"OIW", "OIHW", "OIDHW"};
  convolution r;
  r.n = x.rank - 2;
  r.groups = c.groups;
  r.batch_groups = c.batch_groups;
  r.products = c.products;
  r.value = x;
  auto failed = [&](convolution::fault f) {
    r.wrong = f;
    return r;
  };
  if (x.rank != k.rank || r.n < 1 || r.n > 3) return failed(axes);
  if (!c.has_letters) c.x = c.y = usual_x[r.n - 1], c.kernel = usual_k[r.n - 1];
  if (!read_axes(c.x, c.x, "NC", x.rank, r.x) || !read_axes(c.kernel, c.x, "OI", x.rank, r.kernel) ||
      !read_axes(c.y, c.x, "NC", x.rank, r.y))
    return failed(axes);
  extent const in = k.e[r.kernel.channel], out = k.e[r.kernel.batch], batch = x.e[r.x.batch];
  if (in < 0 || out < 0 || x.e[r.x.channel] != in * r.groups || out % (r.groups * r.batch_groups) != 0 ||
      (r.groups > 1 && r.batch_groups > 1))
    return failed(channels);
  if (r.batch_groups > 1 && (batch < 0 || batch % r.batch_groups != 0)) return failed(channels);
  extent size[max_rank]{};
  for (int i = 0; i < r.n; ++i) size[i] = k.e[r.kernel.space[i]];
  r.windows = c.place(x, r.x.space, size, r.n);
  for (int i = 0; i < r.n; ++i)
    if (window_axis& w = r.windows.of[r.x.space[i]]; w.size == 0)
      w = {1, 1, 0, 0, 1, 1};  // one element is a window, too
  if (!c.is_good) return failed(options);
  if (!windows_fit(x, r.windows)) return failed(too_large);
  tensor_type const places = places_of(x, r.windows);
  r.value.e[r.y.batch] = r.batch_groups > 1 ? batch / r.batch_groups : batch;
  r.value.e[r.y.channel] = out;
  for (int i = 0; i < r.n; ++i) r.value.e[r.y.space[i]] = places.e[r.x.space[i]];
  return r;
}

/// A value and the letters of its axes, as they come.
constexpr void put_letter(lettered& l, char c) { l.c[std::size_t(l.rank++)] = c; }
/// An axis in two, the first of them 'G'.
constexpr void in_groups(lettered& l, char of, extent groups) {
  int const axis = find_letter(l.c.data(), l.rank, of);
  tensor_type t = l.x.type().insert(axis, groups);
  t.e[axis + 1] /= groups;
  l.x = reshape(l.x, t);
  for (int i = l.rank++; i > axis; --i) l.c[std::size_t(i)] = l.c[std::size_t(i - 1)];
  l.c[std::size_t(axis)] = 'G';
}
/// The last axis of an array, where views have put others behind it, last again: sums then go as memory lies.
constexpr void move_last(lettered& l, int axis) {
  std::int64_t perm[max_rank]{};
  char const c = l.c[std::size_t(axis)];
  for (int i = 0; i < l.rank; ++i) {
    perm[i] = i + 1 == l.rank ? axis : i + (i >= axis);
    if (i >= axis) l.c[std::size_t(i)] = i + 1 == l.rank ? c : l.c[std::size_t(i + 1)];
  }
  l.x = call(code<ops::transpose_p>, l.x, perm, l.rank);
}
/// The convolution as a formula of letters: N the batch, C and O channels, 'a' and on places, 'k' and on a window's
/// elements, G groups.
constexpr handle convolve(handle const& x, handle const& k, convolution const& c) {
  extent const groups = c.groups * c.batch_groups;
  lettered of[2];
  of[0].x = windows_of(x, c.windows, 0);
  of[1].x = k;
  int const rank = c.n + 2;
  terms t;
  auto const space_of = [&](convolution_axes const& a, int axis) {
    int i = 0;
    while (a.space[i] != axis) ++i;
    return i;
  };
  for (int i = 0; i < rank; ++i) {
    put_letter(of[0], i == c.x.batch ? 'N' : i == c.x.channel ? 'C' : char('a' + space_of(c.x, i)));
    put_letter(of[1], i == c.kernel.batch ? 'O' : i == c.kernel.channel ? 'C' : char('k' + space_of(c.kernel, i)));
    if (i == c.y.channel && groups > 1) t.out[t.out_rank++] = 'G';
    t.out[t.out_rank++] = i == c.y.batch ? 'N' : i == c.y.channel ? 'O' : char('a' + space_of(c.y, i));
  }
  for (int i = 0; i < rank; ++i)
    if (i != c.x.batch && i != c.x.channel) put_letter(of[0], char('k' + space_of(c.x, i)));
  if (c.x.channel == rank - 1) move_last(of[0], c.x.channel);
  if (groups > 1) {
    in_groups(of[0], c.groups > 1 ? 'C' : 'N', groups);
    in_groups(of[1], 'O', groups);
  }
  t.n = 2;
  for (int side = 0; side < 2; ++side) {
    t.rank[side] = of[side].rank;
    for (int i = 0; i < of[side].rank; ++i) t.in[side][i] = of[side].c[std::size_t(i)];
  }
  handle const in[] = {of[0].x, of[1].x};
  handle const y = einsum(t, in, c.products);
  tensor_type joined = c.value.with(y.type().d);
  for (int i = 0; i < rank; ++i)
    if (joined.e[i] < 0) joined.e[i] = y.type().e[i + (groups > 1 && i > c.y.channel)];  // a name has a size by now
  return reshape(y, joined);
}

/// A transposed convolution as one of an input that is spread: the stride of the former is how far.
constexpr window_choice transposed(tensor_type const& k, window_choice c) {
  constexpr char const *usual_x[] = {"NWC", "NHWC", "NDHWC"}, *usual_k[] = {"WIO", "HWIO", "DHWIO"};
  int const n = k.rank - 2;
  if (n < 1 || n > 3) return c;
  if (!c.has_letters) c.x = c.y = usual_x[n - 1], c.kernel = usual_k[n - 1], c.has_letters = true;
  convolution_axes axes;
  c.is_good = c.is_good && c.spread.n == 0 && c.strides.fits(n, 1) && c.dilation.fits(n, 1);
  if (!c.is_good || !read_axes(c.kernel, c.x, "OI", k.rank, axes)) return c;
  c.spread = c.strides;
  c.strides.n = 0;
  if (c.pads == padding_kind::given) return c;
  for (int i = 0; i < n; ++i) {
    extent const size = (k.e[axes.space[i]] - 1) * c.dilation.at(i, 1) + 1, stride = c.spread.at(i, 1);
    bool const same = c.pads == padding_kind::same;
    extent const all = size + stride - 2 + (same ? 0 : std::max<extent>(size - stride, 0)),
                 before = same && stride < size ? (all + 1) / 2 : size - 1;
    c.padding.v[c.padding.n++] = before;
    c.padding.v[c.padding.n++] = all - before;
  }
  c.pads = padding_kind::given;
  return c;
}

template <bool Transposed, class X, class K, class... O> struct convolved {
  static constexpr convolution c =
      convolve_types(X::type, K::type, Transposed ? transposed(K::type, choice_of<O...>()) : choice_of<O...>());
  static constexpr tensor_type value = c.value.with(common_dtype<X, K>());
};
template <class P, class X, class K> constexpr bool require_convolution() {
  using enum convolution::fault;
  using x = typename text_of<X>::type;
  using k = typename text_of<K>::type;
  if constexpr (P::c.wrong == axes) message::fail<message::E057_convolution_axes<x, k>>();
  if constexpr (P::c.wrong == channels) message::fail<message::E057_convolution_channels<x, k>>();
  if constexpr (P::c.wrong == options) message::fail<message::E059_windows<x, k>>();
  if constexpr (P::c.wrong == too_large) message::fail<message::E059_window_is_too_large<x, k>>();
  if constexpr (!have_common<X, K>()) message::fail<message::E136_no_common_element_type<X, K>>();
  return P::c.wrong == none && have_common<X, K>();
}

template <class P, class X, class K> constexpr auto convolve_arrays(X const& x, K const& kernel) {
  constexpr bool ok = require_convolution<P, X, K>();
  if constexpr (!ok) return x;
  else {
    (void)require_floating<P::c.products, X, K>();
    transform::names_agree(x, kernel);
    constexpr auto c = P::c;
    return to_array<array_of<P>>(convolve(to_handle(x), to_handle(kernel), c));
  }
}

}  // namespace numpy

/// Convolution (as networks mean it: the kernel is not turned) of one to three axes of space. Options, in any order:
/// window_strides, padding or padding_same (without: none), lhs_dilation, rhs_dilation, feature_group_count,
/// batch_group_count, dimension_numbers, in_precision.
///
/// shape   x [n, c, h, w], kernel [o, c / groups, kh, kw] -> [n, o, places of h, places of w];
///         other orders by dimension_numbers<"NHWC", "HWIO", "NHWC">
/// dtype   promoted; sums are kept in the result's element type, those of bf16 and f16 in f32
/// diff    bilinear; by the input a convolution of the cotangent with the kernel turned
/// cost    one product, which reads windows where they lie
/// errors  E057 axes and channels, E059 options, a kernel larger than the padded input, E098 a precision of integers,
///         E136
/// source  JAX lax.conv_general_dilated
template <any_array X, any_array K, numpy::window_option... O>
constexpr auto conv_general(X const& x, K const& kernel, O const&...) {
  return numpy::convolve_arrays<numpy::convolved<false, X, K, O...>>(x, kernel);
}
/// The same, of batch, channels and space in this order.
///
/// source  JAX lax.conv
template <any_array X, any_array K, numpy::window_option... O>
constexpr auto conv(X const& x, K const& kernel, O const&... option) {
  return conv_general(x, kernel, option...);
}

/// The transpose of a convolution by its input, as layers that enlarge use it: window_strides say how many results
/// there are for an element. Options are padding, padding_same (without: as many results as the kernel reaches),
/// rhs_dilation, dimension_numbers.
///
/// shape   x [n, h, w, c], kernel [kh, kw, c, o] -> [n, h', w', o]; with padding_same h' is h times the stride
/// diff    bilinear
/// errors  E057 axes and channels, E059 options, E136
/// source  JAX lax.conv_transpose (the kernel is not turned)
template <any_array X, any_array K, numpy::window_option... O>
constexpr auto conv_transpose(X const& x, K const& kernel, O const&...) {
  return numpy::convolve_arrays<numpy::convolved<true, X, K, O...>>(x, kernel);
}

namespace numpy {
/// What of two sequences' products is wanted; `none` is no mode.
enum class overlap_mode { full, same, valid, none };
constexpr overlap_mode mode_of(char const* s) {
  auto const is = [&](char const* t) {
    int i = 0;
    while (s[i] && s[i] == t[i]) ++i;
    return s[i] == t[i];
  };
  return is("full")    ? overlap_mode::full
         : is("same")  ? overlap_mode::same
         : is("valid") ? overlap_mode::valid
                       : overlap_mode::none;
}
template <overlap_mode Mode, class X, class V> constexpr auto slide(X const& x, V const& v) {
  constexpr extent n = V::type.e[0],
                   low = Mode == overlap_mode::full   ? n - 1
                         : Mode == overlap_mode::same ? n / 2
                                                      : 0,
                   high = Mode == overlap_mode::full   ? n - 1
                          : Mode == overlap_mode::same ? n - n / 2 - 1
                                                       : 0;
  return squeeze<0, 1>(conv_general(reshape<1, 1, -1>(x), reshape<1, 1, -1>(v), padding<low, high>));
}
template <class Mode, class X, class V> constexpr bool require_sequences() {
  constexpr bool ok = X::rank == 1 && V::rank == 1 && X::is_static && V::is_static;
  if constexpr (ok && Mode::value != overlap_mode::none && X::type.e[0] > 0 && V::type.e[0] > 0) return true;
  else {
    message::fail<message::E057_sequences<typename text_of<X>::type, typename text_of<V>::type>>();
    return false;
  }
}
template <fixed_string Mode> struct mode_holder {
  static constexpr overlap_mode value = mode_of(Mode.text);
};
}  // namespace numpy

/// Sums of products of v with the parts of x: correlate<"same">(x, v). Modes are "valid" (without one), "same", "full".
///
/// shape   x [n], v [m] -> [max - min + 1], [max] or [n + m - 1]
/// dtype   promoted
/// errors  E057 not two sequences, or no mode
/// source  NumPy correlate
template <fixed_string Mode = "valid", any_array X, any_array V> constexpr auto correlate(X const& x, V const& v) {
  using M = numpy::mode_holder<Mode>;
  constexpr bool ok = numpy::require_sequences<M, X, V>();
  if constexpr (!ok) return x;
  else if constexpr (X::type.e[0] < V::type.e[0]) return flip<0>(numpy::slide<M::value>(v, x));
  else return numpy::slide<M::value>(x, v);
}
/// The coefficients of a product of polynomials, or a signal filtered: convolve<"same">(x, v). Modes are "full"
/// (without one), "same", "valid".
///
/// shape   x [n], v [m] -> [n + m - 1], [max] or [max - min + 1]
/// dtype   promoted
/// errors  E057 not two sequences, or no mode
/// source  NumPy convolve
template <fixed_string Mode = "full", any_array X, any_array V> constexpr auto convolve(X const& x, V const& v) {
  using M = numpy::mode_holder<Mode>;
  constexpr bool ok = numpy::require_sequences<M, X, V>();
  if constexpr (!ok) return x;
  else if constexpr (X::type.e[0] < V::type.e[0]) return numpy::slide<M::value>(v, flip<0>(x));
  else return numpy::slide<M::value>(x, flip<0>(v));
}

}  // namespace etna
