// SPDX-License-Identifier: BSD-3-Clause
// The table of contents of the compiler inside the compiler: all passes, in their order. `compile`, `show` and
// `explain` read these lists; nothing else says what follows what.
//
// -DETNA_WITHOUT=thin,halve leaves optional passes out, in all files of a program.
#pragma once
#include <algorithm>
#include <iterator>
#include <string_view>

#include <etna/message/catalogue.hpp>
#include <etna/message/runtime.hpp>
#include <etna/planning/planner.hpp>
#include <etna/rewrite/again.hpp>
#include <etna/rewrite/associate.hpp>
#include <etna/rewrite/behind.hpp>
#include <etna/rewrite/example_lanes.hpp>
#include <etna/rewrite/expand.hpp>
#include <etna/rewrite/gates.hpp>
#include <etna/rewrite/halve.hpp>
#include <etna/rewrite/jam.hpp>
#include <etna/rewrite/legalize.hpp>
#include <etna/rewrite/narrow_products.hpp>
#include <etna/rewrite/outer.hpp>
#include <etna/rewrite/overlap.hpp>
#include <etna/rewrite/post.hpp>
#include <etna/rewrite/precise.hpp>
#include <etna/rewrite/stage.hpp>
#include <etna/rewrite/sums.hpp>
#include <etna/rewrite/thin.hpp>
#include <etna/rewrite/unroll.hpp>
#include <etna/rewrite/widen.hpp>

namespace etna::compiler {

using planning::cut;
using planning::draft;
using rewrite::view;
using tracing::bounded_graph;
using tracing::graph;
using tracing::node_info;

/// From graph to graph: of the program, and of each block of its loops and branches.
inline constexpr rewrite::graph_pass graph_passes[] = {
    {.name = "expand", .run = &rewrite::expand, .again = "expand"},
    {.name = "precise", .run = &rewrite::precise::pass},
    {.name = "widen", .run = &rewrite::widen},
    {.name = "simplify", .run = &rewrite::simplify, .is_optional = true, .without = rewrite::keep_live},
    {.name = "overlap", .run = &rewrite::overlap::pass, .again = "simplify"},
    {.name = "associate", .run = &rewrite::associate, .is_optional = true, .again = "simplify"},
    {.name = "sums", .run = &rewrite::sums::pass, .is_optional = true, .again = "simplify"},
    {.name = "jam", .run = &rewrite::jam::pass, .is_optional = true, .again = "simplify"},
    {.name = "behind", .run = &rewrite::behind::pass, .is_optional = true, .again = "simplify"},
    {.name = "lanes", .run = &rewrite::lanes::pass, .is_optional = true, .again = "simplify", .is_once = true},
    {.name = "stage", .run = &rewrite::stage::pass, .is_optional = true},
    {.name = "thin", .run = &rewrite::thin, .is_optional = true},
    {.name = "outer", .run = &rewrite::outer::pass, .is_optional = true},
    {.name = "halve", .run = &rewrite::halve::pass, .is_optional = true},
    {.name = "unroll", .run = &rewrite::unroll::pass, .is_optional = true, .again = "simplify"},
    {.name = "narrow", .run = &rewrite::narrow::pass, .is_optional = true},
    {.name = "post", .run = &rewrite::post},
    {.name = "legalize", .run = &rewrite::legalize},
    {.name = "again", .run = &rewrite::again::pass, .is_optional = true},
};

/// On the cut of that graph into kernels.
struct cut_pass {
  const char* name;
  void (*run)(graph const&, view const*, int const* outputs, int n_out, cut&);
  bool is_optional = false;
};
inline constexpr cut_pass cut_passes[] = {
    {.name = "fuse", .run = &planning::fuse},
    {.name = "sink", .run = &planning::sink, .is_optional = true},
    {.name = "tails", .run = &planning::cut_off_tails, .is_optional = true},
    {.name = "accumulate", .run = &planning::accumulate, .is_optional = true},
    {.name = "pieces", .run = &planning::place_pieces, .is_optional = true},
    {.name = "beside", .run = &planning::join_readers, .is_optional = true},
};

/// On the plan of these kernels, frame by frame.
///
/// holds_longer   what ends inside of what it makes ends with that: the plan may take more memory
struct plan_pass {
  const char* name;
  void (*run)(planning::planner&);
  bool is_optional = false;
  bool holds_longer = false;
};
inline constexpr plan_pass plan_passes[] = {
    {.name = "schedule", .run = &planning::schedule},
    {.name = "meanwhile", .run = &planning::run_meanwhile, .is_optional = true, .holds_longer = true},
    {.name = "steps", .run = &planning::write_steps},
    {.name = "in_place", .run = &planning::work_in_place, .is_optional = true},
    {.name = "epilogues", .run = &planning::group_epilogues, .is_optional = true, .holds_longer = true},
    {.name = "stencils", .run = &planning::group_stencils, .is_optional = true, .holds_longer = true},
    {.name = "blocks", .run = &planning::group_kernels, .is_optional = true, .holds_longer = true},
    {.name = "memory", .run = &planning::place_temporaries},
};

/// On the whole plan.
struct program_pass {
  const char* name;
  void (*run)(draft&);
  bool is_optional = false;
};
inline constexpr program_pass program_passes[] = {
    {.name = "donate", .run = &planning::donate, .is_optional = true},
};

/// Call f(pass) for each.
template <class F> constexpr void each_pass(F const& f) {
  for (auto const& p : graph_passes) f(p);
  for (auto const& p : cut_passes) f(p);
  for (auto const& p : plan_passes) f(p);
  for (auto const& p : program_passes) f(p);
}
inline constexpr int no_pass = -1;
/// Where a pass stands among all.
constexpr int number_of(std::string_view name) {
  int i = 0, found = no_pass;
  each_pass([&](auto const& p) {
    if (name == p.name) found = i;
    ++i;
  });
  return found;
}
/// And its name.
constexpr std::string_view name_of(int number) {
  std::string_view name = "trace";
  each_pass([&](auto const& p) {
    if (number-- == 0) name = p.name;
  });
  return name;
}
inline constexpr int first_cut_pass = int(std::size(graph_passes)),
                     first_plan_pass = first_cut_pass + int(std::size(cut_passes)),
                     first_program_pass = first_plan_pass + int(std::size(plan_passes)),
                     all_passes = first_program_pass + int(std::size(program_passes));

// What the program leaves out.
#if !defined(ETNA_WITHOUT)
#define ETNA_WITHOUT
#endif
#define ETNA_TEXT_OF_(...) #__VA_ARGS__
#define ETNA_TEXT_OF(...) ETNA_TEXT_OF_(__VA_ARGS__)
inline constexpr char left_out_text[] = ETNA_TEXT_OF(ETNA_WITHOUT);
inline constexpr std::string_view left_out_names = left_out_text;

/// Which passes are run.
struct pass_choice {
  bool left_out[all_passes]{};  // by number
  int last = all_passes;        // those behind it are not run
  bool are_optional = true;     // those that are left out
  constexpr bool has(int number) const { return number <= last && !left_out[number]; }
  /// Without those that hold memory longer.
  constexpr pass_choice tight() const {
    pass_choice c = *this;
    for (int i = first_plan_pass; i < first_program_pass; ++i)
      c.left_out[i] = c.left_out[i] || plan_passes[i - first_plan_pass].holds_longer;
    return c;
  }
  constexpr pass_choice up_to(int number) const {
    pass_choice c = *this;
    c.last = number;
    return c;
  }
};
/// All but those of these names, with commas between them.
constexpr pass_choice all_but(std::string_view names) {
  pass_choice c;
  while (!names.empty()) {
    std::size_t const n = std::min(names.find_first_of(", "), names.size());
    int i = 0;
    bool found = n == 0;
    each_pass([&](auto const& p) {
      if (p.is_optional && names.substr(0, n) == p.name) c.left_out[i] = found = true;
      ++i;
    });
    c.are_optional = c.are_optional && found;
    names.remove_prefix(std::min(n + 1, names.size()));
  }
  return c;
}
inline constexpr pass_choice chosen = all_but(left_out_names);
constexpr std::uint64_t sign_of(pass_choice const& c) {
  char text[all_passes]{};
  for (int i = 0; i < all_passes; ++i) text[i] = c.left_out[i] ? 'x' : '-';
  return message::sign_of({text, std::size_t(all_passes)});
}

// The sentence, and the names, in a place that both compilers print.
static_assert(message::holds<chosen.are_optional, message::E093_no_such_pass<>>);
namespace {
[[maybe_unused]] bool const leaves_out_the_same =
    message::same_in_all_files<135>(sign_of(chosen), left_out_names.data());
}

/// What the passes of a graph work in: two graphs, each in turn the one that is read and the one that is written.
struct graph_rooms : tracing::working {
  bounded_graph a, b;
  tracing::zeros<int> outputs_of_a, outputs_of_b;
  tracing::zeros<view> views, other_views;
};
/// A graph through the passes: what the last of them that had something to do has left, in the rooms, or `traced`.
constexpr rewrite::subject run_graph_passes(graph const& traced, int const* outputs, int n_out, bool in_block,
                                            graph_rooms& r, pass_choice const& choice) {
  rewrite::subject s{&traced, outputs, n_out, in_block, r.views.at, r.other_views.at};
  bool has_run[first_cut_pass]{};
  for (int i = 0; i < first_cut_pass && i <= choice.last;) {
    rewrite::graph_pass const& p = graph_passes[i];
    bool const is_in = !choice.left_out[i];
    if (p.is_once && has_run[i]) {
      ++i;
      continue;
    }
    bool const writes_a = s.g != &r.a.g;
    bounded_graph& to = writes_a ? r.a : r.b;
    int* out = writes_a ? r.outputs_of_a.at : r.outputs_of_b.at;
    if (!(is_in ? p.run(s, to.g, out) : p.without.there && p.without(s, to.g, out))) {
      ++i;
      continue;
    }
    has_run[i] = true;
    bool const read_traced = s.g == &traced;
    s.g = &to.g;
    s.outputs = out;
    if (!read_traced) tracing::clear(writes_a ? r.b : r.a);
    i = p.again ? number_of(p.again) : i + 1;
  }
  return s;
}
/// A legal graph cut into kernels.
constexpr void run_cut_passes(rewrite::subject const& s, cut& c, pass_choice const& choice) {
  for (int i = first_cut_pass; i < first_plan_pass; ++i)
    if (choice.has(i)) cut_passes[i - first_cut_pass].run(*s.g, s.views, s.outputs, s.n_out, c);
}
constexpr void run_plan_passes(planning::planner& d, pass_choice const& choice) {
  for (int i = first_plan_pass; i < first_program_pass; ++i)
    if (choice.has(i)) plan_passes[i - first_plan_pass].run(d);
}
constexpr void run_program_passes(draft& p, pass_choice const& choice) {
  for (int i = first_program_pass; i < all_passes; ++i)
    if (choice.has(i)) program_passes[i - first_program_pass].run(p);
}

}  // namespace etna::compiler
