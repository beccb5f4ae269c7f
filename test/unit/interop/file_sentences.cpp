// SPDX-License-Identifier: BSD-3-Clause
// What is said of each file that cannot be read or written: the table in docs/errors.md is what is thrown here. To
// write it anew, and then read the difference:
//     ETNA_WRITE_GOLDEN=1 build/gcc/unit_interop; git diff docs/errors.md
#include <doctest/doctest.h>

#include <csignal>
#include <cstdlib>
#include <set>

#include <etna/data/mnist.hpp>
#include <etna/etna.hpp>
#include <etna/interop/npz.hpp>
#include <sys/resource.h>
#include <sys/stat.h>

#include "npy.inc.hpp"
#include "npz.inc.hpp"
#include "unit/data/file.hpp"

using namespace etna;
using namespace test_data;

#if ETNA_READS_NPZ && ETNA_READS_GZIP

namespace {

std::string const page = std::string(ETNA_TEST_FOLDER) + "/../docs/errors.md";
std::string const begin = "<!-- made by test/unit/interop/file_sentences.cpp -->\n", end = "<!-- made -->\n";

std::string replaced(std::string_view in, std::string_view from, std::string_view to) {
  std::string s(in);
  s.replace(s.find(from), from.size(), to);
  return s;
}
struct pair {
  array<float, 2, 3> w;
  array<std::int64_t> step;
};

struct table {
  folder f;
  std::string text;
  std::set<int> numbers;

  void heading(std::string const& what) { text += "| **" + what + "** | |\n"; }
  /// A row: what there is, and the sentence of what is thrown.
  template <class F> void row(std::string const& what, F run) {
    std::string said = "nothing is thrown";
    try {
      run();
    } catch (error const& e) {
      said = e.what();
      numbers.insert(e.number);
      CHECK(said.rfind("E" + std::to_string(e.number) + ": ", 0) == 0);
    }
    CHECK_MESSAGE(said != "nothing is thrown", what);
    for (std::string const folder = f.path.string() + "/"; said.find(folder) != said.npos;)
      said.erase(said.find(folder), folder.size());
    for (std::size_t at = 0; (at = said.find('|', at)) != said.npos; at += 2) said.insert(at, "\\");
    text += "| " + what + " | `" + said + "` |\n";
  }
  /// A file with these bytes, read.
  template <class Read>
  void reads(std::string const& what, std::string const& name, std::string_view bytes, Read read) {
    put(f / name, {bytes.begin(), bytes.end()});
    row(what, [&] { read(f / name); });
  }
};

void any_file(table& t) {
  auto const read = [](fs::path const& p) { (void)load_npy<array<float, 2, 3>>(p); };
  t.heading("any file that is read");
  t.row("none of this name", [&] { read(t.f / "x.npy"); });
  t.row("none of this name, of a data set", [&] { (void)data::read_idx<1>(t.f / "labels"); });
  t.row("a file in place of a folder", [&] {
    put(t.f / "y", {});
    read(t.f / "y/x.npy");
  });
  t.row("a folder", [&] {
    fs::create_directory(t.f / "folder");
    read(t.f / "folder");
  });
  t.row("a pipe", [&] {
    REQUIRE(::mkfifo((t.f / "pipe").c_str(), 0600) == 0);
    read(t.f / "pipe");
  });
  t.row("links in a circle", [&] {
    fs::create_symlink("link", t.f / "link");
    read(t.f / "link");
  });
  put(t.f / "x.npy", {});
  fs::permissions(t.f / "x.npy", fs::perms::none);
  {
    without_permissions const here;
    t.row("no permission", [&] { read(t.f / "x.npy"); });
  }
  fs::permissions(t.f / "x.npy", fs::perms(0644));
}

void npy(table& t) {
  auto const read = [](fs::path const& p) { (void)load_npy<array<float, 2, 3>>(p); };
  std::string_view const good = npy_files::f32_c;
  auto const changed = [&](char const* what, std::string_view from, std::string_view to) {
    t.reads(what, "x.npy", replaced(good, from, to), read);
  };
  t.heading("`load_npy`");
  t.reads("no bytes", "x.npy", "", read);
  t.reads("something else", "x.npy", "a text, not an array", read);
  changed("a later version", "Y\1", "Y\4");
  t.reads("version 2, cut after ten bytes", "x.npy", replaced(good, "Y\1", "Y\2").substr(0, 10), read);
  t.reads("cut in its header", "x.npy", good.substr(0, 100), read);
  t.reads("cut in its elements", "x.npy", good.substr(0, good.size() - 1), read);
  t.reads("a byte more", "x.npy", std::string(good) + "1", read);
  changed("a size that no machine holds", "(2, 3), }            ", "(99999999999999999999");
  changed("a negative size", "(2, 3)", "(-2,3)");
  changed("no shape", "'shape': (2, 3), ", "                 ");
  changed("a key that NumPy does not write", "'descr'", "'discr'");
  changed("no end", "}", " ");
  t.reads("big-endian elements", "x.npy", npy_files::f32_big, read);
  t.reads("complex elements", "x.npy", npy_files::c64, read);
  t.reads("records", "x.npy", npy_files::record, read);
  t.reads("a type of ml_dtypes other than bfloat16", "x.npy", npy_files::float8, read);
  t.reads("another element type", "x.npy", npy_files::bool_row, read);
  t.row("another shape", [&] {
    put(t.f / "x.npy", {good.begin(), good.end()});
    (void)load_npy<array<float, "n"_n, 2>>(t.f / "x.npy");
  });
}

void npz(table& t) {
  struct fewer {
    array<float, 2, 3> w;
  };
  auto const read = [](fs::path const& p) { (void)load_npz<array<float, 2, 3>>(p, "w"); };
  std::string_view const good = npz_files::ours;
  std::size_t const list = good.find("PK\1\2");
  auto const at = [&](char const* what, std::size_t place, std::string_view to) {
    std::string s(good);
    s.replace(place, to.size(), to);
    t.reads(what, "x.npz", s, read);
  };
  t.heading("`load_npz`");
  t.reads("no bytes", "x.npz", "", read);
  t.reads("something else", "x.npz", "a text, not an archive", read);
  t.reads("a .npy file", "x.npz", npy_files::f32_c, read);
  t.reads("without its last byte", "x.npz", good.substr(0, good.size() - 1), read);
  t.reads("cut in the middle", "x.npz", good.substr(0, good.size() / 2), read);
  at("another word in place of the list", list, "QK");
  at("a member more in the list's count", good.rfind("PK\5\6") + 8, std::string_view("\5\0\5\0", 4));
  at("a member that is longer than the file", list + 20, std::string_view("\xff\xff\xff\x7f", 4));
  at("a member that unpacks to more than it can", list + 24, std::string_view("\xff\xff\xff\x7f", 4));
  at("a member that is elsewhere", list + 42, std::string_view("\xff\xff\0\0", 4));
  t.reads("a name twice", "x.npz", npz_files::twice, read);
  at("an element with a bit turned", good.find("\x80>"), "\x81>");
  at("an encrypted member", list + 8, std::string_view("\1\0", 2));
  t.reads("a member packed by bzip2", "x.npz", npz_files::bzip2, read);
  put(t.f / "x.npz", {good.begin(), good.end()});
  t.row("no such member", [&] { (void)load_npz<array<float, 2, 3>>(t.f / "x.npz", "v"); });
  t.row("a member that the tree has not", [&] { (void)load_npz<fewer>(t.f / "x.npz"); });
  t.row("a member of another shape", [&] { (void)load_npz<array<float, 3, 2>>(t.f / "x.npz", "w"); });
}

void safetensors(table& t) {
  auto const read = [](fs::path const& p) {
    pair x{};
    data::load(x, p);
  };
  auto const file = [&](char const* what, std::string const& header, std::size_t bytes) {
    std::string s;
    for (int i = 0; i < 8; ++i) s += char(header.size() >> (8 * i) & 255);
    t.reads(what, "x.safetensors", s + header + std::string(bytes, '\1'), read);
  };
  auto const entry = [](char const* name, char const* dtype, char const* shape, char const* offsets) {
    return std::string("\"") + name + R"(":{"dtype":")" + dtype + R"(","shape":)" + shape + R"(,"data_offsets":)" +
           offsets + "}";
  };
  std::string const w = entry("w", "F32", "[2,3]", "[0,24]"), step = entry("step", "I64", "[]", "[24,32]");
  t.heading("`data::load` of a safetensors file");
  t.reads("no bytes", "x.safetensors", "", read);
  t.reads("something else", "x.safetensors", "a text, not an archive", read);
  file("no JSON", "{w: 7}", 0);
  file("no brace", " {" + w + "}", 24);
  file("a header filled up with NULs", "{" + w + "," + step + "}" + std::string(3, '\0'), 32);
  file("a name twice", "{" + w + "," + w + "}", 24);
  file("lists in lists", "{\"w\":[[[[[[]]]]]]}", 0);
  file("a key too few", R"({"w":{"dtype":"F32","shape":[2,3]}})", 24);
  file("a dtype that is no text", R"({"w":{"dtype":32,"shape":[2,3],"data_offsets":[0,24]}})", 24);
  file("a shape that is no list", "{" + entry("w", "F32", "6", "[0,24]") + "}", 24);
  file("a negative size", "{" + entry("w", "F32", "[-2,3]", "[0,24]") + "}", 24);
  file("one offset", "{" + entry("w", "F32", "[2,3]", "[0]") + "}", 24);
  file("offsets that go backward", "{" + entry("w", "F32", "[2,3]", "[24,0]") + "}", 24);
  file("metadata that are no text", "{" + w + ",\"__metadata__\":{\"epoch\":3}}", 24);
  file("metadata that are no object", "{" + w + ",\"__metadata__\":3}", 24);
  file("cut", "{" + w + "," + step + "}", 31);
  file("a byte more", "{" + w + "," + step + "}", 33);
  file("offsets that are not the shape's", "{" + entry("w", "F32", "[2,3]", "[0,20]") + "}", 20);
  file("offsets that overlap", "{" + w + "," + entry("step", "I64", "[]", "[16,24]") + "}", 24);
  file("a hole", "{" + w + "," + entry("step", "I64", "[]", "[32,40]") + "}", 40);
  file("a dtype that etna does not know", "{" + entry("w", "F4", "[2,3]", "[0,3]") + "}", 3);
  file("a dtype that arrays do not have", "{" + entry("w", "F8_E4M3", "[2,3]", "[0,6]") + "}", 6);
  file("another dtype", "{" + entry("w", "I32", "[2,3]", "[0,24]") + "," + step + "}", 32);
  file("another shape", "{" + entry("w", "F32", "[3,2]", "[0,24]") + "," + step + "}", 32);
  file("an array too few", "{" + w + "}", 24);
  file("an array too many", "{" + w + "," + step + "," + entry("b", "U8", "[1]", "[32,33]") + "}", 33);
}

void data_sets(table& t) {
  auto const images = [](fs::path const& p) { (void)data::read_idx<3>(p); };
  auto const file = [&](char const* what, bytes const& b) {
    t.reads(what, "images", {reinterpret_cast<char const*>(b.data()), b.size()}, images);
  };
  auto const labels = [&](std::uint32_t n, unsigned char label) {
    put(t.f / "t10k-images-idx3-ubyte", idx_bytes({2, 1, 1}, {7, 7}));
    put(t.f / "t10k-labels-idx1-ubyte", idx_bytes({n}, bytes(n, label)));
    (void)data::read_images(t.f.path, "t10k");
  };
  t.heading("`data::read_idx`, `data::load_mnist`");
  file("no bytes", {});
  file("cut", idx_bytes({2, 1, 2}, {1, 2, 3}));
  file("a byte more", idx_bytes({1, 1, 2}, {1, 2, 3}));
  file("labels in place of images", idx_bytes({3}, {1, 2, 3}));
  auto floats = idx_bytes({1, 1, 1}, {1, 2, 3, 4});
  floats[2] = 13;
  file("numbers that are no bytes", floats);
  file("gzip, cut", {0x1f, 0x8b, 8});
  file("gzip, damaged", {0x1f, 0x8b, 9, 0, 0, 0, 0, 0, 0, 0});
  t.row("fewer labels than images", [&] { labels(1, 0); });
  t.row("a label that is no class", [&] { labels(2, 10); });
}

void writing(table& t) {
  array<float, 100> const x{};
  auto const write = [&](fs::path const& p) { save_npy(p, x); };
  t.heading("any file that is written");
  t.row("a folder that is missing", [&] { write(t.f / "no_folder/x.npy"); });
  t.row("a folder", [&] { write(t.f / "folder"); });
  t.row("a device", [&] { write("/dev/null"); });
  t.row("a link into a folder that is missing", [&] {
    fs::create_symlink("no_folder/x.npy", t.f / "latest");
    write(t.f / "latest");
  });
  put(t.f / "x.npy", {});
  fs::permissions(t.f / "x.npy", fs::perms(0444));
  {
    without_permissions const here;
    t.row("no permission for the file", [&] { write(t.f / "x.npy"); });
  }
  fs::permissions(t.f.path, fs::perms(0555));
  {
    without_permissions const here;
    t.row("no permission for its folder", [&] { write(t.f / "y.npy"); });
  }
  fs::permissions(t.f.path, fs::perms(0755));
  struct rlimit before {};
  REQUIRE(::getrlimit(RLIMIT_FSIZE, &before) == 0);
  auto const handler = std::signal(SIGXFSZ, SIG_IGN);
  struct rlimit const small{100, before.rlim_max};
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &small) == 0);
  t.row("more than the system lets a file have (or a disk)", [&] { write(t.f / "z.npy"); });
  t.row("the same, an archive", [&] { save_npz(t.f / "z.npz", x); });
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &before) == 0);
  std::signal(SIGXFSZ, handler);
  t.row("a name twice, or bytes of another length (`write_safetensors`)", [&] {
    data::write_safetensors(t.f / "y", std::vector<data::entry>{{"w", "F32", {2}, {}}});
  });
}

}  // namespace

TEST_CASE("the table of sentences about files is what is thrown") {
  table t;
  for (auto part : {any_file, npy, npz, safetensors, data_sets, writing}) part(t);
  // All that docs/errors.md has of files, but E107 (memory) and E127 (a program without minizip).
  CHECK(t.numbers == std::set{101, 102, 103, 104, 105, 106, 108, 109, 120, 121, 122, 123, 124, 125, 126, 128});
  std::string const made = begin + "| what there is | what etna throws |\n| --- | --- |\n" + t.text + end;
  auto const all = get(page);
  std::string text(all.begin(), all.end());
  auto const from = text.find(begin), to = text.find(end);
  REQUIRE(from != text.npos);
  REQUIRE(to != text.npos);
  bool const same = text.substr(from, to + end.size() - from) == made;
  if (std::getenv("ETNA_WRITE_GOLDEN")) {
    text.replace(from, to + end.size() - from, made);
    put(page, {text.begin(), text.end()});
  } else {
    CHECK_MESSAGE(same, page << " has another table than:\n" << made);
  }
}

#endif
