// SPDX-License-Identifier: BSD-3-Clause
// Lines of text out of traced functions. Read next: check_nan.hpp.
#pragma once
#include <etna/numpy/handle.hpp>

namespace etna::debug {

/// A text with as many {} as there are arguments, checked while compiling; {{ and }} stand for braces.
template <class... A> struct text {
  const char* letters;
  template <std::size_t N> consteval text(const char (&s)[N]) : letters(s) {
    std::size_t places = 0;
    for (std::size_t i = 0; i + 1 < N; ++i) {
      if (s[i] != '{' && s[i] != '}') continue;
      if (s[i + 1] != s[i]) {
        if (s[i] == '}' || s[i + 1] != '}') message::E080_the_text_has_other_places_than_arguments();
        ++places;
      }
      ++i;
    }
    if (places != sizeof...(A) || N > ops::print_p::most_letters) message::E080_the_text_has_other_places_than_arguments();
  }
};

template <class... A> inline constexpr bool printable =
    sizeof...(A) <= std::size_t(trace::max_operands) && ((any_array<A> || tree::number<A>) && ...) && (any_array<A> || ...);

/// print("loss {} at {}", loss, step): a line on standard output, when the program gets there; arrays as NumPy writes them.
///
/// text    a string literal; {} for each argument, in order
/// call    outside jit at once; under jit when the compiled program reaches it, in loops and branches too, in order
/// diff    derivatives print what the function prints, once; under vmap there is a line for each example
/// errors  E080 the text has another number of {}, E081 no array among the arguments, or too many
/// source  JAX debug.print
template <class... A> constexpr void print(text<std::type_identity_t<A>...> what, A const&... args) {
  if constexpr (!printable<A...>) message::fail<message::E081_print_arguments<A...>>();
  else {
    numpy::handle in[] = {numpy::to_handle(transform::as_array(args))...};
    std::int64_t attr[2 + ops::print_p::most_letters / 8]{};
    int n = ops::print_p::write(what.letters, attr);
    (void)numpy::call(ops::code<ops::print_p>, in, int(sizeof...(A)), attr, n);
  }
}

}  // namespace etna::debug
