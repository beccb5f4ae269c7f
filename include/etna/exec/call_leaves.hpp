// SPDX-License-Identifier: BSD-3-Clause
// What a call does with each leaf of its arguments and results. These have names: lambdas in a call would be compiled
// again for every program, once for each type of its arrays. Read next: jit.hpp.
#pragma once
#include <etna/eager/interpreter.hpp>

#include "sizes.hpp"

namespace etna::exec {

using etna::detail::access;

struct read_numbers {
  eager::value* in;
  template <class A> void operator()(A const& x) { *in++ = transform::numbers_of(x); }
};
struct adopt_values {
  eager::value* out;
  template <class A> void operator()(A& x) {
    x = access::adopt<A>(*out);
    release((out++)->owner);
  }
};
struct adopt_variables {
  tracing::var const* out;
  template <class A> void operator()(A& x) { x = access::from<A>(*out++); }
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

}  // namespace etna::exec
