// SPDX-License-Identifier: BSD-3-Clause
// A process that says that it is one of many, whose messages take what a machine's network takes: for trying on one
// process what overlaps on many. Read next: collectives.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <string>
#include <utility>

#include "network.hpp"
#include <etna/group/one_process.hpp>

namespace etna::dist {

/// Rank 0 of so many, all of which have the arrays that this one has: a sum is that of equal ones. Collectives take
/// the time of rank_group's formulas, one behind the other; nothing is sent. It counts what it is asked for.
///
///     dist::modelled_group g(8, dist::measure());
///     dist::mesh<"i"_n> const m(g);
///     step(p, x, y);  // takes what dist::predict says
///
/// errors  E168 split: the other ranks are not there to say where they belong
/// example test/unit/dist/modelled_group.cpp  [what a group of equal ranks gives]
class modelled_group final : public process_group {
  using clock = std::chrono::steady_clock;

 public:
  modelled_group(int ranks, machine m) : machine_(std::move(m)), of_(machine_, ranks), ranks_(ranks) {}
  modelled_group(modelled_group const&) = delete;
  modelled_group& operator=(modelled_group const&) = delete;

  /// What it was asked for: collectives, and bytes of their operands.
  std::int64_t collectives() const { return collectives_; }
  std::int64_t bytes() const { return bytes_; }

  int rank() const override { return 0; }
  int size() const override { return ranks_; }
  ticket all_reduce(void const* in, void* out, std::size_t n, dtype t, reduction r) override {
    std::size_t const bytes = n * std::size_t(bytes_of(t));
    together(in, out, n, t, r);
    return posted(bytes, of_.all_reduce(double(bytes)));
  }
  ticket reduce(void const* in, void* out, std::size_t n, dtype t, reduction r, int root) override {
    detail::check_rank("reduce", root, ranks_);
    return all_reduce(in, out, n, t, r);
  }
  ticket reduce_scatter(void const* in, void* out, std::size_t n, dtype t, reduction r) override {
    std::size_t const bytes = n * std::size_t(bytes_of(t)) * std::size_t(ranks_);
    together(in, out, n, t, r);
    return posted(bytes, of_.reduce_scatter(double(bytes)));
  }
  ticket broadcast(void*, std::size_t bytes, int root) override {
    detail::check_rank("broadcast", root, ranks_);
    return posted(bytes, of_.broadcast(double(bytes)));
  }
  ticket all_gather(void const* in, void* out, std::size_t bytes) override {
    for (int k = 0; k < ranks_; ++k) copy(in, static_cast<std::byte*>(out) + std::size_t(k) * bytes, bytes);
    return posted(bytes, of_.all_gather(double(bytes)));
  }
  ticket gather(void const* in, void* out, std::size_t bytes, int root) override {
    detail::check_rank("gather", root, ranks_);
    return all_gather(in, out, bytes);
  }
  ticket scatter(void const* in, void* out, std::size_t bytes, int root) override {
    detail::check_rank("scatter", root, ranks_);
    copy(in, out, bytes);
    return posted(bytes * std::size_t(ranks_), of_.all_gather(double(bytes)));
  }
  ticket all_to_all(void const* in, void* out, std::size_t bytes) override {
    for (int k = 0; k < ranks_; ++k) copy(in, static_cast<std::byte*>(out) + std::size_t(k) * bytes, bytes);
    return posted(bytes * std::size_t(ranks_), of_.all_to_all(double(bytes) * ranks_));
  }
  ticket permute(void const* in, void* out, std::size_t bytes, int to, int from) override {
    detail::check_rank("permute", to, ranks_, true);
    detail::check_rank("permute", from, ranks_, true);
    if (from != nobody) copy(in, out, bytes);
    else if (bytes > 0) std::memset(out, 0, bytes);
    bool const near = to == 1 || from == 1 || to == ranks_ - 1 || from == ranks_ - 1;
    return posted(bytes, of_.permute(double(bytes), near));
  }
  bool test(ticket t) override { return clock::now() >= clock::time_point(clock::duration(t.number)); }
  /// Stays on its processor: a sleep comes back late.
  void wait(ticket t) override {
    while (!test(t)) {}
  }
  std::unique_ptr<process_group> split(int, int) override {
    message::raise<168>("split: the ranks of a modelled group are one process");
  }

 private:
  machine machine_;
  rank_group of_;
  int ranks_;
  std::int64_t collectives_ = 0, bytes_ = 0;
  clock::time_point free_;  // when all that was posted is done

  static void copy(void const* in, void* out, std::size_t bytes) {
    if (in != out && bytes > 0) std::memcpy(out, in, bytes);
  }
  void together(void const* in, void* out, std::size_t n, dtype t, reduction r) const {
    copy(in, out, n * std::size_t(bytes_of(t)));
    if (r != reduction::sum || ranks_ == 1) return;
    for_dtype(t, [&]<class T>(std::type_identity<T>) {
      auto* const x = static_cast<T*>(out);
      for (std::size_t i = 0; i < n; ++i) x[i] = T(x[i] * T(float(ranks_)));
    });
  }
  ticket posted(std::size_t bytes, toll const& t) {
    ++collectives_;
    bytes_ += std::int64_t(bytes);
    double const seconds = t.by == algorithm::copy ? 0 : t.seconds;
    free_ = std::max(clock::now(), free_) +
            std::chrono::duration_cast<clock::duration>(std::chrono::duration<double>(seconds));
    return {std::int64_t(free_.time_since_epoch().count())};  // the time when it is done
  }
};

}  // namespace etna::dist

#include <etna/set_back.hpp>
