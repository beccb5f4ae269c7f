// SPDX-License-Identifier: BSD-3-Clause
// What happened in each epoch: as a table on the screen, as CSV, and as a picture by gnuplot.
// Read next: progress.hpp.
#pragma once
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

namespace example {

struct row {
  int epoch;
  double loss, accuracy, seconds;
};
using history = std::vector<row>;

std::string csv(history const& all);
/// What csv wrote; false where the text is not that.
bool read_csv(std::string const& text, history& all);

inline void print_heading() { std::puts("epoch  train loss  validation accuracy  seconds"); }
inline void print_row(row const& r, bool best) {
  std::printf("%5d  %10.4f  %18.2f%%  %7.2f%s\n", r.epoch, r.loss, 100 * r.accuracy, r.seconds, best ? "  best" : "");
  std::fflush(stdout);
}

/// The whole text under this name, or what was there before.
void write_text(std::filesystem::path const& path, std::string const& text);

/// Run gnuplot on the script history.gp, written into the folder: whether it was there and succeeded.
bool draw(std::filesystem::path const& folder, int epochs);

}  // namespace example
