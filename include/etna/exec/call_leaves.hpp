// SPDX-License-Identifier: BSD-3-Clause
// What a call does with each leaf of its arguments and results. These have names: lambdas in a call would be compiled
// again for every program, once for each type of its arrays. Read next: jit.hpp.
#pragma once
#include <vector>

#include <etna/eager/interpreter.hpp>

#include "sizes.hpp"

namespace etna::exec {

using etna::detail::access;

struct read_numbers {
  eager::value* in;
  template <class A> void operator()(A const& x) { *in++ = transform::numbers_of(x); }
};
struct read_pointers {
  void const** from;
  template <class A> void operator()(A const& x) { *from++ = x.data(); }
};
struct write_pointers {
  void** to;
  template <class A> void operator()(A& x) { *to++ = access::writable(x); }
};

/// Where arguments are, and which of them the call may take: those of an rvalue that nobody shares.
template <class Places> struct read_arguments {
  void** from;
  memory_block** owned;
  Places& places;
  ext::bindings& size;
  bool is_rvalue = false;
  template <class A> void operator()(A const& x) {
    if constexpr (!A::is_static) learn_sizes(A::type, x.shape().data(), size);
    memory_block* block = access::memory_of(x);
    *from++ = places.argument(const_cast<void*>(static_cast<void const*>(x.data())),
                              std::size_t(x.size()) * sizeof(typename A::value_type), block);
    *owned++ = is_rvalue && access::sole_owner(x) && places.may_keep(block) ? block : nullptr;
  }
};
/// Sizes of which a product is known only now.
struct check_products {
  ext::bindings const& size;
  template <class A> void operator()(A const& x) {
    if constexpr (has_products(A::type)) check_sizes(A::type, x.shape().data(), size);
  }
};
template <class Places> struct write_results {
  void** to;
  Places& places;
  template <class A> void operator()(A& x) {
    *to++ = places.result(access::writable(x), std::size_t(x.size()) * sizeof(typename A::value_type),
                          access::memory_of(x));
  }
};

/// A tree of results; `next.make<A>()` makes each of its arrays.
template <class T, class Next> T make_result(Next& next) {
  if constexpr (any_array<T>) return next.template make<T>();
  else if constexpr (tree::detail::is_std_array<T>::value) {
    return [&]<std::size_t... Nth>(std::index_sequence<Nth...>) {
      return T{((void)Nth, make_result<typename T::value_type>(next))...};
    }(std::make_index_sequence<std::tuple_size_v<T>>{});
  } else {
    return [&]<class... F>(std::type_identity<std::tuple<F...>>) {
      if constexpr (tree::detail::is_like<T>::value) return T{std::tuple<F...>{make_result<F>(next)...}};
      else return T{make_result<F>(next)...};
    }(std::type_identity<tree::detail::fields_of<T>>{});
  }
}

/// Arrays whose memory is there but not filled.
struct result_maker {
  ext::bindings const& size;
  memory_block** donated;  // by result: a block to take, or null
  int k = 0;
  template <class A> A make() {
    tensor_type t = A::type;
    for (int i = 0; i < A::rank; ++i) t.e[i] = size(t.e[i]);
    return access::make<A>(t, donated[k++]);
  }
};
/// The same where sizes are static and no block is given.
struct static_result_maker {
  template <class A> A make() const { return access::make<A>(A::type); }
};
/// Arrays of these values, whose references they take.
struct number_adopter {
  eager::value const* next;
  template <class A> A make() {
    eager::value const& x = *next++;
    if (x.v.g) return access::from<A>(x.v);
    A a = access::adopt<A>(x);
    release(x.owner);
    return a;
  }
};
/// The equations of a trace: recorded where an operand is, otherwise one by one, for debug::check_nan.
inline void run_elsewhere(tracing::script const& traced, eager::value const* in, int n_in, eager::value* out) {
  bool recorded = false;
  for (int k = 0; k < n_in; ++k) recorded = recorded || in[k].v.g;
  if (!recorded) return eager::instead_of_plans->run(traced, in, n_in, out);
  std::vector<tracing::var> v(std::size_t(traced.n_outputs) + 1);
  eager::recording.load(std::memory_order_acquire)->replay(traced, in, n_in, v.data(), nullptr);
  for (int k = 0; k < traced.n_outputs; ++k) out[k] = {v[std::size_t(k)]};
}

}  // namespace etna::exec
