// SPDX-License-Identifier: BSD-3-Clause
// .npz archives: those that NumPy wrote, those that etna writes (which NumPy has read), and those that lie.
#include <doctest/doctest.h>

#include <etna/etna.hpp>
#include <etna/interop/npz.hpp>

#include "npz.inc.hpp"
#include "unit/data/file.hpp"

using namespace etna;
using namespace test_data;

namespace {

void put_text(fs::path const& path, std::string_view s) { put(path, bytes(s.begin(), s.end())); }

struct inner {
  array<bool, 3> m;
};
struct params {
  array<float, 2, 3> w;
  array<double, "n"_n, 2> b;
  struct inner inner;
  std::int64_t step;
};
struct fewer {
  array<float, 2, 3> w;
  array<double, "n"_n, 2> b;
  std::int64_t step;
};
struct further {
  array<float, 2, 3> w;
  array<double, "n"_n, 2> b;
  struct inner inner;
  std::int64_t step;
  float rate;
};
struct other {
  array<float, 3, 2> w;
  array<double, "n"_n, 2> b;
  struct inner inner;
  std::int64_t step;
};

template <class T> int error_in(fs::path const& path) {
  return error_of([&] { (void)load_npz<T>(path); });
}

}  // namespace

#if ETNA_READS_NPZ

namespace {
void check(params const& p) {
  for (int i = 0; i < 6; ++i) CHECK(p.w(i / 3, i % 3) == float(i) / 4);
  CHECK(p.b.shape()[0] == 3);
  for (int i = 0; i < 6; ++i) CHECK(p.b(i / 2, i % 2) == i);
  CHECK((p.inner.m(0) && !p.inner.m(1) && p.inner.m(2)));
  CHECK(p.step == 7);
}
}  // namespace

TEST_CASE("reads what NumPy wrote, stored and compressed, as a tree and one by one") {
  folder f;
  for (auto file : {npz_files::tree, npz_files::packed}) {
    put_text(f / "a.npz", file);
    check(load_npz<params>(f / "a.npz"));
    CHECK(load_npz<array<bool, "n"_n>>(f / "a.npz", "inner.m").size() == 3);
    CHECK(load_npz<array<std::int64_t>>(f / "a.npz", "step").item() == 7);
  }
  put_text(f / "b.npz", npz_files::two);
  auto [w, m] = load_npz<std::tuple<array<float, 2, 3>, array<bool, 3>>>(f / "b.npz");
  CHECK((w(1, 2) == 1.25f && m(0) && !m(1)));
  CHECK(load_npz<array<float, 2, 3>>(f / "b.npz", "arr_0")(1, 2) == 1.25f);
}
TEST_CASE("what is written is what is read, and what NumPy has read") {
  folder f;
  auto w = array<float, 2, 3>{{0, 0.25f, 0.5f}, {0.75f, 1, 1.25f}};
  auto b = array<double, "n"_n, 2>::build(
      [](double* o) {
        for (int i = 0; i < 6; ++i) o[i] = i;
      },
      {3, 2});
  params const p{w, b, {array<bool, 3>{true, false, true}}, 7};
  save_npz(f / "a.npz", p);
  check(load_npz<params>(f / "a.npz"));
  auto written = get(f / "a.npz");
  CHECK(std::string(written.begin(), written.end()) == npz_files::ours);
  if (char const* keep = std::getenv("ETNA_KEEP_NPZ")) save_npz(keep, p);
  CHECK(std::distance(fs::directory_iterator(f.path), fs::directory_iterator()) == 1);  // nothing is left aside
  save_npz(f / "b.npz", std::tuple{w, p.inner.m});
  CHECK(load_npz<array<bool, 3>>(f / "b.npz", "arr_1")(2));
  save_npz(f / "c.npz", w);
  CHECK(load_npz<array<float, 2, 3>>(f / "c.npz")(1, 2) == 1.25f);
  save_npz(f / "c.npz", std::array{p.inner.m, p.inner.m});  // takes the place of the other
  CHECK(load_npz<std::array<array<bool, 3>, 2>>(f / "c.npz")[1](2));
}
TEST_CASE("an archive that does not fit is refused in words") {
  folder f;
  put_text(f / "a.npz", npz_files::tree);
  CHECK(error_in<params>(f / "none.npz") == 120);
  CHECK(error_in<fewer>(f / "a.npz") == 122);
  CHECK(error_in<further>(f / "a.npz") == 122);
  CHECK(error_in<other>(f / "a.npz") == 125);
  CHECK(error_of([&] { (void)load_npz<array<float, 3>>(f / "a.npz", "v"); }) == 122);
  try {
    (void)load_npz<other>(f / "a.npz");
  } catch (error const& e) {
    CHECK(std::string(e.what()).find("a.npz (w.npy) has <f4[2,3], not <f4[3,2]") != std::string::npos);
  }
  put_text(f / "b.npz", npz_files::bzip2);
  CHECK(error_in<fewer>(f / "b.npz") == 126);
  put_text(f / "t.npz", npz_files::twice);
  CHECK(error_in<fewer>(f / "t.npz") == 121);
  put_text(f / "e.npz", npz_files::none);
  int const empty = error_in<fewer>(f / "e.npz");  // minizip takes a list without entries for none
  CHECK((empty == 122 || empty == 121));
  put_text(f / "x.npz", "PK");
  CHECK(error_in<fewer>(f / "x.npz") == 121);
  CHECK(error_of([&] { save_npz(f / "no" / "x.npz", array<float>(1.0f)); }) == 123);
  CHECK(!fs::exists(f / "no"));
  CHECK(error_in<fewer>(f.path) == 128);
  fs::permissions(f / "a.npz", fs::perms::none);
  without_permissions const here;
  CHECK(error_in<fewer>(f / "a.npz") == 128);
}
TEST_CASE("an archive with a comment is read, without the comment's last byte it is not") {
  folder f;
  std::string s(npz_files::ours);
  s[s.size() - 2] = 5;
  put_text(f / "x.npz", s + "hello");
  CHECK(error_in<params>(f / "x.npz") == 0);
  put_text(f / "x.npz", s + "hell");
  CHECK(error_in<params>(f / "x.npz") == 121);
}
TEST_CASE("an archive that lies is refused: sizes, checksums, places") {
  folder f;
  auto changed = [&](std::size_t at, std::string_view to) {
    std::string s(npz_files::ours);
    s.replace(at, to.size(), to);
    put_text(f / "x.npz", s);
    return error_in<params>(f / "x.npz");
  };
  std::string_view const s = npz_files::ours;
  std::size_t const list = s.find("PK\1\2");
  CHECK(changed(s.find("\x80>"), "\x81>") == 121);                                    // an element: the checksum
  CHECK(changed(list + 16, "abcd") == 121);                                           // the checksum in the list
  CHECK(changed(list + 20, std::string_view("\xff\xff\xff\x7f", 4)) == 121);          // bytes in the file
  CHECK(changed(list + 24, std::string_view("\xff\xff\xff\x7f", 4)) == 121);          // bytes of the member
  CHECK(changed(list + 10, std::string_view("\x08\0", 2)) == 121);                    // stored, but said to be packed
  CHECK(changed(list + 8, std::string_view("\1\0", 2)) == 126);                       // said to be encrypted
  CHECK(changed(list + 42, std::string_view("\xff\xff\0\0", 4)) == 121);              // where it begins
  CHECK(changed(list + 46, "v") == 122);                                              // another name
  CHECK(changed(s.rfind("PK\5\6") + 8, std::string_view("\x05\0\x05\0", 4)) == 121);  // one more than there are
  // every beginning of a file, and every letter changed: an error or the arrays, and never anything else
  for (std::size_t n = 0; n < s.size(); ++n) {
    if (n % 7 == 0 || n + 30 > s.size()) {  // minizip alone takes an archive without its last byte
      put_text(f / "y.npz", s.substr(0, n));
      CHECK(error_in<params>(f / "y.npz") == 121);
    }
    int e = changed(n, std::string_view("\xa5", 1));
    CHECK((e == 0 || (e >= 121 && e <= 126 && e != 123)));
  }
}

#else

TEST_CASE("without minizip an archive is refused in words") {
  folder f;
  put_text(f / "a.npz", npz_files::tree);
  CHECK(error_in<params>(f / "a.npz") == 127);
  CHECK(error_of([&] { save_npz(f / "b.npz", array<float>(1.0f)); }) == 127);
}

#endif
