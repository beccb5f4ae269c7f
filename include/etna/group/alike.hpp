// SPDX-License-Identifier: BSD-3-Clause
// Do all processes come with the same? Asked before a collective, whose memory would be garbage where they do not.
// Read next: mesh.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include "process_group.hpp"

namespace etna::dist {

/// What a collective looks like, as a number (FNV-1a).
class sign {
 public:
  explicit sign(std::uint64_t begin) : value_(14695981039346656037ull ^ begin) {}
  void add(std::uint64_t x) { value_ = (value_ ^ x) * 1099511628211ull; }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_;
};
/// Do all processes of the group give the same number? One message of 16 bytes; they call it together.
inline bool is_alike(process_group& g, std::uint64_t number) {
  if (g.size() == 1) return true;
  static thread_local std::uint64_t most[2];  // never freed: a wait that throws leaves the collective under way
  most[0] = number;
  most[1] = ~number;
  g.wait(g.all_reduce(most, most, 2, dtype::u64, reduction::max));
  return most[0] == number && most[1] == ~number;
}

}  // namespace etna::dist

#include <etna/set_back.hpp>
