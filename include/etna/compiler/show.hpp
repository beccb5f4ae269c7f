// SPDX-License-Identifier: BSD-3-Clause
// A graph and a plan as text, in the manner of a jaxpr; also in constant evaluation, for golden tests.
#pragma once
#include <array>
#include <string>
#include <string_view>

#include <etna/array/fixed_string.hpp>

#include "reason.hpp"

namespace etna {
namespace compiler {

using planning::buffer;
using planning::packed_text;
using planning::step;
using planning::stmt_head;

/// Text of bounded length that can be written in constant evaluation.
template <int N> struct bounded_text {
  char c[N]{};
  int n = 0;
  constexpr void put(char x) {
    if (n < N) c[n++] = x;
  }
  constexpr operator std::string_view() const { return {c, std::size_t(n)}; }
};
struct growing_text {
  std::string s;
  void put(char x) { s.push_back(x); }
};

template <class Out> struct printer {
  Out& out;
  constexpr printer& operator<<(const char* s) {
    for (; *s; ++s) out.put(*s);
    return *this;
  }
  constexpr printer& operator<<(extent v) {
    char text[48]{};
    char* end = v == ext::invalid ? text : ext::write(text, v);
    for (char* p = text; p != end; ++p) out.put(*p);
    return *this;
  }
  constexpr printer& signed_number(std::int64_t v) {
    if (v < 0) out.put('-');
    return *this << extent(v < 0 ? -v : v);
  }
  /// A decimal with six significant digits, enough to tell constants apart.
  constexpr printer& real(double v) {
    if (v != v) return *this << "nan";
    if (v < 0) {
      out.put('-');
      v = -v;
    }
    if (v - v != 0) return *this << "inf";
    int e = 0;
    if (v != 0) {
      while (v >= 10) {
        v /= 10;
        ++e;
      }
      while (v < 1) {
        v *= 10;
        --e;
      }
    }
    std::int64_t digits = std::int64_t(v * 100000);
    if (v * 100000 - double(digits) >= 0.5) ++digits;
    if (digits >= 1000000) {
      digits /= 10;
      ++e;
    }
    char d[8]{};
    for (int i = 5; i >= 0; --i, digits /= 10) d[i] = char('0' + digits % 10);
    int last = 5;
    while (last > 0 && d[last] == '0') --last;
    if (e >= -4 && e < 6) {
      if (e < 0) {
        *this << "0.";
        for (int i = -1; i > e; --i) out.put('0');
        for (int i = 0; i <= last; ++i) out.put(d[i]);
      } else
        for (int i = 0; i <= last || i <= e; ++i) {
          if (i == e + 1) out.put('.');
          out.put(d[i]);
        }
      return *this;
    }
    out.put(d[0]);
    if (last > 0) out.put('.');
    for (int i = 1; i <= last; ++i) out.put(d[i]);
    out.put('e');
    return signed_number(e);
  }
  constexpr printer& type(tensor_type const& t) {
    *this << row_of(t.d).name << "[";
    for (int i = 0; i < t.rank; ++i) {
      if (i) out.put(',');
      *this << t.e[i];
    }
    return *this << "]";
  }
  /// Values are a, b, ... z, ba, bb, ...
  constexpr printer& name(int id) {
    char s[8]{};
    int n = 0;
    do {
      s[n++] = char('a' + id % 26);
      id /= 26;
    } while (id > 0);
    while (n > 0) out.put(s[--n]);
    return *this;
  }
};

/// The graph of F after the pass of this number, and the kernel that each equation is in, + 1, where they are cut.
template <int Pass, class F, class... P> struct graph_after : picture {
  int kernel[tracing::most_nodes];
  constexpr graph_after() : picture{}, kernel{} {
    picture const& shown = trace_of<F, P...>::get();
    tracing::graph const whole = shown.graph();
    graph_rooms rooms;
    bounded_graph clean;
    tracing::zeros<int> left;
    rewrite::subject s = run_graph_passes(whole, shown.outputs, shown.n_outputs, false, rooms, chosen.up_to(Pass));
    if constexpr (Pass < first_cut_pass) {
      rewrite::keep_live(s, clean.g, left.at);  // what identities left unused goes
      take(clean.g, left.at, s.n_out);
    } else {
      cut c;
      run_cut_passes(s, c, chosen.up_to(Pass));
      take(*s.g, s.outputs, s.n_out);
      for (int i = 0; i < s.g->n_nodes; ++i)
        if (c.cls[i] == planning::node_class::compute || c.cls[i] == planning::node_class::opaque)
          kernel[i] = c.find(i) + 1;
    }
  }
};
template <int Pass, class F, class... P> struct shown_graph : kept_picture<transient<graph_after<Pass, F, P...>>> {
  template <class Made> static constexpr auto kernels_of(Made const& g) {
    std::array<int, std::size_t(shown_graph::value.n_nodes + 1)> k{};
    for (int i = 0; i < shown_graph::value.n_nodes; ++i) k[std::size_t(i)] = g.kernel[i];
    return k;
  }
  static constexpr auto kernels = kernels_of(transient<graph_after<Pass, F, P...>>::get());
};
template <class F, class... P> struct shown_graph<no_pass, F, P...> : kept_picture<trace_of<F, P...>> {};
/// The plan of F after a pass.
template <int Pass, class F, class... P> struct shown_plan {
  struct made : planning::draft {
    constexpr made() : planning::draft{} { compile(trace_of<F, P...>::get(), *this, chosen.up_to(Pass)); }
  };
  static constexpr planning::plan_size size = size_of(transient<made>::get());
  static constexpr auto value = planning::tighten<shown_plan>(transient<made>::get());
};

/// An equation's attributes, as numbers.
template <class Out> constexpr void print_numbers(printer<Out>& p, std::int64_t const* a, int n) {
  p << "[";
  for (int k = 0; k < n; ++k) {
    if (k) p << " ";
    p << extent(a[k]);
  }
  p << "]";
}

template <class Out> constexpr void print_text(printer<Out>& p, std::int64_t const* attr) {
  p << " \"";
  for (int i = 0; i < ops::print_words::read(attr).letters; ++i) p.out.put(ops::print_p::letter(attr, i));
  p << "\"";
}

template <class Out, class Graph> constexpr void print_block(Out& out, Graph const& from, node_info const& n,
                                                             tracing::block b, int captured_at, int captured,
                                                             int depth);

/// depth    of the blocks around it: each is indented by four more
/// kernels  of each equation: that of its kernel's first one, + 1, and 0 where it is in none; null where none are cut
template <class Out, class Graph> constexpr void print_graph(Out& out, Graph const& g, int const* outputs,
                                                             int n_outputs, int depth, int const* kernels = nullptr) {
  printer<Out> p{out};
  auto indent = [&](int n) {
    for (int i = 0; i < n; ++i) p << " ";
  };
  p << "{ lambda";
  for (int i = 0; i < g.n_nodes; ++i)
    if (g.nodes[i].op == code<ops::input_p>) {
      p << " ";
      p.name(g.nodes[i].value) << ":";
      p.type(g.values[g.nodes[i].value].type);
    }
  p << " . let\n";
  for (int i = 0; i < g.n_nodes; ++i) {
    node_info const& n = g.nodes[i];
    if (n.op == code<ops::input_p> || n.level > 0) continue;
    indent(4 + 4 * depth);
    for (int k = 0; k < n.results; ++k) {
      if (k) p << " ";
      p.name(n.value + k) << ":";
      p.type(g.values[n.value + k].type);
    }
    std::int64_t const* attr = g.attrs + n.attr;
    auto const wide = ops::table.at[n.op].wide;
    p << " = " << ops::names.at[n.op];
    if (n.op == code<ops::full_p>) p << " ", p.real(bits_to_double(g.values[n.value].type.d, attr[0]));
    else if (n.op == code<ops::convert_p>) p << "[" << row_of(dtype(attr[0])).name << "]";
    else if (wide) print_numbers(p, attr, wide->words);
    else if (n.op == code<ops::print_p>) print_text(p, attr);
    else if (ops::table.at[n.op].gives != ops::spread::as_operands) {  // the axis, and what is behind mesh_words
      p << "[axis " << attr[0];
      for (int i = ops::mesh_words::count; i < n.attrs; ++i) p << " ", p.signed_number(attr[i]);
      p << "]";
    } else if (n.attrs > 0 && n.op != code<ops::literal_p>) print_numbers(p, attr, n.attrs);
    for (int k = 0; k < n.operands; ++k) {
      p << " ";
      p.name(g.edges[n.edge + k]);
    }
    if (wide)
      for (int b = 0; b < wide->blocks(attr); ++b) {
        p << " ";
        print_block(out, g, n, ops::block_of(attr, wide->words, b), wide->captured_at, int(attr[wide->captured]),
                    depth + 1);
      }
    if (n.scope) {
      p << "  # ";
      tracing::put_scope(tracing::block{nullptr, 0, g.attrs}, n.scope, [&](char c) { out.put(c); });
    }
    if (kernels && kernels[i]) p << "  | kernel ", p.name(g.nodes[kernels[i] - 1].value);
    p << "\n";
  }
  indent(2 + 4 * depth);
  p << "in (";
  for (int k = 0; k < n_outputs; ++k) {
    if (k) p << ", ";
    p.name(outputs[k]);
  }
  p << ") }";
}
/// A block, its captured values first among its arguments.
template <class Out, class Graph> constexpr void print_block(Out& out, Graph const& from, node_info const& n,
                                                             tracing::block b, int captured_at, int captured,
                                                             int depth) {
  graph* g = graph::make({64, 192, 384, 64});
  ops::var_list in(captured + b.inputs()), result(b.outputs());
  int at = tracing::block::head;
  for (int k = 0; k < captured; ++k) in.push(ops::argument(g, from.values[from.edges[n.edge + captured_at + k]].type));
  for (int k = 0; k < b.inputs(); ++k) in.push(ops::argument(g, tracing::read_type(b, at)));
  tracing::unpack(*g, b, in.v, in.v + captured, result.v);
  int* outputs = new int[std::size_t(b.outputs() + 1)]{};
  for (int k = 0; k < b.outputs(); ++k) outputs[k] = result[k].id;
  print_graph(out, *g, outputs, b.outputs(), depth);
  delete[] outputs;
  tracing::release(g);
}
template <class Out, class Graph> constexpr void print_graph(Out& out, Graph const& g, int const* kernels = nullptr) {
  print_graph(out, g, g.outputs, g.n_outputs, 0, kernels);
  out.put('\n');
}

/// functions   of each step: is it one function with all that it runs? None where null
template <class Out> constexpr void print_plan(Out& out, planning::plan const& plan, bool const* functions = nullptr) {
  printer<Out> p{out};
  extent total = 0;
  for (int s = 0; s < plan.n_steps; ++s) {
    step const& st = plan.steps[s];
    p << extent(s) << "  ";
    if (planning::is<planning::kernel_step>(st)) {
      p << "kernel ";
      if (st.kernel >= 0) p << extent(st.kernel);
      p << ":";
      if (st.kernel >= 0) plan.each_operation(st, [&](stmt_head s) { p << " " << ops::names.at[s.op]; });
    } else {
      p << planning::facts_of(st).name(plan, st);
      if (functions && functions[s]) p << ", one function";
    }
    extent bytes = 0;
    for (int k = 0; k < st.inputs + st.outputs; ++k) {
      int const b = plan.views[st.view + k].buffer;
      if (b < 0 || plan.buffers[b].size <= 0) continue;
      bool seen = false;  // a piece of it
      for (int j = st.inputs; j < k; ++j) seen = seen || plan.views[st.view + j].buffer == b;
      if (!seen) bytes += plan.buffers[b].size * bytes_of(plan.buffers[b].d);
    }
    p << "  |";
    for (int k = 0; k < st.inputs + st.outputs; ++k) {
      if (k == st.inputs) p << " ->";
      int b = plan.views[st.view + k].buffer;
      if (b < 0) {
        p << " ramp";
        continue;
      }
      buffer const& x = plan.buffers[b];
      const char* kinds[] = {" tmp", " arg", " out", " const", " size"};
      p << kinds[int(x.kind)] << extent(x.kind == buffer::temporary ? b : x.index);
    }
    p << "  | " << bytes << " bytes, " << st.flops << " flops";
    if (st.grouped) p << ", with the next " << extent(st.grouped - 1) << " by tiles of " << st.tile;
    if (st.scope) p << "  # ";
    packed_text scope{st.scope ? plan.numbers + st.scope - 1 : nullptr};
    for (int i = 0; i < scope.size(); ++i) out.put(scope[i]);
    p << "\n";
    total += st.flops;
  }
  p << "kernels " << extent(plan.n_steps) << " (" << extent(plan.n_kernels) << " different fused), arena " << plan.arena
    << " bytes, flops " << total << "\n";
}

}  // namespace compiler

/// What `show` shows: the program after the pass of this name. "trace" is before all of them.
template <fixed_string Pass> struct after {
  static constexpr std::string_view name{Pass.text, std::size_t(Pass.size())};
  static constexpr bool is_after = true;
};
// By a member: nvcc matches no specialisation for after<Pass>.
template <class A> inline constexpr bool is_after = requires { A::is_after; };

namespace compiler {
/// A block is written once more to be printed, which asks for rows, also where no transform has run yet.
inline constexpr eager::recorder rows_alone{.rows = ops::table.at};

/// Text of a program after a pass: its graph; from the first cut on with the kernel of each equation; from the steps on
/// its plan.
template <class After, class F, class... P, class Out> constexpr void print_after(Out& out) {
  constexpr int pass = number_of(After::name);
  if constexpr (pass == no_pass && After::name != "trace") message::fail<message::E093_no_such_pass<After>>();
  else if constexpr (!complete<trace_of<F, P...>>) message::fail<refusal<trace_of<F, P...>, F, P...>>();
  else if constexpr (pass < first_cut_pass) print_graph(out, shown_graph<pass, F, P...>::value);
  else if constexpr (pass < first_plan_pass)
    print_graph(out, shown_graph<pass, F, P...>::value, shown_graph<pass, F, P...>::kernels.data());
  else print_plan(out, planning::plan(shown_plan<pass, F, P...>::value));
}
}  // namespace compiler

template <class After, class F, class... P> std::string show_types() {
  eager::recorder const* nobody = nullptr;
  eager::recording.compare_exchange_strong(nobody, &compiler::rows_alone, std::memory_order_acq_rel);
  compiler::growing_text t;
  compiler::print_after<After, F, P...>(t);
  return t.s;
}

/// The program of f for arguments of these types, as text.
///
/// After   after<"trace">, as it was written; after<PASS> of compiler/passes.hpp; default after<"associate">, all
///         identities
/// errors  E093 no such pass
/// source  JAX make_jaxpr
template <class After = after<"associate">, class F, class... A> std::string show(F const&, A const&...) {
  return show_types<After, F, decltype(transform::lift(std::declval<A const&>()))...>();
}
/// The same in constant evaluation: graph_text<after<"thin">, A...>(f) is a string_view of a constant.
template <class F, class After, class... A> struct graph_text_holder {
  static constexpr auto make() {
    compiler::bounded_text<8192> t;
    compiler::print_after<After, F, A...>(t);
    return t;
  }
  static constexpr auto value = make();
};
template <class... A, class F> requires(!(is_after<A> || ...))
constexpr std::string_view graph_text(F) {
  return graph_text_holder<F, after<"associate">, A...>::value;
}
template <class After, class... A, class F> requires is_after<After>
constexpr std::string_view graph_text(F) {
  return graph_text_holder<F, After, A...>::value;
}

}  // namespace etna
