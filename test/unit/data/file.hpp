// SPDX-License-Identifier: BSD-3-Clause
// What the tests of the data room share: a folder that goes away, files from bytes, IDX bytes, the number of the error
// that something throws, other processes, and somebody without permissions.
#pragma once
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#include <etna/message/error.hpp>

namespace test_data {

using bytes = std::vector<unsigned char>;
namespace fs = std::filesystem;

// A folder of its own for each test, removed at its end.
struct folder {
  fs::path path;
  folder() {
    static int count = 0;
    path = fs::temp_directory_path() / ("etna-data-" + std::to_string(::getpid()) + "-" + std::to_string(count++));
    fs::create_directories(path);
  }
  folder(folder const&) = delete;
  ~folder() {
    std::error_code why;
    fs::remove_all(path, why);
  }
  fs::path operator/(std::string const& name) const { return path / name; }
};

inline void put(fs::path const& path, bytes const& content) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out.write(reinterpret_cast<char const*>(content.data()), std::streamsize(content.size()));
}
inline bytes get(fs::path const& path) {
  std::ifstream in(path, std::ios::binary);
  return bytes(std::istreambuf_iterator<char>(in), {});
}

inline void append(bytes& to, std::uint32_t x) {
  for (int i = 24; i >= 0; i -= 8) to.push_back(static_cast<unsigned char>(x >> i));
}
inline bytes idx_bytes(std::vector<std::uint32_t> sizes, bytes const& elements) {
  bytes r;
  append(r, 0x800u + std::uint32_t(sizes.size()));
  for (auto n : sizes) append(r, n);
  r.insert(r.end(), elements.begin(), elements.end());
  return r;
}

// 0: nothing was thrown; -1: something else than etna::error, or a text without its number.
template <class F> int error_of(F f) {
  try {
    f();
  } catch (etna::error const& e) {
    return std::string(e.what()).rfind("E" + std::to_string(e.number) + ": ", 0) == 0 ? e.number : -1;
  } catch (...) { return -1; }
  return 0;
}

// How many files a folder has.
inline int count(fs::path const& folder) { return int(std::distance(fs::directory_iterator(folder), {})); }

// Root may do anything with any file: it is nobody while this lives.
struct without_permissions {
  bool root = ::geteuid() == 0;
  without_permissions() {
    if (root && ::seteuid(65534) != 0) std::abort();
  }
  without_permissions(without_permissions const&) = delete;
  ~without_permissions() {
    if (root && ::seteuid(0) != 0) std::abort();
  }
};

// Another process, which runs f and ends with what f returns. f must not start threads, nor call what did.
template <class F>::pid_t forked(F f) {
  ::pid_t const child = ::fork();
  if (child < 0) std::abort();
  if (child > 0) return child;
  int status = 255;
  try {
    status = f();
  } catch (...) {}
  ::_exit(status);
}
// What it ended with, or -1 where it was ended.
inline int end_of(::pid_t child) {
  int status = 0;
  if (::waitpid(child, &status, 0) != child) std::abort();
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// The ten thousand real digits: beside the checkout, or where ETNA_MNIST says. Empty where absent.
inline fs::path digits() {
  if (char const* told = std::getenv("ETNA_MNIST")) return told;
  std::error_code why;
#ifdef ETNA_TEST_FOLDER
  auto const beside = fs::path(ETNA_TEST_FOLDER) / "../../shared/mnist";
#else
  auto const beside = fs::path("../shared/mnist");
#endif
  return fs::exists(beside / "t10k-images-idx3-ubyte.gz", why) ? beside : fs::path();
}

}  // namespace test_data
