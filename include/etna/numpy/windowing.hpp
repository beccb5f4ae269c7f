// SPDX-License-Identifier: BSD-3-Clause
// Windows of arrays under JAX's and NumPy's names: how they lie (strides, padding, dilation), views of them, and their
// reduction. Read next: convolution.hpp.
#pragma once
#include "join.hpp"

namespace etna {
namespace numpy {

/// The windows of one axis: `size` elements, `dilation` apart, every `stride` places, in an axis whose elements are
/// `spread` apart with `low` and `high` elements more around it. Of size 0: the axis has none. (All are 0 then: in a
/// constant of constants g++ 12 leaves out what a member's own initialiser says.)
struct window_axis {
  extent size, stride, low, high, spread, dilation;
  constexpr ops::window_dim windows() const {
    return size == 0 ? ops::window_dim{0, 1, 1} : ops::window_dim{size, stride, dilation};
  }
  /// Elements of an axis of e, spread and padded.
  constexpr extent padded(extent e) const {
    return is_as_it_is() ? e : (e == 0 ? 0 : (e - 1) * spread + 1) + low + high;
  }
  constexpr bool is_as_it_is() const { return size == 0 || (low == 0 && high == 0 && spread == 1); }
};
struct window_axes {
  window_axis of[max_rank]{};
};
enum class padding_kind { valid, same, given };

/// What the options of a call say; of a list that is not there, `n` is 0.
struct window_choice {
  struct list {
    int n = 0;
    extent v[2 * max_rank]{};
    constexpr extent at(int i, extent otherwise) const { return n == 0 ? otherwise : v[i]; }
    constexpr bool fits(int count, extent least) const {
      if (n != 0 && n != count) return false;
      for (int i = 0; i < n; ++i)
        if (v[i] < least) return false;
      return true;
    }
  };
  list strides, padding, spread, dilation;
  padding_kind pads = padding_kind::valid;
  bool has_padding = false;
  extent groups = 1, batch_groups = 1;
  char const *x = nullptr, *kernel = nullptr, *y = nullptr;  // letters of axes, if they are given
  bool has_letters = false;
  precision products = precision::usual;
  bool leaves_padding_out = false;
  bool is_good = true;

  /// Windows of these sizes along these axes of x; is_good says whether that is meant.
  constexpr window_axes place(tensor_type const& x, int const* axis, extent const* size, int n) {
    window_axes w;
    is_good = is_good && strides.fits(n, 1) && spread.fits(n, 1) && dilation.fits(n, 1) &&
              (pads != padding_kind::given || padding.n == 2 * n);
    for (int i = 0; is_good && i < n; ++i) {
      window_axis& a = w.of[axis[i]];
      extent const e = x.e[axis[i]];
      a = {size[i],         strides.at(i, 1), padding.at(2 * i, 0), padding.at(2 * i + 1, 0),
           spread.at(i, 1), dilation.at(i, 1)};
      if (pads == padding_kind::same && e >= 0) {
        extent const count = (e + a.stride - 1) / a.stride,
                     more = (count - 1) * a.stride + (a.size - 1) * a.dilation + 1 - e;
        if (more > 0) a.low = more / 2, a.high = more - more / 2;
      }
      bool const is_plain = a.size == 1 && a.stride == 1 && a.is_as_it_is();
      if (is_plain) a = {};  // also where the axis has a name
      else is_good = e >= 0 && a.size > 0 && a.padded(e) >= 0;
    }
    return w;
  }
};
/// Does each window lie inside its axis?
constexpr bool windows_fit(tensor_type const& x, window_axes const& w) {
  for (int i = 0; i < x.rank; ++i)
    if (ops::window_dim const d = w.of[i].windows(); d.there() && w.of[i].padded(x.e[i]) < d.span()) return false;
  return true;
}

/// x with its elements spread, and v around them.
template <class V> constexpr handle padded_for(handle const& x, window_axes const& w, V const& v) {
  tensor_type all = x.type();
  ops::update_dim place[max_rank]{};
  ops::slice_dim inside[max_rank]{};
  bool is_same = true, is_cut = false;
  for (int i = 0; i < all.rank; ++i) {
    window_axis const& a = w.of[i];
    extent const low = a.low > 0 ? a.low : 0, high = a.high > 0 ? a.high : 0, e = all.e[i];
    place[i] = {0, 1};
    inside[i] = {0, e, 1};
    if (a.is_as_it_is()) continue;
    place[i] = {low, a.spread};
    is_same = is_same && low == 0 && high == 0 && a.spread == 1;
    all.e[i] = a.padded(e) + (low - a.low) + (high - a.high);
    inside[i] = {low - a.low, a.padded(e), 1};
    is_cut = is_cut || inside[i].size != all.e[i];
  }
  handle r = x;
  if (!is_same) r = update(everywhere(all, v, x), x, place);
  if (!is_cut) return r;
  ops::dims_as_words const words(inside, all.rank);
  return call(code<ops::slice_p>, r, words.a, words.n);
}
/// The windows of x: their places, then their elements, as axes behind all.
template <class V> constexpr handle windows_of(handle const& x, window_axes const& w, V const& v) {
  handle around = padded_for(x, w, v);
  ops::window_dim dims[max_rank]{};
  bool are_there = false;
  for (int i = 0; i < x.type().rank; ++i) {
    dims[i] = w.of[i].windows();
    are_there = are_there || dims[i].there();
  }
  if (!are_there) return around;
  ops::dims_as_words const words(dims, x.type().rank);
  return call(code<ops::windows_p>, around, words.a, words.n);
}
/// The shape of x with a place for each window.
constexpr tensor_type places_of(tensor_type x, window_axes const& w) {
  for (int i = 0; i < x.rank; ++i)
    if (w.of[i].size != 0) x.e[i] = w.of[i].windows().count(w.of[i].padded(x.e[i]));
  return x;
}

// Options: each is a type that says its part of the choice.
template <auto Part, extent... V> struct listed_option {
  static constexpr void tell(window_choice& c) {
    auto& list = c.*Part;
    c.is_good = c.is_good && list.n == 0 && sizeof...(V) > 0 && sizeof...(V) <= 2 * max_rank;
    if (c.is_good) ((list.v[list.n++] = V), ...);
  }
};
template <padding_kind Kind, extent... V> struct padding_option {
  static constexpr void tell(window_choice& c) {
    c.is_good = c.is_good && !c.has_padding;
    c.has_padding = true;
    c.pads = Kind;
    if constexpr (sizeof...(V) > 0) listed_option<&window_choice::padding, V...>::tell(c);
  }
};
template <auto Part, extent N> struct group_option {
  static constexpr void tell(window_choice& c) {
    c.is_good = c.is_good && c.*Part == 1 && N > 0;
    c.*Part = N;
  }
};
template <fixed_string X, fixed_string Kernel, fixed_string Y> struct letters_option {
  static constexpr void tell(window_choice& c) {
    c.is_good = c.is_good && !c.has_letters;
    c.has_letters = true;
    c.x = X.text;
    c.kernel = Kernel.text;
    c.y = Y.text;
  }
};
template <precision P> struct precision_option {
  static constexpr void tell(window_choice& c) {
    c.is_good = c.is_good && c.products == precision::usual;
    c.products = P;
  }
};
struct count_option {
  static constexpr void tell(window_choice& c) { c.leaves_padding_out = true; }
};
template <class O> concept window_option = requires(window_choice& c) { O::tell(c); };
template <class W, class... More> inline constexpr bool takes_window_options =
    window_option<W> && (window_option<More> && ... && true);
template <class... O> constexpr window_choice choice_of() {
  window_choice c;
  (O::tell(c), ...);
  return c;
}

}  // namespace numpy

/// Options of windows. How far windows are from each other, along each axis that they have: else 1.
template <extent... S> inline constexpr numpy::listed_option<&numpy::window_choice::strides, S...> window_strides{};
/// Elements before and behind each axis, in pairs: padding<0, 1, 2, 2>.
template <extent... P> inline constexpr numpy::padding_option<numpy::padding_kind::given, P...> padding{};
/// None: windows lie inside, JAX's "VALID".
inline constexpr numpy::padding_option<numpy::padding_kind::valid> padding_valid{};
/// As many that there is a window for each stride: JAX's "SAME".
inline constexpr numpy::padding_option<numpy::padding_kind::same> padding_same{};
/// How far the elements of a window are from each other.
template <extent... D> inline constexpr numpy::listed_option<&numpy::window_choice::dilation, D...> window_dilation{};
/// How far the elements of the array are from each other before windows are laid; zeros between.
template <extent... D> inline constexpr numpy::listed_option<&numpy::window_choice::spread, D...> base_dilation{};

/// Of convolutions: the precision of their products, whatever the scope around says (with_precision).
template <precision P> inline constexpr numpy::precision_option<P> in_precision{};

namespace numpy {

/// Windows of these sizes along the last axes of A but `Behind` of them; its checks, and the places.
template <class A, int Behind, class Sizes, class... O> struct placed_windows;
template <class A, int Behind, extent... Size, class... O>
struct placed_windows<A, Behind, std::integer_sequence<extent, Size...>, O...> {
  static constexpr int n = sizeof...(Size), first = A::rank - Behind - n;
  struct found {
    window_axes axes{};
    window_choice choice{};
    bool fit = false;
  };
  static constexpr found find() {
    found f;
    f.choice = choice_of<O...>();
    extent const size[] = {Size..., 0};
    int axis[n + 1]{};
    for (int i = 0; i < n; ++i) axis[i] = first + i;
    if (first < 0 || f.choice.products != precision::usual) f.choice.is_good = false;
    else f.axes = f.choice.place(A::type, axis, size, n);
    f.fit = f.choice.is_good && windows_fit(A::type, f.axes);
    return f;
  }
  static constexpr found here = find();
  static constexpr bool has_room = A::rank + n <= max_rank;
  static constexpr tensor_type value = here.fit ? places_of(A::type, here.axes) : A::type;
};
template <class P, class A> constexpr bool require_windows() {
  if constexpr (!P::here.choice.is_good) {
    message::fail<message::E059_windows<typename text_of<A>::type>>();
    return false;
  } else if constexpr (!P::here.fit) {
    message::fail<message::E059_window_is_too_large<typename text_of<A>::type>>();
    return false;
  } else return true;
}
template <extent... Size> using sizes = std::integer_sequence<extent, Size...>;
template <class P, int N> struct viewed_windows {
  static constexpr tensor_type value = [] {
    tensor_type t = P::value;
    for (int i = 0; i < t.rank; ++i)
      if (P::here.axes.of[i].size != 0) t.e[t.rank++] = P::here.axes.of[i].size;
    return t;
  }();
};

}  // namespace numpy

/// All windows of these sizes along the last axes of x, as axes behind all: a view, no copy, in jit.
///
/// shape   x [a, n, m], sizes k, l -> [a, n - k + 1, m - l + 1, k, l]; with window_strides and window_dilation fewer
/// diff    linear in x; transpose adds windows where they overlap
/// errors  E059 a window that is larger than its axis, options that do not fit
/// source  NumPy lib.stride_tricks.sliding_window_view, of the last axes
template <extent... Size, any_array A, numpy::window_option... O>
constexpr auto sliding_window_view(A const& x, O const&...) {
  using P = numpy::placed_windows<A, 0, numpy::sizes<Size...>, O...>;
  constexpr bool ok = numpy::require_windows<P, A>();
  if constexpr (!ok) return x;
  else {
    constexpr auto axes = P::here.axes;
    static_assert(message::holds<P::has_room, message::E012_too_many_axes<message::rank<A::rank + P::n>>>);
    return numpy::to_array<array_of<numpy::viewed_windows<P, P::n>>>(numpy::windows_of(numpy::to_handle(x), axes, 0));
  }
}

ETNA_REFUSE(sliding_window_view, numpy::takes_window_options, "sliding_window_view<3>(x)",
            "options are window_strides<2>, window_dilation<2> and their like");

namespace numpy {
// Element k of each window.
constexpr handle element_of_windows(handle const& around, window_axes const& w, tensor_type const& places, extent k) {
  ops::slice_dim one[max_rank]{};
  for (int i = places.rank - 1; i >= 0; --i) {
    window_axis const& a = w.of[i];
    one[i] = {0, places.e[i], 1};
    if (a.size == 0) continue;
    one[i] = {k % a.size * a.dilation, places.e[i], a.stride};
    k /= a.size;
  }
  ops::dims_as_words const words(one, places.rank);
  return call(code<ops::slice_p>, around, words.a, words.n);
}
}  // namespace numpy

/// f over the elements of each window, one after another, beginning with init: reduce_window<2, 2>(x, 0.f, plus).
/// Where the window reaches padding, f sees init. Pools with the derivatives that JAX has are max_pool and avg_pool.
///
/// shape   x [a, n, m], sizes k, l of the last axes -> [a, places of n, places of m]
/// dtype   that of x
/// cost    an equation of f for each element of a window, all of them one kernel
/// errors  E059 a window that is larger than its axis, options that do not fit
/// source  JAX lax.reduce_window
template <extent... Size, any_array A, numpy::scalar_operand V, class F, numpy::window_option... O>
constexpr auto reduce_window(A const& x, V const& init, F const& f, O const&...) {
  using P = numpy::placed_windows<A, 0, numpy::sizes<Size...>, O...>;
  using R = array_of<P>;
  constexpr bool ok = numpy::require_windows<P, A>();
  if constexpr (!ok) return x;
  else {
    constexpr auto axes = P::here.axes;
    numpy::handle const h = numpy::to_handle(x), around = numpy::padded_for(h, axes, init);
    tensor_type const places = numpy::places_of(h.type(), axes);
    R r = numpy::to_array<R>(numpy::everywhere(places, init, h));
    for (extent k = 0; k < (Size * ... * 1); ++k)
      r = R(f(r, numpy::to_array<R>(numpy::element_of_windows(around, axes, places, k))));
    return r;
  }
}

}  // namespace etna
