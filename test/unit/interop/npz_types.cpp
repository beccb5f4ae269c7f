// SPDX-License-Identifier: BSD-3-Clause
// Files of all element types: those that NumPy and safetensors wrote are read; those that are written are theirs, or
// were read by them (test/data/files.py).
#include <doctest/doctest.h>

#include <cstring>

#include <etna/etna.hpp>
#include <etna/interop/npz.hpp>

#include "data/files.inc.hpp"
#include "numbers.hpp"
#include "unit/data/file.hpp"

using namespace etna;
using namespace test_data;

namespace {

template <class> struct all_of;
template <std::size_t... N> struct all_of<std::index_sequence<N...>> {
  using type = std::tuple<array<element_of<dtype(N)>, 2, 3>...>;
};
/// An array of each type, which files call 0, 1 ... or arr_0, arr_1 ...
using each_type = all_of<std::make_index_sequence<std::size_t(dtype_count)>>::type;

void put_text(fs::path const& path, std::string_view s) { put(path, bytes(s.begin(), s.end())); }
std::string text_of(fs::path const& path) {
  auto const b = get(path);
  return {b.begin(), b.end()};
}
std::uint64_t hash_of(fs::path const& path) {
  auto const b = get(path);
  return test::fnv(b.data(), b.size());
}
/// The elements' bytes, which are the last of NumPy's file.
template <class A> bool is_that_of(A const& x, std::string_view file) {
  std::size_t const n = std::size_t(x.size()) * sizeof(*x.data());
  return file.size() > n && std::memcmp(x.data(), file.data() + file.size() - n, n) == 0;
}
template <class F> void for_each_array(each_type& t, F f) {
  int n = 0;
  std::apply([&](auto&... x) { (f(x, reference::npy[n++]), ...); }, t);
}
void check(each_type& t) {
  for_each_array(t, [](auto& x, std::string_view file) {
    using T = std::remove_cvref_t<decltype(*x.data())>;
    CAPTURE(row_of(dtype_of<T>).name);
    CHECK(is_that_of(x, file));
    CHECK(x(0, 0) == std::numeric_limits<T>::lowest());
    CHECK(x(0, 1) == std::numeric_limits<T>::max());
  });
}

}  // namespace

TEST_CASE(".npy files of all element types are read, and written as NumPy writes them") {
  folder f;
  REQUIRE(std::size(reference::npy) == std::size_t(dtype_count));
  each_type t;
  for_each_array(t, [&]<class A>(A& x, std::string_view file) {
    put_text(f / "x.npy", file);
    x = load_npy<A>(f / "x.npy");
    save_npy(f / "y.npy", x);
    CHECK(text_of(f / "y.npy") == file);
  });
  check(t);
}
TEST_CASE("bfloat16 is also what has 2 bytes and no type, in both orders, and nothing else is") {
  folder f;
  using brain = array<bfloat16, 2, 3>;
  put_text(f / "x.npy", reference::npy_of_bytes);
  CHECK(is_that_of(load_npy<brain>(f / "x.npy"), reference::npy_of_bytes));
  CHECK(error_of([&] { (void)load_npy<array<float16, 2, 3>>(f / "x.npy"); }) == 125);
  put_text(f / "y.npy", reference::npy_by_columns);
  CHECK(is_that_of(load_npy<brain>(f / "y.npy"), reference::npy_of_bytes));
  put_text(f / "z.npy", reference::npy_of_four);
  CHECK(error_of([&] { (void)load_npy<array<bfloat16, 3>>(f / "z.npy"); }) == 124);
}
TEST_CASE("safetensors of all element types are read, and those written were read by its package") {
  folder f;
  put_text(f / "x", reference::safetensors);
  each_type t;
  CHECK(data::load(t, f / "x").at("made") == "here");
  check(t);
  data::save(t, f / "y");
  CHECK(hash_of(f / "y") == reference::ours_safetensors);
  if (char const* keep = std::getenv("ETNA_KEEP_FILES")) data::save(t, fs::path(keep) / "ours.safetensors");
}
#if ETNA_READS_NPZ
TEST_CASE("archives of all element types are read, and those written were read by NumPy") {
  folder f;
  put_text(f / "x.npz", reference::npz);
  each_type t = load_npz<each_type>(f / "x.npz");
  check(t);
  save_npz(f / "y.npz", t);
  CHECK(hash_of(f / "y.npz") == reference::ours_npz);
  if (char const* keep = std::getenv("ETNA_KEEP_FILES")) save_npz(fs::path(keep) / "ours.npz", t);
}
#endif
