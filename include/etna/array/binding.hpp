// SPDX-License-Identifier: BSD-3-Clause
// Names of extents bound to the sizes that arrays have: where one name would stand for two, E110. Outside jit each
// array and each operation on several looks here, and a compiled function does so for all its arguments. Read next:
// storage.hpp.
#pragma once
#include <etna/message/runtime.hpp>

#include "type.hpp"

namespace etna::ext {

/// An extent as people read it.
inline std::string text_of(extent e) {
  char text[48]{};
  *write(text, e) = 0;
  return text;
}

/// Sizes of names from a value of type t; E110 where values disagree.
inline void learn_sizes(tensor_type const& t, extent const* shape, bindings& size) {
  for (int i = 0; i < t.rank; ++i)
    if (t.e[i] < 0 && !size.learn(t.e[i], shape[i])) {
      extent const other = size.knows(t.e[i]) ? size(t.e[i]) : size.look(t.e[i]);
      message::raise<110>(
          text_of(t.e[i]) + " is " + std::to_string(shape[i]) + " here" +
          (other != invalid ? " and " + std::to_string(other) + " elsewhere" : ", which no size of the name gives"));
    }
}

/// Do sizes that are derived from more than one name agree with what the names turned out to be? Names that nobody told
/// are passed over.
inline void check_sizes(tensor_type const& t, extent const* shape, bindings const& size) {
  for (int i = 0; i < t.rank; ++i)
    if (t.e[i] < 0 && name_told(t.e[i]) == 0 && size.knows(t.e[i]) && size(t.e[i]) != shape[i])
      message::raise<110>(text_of(t.e[i]) + " is " + std::to_string(shape[i]) + " here, and by its names " +
                          std::to_string(size(t.e[i])));
}

/// Has a shape a size that tells no name?
constexpr bool has_products(tensor_type const& t) {
  for (int i = 0; i < t.rank; ++i)
    if (t.e[i] < 0 && name_told(t.e[i]) == 0) return true;
  return false;
}

/// May sizes of one value of this type disagree: is a name told twice, or a derived size once?
constexpr bool may_disagree(tensor_type const& t) {
  int names = 0;
  for (int i = 0; i < t.rank; ++i) {
    names += t.e[i] < 0;
    if (t.e[i] < 0 && !is_name(t.e[i])) return true;
  }
  return names > 1;
}
/// Sizes of one value: E110 where they disagree.
inline void check_one(tensor_type const& t, extent const* shape) {
  bindings size;
  learn_sizes(t, shape, size);
  check_sizes(t, shape, size);
}

}  // namespace etna::ext
