// SPDX-License-Identifier: BSD-3-Clause
// A file that takes the place of another in one step: written aside, flushed to the disk, renamed.
// Whoever reads it sees the old content or the new, also when the power fails in between.
// Read next: safetensors.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include <etna/message/runtime.hpp>

namespace etna::data {

/// A file in the making. Without commit() it disappears, and what was at the path stays.
///
/// errors  E123 it cannot be written
/// source  POSIX rename, fsync
class replacement {
 public:
  explicit replacement(std::filesystem::path path)
      : path_(std::move(path)), aside_(path_.string() + "." + std::to_string(::getpid()) + ".part") {
    file_ = ::open(aside_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file_ < 0) fail();
  }
  replacement(replacement const&) = delete;
  replacement& operator=(replacement const&) = delete;
  ~replacement() {
    if (file_ >= 0) ::close(file_);
    if (!done_) ::unlink(aside_.c_str());
  }

  void write(void const* bytes, std::size_t n) {
    auto const* at = static_cast<char const*>(bytes);
    while (n > 0) {
      auto const now = ::write(file_, at, n);
      if (now < 0 && errno == EINTR) continue;
      if (now <= 0) fail();
      at += now;
      n -= std::size_t(now);
    }
  }
  void write(std::string const& text) { write(text.data(), text.size()); }

  /// For a library that writes files by their name: write this one instead, then commit.
  std::string const& hand_over() {
    if (file_ >= 0) ::close(file_);
    file_ = -1;
    return aside_;
  }

  void commit() {
    if (file_ < 0) file_ = ::open(aside_.c_str(), O_RDONLY | O_CLOEXEC);
    if (file_ < 0 || ::fsync(file_) != 0) fail();
    int const closed = ::close(file_);
    file_ = -1;
    if (closed != 0 || ::rename(aside_.c_str(), path_.c_str()) != 0) fail();
    done_ = true;
    auto const folder = path_.has_parent_path() ? path_.parent_path() : std::filesystem::path(".");
    int const f = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (f < 0) return;  // the name lasts as long as the system runs: good enough where it cannot be better
    ::fsync(f);
    ::close(f);
  }

 private:
  std::filesystem::path path_;
  std::string aside_;
  int file_ = -1;
  bool done_ = false;

  // A throwing constructor runs no destructor: clear up here.
  [[noreturn]] void fail() {
    std::string const why = std::strerror(errno);
    if (file_ >= 0) ::close(file_);
    file_ = -1;
    if (!done_) ::unlink(aside_.c_str());
    message::raise<123>(path_.string() + " (" + why + ")");
  }
};

}  // namespace etna::data

#include <etna/set_back.hpp>
