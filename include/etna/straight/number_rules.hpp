// SPDX-License-Identifier: BSD-3-Clause
// The words of rewrite/ that equations of single numbers are written with. Read next: scalarize.hpp.
#pragma once
#include <etna/rewrite/gates.hpp>

namespace etna::straight {

using ops::code;
using rewrite::fold;
using rewrite::fold_whole;
using rewrite::identity;
using rewrite::is_open;
using rewrite::mark_of;
using rewrite::nothing;
using rewrite::term;
using rewrite::writer;
using tracing::graph;
using tracing::node_info;

}  // namespace etna::straight
