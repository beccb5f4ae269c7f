// SPDX-License-Identifier: BSD-3-Clause
// What a print does when a program reaches it: a line for each example, to standard output or where the user says.
#pragma once
#include <atomic>
#include <string_view>

#include <etna/array/print.hpp>
#include <etna/ops/effect.hpp>

namespace etna {
namespace debug {

/// Takes the lines of print, without their end.
using sink = void (*)(std::string_view line);
inline void standard_output(std::string_view line) {
  std::fwrite(line.data(), 1, line.size(), stdout);
  std::fputc('\n', stdout);
  std::fflush(stdout);
}
inline std::atomic<sink> lines_go_to{&standard_output};
/// From now on lines of print go to `to` (null: standard output); where they went before.
inline sink set_sink(sink to) { return lines_go_to.exchange(to ? to : &standard_output); }

}  // namespace debug

namespace ops {

inline void print_p::reference(call const& c) {
  int axes = int(c.attr[0]), letters = int(c.attr[1]);
  extent lines = 1;
  for (int i = 0; i < axes; ++i) lines *= c.in_type[0].e[i];
  for (extent line = 0; line < lines; ++line) {
    std::string text;
    int next = 0;
    for (int i = 0; i < letters; ++i) {
      char x = letter(c.attr, i);
      text += x;
      if (x != '{' && x != '}') continue;
      char y = letter(c.attr, ++i);
      if (x == y) continue;  // {{ and }}
      text.pop_back();
      tensor_type one = c.in_type[next];
      for (int k = 0; k < axes; ++k) one = one.drop(0);
      auto const* data = static_cast<char const*>(c.in[next++]);
      text += to_string(one, data + line * one.size() * bytes_of(one.d));
    }
    debug::lines_go_to.load()(text);
  }
}

}  // namespace ops
}  // namespace etna
