// SPDX-License-Identifier: BSD-3-Clause
// PNG files: what Pillow reads of them, what is written, and files that are damaged.
#include <doctest/doctest.h>

#include <etna/etna.hpp>
#include <etna/data/png.hpp>

#include "pictures.hpp"

using namespace etna;
using namespace test_data;

#if ETNA_READS_PNG
TEST_CASE("files that Pillow wrote") {
  folder in;
  int n = 0;
  for (auto const& p : reference::pictures) {
    if (std::string(p.name).find(".png") == std::string::npos) continue;
    CAPTURE(p.name);
    put(in / p.name, from_hex(p.file));
    auto const x = data::read_png(in / p.name);
    CHECK(x.rows == p.rows);
    CHECK(x.columns == p.columns);
    CHECK(x.channels == p.channels);
    CHECK(x.bytes == from_hex(p.bytes));
    ++n;
  }
  CHECK(n == 8);
}

TEST_CASE("gray and colours as they are asked for") {
  folder in;
  put(in / "c.png", from_hex(picture_file("colors.png").file));
  put(in / "g.png", from_hex(picture_file("gray.png").file));
  auto const gray = data::read_png(in / "c.png", 1);
  CHECK(gray.channels == 1);
  CHECK(gray.bytes == from_hex(reference::grays[0]));
  auto const colours = data::read_png(in / "g.png", 3);
  auto const one = from_hex(picture_file("gray.png").bytes);
  CHECK(colours.channels == 3);
  CHECK(colours.bytes.size() == 3 * one.size());
  for (std::size_t i = 0; i < colours.bytes.size(); ++i) CHECK(colours.bytes[i] == one[i / 3]);
  CHECK(error_of([&] { (void)data::read_png(in / "g.png", 4); }) == 165);
}

TEST_CASE("what is written is read again") {
  folder in;
  for (int channels : {1, 3}) {
    auto const p = by_formula(9, 5, channels);
    data::write_png(in / "x.png", p);
    CHECK(data::read_png(in / "x.png") == p);
  }
  auto const a = array<std::uint8_t, 2, 2, 1>{{{1}, {2}}, {{3}, {4}}};
  data::write_png(in / "x.png", a);
  CHECK(data::read_png(in / "x.png").bytes == bytes{1, 2, 3, 4});
  CHECK(error_of([&] { data::write_png(in / "x.png", by_formula(3, 3, 2)); }) == 165);
  CHECK(error_of([&] { data::write_png(in / "x.png", data::picture{}); }) == 165);
  CHECK(error_of([&] { data::write_png(in / "no" / "x.png", a); }) == 123);
  CHECK(count(in.path) == 1);  // nothing is left aside
}

TEST_CASE("a damaged file is named") {
  folder in;
  for (auto name : {"colors.png", "palette.png", "interlaced.png", "deep.png"}) {
    auto const whole = from_hex(picture_file(name).file);
    for (std::size_t n = 0; n < whole.size(); ++n) {  // cut off anywhere
      bytes const cut(whole.begin(), whole.begin() + std::ptrdiff_t(n));
      CHECK(error_of([&] { (void)data::detail::decode_png(cut, "cut.png"); }) == 162);
      if (n % (whole.size() / 4) > 0) continue;
      put(in / "cut.png", cut);
      CHECK(error_of([&] { (void)data::read_png(in / "cut.png"); }) == 162);
    }
    for (std::size_t i = 0; i < whole.size(); ++i) {  // a byte that is another one
      auto other = whole;
      other[i] ^= 0x55;
      int const e = error_of([&] { (void)data::detail::decode_png(other, "other.png"); });
      CHECK((e == 0 || e == 162));  // harmless in chunks that are not needed
    }
  }
  try {
    put(in / "empty.png", {});
    (void)data::read_png(in / "empty.png");
    FAIL("read");
  } catch (error const& e) { CHECK(std::string(e.what()).find("empty.png") != std::string::npos); }
  CHECK(error_of([&] { (void)data::read_png(in / "missing.png"); }) == 101);
  CHECK(error_of([&] { (void)data::read_png(in.path); }) == 128);
}

namespace {
void append_chunk(bytes& to, std::string const& name, bytes const& body) {
  bytes chunk(name.begin(), name.end());
  chunk.insert(chunk.end(), body.begin(), body.end());
  std::uint32_t crc = ~0u;
  for (unsigned char b : chunk) {
    crc ^= b;
    for (int k = 0; k < 8; ++k) crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
  }
  append(to, std::uint32_t(body.size()));
  to.insert(to.end(), chunk.begin(), chunk.end());
  append(to, ~crc);
}
// A header of these sizes, with its checksum, and hardly anything behind it.
bytes claiming(std::uint32_t columns, std::uint32_t rows) {
  bytes header;
  append(header, columns);
  append(header, rows);
  for (unsigned char b : {8, 2, 0, 0, 0}) header.push_back(b);
  bytes r{0x89, 'P', 'N', 'G', 13, 10, 26, 10};
  append_chunk(r, "IHDR", header);
  append(r, 0);
  for (int b : {0x49, 0x44, 0x41, 0x54, 0x35, 0xaf, 0x06, 0x1e}) r.push_back(static_cast<unsigned char>(b));  // IDAT
  return r;
}
}  // namespace

TEST_CASE("a header that lies takes no memory") {
  folder in;
  for (auto [columns, rows] :
       {std::pair{1000000u, 1000000u}, {60000u, 60000u}, {16000u, 16000u}, {0u, 5u}, {0x7fffffffu, 1u}}) {
    put(in / "x.png", claiming(columns, rows));
    CHECK(error_of([&] { (void)data::read_png(in / "x.png"); }) == 162);
  }
}

TEST_CASE("texts and profiles, which may unpack to anything, are passed over") {
  auto const whole = from_hex(picture_file("palette.png").file);
  bytes file(whole.begin(), whole.begin() + 33);  // its header
  append_chunk(file, "tEXt", {'k', 0, 'w'});
  file.insert(file.end(), whole.begin() + 33, whole.end());
  data::detail::png_reader reader;
  reader.at = file.data();
  reader.left = file.size();
  data::picture p;
  REQUIRE(reader.header(p));
  CHECK(png_get_text(reader.png, reader.info, nullptr, nullptr) == 0);
  CHECK(data::detail::decode_png(file, "x.png").bytes == from_hex(picture_file("palette.png").bytes));
}
#else
TEST_CASE("without libpng it is said so") {
  folder in;
  put(in / "x.png", from_hex(picture_file("colors.png").file));
  CHECK(error_of([&] { (void)data::read_png(in / "x.png"); }) == 163);
  CHECK(error_of([&] { data::write_png(in / "x.png", by_formula(2, 2, 3)); }) == 163);
}
#endif
