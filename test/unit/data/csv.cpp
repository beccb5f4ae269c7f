// SPDX-License-Identifier: BSD-3-Clause
// Tables: columns of all kinds, how they may be written, and what is wrong with them.
#include <doctest/doctest.h>

#include <cmath>

#include <etna/etna.hpp>
#include <etna/data/csv.hpp>
#include <etna/data/pipeline.hpp>

#include "file.hpp"

using namespace etna;
using namespace test_data;

#if ETNA_READS_CSV
namespace {
struct file {
  folder in;
  fs::path path = in / "t.csv";
  explicit file(std::string const& text) { put(path, bytes(text.begin(), text.end())); }
};
template <class F> std::string said(F f) {
  try {
    f();
  } catch (error const& e) { return e.number == 166 ? e.what() : ""; }
  return "";
}
template <class F> bool says(F f, std::string const& what) { return said(f).find(what) != std::string::npos; }
}  // namespace

TEST_CASE("columns of all kinds") {
  file const f("a,b,species,n\n1,2.5,setosa,7\n-3e2,+0.125,virginica,8\n 4 ,inf,setosa,-9\n");
  auto const t = data::read_csv(f.path);
  CHECK(t.rows() == 3);
  CHECK(t.columns() == 4);
  CHECK(t.names() == std::vector<std::string>{"a", "b", "species", "n"});
  CHECK(t.numbers<double>("a") == std::vector<double>{1, -300, 4});
  CHECK(t.numbers<float>(1) == std::vector<float>{2.5f, 0.125f, INFINITY});
  CHECK(t.numbers<int>("n") == std::vector<int>{7, 8, -9});
  CHECK(t.texts("species") == std::vector<std::string>{"setosa", "virginica", "setosa"});
  auto const x = t.numbers<float, 2>({"b", "a"});
  CHECK(x[1](0) == 0.125f);
  CHECK(x[1](1) == -300.0f);
  auto const y = t.categories("species");
  CHECK(y.numbers == std::vector<std::int32_t>{0, 1, 0});
  CHECK(y.names == std::vector<std::string>{"setosa", "virginica"});
  auto p = data::in_memory(x, y) | data::batch<3>();
  static_assert(std::is_same_v<decltype(p)::element, std::tuple<array<float, 3, 2>, array<int, 3>>>);
  for (auto const& [rows, labels] : p.epoch(0)) {
    CHECK(rows(2, 1) == 4);
    CHECK(labels(1) == 1);
  }
}

TEST_CASE("quotes, separators, ends of lines, and no header") {
  file const f("\xef\xbb\xbf\"x;1\";\"say \"\"so\"\"\"\r\n\r\n\"two\nlines\";3\r\nlast; 4 ");
  auto const t = data::read_csv(f.path, {.separator = ';', .header = false});
  CHECK(t.names().empty());
  CHECK(t.texts(0) == std::vector<std::string>{"x;1", "two\nlines", "last"});
  CHECK(t.texts(1) == std::vector<std::string>{"say \"so\"", "3", " 4 "});
  CHECK(says([&] { (void)t.numbers<int>(1); }, "t.csv, line 1, column 1: 'say \"so\"' is no i32"));
  file const g("'a b'\tc\n1\t'2'\n");
  auto const u = data::read_csv(g.path, {.separator = '\t', .quote = '\''});
  CHECK(u.numbers<int>("a b") == std::vector{1});
  CHECK(u.numbers<int>("c") == std::vector{2});
}

TEST_CASE("what is wrong is said with file, line and column") {
  file const f("a,b\n1,2\n\"3\n\",x\n\n4,\n99999999999,?\n");
  auto const t = data::read_csv(f.path);
  CHECK(t.rows() == 4);
  CHECK(says([&] { (void)t.numbers<float>("b"); }, "t.csv, line 3, column 'b': 'x' is no f32"));
  CHECK(says([&] { (void)t.numbers<double>("a"); }, "line 3, column 'a'"));
  CHECK(says([&] { (void)t.numbers<float>("c"); }, "t.csv has no column 'c'"));
  CHECK(says([&] { (void)t.numbers<float>(2); }, "t.csv has no column '2'"));
  CHECK(says([&] { (void)t.numbers<float>(-1); }, "no column '-1'"));
  CHECK(says([&] { (void)t.categories("b"); }, "line 6, column 'b': a value is missing"));
  CHECK(error_of([&] { (void)t.numbers<float, 3>({"a", "b"}); }) == 111);
  file const g("a,b\n1,2\n3\n");
  CHECK(says([&] { (void)data::read_csv(g.path); }, "t.csv, line 3 has 1 columns, and the first row 2"));
  file const h("a,b\n1,2,3\n");
  CHECK(says([&] { (void)data::read_csv(h.path); }, "line 2 has 3 columns"));
  file const i("a,b\n1,2\n3,\"4\n");
  CHECK(says([&] { (void)data::read_csv(i.path); }, "t.csv, line 3: a quote is not closed"));
  file const j("a,b\n1,2\n3,4\"5\n6,7\n");
  CHECK(says([&] { (void)data::read_csv(j.path); }, "t.csv, line 3: a quote stands within a word"));
  file const empty("\n\n");
  CHECK(says([&] { (void)data::read_csv(empty.path); }, "t.csv has no rows"));
  file const long_quote("a,b\n1,\"x\n\n2,3\n");
  CHECK(says([&] { (void)data::read_csv(long_quote.path); }, "t.csv, line 2: a quote is not closed"));
  file const unnamed(",a\n1,2\n");
  auto const u = data::read_csv(unnamed.path);
  CHECK(says([&] { (void)u.numbers<int>(-1); }, "t.csv has no column '-1'"));
  CHECK(says([&] { (void)u.texts(std::uint64_t(-1)); }, "t.csv has no column '-1'"));
  CHECK(says([&] { (void)t.texts(""); }, "t.csv has no column ''"));
  CHECK(u.numbers<int>("") == std::vector{1});
  file const twice("a,a\n1,2\n");
  CHECK(says([&] { (void)data::read_csv(twice.path).numbers<int>("a"); }, "several columns 'a'"));
  CHECK(data::read_csv(twice.path).numbers<int>(1) == std::vector{2});
  CHECK(error_of([&] { (void)data::read_csv(f.in / "no.csv"); }) == 101);
  file const range("a\n300\n1.5\n");
  CHECK(says([&] { (void)data::read_csv(range.path).numbers<std::uint8_t>("a"); }, "'300' is no u8"));
  CHECK(says([&] { (void)data::read_csv(range.path).numbers<int>("a"); }, "line 3, column 'a': '1.5' is no i32"));
}

TEST_CASE("numbers out of range: too small is 0, too large is none") {
  std::string const zeros(400, '0');
  file const f("a\n1e-50\n-1e-400\n0." + zeros + "1\n1" + zeros + "e-800\n0.01e-99999999999999999999\n1e-40\n");
  auto const t = data::read_csv(f.path);
  CHECK(t.numbers<float>("a") == std::vector<float>{0, 0, 0, 0, 0, 1e-40f});
  CHECK(std::signbit(t.numbers<float>("a")[1]));
  CHECK(t.numbers<double>("a") == std::vector<double>{1e-50, 0, 0, 0, 0, 1e-40});
  for (std::string const& large : std::vector<std::string>{"1e400", "-1e+400", "1" + zeros, "1" + zeros + "e-5",
                                                           "0.001e999", "1e99999999999999999999", "1e-50x"}) {
    file const g("a\n" + large + "\n");
    CHECK(says([&] { (void)data::read_csv(g.path).numbers<double>("a"); }, "is no f64"));
  }
  file const g("a\n-99999999999\n");
  CHECK(says([&] { (void)data::read_csv(g.path).numbers<int>("a"); }, "is no i32"));
}

TEST_CASE("missing values") {
  file const f("a,b\n1,NA\n?,2\n,3\n");
  auto const t = data::read_csv(f.path, {.missing = {"", "NA", "?"}});
  CHECK(says([&] { (void)t.numbers<float>("a"); }, "line 3, column 'a': a value is missing"));
  CHECK(t.numbers<int>("a", -1) == std::vector{1, -1, -1});
  CHECK(t.numbers<int, 2>({"a", "b"}, 0)[0](1) == 0);
  CHECK(std::isnan(t.numbers<float>("b", NAN)[0]));
  CHECK(t.texts("a") == std::vector<std::string>{"1", "?", ""});
  file const blanks("a,b\n ?, x\n1,y \n");  // around a missing value they are nothing, wherever it is asked for
  auto const u = data::read_csv(blanks.path, {.missing = {"?"}});
  CHECK(u.numbers<int>("a", -1) == std::vector{-1, 1});
  CHECK(says([&] { (void)u.categories("a"); }, "line 2, column 'a': a value is missing"));
  CHECK(u.categories("b").names == std::vector<std::string>{" x", "y "});
}

TEST_CASE("a table longer than a piece of the file") {
  std::string text = "n,square\n";
  for (long i = 0; i < 20000; ++i) text += std::to_string(i) + ",\"" + std::to_string(i * i) + "\"\r\n";
  file const f(text);
  auto const t = data::read_csv(f.path);
  CHECK(t.rows() == 20000);
  auto const n = t.numbers<long>("n"), square = t.numbers<long>("square");
  bool good = true;
  for (std::size_t i = 0; i < n.size(); ++i) good = good && n[i] == long(i) && square[i] == long(i * i);
  CHECK(good);
  file const g(text + "x,1\n");
  CHECK(says([&] { (void)data::read_csv(g.path).numbers<long>("n"); }, "line 20002, column 'n': 'x' is no i64"));
}
#else
TEST_CASE("without libcsv it is said so") {
  folder in;
  put(in / "t.csv", {'a', '\n'});
  CHECK(error_of([&] { (void)data::read_csv(in / "t.csv"); }) == 167);
}
#endif
