// SPDX-License-Identifier: BSD-3-Clause
// A file that takes the place of another in one step: written aside, flushed to the disk, renamed.
// Whoever reads it sees the old content or the new, also when the power fails in between, and however many write.
// Read next: safetensors.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include "aside.hpp"
#include "input.hpp"

namespace etna::data {

namespace detail {

/// The file that is meant by a path: where its last part is a symbolic link, what that names, be it there or not.
inline std::filesystem::path followed(std::filesystem::path path) {
  std::error_code why;
  for (int links = 0; links < 40; ++links) {
    auto to = std::filesystem::read_symlink(path, why);
    if (why) break;
    path = to.is_absolute() ? to : path.parent_path() / to;
  }
  return path;
}

}  // namespace detail

/// A file in the making. Without commit() it disappears, and what was at the path stays.
///
/// A symbolic link stays, and what it names is replaced. The new file has the old one's mode, and its owner and group
/// where they may be given; one that may not be written is not replaced. What dead writers of this host left aside is
/// swept.
///
/// errors  E123 it cannot be written
/// source  POSIX rename, fsync
/// example test/unit/data/replace.cpp  [a link stays, and what it names is replaced]
class replacement {
 public:
  explicit replacement(std::filesystem::path const& path) : name_(path.string()), target_(detail::followed(path)) {
    struct stat old {};
    bool const there = ::stat(path.c_str(), &old) == 0;
    if (!there && errno != ENOENT) fail(detail::reason(errno));
    if (there && S_ISDIR(old.st_mode)) fail(detail::reason(EISDIR));
    if (there && !S_ISREG(old.st_mode)) fail("it is no regular file");
    if (there && ::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) != 0) fail(detail::reason(errno));
    if (target_.filename().empty()) fail(detail::reason(target_.empty() ? ENOENT : EISDIR));
    auto const prefix = detail::aside::prefix(target_.filename().string());
    detail::aside::sweep(folder(), prefix);
    create(prefix, there ? 0600 : 0666);
    if (there) resemble(old);
  }
  replacement(replacement const&) = delete;
  replacement& operator=(replacement const&) = delete;
  ~replacement() { abandon(); }

  void write(void const* bytes, std::size_t n) {
    try_write(bytes, n);
    check();
  }
  void write(std::string const& text) { write(text.data(), text.size()); }
  /// The same for code of C, which no exception may cross: check() throws what went wrong.
  std::size_t try_write(void const* bytes, std::size_t n) noexcept {
    std::size_t done = 0;
    while (done < n && failed_ == 0) {
      auto const now = ::pwrite(file_, static_cast<char const*>(bytes) + done, std::min(n - done, most), ::off_t(at_));
      if (now < 0 && errno == EINTR) continue;
      if (now <= 0) failed_ = now < 0 ? errno : EIO;
      else done += std::size_t(now), at_ += std::uint64_t(now);
    }
    size_ = std::max(size_, at_);
    return done;
  }
  std::string const& name() const { return name_; }
  bool failed() const { return failed_ != 0; }
  void check() {
    if (failed()) fail(detail::reason(failed_));
  }
  std::uint64_t size() const { return size_; }
  std::uint64_t tell() const { return at_; }
  void seek(std::uint64_t at) { at_ = at; }

  void commit() {
    while (::fsync(file_) != 0)
      if (errno != EINTR) fail(detail::reason(errno));
    // Renamed before it is closed, which ends its hold.
    if (::rename(aside_.c_str(), target_.c_str()) != 0) fail(detail::reason(errno));
    ::close(file_);
    file_ = -1;
    int const f = ::open(folder().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (f < 0) return;  // the name lasts as long as the system runs: good enough where it cannot be better
    ::fsync(f);
    ::close(f);
  }

 private:
  static constexpr std::size_t most = std::size_t(1) << 30;
  std::string name_;  // as it was given
  std::filesystem::path target_, aside_;
  int file_ = -1, failed_ = 0;
  std::uint64_t size_ = 0, at_ = 0;

  std::filesystem::path folder() const { return target_.has_parent_path() ? target_.parent_path() : "."; }

  void create(std::string const& prefix, ::mode_t mode) {
    for (int tries = 0; tries < 1000; ++tries) {
      aside_ = folder() / detail::aside::next(prefix);
      file_ = ::open(aside_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
      if (file_ < 0 && errno == EEXIST) continue;  // left by one who had this number, on a host of this name
      if (file_ < 0) fail(detail::reason(errno));
      detail::aside::hold(file_);
      struct stat is {};
      if (::lstat(aside_.c_str(), &is) == 0) return;
      ::close(file_);  // swept before it was held
      file_ = -1;
    }
    fail(detail::reason(EEXIST));
  }
  // Nobody may read the new file who might not read the old one: where its group cannot be given to this one, this
  // one's group has what all others have.
  void resemble(struct stat const& old) {
    struct stat mine {};
    auto mode = old.st_mode & 0777;
    if (::fstat(file_, &mine) != 0) fail(detail::reason(errno));
    bool const owner = mine.st_uid == old.st_uid || ::fchown(file_, old.st_uid, ::gid_t(-1)) == 0;
    bool const group = mine.st_gid == old.st_gid || ::fchown(file_, ::uid_t(-1), old.st_gid) == 0;
    (void)owner;  // only root gives files away; another's file that may be written becomes one's own
    if (!group) mode = (mode & 0707) | (mode & 07) << 3;
    if (::fchmod(file_, mode) != 0) fail(detail::reason(errno));
  }

  void abandon() {
    if (file_ < 0) return;
    ::unlink(aside_.c_str());
    ::close(file_);
    file_ = -1;
  }
  // A throwing constructor runs no destructor: clear up here.
  [[noreturn]] void fail(std::string const& why) {
    abandon();
    std::string const link = target_ == name_ ? "" : " -> " + target_.string();
    message::raise<123>(name_ + link + " (" + why + ")");
  }
};

}  // namespace etna::data

#include <etna/set_back.hpp>
