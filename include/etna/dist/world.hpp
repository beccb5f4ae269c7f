// SPDX-License-Identifier: BSD-3-Clause
// The processes that a program was started as: MPI's where it is linked with etna::dist and MPI was found, else one.
// Read next: collectives.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <optional>
#include <string>

#include "mpi_group.hpp"
#include <etna/group/one_process.hpp>
#include "watchdog.hpp"

namespace etna::dist {

/// What a session does besides MPI_Init and MPI_Finalize.
///
/// limit      what a wait of world() takes at most, and what others in MPI take before the watchdog ends the process
/// say_where  a handler of SIGTERM writes where this rank was, and then does what was done before it
/// watchdog   a thread looks whether MPI comes back at all
struct session_options {
  std::chrono::nanoseconds limit = std::chrono::minutes(30);
  bool say_where = true;
  bool watchdog = true;
};

#if defined(ETNA_WITH_MPI)
namespace detail {
inline std::chrono::nanoseconds session_limit = session_options{}.limit;

/// "etna: rank 2 of 4 on HOST: "
inline std::string this_rank() {
  int rank = 0, size = 1;
  check_mpi(MPI_Comm_rank(MPI_COMM_WORLD, &rank), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(MPI_COMM_WORLD, &size), "MPI_Comm_size");
  char host[256]{};
  ::gethostname(host, sizeof host - 1);
  return "etna: rank " + std::to_string(rank) + " of " + std::to_string(size) + " on " + host + ": ";
}
/// Where the launcher's wrapper asks for it (cmake/etna_run.sh).
inline void watch_for_launcher(std::string const& who) {
  char const* path = std::getenv("ETNA_WATCH");
  if (!path) return;
  if (int const why = watch_in_file(path))
    std::fprintf(stderr, "%sETNA_WATCH=%s: %s; if it is killed, nobody will know where it was\n", who.c_str(), path,
                 std::strerror(why));
}
}  // namespace detail

inline namespace with_mpi {  // files of one program that were compiled with and without it do not meet
/// Begins MPI where the program has not, and ends it. A variable of main, inside its try block:
///
///     int main(int argc, char** argv) try {
///       etna::dist::session const mpi(&argc, &argv);
///       auto const ranks = etna::dist::world();
///
/// Where an exception leaves its scope, main's handler may still say what it was; when the process then ends it takes
/// the other ranks with it, which would wait for it for ever. Each says where it was.
///
/// example test/ranks/life.cpp  [killed, thrown, hanging: cmake/etna_run.sh says which]
class session {
 public:
  explicit session(int* argc = nullptr, char*** argv = nullptr, session_options options = {}) {
    int begun = 0, level = 0;
    MPI_Initialized(&begun);
    if (!begun) {
      detail::check_mpi(MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &level), "MPI_Init_thread");
      own_ = true;
    }
    detail::session_limit = limit_ = options.limit;
    std::string const who = detail::this_rank();
    detail::watch_for_launcher(who);
    if (options.say_where) on_sigterm_.emplace(who);
    if (options.watchdog) watchdog_.emplace(who);
  }
  session(session const&) = delete;
  session& operator=(session const&) = delete;
  ~session() {
    if (std::uncaught_exceptions() > exceptions_) std::atexit(abort_all);
    else if (own_) {
      detail::waiting const here(detail::call::finalize, 0, limit_);
      MPI_Finalize();
    }
  }

 private:
  static void abort_all() {
    int ended = 0;  // by the program itself, if it began MPI
    MPI_Finalized(&ended);
    if (ended) return;
    detail::line all;
    all << detail::this_rank().c_str() << "an exception, ";
    detail::add_where(all, *detail::watched);
    (all << "; the other ranks end with it\n").write(2);
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
  }
  bool own_ = false;
  int exceptions_ = std::uncaught_exceptions();
  std::chrono::nanoseconds limit_{};
  std::optional<detail::sigterm_line> on_sigterm_;
  std::optional<detail::watchdog> watchdog_;  // ends first, and lives while MPI ends
};

/// All processes that were started together; a wait of theirs takes no longer than the session's limit.
///
/// errors  E168 MPI was not begun: a session, or the program's MPI_Init, comes first
inline std::unique_ptr<process_group> world() {
  return std::make_unique<mpi_group>(MPI_COMM_WORLD, detail::session_limit);
}
}  // namespace with_mpi
#else
inline namespace alone {
class session {
 public:
  explicit session(int* = nullptr, char*** = nullptr, session_options = {}) {}
  session(session const&) = delete;
  session& operator=(session const&) = delete;
  ~session() {}
};
inline std::unique_ptr<process_group> world() { return std::make_unique<one_process>(); }
}  // namespace alone
#endif

}  // namespace etna::dist

#include <etna/set_back.hpp>
