// SPDX-License-Identifier: BSD-3-Clause
// What a group has posted to MPI and not yet seen the end of. Read next: mpi_group.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <etna/group/process_group.hpp>

#if defined(ETNA_WITH_MPI)
#include <algorithm>
#include <cstdint>
#include <vector>

#include "mpi_types.hpp"
#include "watch.hpp"

namespace etna::dist {

namespace detail {

/// The collectives under way, by number. Slots are used again, so that a loop allocates in its first turn only.
class mpi_requests {
 public:
  /// Requests of one collective; it is free where the number is below 0.
  struct slot {
    std::int64_t number = -1;
    call what = call::nothing;
    std::vector<MPI_Request> requests{};
    MPI_Request* add() {
      requests.push_back(MPI_REQUEST_NULL);
      return &requests.back();
    }
    /// Whether all are done; the slot is then free.
    bool test() {
      int done = 0;
      check_mpi(MPI_Testall(int(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE), name_of(what));
      if (done) number = -1;
      return done;
    }
  };

  slot& free_slot(call what) {
    auto at = std::find_if(slots_.begin(), slots_.end(), [](slot const& s) { return s.number < 0; });
    if (at == slots_.end()) at = slots_.emplace(slots_.end());
    at->what = what;
    at->requests.clear();
    return *at;
  }
  ticket taken(slot& s) {
    s.number = next();
    now(s.what, s.number);
    return {s.number};
  }
  slot* find(ticket t) {
    for (slot& s : slots_)
      if (s.number == t.number && t.number >= 0) return &s;
    return nullptr;
  }
  /// Collectives are counted, those that are not posted as well.
  std::int64_t next() { return next_++; }

 private:
  std::vector<slot> slots_;
  std::int64_t next_ = 0;
};

}  // namespace detail

}  // namespace etna::dist
#endif

#include <etna/set_back.hpp>
