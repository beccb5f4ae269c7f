// SPDX-License-Identifier: BSD-3-Clause
// expect: E062
#include <etna/etna.hpp>

using namespace etna;

template struct message::E062_point_operation<message::operation<ops::sum_p>>;
