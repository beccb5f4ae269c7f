// SPDX-License-Identifier: BSD-3-Clause
// Where an eager evaluation is: the named scopes that are open, and those of the equations that run. For errors.
#pragma once
#include <string>

#include <etna/ops/table.hpp>

namespace etna::eager {

/// A named scope that the program is in at run time.
struct open_name {
  const char* name;
  open_name* outer;
};
inline thread_local open_name* open_names = nullptr;

/// An equation that runs: its scope, among words, inside that of the equation that runs it.
struct place {
  tracing::block words;
  int scope;
  bool whole;  // the scope begins with the names that are open
  place* outer;
};
inline thread_local place* running_place = nullptr;

inline void put_names(std::string& s, open_name const* n) {
  if (!n) return;
  put_names(s, n->outer);
  if (n->outer) s += '/';
  s += n->name;
}
inline void put_place(std::string& s, place const* p) {
  if (!p) return put_names(s, open_names);
  if (!p->whole) put_place(s, p->outer);
  std::string mine;
  tracing::put_scope(p->words, p->scope, [&](char c) { mine += c; });
  if (!s.empty() && !mine.empty()) s += '/';
  s += mine;
}
/// The path of the scope that runs; empty where there is none.
inline std::string scope_text() {
  std::string s;
  put_place(s, running_place);
  return s;
}

/// While this lives, an equation of this scope runs.
struct at_place {
  place mine;
  at_place(tracing::block words, int scope, bool whole) : mine{words, scope, whole, running_place} {
    running_place = &mine;
  }
  at_place(at_place const&) = delete;
  ~at_place() { running_place = mine.outer; }
};

/// The names that are open, as the scope of a graph that begins.
inline int scope_of_names(tracing::graph& g, open_name const* n) {
  return n ? tracing::scope_in(g, g.scopes, scope_of_names(g, n->outer), tracing::scope_name(n->name)) : 0;
}

}  // namespace etna::eager
