// SPDX-License-Identifier: BSD-3-Clause
// What a row is: the columns that every primitive fills, and the forms in which it fills them.
// `absent{"why"}` is written out, never implied by silence. Read next: build.hpp, family.hpp.
#pragma once
#include <etna/tracing/block.hpp>

#include "list.hpp"
#include "sharding.hpp"

namespace etna::ops {

using tracing::batched_eqn;
using tracing::eqn;
using tracing::graph;
using tracing::maybe;
using tracing::var;

using rule_fn = var(var, eqn);
using joint_fn = void(var const* t, eqn e, var* out);
using batch_fn = void (*)(batched_eqn const& e, var* out);
/// Returns 0, or what is wrong (an etna error number) with these operands.
using shape_fn = int (*)(tensor_type const* in, int n, std::int64_t const* attr, int n_attr, tensor_type* out);

/// A derivative rule for each operand: t is the operand's tangent, or for a transpose the result's
/// cotangent. `zero` says that the operand has no influence that a derivative sees.
inline constexpr maybe<rule_fn> zero{};
struct per_operand {
  maybe<rule_fn> f[3]{};
  int n = 0;
  template <class... F> constexpr per_operand(F... rule) : f{given(rule)...}, n(sizeof...(F)) {}

 private:
  static constexpr maybe<rule_fn> given(maybe<rule_fn> const& none) { return none; }
  template <class F> static constexpr maybe<rule_fn> given(F const& rule) { return *+rule; }
};
/// One rule for all operands at once (rows of two results, or many operands). A tangent that is
/// zero comes as an empty var, and a zero result is left empty.
struct jointly {
  joint_fn* f;
};
struct rank_marks;
/// Rules of equations with any number of operands and results, which are ids of values; -1 is none, that is zero.
struct wide_rules {
  int words;        // in front of the places of blocks
  int captured;     // the word that counts captured operands
  int captured_at;  // the first of them
  int (*blocks)(std::int64_t const* attr);
  int (*results)(std::int64_t const* attr);
  tensor_type (*type)(std::int64_t const* attr, int k);
  void (*jvp)(eqn e, int const* t, int* out);
  maybe<void(eqn e, int const* linear, int const* ct, int* out)> transpose;  // none: there is no reverse mode
  /// in: operands, the mapped axis in front of those that are batched; the same for results. level: of the vmap.
  void (*batch)(eqn e, int const* in, int const* is_batched, int level, int* out);
  /// Do the words b say the same equation as a, with more results behind a's? (None: never.)
  maybe<bool(std::int64_t const* a, std::int64_t const* b)> extends;
  /// Where given: the equation is written out as others, in g, before the plan is made.
  maybe<void(graph& g, std::int64_t const* attr, var const* in, var* out)> expand{};
  /// Which results depend on marked operands? (None: all on any.) The attributes lie in g, at `attr`.
  maybe<void(graph& g, int attr, int const* operands, int* results)> depends{};
  /// Of rows with blocks: along which axes of a mesh results differ, where operands do so along these (rank_marks.hpp).
  maybe<void(graph& g, int attr, int const* operands, int* results, rank_marks& m)> spreads{};
};
/// Not there, and why.
struct absent {
  const char* why;
};

/// What a primitive becomes in a plan.
enum class form {
  source,
  pointwise,
  convert,
  reduction,
  arg_reduction,
  broadcast,
  reshape,
  transpose,
  contraction,
  gather,
  scatter,
  slice,
  windows,
  overlap,
  patch,
  routine,
  scan,
  branch,
  loop,
  call
};
/// Does it move elements of one operand, and no more, so that strides may say how?
constexpr bool is_movement(form f) {
  return f == form::broadcast || f == form::reshape || f == form::transpose || f == form::slice;
}
/// Does it run plans of its own?
constexpr bool is_nested(form f) { return f == form::scan || f == form::branch || f == form::loop; }

/// The interval from which tests draw an operand, and the types and attributes that they try.
struct interval {
  double lo, hi;
};
inline constexpr interval reals{-3, 3}, positive{0.2, 4}, truth{0, 1.999}, unit{-0.9, 0.9};

/// Which element types an operand may have.
enum class accepts { any, numbers, floating, integers, boolean };

/// One call that tests make of a row: operand types, their intervals and the attributes.
struct sample {
  int n = 0;
  tensor_type type[3]{};
  interval from[3]{};
  int n_attr = 0;
  std::int64_t attr[24]{};
};
inline constexpr int max_samples = 6;
struct samples {
  int n = 0;
  sample s[max_samples]{};
};

/// How a row's results differ along an axis of a mesh.
enum class spread : std::uint8_t {
  as_operands,  // where one of these differs
  alike,        // they are the same on all ranks
  differs       // each rank has another
};

/// Numbers for a row's reference evaluation: plain memory and concrete types.
struct call {
  void const* const* in;
  tensor_type const* in_type;
  void* const* out;
  tensor_type const* out_type;
  std::int64_t const* attr;
  int n_attr;
};
using reference_fn = void (*)(call const&);
/// Reference of an elementwise row: one element, in double and in 64-bit integers, of u64 in those without a sign; in
/// float too where the row's f32 is defined by f32 arithmetic. That of a reduction combines two values, from a start.
struct scalar_reference {
  maybe<double(double const*)> real;
  maybe<float(float const*)> single;
  maybe<std::int64_t(std::int64_t const*)> whole;
  maybe<std::uint64_t(std::uint64_t const*)> natural;
  double real_start = 0;
  std::int64_t whole_start = 0;
  std::uint64_t natural_start = 0;
};

/// What computes a row on numbers: all that a program needs of it that neither traces nor differentiates at run time.
struct evaluator {
  const char* name;
  int arity;  // -1: any number
  int results;
  ops::form form;
  shape_fn shape;
  scalar_reference scalar{};
  reference_fn reference = nullptr;
  bool effect = false;  // it does something besides its results: never dead, never one with an equal, in order
};

/// A filled row, as transforms and passes read it.
struct row : evaluator {
  batch_fn batch;
  int flops;       // an element of the iteration space
  int moves = -1;  // it moves elements as they lie, of so many operands; those behind say where. -1: it computes
  bool differentiable = true;  // false: its derivative is zero everywhere
  maybe<rule_fn> jvp[3]{};
  maybe<joint_fn> jvp_jointly{};
  maybe<rule_fn> transpose[3]{};
  const char* why_not_linear = nullptr;
  bool in_place = false;  // a routine that starts from its first operand: the result may have its memory
  bool at_once = false;   // a routine whose body may have parallel loops of its own
  maybe<wide_rules const> wide{};
  bool any_width = false;         // of integers: as many bits of its operands as the result has are enough
  bool needs_elements = false;    // a reduction that has no value over an empty axis
  bool is_product = false;        // dear to compute again: checkpoint(f, keep_dots) keeps it
  maybe<sharding_fn> sharding{};  // none: arrays stay whole
  maybe<cut_fn> cut{};            // where attributes hold sizes of the result: those of a part of it
  int combined_by = -1;  // the dist::reduction by which parts of a factor that no result has are combined; a row that
                         // starts from its first operand (in_place) has that once
  bool is_collective = false;          // ranks do it together, or wait for one another for ever
  spread gives = spread::as_operands;  // along the axis of a mesh that its first attribute names
};

}  // namespace etna::ops
