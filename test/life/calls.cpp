// SPDX-License-Identifier: BSD-3-Clause
// Calls at every time of a process' life: before Kokkos, after it, in static objects, in forked children, among eight
// threads, in a library that is loaded. Usage: life CASE [LIBRARY]; 0 where all was as it should be. The same object is
// the library.
#include <dlfcn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <etna/etna.hpp>
#include <etna/interop/kokkos_view.hpp>

using namespace etna;

namespace {

constexpr int n = 1000;
constexpr auto rows = jit([](array<float, n, n> x) { return sum<1>(x * x + 1.0f); });  // worth several threads

array<float, n, n> numbers() {
  return array<float, n, n>::build([](float* o) {
    for (int i = 0; i < n * n; ++i) o[i] = float(i % 7);
  });
}
bool all_right(array<float, n> const& y) {
  for (int i = 0; i < n; ++i) {
    float sum = 0;  // exact
    for (int j = 0; j < n; ++j) sum += float((i * n + j) % 7 * ((i * n + j) % 7)) + 1.0f;
    if (y.data()[i] != sum) return false;
  }
  return true;
}
bool call() { return all_right(rows(numbers())); }

int threads_now() {
  struct stat s;
  return stat("/proc/self/task", &s) == 0 ? int(s.st_nlink) - 2 : -1;
}
bool as_it_should_be = true;
void check(bool holds, char const* what) {
  if (!holds) std::fprintf(stderr, "not so: %s\n", what);
  as_it_should_be = as_it_should_be && holds;
}
#define CHECK(...) check(__VA_ARGS__, #__VA_ARGS__)

/// What a child process gives: 0 where act() holds, and 9 where it was killed.
template <class Act> int in_child(Act const& act) {
  pid_t const child = fork();
  if (child == 0) {
    alarm(60);  // a child that hangs is no right child
    _exit(act() ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 9;
}
template <class Act> void in_threads(int count, Act const& act) {
  std::vector<std::thread> threads;
  for (int t = 0; t < count; ++t) threads.emplace_back(act);
  for (auto& t : threads) t.join();
}
void begin_kokkos() { Kokkos::initialize(Kokkos::InitializationSettings().set_disable_warnings(true)); }
/// A loop of the user's.
bool kokkos_works() {
  Kokkos::View<float*, Kokkos::HostSpace> v("v", 100);
  float sum = 0;
  Kokkos::parallel_for(
      "fill", Kokkos::RangePolicy<Kokkos::DefaultHostExecutionSpace>(0, 100),
      KOKKOS_LAMBDA(int i) { v(i) = float(i); });
  for (int i = 0; i < 100; ++i) sum += v(i);
  return sum == 4950;
}

std::string case_of_this_process() {  // also before main
  std::ifstream words("/proc/self/cmdline");
  std::string program, name;
  std::getline(words, program, '\0');
  std::getline(words, name, '\0');
  return name;
}
bool const early = case_of_this_process() == "static_initialiser" && call();
/// Its destructor is the case, and says how the program ends.
struct last_object {
  bool says_how = false;
  ~last_object() {
    if (says_how) std::_Exit(call() && exec::threads_here() == 1 && as_it_should_be ? 0 : 1);
  }
} last;
constexpr int destructor_did_not_say = 3;

void before_kokkos() {
  CHECK(call());
  CHECK(!Kokkos::is_initialized());
  CHECK(threads_now() == 2);
  begin_kokkos();
  CHECK(kokkos_works());
  CHECK(call());
  Kokkos::finalize();
}
void after_kokkos() {
  {
    Kokkos::ScopeGuard const kokkos(Kokkos::InitializationSettings().set_disable_warnings(true));
    CHECK(kokkos_works());
    CHECK(call());
  }
  CHECK(call());
  CHECK(call());
}
void without_kokkos() {
  for (int i = 0; i < 3; ++i) CHECK(call());
  CHECK(!Kokkos::is_initialized());
  CHECK(exec::threads_here() == 2);
}
void static_initialiser() {
  CHECK(early);
  after_kokkos();
}
void destructor_after_kokkos() {
  after_kokkos();
  last.says_how = true;
}
void destructor_without_kokkos() {
  without_kokkos();
  last.says_how = true;
}
void destructor_kokkos_not_ended() {
  begin_kokkos();
  CHECK(call());
  last.says_how = true;
}

bool as_a_child_should() {
  return call() && threads_now() == 1 && in_child([] { return call() && threads_now() == 1; }) == 0;
}
void fork_before_threads() {
  CHECK(threads_now() == 1);
  CHECK(in_child([] { return call() && threads_now() == 2; }) == 0);
}
void fork_after_two_threads() {
  CHECK(call());
  CHECK(threads_now() == 2);
  CHECK(in_child(as_a_child_should) == 0);
  CHECK(call());
  CHECK(in_child(as_a_child_should) == 0);
  CHECK(exec::threads_here() == 2);
}
void fork_with_kokkos() {
  begin_kokkos();
  fork_after_two_threads();
  CHECK(kokkos_works());
  Kokkos::finalize();
  fork_after_two_threads();
}
/// A child that ends as programs do, with its static objects.
void fork_and_exit() {
  CHECK(call());
  CHECK(in_child([] {
          last.says_how = call();
          std::exit(1);
          return false;
        }) == 0);
}
void fork_while_others_call() {
  std::atomic<bool> over{false};
  std::atomic<int> wrong{0};
  std::vector<std::thread> others;
  for (int t = 0; t < 2; ++t)
    others.emplace_back([&] {
      while (!over) wrong += !call();
    });
  for (int i = 0; i < 30; ++i) CHECK(in_child([] { return call() && call(); }) == 0);
  over = true;
  for (auto& t : others) t.join();
  CHECK(wrong == 0);
}
/// The lock of what memory is kept for reuse is held by one of these at almost any time.
void fork_while_others_take_memory() {
  std::atomic<bool> over{false};
  auto take = [] { release(memory::allocate(1000)); };
  std::vector<std::thread> others;
  for (int t = 0; t < 2; ++t)
    others.emplace_back([&] {
      while (!over) take();
    });
  for (int i = 0; i < 300; ++i) CHECK(in_child([&] { return take(), true; }) == 0);
  over = true;
  for (auto& t : others) t.join();
}

void eight_threads() {
  std::atomic<int> right{0};
  auto turn = [&] { right += call() && call(); };
  in_threads(8, turn);
  begin_kokkos();
  in_threads(8, turn);
  Kokkos::finalize();
  in_threads(8, turn);
  CHECK(right == 24);
}
/// Inside a region of the user's, where Kokkos cannot be begun.
void in_a_region() {
  std::atomic<int> right{0};
  for (int kokkos : {0, 1, 0}) {
    if (kokkos) begin_kokkos();
#pragma omp parallel num_threads(1)
    right += call();
#pragma omp parallel num_threads(2)
    right += call();
    if (kokkos) Kokkos::finalize();
  }
  CHECK(right == 9);
}
/// An array over the memory of a view that would be given back after the end of Kokkos.
void view_outlives_kokkos() {
  using memory = Kokkos::View<float**, Kokkos::LayoutRight, Kokkos::HostSpace>;
  array<float, n, n> given, borrowed;
  begin_kokkos();
  {
    memory v("v", n, n);
    for (int i = 0; i < n * n; ++i) v.data()[i] = float(i % 7);
    borrowed = borrow<array<float, n, n>>(v);
    memory w("w", n, n);
    std::memcpy(w.data(), v.data(), sizeof(float) * n * n);
    given = from_view<array<float, n, n>>(std::move(w));
  }
  Kokkos::finalize();
  CHECK(all_right(rows(given)));
  CHECK(all_right(rows(borrowed)));
}
void loaded_library(char const* path) {
  CHECK(call());
  void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  CHECK(library != nullptr);
  if (!library) return (void)std::fprintf(stderr, "%s\n", dlerror());
  auto* theirs = reinterpret_cast<int (*)()>(dlsym(library, "etna_life_call"));
  CHECK(theirs != nullptr);
  if (!theirs) return;
  std::atomic<int> right{0};
  CHECK(theirs() == 1);
  in_threads(8, [&] { right += theirs() && call(); });
  CHECK(right == 8);
  CHECK(in_child([&] { return theirs() == 1 && call() && threads_now() == 1; }) == 0);
  begin_kokkos();
  CHECK(theirs() == 1);
  CHECK(dlclose(library) == 0);
  CHECK(call());
  Kokkos::finalize();
  CHECK(call());
  CHECK(exec::threads_here() == 2);
  CHECK(in_child(as_a_child_should) == 0);
}

struct {
  char const* name;
  void (*run)();
} const cases[] = {{"before_kokkos", before_kokkos},
                   {"after_kokkos", after_kokkos},
                   {"without_kokkos", without_kokkos},
                   {"static_initialiser", static_initialiser},
                   {"destructor_after_kokkos", destructor_after_kokkos},
                   {"destructor_without_kokkos", destructor_without_kokkos},
                   {"destructor_kokkos_not_ended", destructor_kokkos_not_ended},
                   {"fork_before_threads", fork_before_threads},
                   {"fork_after_two_threads", fork_after_two_threads},
                   {"fork_with_kokkos", fork_with_kokkos},
                   {"fork_and_exit", fork_and_exit},
                   {"fork_while_others_call", fork_while_others_call},
                   {"fork_while_others_take_memory", fork_while_others_take_memory},
                   {"eight_threads", eight_threads},
                   {"in_a_region", in_a_region},
                   {"view_outlives_kokkos", view_outlives_kokkos}};

}  // namespace

extern "C" int etna_life_call() { return call(); }

int main(int argc, char** argv) {
  std::string const name = argc > 1 ? argv[1] : "";
  bool known = name == "loaded_library" && argc > 2;
  if (known) loaded_library(argv[2]);
  for (auto const& c : cases)
    if (name == c.name) c.run(), known = true;
  if (!known) return std::fprintf(stderr, "usage: life CASE [LIBRARY]\n"), 2;
  return !as_it_should_be ? 1 : last.says_how ? destructor_did_not_say : 0;
}
