// SPDX-License-Identifier: BSD-3-Clause
// What dist::predict says of a step, and how it is printed. Read next: predict.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <array>
#include <initializer_list>
#include <ostream>
#include <string>
#include <vector>

#include "network.hpp"
#include <etna/exec/explanation.hpp>

namespace etna::dist {

/// How many ranks are along each axis of a mesh, in its order: 8, or {4, 2}.
struct mesh_sizes {
  std::vector<int> of;
  mesh_sizes(int ranks) : of{ranks} {}
  mesh_sizes(std::initializer_list<int> sizes) : of(sizes) {}
  int all() const {
    int n = 1;
    for (int s : of) n *= s;
    return n;
  }
};

/// Rows over ranks of one name: what a rank gives to its process group, which is exact, and what the model makes of it.
struct posted_rows {
  extent calls = 0, bytes = 0;  // bytes: of the operands of this rank
  double messages = 0, sent = 0, seconds = 0, latency = 0;
  std::array<extent, algorithm_count> by{};  // calls by algorithm

  void add(posted_rows const& x, extent times) {
    calls += times * x.calls;
    bytes += times * x.bytes;
    messages += double(times) * x.messages;
    sent += double(times) * x.sent;
    seconds += double(times) * x.seconds;
    latency += double(times) * x.latency;
    for (std::size_t k = 0; k < by.size(); ++k) by[k] += times * x.by[k];
  }
};
inline constexpr char const* row_names[] = {"allreduce", "allgather", "reduce_scatter", "alltoall", "sendrecv"};
inline constexpr int collective_rows = 5;

/// A step on so many ranks, as the model has it.
///
/// seconds     of a step; `computing` its kernels, `waiting` what of the network's time is not hidden behind these
/// network     the seconds that it is busy
/// collectives, bytes  what a rank gives to its process groups in a call: exact, unless `is_exact` is false, where
///             a branch or a while loop has collectives, and only a call tells how many. (The first call has a message
///             of 16 bytes more for each kind of collective: do all ranks come with the same?)
/// messages, sent  what a rank sends then, by the algorithms that are fastest
/// peak_bytes  arguments, results and temporaries of a rank, as in plan_type; the MPI library has its own beside
struct prediction {
  std::string machine;
  int ranks = 1;
  double seconds = 0, computing = 0, waiting = 0;
  compiler::work work;
  std::array<posted_rows, collective_rows> rows{};
  extent peak_bytes = 0;
  bool is_exact = true;

  posted_rows all() const {
    posted_rows s;
    for (posted_rows const& x : rows) s.add(x, 1);
    return s;
  }
  extent collectives() const { return all().calls; }
  extent bytes() const { return all().bytes; }
  double messages() const { return all().messages; }
  double sent() const { return all().sent; }
  double network() const { return all().seconds; }
  /// What a faster machine should have: "computing", or of the network's time "latency" or "bandwidth".
  char const* bound() const {
    if (waiting <= computing) return "computing";
    posted_rows const s = all();
    return 2 * s.latency > s.seconds ? "latency" : "bandwidth";
  }
  std::string text() const;
  friend std::ostream& operator<<(std::ostream& out, prediction const& p) { return out << p.text(); }
};

namespace detail {
inline std::string time_text(double seconds) {
  return seconds == 0 ? "0 s"
                      : exec::engineering(seconds < 1e-3 ? seconds * 1e6
                                          : seconds < 1  ? seconds * 1e3
                                                         : seconds,
                                          seconds < 1e-3 ? "us"
                                          : seconds < 1  ? "ms"
                                                         : "s");
}
}  // namespace detail

inline std::string prediction::text() const {
  using exec::engineering;
  exec::text_table t;
  t.add({"row", "calls", "bytes", "messages", "sent", "network", "of it latency", "by"});
  auto row = [&](std::string name, posted_rows const& x) {
    std::string by;
    for (std::size_t k = 0; k < x.by.size(); ++k)
      if (x.by[k] > 0)
        by += (by.empty() ? "" : ", ") + std::string(algorithm_names[k]) +
              (x.by[k] < x.calls ? " " + std::to_string(x.by[k]) : "");
    t.add({std::move(name), std::to_string(x.calls), engineering(double(x.bytes), "B"), engineering(x.messages, ""),
           engineering(x.sent, "B"), detail::time_text(x.seconds), detail::time_text(x.latency), by});
  };
  for (std::size_t k = 0; k < rows.size(); ++k)
    if (rows[k].calls > 0) row(row_names[k], rows[k]);
  row("all", all());
  return "a step on " + std::to_string(ranks) + (ranks == 1 ? " rank" : " ranks") +
         (machine.empty() ? "" : " of " + machine) + ": " + detail::time_text(seconds) + ", computing " +
         detail::time_text(computing) + ", waiting " + detail::time_text(waiting) + "; " +
         engineering(work.flops, "FLOP") + ", " + engineering(double(peak_bytes), "B") + " a rank\n" + t.text() +
         (is_exact ? "" : "where a branch or a while loop has collectives, a call may have others\n");
}

}  // namespace etna::dist

#include <etna/set_back.hpp>
