// SPDX-License-Identifier: BSD-3-Clause
// What a transform cannot do, a row for each: a trace notes its number and goes on with some value, so that the program
// is refused as a whole, with the sentence of `error`. Where numbers are computed at once, it is thrown. The only table
// of them; a new row stands in `failures` too.
#pragma once
#include "catalogue.hpp"
#include "runtime.hpp"

namespace etna::message {

/// number       in a trace, and of the error where a program is compiled
/// raise()      what is thrown at run time
/// stop(true)   in a constant that is no program: both compilers print the line
/// error<F, P...>  the class that says it of the function F and its arguments
struct reverse_mode_of_while {
  static constexpr int number = 75;
  static void raise() { message::raise<115>("reverse mode of a while loop"); }
  static constexpr void stop(bool now) {
    if (now) throw "E075: a while loop has no reverse mode";
  }
  template <class... About> using error = E075_reverse_mode_of_while<About...>;
};
struct rule_captures {
  static constexpr int number = 76;
  static void raise() { message::raise<115>("by a value that a custom rule captures"); }
  static constexpr void stop(bool now) {
    if (now) throw "E076: a custom rule captures what is differentiated";
  }
  template <class... About> using error = E076_rule_captures<About...>;
};
struct no_such_axis {
  static constexpr int number = 78;
  static void raise() { message::raise<116>("psum, pmean, pmax, pmin, all_gather, ppermute or axis_index"); }
  static constexpr void stop(bool now) {
    if (now) throw "E078: no vmap with this axis name encloses the call";
  }
  template <class... About> using error = E078_no_such_axis<About...>;
};
struct not_on_the_axis {
  static constexpr int number = 94;
  static void raise() { message::raise<111>("all_gather or ppermute"); }
  static constexpr void stop(bool now) {
    if (now) throw "E094: all_gather or ppermute names a size or an example that the axis does not have, or one twice";
  }
  template <class... About> using error = E094_not_on_the_axis<About...>;
};
struct value_is_over {
  static constexpr int number = 79;
  static void raise() { message::raise<114>("an example of a vmap that is over"); }
  static constexpr void stop(bool now) {
    if (now) throw "E079: a value of a function that is over is used";
  }
  template <class... About> using error = E079_value_of_a_function_that_is_over<About...>;
};
struct number_does_not_fit {
  static constexpr int number = 92;
  static void raise() { message::raise<133>("a number beside an array"); }
  static constexpr void stop(bool now) {
    if (now) throw "E092: an element type does not hold a number";
  }
  template <class... About> using error = E092_number_does_not_fit<About...>;
};

struct batch_norm_of_one_example {
  static constexpr int number = 96;
  static void raise() { message::raise<116>("nn::batch_norm in a vmap whose axis has no name"); }
  static constexpr void stop(bool now) {
    if (now) throw "E096: nn::batch_norm in a vmap whose axis has no name";
  }
  template <class... About> using error = E096_batch_norm_of_one_example<About...>;
};

struct result_differs {
  static constexpr int number = 186;
  static void raise() { message::raise<116>("a function over a mesh"); }
  static constexpr void stop(bool now) {
    if (now) throw "E186: a result that is said to be the same on all ranks differs between them";
  }
  template <class... About> using error = E186_result_differs_between_ranks<About...>;
};
struct only_some_ranks {
  static constexpr int number = 187;
  static void raise() { message::raise<116>("a function over a mesh"); }
  static constexpr void stop(bool now) {
    if (now) throw "E187: a collective stands in a branch or a while loop that only some ranks may run";
  }
  template <class... About> using error = E187_collective_that_some_ranks_miss<About...>;
};

template <class... Row> struct failure_list {};
using failures = failure_list<reverse_mode_of_while, rule_captures, no_such_axis, not_on_the_axis, value_is_over,
                              number_does_not_fit, batch_norm_of_one_example, result_differs, only_some_ranks>;

/// The row of a number, among the others.
template <int Number, class... Row> struct row_in {};
template <int Number, class First, class... Rest> struct row_in<Number, First, Rest...>
    : std::conditional_t<First::number == Number, std::type_identity<First>, row_in<Number, Rest...>> {};
template <int Number, class List> struct failure_row_;
template <int Number, class... Row> struct failure_row_<Number, failure_list<Row...>> : row_in<Number, Row...> {};
template <int Number> using failure_row = typename failure_row_<Number, failures>::type;

}  // namespace etna::message
