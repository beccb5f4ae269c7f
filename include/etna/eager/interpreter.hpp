// SPDX-License-Identifier: BSD-3-Clause
// Outside jit: an equation is evaluated at once, on its row's reference, or recorded where a transform runs.
// Read next: ../exec/run.hpp.
#pragma once
#include "recording.hpp"

#if defined(ETNA_EAGER)
namespace etna::eager {

ETNA_EAGER recorder const* interpreter() {
  static constexpr recorder mine{&numbers_of, &read_number,     &tracing::delete_numbers, &replay,
                                 &run,        &record_equation, &ops::call_recorded,      ops::table.at};
  return &mine;
}

ETNA_EAGER int apply(int op, value const* in, int n, std::int64_t const* attr, int n_attr, value* out,
                     tensor_type const* known) {
  ops::evaluator const& r = ops::evaluators.at[op];
  for (int k = 0; k < n; ++k)
    if (in[k].v.g) {
      recording.load(std::memory_order_acquire)->record(op, in, n, attr, n_attr, out, known);
      return r.results;
    }
  tensor_type in_type[tracing::max_operands]{}, types[tracing::max_results]{};
  for (int k = 0; k < n; ++k) in_type[k] = in[k].type;
  if (known) types[0] = *known;
  else if (int wrong = r.shape(in_type, n, attr, n_attr, types))
    message::raise<111>(std::string(r.name) + " (E" + std::to_string(wrong) + ")");
  compute(op, in, n, attr, n_attr, out, types, r.results);
  return r.results;
}

}  // namespace etna::eager
#endif
