// SPDX-License-Identifier: BSD-3-Clause
// A line that shows how far an epoch is; nothing where the error output is not a terminal.
// Read next: session.hpp.
#pragma once
#include <algorithm>
#include <chrono>
#include <cstdio>

#include <unistd.h>

namespace example {

class progress {
  using clock = std::chrono::steady_clock;

 public:
  progress(int epoch, int epochs, std::size_t batches, int batch)
      : epoch_(epoch), epochs_(epochs), batches_(batches), batch_(batch) {}
  ~progress() { clear(); }

  double seconds() const { return std::chrono::duration<double>(clock::now() - start_).count(); }

  /// After `done` batches with this mean loss; drawn ten times a second.
  void show(std::size_t done, double loss) {
    if (!terminal_ || (clock::now() < next_ && done < batches_)) return;
    next_ = clock::now() + std::chrono::milliseconds(100);
    constexpr int width = 24;
    int const full = int(width * done / std::max<std::size_t>(batches_, 1));
    std::fprintf(stderr, "\repoch %d/%d [%.*s%.*s] %3d%%  loss %.4f  %.0f images/s\x1b[K", epoch_, epochs_, full,
                 "========================", width - full, "                        ",
                 int(100 * done / std::max<std::size_t>(batches_, 1)), loss,
                 double(done) * batch_ / std::max(seconds(), 1e-9));
    drawn_ = true;
  }
  void clear() {
    if (drawn_) std::fputs("\r\x1b[K", stderr);
    drawn_ = false;
  }

 private:
  int epoch_, epochs_;
  std::size_t batches_;
  int batch_;
  clock::time_point start_ = clock::now(), next_ = start_;
  bool terminal_ = ::isatty(2) == 1, drawn_ = false;
};

}  // namespace example
