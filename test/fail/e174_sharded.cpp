// SPDX-License-Identifier: BSD-3-Clause
// expect: E174
// remedy: write one of its names, or none
#include <etna/etna.hpp>

#include <etna/dist/sharded.hpp>

using namespace etna;

using four = dist::mesh<dist::axis("data"_n, 4)>;
dist::sharded<array<float, 12, 3>, four, dist::spec<"batch"_n>> weights;
