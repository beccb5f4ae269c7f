// SPDX-License-Identifier: BSD-3-Clause
// expect: E061
#include <etna/etna.hpp>

using namespace etna;

template struct message::E061_point_argument<message::from<double[4]>, message::to<array<double, 3>>>;
