// SPDX-License-Identifier: BSD-3-Clause
// expect: E178
// remedy: give that one
#include <etna/etna.hpp>

#include <etna/dist/save_sharded.hpp>

using namespace etna;

using of_data = dist::mesh<"data"_n>;
using of_model = dist::mesh<"model"_n>;
using weights = dist::sharded<array<float, 4>, of_model, dist::spec<"model"_n>>;
void save(of_data const& m, weights const& w) { dist::save_sharded(m, "folder", std::tuple{w}); }
