// SPDX-License-Identifier: BSD-3-Clause
// The data room: files and ranges of batches, no framework. A source reads a file from front to
// back, unpacking gzip on the way, and knows how much the rest can hold at most; without
// zlib.h beside the compiler plain files only. Read next: idx.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>

#include "input.hpp"

#if __has_include(<zlib.h>) && !defined(ETNA_NO_ZLIB)
#include <zlib.h>
#define ETNA_READS_GZIP 1
#else
#define ETNA_READS_GZIP 0
#endif

namespace etna::data {

/// A file read from front to back, gzip or plain: which of the two, its first bytes say.
///
/// errors  E101 missing, E128 not readable, E102 a gzip stream that ends early, E108 a damaged one
/// source  gzip is RFC 1952, its content RFC 1951
class source {
 public:
  explicit source(std::filesystem::path const& path) : file_(path, origin::data_set) {
    refill();
    if (end_ >= 2 && piece_[0] == 0x1f && piece_[1] == 0x8b) open_gzip();
  }
  source(source const&) = delete;
  source& operator=(source const&) = delete;
  ~source() {
#if ETNA_READS_GZIP
    if (gzip_) inflateEnd(&stream_);
#endif
  }

  std::string const& name() const { return file_.name(); }

  /// Bytes that are still to come, at most: exact for a plain file; deflate packs 1032 to one.
  std::uintmax_t most_left() const {
    std::uintmax_t const behind = file_.size() > file_.tell() ? file_.size() - file_.tell() : 0;
    std::uintmax_t const packed = behind + (end_ - begin_);
    if (!gzip_) return packed;
    if (packed > std::numeric_limits<std::uintmax_t>::max() / 1100) return packed;
    return packed * 1032 + 65536;  // and what the decoder's window holds back
  }

  /// Read n bytes; fewer where the content ends.
  std::size_t read(unsigned char* out, std::size_t n) { return gzip_ ? unpack(out, n) : copy(out, n); }

 private:
  input file_;
  unsigned char piece_[1 << 16];
  std::size_t begin_ = 0, end_ = 0;  // what of the piece has not been used
  bool gzip_ = false;

  bool refill() {
    begin_ = 0;
    end_ = file_.read(piece_, sizeof piece_);
    return end_ > 0;
  }
  std::size_t copy(unsigned char* out, std::size_t n) {
    std::size_t done = 0;
    while (done < n && (begin_ < end_ || refill())) {
      std::size_t const now = std::min(n - done, end_ - begin_);
      std::copy_n(piece_ + begin_, now, out + done);
      begin_ += now;
      done += now;
    }
    return done;
  }

#if ETNA_READS_GZIP
  z_stream stream_{};
  bool ended_ = false;

  void open_gzip() {
    gzip_ = inflateInit2(&stream_, 16 + MAX_WBITS) == Z_OK;
    if (!gzip_) message::raise<107>("unpacking " + name());
  }
  // By inflate and not by gzread, which takes garbage behind the stream for its end.
  std::size_t unpack(unsigned char* out, std::size_t n) {
    std::size_t done = 0;
    while (done < n && !ended_) {
      if (begin_ == end_ && !refill()) message::raise<102>(name());
      std::size_t const room = std::min(n - done, std::size_t(1) << 30);
      stream_.next_in = piece_ + begin_;
      stream_.avail_in = unsigned(end_ - begin_);
      stream_.next_out = out + done;
      stream_.avail_out = unsigned(room);
      int const told = inflate(&stream_, Z_NO_FLUSH);
      begin_ = end_ - stream_.avail_in;
      done += room - stream_.avail_out;
      if (told == Z_STREAM_END) next_member();
      else if (told == Z_MEM_ERROR) message::raise<107>("unpacking " + name());
      else if (told != Z_OK && told != Z_BUF_ERROR) message::raise<108>(name());
    }
    return done;
  }
  // A gzip file may be several streams behind each other; anything else is too long.
  void next_member() {
    ended_ = begin_ == end_ && !refill();
    if (ended_) return;
    if (piece_[begin_] != 0x1f || inflateReset(&stream_) != Z_OK) message::raise<106>(name());
  }
#else
  void open_gzip() { message::raise<108>(name() + " needs zlib, which this program was built without"); }
  std::size_t unpack(unsigned char*, std::size_t) { return 0; }
#endif
};

}  // namespace etna::data

#include <etna/set_back.hpp>
