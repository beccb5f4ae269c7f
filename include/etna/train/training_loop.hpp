// SPDX-License-Identifier: BSD-3-Clause
// The loop around a training step, as a range of batches: what is done with a batch is the user's own code.
// Read next: chrome_trace.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <etna/array/array.hpp>
#include <etna/exec/machine.hpp>
#include <etna/numpy/handle.hpp>

#include "batch_cursor.hpp"
#include "progress_bar.hpp"
#include "saver.hpp"

namespace etna::train {

/// The batches of all epochs that are still to come; the body of the loop is the training.
///
///     auto s = train::create<optimizer>(nn::init<net>(random::key(0)));
///     train::loop run(s, batches, {.folder = "run", .epochs = 12, .monitor = "accuracy"});
///     for (auto& [x, y] : run) {
///       auto [next, value] = step(std::move(s), x, y);
///       s = std::move(next);
///       run.log("loss", value);
///       if (run.epoch_ends()) run.record("accuracy", evaluate(s));
///     }
///
/// Behind each turn the loop looks at s, which it has a reference to, and saves it where that is due. A run that was
/// stopped, at any time, goes on with the batch after its last checkpoint, and ends with the same bits as one that was
/// not, where the batches of an epoch are always the same.
///
/// State   any tree: train::state, or a struct with one and what else the training changes
/// errors  E113 a logged value, or a leaf of a checkpoint, is no number any more, E122 the folder has checkpoints of
///         another tree, E123 something cannot be written (thrown at the end, by wait and by save), E149, E150, E151,
///         E152, E157, E158
/// example test/unit/train/training_loop.cpp  [a run that is stopped anywhere ends with the same bits]
template <tree::any_tree State, batch_source Batches> class loop {
 public:
  loop(State& state, Batches& batches, loop_options options = {})
      : state_(state),
        batches_(batches),
        o_(std::move(options)),
        saver_(o_),
        bar_(stderr, !o_.quiet && ::isatty(2) == 1) {
    auto const size = std::uint64_t(batches_.size());
    if (size == 0) message::raise<152>("it is 0");
    if (o_.patience > 0 && o_.monitor.empty()) message::raise<157>(std::to_string(o_.patience));
    if (auto found = saver_.begin(state_, o_, size)) now_ = std::move(*found);
    now_.batches = size;
    if (now_.step > 0 && !o_.quiet) std::fprintf(stderr, "etna: %s\n", where_text(now_, o_, is_over()).c_str());
    worth_ = {o_.examples, o_.flops, 0};
    if (bar_.is_shown() && o_.flops > 0) worth_.peak = exec::limits().fma_f32;
  }
  loop(loop const&) = delete;
  loop& operator=(loop const&) = delete;

  /// From the first batch that is not trained yet. Where the loop was left in a turn, that is the turn's batch, unless
  /// save() was called in it.
  turns<loop> begin() {
    if (counted_) count();
    if (now_.batch == now_.batches) end_epoch();  // saved in an epoch's last turn
    open();
    return turns<loop>(*this);
  }
  std::default_sentinel_t end() const { return {}; }

  /// A value of this batch, an array of one or a number: history has the mean over the epoch.
  ///
  /// errors  E113 it is no number any more, E149 no column can have this name, E158 save() was called in this turn
  template <numpy::scalar_operand X> void log(std::string_view name, X const& x) {
    if (counted_) behind_save(name);
    now_.log(name, detail::number_of(x));
  }
  /// A value of this epoch.
  ///
  /// errors  E149 no column can have this name, E158 save() was called in this turn
  template <numpy::scalar_operand X> void record(std::string_view name, X const& x) {
    if (counted_) behind_save(name);
    now_.record(name, detail::number_of(x));
  }
  /// Is this turn's batch the last one of its epoch?
  bool epoch_ends() const { return now_.batch + 1 == now_.batches; }
  /// The epoch of this turn, counted from 0; and the number of batches before it, in all epochs.
  int epoch() const { return now_.epoch; }
  std::uint64_t step() const { return now_.step; }
  /// The epochs that are over.
  train::history const& history() const { return now_.history; }
  /// The best epoch, counted from 1; 0 before there is one.
  int best_epoch() const { return now_.best_epoch; }
  bool has_picture() const { return has_picture_; }  // was history.png drawn?
  /// Is the run over, by its epochs or its patience?
  bool is_over() const { return now_.epoch >= o_.epochs || out_of_patience(); }

  /// Save now, and wait until it is written. In a turn this turn's batch counts as trained, and nothing more can be
  /// logged or recorded of it: these come first.
  ///
  /// errors  E113 a leaf is no number any more, E123 it cannot be written, E151 an epoch ends, and is not judged yet
  void save() {
    if (in_turn_ && epoch_ends()) {
      auto r = now_;
      r.close_epoch();
      look_for_monitor(r);
    }
    counted_ = in_turn_;
    auto r = now_;
    r.step += in_turn_;
    r.batch += in_turn_;
    save_as(r);
    saver_.wait();
  }
  /// Wait until all is written.
  ///
  /// errors  E113, E123 the last checkpoint, the best, or the table could not be
  void wait() { saver_.wait(); }
  /// The file of the best checkpoint, which data::load reads; empty before there is one.
  std::filesystem::path best() { return saver_.best(); }

 private:
  friend class turns<loop>;
  State& state_;
  Batches& batches_;
  loop_options o_;
  run_record now_;
  batch_worth worth_;
  saver<State> saver_;
  progress_bar<> bar_;
  batch_cursor<Batches> batch_;
  bool in_turn_ = false, has_picture_ = false;
  bool counted_ = false;  // save() was called in this turn

  // The best is what patience waits behind: where there is none yet, it has not begun.
  bool out_of_patience() const {
    return o_.patience > 0 && now_.best_epoch > 0 && now_.epoch - now_.best_epoch >= o_.patience;
  }
  [[noreturn]] static void behind_save(std::string_view name) { message::raise<158>("'" + std::string(name) + "'"); }
  void look_for_monitor(run_record const& r) const {
    if (!o_.monitor.empty() && std::isnan(r.history.value(r.epoch, o_.monitor)))
      message::raise<151>("'" + o_.monitor + "' in epoch " + std::to_string(r.epoch));
  }

  // The state has this turn's batch.
  void count() {
    in_turn_ = counted_ = false;
    ++now_.step;
    ++now_.batch;
  }
  void advance() {
    count();
    bar_.show(now_, o_.epochs, worth_);
    if (now_.batch == now_.batches) {
      end_epoch();
      return open();
    }
    if (o_.save_every > 0 && now_.step % o_.save_every == 0) save_as(now_);
    batch_.next();
    take();
  }
  void open() {
    in_turn_ = false;
    if (batch_.is_open()) now_.seconds += bar_.seconds();  // left, and entered once more
    batch_.close();
    if (is_over()) return finish();
    bar_.go(now_);
    batch_.open(batches_, std::uint64_t(now_.epoch), std::size_t(now_.batch));
    take();
  }
  void take() {
    if (batch_.at_end()) saver<State>::other_number(now_.batches, now_.batch);
    in_turn_ = true;
  }
  void save_as(run_record r) {
    if (batch_.is_open()) r.seconds += bar_.seconds();
    saver_.save(state_, r, false, false);
  }
  void end_epoch() {
    if (batch_.is_open()) now_.seconds += bar_.seconds();
    batch_.close();
    now_.close_epoch();
    double const x = now_.history.value(now_.epoch, o_.monitor), was = now_.history.value(now_.best_epoch, o_.monitor);
    bool const judged = o_.monitor.empty() || !std::isnan(x);
    bool const best = judged && (o_.monitor.empty() || std::isnan(was) || o_.is_better(x, was));
    if (best) now_.best_epoch = now_.epoch;
    bar_.clear();
    if (!o_.quiet) std::puts(line_of(now_.history, o_.epochs, best && !o_.monitor.empty()).c_str());
    std::fflush(stdout);
    saver_.save(state_, now_, best, true);
    if (!judged) saver_.wait();  // the epoch is not lost
    look_for_monitor(now_);
  }
  void finish() {
    bar_.clear();
    saver_.wait();
    has_picture_ = saver_.finish(now_.history, o_.picture);
  }
};

}  // namespace etna::train

#include <etna/set_back.hpp>
