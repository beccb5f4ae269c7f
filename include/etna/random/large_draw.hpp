// SPDX-License-Identifier: BSD-3-Clause
// Large draws outside jit, piece by piece: the interpreter gives each operation's result memory of its own, and a draw
// has some ten operations. So these have the size of a piece, which lies in the second cache, and the draw takes little
// more memory than its result. An element depends on the key and its own number alone, so the bits are the same.
// Read next: draw.hpp.
#pragma once
#include <algorithm>
#include <cstring>
#include <utility>

#include "key.hpp"

namespace etna::random::detail {

/// What is drawn at once: its shape, and how many elements of the whole lie before it.
struct drawn_part {
  tensor_type t;
  extent first;
  constexpr drawn_part(tensor_type const& type, extent before = 0) : t(type), first(before) {}
};
/// A piece: its size is known when it is drawn, so pieces of draws of all shapes have one type.
template <class T> using piece = array<T, "piece"_n>;

/// Does a transform follow the value at run time?
template <class A> inline bool is_recorded(A const& x) { return etna::detail::access::traced(x).g != nullptr; }

/// f(from, to) for each piece of n elements.
template <class F> inline void for_each_piece(extent n, F const& f) {
  for (extent from = 0; from < n; from += tuning::drawn_piece) f(from, std::min(n, from + tuning::drawn_piece));
}

/// An array of which element number i is a function of the key and of i: f.operator()<R>(part) gives part of it as R.
template <class R, class F> constexpr R drawn(prng_key const& key, tensor_type const& t, F const& f) {
  using T = typename R::value_type;
  if (!__builtin_is_constant_evaluated() && t.size() > tuning::drawn_piece && !is_recorded(key.first) &&
      !is_recorded(key.second)) {
    R r = etna::detail::access::make<R>(t);
    T* const to = static_cast<T*>(etna::detail::access::writable(r));
    for_each_piece(t.size(), [&](extent from, extent end) {
      auto const part = f.template operator()<piece<T>>(drawn_part({R::type.d, 1, {end - from}}, from));
      std::memcpy(to + from, part.data(), std::size_t(end - from) * sizeof(T));
    });
    return r;
  }
  return f.template operator()<R>(drawn_part(t));
}

/// f(x), where an element of the result is a function of that of x: in x's memory, if nobody else has it.
template <class A, class F> constexpr A changed(A x, F const& f) {
  using T = typename A::value_type;
  if (!__builtin_is_constant_evaluated() && !is_recorded(x) && x.size() > tuning::drawn_piece &&
      etna::detail::access::sole_owner(x)) {
    T* const at = static_cast<T*>(etna::detail::access::writable(x));
    for_each_piece(x.size(), [&](extent from, extent end) {
      std::size_t const bytes = std::size_t(end - from) * sizeof(T);
      auto const before = piece<T>::build([&](T* to) { std::memcpy(to, at + from, bytes); }, {end - from});
      auto const after = f(before);
      std::memcpy(at + from, after.data(), bytes);
    });
    return x;
  }
  return f(x);
}

}  // namespace etna::random::detail
