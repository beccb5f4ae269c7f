// SPDX-License-Identifier: BSD-3-Clause
// Lines of text out of traced functions. Read next: check_nan.hpp.
#pragma once
#include <atomic>
#include <string_view>

#include <etna/array/text.hpp>
#include <etna/eager/printing.hpp>
#include <etna/numpy/handle.hpp>

namespace etna::debug {

/// Takes the lines of print, without their end.
using sink = void (*)(std::string_view line);
inline void standard_output(std::string_view line) {
  std::fwrite(line.data(), 1, line.size(), stdout);
  std::fputc('\n', stdout);
  std::fflush(stdout);
}
inline std::atomic<sink> lines_go_to{&standard_output};
/// From now on lines of print go to `to` (null: standard output); where they went before.
inline sink set_sink(sink to) { return lines_go_to.exchange(to ? to : &standard_output); }

/// Lines of a print: one for each example. A template, so that only a program has it that prints.
template <class> struct line_writer {
  static void write(ops::call const& c);
  static inline bool const ready = (eager::write_lines.store(&write), true);
};
template <class X> void line_writer<X>::write(ops::call const& c) {
  int const axes = ops::print_words::read(c.attr).axes, letters = ops::print_words::read(c.attr).letters;
  extent lines = 1;
  for (int i = 0; i < axes; ++i) lines *= c.in_type[0].e[i];
  for (extent line = 0; line < lines; ++line) {
    std::string text;
    int next = 0;
    for (int i = 0; i < letters; ++i) {
      char x = ops::print_p::letter(c.attr, i);
      text += x;
      if (x != '{' && x != '}') continue;
      char y = ops::print_p::letter(c.attr, ++i);
      if (x == y) continue;  // {{ and }}
      text.pop_back();
      tensor_type one = c.in_type[next];
      for (int k = 0; k < axes; ++k) one = one.drop(0);
      auto const* data = static_cast<char const*>(c.in[next++]);
      text += to_string(one, data + line * one.size() * bytes_of(one.d));
    }
    lines_go_to.load()(text);
  }
}

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
    if (places != sizeof...(A) || N > ops::print_p::most_letters)
      message::E080_the_text_has_other_places_than_arguments();
  }
};

template <class... A> inline constexpr bool printable = sizeof...(A) <= std::size_t(tracing::max_operands) &&
                                                        ((any_array<A> || tree::number<A>)&&...) &&
                                                        (any_array<A> || ...);

/// print("loss {} at {}", loss, step): a line on standard output, when the program gets there; arrays as NumPy writes
/// them.
///
/// text    a string literal; {} for each argument, in order
/// call    outside jit at once; under jit when the compiled program reaches it, in loops and branches too, in order
/// diff    derivatives print what the function prints, once; under vmap there is a line for each example
/// errors  E080 the text has another number of {}, E081 no array among the arguments, or too many
/// source  JAX debug.print
template <class... A> constexpr void print(text<std::type_identity_t<A>...> what, A const&... args) {
  if constexpr (!printable<A...>) message::fail<message::E081_print_arguments<A...>>();
  else {
    (void)&line_writer<std::conditional_t<(sizeof...(A) > 0), void, int>>::ready;  // named by a type that depends on A:
                                                                                   // not before
    auto write = [&](auto const&... x) {
      numpy::handle in[] = {numpy::to_handle(x)...};
      std::int64_t attr[ops::print_words::count + ops::print_p::most_letters / 8]{};
      int n = ops::print_p::write(what.letters, attr);
      (void)numpy::call(ops::code<ops::print_p>, in, int(sizeof...(A)), attr, n);
    };
    write(transform::as_array(args)...);  // numbers become arrays that live until the call ends
  }
}

}  // namespace etna::debug
