// SPDX-License-Identifier: BSD-3-Clause
// What a run has on the disk: checkpoints that a thread writes, the table, the picture. Read next: training_loop.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <etna/debug/recorder.hpp>

#include "background.hpp"
#include "checkpoint_folder.hpp"
#include "loop_options.hpp"
#include "picture_of_run.hpp"

namespace etna::train {

/// Writes checkpoints of a tree while the caller goes on.
///
/// cost    a snapshot copies the handles of large arrays and the elements of small ones (256 bytes). While it is being
///         written its arrays are held twice, so one step makes new ones in place of updating them: memory for one more
///         tree, and no copy
template <class Tree> class saver {
 public:
  explicit saver(loop_options const& o)
      : folder_(o.folder), checkpoints_(o.folder / "checkpoints"), keep_(o.keep), words_(o.metadata) {}

  bool is_on() const { return !folder_.empty(); }
  /// What the run goes on from, or nothing where it begins.
  ///
  /// errors  E150 there are checkpoints, which may be neither gone on from nor overwritten; else as checkpoint_folder
  std::optional<run_record> begin(Tree& tree, loop_options const& o) {
    std::optional<run_record> r;
    if (!o.from.empty()) r = checkpoint_folder::load_file(tree, o.from);
    else if (o.resume && is_on()) return found(checkpoints_.load(tree));
    if (!is_on()) return r;
    auto const all = checkpoints_.steps();
    std::uint64_t const first = r ? r->step + 1 : 0;
    if (!all.empty() && all.back() >= first && !o.overwrite) message::raise<150>(folder_.string());
    checkpoints_.remove_from(first);
    if (r) checkpoints_.take_along(r->best_step, o.from.parent_path());
    return found(r);
  }
  /// Write tree and record when the checkpoint before is written. A sentence on stderr where that fails.
  ///
  /// is_best  from now on this is the best
  /// with_table  history.csv too
  void save(Tree const& tree, run_record const& r, bool is_best, bool with_table) {
    if (!is_on()) return;
    // the job has its own copies, all that a thread may touch while this one goes on
    writer_.do_next([this, tree, r, is_best, with_table] { write(tree, r, is_best, with_table); });
  }
  /// All is written. Throws what the last checkpoint, or the best, was not written for.
  ///
  /// errors  E123 it could not be written
  void wait() {
    writer_.wait();
    failed_best_ = false;
    if (auto const failed = std::exchange(failed_, nullptr)) std::rethrow_exception(failed);
  }
  /// Draw the history.
  bool draw(history const& h) const { return train::draw(h, folder_); }
  /// The best checkpoint that is written; empty before there is one.
  std::filesystem::path best() {
    writer_.wait();
    return best_ > 0 ? checkpoints_.path(best_) : std::filesystem::path();
  }

 private:
  std::filesystem::path folder_;
  checkpoint_folder checkpoints_;
  int keep_;
  std::map<std::string, std::string> words_;
  // Of the thread, and of others after wait:
  std::uint64_t best_ = 0;
  bool failed_best_ = false;
  std::exception_ptr failed_;
  background writer_;  // the last: its end waits for what uses the others

  // The best may have been removed by somebody.
  std::optional<run_record> found(std::optional<run_record> r) {
    if (r && std::filesystem::exists(checkpoints_.path(r->best_step))) best_ = r->best_step;
    return r;
  }
  void write(Tree const& tree, run_record r, bool is_best, bool with_table) try {
    debug::span const here("checkpoint");
    r.best_step = is_best ? r.step : best_;
    checkpoints_.write(tree, r, words_);
    best_ = r.best_step;
    if (with_table) detail::write_text(folder_ / "history.csv", r.history.csv());
    checkpoints_.prune(r.step, keep_, best_);
    if (failed_best_ && !is_best) return;
    failed_ = nullptr;
    failed_best_ = false;
  } catch (std::exception const& e) {
    failed_ = std::current_exception();
    failed_best_ = failed_best_ || is_best;
    std::fprintf(stderr, "etna: a checkpoint was not written, and the training goes on: %s\n", e.what());
  }
};

}  // namespace etna::train

#include <etna/set_back.hpp>
