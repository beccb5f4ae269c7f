// SPDX-License-Identifier: BSD-3-Clause
// What reverse mode keeps: of a scan, and of a function under checkpoint; names for values that it may keep.
// Read next: branch.hpp, scan.hpp.
#pragma once
#include <etna/array/fixed_string.hpp>
#include "leaves.hpp"

namespace etna {
namespace control {

/// A name as words.
template <fixed_string Name> struct name_words {
  static constexpr int n = packed::words(Name.size());
  std::int64_t w[n + 1]{};
  constexpr name_words() {
    for (int i = 0; i < Name.size(); ++i) packed::put(w, i, Name.text[i]);
  }
};
template <fixed_string Name> constexpr bool is_name() {
  if constexpr (Name.size() > 0) return true;
  else {
    message::fail<message::E089_name_is_empty<message::size<Name.size()>>>();
    return false;
  }
}

}  // namespace control

/// What reverse mode keeps of a scan: everything that the derivative reads, the carries only, or the carries of every
/// K-th step. Of a function under checkpoint: everything, its arguments only, results of products (dot, matmul,
/// einsum), or what checkpoint_name gave one of these names.
struct keep_all_t {
  static constexpr void write(tracing::graph& g) { g.word(ops::keep_words::all); }  // as ops::keep_words
};
struct keep_none_t {
  static constexpr void write(tracing::graph&) {}
};
template <int K> struct keep_every_t {};
struct keep_dots_t {
  static constexpr void write(tracing::graph& g) { g.word(ops::keep_words::products); }
};
template <fixed_string... Name> struct keep_names_t {
  static constexpr void write(tracing::graph& g) {
    auto one = [&](auto const& name) {
      g.word(ops::keep_words::named);
      g.word(name.n);
      for (int i = 0; i < name.n; ++i) g.word(name.w[i]);
    };
    (one(control::name_words<Name>{}), ...);
  }
};
inline constexpr keep_all_t keep_all{};
inline constexpr keep_none_t keep_none{};
template <int K> inline constexpr keep_every_t<K> keep_every{};
inline constexpr keep_dots_t keep_dots{};
template <fixed_string... Name> inline constexpr keep_names_t<Name...> keep_names{};

namespace control {
template <class Keep> concept kept_of_function = requires(graph& g) { Keep::write(g); };
}

/// x, under a name: checkpoint(f, keep_names<"name">) keeps it. Trees too.
///
/// diff    the identity; a tangent has no name
/// errors  E089 the name is empty
/// source  JAX checkpoint_name
template <fixed_string Name, class T> constexpr auto checkpoint_name(T const& t) {
  if constexpr (control::is_name<Name>())
    return tree::map(
        [](auto const& x) {
          constexpr control::name_words<Name> name;
          auto a = transform::as_array(x);
          return numpy::to_array<decltype(a)>(numpy::call(ops::code<ops::name_p>, numpy::to_handle(a), name.w, name.n));
        },
        t);
  else return t;
}

}  // namespace etna
