// SPDX-License-Identifier: BSD-3-Clause
// summary: the table of a model's layers, and what a call computes.
#include <sstream>
#include <vector>

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
}

namespace {

/// Of a row of the table the numbers behind its parameters.
std::array<std::string, 2> last_two(std::string const& table, std::string const& row) {
  std::size_t at = table.find("\n" + row + " ") + 1, end = table.find('\n', at);
  std::vector<std::string> words;
  std::istringstream in(table.substr(at, end - at));
  for (std::string w; in >> w;) words.push_back(w);
  std::string flops = words[words.size() - 3];
  std::erase(flops, ',');
  return {flops, words[words.size() - 2] + " " + words.back()};
}
long flops_of(std::string const& table, std::string const& row) { return std::stol(last_two(table, row)[0]); }
struct wide_block {
  nn::layer_norm<float, 8> norm;
  nn::dense<float, 8, 32> up;
  nn::dense<float, 32, 8> down;
  constexpr auto operator()(auto const& x) const { return x + down(relu(up(norm(x)))); }
};
struct deep {
  nn::dense<float, 4, 8> first;
  nn::stacked<wide_block, 5> blocks;
  nn::dense<float, 8, 2> last;
  constexpr auto operator()(auto const& x) const { return last(blocks(first(x))); }
};
struct unrolled {
  nn::dense<float, 4, 8> first;
  std::array<wide_block, 5> blocks;
  nn::dense<float, 8, 2> last;
  constexpr auto operator()(auto const& x) const {
    auto h = first(x);
    for (auto const& b : blocks) h = b(h);
    return last(h);
  }
};

}  // namespace

TEST_CASE("what a call computes, by layer") {
  auto const table = nn::summary<net, array<float, 784>>();
  // a product is 2 FLOPs a weight, a bias 1 and a relu 2 an element
  CHECK(flops_of(table, "first") == 2 * 784 * 128 + 3 * 128);
  CHECK(flops_of(table, "rest.0") == 2 * 128 * 128 + 2 * 128);
  CHECK(last_two(table, "first")[1] == "512 B");
  CHECK(flops_of(table, "all") ==
        flops_of(table, "first") + flops_of(table, "rest.0") + flops_of(table, "rest.1") + flops_of(table, "head"));
  CHECK(table.ends_with(" of temporaries\n"));
  CHECK(table.find("a call: f32[784] -> f32[10], ") != table.npos);
}
TEST_CASE("equal blocks in a scan count as often as they run") {
  auto const scanned = nn::summary<deep, array<float, 16, 4>>(),
             written_out = nn::summary<unrolled, array<float, 16, 4>>();
  long up = 0;
  for (char i = '0'; i < '5'; ++i) up += flops_of(written_out, std::string("blocks.") + i + ".up");
  CHECK(up == 5 * 16 * (2 * 8 * 32 + 3 * 32));
  CHECK(flops_of(scanned, "blocks.up") == up);
  CHECK(flops_of(scanned, "last") == flops_of(written_out, "last"));
  CHECK(flops_of(scanned, "all") == flops_of(written_out, "all"));
}
TEST_CASE("a batch of any size is counted by its name") {
  auto const table = nn::summary<deep, array<float, "batch"_n, 4>>();
  CHECK(table.find("*batch") != table.npos);
}
