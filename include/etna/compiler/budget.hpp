// SPDX-License-Identifier: BSD-3-Clause
// A plan within a budget of memory: planned as it is, and where that is too much, again with what idles computed again.
// Read next: program.hpp.
#pragma once
#include <etna/planning/copied_graph.hpp>
#include <etna/transform/with_precision.hpp>

#include "compile.hpp"

namespace etna::compiler {

/// F, whose plan takes at most so many bytes: what fit<Bytes>(f) makes.
template <extent Bytes, class F> struct fitted : F {};
/// How many bytes a function's plan may take: arguments, results and temporaries; -1: as many as it likes. What only
/// says more of a function keeps its budget, and of two the smaller one counts.
template <class F> inline constexpr extent budget_of = -1;
template <extent Bytes, class F> inline constexpr extent budget_of<fitted<Bytes, F>> =
    budget_of<F> < 0 ? Bytes : std::min(Bytes, budget_of<F>);
template <precision P, class F> inline constexpr extent budget_of<transform::precise<P, F>> = budget_of<F>;

/// Zeros where a plan was written.
constexpr void clear(draft& p) {
  auto empty = [](auto* x, int n) {
    for (int i = 0; i < n; ++i) x[i] = {};
  };
  empty(p.frames, p.n_frames);
  empty(p.steps, p.n_steps);
  empty(p.buffers, p.n_buffers);
  empty(p.views, p.n_views);
  empty(p.words, p.n_words);
  empty(p.kernel_at, p.n_kernels);
  empty(p.kernel_size, p.n_kernels);
  empty(p.numbers, p.n_numbers);
  p.n_steps = p.n_buffers = p.n_views = p.n_words = p.n_kernels = p.n_numbers = p.n_frames = 0;
  p.most_views = p.needed = p.n_needed = 0;
  p.has_constants = false;
}

/// Finds the plan of a trace that fits: as it is, without what holds memory longer, or with what idles computed again.
class fitting {
  static constexpr int most_tries = 4;
  picture const& traced_;
  draft& p_;
  pass_choice const &choice_, tight_;
  extent budget_;

  constexpr bool fits() const { return planning::peak_bytes(p_) <= budget_; }
  template <class Look>
  constexpr void plan_so(rewrite::subject const& s, int const* after, pass_choice const& choice, Look look) {
    tracing::zeros<std::int64_t> hash;
    clear(p_);
    begin(traced_, p_);
    plan_graph(s, after, hash.at, p_, choice, [&](planning::planner const& d) {
      finish(traced_, p_, choice);
      look(d);
    });
  }
  constexpr void plan_again(rewrite::subject const& s, planning::recomputation const& r) {
    bounded_graph to;
    tracing::zeros<int> after, outputs;
    tracing::zeros<view> views;
    planning::copier write(*s.g, s.views, r, to.g, after.at);
    write.write(s.outputs, s.n_out, outputs.at);
    for (int i = 0; i < to.g.n_nodes; ++i) rewrite::see(to.g, to.g.nodes[i], views.at);
    rewrite::subject const again{&to.g, outputs.at, s.n_out, false, views.at, views.at};
    for (auto const& choice : {choice_, tight_}) {
      plan_so(again, after.at, choice, [](auto const&) {});
      if (fits()) return;
    }
  }
  /// Temporaries may take what the budget leaves. What is alive at once is less than what they take, where they do not
  /// lie without gaps: how much less, the plans tell. The last try is the least that can be had.
  constexpr void improve(rewrite::subject const& s, planning::planner const& d) {
    if (fits()) return;
    planning::recomputation r;
    planning::memory_of_steps memory(d, r);
    extent target = budget_ - planning::peak_bytes(p_) + memory.most();
    for (int tries = 0; tries < most_tries && memory.choose(target); ++tries) {
      plan_again(s, r);
      if (fits()) return;
      target -= planning::peak_bytes(p_) - budget_;
    }
    if (memory.choose(memory.least())) plan_again(s, r);
  }

 public:
  constexpr fitting(picture const& traced, draft& p, pass_choice const& choice, extent budget)
      : traced_(traced), p_(p), choice_(choice), tight_(choice.tight()), budget_(budget) {}
  constexpr void run() {
    graph_rooms rooms;
    rewrite::subject const s =
        run_graph_passes(traced_.graph(), traced_.outputs, traced_.n_outputs, false, rooms, choice_);
    plan_so(s, nullptr, choice_, [](auto const&) {});
    if (p_.is_static && !fits()) plan_so(s, nullptr, tight_, [&](planning::planner const& d) { improve(s, d); });
  }
};

/// The plan of F: within its budget, if it has one and that can be.
template <class F> constexpr void compile_for(picture const& traced, draft& p) {
  if constexpr (budget_of<F> < 0) compile(traced, p);
  else if (!traced.error) fitting(traced, p, chosen, budget_of<F>).run();
}

}  // namespace etna::compiler
