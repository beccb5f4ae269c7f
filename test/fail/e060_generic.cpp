// SPDX-License-Identifier: BSD-3-Clause
// expect: E060
#include <etna/etna.hpp>

using namespace etna;

template struct message::E060_point_named_extent<array<double, "n"_n>>;
