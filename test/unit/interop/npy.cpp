// SPDX-License-Identifier: BSD-3-Clause
// .npy files: those that NumPy wrote, those that etna writes as xtensor reads them, and those that lie.
#include <doctest/doctest.h>

#include <etna/etna.hpp>
#include <etna/interop/npy.hpp>
#include <atomic>
#include <thread>
#include <xtensor/io/xnpy.hpp>

#include "unit/data/file.hpp"
#include "npy.inc.hpp"

using namespace etna;
using namespace test_data;

namespace {
void put_text(fs::path const& path, std::string_view s) { put(path, bytes(s.begin(), s.end())); }
template <class A> int error_in(fs::path const& path) {
  return error_of([&] { (void)load_npy<A>(path); });
}

// Saves one path and reads it, `times` often: how many errors there were, and how many arrays that nobody wrote. A
// writer of number k writes arrays of 100 + k elements k.
int trouble(fs::path const& path, int k, int times) {
  using vec = array<float, "n"_n>;
  int errors = 0;
  auto const mine = vec::build([&](float* out) { std::fill_n(out, 100 + k, float(k)); }, {100 + k});
  for (int i = 0; i < times; ++i) try {
      save_npy(path, mine);
      auto const x = load_npy<vec>(path);
      for (float v : x) errors += v != float(x.size() - 100);
    } catch (error const&) { ++errors; }
  return errors;
}

}  // namespace

TEST_CASE("four threads save one path 800 times, and each that reads finds a whole file") {
  folder f;
  std::atomic<int> errors{0};
  std::vector<std::thread> writers;
  for (int k = 0; k < 4; ++k) writers.emplace_back([&, k] { errors += trouble(f / "x.npy", 1000 * k, 200); });
  for (auto& w : writers) w.join();
  CHECK(errors == 0);
  CHECK(count(f.path) == 1);
}
TEST_CASE("two processes do, likewise") {
  folder f;
  auto const other = forked([&] { return std::min(trouble(f / "x.npy", 5000, 400), 100); });
  CHECK(trouble(f / "x.npy", 1, 400) == 0);
  CHECK(end_of(other) == 0);
  CHECK(count(f.path) == 1);
}
TEST_CASE("reads what NumPy wrote, in both orders") {
  folder f;
  put_text(f / "a.npy", npy_files::f32_c);
  auto a = load_npy<array<float, 2, 3>>(f / "a.npy");
  for (int i = 0; i < 6; ++i) CHECK(a(i / 3, i % 3) == float(i) / 4);
  CHECK(load_npy<array<float, "n"_n, 3>>(f / "a.npy").shape()[0] == 2);
  put_text(f / "b.npy", npy_files::f64_fortran);
  auto b = load_npy<array<double, 2, 3, 4>>(f / "b.npy");
  for (int i = 0; i < 24; ++i) CHECK(b(i / 12, i / 4 % 3, i % 4) == i);
  put_text(f / "c.npy", npy_files::i64_scalar);
  CHECK(load_npy<array<std::int64_t>>(f / "c.npy").item() == -(std::int64_t(1) << 40));
  put_text(f / "d.npy", npy_files::bool_row);
  auto d = load_npy<array<bool, 3>>(f / "d.npy");
  CHECK((d(0) && !d(1) && d(2)));
  put_text(f / "e.npy", npy_files::u8_empty);
  CHECK(load_npy<array<std::uint8_t, "n"_n, 4>>(f / "e.npy").size() == 0);
}
TEST_CASE("what is written is what is read, here and by xtensor") {
  folder f;
  auto x = array<float, 3, 100>::build([](float* o) {
    for (int i = 0; i < 300; ++i) o[i] = float(i) * 0.1f;
  });
  save_npy(f / "x.npy", x);
  CHECK(get(f / "x.npy").size() == 128 + 1200);  // the elements begin at a multiple of 64
  auto y = load_npy<array<float, 3, 100>>(f / "x.npy");
  auto z = xt::load_npy<float>((f / "x.npy").string());
  CHECK(z.shape()[1] == 100);
  for (int i = 0; i < 300; ++i) CHECK((y.data()[i] == x.data()[i] && z.data()[i] == x.data()[i]));
  save_npy(f / "s.npy", array<double>(2.5));
  CHECK(load_npy<array<double>>(f / "s.npy").item() == 2.5);
  save_npy(f / "v.npy", array<int, 3>{1, 2, 3});
  CHECK(load_npy<array<int, "n"_n>>(f / "v.npy")(2) == 3);
  xt::dump_npy((f / "w.npy").string(), xt::xtensor<double, 2>{{1, 2}, {3, 4}});
  CHECK(load_npy<array<double, 2, 2>>(f / "w.npy")(1, 0) == 3);
}
TEST_CASE("what cannot be read is refused in words") {
  folder f;
  CHECK(error_in<array<float, 3>>(f / "none.npy") == 120);
  put_text(f / "big.npy", npy_files::f32_big);
  CHECK(error_in<array<float, 3>>(f / "big.npy") == 124);
  put_text(f / "c64.npy", npy_files::c64);
  CHECK(error_in<array<float, 2>>(f / "c64.npy") == 124);
  put_text(f / "record.npy", npy_files::record);
  CHECK(error_in<array<float, 2>>(f / "record.npy") == 124);
  put_text(f / "float8.npy", npy_files::float8);
  CHECK(error_in<array<bfloat16, 2>>(f / "float8.npy") == 124);
  put_text(f / "a.npy", npy_files::f32_c);
  CHECK(error_in<array<float, 3, 2>>(f / "a.npy") == 125);
  CHECK(error_in<array<double, 2, 3>>(f / "a.npy") == 125);
  CHECK(error_in<array<float, 6>>(f / "a.npy") == 125);
  try {
    (void)load_npy<array<double, 2, 3>>(f / "a.npy");
  } catch (error const& e) {
    CHECK(std::string(e.what()).find("a.npy has <f4[2,3], not <f8[2,3]") != std::string::npos);
  }
  CHECK(error_of([&] { save_npy(f / "no" / "x.npy", array<float>(1.0f)); }) == 123);
}
TEST_CASE("a header that lies takes no memory") {
  folder f;
  std::string const good(npy_files::f32_c);
  auto changed = [&](std::string const& from, std::string const& to) {
    std::string s = good;
    s.replace(s.find(from), from.size(), to);
    put_text(f / "x.npy", s);
    return error_in<array<float, "n"_n, 3>>(f / "x.npy");
  };
  CHECK(changed("(2, 3), }   ", "(3, 3), }   ") == 121);
  CHECK(changed("(2, 3), }            ", "(99999999999, 3), }  ") == 121);
  CHECK(changed("(2, 3), }                  ", "(99999999999999999999, 3)} ") == 121);
  CHECK(changed("(2, 3)", "(-2,3)") == 121);
  // an empty array, whose other sizes no number holds the product of
  std::string empty(npy_files::f32_c.substr(0, 128));
  empty.replace(empty.find("(2, 3), }"), 48, "(4611686018427387904, 4611686018427387904, 0), }");
  put_text(f / "e.npy", empty);
  CHECK(error_in<array<float, "n"_n, "m"_n, "k"_n>>(f / "e.npy") == 121);
  CHECK(changed("(2, 3)", "(2, 3,") == 121);
  CHECK(changed("False", "Folse") == 121);
  CHECK(changed("'descr'", "'discr'") == 121);
  CHECK(changed("'shape': (2, 3), }", "'descr': '<f4',  }") == 121);
  CHECK(changed("NUMPY", "NUMPI") == 121);
  // every beginning of a file, and every letter changed: an error or an array, and never anything else
  for (std::size_t n = 0; n < good.size(); ++n) {
    put_text(f / "y.npy", std::string_view(good).substr(0, n));
    CHECK(error_in<array<float, 2, 3>>(f / "y.npy") == 121);
    for (char c : {'\0', '\'', '9', '\xff'}) {
      std::string s = good;
      s[n] = c;
      put_text(f / "z.npy", s);
      int e = error_in<array<float, 2, 3>>(f / "z.npy");
      CHECK((e == 0 || e == 121 || e == 124 || e == 125));
    }
  }
}
