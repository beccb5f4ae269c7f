// SPDX-License-Identifier: BSD-3-Clause
// Processes that are ended, and what they say: children of this one.
#include <doctest/doctest.h>

#include <sys/wait.h>

#include <chrono>
#include <csignal>
#include <etna/dist/watchdog.hpp>
#include <string>

using namespace etna;
using dist::detail::call;
using std::chrono::milliseconds;

namespace {

struct end_of_child {
  std::string said;
  int status = 0;
};
template <class Act> end_of_child in_child(Act const& act) {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  ::pid_t const child = ::fork();
  if (child == 0) {
    ::dup2(ends[1], 2);
    ::alarm(30);                       // a child that hangs is no right child
    std::signal(SIGTERM, SIG_DFL);     // doctest has one
    dist::detail::watch_memory fresh;  // other tests have done something
    dist::detail::watched = &fresh;
    act();
    std::_Exit(7);
  }
  ::close(ends[1]);
  end_of_child r;
  char text[256];
  for (::ssize_t n; (n = ::read(ends[0], text, sizeof text)) > 0;) r.said.append(text, std::size_t(n));
  ::close(ends[0]);
  ::waitpid(child, &r.status, 0);
  return r;
}
void old_handler(int) { (void)!::write(2, "the old one\n", 12); }
void old_with_info(int, siginfo_t* info, void*) {
  if (info->si_pid == ::getpid()) (void)!::write(2, "the old one\n", 12);
}

}  // namespace

TEST_CASE("SIGTERM: a line, and the end as before") {
  auto const r = in_child([] {
    dist::detail::sigterm_line const here("etna: rank 2 of 4 on host: ");
    dist::at_step(3);
    dist::detail::now(call::all_reduce, 9);
    std::raise(SIGTERM);
  });
  CHECK(r.said == "etna: rank 2 of 4 on host: SIGTERM, at step 3, last called all_reduce 9\n");
  CHECK((WIFSIGNALED(r.status) && WTERMSIG(r.status) == SIGTERM));
}
TEST_CASE("SIGTERM: who handled it still does, and it is said once") {
  for (int way : {0, 1, 2}) {
    auto const r = in_child([&] {
      struct sigaction old {};
      if (way == 0) old.sa_handler = old_handler;
      else if (way == 1) old.sa_handler = SIG_IGN;
      else old.sa_sigaction = old_with_info, old.sa_flags = SA_SIGINFO;
      ::sigaction(SIGTERM, &old, nullptr);
      {
        dist::detail::sigterm_line const here("who: ");
        std::raise(SIGTERM);
        std::raise(SIGTERM);
      }
      (void)!::write(2, "behind\n", 7);
      std::raise(SIGTERM);  // the old one's alone again
    });
    std::string const old = way == 1 ? "" : "the old one\n";
    CHECK(r.said == "who: SIGTERM, before its first collective\n" + old + old + "behind\n" + old);
    CHECK((WIFEXITED(r.status) && WEXITSTATUS(r.status) == 7));
  }
}
TEST_CASE("SIGTERM: a handler that came later stays") {
  auto const r = in_child([] {
    {
      dist::detail::sigterm_line const here("who: ");
      std::signal(SIGTERM, old_handler);
    }
    std::raise(SIGTERM);
  });
  CHECK(r.said == "the old one\n");
}
TEST_CASE("the watchdog ends who waits too long") {
  auto const r = in_child([] {
    dist::detail::watchdog const dog("who: ", milliseconds(100));
    dist::detail::waiting const here(call::finalize, 0, milliseconds(200));
    std::this_thread::sleep_for(std::chrono::seconds(20));
  });
  CHECK(r.said.starts_with("who: E169: "));
  CHECK(r.said.find("waits for MPI_Finalize since ") != r.said.npos);
  CHECK(r.said.find("; ") != r.said.npos);
  CHECK((WIFEXITED(r.status) && WEXITSTATUS(r.status) == EXIT_FAILURE));
}
TEST_CASE("the watchdog leaves others alone") {
  auto const r = in_child([] {
    dist::detail::watchdog const dog("who: ", milliseconds(0));
    dist::detail::now(call::all_reduce, 1);  // at work, however long that takes
    std::this_thread::sleep_for(milliseconds(1200));
    for (int i = 0; i < 15; ++i) {  // in one wait after another
      dist::detail::waiting const here(call::all_reduce, i, milliseconds(700));
      std::this_thread::sleep_for(milliseconds(100));
    }
    dist::detail::waiting const for_ever(call::all_reduce, 20, std::chrono::nanoseconds::max());
    std::this_thread::sleep_for(milliseconds(1200));
  });
  CHECK(r.said == "");
  CHECK((WIFEXITED(r.status) && WEXITSTATUS(r.status) == 7));
}
