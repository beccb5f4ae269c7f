// SPDX-License-Identifier: BSD-3-Clause
// Fuzzes the IDX reader, plain and gzip: labels and images.
#include <etna/data/idx.hpp>

#include "fuzz.hpp"

namespace {

std::string packed(std::string const& s) {
  z_stream z{};
  deflateInit2(&z, 9, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string r(s.size() + 64, '\0');
  z.next_in = reinterpret_cast<unsigned char*>(const_cast<char*>(s.data()));
  z.avail_in = unsigned(s.size());
  z.next_out = reinterpret_cast<unsigned char*>(r.data());
  z.avail_out = unsigned(r.size());
  deflate(&z, Z_FINISH);
  r.resize(z.total_out);
  deflateEnd(&z);
  return r;
}

}  // namespace

std::vector<std::string> fuzz::seeds() {
  std::string const labels(
      "\0\0\x8\x1\0\0\0\x5"
      "01234",
      13),
      images(
          "\0\0\x8\x3\0\0\0\x2\0\0\0\x2\0\0\0\x3"
          "abcdefghijkl",
          28);
  std::string const zeros = std::string("\0\0\x8\x1\0\0\x40\0", 8) + std::string(0x4000, '\0');
  return {
      labels,       images, packed(labels), packed(images), packed(images.substr(0, 20)) + packed(images.substr(20)),
      packed(zeros)};
}

// The file's own buffer, zlib's window, and twice what gzip can pack into n bytes.
std::size_t fuzz::most(std::size_t n) { return (1 << 18) + 2 * 1032 * n; }

void fuzz::read(std::filesystem::path const& path) {
  for (auto read : {+[](std::filesystem::path const& p) { return etna::data::read_idx<1>(p).elements.size(); },
                    +[](std::filesystem::path const& p) { return etna::data::read_idx<3>(p).elements.size(); }}) {
    try {
      (void)read(path);
    } catch (etna::error const&) {}
  }
}
