// SPDX-License-Identifier: BSD-3-Clause
// A group whose collectives come late and in another order, as MPI allows them to: for tests of what overlaps.
// Read next: collectives.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <chrono>
#include <map>
#include <random>
#include <thread>
#include <utility>

#include <etna/group/process_group.hpp>

namespace etna::dist {

/// Posts to another group, and says that something is done `delay` after it was posted at the earliest; test says it of
/// what is due in an order of chance.
///
/// inner   outlives this group
/// example test/unit/dist/delayed_group.cpp  [late, and out of order]
class delayed_group final : public process_group {
  using clock = std::chrono::steady_clock;

 public:
  delayed_group(process_group& inner, clock::duration delay, std::uint32_t seed = 0)
      : inner_(&inner), delay_(delay), chance_(seed) {}
  delayed_group(std::unique_ptr<process_group> inner, clock::duration delay, std::uint32_t seed = 0)
      : own_(std::move(inner)), inner_(own_.get()), delay_(delay), chance_(seed) {}

  int rank() const override { return inner_->rank(); }
  int size() const override { return inner_->size(); }
  ticket all_reduce(void const* in, void* out, std::size_t n, dtype t, reduction r) override {
    return posted(inner_->all_reduce(in, out, n, t, r));
  }
  ticket reduce(void const* in, void* out, std::size_t n, dtype t, reduction r, int root) override {
    return posted(inner_->reduce(in, out, n, t, r, root));
  }
  ticket reduce_scatter(void const* in, void* out, std::size_t n, dtype t, reduction r) override {
    return posted(inner_->reduce_scatter(in, out, n, t, r));
  }
  ticket broadcast(void* both, std::size_t bytes, int root) override {
    return posted(inner_->broadcast(both, bytes, root));
  }
  ticket all_gather(void const* in, void* out, std::size_t bytes) override {
    return posted(inner_->all_gather(in, out, bytes));
  }
  ticket gather(void const* in, void* out, std::size_t bytes, int root) override {
    return posted(inner_->gather(in, out, bytes, root));
  }
  ticket scatter(void const* in, void* out, std::size_t bytes, int root) override {
    return posted(inner_->scatter(in, out, bytes, root));
  }
  ticket all_to_all(void const* in, void* out, std::size_t bytes) override {
    return posted(inner_->all_to_all(in, out, bytes));
  }
  ticket permute(void const* in, void* out, std::size_t bytes, int to, int from) override {
    return posted(inner_->permute(in, out, bytes, to, from));
  }
  bool test(ticket t) override {
    auto const at = under_way_.find(t.number);
    if (at == under_way_.end()) return true;
    if (clock::now() < at->second.due || chance_() % 2 == 0 || !inner_->test(at->second.inner)) return false;
    under_way_.erase(at);
    return true;
  }
  void wait(ticket t) override {
    auto const at = under_way_.find(t.number);
    if (at == under_way_.end()) return;
    std::this_thread::sleep_until(at->second.due);
    inner_->wait(at->second.inner);
    under_way_.erase(at);
  }
  std::unique_ptr<process_group> split(int color, int order) override {
    return std::make_unique<delayed_group>(inner_->split(color, order), delay_, std::uint32_t(chance_()));
  }

 private:
  struct late {
    ticket inner;
    clock::time_point due;
  };
  ticket posted(ticket inner) {
    under_way_[next_] = {inner, clock::now() + delay_};
    return {next_++};
  }
  std::unique_ptr<process_group> own_;
  process_group* inner_;
  clock::duration delay_;
  std::mt19937 chance_;
  std::map<std::int64_t, late> under_way_;
  std::int64_t next_ = 0;
};

}  // namespace etna::dist

#include <etna/set_back.hpp>
