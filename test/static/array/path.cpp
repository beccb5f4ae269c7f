// SPDX-License-Identifier: BSD-3-Clause
// Paths are constants: names as the compiler spells fields, numbers of elements, a list of one's own; patterns.
#include <etna/language.hpp>

using namespace etna;

namespace {

using vec = array<float, 3>;
template <class T> struct layer {
  array<T, 2, 3> kernel;
  array<T, 3> bias;
};
struct without {};
struct renamed {
  static constexpr auto names = tree::names("weight", "if");
  vec w, b;
};
struct net {
  layer<float> first_1;
  std::array<layer<double>, 12> blocks;
  without drop;
  std::tuple<vec, renamed> rest;
  double rate;
};

constexpr auto all = tree::paths<net>();
static_assert(all.size() == 2 + 24 + 3 + 1);
static_assert(all[0] == "first_1.kernel" && all[1] == "first_1.bias" && all[2] == "blocks.0.kernel" &&
              all[25] == "blocks.11.bias" && all[26] == "rest.0" && all[27] == "rest.1.weight" &&
              all[28] == "rest.1.if" && all[29] == "rate");
static_assert(tree::paths<vec>()[0].empty() && tree::paths<without>().empty());
// Of a tree whose leaves have changed, and of a batch of structs, the names are the struct's.
static_assert(tree::paths<like<renamed, vec, like<layer<float>, vec, double>>>()[2] == "if.bias");

using some = tree::path<net, 25>;
static_assert(std::is_same_v<some::leaf, array<double, 3>> && some{} == "blocks.11.bias" &&
              some::starts_with("blocks") && some::ends_with(".bias") && !some::ends_with("kernel"));
static_assert(std::is_same_v<tree::path<net, 28>::leaf, vec> && std::is_same_v<tree::path<net, 29>::leaf, double>);
static_assert(some::matches("*") && some::matches("blocks.*") && some::matches("*.bias") &&
              some::matches("blocks.*.bias") && some::matches("b*1*bi*") && some::matches("blocks.11.bias*"));
static_assert(!some::matches("blocks") && !some::matches("*.kernel") && !some::matches("") &&
              !some::matches("*bias.") && !some::matches("blocks.*.*.bias"));

}  // namespace
