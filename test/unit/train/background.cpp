// SPDX-License-Identifier: BSD-3-Clause
// A thread with one job at a time: order, waiting, what is thrown, what is held.
#include <doctest/doctest.h>

#include <pthread.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>

#include <etna/train/background.hpp>

using etna::train::background;

namespace {
// No thread is to be had while this lives: none has so large a stack.
struct no_threads {
  pthread_attr_t before, now;
  no_threads() {
    pthread_getattr_default_np(&before);
    pthread_getattr_default_np(&now);
    pthread_attr_setstacksize(&now, std::size_t(1) << 46);
    pthread_setattr_default_np(&now);
  }
  no_threads(no_threads const&) = delete;
  ~no_threads() {
    pthread_setattr_default_np(&before);
    pthread_attr_destroy(&before);
    pthread_attr_destroy(&now);
  }
};
}  // namespace

TEST_CASE("without a thread a job is done at once, and what it throws is thrown by wait") {
  background b;
  int done = 0;
  auto const here = std::this_thread::get_id();
  {
    no_threads const now;
    CHECK_THROWS(std::thread([] {}));
    b.do_next([&] { done += std::this_thread::get_id() == here; });
    CHECK(done == 1);
    b.wait();
    b.do_next([] { throw std::runtime_error("full"); });
  }
  CHECK_THROWS_WITH(b.wait(), "full");
  b.do_next([&] { done += std::this_thread::get_id() != here; });
  b.wait();
  CHECK(done == 2);
}

TEST_CASE("one at a time, in their order") {
  std::string seen;
  std::atomic<int> at_once{0}, most{0};
  {
    background b;
    for (char c = 'a'; c <= 'z'; ++c)
      b.do_next([&, c] {
        most = std::max(most.load(), ++at_once);
        std::this_thread::yield();
        seen += c;
        --at_once;
      });
    b.wait();
    CHECK(seen == "abcdefghijklmnopqrstuvwxyz");
    b.do_next([&] { seen += '.'; });
  }  // its end waits
  CHECK(seen == "abcdefghijklmnopqrstuvwxyz.");
  CHECK(most == 1);
}

TEST_CASE("what the last job threw is thrown once, and another job may come") {
  background b;
  b.wait();  // nothing was asked
  bool ran = false;
  b.do_next([] { throw std::runtime_error("full"); });
  CHECK_THROWS_WITH(b.wait(), "full");
  b.wait();
  b.do_next([] { throw std::runtime_error("full"); });
  b.do_next([&] { ran = true; });
  b.wait();
  CHECK(ran);
}

TEST_CASE("what a job holds is free before the next begins") {
  background b;
  auto const first = std::make_shared<int>(1);
  long held = 0;
  b.do_next([first] { (void)first; });
  b.do_next([&] { held = first.use_count(); });
  b.wait();
  CHECK(held == 1);
}
