// SPDX-License-Identifier: BSD-3-Clause
// PNG files, by libpng; where png.h is not beside the compiler the functions are there, and say so. libpng leaves by
// longjmp where something is wrong: no object with a destructor lives in the frames that it leaves.
// Read next: jpeg.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <csetjmp>
#include <cstdio>
#include <cstring>

#include "image.hpp"
#include "replace.hpp"

#if __has_include(<png.h>) && !defined(ETNA_NO_PNG)
#include <png.h>
#define ETNA_READS_PNG 1
#else
#define ETNA_READS_PNG 0
#endif

namespace etna::data {

namespace detail {

#if ETNA_READS_PNG
/// What libpng's callbacks share with who called it.
struct png_state {
  png_structp png = nullptr;
  png_infop info = nullptr;
  std::jmp_buf back;
  char wrong[160] = "";
  std::uint8_t const* at = nullptr;  // reading: what has not been read
  std::size_t left = 0;
  std::vector<std::uint8_t*> rows;
  replacement* file = nullptr;  // writing

  static void fail(png_structp png, png_const_charp why) {
    auto& state = *static_cast<png_state*>(png_get_error_ptr(png));
    std::snprintf(state.wrong, sizeof state.wrong, "%s", why);
    std::longjmp(state.back, 1);
  }
  static void warn(png_structp, png_const_charp) {}
  static void read(png_structp png, png_bytep out, std::size_t n) {
    auto& state = *static_cast<png_state*>(png_get_io_ptr(png));
    if (n > state.left) png_error(png, "it ends too early");
    std::memcpy(out, state.at, n);
    state.at += n;
    state.left -= n;
  }
  static void write(png_structp png, png_bytep bytes, std::size_t n) {
    auto& state = *static_cast<png_state*>(png_get_io_ptr(png));
    if (state.file->try_write(bytes, n) != n) png_error(png, "it cannot be written");
  }
  static void flush(png_structp) {}
};
struct png_reader : png_state {
  png_reader() {
    png = png_create_read_struct(PNG_LIBPNG_VER_STRING, static_cast<png_state*>(this), &fail, &warn);
    info = png ? png_create_info_struct(png) : nullptr;
    if (!info) std::snprintf(wrong, sizeof wrong, "libpng does not start");
  }
  png_reader(png_reader const&) = delete;
  ~png_reader() { png_destroy_read_struct(&png, &info, nullptr); }

  /// The header, and what is to be made of its pixels: bytes, of one channel or three.
  bool header(picture& p) {
    if (!info) return false;
    if (setjmp(back)) return false;
    png_set_read_fn(png, static_cast<png_state*>(this), &read);
    // What is not needed for pixels is passed over: texts and profiles would be unpacked, 1032 to one, and kept.
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);
    png_read_info(png, info);
    png_uint_32 const width = png_get_image_width(png, info), height = png_get_image_height(png, info);
    std::uint64_t const packed = std::uint64_t(png_get_rowbytes(png, info)) * height;
    if (std::uint64_t(width) * height > most_pixels || packed / 1032 > left + 1024)  // deflate packs 1032 to one
      png_error(png, "its header claims more pixels than it can hold");
    png_set_expand(png);  // palettes and fewer bits
    png_set_scale_16(png);
    png_set_strip_alpha(png);
    png_set_interlace_handling(png);
    png_read_update_info(png, info);
    p.rows = height;
    p.columns = width;
    p.channels = png_get_channels(png, info);
    if (png_get_rowbytes(png, info) != std::size_t(p.columns * p.channels))
      png_error(png, "its rows are not known here");
    return true;
  }
  bool pixels() {
    if (setjmp(back)) return false;
    png_read_image(png, rows.data());
    png_read_end(png, nullptr);
    return true;
  }
};
struct png_writer : png_state {
  explicit png_writer(replacement& to) {
    file = &to;
    png = png_create_write_struct(PNG_LIBPNG_VER_STRING, static_cast<png_state*>(this), &fail, &warn);
    info = png ? png_create_info_struct(png) : nullptr;
    if (!info) std::snprintf(wrong, sizeof wrong, "libpng does not start");
  }
  png_writer(png_writer const&) = delete;
  ~png_writer() { png_destroy_write_struct(&png, &info); }

  bool all(pixel_view const& p) {
    if (!info) return false;
    if (setjmp(back)) return false;
    png_set_write_fn(png, static_cast<png_state*>(this), &write, &flush);
    png_set_IHDR(png, info, png_uint_32(p.columns), png_uint_32(p.rows), 8,
                 p.channels == 1 ? PNG_COLOR_TYPE_GRAY : PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    png_write_image(png, rows.data());
    png_write_end(png, nullptr);
    return true;
  }
};

inline picture decode_png(std::vector<std::uint8_t> const& file, std::string const& name) {
  png_reader reader;
  reader.at = file.data();
  reader.left = file.size();
  picture p;
  if (!reader.header(p)) message::raise<162>(name + ": " + reader.wrong);
  p.bytes.resize(std::size_t(p.rows * p.columns * p.channels));
  for (std::int64_t r = 0; r < p.rows; ++r) reader.rows.push_back(p.bytes.data() + r * p.columns * p.channels);
  if (!reader.pixels()) message::raise<162>(name + ": " + reader.wrong);
  return p;
}
#else
inline picture decode_png(std::vector<std::uint8_t> const&, std::string const& name) {
  message::raise<163>(name + " needs libpng");
}
#endif

}  // namespace detail

/// Read a PNG file. Palettes become colours, 16 bits become 8, alpha is left out, as when Pillow converts to "L" or
/// "RGB".
///
/// channels  1 gray, 3 colours, 0 gray where the file is gray and colours otherwise
/// errors    E101 missing, E128 not readable, E162 damaged, E163 built without libpng, E107 too little memory
/// example   test/unit/data/png.cpp  [files that Pillow wrote]
inline picture read_png(std::filesystem::path const& path, int channels = 0) try {
  detail::check_channels(channels);
  return detail::with_channels(detail::decode_png(detail::read_whole(path, origin::data_set), path.string()), channels);
} catch (std::bad_alloc const&) { message::raise<107>(path.string()); }

/// Write pixels of 1 or 3 channels as a PNG file, aside and then renamed.
///
/// errors  E123 it cannot be written, E163 built without libpng, E165 another number of channels, or no pixels
template <pixels X> void write_png(std::filesystem::path const& path, X const& x) {
#if ETNA_READS_PNG
  auto const p = detail::look_at(x);
  if ((p.channels != 1 && p.channels != 3) || p.rows < 1 || p.columns < 1)
    message::raise<165>(path.string() + ": " + detail::spelled(p) + " cannot be written");
  replacement file(path);
  detail::png_writer writer(file);
  // libpng does not write to its rows, and takes pointers as if it did.
  for (std::int64_t r = 0; r < p.rows; ++r)
    writer.rows.push_back(const_cast<std::uint8_t*>(p.bytes + r * p.columns * p.channels));
  bool const good = writer.all(p);
  file.check();
  if (!good) message::raise<123>(path.string() + " (" + writer.wrong + ")");
  file.commit();
#else
  (void)x;
  message::raise<163>(path.string() + " needs libpng");
#endif
}

}  // namespace etna::data

#include <etna/set_back.hpp>
