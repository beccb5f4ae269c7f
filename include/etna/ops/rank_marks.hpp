// SPDX-License-Identifier: BSD-3-Clause
// Which values differ from rank to rank of a mesh, found by walking over equations and their blocks; and what ranks
// would do together where only some of them come by. Read next: scanning.hpp.
#pragma once
#include "mesh_place.hpp"
#include "nested.hpp"

namespace etna::ops {

/// Marks are axes of the mesh, as bits: along which the value differs.
struct rank_marks {
  int around = 0;      // of what decides whether the code here runs at all: predicates of branches and loops
  int met = 0;         // axes over which something was done, or asked for
  bool fault = false;  // a collective over an axis along which `around` differs

  /// Of the results of an equation without blocks.
  constexpr int of(int op, std::int64_t const* attr, int operands) {
    row const& r = row_of(op);
    if (!r.is_collective && r.gives == spread::as_operands) return operands;
    if (op == code<mesh_place_p> && mesh_place_p::is_size(attr)) return 0;
    int const along = 1 << mesh_words::read(attr).axis.number;
    met |= along;
    if (r.is_collective && (around & along)) fault = true;
    switch (r.gives) {
      case spread::alike: return operands & ~along;
      case spread::differs: return operands | along;
      default: return operands;
    }
  }
  /// Of any equation: attributes lie in g, at `attr`.
  constexpr void equation(graph& g, int op, int attr, int const* operands, int n, int* results, int n_results) {
    row const& r = row_of(op);
    if (r.wide.there && r.wide->spreads.there) return r.wide->spreads(g, attr, operands, results, *this);
    int any = 0;
    for (int k = 0; k < n; ++k) any |= operands[k];
    if (!r.wide.there) any = of(op, g.attrs + attr, any);
    for (int k = 0; k < n_results; ++k) results[k] = any;
  }
  /// Of the outputs of a block, whose words lie in g.
  constexpr void through(graph& g, block b, int const* captured, int const* inputs, int* outputs) {
    scratch_frame value(g, b.values(), 0);
    for (int k = 0; k < b.inputs(); ++k) value[k] = inputs[k];
    auto of_value = [&](std::int64_t v) { return v < 0 ? captured[-1 - v] : value[int(v)]; };
    int values = b.inputs();
    tracing::each_equation(b, [&](int at) {
      int const n = int(b[at + 1]), n_results = int(b[at + 3]);
      scratch_frame in(g, n, 0), out(g, n_results, 0);
      for (int k = 0; k < n; ++k) in[k] = of_value(b[at + 4 + k]);
      equation(g, block::op_of(b[at]), b.at + at + 4 + n, in.data(), n, out.data(), n_results);
      for (int k = 0; k < n_results; ++k) value[values++] = out[k];
    });
    int at = b.outputs_at();
    for (int k = 0; k < b.outputs(); ++k) {
      outputs[k] = of_value(b[at++]);
      tracing::read_type(b, at);
    }
  }
  /// Of what a block's transpose gives, where the block's inputs are marked so: what is the same on all ranks may have
  /// a transpose that is not, so all axes that the block has to do with count.
  constexpr int transposed(graph& g, block b, int const* captured, int const* inputs) {
    int const before = met;
    met = 0;
    scratch_frame outputs(g, b.outputs(), 0);
    through(g, b, captured, inputs, outputs.data());
    int const here = met;
    met |= before;
    return here;
  }
  /// through, as a function.
  constexpr auto walk() {
    return [this](graph& g, block b, int const* captured, int const* inputs, int* outputs) {
      through(g, b, captured, inputs, outputs);
    };
  }
  /// While code runs, or does not, by what a predicate says.
  struct decided {
    rank_marks& m;
    int before;
    constexpr decided(rank_marks& m, int predicate) : m(m), before(m.around) { m.around |= predicate; }
    constexpr ~decided() { m.around = before; }
    decided(decided const&) = delete;
  };
};

}  // namespace etna::ops
