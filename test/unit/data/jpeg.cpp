// SPDX-License-Identifier: BSD-3-Clause
// JPEG files: what Pillow reads of them, and files that are damaged.
#include <doctest/doctest.h>

#include <etna/etna.hpp>
#include <etna/data/jpeg.hpp>

#include "pictures.hpp"

using namespace etna;
using namespace test_data;

#if ETNA_READS_JPEG
TEST_CASE("files that Pillow wrote") {
  folder in;
  int n = 0;
  for (auto const& p : reference::pictures) {
    if (std::string(p.name).find(".jpg") == std::string::npos) continue;
    CAPTURE(p.name);
    put(in / p.name, from_hex(p.file));
    auto const x = data::read_jpeg(in / p.name);
    CHECK(x.rows == p.rows);
    CHECK(x.columns == p.columns);
    CHECK(x.channels == p.channels);
    CHECK(apart(x.bytes, from_hex(p.bytes)) <= 1);  // decoders may differ in the last bit
    ++n;
  }
  CHECK(n == 5);
  auto const gray = data::read_jpeg(in / "halved.jpg", 1);
  CHECK(gray.channels == 1);
  CHECK(apart(gray.bytes, from_hex(reference::grays[1])) <= 1);
  CHECK(data::read_jpeg(in / "gray.jpg", 3).channels == 3);
}

TEST_CASE("a damaged file is named") {
  folder in;
  for (auto name : {"full.jpg", "progressive.jpg", "gray.jpg", "inks.jpg"}) {
    auto const whole = from_hex(picture_file(name).file);
    for (std::size_t n = 0; n < whole.size(); ++n) {
      bytes const cut(whole.begin(), whole.begin() + std::ptrdiff_t(n));
      int const e = error_of([&] { (void)data::detail::decode_jpeg(cut, "cut.jpg"); });
      // Without its last bytes the pixels may be complete.
      if (n + 4 < whole.size()) CHECK(e == 162);
      else CHECK((e == 0 || e == 162));
      if (n % (whole.size() / 4) > 0) continue;
      put(in / "cut.jpg", cut);
      CHECK(error_of([&] { (void)data::read_jpeg(in / "cut.jpg"); }) == e);
    }
    for (std::size_t i = 0; i < whole.size(); ++i) {
      auto other = whole;
      other[i] ^= 0x55;
      int const e = error_of([&] { (void)data::detail::decode_jpeg(other, "other.jpg"); });
      CHECK((e == 0 || e == 162));  // pixels have no checksum
    }
  }
  try {
    put(in / "empty.jpg", {});
    (void)data::read_jpeg(in / "empty.jpg");
    FAIL("read");
  } catch (error const& e) { CHECK(std::string(e.what()).find("empty.jpg") != std::string::npos); }
  CHECK(error_of([&] { (void)data::read_jpeg(in / "missing.jpg"); }) == 101);
}

TEST_CASE("a header that lies takes no memory") {
  folder in;
  auto file = from_hex(picture_file("full.jpg").file);
  constexpr int frame[] = {0xff, 0xc0};
  auto const at = std::search(file.begin(), file.end(), std::begin(frame), std::end(frame),
                              [](unsigned char a, int b) { return a == b; });
  REQUIRE(at != file.end());
  for (int i = 5; i < 9; ++i) at[i] = 0xf0;  // rows and columns: 61680 of each
  put(in / "x.jpg", file);
  CHECK(error_of([&] { (void)data::read_jpeg(in / "x.jpg"); }) == 162);
  for (int i : {5, 7}) at[i] = 0x30;  // 12528 of each
  put(in / "x.jpg", file);
  CHECK(error_of([&] { (void)data::read_jpeg(in / "x.jpg"); }) == 162);
}

TEST_CASE("arithmetic code, which may claim pixels for nothing, is refused") {
  for (int frame : {0xc9, 0xca}) {
    bytes file{0xff, 0xd8, 0xff, 0xdb, 0, 0x43, 0};
    file.insert(file.end(), 64, 1);
    for (int b : {0xff, frame, 0, 0x11, 8,    8,    0,   8, 0, 3, 1, 0x11, 0,
                  2,    0x11,  0, 3,    0x11, 0,  // 2048 x 2048 x 3
                  0xff, 0xda,  0, 12,   3,    1,    0,   2, 0, 3, 0, 0,    frame == 0xca ? 0 : 63,
                  0,    0,     0, 0,    0,    0xff, 0xd9})
      file.push_back(static_cast<unsigned char>(b));
    CHECK(error_of([&] { (void)data::detail::decode_jpeg(file, "x.jpg"); }) == 162);
  }
}
#else
TEST_CASE("without libjpeg it is said so") {
  folder in;
  put(in / "x.jpg", from_hex(picture_file("full.jpg").file));
  CHECK(error_of([&] { (void)data::read_jpeg(in / "x.jpg"); }) == 163);
}
#endif
