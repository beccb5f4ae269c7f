// SPDX-License-Identifier: BSD-3-Clause
// A plan's steps in their order, on a machine of so many ranks: clocks instead of work. Read next: predict.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <cmath>
#include <map>
#include <optional>
#include <vector>

#include "prediction.hpp"
#include <etna/eager/ranks.hpp>

namespace etna::dist {

namespace detail {

/// A collective among a plan's steps.
struct posted_step {
  int row;  // of row_names
  std::int64_t const* words;
  extent bytes;  // of its operand
  int result;    // buffer
};

/// Walks a plan's steps in order: one clock for what a rank computes, one for the network, where what is posted goes
/// one behind the other.
class walk_of_steps {
 public:
  walk_of_steps(planning::plan const& p, bool const* in_function, ext::bindings const& size, machine const& m,
                mesh_sizes const& ranks)
      : cost_{p, size}, in_function_(in_function), size_(size), m_(m), ranks_(ranks) {}

  /// The time that steps take, and what they post.
  struct spent {
    double computing = 0, waiting = 0;
    std::array<posted_rows, collective_rows> rows{};
    void add(spent const& x, extent times) {
      computing += double(times) * x.computing;
      waiting += double(times) * x.waiting;
      for (std::size_t k = 0; k < rows.size(); ++k) rows[k].add(x.rows[k], times);
    }
  };

  spent run(bool whole) {
    spent s = frame(cost_.p.frames[cost_.p.n_frames - 1], whole);
    if (whole) compute(s, m_.launch);
    return s;
  }
  double now() const { return clock_.now; }
  bool is_exact() const { return is_exact_; }

 private:
  compiler::costs<ext::bindings> cost_;
  bool const* in_function_;
  ext::bindings const& size_;
  machine const& m_;
  mesh_sizes const& ranks_;
  struct clocks {
    double now = 0, network = 0;     // when this rank, and the network, is free
    std::map<int, double> due = {};  // what was posted, by the buffer of its result
  } clock_;
  bool is_exact_ = true;

  void compute(spent& s, double seconds) {
    s.computing += seconds;
    clock_.now += seconds;
  }
  void wait(spent& s, double until) {
    s.waiting += std::max(0.0, until - clock_.now);
    clock_.now = std::max(clock_.now, until);
  }

  spent frame(planning::frame const& f, bool inside) {
    spent s;
    for (int i = f.step; i < f.step + f.steps; ++i) {
      planning::step const& st = cost_.p.steps[i];
      if (planning::is_nested(st)) s.add(nested(st, inside || in_function_[i]), 1);
      else one(s, st, inside);
      if (planning::is_nested(st) && in_function_[i] && !inside) compute(s, m_.launch);
    }
    return s;
  }
  void one(spent& s, planning::step const& st, bool inside) {
    if (!inside) compute(s, m_.launch);
    if (planning::is<planning::routine_step>(st)) {
      if (st.kernel == ops::code<ops::awaited_p>) {
        auto const due = clock_.due.find(cost_.p.views[st.view].buffer);
        if (due != clock_.due.end()) wait(s, due->second);
      } else if (std::optional<posted_step> const c = collective(st)) return post(s, *c);
    }
    compiler::work const w = cost_.of(st);
    compute(s, m_.seconds(double(w.flops.number()), double(w.read.number()) + double(w.written.number()),
                          cost_.type_of(st), planning::is<planning::product_step>(st)));
  }

  std::optional<posted_step> collective(planning::step const& st) const {
    static constexpr int codes[collective_rows] = {ops::code<ops::allreduce_p>, ops::code<ops::allgather_p>,
                                                   ops::code<ops::reduce_scatter_p>, ops::code<ops::alltoall_p>,
                                                   ops::code<ops::sendrecv_p>};
    for (int k = 0; k < collective_rows; ++k)
      if (st.kernel == codes[k]) {
        tensor_type t = planning::routine_step::type_of(cost_.p, st, 0);
        for (int i = 0; i < t.rank; ++i) t.e[i] = size_(t.e[i]);
        return posted_step{k, cost_.p.numbers + st.number, t.size() * bytes_of(t.d),
                           cost_.p.views[st.view + st.inputs].buffer};
      }
    return {};
  }
  rank_group group_of(std::int64_t const* words) const {
    auto const axis = std::size_t(ops::mesh_words::read(words).axis.number);
    if (axis >= ranks_.of.size())
      message::raise<171>("predict: " + std::to_string(ranks_.of.size()) + " sizes, and a collective goes over axis " +
                          std::to_string(axis));
    int stride = 1;
    for (std::size_t k = axis + 1; k < ranks_.of.size(); ++k) stride *= ranks_.of[k];
    return {m_, ranks_.of[axis], stride};
  }
  toll toll_of(posted_step const& c) const {
    rank_group const g = group_of(c.words);
    double const n = double(c.bytes);
    if (c.row >= 1 && c.row <= 3)
      if (extent const size = ops::fronted_by_ranks::size_of(c.words); size != g.ranks())
        message::raise<171>("predict: " + std::string(row_names[c.row]) + " of " + std::to_string(size) +
                            " ranks, and along the axis are " + std::to_string(g.ranks()));
    if (c.row == 0) return g.all_reduce(n);
    if (c.row == 1) return g.all_gather(n);
    if (c.row == 2) return g.reduce_scatter(n);
    if (c.row == 3) return g.all_to_all(n);
    using row = ops::sendrecv_p;
    bool const near = c.words[row::head] == row::by_shift && std::abs(c.words[row::head + 1]) == 1;
    return g.permute(n, near);
  }
  void post(spent& s, posted_step const& c) {
    toll const t = toll_of(c);
    posted_rows& r = s.rows[std::size_t(c.row)];
    posted_rows const one{1, c.bytes, double(t.messages), t.sent, t.by == algorithm::copy ? 0 : t.seconds, t.latency};
    r.add(one, 1);
    ++r.by[std::size_t(t.by)];
    if (t.by == algorithm::copy) return compute(s, t.seconds);  // done where it is posted
    clock_.network = std::max(clock_.network, clock_.now) + t.seconds;
    wait(s, clock_.now + m_.busy * t.seconds);
    if (ops::mesh_words::read(c.words).posted) clock_.due[c.result] = clock_.network;
    else wait(s, clock_.network);
  }

  /// All rounds of a loop; of a while loop one; of a branch the block that takes longest. What a round posts it waits
  /// for, so that all rounds behind the first are alike.
  spent nested(planning::step const& st, bool inside) {
    if (planning::facts_of(st).takes_one) return slowest_block(st, inside);
    extent const rounds = cost_.rounds(st).number();
    if (rounds == 0) return {};
    spent s = round(st, inside);
    if (planning::facts_of(st).rounds(cost_.p, st) == ext::invalid) is_exact_ = is_exact_ && calls(s) == 0;
    if (rounds < 2) return s;
    double const begin = clock_.now;
    spent const next = round(st, inside);
    clock_.now += double(rounds - 2) * (clock_.now - begin);
    s.add(next, rounds - 1);
    return s;
  }
  spent round(planning::step const& st, bool inside) {
    spent s;
    for (int k = 0; k < cost_.blocks(st); ++k) s.add(frame(cost_.block(st, k), inside), 1);
    return s;
  }
  spent slowest_block(planning::step const& st, bool inside) {
    clocks const before = clock_;
    clocks last = before;
    spent most;
    for (int k = 0; k < cost_.blocks(st); ++k) {
      clock_ = before;
      spent const s = frame(cost_.block(st, k), inside);
      is_exact_ = is_exact_ && calls(s) == 0;
      if (k > 0 && clock_.now <= last.now) continue;
      last = clock_;
      most = s;
    }
    clock_ = last;
    return most;
  }
  static extent calls(spent const& s) {
    extent n = 0;
    for (posted_rows const& r : s.rows) n += r.calls;
    return n;
  }
};

}  // namespace detail

}  // namespace etna::dist

#include <etna/set_back.hpp>
