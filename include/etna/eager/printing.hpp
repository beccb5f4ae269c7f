// SPDX-License-Identifier: BSD-3-Clause
// What a print does when a program reaches it, where something is printed at all: debug/printout.hpp writes the lines.
#pragma once
#include <atomic>

#include <etna/ops/effect.hpp>

namespace etna {
namespace eager {
/// Set by a program that prints, so that others do not carry the text of arrays.
inline std::atomic<void (*)(ops::call const&)> write_lines{nullptr};
}  // namespace eager

inline void ops::print_p::reference(call const& c) {
  if (auto write = eager::write_lines.load(std::memory_order_acquire)) write(c);
}

}  // namespace etna
