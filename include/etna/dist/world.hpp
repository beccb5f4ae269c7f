// SPDX-License-Identifier: BSD-3-Clause
// The processes that a program was started as: MPI's where it is linked with etna::dist and MPI was found, else one.
// Read next: collectives.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <cstdlib>
#include <exception>
#include <memory>

#include "mpi_group.hpp"
#include <etna/group/one_process.hpp>

namespace etna::dist {

#if defined(ETNA_WITH_MPI)
inline namespace with_mpi {  // files of one program that were compiled with and without it do not meet
/// Begins MPI where the program has not, and ends it. A variable of main, inside its try block:
///
///     int main(int argc, char** argv) try {
///       etna::dist::session const mpi(&argc, &argv);
///       auto const ranks = etna::dist::world();
///
/// Where an exception leaves its scope, main's handler may still say what it was; when the process then ends it takes
/// the other ranks with it, which would wait for it for ever.
class session {
 public:
  explicit session(int* argc = nullptr, char*** argv = nullptr) {
    int begun = 0, level = 0;
    MPI_Initialized(&begun);
    if (begun) return;
    detail::check_mpi(MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &level), "MPI_Init_thread");
    own_ = true;
  }
  session(session const&) = delete;
  session& operator=(session const&) = delete;
  ~session() {
    if (std::uncaught_exceptions() > exceptions_) std::atexit(abort_all);
    else if (own_) MPI_Finalize();
  }

 private:
  static void abort_all() {
    int ended = 0;  // by the program itself, if it began MPI
    MPI_Finalized(&ended);
    if (!ended) MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
  }
  bool own_ = false;
  int exceptions_ = std::uncaught_exceptions();
};

/// All processes that were started together.
///
/// errors  E168 MPI was not begun: a session, or the program's MPI_Init, comes first
inline std::unique_ptr<process_group> world() { return std::make_unique<mpi_group>(MPI_COMM_WORLD); }
}  // namespace with_mpi
#else
inline namespace alone {
class session {
 public:
  explicit session(int* = nullptr, char*** = nullptr) {}
  session(session const&) = delete;
  session& operator=(session const&) = delete;
  ~session() {}
};
inline std::unique_ptr<process_group> world() { return std::make_unique<one_process>(); }
}  // namespace alone
#endif

}  // namespace etna::dist

#include <etna/set_back.hpp>
