// SPDX-License-Identifier: BSD-3-Clause
// expect: E174
// remedy: write none for the other
#include <etna/etna.hpp>

#include <etna/dist/spec.hpp>

using namespace etna;

using four = dist::mesh<dist::axis("data"_n, 4)>;
using part = dist::local_of<array<float, 16, 16>, four, dist::spec<"data"_n, "data"_n>>;
