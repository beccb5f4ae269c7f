// SPDX-License-Identifier: BSD-3-Clause
// What training costs: a row of a price table and a plan's own count of operations give time and money.
#pragma once
#include <etna/set_aside.hpp>

#include <string_view>

#include "plan_type.hpp"

namespace etna {

/// A row of a price table: an hour of a machine, and the operations a second that it reaches, measured
/// (data::meter::flops_per_second) or stated by who sells it.
struct machine_price {
  std::string_view name;
  double an_hour;
  double flops_per_second;
};
/// What an epoch takes on such a machine.
struct epoch_cost {
  double seconds, money, examples_an_hour;
};

/// The cost of an epoch: so many examples, each of whose steps has `batch` of them and does the operations that its
/// plan counts. The last step is a whole one.
///
/// Plan    plan_type<decltype(step)>, or what else has flops
/// errors  none: of a machine without operations it takes for ever
/// example test/unit/exec/price.cpp  [an epoch's time and money]
template <class Plan> requires requires { Plan::flops; }
constexpr epoch_cost cost_of_epoch(machine_price const& on, extent examples, extent batch) {
  extent const steps = (examples + batch - 1) / batch;
  double const seconds = double(steps) * double(Plan::flops) / on.flops_per_second;
  return {seconds, seconds / 3600 * on.an_hour, double(examples) / seconds * 3600};
}

}  // namespace etna

#include <etna/set_back.hpp>
