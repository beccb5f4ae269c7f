// SPDX-License-Identifier: BSD-3-Clause
// dist::predict: what a step takes on a machine of so many ranks, computed, not run. Read next: measure.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <concepts>
#include <cstddef>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "step_walk.hpp"
#include <etna/exec/explain.hpp>

namespace etna::dist {

/// Sizes of named extents, where there are no arguments that tell them: {{"batch"_n, 32}}.
struct named_sizes {
  ext::bindings of;
  named_sizes() = default;
  named_sizes(std::initializer_list<std::pair<extent, extent>> all) {
    for (auto [name, size] : all) of.bind(name, size);
  }
};

namespace detail {

/// Bytes of temporaries for these sizes.
inline extent arena_of(planning::plan const& p, ext::bindings const& size) {
  if (p.is_static) return p.arena;
  int steps = 0, buffers = 0;
  for (int k = 0; k < p.n_frames; ++k) {
    steps = std::max(steps, p.frames[k].steps);
    buffers = std::max(buffers, p.frames[k].buffers);
  }
  exec::plan_view const view{p, steps, buffers, nullptr, nullptr, nullptr, nullptr, nullptr};
  std::vector<planning::buffer> mine(p.buffers, p.buffers + p.n_buffers);
  std::vector<std::max_align_t> work(std::size_t(exec::lay_out_bytes(view)) / sizeof(std::max_align_t) + 1);
  return exec::lay_out(view, mine.data(), reinterpret_cast<std::byte*>(work.data()), size);
}
inline prediction predict_plan(planning::plan const& p, bool const* in_function, bool whole, machine const& m,
                               mesh_sizes const& ranks, ext::bindings const& size) {
  for (int b = 0; b < p.n_buffers; ++b)
    if (extent const e = p.buffers[b].size; e != ext::invalid && !size.knows(e)) message::raise<190>(ext::text_of(e));
  walk_of_steps walk(p, in_function, size, m, ranks);
  walk_of_steps::spent const s = walk.run(whole);
  compiler::costs<ext::bindings> const cost{p, size};
  prediction r;
  r.machine = m.name;
  r.ranks = ranks.all();
  r.seconds = walk.now();
  r.computing = s.computing;
  r.waiting = s.waiting;
  r.work = cost.of(p.frames[p.n_frames - 1]);
  r.rows = s.rows;
  r.peak_bytes = arena_of(p, size) + cost.argument_bytes().number();
  r.is_exact = walk.is_exact();
  return r;
}
template <class F, class... P> prediction predict_program(std::type_identity<std::tuple<P...>>, machine const& m,
                                                          mesh_sizes const& ranks, ext::bindings const& size) {
  if constexpr (!compiler::complete<typename compiler::planned<F, P...>::trace>) {
    message::fail<compiler::refusal<typename compiler::planned<F, P...>::trace, F, P...>>();
    return {};
  } else {
    using Program = compiler::program<F, P...>;
    constexpr auto const& how = planning::inlining_of<Program>;
    return predict_plan(planning::plan(Program::value), how.in_function, how.whole, m, ranks, size);
  }
}

}  // namespace detail

/// What a step takes on a machine of so many ranks: its plan's steps one after the other, each as long as its FLOPs or
/// its bytes take; a collective begins where it is posted and the network is free, takes what the fastest algorithm
/// takes (rank_group), and its result is waited for where the plan waits. Collectives and their bytes are exact; times
/// are a model: no caches, no noise, ranks that are all alike.
///
///     auto const p = dist::predict<params, images, labels>(step, m, 8);        // types alone: nothing is run
///     auto const q = dist::predict(step, m, {4, 2}, weights, x, y);            // a mesh of two axes; sizes of x
///     auto const r = dist::predict<params, array<float, "b"_n, 784>>(f, m, 8, {{"b"_n, 32}});
///     std::cout << p << p.seconds << p.bound();
///
/// f       a jitted function, such as dist::pmap gives; its parameters are given where they are auto
/// ranks   along each axis of its mesh
/// errors  as explain; E171 a collective of another number of ranks; E190 a named extent has no size
/// source  LogP (Culler et al. 1993) and the roofline (Williams et al. 2009)
/// example test/unit/dist/predict.cpp  [a chain that cannot hide]
template <class... A, class F>
prediction predict(jitted<F> const&, machine const& m, mesh_sizes const& ranks, named_sizes const& sizes = {}) {
  if constexpr (sizeof...(A) == 0 && !exec::declared<F>) {
    message::fail<message::E090_unknown_parameters<F>>();
    return {};
  } else
    return detail::predict_program<F>(std::type_identity<typename exec::signature<F, A...>::type>{}, m, ranks,
                                      sizes.of);
}
template <class F, class First, class... More> requires(!std::same_as<std::remove_cvref_t<First>, named_sizes>)
prediction predict(jitted<F> const&, machine const& m, mesh_sizes const& ranks, First const& first,
                   More const&... more) {
  ext::bindings size;
  auto const learn = [&](auto const& argument) {
    tree::for_each([&](auto const& x) { exec::learn_sizes(x.type, x.shape().data(), size); }, argument);
  };
  learn(first);
  (learn(more), ...);
  return detail::predict_program<F>(std::type_identity<typename exec::signature<F, First, More...>::type>{}, m, ranks,
                                    size);
}

}  // namespace etna::dist

#include <etna/set_back.hpp>
