// SPDX-License-Identifier: BSD-3-Clause
// The memory of a large training step, which is a constant of its plan. It is run by bench/full_size.
#include <etna/etna.hpp>
#include <etna/exec/fit.hpp>

#include "full_size.hpp"

namespace {

using namespace test::full_size;

constexpr extent parameters = [] {
  extent n = 0;
  net p;
  tree::for_each([&](auto const& a) { n += a.size(); }, p);
  return n;
}();
static_assert(parameters == 378'526'058);
// Weights and both moments are updated in place; beside them lie what each layer gave, two cotangents, and few layers'
// gradients.
constexpr extent activation = 4 * extent(examples) * width, hidden = 90, weights = 4 * width * width;
constexpr extent resident = 3 * 4 * parameters + 4 * extent(examples) * (inputs + outputs);
using plain = plan_type<decltype(step<false>)>;
static_assert(plain::donated_bytes >= 3 * 4 * parameters);
static_assert(plain::peak_bytes > resident + hidden * activation &&
              plain::peak_bytes < resident + (hidden + 2) * activation + 4 * weights);
static_assert(plain::peak_bytes < extent(9.2 * (1 << 30)));
// With recomputation: what nine groups begin with, what the layers of one give, and its gradients.
using again = plan_type<decltype(step<true>)>;
static_assert(again::peak_bytes < resident + (9 + 10 + 5) * activation + 12 * weights &&
              again::peak_bytes < extent(6.0 * (1 << 30)));
static_assert(again::flops > plain::flops * 5 / 4 && again::flops < plain::flops * 4 / 3);
// The same without a word in the model. (Plans do not depend on the compiler, and clang takes most of a minute for it.)
#if !defined(__clang__)
constexpr auto step_in_six = fit<6 * GiB>(step<false>);
using in_six = plan_type<decltype(step_in_six)>;
static_assert(in_six::peak_bytes <= 6 * GiB && in_six::flops < plain::flops * 5 / 4);
#endif

}  // namespace
