// SPDX-License-Identifier: BSD-3-Clause
// The one door through which files are read. What the system says of one that it does not give is in the sentence: a
// file without permission is not a missing one. Read next: source.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <etna/message/runtime.hpp>

namespace etna::data {

namespace detail {
/// What the system says of an error: "Permission denied".
inline std::string reason(int code) { return std::generic_category().message(code); }
}  // namespace detail

/// Whose file is missing: one that a program saved (E120), or one of a data set (E101).
enum class origin { saved, data_set };

/// A regular file that is read. It is opened once, and its length is that of what was opened: a moment later the path
/// may be another file's, since writers rename.
///
/// errors  E120, E101 missing; E128 it cannot be read
/// source  POSIX open, fstat, pread
class input {
 public:
  explicit input(std::filesystem::path const& path, origin from = origin::saved) : name_(path.string()) {
    // Of a pipe that nobody writes open would wait for a writer.
    file_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file_ < 0) {
      int const why = errno;
      bool const missing = why == ENOENT || why == ENOTDIR;
      std::string const about = name_ + " (" + detail::reason(why) + ")";
      if (!missing) message::raise<128>(about);
      if (from == origin::saved) message::raise<120>(about);
      message::raise<101>(about);
    }
    struct stat is {};
    std::string why;
    if (::fstat(file_, &is) != 0) why = detail::reason(errno);
    else if (S_ISDIR(is.st_mode)) why = detail::reason(EISDIR);
    else if (!S_ISREG(is.st_mode)) why = "it is no regular file";
    if (why.empty()) {
      size_ = std::uint64_t(is.st_size);
      return;
    }
    ::close(file_);
    message::raise<128>(name_ + " (" + why + ")");
  }
  input(input const&) = delete;
  input& operator=(input const&) = delete;
  ~input() { ::close(file_); }

  std::string const& name() const { return name_; }
  std::uint64_t size() const { return size_; }
  std::uint64_t tell() const { return at_; }
  void seek(std::uint64_t at) { at_ = at; }

  /// Read n bytes; fewer where the file ends.
  std::size_t read(void* out, std::size_t n) {
    std::size_t const done = try_read(out, n);
    check();
    return done;
  }
  /// The same for code of C, which no exception may cross: check() throws what went wrong.
  std::size_t try_read(void* out, std::size_t n) noexcept {
    std::size_t done = 0;
    while (done < n && failed_ == 0) {
      auto const now = ::pread(file_, static_cast<char*>(out) + done, std::min(n - done, most), ::off_t(at_));
      if (now < 0 && errno == EINTR) continue;
      if (now < 0) failed_ = errno;
      if (now <= 0) break;
      done += std::size_t(now);
      at_ += std::uint64_t(now);
    }
    return done;
  }
  bool failed() const { return failed_ != 0; }
  void check() const {
    if (failed()) message::raise<128>(name_ + " (" + detail::reason(failed_) + ")");
  }

 private:
  static constexpr std::size_t most = std::size_t(1) << 30;  // of one call: some systems read no more than 2 GiB
  std::string name_;
  int file_ = -1, failed_ = 0;
  std::uint64_t size_ = 0, at_ = 0;
};

namespace detail {
/// All bytes of a file.
///
/// errors  those of input; E121, E102 (of a data set) it became shorter meanwhile
inline std::vector<unsigned char> read_whole(std::filesystem::path const& path, origin from = origin::saved) {
  input file(path, from);
  std::vector<unsigned char> all(std::size_t(file.size()));
  if (file.read(all.data(), all.size()) == all.size()) return all;
  std::string const about = path.string() + ": it became shorter while it was read";
  if (from == origin::saved) message::raise<121>(about);
  message::raise<102>(about);
}
}  // namespace detail

}  // namespace etna::data

#include <etna/set_back.hpp>
