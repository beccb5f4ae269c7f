// SPDX-License-Identifier: BSD-3-Clause
// What is done once for several threads. Read next: flow.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <atomic>

namespace etna::data::detail {

/// What one of several threads does once, and the others wait for. Where it throws, the next one tries again
/// (std::call_once may hang then: not every system's pthread_once knows exceptions).
class one_time {
 public:
  template <class F> void call(F&& f) {
    for (int now = state_.load(std::memory_order_acquire); now != done;) {
      if (now == begun) state_.wait(begun);
      else if (state_.compare_exchange_weak(now, begun, std::memory_order_acquire)) {
        ending end{state_};
        f();
        end.how = done;
        return;
      }
      now = state_.load(std::memory_order_acquire);
    }
  }

 private:
  static constexpr int begun = 1, done = 2;
  struct ending {
    std::atomic<int>& state;
    int how = 0;
    ~ending() {
      state.store(how, std::memory_order_release);
      state.notify_all();
    }
  };
  std::atomic<int> state_{0};
};

}  // namespace etna::data::detail

#include <etna/set_back.hpp>
