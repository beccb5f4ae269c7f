// SPDX-License-Identifier: BSD-3-Clause
// Who says where a rank was when the launcher ends it, and who ends it when MPI does not come back. Read next:
// mpi_group.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>

#include "watch.hpp"
#include <etna/message/runtime.hpp>

namespace etna::dist {

namespace detail {

/// What a signal handler needs lies ready: who this is, and the handler that was there before.
struct sigterm_place {
  char who[400] = "";
  struct sigaction before {};
  std::atomic<bool> said{false};
};
inline sigterm_place sigterm;

inline void on_sigterm(int number, siginfo_t* info, void* context) {
  int const kept = errno;
  if (!sigterm.said.exchange(true)) {
    line all;
    all << sigterm.who << "SIGTERM, ";
    add_where(all, *watched);
    (all << "\n").write(2);
  }
  errno = kept;
  auto const& before = sigterm.before;
  if (before.sa_flags & SA_SIGINFO) before.sa_sigaction(number, info, context);
  else if (before.sa_handler == SIG_DFL) {
    std::signal(number, SIG_DFL);
    std::raise(number);  // comes when this returns
  } else if (before.sa_handler != SIG_IGN) before.sa_handler(number);
}

/// A handler of SIGTERM that writes one line, who and where, and then does what was done before. The launcher sends
/// this signal when another rank has ended.
class sigterm_line {
 public:
  explicit sigterm_line(std::string const& who) {
    std::strncpy(sigterm.who, who.c_str(), sizeof sigterm.who - 1);
    struct sigaction mine {};
    mine.sa_sigaction = on_sigterm;
    mine.sa_flags = SA_SIGINFO | SA_RESTART;
    sigemptyset(&mine.sa_mask);
    sigterm.said = false;
    ::sigaction(SIGTERM, &mine, &sigterm.before);
  }
  sigterm_line(sigterm_line const&) = delete;
  sigterm_line& operator=(sigterm_line const&) = delete;
  ~sigterm_line() {
    struct sigaction there {};
    ::sigaction(SIGTERM, nullptr, &there);  // another may have come later, and stays
    if ((there.sa_flags & SA_SIGINFO) && there.sa_sigaction == on_sigterm)
      ::sigaction(SIGTERM, &sigterm.before, nullptr);
  }
};

/// A thread that looks twice a second whether this process waits for longer than a limit inside of MPI itself, which no
/// exception can leave: in MPI_Finalize and MPI_Comm_split, or where a progress call does not come back. It says so
/// (E169) and ends the process; the launcher then ends the others.
class watchdog {
  using clock = std::chrono::steady_clock;

 public:
  /// grace  time past the limit, at which a wait throws by itself
  explicit watchdog(std::string who, std::chrono::nanoseconds grace = std::chrono::seconds(2))
      : who_(std::move(who)), grace_(grace) {
    sigset_t all, kept;
    sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &kept);  // signals are the other threads'
    thread_ = std::thread([this] { look(); });
    ::pthread_sigmask(SIG_SETMASK, &kept, nullptr);
  }
  watchdog(watchdog const&) = delete;
  watchdog& operator=(watchdog const&) = delete;
  ~watchdog() {
    {
      std::lock_guard const hold(mutex_);
      over_ = true;
    }
    wake_.notify_one();
    thread_.join();
  }

 private:
  void look() {
    std::uint64_t last = 0;
    auto since = clock::now();
    std::unique_lock hold(mutex_);
    while (!wake_.wait_for(hold, std::chrono::milliseconds(500), [this] { return over_; })) {
      auto const doing = watched->doing.load(std::memory_order_acquire);
      bool const waits = (doing >> 54 & 3) == std::uint64_t(progress::waits);
      auto const at = clock::now();
      if (!waits || doing != last) since = at;
      last = doing;
      std::chrono::nanoseconds const limit(watched->limit.load(std::memory_order_relaxed));
      if (at - since - grace_ > limit) end(std::chrono::duration<double>(at - since).count());
    }
  }
  [[noreturn]] void end(double seconds) const {
    line all;
    all << who_.c_str();
    try {
      message::raise<169>(where() + " since " + std::to_string(seconds) + " s");
    } catch (error const& e) { all << e.what() << "\n"; }
    all.write(2);
    std::_Exit(EXIT_FAILURE);  // what runs at exit would wait for MPI
  }

  std::string who_;
  std::chrono::nanoseconds grace_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool over_ = false;
  std::thread thread_;
};

}  // namespace detail

}  // namespace etna::dist

#include <etna/set_back.hpp>
