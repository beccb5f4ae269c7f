// SPDX-License-Identifier: BSD-3-Clause
// The group room: processes that call collectives together, and the mesh that they are. This file adds collectives on
// memory, posted and waited for. Read next: one_process.hpp, mesh.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include <etna/array/dtype.hpp>

namespace etna::dist {

/// How numbers of several ranks become one.
enum class reduction : std::uint8_t { sum, max, min };

/// A collective that was posted: what test and wait ask for.
struct ticket {
  std::int64_t number = -1;
};

/// Processes that call the same collectives in the same order. What is posted reads `in` and writes `out` until test
/// has said that it is done or wait has returned; nobody else may touch them until then. Sizes count elements of type
/// `t`, or bytes; all ranks give the same.
///
/// errors  E168 the processes' library refuses, or a rank does not exist (thrown where it is found)
/// threads one thread at a time calls a group
/// source  PyTorch's ProcessGroup, MPI's non-blocking collectives
class process_group {
 public:
  static constexpr int nobody = -1;

  virtual ~process_group() = default;
  /// One that no other group of this process has or had: an address may be used again.
  std::uint64_t identity() const { return identity_; }
  /// This process's number, 0 to size() - 1.
  virtual int rank() const = 0;
  virtual int size() const = 0;

  /// n elements of all ranks, reduced: for each rank, or for `root`.
  virtual ticket all_reduce(void const* in, void* out, std::size_t n, dtype t, reduction r) = 0;
  virtual ticket reduce(void const* in, void* out, std::size_t n, dtype t, reduction r, int root) = 0;
  /// `in` has n elements for each rank; `out` gets the reduced n of this one.
  virtual ticket reduce_scatter(void const* in, void* out, std::size_t n, dtype t, reduction r) = 0;
  /// `both` of root goes to all.
  virtual ticket broadcast(void* both, std::size_t bytes, int root) = 0;
  /// `out` gets the bytes of all ranks, in their order: for each rank, or for `root`.
  virtual ticket all_gather(void const* in, void* out, std::size_t bytes) = 0;
  virtual ticket gather(void const* in, void* out, std::size_t bytes, int root) = 0;
  /// `in` of root has `bytes` for each rank.
  virtual ticket scatter(void const* in, void* out, std::size_t bytes, int root) = 0;
  /// `in` has `bytes` for each rank, `out` gets those that each has for this one.
  virtual ticket all_to_all(void const* in, void* out, std::size_t bytes) = 0;
  /// `in` goes to rank `to`, `out` comes from rank `from`, which says that it sends here; zeros from nobody.
  virtual ticket permute(void const* in, void* out, std::size_t bytes, int to, int from) = 0;

  /// Whether it is done; what MPI has to do for it is done in here. Once it is, the ticket is spent.
  virtual bool test(ticket t) = 0;
  /// Returns when it is done.
  ///
  /// errors  E169 it takes longer than the group's limit
  virtual void wait(ticket t) = 0;

  /// The ranks that give the same color, as a group of their own, in the order of what they give as order (then of
  /// rank).
  virtual std::unique_ptr<process_group> split(int color, int order) = 0;

 private:
  static inline std::atomic<std::uint64_t> identities_{0};
  std::uint64_t identity_ = ++identities_;
};

}  // namespace etna::dist

#include <etna/set_back.hpp>
