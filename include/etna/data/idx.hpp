// SPDX-License-Identifier: BSD-3-Clause
// IDX, the file format of MNIST: a magic number, big-endian sizes, then the elements row by row.
// Every length that a header claims is checked against the file before memory is taken for it.
// Read next: mnist.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <array>
#include <cstdint>
#include <new>
#include <vector>

#include "source.hpp"

namespace etna::data {

/// What an IDX file of unsigned bytes holds: its sizes and its elements in row-major order.
template <int Rank> struct idx {
  std::array<std::int64_t, std::size_t(Rank)> shape{};
  std::vector<std::uint8_t> elements;
};

namespace detail {

inline std::uint32_t big_endian(unsigned char const* b) {
  return std::uint32_t(b[0]) << 24 | std::uint32_t(b[1]) << 16 | std::uint32_t(b[2]) << 8 | b[3];
}
inline std::uint32_t read_number(source& from) {
  unsigned char b[4];
  if (from.read(b, 4) != 4) message::raise<102>(from.name());
  return big_endian(b);
}
inline std::string hexadecimal(std::uint32_t x) {
  char text[11];
  std::snprintf(text, sizeof text, "0x%08x", unsigned(x));
  return text;
}

inline void check_magic(source const& from, std::uint32_t found, int rank) {
  std::uint32_t const type = found >> 8, wanted = 0x800u + std::uint32_t(rank);
  if (found == wanted) return;
  bool const other_type = type == 9 || (type >= 11 && type <= 14);
  if (other_type && (found & 255) == std::uint32_t(rank)) message::raise<105>(from.name());
  message::raise<103>(from.name() + " begins with " + hexadecimal(found) + ", not " + hexadecimal(wanted));
}

// Grows by doubling, as the bytes come: a header may claim what its file does not have.
inline std::vector<std::uint8_t> read_elements(source& from, std::uintmax_t count) {
  std::vector<std::uint8_t> all;
  std::uintmax_t piece = std::min<std::uintmax_t>(count, 1 << 20);
  while (all.size() < count) {
    std::size_t const before = all.size();
    all.resize(before + std::size_t(piece));
    if (from.read(all.data() + before, std::size_t(piece)) != piece) message::raise<102>(from.name());
    piece = std::min<std::uintmax_t>(count - all.size(), all.size());
  }
  return all;
}

}  // namespace detail

/// Read an IDX file of unsigned bytes with Rank axes, gzip or plain: 1 for labels, 3 for images.
///
/// shape   as its header says
/// cost    one pass; at no time more memory than twice what has been read
/// errors  E101 missing, E128 not readable, E102 shorter than its header says, E103 another magic number,
///         E105 elements that are not unsigned bytes, E106 longer, E107 too little memory,
///         E108 damaged gzip
/// source  the format: LeCun, Cortes and Burges, "The MNIST database", section FILE FORMATS
/// example test/unit/data/idx.cpp  [reads what was written]
template <int Rank> idx<Rank> read_idx(std::filesystem::path const& path) try {
  static_assert(Rank >= 1 && Rank <= 255);
  source from(path);
  detail::check_magic(from, detail::read_number(from), Rank);
  idx<Rank> r;
  for (auto& size : r.shape) size = detail::read_number(from);
  std::uintmax_t count = 1;
  for (auto size : r.shape)
    if (size == 0) count = 0;
  for (auto size : r.shape) {
    if (count > from.most_left() / std::uintmax_t(std::max<std::int64_t>(size, 1))) message::raise<102>(from.name());
    count *= std::uintmax_t(size);
  }
  r.elements = detail::read_elements(from, count);
  unsigned char more;
  if (from.read(&more, 1) != 0) message::raise<106>(path.string());
  return r;
} catch (std::bad_alloc const&) { message::raise<107>(path.string()); }

}  // namespace etna::data

#include <etna/set_back.hpp>
