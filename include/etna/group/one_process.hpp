// SPDX-License-Identifier: BSD-3-Clause
// A group of one: every collective is a copy. What programs without MPI run as. Read next: mesh.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <cstring>
#include <string>

#include "process_group.hpp"
#include <etna/message/runtime.hpp>

namespace etna::dist {

namespace detail {
inline void check_rank(char const* what, int rank, int size, bool nobody_too = false) {
  if (rank >= (nobody_too ? process_group::nobody : 0) && rank < size) return;
  message::raise<168>(std::string(what) + ": there is no rank " + std::to_string(rank) + " among " +
                      std::to_string(size));
}
}  // namespace detail

/// One process, which is rank 0. All is done when it is posted.
///
/// example test/unit/group/one_process.cpp  [collectives of one are copies]
class one_process final : public process_group {
 public:
  int rank() const override { return 0; }
  int size() const override { return 1; }
  ticket all_reduce(void const* in, void* out, std::size_t n, dtype t, reduction) override {
    return copy(in, out, n * std::size_t(bytes_of(t)));
  }
  ticket reduce(void const* in, void* out, std::size_t n, dtype t, reduction r, int root) override {
    detail::check_rank("reduce", root, 1);
    return all_reduce(in, out, n, t, r);
  }
  ticket reduce_scatter(void const* in, void* out, std::size_t n, dtype t, reduction r) override {
    return all_reduce(in, out, n, t, r);
  }
  ticket broadcast(void*, std::size_t, int root) override {
    detail::check_rank("broadcast", root, 1);
    return {0};
  }
  ticket all_gather(void const* in, void* out, std::size_t bytes) override { return copy(in, out, bytes); }
  ticket gather(void const* in, void* out, std::size_t bytes, int root) override {
    detail::check_rank("gather", root, 1);
    return copy(in, out, bytes);
  }
  ticket scatter(void const* in, void* out, std::size_t bytes, int root) override {
    detail::check_rank("scatter", root, 1);
    return copy(in, out, bytes);
  }
  ticket all_to_all(void const* in, void* out, std::size_t bytes) override { return copy(in, out, bytes); }
  ticket permute(void const* in, void* out, std::size_t bytes, int to, int from) override {
    detail::check_rank("permute", to, 1, true);
    detail::check_rank("permute", from, 1, true);
    if (from == 0) return copy(in, out, bytes);
    if (bytes > 0) std::memset(out, 0, bytes);
    return {0};
  }
  bool test(ticket) override { return true; }
  void wait(ticket) override {}
  std::unique_ptr<process_group> split(int, int) override { return std::make_unique<one_process>(); }

 private:
  static ticket copy(void const* in, void* out, std::size_t bytes) {
    if (in != out && bytes > 0) std::memcpy(out, in, bytes);
    return {0};
  }
};

}  // namespace etna::dist

#include <etna/set_back.hpp>
