// SPDX-License-Identifier: BSD-3-Clause
// expect: E063
#include <etna/etna.hpp>

using namespace etna;

template struct message::E063_point_too_long<array<double, 200, 200>>;
