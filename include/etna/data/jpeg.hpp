// SPDX-License-Identifier: BSD-3-Clause
// JPEG files, by libjpeg (libjpeg-turbo); where jpeglib.h is not beside the compiler the functions are there, and say
// so. As with libpng, no object with a destructor lives in the frames that it leaves by longjmp.
// Read next: image_folder.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <csetjmp>
#include <cstdio>

#include "image.hpp"

#if __has_include(<jpeglib.h>) && __has_include(<jerror.h>) && !defined(ETNA_NO_JPEG)
#include <jpeglib.h>

#include <jerror.h>
#define ETNA_READS_JPEG 1
#else
#define ETNA_READS_JPEG 0
#endif

namespace etna::data {

namespace detail {

#if ETNA_READS_JPEG
struct jpeg_reader {
  ::jpeg_decompress_struct file{};
  ::jpeg_error_mgr errors{};
  std::jmp_buf back;
  char wrong[JMSG_LENGTH_MAX] = "";

  jpeg_reader() {
    file.err = ::jpeg_std_error(&errors);
    file.client_data = this;
    errors.error_exit = [](::j_common_ptr at) { static_cast<jpeg_reader*>(at->client_data)->fail(at); };
    // What is wrong with the pixels are warnings, and gray pixels: here it is an error. What is odd around them is not.
    errors.emit_message = [](::j_common_ptr at, int level) {
      int const code = at->err->msg_code;
      if (level < 0 && code != JWRN_EXTRANEOUS_DATA && code != JWRN_ADOBE_XFORM && code != JWRN_JFIF_MAJOR)
        static_cast<jpeg_reader*>(at->client_data)->fail(at);
    };
  }
  jpeg_reader(jpeg_reader const&) = delete;
  ~jpeg_reader() { ::jpeg_destroy_decompress(&file); }
  [[noreturn]] void fail(::j_common_ptr at) {
    (*errors.format_message)(at, wrong);
    std::longjmp(back, 1);
  }
  bool say(char const* why) {
    std::snprintf(wrong, sizeof wrong, "%s", why);
    return false;
  }

  bool header(std::vector<std::uint8_t> const& bytes, picture& p) {
    if (setjmp(back)) return false;
    ::jpeg_create_decompress(&file);
    ::jpeg_mem_src(&file, bytes.data(), static_cast<unsigned long>(bytes.size()));
    ::jpeg_read_header(&file, ::boolean(1));
    std::uint64_t const all = std::uint64_t(file.image_width) * file.image_height;
    // Arithmetic code may take no bits for any number of pixels; hardly a program writes it.
    if (file.arith_code) return say("its code is arithmetic, which is not read here");
    if (all > most_pixels || all / 512 > bytes.size())  // a block of 64 pixels takes a bit at least
      return say("its header claims more pixels than it can hold");
    bool const gray = file.jpeg_color_space == JCS_GRAYSCALE;
    bool const inks = file.jpeg_color_space == JCS_CMYK || file.jpeg_color_space == JCS_YCCK;
    file.out_color_space = gray ? JCS_GRAYSCALE : inks ? JCS_CMYK : JCS_RGB;
    ::jpeg_start_decompress(&file);
    p.rows = file.output_height;
    p.columns = file.output_width;
    p.channels = file.output_components;
    return true;
  }
  bool pixels(std::uint8_t* out) {
    if (setjmp(back)) return false;
    std::size_t const width = std::size_t(file.output_width) * std::size_t(file.output_components);
    while (file.output_scanline < file.output_height) {
      ::JSAMPROW row = out + width * file.output_scanline;
      ::jpeg_read_scanlines(&file, &row, 1);
    }
    ::jpeg_finish_decompress(&file);
    return true;
  }
};

/// Four inks as three colours.
///
/// source  Pillow, Convert.c, cmyk2rgb; Adobe's programs store them inverted
inline picture without_inks(picture const& p, bool inverted) {
  picture r{p.rows, p.columns, 3, std::vector<std::uint8_t>(std::size_t(p.rows * p.columns * 3))};
  for (std::size_t i = 0; i < r.bytes.size(); ++i) {
    int const stored = p.bytes[i / 3 * 4 + i % 3], black = p.bytes[i / 3 * 4 + 3];
    int const ink = inverted ? 255 - stored : stored, light = inverted ? black : 255 - black;
    int const product = ink * light + 128;
    r.bytes[i] = std::uint8_t(std::clamp(light - ((product >> 8) + product) / 256, 0, 255));
  }
  return r;
}

inline picture decode_jpeg(std::vector<std::uint8_t> const& bytes, std::string const& name) {
  jpeg_reader reader;
  picture p;
  if (!reader.header(bytes, p)) message::raise<162>(name + ": " + reader.wrong);
  p.bytes.resize(std::size_t(p.rows * p.columns * p.channels));
  if (!reader.pixels(p.bytes.data())) message::raise<162>(name + ": " + reader.wrong);
  if (p.channels == 4) return without_inks(p, reader.file.saw_Adobe_marker);
  return p;
}
#else
inline picture decode_jpeg(std::vector<std::uint8_t> const&, std::string const& name) {
  message::raise<163>(name + " needs libjpeg");
}
#endif

}  // namespace detail

/// Read a JPEG file. Orientation and profiles, which it may have beside its pixels, are left out.
///
/// channels  1 gray, 3 colours, 0 gray where the file is gray and colours otherwise
/// errors    E101 missing, E128 not readable, E162 damaged, E163 built without libjpeg, E107 too little memory
/// example   test/unit/data/jpeg.cpp  [files that Pillow wrote]
inline picture read_jpeg(std::filesystem::path const& path, int channels = 0) try {
  detail::check_channels(channels);
  return detail::with_channels(detail::decode_jpeg(detail::read_whole(path, origin::data_set), path.string()),
                               channels);
} catch (std::bad_alloc const&) { message::raise<107>(path.string()); }

}  // namespace etna::data

#include <etna/set_back.hpp>
