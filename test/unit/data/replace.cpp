// SPDX-License-Identifier: BSD-3-Clause
// Files that take the place of others: what their names tell, what is swept, and what a user finds afterwards. That
// readers find whole files, however many write, is in interop/npy.cpp.
#include <doctest/doctest.h>

#include <etna/data/replace.hpp>

#include <csignal>
#include <random>
#include <sys/resource.h>

#include "file.hpp"

using namespace test_data;
using etna::data::replacement;
namespace aside = etna::data::detail::aside;

namespace {

void save(fs::path const& path, std::string const& text) {
  replacement file(path);
  file.write(text);
  file.commit();
}
int saved(fs::path const& path, std::string const& text, int times) {
  for (int i = 0; i < times; ++i) save(path, text);
  return 0;
}
std::string text_of(fs::path const& path) {
  auto const all = get(path);
  return {all.begin(), all.end()};
}
int error_saving(fs::path const& path) {
  return error_of([&] { save(path, "new"); });
}
aside::process me() { return aside::look(::getpid()); }
// A name like those of a process, for the target x.
std::string name_of(aside::process const& p, std::string const& prefix = aside::prefix("x")) {
  return prefix + std::to_string(p.number) + "-" + std::to_string(p.start) + "-0.part";
}
unsigned mode_of(fs::path const& path) { return unsigned(fs::status(path).permissions()); }
// A process that was.
aside::process dead() {
  ::pid_t const child = ::fork();
  if (child == 0) ::pause();
  auto const r = aside::look(child);
  ::kill(child, SIGKILL);
  end_of(child);
  return r;
}

}  // namespace

TEST_CASE("a name tells its writer, and no two are equal") {
  auto const prefix = aside::prefix("x");
  auto const a = aside::next(prefix), b = aside::next(prefix);
  CHECK(a != b);
  CHECK(aside::writer(a, prefix).number == ::getpid());
  CHECK(aside::writer(a, prefix).start == me().start);
  for (std::string other : {"", "x", "x.part", "1-2-3", "1-2.part", "-1-2-3.part", "0-2-3.part", "1-2-3.part.part",
                            "1-2-3-4.part", "99999999999999999999-2-3.part", "99999999999-2-3.part", "1--2-3.part"})
    CHECK(aside::writer(prefix + other, prefix).number == 0);
  CHECK(aside::writer(aside::next(aside::prefix("xx")), prefix).number == 0);
  CHECK(aside::writer("x.elsewhere.1-2-3.part", prefix).number == 0);
  CHECK(aside::writer(prefix + "1-2-3.part", prefix).number == 1);
}

TEST_CASE("a name of 255 bytes has room for its writer's") {
  folder f;
  std::string const common(250, 'n'), a = common + "a", b = common + "b";
  CHECK(aside::prefix(a) != aside::prefix(b));
  std::string umlauts;
  while (umlauts.size() < 254) umlauts += "\xc3\xbc";
  CHECK(aside::prefix("a" + umlauts).find("\xbc~") != std::string::npos);
  for (auto const& name : {a, umlauts}) {
    save(f / name, "text");
    CHECK(text_of(f / name) == "text");
  }
}

TEST_CASE("a process lives until it ends, and another of its number is another") {
  auto p = me();
  CHECK(aside::lives(p));
  if (p.start) {
    ++p.start;
    CHECK(!aside::lives(p));
  }
  auto const child = forked([] { return 0; });
  siginfo_t info;
  REQUIRE(::waitid(P_PID, ::id_t(child), &info, WEXITED | WNOWAIT) == 0);
  if (me().start) CHECK(!aside::lives({child, 0}));  // it is still listed, until somebody waits for it
  end_of(child);
  CHECK(!aside::lives({child, 0}));
}

TEST_CASE("files of this host's dead writers go with the next save, and no others") {
  folder f;
  auto const gone = dead();
  auto recycled = me();
  ++recycled.start;
  std::vector<std::string> swept{name_of(gone)}, stay{name_of(me()),
                                                      name_of(gone, aside::prefix("y")),
                                                      name_of(gone, "x.another-host."),
                                                      name_of(gone) + ".txt",
                                                      "x.part",
                                                      "x." + std::to_string(gone.number) + ".part"};
  if (me().start) swept.push_back(name_of(recycled));
  for (auto const& name : swept) put(f / name, {1});
  for (auto const& name : stay) put(f / name, {1});
  fs::create_directory(f / (aside::prefix("x") + "1000000-1-1.part"));  // no file
  fs::create_symlink("x.part", f / (aside::prefix("x") + "1000000-1-2.part"));
  save(f / "x", "new");
  for (auto const& name : swept) CHECK_MESSAGE(!fs::exists(f / name), name);
  for (auto const& name : stay) CHECK_MESSAGE(fs::exists(f / name), name);
  CHECK(count(f.path) == int(stay.size()) + 3);
}

TEST_CASE("a file that somebody holds stays, though its writer looks dead from here") {
  folder f;
  auto const name = name_of(dead());
  put(f / name, {1});
  int const file = ::open((f / name).c_str(), O_WRONLY | O_CLOEXEC);
  CHECK(aside::hold(file));
  save(f / "x", "new");
  CHECK(fs::exists(f / name));
  ::close(file);
  save(f / "x", "new");
  CHECK(count(f.path) == 1);
}

TEST_CASE("a hundred writers are killed: the file is whole, and the next save leaves nothing beside it") {
  folder f;
  std::mt19937 chance(7);
  int left = 0;
  auto const whole = [&] {
    auto const text = text_of(f / "x");
    return !text.empty() && text == std::string(text.size(), text[0]) &&
           text.size() == 10000u + 1000u * unsigned(text[0]);
  };
  auto const text = [](int k) { return std::string(10000u + 1000u * unsigned(k), char(k)); };
  save(f / "x", text(1));
  for (int k = 0; k < 100; ++k) {
    auto const child = forked([&] { return saved(f / "x", text(k + 1), 1'000'000); });
    ::usleep(unsigned(chance() % 4000));
    ::kill(child, SIGKILL);
    CHECK(end_of(child) == -1);
    CHECK(whole());
    left = std::max(left, count(f.path) - 1);
  }
  CHECK(left > 0);  // some were killed while they wrote
  save(f / "x", text(1));
  CHECK(count(f.path) == 1);
}

TEST_CASE("a link stays, and what it names is replaced") {
  folder f;
  fs::create_directory(f / "far");
  save(f / "far/x", "old");
  fs::create_symlink("far/x", f / "link");
  fs::create_symlink(f / "link", f / "chain");
  save(f / "chain", "new");
  CHECK(fs::is_symlink(f / "link"));
  CHECK(fs::is_symlink(f / "chain"));
  CHECK(text_of(f / "far/x") == "new");
  fs::create_symlink("far/none", f / "dangling");
  save(f / "dangling", "made");
  CHECK(fs::is_symlink(f / "dangling"));
  CHECK(text_of(f / "far/none") == "made");
  CHECK(count(f / "far") == 2);
  fs::create_directory_symlink("far", f / "folder");
  save(f / "folder/x", "through a folder's link");
  CHECK(text_of(f / "far/x") == "through a folder's link");
  CHECK(error_saving(f / "folder") == 123);
  fs::create_symlink("b", f / "a");
  fs::create_symlink("a", f / "b");
  CHECK(error_saving(f / "a") == 123);
  fs::create_symlink("no_folder/x", f / "nowhere");
  CHECK(error_saving(f / "nowhere") == 123);
}

TEST_CASE("a new file has the mode of the old one, or what the umask leaves") {
  folder f;
  auto const before = ::umask(027);
  save(f / "x", "old");
  CHECK(mode_of(f / "x") == 0640);
  for (auto mode : {0600u, 0666u, 0755u}) {
    fs::permissions(f / "x", fs::perms(mode));
    save(f / "x", "new");
    CHECK(mode_of(f / "x") == mode);
  }
  ::umask(before);
}

TEST_CASE("what may not be written stays as it is, and nothing beside it") {
  folder f;
  save(f / "x", "old");
  fs::create_directory(f / "closed");
  save(f / "closed/x", "old");
  fs::permissions(f / "x", fs::perms(0444));
  fs::permissions(f.path, fs::perms(0777));
  fs::permissions(f / "closed/x", fs::perms(0666));
  fs::permissions(f / "closed", fs::perms(0555));
  {
    without_permissions const here;
    CHECK(error_saving(f / "x") == 123);         // the file is written for nobody
    CHECK(error_saving(f / "closed/x") == 123);  // the folder takes no other
    CHECK(error_saving(f / "closed/y") == 123);
    CHECK(error_saving(f / "y") == 0);
  }
  fs::permissions(f / "closed", fs::perms(0755));
  CHECK(error_saving(f / "closed") == 123);
  CHECK(error_saving(f / "no_folder/x") == 123);
  CHECK(error_saving(f / "x/y") == 123);
  CHECK(error_saving("") == 123);
  CHECK(error_saving(f.path.string() + "/z/") == 123);
  CHECK(error_saving("/dev/null") == 123);
  CHECK(!fs::is_regular_file("/dev/null"));
  CHECK(text_of(f / "x") == "old");
  CHECK(count(f.path) == 3);
  CHECK(count(f / "closed") == 1);
}

TEST_CASE("a file that is not finished, or does not fit, leaves the old one and nothing beside it") {
  folder f;
  save(f / "x", "old");
  {
    replacement abandoned(f / "x");
    abandoned.write("half");
    CHECK(count(f.path) == 2);
  }
  CHECK(count(f.path) == 1);
  // No more than 1000 bytes in a file: as a full disk, for this process.
  struct rlimit before {};
  REQUIRE(::getrlimit(RLIMIT_FSIZE, &before) == 0);
  auto const handler = std::signal(SIGXFSZ, SIG_IGN);
  struct rlimit const small{1000, before.rlim_max};
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &small) == 0);
  int const number = error_of([&] { save(f / "x", std::string(5000, 'x')); });
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &before) == 0);
  std::signal(SIGXFSZ, handler);
  CHECK(number == 123);
  CHECK(text_of(f / "x") == "old");
  CHECK(count(f.path) == 1);
}
