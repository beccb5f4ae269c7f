// SPDX-License-Identifier: BSD-3-Clause
// The kinds of steps that a plan has. Each is a row: a struct that answers what step_row.hpp asks of it, in a file of
// its own, which step_table.hpp collects.
#pragma once
#include <etna/ops/list.hpp>

namespace etna::planning {

struct kernel_step;
struct product_step;
struct scatter_step;
struct routine_step;
struct scan_step;
struct branch_step;
struct while_step;

using step_kinds =
    ops::type_list<kernel_step, product_step, scatter_step, routine_step, scan_step, branch_step, while_step>;

/// A kind's number is its place in the list.
enum class step_kind : int {};
template <class Row> inline constexpr step_kind kind_of = step_kind(ops::index_in<Row>(step_kinds{}));

}  // namespace etna::planning
