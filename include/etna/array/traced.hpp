// SPDX-License-Identifier: BSD-3-Clause
// The traced half of an array: a graph and a value in it. The graph itself is in tracing/; what array
// needs of it is declared here and defined there (the knot that STYLE admits).
#pragma once
#include <atomic>

#include "storage.hpp"
#include "type.hpp"

namespace etna::tracing {

struct graph;
struct script;
struct numbers;  // run-time values of a recording, eager/

/// A value of a graph: what rules and transforms compute with.
struct var {
  graph* g = nullptr;
  int id = -1;
  constexpr explicit operator bool() const { return id >= 0; }
};

constexpr void retain(graph*);  // graphs on the heap (recipes, eager traces) are counted
constexpr void release(graph*);
constexpr tensor_type const& type_of(var);

/// A constant without a traced operand: a graph of its own until a traced operand takes it in.
constexpr var recipe_full(tensor_type const&, std::int64_t bits);
constexpr var recipe_data(tensor_type const&, std::int64_t const* bits, int n);
/// Element `at` of a value in constant evaluation (as in bits.hpp), which only C++ numbers may have gone into: E035.
constexpr std::int64_t number_bits(var, extent at);
/// E035: a value has no memory while the program compiles.
constexpr void refuse_memory(var);

}  // namespace etna::tracing

namespace etna::ops {
struct row;
struct call;
}  // namespace etna::ops

namespace etna::eager {

/// Numbers at run time: memory and its concrete type; `v` is set where a transform is recording.
struct value {
  tracing::var v{};
  void const* data = nullptr;
  tensor_type type{};
  memory_block* owner = nullptr;
};
/// What is asked of recordings by code that may be compiled without one. Whoever begins a recording sets it
/// (eager/interpreter.hpp), so a program that only runs compiled functions does not carry the interpreter, and one that
/// only computes does not carry the rules of all primitives.
struct recorder {
  value (*value_of)(tracing::var) = nullptr;
  value (*read)(tracing::var) = nullptr;
  void (*drop)(tracing::numbers*) = nullptr;
  void (*replay)(tracing::script const& traced, value const* in, int n_in, tracing::var* out,
                 tracing::graph* into) = nullptr;
  void (*run)(tracing::script const& traced, value const* in, int n_in, value* out) = nullptr;
  void (*record)(int op, value const* in, int n, std::int64_t const* attr, int n_attr, value* out,
                 tensor_type const* known) = nullptr;
  void (*call_linear)(ops::call const& c) = nullptr;
  ops::row const* rows = nullptr;
};
inline std::atomic<recorder const*> recording{nullptr};
/// While debug::check_nan runs a function of this thread: compiled functions are run by the interpreter.
inline thread_local constinit recorder const* instead_of_plans = nullptr;

/// The numbers of a recorded value (under vmap, the batched ones).
inline value value_of(tracing::var v) { return recording.load(std::memory_order_acquire)->value_of(v); }
/// The same for the program to read: error 35 where a transform follows the value.
inline value read(tracing::var v) { return recording.load(std::memory_order_acquire)->read(v); }

}  // namespace etna::eager
