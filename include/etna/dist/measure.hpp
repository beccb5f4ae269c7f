// SPDX-License-Identifier: BSD-3-Clause
// dist::measure: a machine as it is found, in less than a second: messages of a group, products, and memory.
// Read next: modelled_group.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <vector>

#include "network.hpp"
#include <etna/exec/explain.hpp>
#include <etna/group/process_group.hpp>

namespace etna::dist {

namespace detail {

/// FLOP/s of a product of 256 by 256.
template <class T> double measured_product() {
  constexpr std::int64_t n = 256;
  std::vector<T> const a(n * n, T(0.5)), b(n * n, T(0.25));
  std::vector<T> c(n * n);
  exec::label const name{"etna: measure", {nullptr}};
  lower::gemm_numbers const numbers{a.data(), b.data(), c.data(), 1, n, n, n, 0, n, 1, 0, n, 1};
  return 2.0 * n * n * n / exec::fastest(20, 1, [&](std::int64_t) {
           exec::run_product_of<T, T, false>(name, numbers, nullptr);
           exec::taken_for_read(c.data());
         });
}
/// Bytes a second of copies that touch so many bytes, again and again.
inline double measured_cache(std::size_t bytes) {
  std::vector<char> from(bytes / 2, 1), to(bytes / 2);
  int const turns = int(std::max<std::size_t>(1, (std::size_t(4) << 20) / bytes));
  return double(bytes) * turns / exec::fastest(10, 1, [&](std::int64_t) {
           for (int i = 0; i < turns; ++i) {
             std::memcpy(to.data(), from.data(), from.size());
             exec::taken_for_read(to.data());
           }
         });
}
/// Seconds of `act`, the least of so many times, as the slowest rank has them; all begin together.
template <class Act> double fastest_of_all(process_group& g, int times, Act const& act) {
  using clock = std::chrono::steady_clock;
  double least = 1e30, most = 0, one = 0, sum = 0;
  for (int i = 0; i < times; ++i) {
    g.wait(g.all_reduce(&one, &sum, 1, dtype::f64, reduction::sum));
    auto const begin = clock::now();
    act();
    double const mine = std::chrono::duration<double>(clock::now() - begin).count();
    g.wait(g.all_reduce(&mine, &most, 1, dtype::f64, reduction::max));
    least = std::min(least, most);
  }
  return least;
}
/// A number that all ranks have alike: the greatest.
inline double greatest_of_all(process_group& g, double mine) {
  double most = 0;
  g.wait(g.all_reduce(&mine, &most, 1, dtype::f64, reduction::max));
  return most;
}
/// The share of a collective's time that work behind it does not hide, since its own processor moves the messages. The
/// work is twice as long as the collective alone, and asks for messages between its steps, as a plan does.
template <class Post> double measured_busy(process_group& g, double alone, Post const& post) {
  constexpr int steps = 32;
  auto work = [&](std::int64_t turns, auto const& between) {
    for (int s = 0; s < steps; ++s, between()) {
      double numbers[3] = {0.5, 1, 0};
      exec::fma_chain<double>::run(turns, numbers);
      exec::taken_for_read(numbers);
    }
  };
  auto nothing = [] {};
  constexpr std::int64_t tried = 200;
  double const of_tried = exec::fastest(20, 1, [&](std::int64_t) { work(tried, nothing); });
  auto const turns = std::int64_t(2 * alone / of_tried * tried) + 1;
  double quiet = 1e30, both = 1e30;
  for (int i = 0; i < 8; ++i) {  // in turns, so that what else runs disturbs both
    quiet = std::min(quiet, fastest_of_all(g, 1, [&] { work(turns, nothing); }));
    both = std::min(both, fastest_of_all(g, 1, [&] {
                      ticket const t = post();
                      bool done = false;
                      work(turns, [&] { done = done || g.test(t); });
                      if (!done) g.wait(t);
                    }));
  }
  return std::clamp((both - quiet) / alone, 0.0, 1.0);
}

}  // namespace detail

/// The processor of this rank: what products of 256 by 256, multiplications and additions in registers, and copies of
/// memory reach, with the threads that a kernel has when called from here.
inline machine measure() {
  machine m;
  m.name = "this machine";
  exec::machine_limits const& most = exec::limits();
  m.product_f32 = detail::measured_product<float>();
  m.product_f64 = detail::measured_product<double>();
  m.kernel_f32 = most.fma_f32;
  m.kernel_f64 = most.fma_f64;
  m.memory = most.copy;
  for (std::size_t bytes : {std::size_t(128) << 10, std::size_t(1) << 20, std::size_t(8) << 20})
    m.caches.push_back({double(bytes), std::max(detail::measured_cache(bytes), m.memory)});
  return m;
}

/// The same of all ranks of a group, the slowest of which counts, and their messages: latency and bandwidth by
/// messages to the next rank of a ring, of 8 bytes and of 1 and 4 MB; by an all_reduce what additions take, and how
/// much of it work does not hide. All ranks call it together and get the same. What it finds is said to be inside of
/// one node: where the group is on several, state `between` and `ranks_a_node`, or measure two groups.
///
/// cost    less than a second
/// errors  E168 to E170, as the group has them
/// example test/unit/dist/measure.cpp  [a machine that is found again]
inline machine measure(process_group& g) {
  machine m = measure();
  for (double* rate : {&m.product_f32, &m.product_f64, &m.kernel_f32, &m.kernel_f64, &m.memory})
    *rate = 1 / detail::greatest_of_all(g, 1 / *rate);
  for (machine::cache& c : m.caches) c.rate = 1 / detail::greatest_of_all(g, 1 / c.rate);
  m.ranks_a_node = g.size();
  if (g.size() == 1) return m;
  constexpr std::size_t small = 8, half = std::size_t(1) << 20, all = std::size_t(4) << 20;
  std::vector<float> const in(all / sizeof(float), 1);
  std::vector<float> out(in.size());
  int const to = (g.rank() + 1) % g.size(), from = (g.rank() + g.size() - 1) % g.size();
  auto ring = [&](std::size_t bytes, int times) {
    return detail::fastest_of_all(g, times, [&] { g.wait(g.permute(in.data(), out.data(), bytes, to, from)); });
  };
  m.inside.latency = ring(small, 50);
  double const of_half = ring(half, 10), of_all = ring(all, 10);
  m.inside.bandwidth = double(all - half) / std::max(of_all - of_half, 1e-9);
  m.between = m.inside;
  auto post = [&](std::size_t bytes) {
    return g.all_reduce(in.data(), out.data(), bytes / sizeof(float), dtype::f32, reduction::sum);
  };
  double const reduced = detail::fastest_of_all(g, 10, [&] { g.wait(post(all)); }),
               reduced_half = detail::fastest_of_all(g, 10, [&] { g.wait(post(half)); });
  toll const sent = rank_group(m, g.size()).all_reduce(double(all));
  if (reduced > sent.seconds) m.added = double(all) / (reduced - sent.seconds);
  m.busy = detail::greatest_of_all(g, detail::measured_busy(g, reduced_half, [&] { return post(half); }));
  return m;
}

}  // namespace etna::dist

#include <etna/set_back.hpp>
