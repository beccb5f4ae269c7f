// SPDX-License-Identifier: BSD-3-Clause
// IDX files: what is written is read, packed or plain, and no damage is taken for data.
#include <doctest/doctest.h>
#include <zlib.h>

#include <etna/data/idx.hpp>

#include "file.hpp"

using namespace test_data;
using etna::data::read_idx;

namespace {

bytes packed(bytes const& plain) {
  z_stream s{};
  REQUIRE(deflateInit2(&s, 9, Z_DEFLATED, 16 + MAX_WBITS, 9, Z_DEFAULT_STRATEGY) == Z_OK);
  bytes r(plain.size() + 1000);
  s.next_in = const_cast<unsigned char*>(plain.data());
  s.avail_in = unsigned(plain.size());
  s.next_out = r.data();
  s.avail_out = unsigned(r.size());
  REQUIRE(deflate(&s, Z_FINISH) == Z_STREAM_END);
  r.resize(s.total_out);
  deflateEnd(&s);
  return r;
}

bytes const pixels{0, 1, 2, 3, 4, 5, 250, 251, 252, 253, 254, 255};
bytes const images = idx_bytes({2, 3, 2}, pixels);

int error_reading(bytes const& content) {
  folder f;
  put(f / "x", content);
  return error_of([&] { read_idx<3>(f / "x"); });
}

}  // namespace

TEST_CASE("reads what was written") {
  folder f;
  for (auto const& content : {images, packed(images)}) {
    put(f / "x", content);
    auto const r = read_idx<3>(f / "x");
    CHECK(r.shape == std::array<std::int64_t, 3>{2, 3, 2});
    CHECK(r.elements == pixels);
  }
  put(f / "labels", idx_bytes({3}, {7, 8, 9}));
  CHECK(read_idx<1>(f / "labels").elements == bytes{7, 8, 9});
  put(f / "none", idx_bytes({0, 28, 28}, {}));
  CHECK(read_idx<3>(f / "none").elements.empty());
}

TEST_CASE("reads large elements piece by piece, and gzip members one behind the other") {
  bytes many(5'000'000);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = static_cast<unsigned char>(i * i >> 7);
  auto const content = idx_bytes({5000, 100, 10}, many);
  folder f;
  put(f / "plain", content);
  CHECK(read_idx<3>(f / "plain").elements == many);
  auto two = packed({content.begin(), content.begin() + 77777});
  auto const second = packed({content.begin() + 77777, content.end()});
  two.insert(two.end(), second.begin(), second.end());
  put(f / "packed", two);
  CHECK(read_idx<3>(f / "packed").elements == many);
}

TEST_CASE("a file that is missing is E101; a folder, or one that the system does not read, is E128") {
  folder f;
  CHECK(error_of([&] { read_idx<3>(f / "absent"); }) == 101);
  CHECK(error_of([&] { read_idx<3>(f.path); }) == 128);
  // A regular file that opens, and whose first bytes nobody may read.
  if (fs::is_regular_file("/proc/self/mem")) CHECK(error_of([&] { read_idx<3>("/proc/self/mem"); }) == 128);
  put(f / "x", images);
  fs::permissions(f / "x", fs::perms::none);
  without_permissions const here;
  CHECK(error_of([&] { read_idx<3>(f / "x"); }) == 128);
}

TEST_CASE("a file cut at any byte is E102") {
  auto const zipped = packed(images);
  for (std::size_t n = 0; n < images.size(); ++n)
    CHECK(error_reading({images.begin(), images.begin() + long(n)}) == 102);
  for (std::size_t n = 2; n < zipped.size(); ++n)
    CHECK(error_reading({zipped.begin(), zipped.begin() + long(n)}) == 102);
}

TEST_CASE("another magic number is E103, another element type E105") {
  for (int at = 0; at < 4; ++at)
    for (int bit = 0; bit < 8; ++bit) {
      auto content = images;
      content[std::size_t(at)] ^= static_cast<unsigned char>(1 << bit);
      int const type = content[2];
      bool const known = content[0] == 0 && content[1] == 0 && content[3] == 3 && (type == 9 || type == 12);
      CHECK(error_reading(content) == (known ? 105 : 103));
    }
  CHECK(error_reading(idx_bytes({12}, pixels)) == 103);  // labels where images are wanted
  for (int type : {9, 11, 12, 13, 14}) {
    auto content = images;
    content[2] = static_cast<unsigned char>(type);
    CHECK(error_reading(content) == 105);
  }
}

TEST_CASE("sizes that the file cannot hold are E102, before memory is taken for them") {
  std::uint32_t const most = 0xffffffff;
  CHECK(error_reading(idx_bytes({most, most, most}, pixels)) == 102);
  CHECK(error_reading(idx_bytes({most, 1, 1}, pixels)) == 102);
  CHECK(error_reading(idx_bytes({2, 3, 3}, pixels)) == 102);
  CHECK(error_reading(packed(idx_bytes({most, most, most}, pixels))) == 102);
  CHECK(error_reading(packed(idx_bytes({most, 28, 28}, pixels))) == 102);
  CHECK(error_reading(packed(idx_bytes({60000, 1, 1}, pixels))) == 102);
  CHECK(error_reading(idx_bytes({0, most, most}, {})) == 0);
}

TEST_CASE("bytes behind the last element are E106") {
  auto content = images;
  content.push_back(0);
  CHECK(error_reading(content) == 106);
  CHECK(error_reading(packed(content)) == 106);
  auto behind = packed(images);
  behind.push_back(0);
  CHECK(error_reading(behind) == 106);
  CHECK(error_reading(idx_bytes({2, 3, 1}, pixels)) == 106);
}

TEST_CASE("a gzip file with any bit turned is an error or the same data, never other data") {
  auto const zipped = packed(images);
  folder f;
  for (std::size_t at = 2; at < zipped.size(); ++at)
    for (int bit = 0; bit < 8; ++bit) {
      auto content = zipped;
      content[at] ^= static_cast<unsigned char>(1 << bit);
      put(f / "x", content);
      bytes got = pixels;
      int const number = error_of([&] { got = read_idx<3>(f / "x").elements; });
      CHECK((number == 0 || (number >= 101 && number <= 108)));
      CHECK(got == pixels);
    }
}
