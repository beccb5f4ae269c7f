// SPDX-License-Identifier: BSD-3-Clause
// Overloads that are chosen only to be refused, with a sentence, where otherwise an argument would be ignored or a
// function of C's would be meant. `requires` sees them as calls that are not there. Read next: <etna/array/array.hpp>.
#pragma once
#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <type_traits>

#include "catalogue.hpp"

namespace etna::message {
/// A sentence that stands in a type, as g++ prints it. An aggregate: letter by letter, as fixed_string has them,
/// hundreds of sentences take a tenth of what the headers do.
template <std::size_t N> struct sentence_text {
  char text[N];
};
template <std::size_t N> sentence_text(const char (&)[N]) -> sentence_text<N>;
template <sentence_text Sentence> struct says {};
/// What people give as an axis: an integer, and not a truth.
template <class W> concept axis_number =
    std::is_integral_v<std::remove_cvref_t<W>> && !std::is_same_v<std::remove_cvref_t<W>, bool>;
/// For functions that take nothing behind their array.
template <class...> inline constexpr bool takes_nothing = false;
}  // namespace etna::message

// ETNA_REFUSAL(CLASS, SENTENCE, name(parameters)): what stands behind `template <...> requires ...`. A call is an error
// with the sentence: clang prints it at the call, g++ as the type of the function that is deleted. The class of the
// error is not named alone, since g++ completes result types where it looks at all functions of a name.
#if defined(__clang__) && !defined(__CUDACC__)
#define ETNA_REFUSAL(CLASS, SENTENCE, ...) \
  __attribute__((diagnose_if(true, SENTENCE, "error"))) ::etna::message::CLASS<> __VA_ARGS__
#elif defined(__CUDACC__)
#define ETNA_REFUSAL(CLASS, SENTENCE, ...) ::etna::message::refused<::etna::message::CLASS> __VA_ARGS__ = delete
#else
#define ETNA_REFUSAL(CLASS, SENTENCE, ...)                                                                          \
  ::etna::message::refused<::etna::message::CLASS, ::etna::message::says<::etna::message::sentence_text{SENTENCE}>> \
      __VA_ARGS__ = delete
#endif

// ETNA_REFUSE_SIZES(NAME, INSTEAD): arrays that are made, NAME<T>(3, 4) and NAME<T>({3, 4}).
#define ETNA_REFUSE_SIZES(NAME, INSTEAD)                                                                \
  template <class..., ::etna::message::axis_number W, class... More>                                    \
  ETNA_REFUSAL(E036_axes_are_template_arguments, "E036: sizes are template arguments; write " INSTEAD,  \
               NAME(W const&, More const&...));                                                         \
  template <class..., class... More> ETNA_REFUSAL(E036_axes_are_template_arguments,                     \
                                                  "E036: sizes are template arguments; write " INSTEAD, \
                                                  NAME(std::initializer_list<int>, More const&...))
// ETNA_REFUSE_NUMBERS(NAME, INSTEAD): transforms of functions, NAME(f, 0).
#define ETNA_REFUSE_NUMBERS(NAME, INSTEAD)                                               \
  template <auto..., class F, ::etna::message::axis_number W, class... More>             \
  requires(!::etna::message::axis_number<F>)                                             \
  ETNA_REFUSAL(E036_axes_are_template_arguments,                                         \
               "E036: argument numbers and axes are template arguments; write " INSTEAD, \
               NAME(F const&, W const&, More const&...))

// NOLINTBEGIN(bugprone-macro-parentheses): literals that follow each other are one, but not in parentheses
// ETNA_REFUSE(NAME, TAKES, AXES, INSTEAD): NAME(x, ...) with other arguments behind x than TAKES<...> says. Integers
// there are meant as axes (or sizes), and AXES is how these are written; INSTEAD is what to do about anything else.
#define ETNA_REFUSE(NAME, TAKES, AXES, INSTEAD)                                                              \
  template <auto..., any_array A, class W, class... More> requires(::etna::message::axis_number<W>)          \
  ETNA_REFUSAL(E036_axes_are_template_arguments, "E036: axes and sizes are template arguments; write " AXES, \
               NAME(A const&, W const&, More const&...));                                                    \
  template <auto..., any_array A, class... More>                                                             \
  ETNA_REFUSAL(E036_axes_are_template_arguments, "E036: axes and sizes are template arguments; write " AXES, \
               NAME(A const&, std::initializer_list<int>, More const&...));                                  \
  template <auto..., any_array A, class W, class... More>                                                    \
  requires(!::etna::message::axis_number<W> && !TAKES<W, More...>)                                           \
  ETNA_REFUSAL(E037_argument_not_taken, "E037: " #NAME " takes no such argument; " INSTEAD,                  \
               NAME(A const&, W const&, More const&...))
// NOLINTEND(bugprone-macro-parentheses)
