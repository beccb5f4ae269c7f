// SPDX-License-Identifier: BSD-3-Clause
// expect: E064
#include <etna/etna.hpp>

using namespace etna;

template struct message::E064_point_arguments<array<double, 3>>;
