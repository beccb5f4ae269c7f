// SPDX-License-Identifier: BSD-3-Clause
// The list of primitives: it declares the rows and fixes their numbers. One line and one comment
// each. A row is in the file of its group. A program adds its own behind them. Read next: rule.hpp.
#pragma once
#include <etna/message/catalogue.hpp>

namespace etna::ops {

template <class... P> struct type_list {
  static constexpr int size = sizeof...(P);
};

using primitives = type_list<
    // sources, movement.hpp
    struct input_p,        // an argument of the function
    struct literal_p,      // the numbers of a braced constant
    struct full_p,         // one number everywhere
    struct iota_p,         // 0, 1, 2 ... along an axis
    struct extent_size_p,  // the size of a named axis
    // arithmetic.hpp
    struct copy_p,           // x
    struct stop_gradient_p,  // x, constant to derivatives
    struct name_p,           // x, under a name that checkpoint knows
    struct convert_p,        // x in another element type
    struct neg_p,            // -x
    struct add_p,            // x + y
    struct sub_p,            // x - y
    struct mul_p,            // x * y
    struct div_p,            // x / y
    struct scale_p,          // x * y, and 0 wherever x is 0
    struct max_p,            // the greater of x and y
    struct min_p,            // the less of x and y
    struct relu_p,           // the greater of x and 0
    struct pow_p,            // x to the y
    struct integer_pow_p,    // x to the y of integers, by squaring
    struct abs_p,            // |x|
    struct sign_p,           // -1, 0 or 1
    struct sqrt_p,           // square root
    struct rsqrt_p,          // 1 / sqrt(x)
    struct hypot_p,          // sqrt(x^2 + y^2)
    // rounding.hpp
    struct floor_p,  // the whole number not above x
    struct ceil_p,   // the whole number not below x
    struct trunc_p,  // x without its fraction
    struct round_p,  // the nearest whole number, of two the even one
    struct rem_p,    // x - y trunc(x / y): the remainder with the sign of x
    struct quot_p,   // trunc(x / y) of integers
    // transcendental.hpp
    struct exp_p,        // e to the x
    struct expm1_p,      // exp(x) - 1
    struct log_p,        // natural logarithm
    struct log1p_p,      // log(1 + x)
    struct log2_p,       // the logarithm to base 2
    struct log10_p,      // the logarithm to base 10
    struct sin_p,        // sine
    struct cos_p,        // cosine
    struct tanh_p,       // hyperbolic tangent
    struct logistic_p,   // 1 / (1 + exp(-x))
    struct erf_p,        // error function
    struct exp2_p,       // 2 to the x
    struct cbrt_p,       // cube root
    struct logaddexp_p,  // log(exp(x) + exp(y))
    // circular.hpp
    struct tan_p,    // tangent
    struct asin_p,   // inverse sine
    struct acos_p,   // inverse cosine
    struct atan_p,   // inverse tangent
    struct atan2_p,  // the angle of the point (y, x)
    struct sinh_p,   // hyperbolic sine
    struct cosh_p,   // hyperbolic cosine
    struct asinh_p,  // inverse hyperbolic sine
    struct acosh_p,  // inverse hyperbolic cosine
    struct atanh_p,  // inverse hyperbolic tangent
    // error_function.hpp
    struct erfc_p,     // 1 - erf(x)
    struct erf_inv_p,  // inverse of erf
    // random_bits.hpp
    struct random_first_p,   // first word of threefry2x32
    struct random_second_p,  // second word
    struct random_bits_p,    // both words, by xor
    // comparison.hpp
    struct eq_p,           // x == y
    struct ne_p,           // x != y
    struct lt_p,           // x < y
    struct le_p,           // x <= y
    struct logical_and_p,  // x && y
    struct logical_or_p,   // x || y
    struct logical_xor_p,  // x != y, of bools
    struct logical_not_p,  // !x
    struct select_p,       // p ? x : y
    // bitwise.hpp
    struct bit_and_p,      // x & y, bit by bit
    struct bit_or_p,       // x | y
    struct bit_xor_p,      // x ^ y
    struct bit_not_p,      // ~x
    struct shift_left_p,   // x << n, 0 from n = the width on
    struct shift_right_p,  // x >> n, with copies of the sign of a signed x
    // reduction.hpp
    struct sum_p,         // sum over axes
    struct prod_p,        // product over axes
    struct amax_p,        // greatest over axes
    struct amin_p,        // least over axes
    struct amax_first_p,  // amax whose derivative is the first greatest element's
    struct amin_first_p,  // likewise
    struct all_p,         // whether all are true
    struct any_p,         // whether any is true
    struct argmax_p,      // greatest along an axis, and where it is first
    struct argmin_p,      // least along an axis, and where it is first
    // movement.hpp
    struct broadcast_p,  // repeat along new axes or axes of size 1
    struct reshape_p,    // the same elements in another shape
    struct transpose_p,  // axes in another order
    // parts.hpp
    struct slice_p,   // a block of x, with steps, also backward
    struct update_p,  // x with a block replaced
    struct patch_p,   // the same, as kernels read it
    // windows.hpp
    struct windows_p,      // all windows of x
    struct overlap_add_p,  // windows put back where they were read, and added
    // dynamic.hpp
    struct dynamic_slice_p,   // a block of x at a run-time position
    struct dynamic_update_p,  // x with the block at a run-time position replaced
    // running.hpp
    struct cumsum_p,      // running sum along an axis
    struct recurrence_p,  // h[i] = a[i] * h[i - 1] + b[i] along an axis
    struct cummax_p,      // greatest so far along an axis, and where it was
    struct cummin_p,      // least so far along an axis, and where it was
    struct sort_p,        // the last axis in order, and where its elements were
    // contraction.hpp
    struct dot_general_p,  // products summed over contracted axes, with batch axes
    // indexing.hpp
    struct gather_p,       // slices along an axis by integer index
    struct scatter_add_p,  // add slices along an axis by integer index
    struct last_at_p,      // for each place of an axis, the last index that names it
    // control_flow.hpp
    struct scan_p,    // a function of a carry and a slice, along an axis
    struct branch_p,  // one of several functions, by a number
    struct while_p,   // a function of a carry, while another says so
    // custom_rules.hpp
    struct custom_p,       // a function with derivative rules of the user's
    struct linear_call_p,  // the linear map of which the transpose is given
    // collective.hpp
    struct psum_p,        // sum over the mapped axis of a vmap
    struct pmax_p,        // greatest over it
    struct pmin_p,        // least over it
    struct all_gather_p,  // all examples
    struct ppermute_p,    // another example's value
    // across_ranks.hpp
    struct allreduce_p,       // sum, greatest or least of all ranks along an axis of a mesh
    struct allgather_p,       // what all of them have
    struct reduce_scatter_p,  // this one's part of the sum
    struct alltoall_p,        // what each has for this one
    struct sendrecv_p,        // another one's value
    // mesh_place.hpp
    struct mesh_place_p,   // where this one is, or how many there are
    struct mesh_border_p,  // x, on its way into a function over a mesh, or out
    struct awaited_p,      // what was posted
    // effect.hpp
    struct print_p  // a line of text, when the program comes by
    >;

/// The place of P in a list; -1: it is not there.
template <class P, class... Q> constexpr int index_in(type_list<Q...>) {
  int i = 0, at = -1;
  ((at = __is_same(P, Q) ? i : at, ++i), ...);
  return at;
}

/// A program's own primitives: nothing, or what it specialises before etna is included, in every file alike:
///
///     template <> struct etna::ops::own_primitives<> : etna::ops::type_list<mine::softsign_p> {};
///
/// docs/add_a_primitive.md has the whole.
template <class... Nothing> struct own_primitives : type_list<> {};

namespace detail {
template <class P, class... Nothing> constexpr int number_of() {
  constexpr int at = index_in<P>(primitives{});
  if constexpr (at >= 0) return at;
  else {
    constexpr int own = index_in<P>(own_primitives<Nothing...>{});
    if constexpr (own < 0) message::fail<message::E088_row_not_in_list<P>>();
    return primitives::size + own;
  }
}
}  // namespace detail

/// The number of a primitive in graphs.
template <class P> inline constexpr int code = detail::number_of<P>();

}  // namespace etna::ops
