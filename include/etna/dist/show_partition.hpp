// SPDX-License-Identifier: BSD-3-Clause
// How dist::jit has cut a program: each value, and each collective with its bytes and why. Read next:
// <etna/interop/span.hpp>.
#pragma once
#include <etna/set_aside.hpp>

#include <string>

#include "sharded_jit.hpp"
#include <etna/compiler/show.hpp>

namespace etna::dist {

namespace detail {

/// A program's partition as text, written while compiling: transforms have no tables at run time.
template <class M, class Out, class F, class... A> struct partition_text {
  static constexpr int most = 1 << 17;
  using text = compiler::bounded_text<most>;
  using printer = compiler::printer<text>;
  static constexpr mesh_in_graph mesh = mesh_in_graph::of<M>();

  /// An array's type and how it is cut: "f32[48,10] by spec<data>".
  static constexpr void put_cut(printer& out, tensor_type const& t, cut const& c) {
    out.type(t);
    int last = -1;
    for (int k = 0; k < mesh.axes; ++k)
      if (c.of[k] > last) last = c.of[k];
    if (last < 0) return;
    out << " by spec<";
    for (int i = 0; i <= last; ++i) {
      if (i) out << ", ";
      bool any = false;
      for (int k = 0; k < mesh.axes; ++k)
        if (c.of[k] == i) any = true, out << mesh.name[k];
      if (!any) out << "none";
    }
    out << ">";
  }
  static constexpr void put_collective(printer& out, put_in const& p) {
    reason_words const w = words_of(p.why);
    out << "    " << ops::table.at[p.what].name << " over " << mesh.name[p.axis] << ", " << p.bytes
        << " bytes: " << w.before;
    if (p.why != reason::result) out << ops::table.at[p.op].name;
    out << w.behind << "\n";
  }
  static constexpr text make() {
    text written;
    printer out{written};
    tracing::bounded_graph here;
    put_in_list said;
    // arguments by the cuts of their types; results as they come
    tracing::bounded_graph traced;
    tracing::zeros<int> outputs;
    int const n_out = compiler::trace_whole<F, whole_tree<A>...>(traced.g, outputs.at);
    written_out whole;
    whole.make(traced.g, outputs.at, n_out);
    partitioner p(*whole.g, mesh, here.g, said);
    std::int64_t number = 0;
    (each_part<M>(A{},
                  [&](auto const& leaf, cut const& c) {
                    constexpr tensor_type t = std::remove_cvref_t<decltype(transform::as_array(leaf))>::type;
                    p.argument(number, ops::argument(&here.g, t, number).id, c);
                    ++number;
                  }),
     ...);
    p.run();
    for (int k = 0; k < n_out; ++k) p.wanted(whole.outputs[k], p.at(whole.outputs[k]).by, 0, reason::result);
    graph const& g = *whole.g;
    int s = 0;
    for (int i = 0; i < g.n_nodes; ++i) {
      tracing::node_info const& n = g.nodes[i];
      if (ops::table.at[n.op].form == ops::form::source && n.op != tracing::input_op) continue;
      int const before = written.n;
      out << ops::table.at[n.op].name << " ";
      while (written.n < before + 18) written.put(' ');
      for (int k = 0; k < n.results; ++k) {
        here_as const& h = p.at(n.value + k);
        if (k) out << ", ";
        put_cut(out, g.values[n.value + k].type, h.id >= 0 ? h.by : nowhere);
      }
      out << "\n";
      for (; s < said.n && said.at[s].node <= i; ++s) put_collective(out, said.at[s]);
    }
    for (; s < said.n; ++s) put_collective(out, said.at[s]);
    return written;
  }
  static constexpr text value = make();
};

}  // namespace detail

/// The whole program as dist::jit divides it among processes: a line for each equation, with how its results are cut,
/// and for each collective that was put in, its bytes on a rank and why.
///
///     dot_general       f32[48,256] by spec<data>
///     sum               f32[]
///         allreduce over data, 4 bytes: parts that sum combines
///
/// source  JAX debug.visualize_sharding, XLA's sharding annotations
/// example test/unit/dist/sharded_jit.cpp  [what is put in, and why]
template <any_mesh M, class Out, class F, class... A>
std::string show_partition(jitted<detail::partitioned<M, Out, F>> const&, A const&...) {
  auto const& text = detail::partition_text<M, Out, F, A...>::value;
  return std::string(text.c, std::size_t(text.n)) + (text.n == int(sizeof text.c) ? "...\n" : "");
}

}  // namespace etna::dist

#include <etna/set_back.hpp>
