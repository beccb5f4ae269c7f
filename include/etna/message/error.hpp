// SPDX-License-Identifier: BSD-3-Clause
// The one exception that etna throws: a catalogue number and a sentence that ends in a remedy.
// Compile-time errors are in catalogue.hpp, the sentences of run-time ones in runtime.hpp.
#pragma once
#include <stdexcept>
#include <string>

namespace etna {

/// An error found while the program runs.
///
/// number  the catalogue number; the text begins with it ("E101: ...")
struct error : std::runtime_error {
  int number;
  error(int number, std::string const& what) : std::runtime_error(what), number(number) {}
};

}  // namespace etna
