// SPDX-License-Identifier: BSD-3-Clause
// One equation evaluated on numbers, by its row's reference; what else happens meanwhile (prints, the first NaN).
// Read next: recording.hpp.
#pragma once
#include <cstdio>
#include <vector>

#include <etna/array/binding.hpp>

#include "options.hpp"
#include "printing.hpp"
#include "ranks.hpp"
#include "reordering.hpp"
#include "run_block.hpp"

namespace etna::eager {

inline std::string text_of(tensor_type const& t) {
  std::string s = std::string(row_of(t.d).name) + '[';
  for (int i = 0; i < t.rank; ++i) s += (i ? "," : "") + std::to_string(t.e[i]);
  return s + ']';
}
inline void show_value(const char* name, tensor_type const& t, void const* data) {
  std::fprintf(stderr, "%-12s %s =", name, text_of(t).c_str());
  for (extent i = 0; i < t.size() && i < 6; ++i) std::fprintf(stderr, " %.6g", load_one<double>(t.d, data, i));
  std::fprintf(stderr, t.size() > 6 ? " ...\n" : "\n");
}
/// Error 113, with the operation, its result, the element and the scope.
inline void stop_at_nan(const char* name, tensor_type const& t, void const* data) {
  if (!is_floating(t.d)) return;
  for (extent i = 0, n = t.size(); i < n; ++i) {
    double x = load_one<double>(t.d, data, i);
    if (x == x) continue;
    std::string scope = scope_text();
    message::raise<113>(text_of(t) + " of " + name + " at element " + std::to_string(i) +
                        (scope.empty() ? "" : ", in scope " + scope));
  }
}

/// Results that go back to the pool where their evaluation ends in an error.
struct results_so_far {
  value* out;
  int n = 0;
  ~results_so_far() {
    while (n > 0) etna::release(out[--n].owner);
  }
};

/// As many as an equation has operands or results: a few lie in the object itself.
template <class T> struct some {
  T few[tracing::max_operands]{};
  T* at;
  explicit some(int n) : at(n <= tracing::max_operands ? few : new T[std::size_t(n)]{}) {}
  some(some const&) = delete;
  ~some() {
    if (at != few) delete[] at;
  }
  T& operator[](int k) const { return at[k]; }
};

/// Evaluate one equation of concrete types into new memory; out[k].owner has one reference.
inline void compute(int op, value const* in, int n, std::int64_t const* attr, int n_attr, value* out,
                    tensor_type const* types, int n_out) {
  ops::evaluator const& r = ops::evaluators.at[op];
  some<void const*> from(n);
  some<void*> to(n_out);
  some<tensor_type> in_type(n);
  for (int k = 0; k < n; ++k) {
    from[k] = in[k].data;
    in_type[k] = in[k].type;
  }
  results_so_far made{out};
  for (int k = 0; k < n_out; ++k) {
    out[k] = {};
    out[k].type = types[k];
    for (int i = 0; i < types[k].rank; ++i)
      if (types[k].e[i] < 0) message::raise<130>(std::string(r.name) + " of " + ext::text_of(types[k].e[i]));
    out[k].owner = memory::allocate(std::size_t(types[k].size() * bytes_of(types[k].d)));
    out[k].data = to[k] = out[k].owner->data;
    ++made.n;
  }
  ops::call c{from.at, in_type.at, to.at, types, attr, n_attr};
  switch (r.form) {
    case ops::form::pointwise:
    case ops::form::convert: elementwise(c, r); break;
    case ops::form::reduction: reduction(c, r); break;
    case ops::form::arg_reduction: arg_reduction(c, r); break;
    default:
      if (!r.effect || !muted) r.reference(c);
  }
  if (options().print && n_out > 0) show_value(r.name, types[0], out[0].data);
  if (options().check_nan || instead_of_plans)
    for (int k = 0; k < n_out; ++k) stop_at_nan(r.name, types[k], out[k].data);
  made.n = 0;
}

}  // namespace etna::eager
