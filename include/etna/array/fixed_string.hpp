// SPDX-License-Identifier: BSD-3-Clause
// Texts while compiling: strings as template arguments, and letters as words, eight a word. Read next:
// <etna/tracing/scope.hpp>.
#pragma once
#include <cstddef>
#include <cstdint>

namespace etna {

/// A string as a template argument; its last character is the 0 that ends it.
template <std::size_t N> struct fixed_string {
  char text[N]{};
  constexpr fixed_string(const char (&s)[N]) {
    for (std::size_t i = 0; i < N; ++i) text[i] = s[i];
  }
  static constexpr int size() { return int(N) - 1; }
};

namespace packed {

/// The words of so many letters.
constexpr int words(int letters) { return (letters + 7) / 8; }
/// Write letter i behind those before it.
constexpr void put(std::int64_t* w, int i, char c) {
  w[i / 8] = (i % 8 ? w[i / 8] : 0) | std::int64_t(std::uint64_t(static_cast<unsigned char>(c)) << (i % 8 * 8));
}
/// Letter i of the text whose words begin at w[at].
template <class Words> constexpr char letter(Words const& w, int at, int i) {
  return char(w[at + i / 8] >> (i % 8 * 8) & 255);
}

}  // namespace packed
}  // namespace etna
