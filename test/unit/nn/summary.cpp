// SPDX-License-Identifier: BSD-3-Clause
// summary: the table of a model's layers, and what a call computes.
#include "layers.hpp"

using namespace test;

namespace {

struct net {
  nn::dense<float, 784, 128> first;
  std::array<nn::dense<float, 128, 128, nn::no_bias>, 2> rest;
  array<bfloat16> temperature;
  nn::dropout<0.5> drop;
  nn::dense<float, 128, 10> head;
  constexpr auto operator()(array<float, 784> const& x) const {
    auto h = relu(first(x));
    for (auto const& l : rest) h = relu(l(h));
    return head(h) * astype<float>(temperature);
  }
};
static_assert(nn::parameter_count<net>() == 784 * 128 + 128 + 2 * 128 * 128 + 1 + 1290);

}  // namespace

TEST_CASE("a model as a table") {
  CHECK(nn::summary<net>() == R"(layer   parameters                           number     bytes
first   kernel f32[784,128], bias f32[128]  100,480  401.9 kB
rest.0  kernel f32[128,128]                  16,384   65.5 kB
rest.1  kernel f32[128,128]                  16,384   65.5 kB
        temperature bf16[]                        1       2 B
head    kernel f32[128,10], bias f32[10]      1,290    5.1 kB
all                                         134,539  538.1 kB
)");
  auto const all = nn::summary<net, array<float, 784>>();
  auto const call = all.substr(nn::summary<net>().size());
  CHECK(call.starts_with("a call: f32[784] -> f32[10], 269,"));
  CHECK(call.ends_with(" of temporaries\n"));
}
