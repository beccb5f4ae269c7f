// SPDX-License-Identifier: BSD-3-Clause
// Every error that stops the compiler: number, sentence, remedy. The class's own name carries what
// both compilers print first: the number, the operation and the shapes. The only prose for users.
// Read next: runtime.hpp, which has the errors of the running program.
#pragma once
#include <cstdint>
#include <type_traits>
#include <utility>

#include <etna/array/extent.hpp>

namespace etna::message {

// What the class names below are made of: extents spelled as people write them.
template <char... C> struct named {};
template <std::int64_t> struct size {};
template <class T> struct from {};
template <class T> struct to {};
template <int Nth> struct axis {};
template <int N> struct rank {};
template <int N> struct argnum {};
template <int N> struct arguments {};
template <class P> struct operation {};
template <int Nth, class T> struct leaf {};
template <auto... At> struct indices {};

template <std::int64_t E> struct spelled {
  struct text {
    char c[40]{};
    int n = 0;
  };
  static constexpr text make() {
    text t;
    t.n = int(ext::write(t.c, E) - t.c);
    return t;
  }
  static constexpr text value = make();
  template <int... Nth> static auto list(std::integer_sequence<int, Nth...>) -> named<value.c[Nth]...>;
  using type = decltype(list(std::make_integer_sequence<int, value.n>{}));
};
template <std::int64_t E> requires(E >= 0)
struct spelled<E> {
  using type = size<E>;
};

template <std::int64_t...> struct shape {};
template <class...> struct named_shape {};
template <bool, std::int64_t... E> struct spell {
  using type = shape<E...>;
};
template <std::int64_t... E> struct spell<false, E...> {
  using type = named_shape<typename spelled<E>::type...>;
};
/// Extents as a type that compilers print readably: shape<2, 3>, named_shape<named<'b', 'a'>, size<3>>.
template <std::int64_t... E> using shape_text = typename spell<((E >= 0) && ... && true), E...>::type;

template <class...> inline constexpr bool never = false;

// clang takes a class whose assertion fails, and each function that names it, for broken, and would say so of all that
// is computed from them; not one whose constructor says the sentence. g++ prints a class shorter than its constructor.
#if defined(__clang__)
#define ETNA_ERROR(NAME, SENTENCE)                                 \
  template <class... About> struct NAME {                          \
    constexpr NAME() { static_assert(never<About...>, SENTENCE); } \
  }
#else
#define ETNA_ERROR(NAME, SENTENCE)            \
  template <class... About> struct NAME {     \
    static_assert(never<About...>, SENTENCE); \
  }
#endif

ETNA_ERROR(E001_shapes_do_not_broadcast,
           "E001: these shapes do not broadcast: sizes must agree or be 1, counted from the last "
           "axis; use reshape, expand_dims or broadcast_to");
ETNA_ERROR(E002_narrowing, "E002: this element type would lose values on the way; write astype<T>(x)");
ETNA_ERROR(E003_shape_differs, "E003: the array has another shape than the one asked for; use reshape or broadcast_to");
ETNA_ERROR(E003_one_axis_more,
           "E003: the array has one axis more than the one asked for; for a batch, map the function over it, as in "
           "vmap<none, 0>(f), "
           "where none leaves an argument whole; or use reshape");
ETNA_ERROR(E003_one_axis_less,
           "E003: the array has one axis less than the one asked for; a batch of one is expand_dims<0>(x)");
ETNA_ERROR(E003_number_of_axes_differs,
           "E003: what is given for the array has another number of axes than it; declare the array with as many, or "
           "give a view that has its");
ETNA_ERROR(E004_shapes_do_not_contract,
           "E004: the contracted axes have different sizes; transpose one operand or check the "
           "order of the arguments");
ETNA_ERROR(E005_axis_out_of_range, "E005: the array has no such axis; axes count from 0, or from -1 at the end");
ETNA_ERROR(E006_axis_named_twice, "E006: an axis is named twice; name each axis once");
ETNA_ERROR(E007_capture_in_jit,
           "E007: jit: the function captures variables, and their values are not known while the "
           "program compiles; pass them as arguments, array<float> for a number");
ETNA_ERROR(E008_not_traceable,
           "E008: jit: the function cannot run while the program compiles: it reads a run-time "
           "variable or calls something that is not constexpr; pass values as arguments, declare helpers constexpr, "
           "print with debug::print");
ETNA_ERROR(E009_sizes_do_not_reshape,
           "E009: the two shapes have different numbers of elements; reshape keeps all elements");
#define ETNA_E010                                                                                      \
  "E010: braces: static extents and rows of the array's own sizes are needed; write one row for each " \
  "index, or use array::build for named extents"
ETNA_ERROR(E010_braces, ETNA_E010);
ETNA_ERROR(E012_too_many_axes, "E012: an array has at most 10 axes; join axes with reshape");
ETNA_ERROR(E013_gradient_of_non_scalar,
           "E013: grad: the function must return one floating scalar; reduce its result with sum "
           "or mean, or use jacrev or vjp");
ETNA_ERROR(E014_gradient_of_integer,
           "E014: grad: an integer or bool argument has no gradient; choose other argnums, or "
           "convert with astype<float>");
ETNA_ERROR(E015_argnum_out_of_range,
           "E015: argnum out of range: the function has fewer arguments (arguments<n>); argnums count from 0");
ETNA_ERROR(E016_vmap_sizes_disagree,
           "E016: vmap, scan: the mapped axes have different sizes; mapped arguments must agree; give one axis for "
           "each argument, "
           "where `none` leaves one whole, as in vmap<none, 0>(f)");
ETNA_ERROR(E017_vmap_axes, "E017: vmap: give one in-axis for each argument, or one for all");
ETNA_ERROR(E018_vmap_no_axis, "E018: vmap: no argument is mapped; give at least one axis that is not `none`");
ETNA_ERROR(E019_labels_rank,
           "E019: integer-label loss: labels must have the logits' shape without its last axis; "
           "drop the axis of size 1 with squeeze");
ETNA_ERROR(
    E019_logits_without_batch,
    "E019: integer-label loss: the labels have an axis that the logits lack: a batch; map the model over it, as in "
    "vmap<none, 0>(model)(parameters, x), where none leaves an argument whole");
ETNA_ERROR(E020_labels_not_integer,
           "E020: integer-label loss: labels must be integers; convert with astype<int>, or use a "
           "loss on probabilities");
ETNA_ERROR(E021_loss_would_broadcast,
           "E021: a loss does not broadcast its arguments: predictions and targets must have one "
           "shape; squeeze or reshape one of them");
ETNA_ERROR(E022_trees_differ,
           "E022: these trees do not match: the same nesting with the same number of leaves is "
           "needed");
ETNA_ERROR(E023_not_a_leaf,
           "E023: this type is neither an array, a number, a tuple nor a plain struct of such "
           "(private members, base classes, C arrays, references, pointers and containers of "
           "run-time size cannot be leaves); use array, std::array or a plain struct");
ETNA_ERROR(E024_too_many_fields, "E024: a struct of a tree has at most 32 fields; nest structs");
ETNA_ERROR(E025_number_in_jit,
           "E025: a C++ number in an argument of a traced function has no value while the program "
           "compiles; declare it as array<T>");
ETNA_ERROR(E026_not_floating, "E026: this operation is for floating element types; convert with astype<float>");
ETNA_ERROR(E027_not_boolean, "E027: this operation is for bool arrays; compare first, as in x > 0");
ETNA_ERROR(
    E028_einsum,
    "E028: einsum: the formula does not fit its operands; one letter for each axis (an ellipsis is not read), equal "
    "letters of equal size, as in \"ij,jk->ik\"; trace and diagonal: two axes of one size in front");
ETNA_ERROR(
    E029_extent_too_complicated,
    "E029: a size that is derived from names is too long to carry: a sum may have two terms, or three with one factor, "
    "and a product three names, and "
    "the more there are, the shorter the names must be (docs/errors.md); shorten the names, or use static extents");
ETNA_ERROR(E030_out_axes, "E030: vmap: out axis out of range of a result");
ETNA_ERROR(E031_tangents_differ, "E031: jvp: each tangent must have the shape and element type of its argument");
ETNA_ERROR(E032_empty_reduction, "E032: max, min, argmax and argmin of an empty axis have no value");
ETNA_ERROR(E033_index_not_integer, "E033: indices must be integers; convert with astype<int>");

ETNA_ERROR(E034_element_type_differs, "E034: an array does not change its element type by itself; write astype<T>(x)");
/// Trace is written once more, and its evaluation ends at the line that reads the number, which compilers name below.
/// They show this line.
template <class Trace> struct E035_number_of_an_unknown_value {
  // One line, since the condition is no constant, and compilers then print the line.
  // clang-format off
  static_assert(Trace::reads_no_number(), "E035: a value is used as a C++ number (by `if`, a C++ loop, item(), x(i), a function of numbers), but is not known while the program compiles; use where, cond, fori_loop or while_loop, etna's functions, slice or take for an element, or a template argument");
  // clang-format on
};
ETNA_ERROR(E036_axes_are_template_arguments,
           "E036: axes, sizes and shapes are template arguments, since they make the result's type; write sum<0>(x), "
           "reshape<3, 2>(x)");
ETNA_ERROR(E037_argument_not_taken,
           "E037: the function takes no such argument; leave it out, or write what it means with the functions that "
           "are named");
ETNA_ERROR(E038_not_of_arrays,
           "E038: this function is C's, of one number, and etna has none of that name for arrays; write what is named");
ETNA_ERROR(E039_known_while_compiling,
           "E039: this argument decides what is compiled, so it is a C++ number or bool and no array; for a choice at "
           "run time use where or cond");

ETNA_ERROR(E040_index_out_of_range, "E040: an index is out of range; indices of an axis of size n go from -n to n - 1");
ETNA_ERROR(
    E041_indices_do_not_fit,
    "E041: these indices do not fit the array: give at most one for each axis, each an integer, a range with a step "
    "that is not 0, `every` or `newaxis`");
ETNA_ERROR(
    E042_part_of_a_named_axis,
    "E042: an axis with a name can only be taken whole here, since its size is not known; use a static extent, or "
    "take with an index");
ETNA_ERROR(E043_pad_widths,
           "E043: pad: give one width, a pair (before, after), or a pair for each axis; none negative; a name and a "
           "width must be a sum that can be carried (E029)");
ETNA_ERROR(E044_shapes_do_not_join,
           "E044: these arrays do not join: all axes but the joined one must agree, and its sizes must have a sum that "
           "can be carried (E029)");
ETNA_ERROR(E045_does_not_split,
           "E045: split: the axis does not divide into so many equal parts, or its size is not known");
ETNA_ERROR(E046_update_does_not_fit, "E046: the update does not broadcast to the place that it is written to");
ETNA_ERROR(E047_dynamic_slice,
           "E047: dynamic_slice and dynamic_update_slice: give one integer start for each axis, and a block that is no "
           "larger than the array");
ETNA_ERROR(E048_jacobian_of_a_tree,
           "E048: jacfwd, jacrev: the argument of jacfwd, and the result that jacrev differentiates, must be one "
           "array; join its leaves "
           "with concatenate, or use jvp, vjp or grad, which take trees");
ETNA_ERROR(E050_not_bits,
           "E050: this operation is for integers (and, or, xor and not for bool arrays too); convert with astype<int>");
ETNA_ERROR(E051_not_a_key,
           "E051: a random key is needed; make one with random::key(seed), and pass it on with split or fold_in");
ETNA_ERROR(
    E052_batch_of_keys,
    "E052: this takes one random key, not a batch of them; vmap over the batch, or make several with split<n>(key)");
ETNA_ERROR(E053_key_as_number,
           "E053: a random key is no number; make others with random::split<2>(key) or random::fold_in(key, 1), draw "
           "from it, as in "
           "random::uniform<float, 3>(key), or look at random::key_data(key)");
ETNA_ERROR(
    E054_no_such_draw,
    "E054: this draw has no such element type: bits are u8 or u32, randint is of integers, the others are floating; "
    "convert the result with astype");
ETNA_ERROR(
    E055_attention_shapes,
    "E055: attention: query is [b, t, n, h], key and value are [b, s, k, h] of the same floating type, and n is a "
    "multiple of k; transpose or reshape them");
// E056: NumPy's spelling, where C++ has another.
ETNA_ERROR(
    E056_no_brackets,
    "E056: an array has no brackets: write slice<1>(x), slice<range{1, 3}>(x), or take(x, i) where i is an array");
ETNA_ERROR(E056_no_part_by_call,
           "E056: x(i, j) reads one number, by one integer for each axis; for a part of an array write slice<0>(x), "
           "slice<range{1, 3}>(x), or take(x, i) where i is an array");
ETNA_ERROR(E056_std_is_for_numbers, "E056: std's functions are for numbers; of an array write exp(x), etna::exp(x)");
ETNA_ERROR(E056_tree_of_other_leaves,
           "E056: this tree is like the struct, but its leaves have other types (of a gradient for each example, one "
           "more axis): "
           "read them by x.get<&S::w>(), or make them the struct's, as in S{sum<0>(x.get<&S::w>()), ...}");
ETNA_ERROR(E058_several_functions_have_this_name_write_a_lambda_around_it,
           "E058: this name stands for several functions, and none can be chosen; write a lambda around it, as in "
           "grad([](auto const& x) { return max(x); })");
ETNA_ERROR(
    E057_convolution_channels,
    "E057: conv: the kernel's input channels are not those of the input (divided by feature_group_count), or the "
    "groups do not divide the output channels; nn::conv<T, in, out, ...> takes in channels, the last axis; the "
    "order of other axes is what dimension_numbers says");
ETNA_ERROR(E057_convolution_axes,
           "E057: conv: input and kernel have a batch, channels and one to three axes of space each, named by "
           "dimension_numbers with the same letters, as in <\"NHWC\", \"HWIO\", \"NHWC\">; one example alone is "
           "expand_dims<0>(x)");
ETNA_ERROR(E057_sequences,
           "E057: convolve, correlate: two arrays of one axis with elements are needed, of known sizes, and a mode: "
           "\"full\", \"same\" or \"valid\"; for images: conv_general");
ETNA_ERROR(E059_windows,
           "E059: windows: each option once; sizes, window_strides and dilations one for each axis that has windows, 1 "
           "or more, padding a pair (before, after) for each; these axes have sizes, no names");
ETNA_ERROR(
    E059_window_is_too_large,
    "E059: windows: a window, or kernel, is larger than the padded input; pad more, padding_same for example, or "
    "check the order of the axes");
ETNA_ERROR(E060_point_named_extent,
           "E060: point: parameters, results and all between have static extents; call jit for named ones");
ETNA_ERROR(
    E061_point_argument,
    "E061: point: this argument is not the parameter's array: give numbers of its shape and element type (small, "
    "std::array, a C array, a view with x(i, j)), and declare the parameters where the argument does not tell its "
    "extents");
ETNA_ERROR(E062_point_operation,
           "E062: point: this operation has no form for single numbers; compute it outside, or call jit");
ETNA_ERROR(
    E063_point_too_long,
    "E063: point: unrolled, the function has more equations than are worth compiling; call jit, or use smaller arrays");
ETNA_ERROR(E064_point_arguments,
           "E064: point: give one argument for each array of the parameters, those of structs one by one");
ETNA_ERROR(E065_memory_of_a_device,
           "E065: this memory is a device's, and arrays are read on the host; copy it with "
           "Kokkos::create_mirror_view_and_copy");
ETNA_ERROR(
    E066_features_of_another_size,
    "E066: nn: the layer is for another number of features than the last axis of its input has; the features are "
    "template arguments, as in nn::dense<float, 784, 10>");
ETNA_ERROR(E067_dropout_needs_a_key,
           "E067: nn::dropout: in training give a key, drop(x, key); in evaluation say so, drop(x, nn::evaluation)");
ETNA_ERROR(E068_names_of_fields, "E068: tree::names: give one name for each field of the struct, in their order");
ETNA_ERROR(E069_no_such_field,
           "E069: nn::initial: this is no field of the struct; give pairs of its own fields and initializers, as in "
           "nn::initial(&net::w, nn::initializers::normal{0.02})");
ETNA_ERROR(E070_scan_returns_a_pair, "E070: scan: the function returns {carry, y}; y may be std::tuple<>{}");
ETNA_ERROR(
    E071_carry_changes,
    "E071: the carry of a loop has another structure, shape or element type after a step; convert it with astype or "
    "start from one that fits");
ETNA_ERROR(E072_branches_differ, "E072: the branches return trees of different structure, shape or element type");
ETNA_ERROR(E073_condition_not_boolean,
           "E073: the condition of a loop or branch is one bool (for switch_: one integer)");
ETNA_ERROR(E074_steps_do_not_divide, "E074: scan: keep_every<K> needs a number of steps that K divides");
ETNA_ERROR(E075_reverse_mode_of_while,
           "E075: grad, vjp, jacrev: a while loop has no reverse mode; give it a bound, while_loop<N>, or use jvp");
ETNA_ERROR(
    E076_rule_captures,
    "E076: custom_jvp, custom_vjp: the function captures a value by which it is differentiated; make it an argument");
ETNA_ERROR(
    E077_rule_tree,
    "E077: custom_jvp, custom_vjp: the rule returns another tree than it must: custom_jvp {result, its tangent}; "
    "custom_vjp forward {result, residuals}, backward one cotangent for each argument");
ETNA_ERROR(
    E078_no_such_axis,
    "E078: psum, pmean, pmax, pmin, all_gather, ppermute, axis_index: no vmap with this axis name encloses the call; "
    "write vmap<0>(f, axis_name<\"i\"_n>)");
ETNA_ERROR(E079_value_of_a_function_that_is_over,
           "E079: a value that a function computes under vmap, in a loop or in a branch was kept in a variable and is "
           "used outside, where it "
           "is none; return it from that function instead");
ETNA_ERROR(E081_print_arguments,
           "E081: debug::print: give one to eight arrays or numbers, at least one of them an array, which tells the "
           "program that prints");
ETNA_ERROR(E082_named_scope,
           "E082: named_scope: call the function with at least one array, which tells the program that is named; a "
           "name has 1 to 64 "
           "characters, none of them / ( )");
ETNA_ERROR(E083_name_without_size,
           "E083: jit: a size has a name that no argument tells: some parameter must have an axis of this name (or a "
           "number times "
           "it, or a number more)");
ETNA_ERROR(E084_bucket_sizes,
           "E084: bucket: give at most one name in front and then sizes above 0 in ascending order, as in "
           "bucket<\"batch\"_n, 16, 64>(f)");
ETNA_ERROR(E085_bucket_axis,
           "E085: bucket: which axis is meant? The parameters have not exactly one named extent, or not the one that "
           "is given; "
           "write bucket<\"batch\"_n, 16, 64>(f)");
ETNA_ERROR(E086_bucket_derived,
           "E086: bucket: an axis of a parameter or a result has a size that is derived from the bucketed name (2 * n, "
           "n + 1), "
           "and where its padding lies is not known; keep that axis apart, or reshape it outside");
ETNA_ERROR(E087_not_kept_of_a_function,
           "E087: checkpoint: this says nothing of what to keep of a function; give keep_none, keep_dots, "
           "keep_names<\"name\">, "
           "keep_all, or several of them");
ETNA_ERROR(E088_row_not_in_list,
           "E088: this row is no primitive of the program; list it in own_primitives, before etna is included");
ETNA_ERROR(E089_name_is_empty, "E089: checkpoint_name: the name is empty; write checkpoint_name<\"name\">(x)");
ETNA_ERROR(
    E090_unknown_parameters,
    "E090: explain: the parameters of this function are not declared: those of a transform, or auto; give their types, "
    "explain<array<float, 3>>(f), or arguments");
ETNA_ERROR(
    E091_no_element_type,
    "E091: where: two C++ numbers, one of them a double, have no element type to take: make one an array of it, as in "
    "where(c, array<double>(0.1), 0.2), or array<float>");

ETNA_ERROR(E136_no_common_element_type,
           "E136: no element type holds uint64_t and signed integers: convert one of them, as in "
           "astype<std::int64_t>(x)");

ETNA_ERROR(
    E142_cross_of_three,
    "E142: cross: the last axis of both has 3 elements; where another axis has them write moveaxis<Axis, -1>(x); of "
    "two elements each it is x0 * y1 - x1 * y0");
ETNA_ERROR(
    E143_small_matrix,
    "E143: linalg: the last two axes are a square of 1 to 16 rows, floating, of sizes known while compiling; larger "
    "ones belong to LAPACK: custom_root takes its solution into a derivative");

ETNA_ERROR(E144_rule_needs_parameters,
           "E144: optim: this transformation reads the parameters, and update was given none: write "
           "rule.update(gradient, state, parameters)");
ETNA_ERROR(E146_how_to_interpolate,
           "E146: piecewise_interpolate_schedule: between values it goes \"linear\" or \"cosine\"");
ETNA_ERROR(
    E147_label_without_a_rule,
    "E147: multi_transform: the labels give a leaf a number of which there is no transformation; they count from "
    "0, in the order of the transformations");
ETNA_ERROR(
    E148_unit_of_more_axes,
    "E148: adaptive_grad_clip: which axes of a leaf of more than 5 belong to one unit is not known; leave the leaf "
    "out, as in masked<\"*.bias\">(adaptive_grad_clip(0.01))");

ETNA_ERROR(E160_cache_of_what_varies,
           "E160: data::cache: what it would keep differs from epoch to epoch (a map that draws comes before it, or "
           "batches of "
           "shuffled examples); put cache() before these");
ETNA_ERROR(E161_batch_of_no_tree,
           "E161: data::batch: an example is no tree of numbers and arrays; make one of it by a map before, as in "
           "map<0>(data::resize<224, 224, 3>)");
ETNA_ERROR(
    E154_budget_of_memory,
    "E154: fit: the program takes more bytes than its budget, whatever is computed again: the budget, and what the "
    "least plan that was found takes, are named; give it as much, or a smaller batch");
ETNA_ERROR(E155_budget_of_unknown_sizes,
           "E155: fit: sizes that only a call tells have no budget: declare the parameters with numbers for extents");
ETNA_ERROR(E156_no_batch_fits, "E156: max_batch: not even the smallest batch fits; the bytes that it takes are named");

ETNA_ERROR(
    E173_mesh_does_not_divide,
    "E173: dist::spec: the size of the mesh's axis does not divide the axis of the array that it cuts; take sizes "
    "that it divides, cut another axis, or pad: device_put_padded (dist::jit takes nothing that is padded)");
ETNA_ERROR(E174_no_axis_name,
           "E174: dist::spec: give for each axis of the array the name of an axis of the mesh, or none, as in "
           "spec<\"data\"_n, none>");
ETNA_ERROR(E174_no_such_axis_of_the_mesh,
           "E174: dist::spec: the mesh has no axis of this name; write one of its names, or none");
ETNA_ERROR(E174_axis_of_the_mesh_twice,
           "E174: dist::spec: an axis of the mesh cuts one axis of an array; write none for the other");
ETNA_ERROR(E174_more_names_than_axes,
           "E174: dist::spec: it has more entries than the array has axes; leave out the last ones");
ETNA_ERROR(E175_open_axis_of_the_mesh,
           "E175: dist::spec: the size of this axis of the mesh is told when the program starts, so a shard's shape is "
           "not known while it compiles; write the size, as in mesh<axis(\"data\"_n, 4)>, or give the shard's type, as "
           "in device_put<S, array<float, 12, 4>>(m, x)");
ETNA_ERROR(
    E178_sharded_over_another_mesh,
    "E178: dist: an array of this tree is sharded over another mesh than the one that is given; give that one, or "
    "reshard the array");

#define ETNA_E092                                                                                                     \
  "E092: a C++ integer becomes an element of an array whose type does not hold it (300 in uint8_t, -1 in uint32_t): " \
  "write one that fits, or "                                                                                          \
  "convert the array first, as in astype<int>(x)"
ETNA_ERROR(E092_number_does_not_fit, ETNA_E092);

/// E080: a text for debug::print has {} for each argument, no others, and braces doubled; at most 400 characters. Not a
/// constant function.
inline void E080_the_text_has_other_places_than_arguments() {
  throw "E080: debug::print: the text has one {} for each argument; write {{ and }} for braces";
}
/// E010 where the rows are counted in constant evaluation: no constant function, so the compiler names it.
[[noreturn]] inline void E010_braces_of_another_shape() { throw ETNA_E010; }
/// E134 in constant evaluation: likewise.
inline void E134_an_index_is_out_of_range() {
  throw "E134: an index is out of range: indices of an axis of size n go from -n to n - 1";
}
/// E092 where no graph is at hand: likewise.
[[noreturn]] inline void E092_the_element_type_does_not_hold_this_number() { throw ETNA_E092; }
/// E035 in constant evaluation outside a program's trace: likewise.
inline void E035_a_number_is_read_of_a_value_that_a_transform_follows() {
  throw "E035: a value is used as a C++ number, and a transform follows it";
}

ETNA_ERROR(E093_no_such_pass,
           "E093: no pass has this name, or it is none that may be left out; docs/passes.md lists them, as in "
           "show<after<\"simplify\">>(f, x) and -DETNA_WITHOUT=thin,halve");
ETNA_ERROR(
    E094_not_on_the_axis,
    "E094: all_gather<name, N> has another N than the axis has examples, or a pair of ppermute, or a root, names "
    "an example that is not there, or two pairs one receiver; examples are 0 to the size of the axis less 1");

ETNA_ERROR(E095_no_such_path,
           "E095: no leaf of the tree has a path that this pattern matches; tree::paths<T>() has all of them, and * "
           "stands for any letters, as in \"blocks.*.kernel\"");
ETNA_ERROR(E096_batch_norm_of_one_example,
           "E096: nn::batch_norm: in training, of one example there is no mean: give it the batch, or the name of the "
           "axis of the vmap, as in nn::batch_norm<float, 64, \"i\"_n> and vmap<0>(f, axis_name<\"i\"_n>)");

ETNA_ERROR(E186_result_differs_between_ranks,
           "E186: a result of shard_map whose spec does not name an axis of the mesh differs along it from rank to "
           "rank: reduce it (psum, pmean, all_gather over that axis), or name the axis in out_specs");
ETNA_ERROR(
    E187_collective_that_some_ranks_miss,
    "E187: a collective stands in a branch or a while loop whose predicate may differ from rank to rank, so that "
    "some would wait for ever: make the predicate the same on all (pmax, psum), or call the collective outside");

ETNA_ERROR(
    E188_specs_disagree,
    "E188: this array is cut over the mesh by another spec than in_specs says of the argument: say its own there, "
    "or cut it anew before: dist::reshard<S>(x)");
ETNA_ERROR(
    E189_so_many_specs,
    "E189: in_specs has one spec for all arguments, or as many as there are arguments; out_specs one, or as many "
    "as the tuple that is returned has elements");

ETNA_ERROR(E097_sizes_known_at_run_time,
           "E097: the type of this argument does not tell its sizes, and the function's parameter is auto, or a "
           "transform's: declare it, as in jit([](array<double, \"n\"_n, 3> const& x) { return f(x); })");

ETNA_ERROR(E098_precision_of_integers,
           "E098: a precision is that of a product of floating numbers, and these are integers or bool: leave it out, "
           "or convert them, as in astype<float>(x)");
ETNA_ERROR(E099_with_precision,
           "E099: with_precision: call the function with at least one array, which tells the program whose products "
           "are meant");
ETNA_ERROR(
    E100_cast,
    "E100: nn::cast: no struct like this has other elements: make it a template of its element type, as in "
    "template <class T> struct net { nn::dense<T, 784, 10> last; }, or tell it which: template <etna::element U> "
    "using with_element = ...");
ETNA_ERROR(E100_policy, "E100: nn::policy: its three types are floating: nn::policy<float, etna::bfloat16, float>");

#undef ETNA_E010
#undef ETNA_E092
#undef ETNA_ERROR

/// What a deleted function returns: an error that is named and not said.
template <template <class...> class Error, class... About> struct refused {};

/// For static_assert in a class: true, or Error.
template <bool Holds, class Error> inline constexpr bool holds = true;
template <class Error> inline constexpr bool holds<false, Error> = (Error(), true);

/// Stops compilation with the sentence of Error visible: `message::fail<E001_...<A>>();`. The class itself, so that the
/// compiler names no more places than the function that says so and those that called it. Such a function is `auto`, so
/// that it is instantiated where it is called, not later by the evaluation of a constant, and returns what the caller
/// goes on with.
template <class Error> using fail = Error;

/// What a constructor or a conversion has for its noexcept: false, and Error is said where it is used. (g++
/// instantiates their bodies only when a constant is evaluated, whose steps it prints before the sentence.)
struct fine {};
#if defined(__clang__)
template <class Error> inline constexpr bool at_use = false;
#else
template <class Error> inline constexpr bool at_use = sizeof(Error) == 0;
#endif

}  // namespace etna::message
