// SPDX-License-Identifier: BSD-3-Clause
// The names of files that are written aside, before they take the place of others:
//   x.npy.HOST.PROCESS-START-NUMBER.part
// Two writers never share one, be they threads, processes, or hosts that share a disk. What the name says of its writer
// tells later whether he is dead, and only then is the file swept. Read next: replace.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>

#include <csignal>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <etna/message/runtime.hpp>

namespace etna::data::detail::aside {

/// A process: numbers are given again, but not to one that began at the same time.
struct process {
  std::int64_t number = 0;
  std::uint64_t start = 0;  // clock ticks since the system began; 0 where it does not tell
  char state = '?';         // as ps prints it
};

/// What the system tells of a process.
///
/// source  Linux, proc(5): fields 3 and 22 of /proc/PID/stat; elsewhere there is no such file
inline process look(std::int64_t number) {
  process r{number};
  std::FILE* f = std::fopen(("/proc/" + std::to_string(number) + "/stat").c_str(), "re");
  if (!f) return r;
  char text[1024]{};
  text[std::fread(text, 1, sizeof text - 1, f)] = 0;
  std::fclose(f);
  char const* at = std::strrchr(text, ')');  // the command's name may hold anything, parentheses too
  unsigned long long start = 0;
  if (at && std::sscanf(at + 1, " %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %llu",
                        &r.state, &start) == 2)
    r.start = start;
  return r;
}

/// Does this process still run? Where the system does not tell when it began, one of its number is taken for it.
inline bool lives(process const& p) {
  if (::kill(::pid_t(p.number), 0) != 0 && errno == ESRCH) return false;
  process const now = look(p.number);
  if (now.state == 'Z' || now.state == 'X') return false;  // it ended, and nobody has asked how
  return now.start == 0 || p.start == 0 || now.start == p.start;
}

/// This host, in letters that a file's name may have.
inline std::string host() {
  char name[65]{};
  if (::gethostname(name, sizeof name - 1) != 0 || !name[0]) return "unnamed";
  for (char& c : name)
    if (c == '/') c = '_';
  return name;
}

/// With what the names of this host's files for a target begin. A name has 255 bytes, so a long target's is cut.
inline std::string prefix(std::string file) {
  if (file.size() > 120) {
    char sign[24];
    std::snprintf(sign, sizeof sign, "~%016llx", static_cast<unsigned long long>(message::sign_of(file)));
    std::size_t n = 100;
    while (n > 0 && (static_cast<unsigned char>(file[n]) & 0xc0) == 0x80) --n;  // not within a letter of UTF-8
    file = file.substr(0, n) + sign;
  }
  return file + "." + host() + ".";
}

/// A name that no other writer has; one that is there all the same is passed over by who creates the file.
inline std::string next(std::string const& prefix) {
  static std::atomic<std::uint64_t> count{0};
  process const me = look(::getpid());  // asked each time: a forked child is another
  return prefix + std::to_string(me.number) + "-" + std::to_string(me.start) + "-" + std::to_string(count++) + ".part";
}

/// Who writes the file of this name; number 0 where it is not a name with this prefix.
inline process writer(std::string_view name, std::string_view prefix) {
  if (name.substr(0, prefix.size()) != prefix) return {};
  name.remove_prefix(prefix.size());
  process r;
  std::uint64_t count = 0;
  auto take = [&](auto& x, std::string_view behind) {
    auto const [end, wrong] = std::from_chars(name.data(), name.data() + name.size(), x);
    if (wrong != std::errc{} || name.substr(std::size_t(end - name.data()), behind.size()) != behind) return false;
    name.remove_prefix(std::size_t(end - name.data()) + behind.size());
    return true;
  };
  bool const good = take(r.number, "-") && take(r.start, "-") && take(count, ".part") && name.empty() && r.number > 0 &&
                    r.number == ::pid_t(r.number);
  return good ? r : process{};
}

/// Hold the file until it is closed; false, and EWOULDBLOCK, where another does. A process of another container looks
/// dead from here: so a writer holds his file as well, and whoever sweeps asks for that too. Some file systems have no
/// such locks: false, and another errno.
inline bool hold(int file) {
  int r;
  do r = ::flock(file, LOCK_EX | LOCK_NB);
  while (r != 0 && errno == EINTR);
  return r == 0;
}

/// Remove what this host's dead writers left of a target, and nothing else: no file of a writer who lives, none of
/// another host, none that belongs to somebody whose files may not be opened here.
inline void sweep(std::filesystem::path const& folder, std::string const& prefix) {
  std::error_code why;
  for (std::filesystem::directory_iterator at(folder, why), end; !why && at != end; at.increment(why)) {
    process const who = writer(at->path().filename().string(), prefix);
    if (who.number == 0 || lives(who)) continue;
    int const file = ::open(at->path().c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0) continue;
    if (hold(file) || errno != EWOULDBLOCK) ::unlink(at->path().c_str());
    ::close(file);
  }
}

}  // namespace etna::data::detail::aside

#include <etna/set_back.hpp>
