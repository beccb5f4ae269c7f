// SPDX-License-Identifier: BSD-3-Clause
// A chain of elementwise functions on 2^24 numbers, and its gradient; by hand with xsimd.
#include <xsimd/xsimd.hpp>

#include "job.hpp"

namespace {

using namespace bench;
constexpr int n = 1 << 24;
using numbers_type = array<float, n>;

constexpr auto function = [](numbers_type const& a) { return exp(-a * a) * sin(a) + tanh(a / 2); };
constexpr auto chain = jit(function);
constexpr auto chain_grad = jit(grad([](numbers_type a) { return sum(function(a)); }));

entry const a1("etna", "chain", [] { return of(chain, 1, ramp<numbers_type>()); });
entry const a2("etna", "chain_grad", [] { return of(chain_grad, 1, ramp<numbers_type>()); });

using lanes = xsimd::batch<float>;
// the result is new memory at each call, as that of the others is
template <class F> job loop(F f) {
  auto x = std::make_shared<numbers_type>(ramp<numbers_type>());
  auto run = [x, f] {
    float const* in = x->data();
    return numbers_type::build([&](float* out) {
      for (std::size_t i = 0; i < std::size_t(n); i += lanes::size)
        f(lanes::load_unaligned(in + i)).store_unaligned(out + i);
    });
  };
  return {[run] { use_all(run()); }, [run] { return numbers(run()); }, 1};
}
entry const c1("cpp", "chain",
               [] { return loop([](lanes a) { return xsimd::exp(-a * a) * xsimd::sin(a) + xsimd::tanh(a * 0.5f); }); });
entry const c2("cpp", "chain_grad", [] {
  return loop([](lanes a) {
    lanes e = xsimd::exp(-a * a), t = xsimd::tanh(a * 0.5f);
    auto [s, c] = xsimd::sincos(a);
    return e * (c - 2.0f * a * s) + 0.5f * (1.0f - t * t);
  });
});

}  // namespace
