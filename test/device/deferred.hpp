// SPDX-License-Identifier: BSD-3-Clause
// A device without hardware, harder than a real one: nothing runs before it is waited for, threads run in the reverse
// order, and a body that names memory of the host alone is an error. Included before etna, with
// -DETNA_DEVICE=deferred_device.
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

struct deferred_device {
  static constexpr bool is_present = true;

  template <class Body> static void run(std::string const&, std::int64_t n, Body const& body) {
    check(body);
    work().push_back([n, body] {
      for (std::int64_t u = n; u-- > 0;) body(u);
    });
    ++started();
  }
  static void wait() {
    ++waits();
    auto now = std::move(work());
    work().clear();
    for (auto const& f : now) f();
  }
  static void* take(std::size_t bytes, std::size_t) {
    void* p = std::aligned_alloc(64, (bytes + 63) / 64 * 64);
    std::scoped_lock lock(mutex());
    blocks()[static_cast<char*>(p)] = bytes;
    return p;
  }
  static void give(void* p) {
    std::scoped_lock lock(mutex());
    blocks().erase(static_cast<char*>(p));
    std::free(p);
  }
  static long& started() {
    static thread_local long n = 0;
    return n;
  }
  static long& waits() {
    static thread_local long n = 0;
    return n;
  }

 private:
  static std::vector<std::function<void()>>& work() {
    static thread_local std::vector<std::function<void()>> w;
    return w;
  }
  static std::map<char*, std::size_t>& blocks() {
    static auto* b = new std::map<char*, std::size_t>;
    return *b;
  }
  static std::mutex& mutex() {
    static std::mutex m;
    return m;
  }

  static void reached(void const* p) {
    std::scoped_lock lock(mutex());
    auto c = static_cast<char*>(const_cast<void*>(p));
    auto after = blocks().upper_bound(c);
    if (after != blocks().begin() && c < (--after)->first + after->second) return;
    std::fprintf(stderr, "a body on the device reads memory of the host\n");
    std::abort();
  }
  template <class Body> static void check(Body const& body) {
    if constexpr (requires { body.views; }) {
      for (auto const& v : body.views)
        if (v.data) reached(v.data);
    } else if constexpr (requires { body.of.c.sums; }) {
      check(body.of);
      reached(body.of.c.sums);
    } else if constexpr (requires { body.p.a; }) {
      reached(body.p.a), reached(body.p.b), reached(body.p.c);
    } else {
      reached(body.s.x), reached(body.s.index), reached(body.s.updates), reached(body.s.out);
    }
  }
};
