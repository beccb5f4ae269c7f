// SPDX-License-Identifier: BSD-3-Clause
// The kernels of the README's training step and their times, as JSON for draw.py; `roofline table` prints the table.
#include <cstring>
#include <iostream>

#include <etna/exec/explain.hpp>

#include "mlp.hpp"

int main(int argc, char** argv) {
  auto e = etna::explain(test::step<float>, test::start<float>(), test::images<float>(0), test::labels(0));
  std::cout << (argc > 1 && !std::strcmp(argv[1], "table") ? e.text() : e.json());
}
