// SPDX-License-Identifier: BSD-3-Clause
// What a run has on the disk: checkpoints that a thread writes, the table, the picture. Read next: training_loop.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <etna/debug/recorder.hpp>

#include "background.hpp"
#include "checkpoint_folder.hpp"
#include "loop_options.hpp"
#include "not_finite.hpp"
#include "picture_of_run.hpp"

namespace etna::train {

/// Writes checkpoints of a tree while the caller goes on.
///
/// cost    a snapshot copies the handles of large arrays and the elements of small ones (256 bytes). While it is being
///         written its arrays are held twice, so one step makes new ones in place of updating them: memory for one more
///         tree, and no copy
template <tree::any_tree Tree> class saver {
 public:
  explicit saver(loop_options const& o)
      : folder_(o.folder), checkpoints_(o.folder / "checkpoints"), keep_(o.keep), words_(o.metadata) {}

  bool is_on() const { return !folder_.empty(); }
  /// What the run of so many batches goes on from, or nothing where it begins. What is read is checked before anything
  /// of the folder or the tree is touched.
  ///
  /// errors  E150 there are checkpoints, which may be neither gone on from nor overwritten; E152 the run has another
  ///         number of batches; else as checkpoint_folder
  std::optional<run_record> begin(Tree& tree, loop_options const& o, std::uint64_t batches) {
    auto loaded = tree;
    std::optional<run_record> r;
    bool const on_here = o.from.empty() && o.resume;
    if (!o.from.empty()) r = checkpoint_folder::load_file(loaded, o.from);
    else if (o.resume && is_on()) r = checkpoints_.load(loaded);
    if (r && r->batches != batches) other_number(r->batches, batches);
    if (r) judge(*r, o);
    if (is_on()) {
      std::uint64_t const first = r ? r->step + 1 : 0;
      if (!on_here && !o.overwrite) refuse_from(first);
      if (r) find_best(*r, o.from);
      if (!on_here) checkpoints_.remove_from(first);
      odd_ = not_finite(loaded);
    }
    if (r) tree = std::move(loaded);
    return r;
  }
  /// E152, in words.
  [[noreturn]] static void other_number(std::uint64_t was, std::uint64_t is) {
    message::raise<152>("the run has " + std::to_string(was) + ", and here are " + std::to_string(is));
  }
  /// Write tree and record when the checkpoint before is written. A sentence on stderr where that fails, or where a
  /// leaf became a NaN or infinite.
  ///
  /// is_best  from now on this is the best
  /// with_table  history.csv too
  void save(Tree const& tree, run_record const& r, bool is_best, bool with_table) {
    if (!is_on()) return;
    // the job has its own copies, all that a thread may touch while this one goes on
    writer_.do_next([this, tree, r, is_best, with_table] { write(tree, r, is_best, with_table); });
  }
  /// All is written. Throws what the last checkpoint, or the best, or the table, was not written for.
  ///
  /// errors  E113 a leaf became a NaN or infinite; E123 it could not be written
  void wait() {
    writer_.wait();
    std::exception_ptr first;
    for (auto* failed : {&failed_table_, &failed_best_, &failed_})
      if (auto const one = std::exchange(*failed, nullptr)) first = one;
    if (first) std::rethrow_exception(first);
  }
  /// Write the table, which may be older than the last checkpoint, where the run was stopped between the two; and draw
  /// it where that is wanted. Was it drawn?
  ///
  /// errors  E123 it cannot be written
  bool finish(history const& h, bool picture) const {
    if (!is_on() || h.rows.empty()) return false;
    detail::write_text(folder_ / "history.csv", h.csv());
    return picture && draw(h, folder_);
  }
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
  std::set<std::string> odd_;  // leaves that were not finite at the beginning: a mask
  // Of the thread, and of others after wait:
  std::uint64_t best_ = 0;
  std::exception_ptr failed_, failed_best_, failed_table_;
  background writer_;  // the last: its end waits for what uses the others

  // A best that has no value of this monitor is none.
  static void judge(run_record& r, loop_options const& o) {
    if (!o.monitor.empty() && std::isnan(r.history.value(r.best_epoch, o.monitor))) r.best_epoch = 0, r.best_step = 0;
  }
  void refuse_from(std::uint64_t first) const {
    auto const all = checkpoints_.steps();
    if (!all.empty() && all.back() >= first) message::raise<150>(folder_.string());
  }
  // The best has a file here, or is taken along to here. Where the last best one could not be written, the best is the
  // one before it.
  void find_best(run_record& r, std::filesystem::path const& from) {
    if (r.best_epoch == 0) return;
    auto const here = checkpoints_.path(r.best_step);
    auto const there = from.empty() ? here : r.best_step == r.step ? from : from.parent_path() / here.filename();
    std::error_code why;
    if (r.best_step == 0 || !std::filesystem::exists(there, why)) {
      std::fprintf(stderr, "etna: the best checkpoint, of epoch %d, is missing\n", r.best_epoch);
      return;
    }
    if (there != here) checkpoints_.take_along(r.best_step, there);
    best_ = r.best_step;
    r.best_epoch = int(best_ / r.batches);
  }
  void write(Tree const& tree, run_record r, bool is_best, bool with_table) {
    debug::span const here("checkpoint");
    r.best_step = is_best ? r.step : best_;
    auto const checkpoint = [&] {
      look_at(tree, r);
      checkpoints_.write(tree, r, words_);
      best_ = r.best_step;
    };
    if (attempt("a checkpoint was not written", is_best ? failed_best_ : failed_, checkpoint))
      attempt("old checkpoints were not removed", failed_, [&] { checkpoints_.prune(r.step, keep_, best_); });
    auto const table = [&] { detail::write_text(folder_ / "history.csv", r.history.csv()); };
    if (with_table) attempt("history.csv was not written", failed_table_, table);
  }
  void look_at(Tree const& tree, run_record const& r) const {
    for (auto const& name : not_finite(tree))
      if (!odd_.contains(name))
        message::raise<113>(name + " after " + std::to_string(r.step) + " batches (it is NaN or infinite)");
  }
  template <class Work> static bool attempt(char const* what, std::exception_ptr& failed, Work work) try {
    work();
    failed = nullptr;
    return true;
  } catch (std::exception const& e) {
    failed = std::current_exception();
    std::fprintf(stderr, "etna: %s, and the training goes on: %s\n", what, e.what());
    return false;
  }
};

}  // namespace etna::train

#include <etna/set_back.hpp>
