// SPDX-License-Identifier: BSD-3-Clause
// A group of MPI's processes. Programs that link etna::dist have it, where CMake found an MPI (ETNA_WITH_MPI).
// Read next: world.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <etna/group/process_group.hpp>

#if defined(ETNA_WITH_MPI)
#include <algorithm>
#include <chrono>
#include <climits>
#include <cstring>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "mpi_requests.hpp"
#include "mpi_types.hpp"
#include <etna/group/one_process.hpp>
#include "watch.hpp"

namespace etna::dist {

/// The processes of a communicator of the program's. Its messages travel in a copy of that communicator, so that they
/// meet none of the program's own.
///
/// limit   what a wait takes at most, and PyTorch's default
/// errors  E168 MPI refuses, or was not begun; E169 from wait
/// threads MPI_THREAD_SINGLE is enough where one thread calls
/// example test/ranks/groups.cpp  [every collective, on 1 to 4 ranks]
class mpi_group final : public process_group {
  using call = detail::call;

 public:
  explicit mpi_group(MPI_Comm of, std::chrono::nanoseconds limit = std::chrono::minutes(30)) : limit_(limit) {
    int begun = 0, ended = 0;
    MPI_Initialized(&begun);
    if (begun) MPI_Finalized(&ended);
    if (!begun || ended)
      message::raise<168>(begun ? "mpi_group: MPI_Finalize was called" : "mpi_group: MPI_Init was not called");
    {
      detail::waiting const here(call::split, 0, limit_);
      detail::check_mpi(MPI_Comm_dup(of, &all_), "MPI_Comm_dup");
    }
    begin();
  }
  mpi_group(mpi_group const&) = delete;
  mpi_group& operator=(mpi_group const&) = delete;
  ~mpi_group() override {
    int ended = 0;
    MPI_Finalized(&ended);
    if (!ended) MPI_Comm_free(&all_);
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }

  ticket all_reduce(void const* in, void* out, std::size_t n, dtype t, reduction r) override {
    auto const [type, op] = detail::number_type_of(t, r);
    return in_parts(call::all_reduce, n, t, in, out,
                    [&, type = type, op = op](void const* x, void* y, int m, MPI_Request* q) {
                      return MPI_Iallreduce(x == y ? MPI_IN_PLACE : x, y, m, type, op, all_, q);
                    });
  }
  ticket reduce(void const* in, void* out, std::size_t n, dtype t, reduction r, int root) override {
    detail::check_rank("reduce", root, size_);
    auto const [type, op] = detail::number_type_of(t, r);
    return in_parts(call::reduce, n, t, in, out,
                    [&, type = type, op = op](void const* x, void* y, int m, MPI_Request* q) {
                      return MPI_Ireduce(x == y && rank_ == root ? MPI_IN_PLACE : x, y, m, type, op, root, all_, q);
                    });
  }
  ticket reduce_scatter(void const* in, void* out, std::size_t n, dtype t, reduction r) override {
    if (n > INT_MAX)
      message::raise<168>("reduce_scatter of " + std::to_string(n) + " elements, and MPI counts to 2^31");
    auto const [type, op] = detail::number_type_of(t, r);
    return one(call::reduce_scatter, [&, type = type, op = op](MPI_Request* q) {
      return MPI_Ireduce_scatter_block(in, out, int(n), type, op, all_, q);
    });
  }
  ticket broadcast(void* both, std::size_t bytes, int root) override {
    detail::check_rank("broadcast", root, size_);
    detail::block_type const block(bytes);
    return one(call::broadcast, [&](MPI_Request* q) { return MPI_Ibcast(both, 1, block, root, all_, q); });
  }
  ticket all_gather(void const* in, void* out, std::size_t bytes) override {
    detail::block_type const block(bytes);
    return one(call::all_gather, [&](MPI_Request* q) { return MPI_Iallgather(in, 1, block, out, 1, block, all_, q); });
  }
  ticket gather(void const* in, void* out, std::size_t bytes, int root) override {
    detail::check_rank("gather", root, size_);
    detail::block_type const block(bytes);
    return one(call::gather, [&](MPI_Request* q) { return MPI_Igather(in, 1, block, out, 1, block, root, all_, q); });
  }
  ticket scatter(void const* in, void* out, std::size_t bytes, int root) override {
    detail::check_rank("scatter", root, size_);
    detail::block_type const block(bytes);
    return one(call::scatter, [&](MPI_Request* q) { return MPI_Iscatter(in, 1, block, out, 1, block, root, all_, q); });
  }
  ticket all_to_all(void const* in, void* out, std::size_t bytes) override {
    detail::block_type const block(bytes);
    return one(call::all_to_all, [&](MPI_Request* q) { return MPI_Ialltoall(in, 1, block, out, 1, block, all_, q); });
  }
  ticket permute(void const* in, void* out, std::size_t bytes, int to, int from) override {
    detail::check_rank("permute", to, size_, true);
    detail::check_rank("permute", from, size_, true);
    detail::block_type const block(bytes);
    auto& s = under_way_.free_slot(call::permute);
    if (from != nobody) detail::check_mpi(MPI_Irecv(out, 1, block, from, 0, all_, s.add()), "MPI_Irecv");
    else if (bytes > 0) std::memset(out, 0, bytes);
    if (to != nobody) detail::check_mpi(MPI_Isend(in, 1, block, to, 0, all_, s.add()), "MPI_Isend");
    return under_way_.taken(s);
  }

  bool test(ticket t) override {
    auto* s = under_way_.find(t);
    return !s || s->test();
  }
  void wait(ticket t) override {
    auto const begin = std::chrono::steady_clock::now();
    std::optional<detail::waiting> said;
    for (std::uint64_t turns = 0; !test(t); ++turns) {
      if (turns < 1000) continue;  // what is about to come is worth some microseconds
      if (!said) said.emplace(under_way_.find(t)->what, t.number, limit_);
      std::this_thread::yield();  // ranks may share a processor
      if (turns % 256 != 0 || std::chrono::steady_clock::now() - begin <= limit_) continue;
      std::string const here = where();
      said->give_up();
      message::raise<169>("rank " + std::to_string(rank_) + " of " + std::to_string(size_) + " " + here + " since " +
                          std::to_string(std::chrono::duration<double>(limit_).count()) + " s");
    }
  }
  std::unique_ptr<process_group> split(int color, int order) override {
    MPI_Comm part = MPI_COMM_NULL;
    std::int64_t const number = under_way_.next();
    {
      detail::waiting const here(call::split, number, limit_);
      detail::check_mpi(MPI_Comm_split(all_, color, order, &part), "MPI_Comm_split");
    }
    return std::unique_ptr<process_group>(new mpi_group(part, limit_, true));
  }

 private:
  mpi_group(MPI_Comm own, std::chrono::nanoseconds limit, bool) : all_(own), limit_(limit) { begin(); }
  void begin() {
    detail::check_mpi(MPI_Comm_set_errhandler(all_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    detail::check_mpi(MPI_Comm_rank(all_, &rank_), "MPI_Comm_rank");
    detail::check_mpi(MPI_Comm_size(all_, &size_), "MPI_Comm_size");
  }
  template <class Post> ticket one(call what, Post const& post) {
    auto& s = under_way_.free_slot(what);
    detail::check_mpi(post(s.add()), detail::name_of(what));
    return under_way_.taken(s);
  }
  // MPI's counts are int.
  template <class Post>
  ticket in_parts(call what, std::size_t n, dtype t, void const* in, void* out, Post const& post) {
    constexpr std::size_t most = std::size_t(1) << 30;
    auto& s = under_way_.free_slot(what);
    std::size_t at = 0;
    do {
      std::size_t const m = std::min(most, n - at), bytes = at * std::size_t(bytes_of(t));
      MPI_Request q = MPI_REQUEST_NULL;
      detail::check_mpi(post(static_cast<char const*>(in) + bytes, static_cast<char*>(out) + bytes, int(m), &q),
                        detail::name_of(what));
      *s.add() = q;
      at += m;
    } while (at < n);
    return under_way_.taken(s);
  }

  MPI_Comm all_ = MPI_COMM_NULL;
  std::chrono::nanoseconds limit_;
  int rank_ = 0, size_ = 1;
  detail::mpi_requests under_way_;
};

}  // namespace etna::dist
#endif

#include <etna/set_back.hpp>
