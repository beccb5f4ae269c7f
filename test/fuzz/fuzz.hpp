// SPDX-License-Identifier: BSD-3-Clause
// What the fuzzers of the readers share: bytes as a file in memory, seeds, and a limit for what one allocation may
// take. A reader gives a value or throws etna::error; all else, an allocation that the bytes cannot justify too, stops
// the fuzzer. A harness defines `seeds`, `most` (bytes of one allocation that a file of n bytes may ask for) and
// `read`. Run: test/fuzz/run.sh
#pragma once
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <sanitizer/allocator_interface.h>
#include <sys/mman.h>
#include <unistd.h>

#include <etna/message/error.hpp>

namespace fuzz {

std::vector<std::string> seeds();
std::size_t most(std::size_t n);
void read(std::filesystem::path const& path);

inline std::atomic<std::size_t> limit{SIZE_MAX};
inline void watch(void const volatile*, std::size_t n) {
  if (n > limit) __builtin_trap();
}
inline void ignore(void const volatile*) {}

/// A file without a disk, written anew for each input.
inline int file() {
  static int const f = ::memfd_create("fuzz", 0);
  if (f < 0) std::abort();
  return f;
}
inline void fill(std::uint8_t const* bytes, std::size_t n) {
  if (::ftruncate(file(), 0) != 0 || ::pwrite(file(), bytes, n, 0) != ::ssize_t(n)) std::abort();
}

}  // namespace fuzz

// With ETNA_FUZZ_SEEDS the seeds are written there, and fuzzing starts from them.
extern "C" int LLVMFuzzerInitialize(int*, char***) {
  if (char const* folder = std::getenv("ETNA_FUZZ_SEEDS")) {
    std::filesystem::create_directories(folder);
    int number = 0;
    for (auto const& s : fuzz::seeds()) {
      std::ofstream out(std::filesystem::path(folder) / ("seed" + std::to_string(number++)), std::ios::binary);
      out << s;
    }
  }
  __sanitizer_install_malloc_and_free_hooks(fuzz::watch, fuzz::ignore);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* bytes, std::size_t n) {
  fuzz::fill(bytes, n);
  static std::string const path = "/proc/self/fd/" + std::to_string(fuzz::file());
  fuzz::limit = fuzz::most(n);
  try {
    fuzz::read(path);
  } catch (etna::error const&) {  // refused in words
  }
  fuzz::limit = SIZE_MAX;
  return 0;
}
