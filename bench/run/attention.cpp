// SPDX-License-Identifier: BSD-3-Clause
// Attention of 8 heads of 64, 1,024 tokens, and its gradient; causal, of 4,096 tokens and one head.
#include <etna/nn/attention.hpp>

#include "job.hpp"

namespace {

using namespace bench;
using heads = array<float, 8, 1024, 1, 64>;
using one = array<float, 1, 4096, 1, 64>;

constexpr auto loss = [](auto const&... x) { return sum(square(dot_product_attention(x...))); };
constexpr auto loss_back = [](auto const&... x) { return sum(square(dot_product_attention(x..., causal))); };
constexpr auto attend = jit([](heads q, heads k, heads v) { return dot_product_attention(q, k, v); });
constexpr auto gradient = jit([](heads q, heads k, heads v) { return grad<0, 1, 2>(loss)(q, k, v); });
constexpr auto causal_gradient = jit([](one q, one k, one v) { return grad<0, 1, 2>(loss_back)(q, k, v); });

template <class A, class F> job of_three(F f) { return of(f, 1, filled<A>(20, 4), filled<A>(21, 4), filled<A>(22, 2)); }
entry const a1("etna", "attention", [] { return of_three<heads>(attend); });
entry const a2("etna", "attention_grad", [] { return of_three<heads>(gradient); });
entry const a3("etna", "attention_causal_grad", [] { return of_three<one>(causal_gradient); });

}  // namespace
