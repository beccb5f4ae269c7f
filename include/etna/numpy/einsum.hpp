// SPDX-License-Identifier: BSD-3-Clause
// einsum: the formula is a template argument, read while compiling. Pairs of operands become one
// dot_general each, letters that end early are summed, repeated letters of one operand take the
// diagonal. Read next: take.hpp.
#pragma once
#include <array>

#include <etna/array/fixed_string.hpp>
#include "linalg.hpp"

namespace etna {
namespace numpy {

/// Letters of each operand and of the result.
struct terms {
  int n = 0;  // operands
  char in[4][max_rank]{};
  int rank[4]{};
  char out[max_rank]{};
  int out_rank = 0;
  bool wrong = false;
};
constexpr terms read_formula(const char* s) {
  terms t;
  bool right = false, arrow = false;
  t.n = 1;
  for (; *s; ++s) {
    if (*s == ' ') continue;
    if (*s == '-' && s[1] == '>') {
      right = arrow = true;
      ++s;
      continue;
    }
    if (*s == ',') {
      if (right || ++t.n > 4) {
        t.wrong = true;
        return t;
      }
      continue;
    }
    bool letter = (*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z');
    int& r = right ? t.out_rank : t.rank[t.n - 1];
    if (!letter || r == max_rank) {
      t.wrong = true;
      return t;
    }
    (right ? t.out : t.in[t.n - 1])[r++] = *s;
  }
  if (!arrow)  // NumPy: letters that stand once, in alphabetical order
    for (int c = 'A'; c <= 'z'; ++c) {
      int count = 0;
      for (int k = 0; k < t.n; ++k)
        for (int i = 0; i < t.rank[k]; ++i) count += t.in[k][i] == c;
      if (count == 1) t.out[t.out_rank++] = char(c);
    }
  return t;
}
constexpr int find_letter(char const* s, int n, char c) {
  for (int i = 0; i < n; ++i)
    if (s[i] == c) return i;
  return -1;
}
/// The extent of each letter; false where two disagree or a rank differs.
constexpr bool letter_sizes(terms const& t, tensor_type const* in, extent* size) {
  for (int i = 0; i < 128; ++i) size[i] = 0;
  for (int k = 0; k < t.n; ++k) {
    if (in[k].rank != t.rank[k]) return false;
    for (int i = 0; i < t.rank[k]; ++i) {
      extent& e = size[static_cast<unsigned char>(t.in[k][i])];
      if (e != 0 && e != in[k].e[i]) return false;
      e = in[k].e[i];
    }
  }
  for (int i = 0; i < t.out_rank; ++i)
    if (size[static_cast<unsigned char>(t.out[i])] == 0 || find_letter(t.out, i, t.out[i]) >= 0) return false;
  return true;
}

/// An operand on its way: its value and the letters of its axes.
struct lettered {
  handle x;
  std::array<char, max_rank> c{};  // nvcc assigns no C array in constant evaluation
  int rank = 0;
};
constexpr handle sum_axis(handle const& x, int axis) {
  std::int64_t a = axis;
  return call(code<ops::sum_p>, x, &a, 1);
}
// Diagonals of repeated letters: keep x where the two indices agree, sum the second.
constexpr void take_diagonals(lettered& l) {
  for (int i = 0; i < l.rank; ++i)
    for (int j = l.rank - 1; j > i; --j) {
      if (l.c[j] != l.c[i]) continue;
      tensor_type t = l.x.type(), index = t.with(dtype::i32);
      std::int64_t ai = i, aj = j;
      handle both[] = {call(code<ops::iota_p>, nullptr, 0, &ai, 1, 0, index),
                       call(code<ops::iota_p>, nullptr, 0, &aj, 1, 0, index)};
      handle pick[] = {call(code<ops::eq_p>, both, 2), l.x, full(t, 0)};
      l.x = sum_axis(call(code<ops::select_p>, pick, 3), j);
      for (int k = j; k + 1 < l.rank; ++k) l.c[k] = l.c[k + 1];
      --l.rank;
    }
}
constexpr bool is_needed(terms const& t, int from, char c) {
  if (find_letter(t.out, t.out_rank, c) >= 0) return true;
  for (int k = from; k < t.n; ++k)
    if (find_letter(t.in[k], t.rank[k], c) >= 0) return true;
  return false;
}
// Sum letters of x that neither `other` nor anything later needs.
constexpr void sum_unneeded(lettered& l, lettered const* other, terms const& t, int from) {
  for (int i = l.rank - 1; i >= 0; --i) {
    if (is_needed(t, from, l.c[i]) || (other && find_letter(other->c.data(), other->rank, l.c[i]) >= 0)) continue;
    l.x = sum_axis(l.x, i);
    for (int k = i; k + 1 < l.rank; ++k) l.c[k] = l.c[k + 1];
    --l.rank;
  }
}
constexpr lettered multiply_pair(lettered const& a, lettered const& b, terms const& t, int from, precision p) {
  ops::dot_dims d;
  lettered r;
  for (int i = 0; i < a.rank; ++i) {
    int j = find_letter(b.c.data(), b.rank, a.c[i]);
    if (j < 0) continue;
    if (is_needed(t, from, a.c[i])) {
      d.lhs_batch[d.n_batch] = i;
      d.rhs_batch[d.n_batch++] = j;
      r.c[r.rank++] = a.c[i];
    } else {
      d.lhs_contract[d.n_contract] = i;
      d.rhs_contract[d.n_contract++] = j;
    }
  }
  for (int i = 0; i < a.rank; ++i)
    if (find_letter(b.c.data(), b.rank, a.c[i]) < 0) r.c[r.rank++] = a.c[i];
  for (int j = 0; j < b.rank; ++j)
    if (find_letter(a.c.data(), a.rank, b.c[j]) < 0) r.c[r.rank++] = b.c[j];
  r.x = numpy::dot_general(a.x, b.x, d, p);
  return r;
}
constexpr handle einsum(terms const& t, handle const* in, precision p = precision::usual) {
  lettered acc;
  for (int k = 0; k < t.n; ++k) {
    lettered next;
    next.x = in[k];
    next.rank = t.rank[k];
    for (int i = 0; i < next.rank; ++i) next.c[i] = t.in[k][i];
    take_diagonals(next);
    sum_unneeded(next, k ? &acc : nullptr, t, k + 1);
    if (k == 0) {
      acc = next;
      continue;
    }
    sum_unneeded(acc, &next, t, k + 1);
    acc = multiply_pair(acc, next, t, k + 1, p);
  }
  std::int64_t perm[max_rank]{};
  bool same = true;
  for (int i = 0; i < t.out_rank; ++i) {
    perm[i] = find_letter(acc.c.data(), acc.rank, t.out[i]);
    same = same && perm[i] == i;
  }
  if (same) return acc.x;
  return call(code<ops::transpose_p>, acc.x, perm, t.out_rank);
}

template <class Text, class... A> struct einsum_type {
  static constexpr terms value_terms = Text::value;
  static constexpr bool check(extent* size) {
    tensor_type in[]{A::type...};
    return !value_terms.wrong && value_terms.n == int(sizeof...(A)) && letter_sizes(value_terms, in, size);
  }
  static constexpr bool ok = [] {
    extent size[128]{};
    return check(size);
  }();
  static constexpr tensor_type make() {
    extent size[128]{};
    tensor_type t{};
    if (!check(size)) return t;
    dtype d = dtype::boolean;
    if (have_common<A...>()) ((d = promote(d, A::type.d)), ...);
    t.d = d;
    for (int i = 0; i < value_terms.out_rank; ++i) t.e[t.rank++] = size[int(value_terms.out[i])];
    return t;
  }
  static constexpr tensor_type value = make();
};
template <fixed_string Formula> struct formula_terms {
  static constexpr terms value = read_formula(Formula.text);
};

}  // namespace numpy

/// Sums of products after a formula of letters: einsum<"ij,jk->ik">(x, y); up to four operands.
///
/// call    einsum<"ij,jk->ik", precision::bf16>(x, y): its products as in dot
/// errors  E028 the formula does not fit its operands, E098 a precision of integers
/// source  NumPy einsum (without ellipsis)
template <fixed_string Formula, precision P = precision::usual, any_array... A> constexpr auto einsum(A const&... x) {
  using T = numpy::einsum_type<numpy::formula_terms<Formula>, A...>;
  if constexpr (!T::ok) {
    message::fail<message::E028_einsum<typename numpy::text_of<A>::type...>>();
    return std::get<0>(std::tie(x...));
  } else if constexpr (!numpy::have_common<A...>()) {
    message::fail<message::E136_no_common_element_type<A...>>();
    return std::get<0>(std::tie(x...));
  } else {
    transform::names_agree(x...);
    (void)numpy::require_floating<P, A...>();
    numpy::handle in[] = {numpy::to_handle(x)...};
    return numpy::to_array<array_of<T>>(numpy::einsum(T::value_terms, in, P));
  }
}

namespace numpy {
/// "iiab->ab" for the trace of a stack of matrices, "iiab->abi" for its diagonals.
template <int Rank, bool Sum> constexpr auto diagonal_formula() {
  constexpr int others = Rank > 2 ? Rank - 2 : 0;
  char text[2 + others + 2 + others + !Sum + 1]{'i', 'i'};
  char* end = text + 2;
  for (int i = 0; i < others; ++i) *end++ = char('a' + i);
  *end++ = '-';
  *end++ = '>';
  for (int i = 0; i < others; ++i) *end++ = char('a' + i);
  if constexpr (!Sum) *end++ = 'i';
  return fixed_string(text);
}
static_assert(max_rank - 2 <= 'i' - 'a');
}  // namespace numpy

/// The diagonals of the first two axes, as the last axis.
///
/// shape   x [n, n, a] -> [a, n]
/// errors  E028 x has no two axes of one size in front
/// source  NumPy diagonal (offset 0)
template <any_array A> constexpr auto diagonal(A const& x) {
  return einsum<numpy::diagonal_formula<A::rank, false>()>(x);
}

/// The sum of the diagonal of the first two axes.
///
/// shape   x [n, n, a] -> [a]
/// diff    the identity matrix
/// errors  E028 x has no two axes of one size in front
/// source  NumPy trace (offset 0)
template <any_array A> constexpr auto trace(A const& x) { return einsum<numpy::diagonal_formula<A::rank, true>()>(x); }

}  // namespace etna
