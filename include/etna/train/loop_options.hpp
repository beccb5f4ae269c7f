// SPDX-License-Identifier: BSD-3-Clause
// What a training loop may be told, and what batches are to it. Read next: batch_cursor.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <ranges>
#include <string>

namespace etna::train {

/// Whether a monitored value is better when it is less. automatic: less where its name has "loss" in it.
enum class better { automatic, less, greater };

/// What a training loop may be told.
///
/// folder      where all is kept; empty: nothing is written
/// epochs      passes over the batches, those of a resumed run included
/// save_every  a checkpoint each time so many batches are done, and at each epoch's end; 0: only there
/// keep        so many last checkpoints are kept, and the best
/// monitor     the value of an epoch that says which is best; empty: the last is
/// mode        whether it is better when it is less
/// patience    the run ends when so many epochs have not become better; 0: it does not
/// flops       operations of a step, plan_type<decltype(step)>::flops, for the progress
/// examples    examples in a batch, for the progress
/// picture     history.png is drawn at the end
/// resume      go on where the folder's last checkpoint is
/// from        go on from this checkpoint, whatever the folder has
/// overwrite   without resume: remove the checkpoints of the folder; with from: those that are newer
/// metadata    words to keep in each checkpoint, beside those of the loop, which begin with "run."
/// quiet       no progress, no line for each epoch, and none that says where a run goes on
struct loop_options {
  std::filesystem::path folder = {};
  int epochs = 1;
  std::uint64_t save_every = 0;
  int keep = 3;
  std::string monitor = {};
  better mode = better::automatic;
  int patience = 0;
  double flops = 0, examples = 0;
  bool picture = true, resume = true;
  std::filesystem::path from = {};
  bool overwrite = false;
  std::map<std::string, std::string> metadata = {};
  bool quiet = false;

  /// Is x better than what was best?
  bool is_better(double x, double best) const {
    bool const less = mode == better::less || (mode == better::automatic && monitor.find("loss") != monitor.npos);
    return less ? x < best : x > best;
  }
};

/// Batches of a run: size() of them in an epoch, and epoch(e, first), those of epoch e from number `first` on. The same
/// numbers give the same batches, whatever was before.
template <class B> concept batch_source = requires(B& b, std::uint64_t e, std::size_t first) {
  { b.size() } -> std::convertible_to<std::size_t>;
  { b.epoch(e, first) } -> std::ranges::input_range;
};

}  // namespace etna::train

#include <etna/set_back.hpp>
