// SPDX-License-Identifier: BSD-3-Clause
// Rows: softmax, layer norm and its gradient on 8192x1024; the gradient of a log-sum-exp of 2^24.
#include <etna/nn/norm.hpp>

#include "job.hpp"

namespace {

using namespace bench;
using rows = array<float, 8192, 1024>;
using line = array<float, 1 << 24>;

constexpr auto soft = jit([](rows x) { return softmax(x); });
constexpr auto norm = jit([](rows x) { return layer_norm(x); });
constexpr auto norm_grad = jit(grad([](rows x) {
  auto y = layer_norm(x);
  return sum(y * y * y);
}));
constexpr auto lse_grad = jit(grad([](line x) { return logsumexp(x); }));

entry const a1("etna", "softmax", [] { return of(soft, 1, filled<rows>(10, 8)); });
entry const a2("etna", "layer_norm", [] { return of(norm, 1, filled<rows>(10, 8)); });
entry const a3("etna", "layer_norm_grad", [] { return of(norm_grad, 1, filled<rows>(10, 8)); });
entry const a4("etna", "lse_grad", [] { return of(lse_grad, 1, filled<line>(11, 8)); });

}  // namespace
