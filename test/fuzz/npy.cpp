// SPDX-License-Identifier: BSD-3-Clause
// Fuzzes the .npy reader for several shapes and element types.
#include <etna/language.hpp>

#include <etna/interop/npy.hpp>

#include "fuzz.hpp"
#include "unit/interop/npy.inc.hpp"

std::vector<std::string> fuzz::seeds() {
  std::vector<std::string> r;
  for (auto s : {npy_files::f32_c, npy_files::f64_fortran, npy_files::i64_scalar, npy_files::bool_row,
                 npy_files::u8_empty, npy_files::f32_big, npy_files::c64, npy_files::record})
    r.emplace_back(s);
  std::string second = r[0];  // version 2: four bytes for the header's length
  second[6] = '\2';
  second.insert(10, 2, '\0');
  r.push_back(second);
  std::string empty = r[1];  // sizes whose product no number holds, and none of whose elements is there
  empty.replace(empty.find("(2, 3, 4), }") + 1, 47, "4611686018427387904, 4611686018427387904, 0), }");
  r.push_back(empty.substr(0, 128));
  return r;
}

std::size_t fuzz::most(std::size_t n) { return (1 << 16) + 2 * n; }

namespace {
template <class A> void one(std::filesystem::path const& path) {
  try {
    auto a = etna::load_npy<A>(path);
    typename A::value_type last{};
    for (etna::extent i = 0; i < a.size(); ++i) last = a.data()[i];
    (void)last;
  } catch (etna::error const&) {}
}
}  // namespace

void fuzz::read(std::filesystem::path const& path) {
  using namespace etna;
  one<array<float, "n"_n, 3>>(path);
  one<array<double, "n"_n, "m"_n, "k"_n>>(path);
  one<array<std::int64_t>>(path);
  one<array<bool, "n"_n>>(path);
  one<array<std::uint8_t, "n"_n, "m"_n>>(path);
}
