// SPDX-License-Identifier: BSD-3-Clause
// A group that keeps how much time of this thread's processor goes into posting, into looking and into waiting.
#pragma once
#include <ctime>
#include <utility>

#include <etna/group/process_group.hpp>

namespace bench {

class timed_group final : public etna::dist::process_group {
  using ticket = etna::dist::ticket;
  using reduction = etna::dist::reduction;

  struct part {
    double seconds = 0;
    int calls = 0;
  };
  static double now() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
  }
  template <class F> static auto timed(part& p, F const& f) {
    double const begin = now();
    auto const r = f();
    p.seconds += now() - begin;
    ++p.calls;
    return r;
  }

 public:
  part posts, tests, waits;

  explicit timed_group(etna::dist::process_group& inner) : inner_(inner) {}
  int rank() const override { return inner_.rank(); }
  int size() const override { return inner_.size(); }
  ticket all_reduce(void const* in, void* out, std::size_t n, etna::dtype t, reduction r) override {
    return timed(posts, [&] { return inner_.all_reduce(in, out, n, t, r); });
  }
  ticket reduce(void const* in, void* out, std::size_t n, etna::dtype t, reduction r, int root) override {
    return timed(posts, [&] { return inner_.reduce(in, out, n, t, r, root); });
  }
  ticket reduce_scatter(void const* in, void* out, std::size_t n, etna::dtype t, reduction r) override {
    return timed(posts, [&] { return inner_.reduce_scatter(in, out, n, t, r); });
  }
  ticket broadcast(void* both, std::size_t bytes, int root) override {
    return timed(posts, [&] { return inner_.broadcast(both, bytes, root); });
  }
  ticket all_gather(void const* in, void* out, std::size_t bytes) override {
    return timed(posts, [&] { return inner_.all_gather(in, out, bytes); });
  }
  ticket gather(void const* in, void* out, std::size_t bytes, int root) override {
    return timed(posts, [&] { return inner_.gather(in, out, bytes, root); });
  }
  ticket scatter(void const* in, void* out, std::size_t bytes, int root) override {
    return timed(posts, [&] { return inner_.scatter(in, out, bytes, root); });
  }
  ticket all_to_all(void const* in, void* out, std::size_t bytes) override {
    return timed(posts, [&] { return inner_.all_to_all(in, out, bytes); });
  }
  ticket permute(void const* in, void* out, std::size_t bytes, int to, int from) override {
    return timed(posts, [&] { return inner_.permute(in, out, bytes, to, from); });
  }
  bool test(ticket t) override {
    return timed(tests, [&] { return inner_.test(t); });
  }
  void wait(ticket t) override {
    timed(waits, [&] { return inner_.wait(t), 0; });
  }
  std::unique_ptr<etna::dist::process_group> split(int color, int order) override { return inner_.split(color, order); }

 private:
  etna::dist::process_group& inner_;
};

}  // namespace bench
