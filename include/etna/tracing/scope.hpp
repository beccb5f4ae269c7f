// SPDX-License-Identifier: BSD-3-Clause
// Names of parts of a program: each equation has a scope, a number that equality of equations does not see. Scopes are
// entries among the attributes, so they travel with a graph; an entry tells distances, so it may be moved.
// Read next: block.hpp.
#pragma once
#include <etna/array/fixed_string.hpp>
#include "emit.hpp"

namespace etna::tracing {

/// An entry: how far back the one before it and its parent lie (0: there is none), letters, and these, eight a word. A
/// scope is the place of its entry + 1. A mark is what a transform makes of a scope: jvp(scope); how far back that lies
/// stands behind.
struct scope_entry {
  static constexpr int before = 0, parent = 1, size = 2, letters = 3, most_letters = 64;
  static constexpr std::int64_t mark = 256;
};
template <class Words> constexpr int parent_of(Words const& w, int scope) {
  int back = int(w[scope - 1 + scope_entry::parent]);
  return back ? scope - back : 0;
}

template <class Words> constexpr int marked_by(Words const& w, int scope) {
  std::int64_t size = w[scope - 1 + scope_entry::size];
  return size & scope_entry::mark ? scope - int(w[scope - 1 + scope_entry::letters + packed::words(int(size & 255))])
                                  : 0;
}

/// A name, packed.
struct scope_name {
  std::int64_t words[scope_entry::most_letters / 8 + 1]{};  // the size first
  constexpr int count() const { return 1 + packed::words(int(words[0] & 255)); }
  constexpr explicit scope_name(const char* s, bool is_mark = false) {
    int n = 0;
    for (; s[n] && n < scope_entry::most_letters; ++n) packed::put(words + 1, n, s[n]);
    words[0] = n | (is_mark ? scope_entry::mark : 0);
  }
  template <class Words> constexpr scope_name(Words const& w, int scope) {
    words[0] = w[scope - 1 + scope_entry::size];
    for (int i = 1; i < count(); ++i) words[i] = w[scope - 1 + scope_entry::size + i];
  }
};

/// The scope of this name inside `parent`, found in the list that ends with `latest`, or written.
///
/// of      of a mark: what it marks
constexpr int scope_in(graph& g, int& latest, int parent, scope_name const& name, int of = 0) {
  int n = name.count();
  for (int s = latest; s > 0;) {
    std::int64_t const* e = g.attrs + s - 1;
    bool same = (e[scope_entry::parent] ? s - int(e[scope_entry::parent]) : 0) == parent;
    for (int i = 0; i < n && same; ++i) same = e[scope_entry::size + i] == name.words[i];
    if (same && (of == 0 || s - int(e[scope_entry::size + n]) == of)) return s;
    s = e[scope_entry::before] ? s - int(e[scope_entry::before]) : 0;
  }
  int mine = g.n_attrs + 1;
  g.word(latest ? mine - latest : 0);
  g.word(parent ? mine - parent : 0);
  for (int i = 0; i < n; ++i) g.word(name.words[i]);
  if (of) g.word(mine - of);
  return latest = mine;
}
/// A scope of other words, with its parents, inside `under`.
template <class Words> constexpr int copy_scope(graph& g, int& latest, int under, Words const& from, int scope) {
  if (scope == 0) return under;
  int parent = copy_scope(g, latest, under, from, parent_of(from, scope)),
      of = copy_scope(g, latest, 0, from, marked_by(from, scope));
  return scope_in(g, latest, parent, scope_name(from, scope), of);
}
/// What a transform writes for equations of this scope.
constexpr int marked_scope(graph& g, const char* transform, int scope) {
  return scope_in(g, g.scopes, 0, scope_name(transform, true), scope);
}

/// While this lives, equations of g are a derivative's, and are written in the scopes of those that a rule is asked
/// for.
struct rule_scope {
  graph& g;
  const char* transform;
  int outer, seen = 0;
  bool was_derived;
  constexpr rule_scope(graph& g, const char* transform)
      : g(g), transform(transform), outer(g.scope), was_derived(g.derived) {
    g.derived = true;
  }
  rule_scope(rule_scope const&) = delete;
  constexpr ~rule_scope() {
    g.scope = outer;
    g.derived = was_derived;
  }
  constexpr void enter(int scope) {
    seen = scope;
    g.scope = scope ? marked_scope(g, transform, scope) : outer;
  }
};

/// The path, letter by letter: encoder/attention, transpose(jvp(encoder/attention)).
template <class Words, class Put> constexpr void put_scope(Words const& w, int scope, Put&& put) {
  if (scope == 0) return;
  std::int64_t size = w[scope - 1 + scope_entry::size];
  int parent = parent_of(w, scope);
  auto name = [&] {
    for (int i = 0; i < int(size & 255); ++i) put(packed::letter(w, scope - 1 + scope_entry::letters, i));
  };
  put_scope(w, parent, put);
  if (parent) put('/');
  name();
  if (!(size & scope_entry::mark)) return;
  put('(');
  put_scope(w, marked_by(w, scope), put);
  put(')');
}

// Regions are outside of all scopes: a barrier remembers the scope and the barrier around it, as distances.
constexpr void open_barrier(graph& g) {
  int mine = g.n_attrs + 1;
  g.word(g.scope ? mine - g.scope : 0);
  g.word(g.barrier ? mine - g.barrier : 0);
  g.scope = 0;
  g.barrier = mine;
}
constexpr void close_barrier(graph& g) {
  std::int64_t const* e = g.attrs + g.barrier - 1;
  g.scope = e[0] ? g.barrier - int(e[0]) : 0;
  g.barrier = e[1] ? g.barrier - int(e[1]) : 0;
}

constexpr void adopt_scopes(graph const& from, graph& to, int by) {
  auto link = [&](int mine, int& back, int other) { back = other ? mine - other : 0; };
  for (int s = from.scopes; s > 0;) {
    std::int64_t* e = to.attrs + by + s - 1;
    int before = e[scope_entry::before] ? s - int(e[scope_entry::before]) : 0, back = 0;
    if (!e[scope_entry::parent] && !from.barrier) {
      link(by + s, back, to.scope);
      e[scope_entry::parent] = back;
    }
    if (!before) {
      link(by + s, back, to.scopes);
      e[scope_entry::before] = back;
    }
    s = before;
  }
  for (int b = from.barrier; b > 0;) {
    std::int64_t* e = to.attrs + by + b - 1;
    int before = e[1] ? b - int(e[1]) : 0, back = 0;
    if (!before) {  // the outermost
      if (!e[0]) {
        link(by + b, back, to.scope);
        e[0] = back;
      }
      link(by + b, back, to.barrier);
      e[1] = back;
    }
    b = before;
  }
  if (from.scopes) to.scopes = from.scopes + by;
  if (from.barrier) {
    to.barrier = from.barrier + by;
    to.scope = from.scope ? from.scope + by : 0;
  } else if (from.scope) to.scope = from.scope + by;
}

/// While this lives, what the graph around is written in a scope. The graph may be taken in by another meanwhile.
struct open_scope {
  var somewhere;  // in the graph, or empty
  constexpr open_scope(graph* g, const char* name) : somewhere{g, g ? 0 : -1} {
    if (g) g->scope = scope_in(*g, g->scopes, g->scope, scope_name(name));
  }
  open_scope(open_scope const&) = delete;
  constexpr ~open_scope() {
    if (!somewhere) return;
    graph& g = *resolve(somewhere).g;
    if (g.scope) g.scope = parent_of(g.attrs, g.scope);
  }
};

}  // namespace etna::tracing
