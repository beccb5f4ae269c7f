// SPDX-License-Identifier: BSD-3-Clause
// What the tests of the data room share: a folder that goes away, files from bytes, IDX bytes, and
// the number of the error that something throws.
#pragma once
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

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
