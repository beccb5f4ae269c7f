// SPDX-License-Identifier: BSD-3-Clause
// A user's program with a user's own flags (cmake/guest_test.cmake): not optimised, for this machine, with g++'s
// sanitizers, warnings as errors, and headers in front of etna's that define macros as they please. A kernel of each
// kind is compared with the same function outside of jit.
#include "hostile.hpp"
//
#include <cstdint>
#include <cstdio>
#include <etna/etna.hpp>
#include <tuple>

#include "hostile_after.hpp"

namespace {

using etna::array, etna::range, etna::every;

int failures = 0;

/// Compiled, and operation by operation.
template <class F, class... X> void same(char const* what, F const& f, X const&... x) {
  auto const pairs = etna::tree::map([](auto const& a, auto const& b) { return etna::allclose(a, b, 1e-4, 1e-4); },
                                     etna::jit(f)(x...), f(x...));
  if (std::apply([](auto const&... ok) { return (bool(ok) && ...); }, pairs)) return;
  ++failures;
  std::printf("%s: jit gives other numbers\n", what);
}

constexpr auto reductions = [](auto const& x) {
  return std::tuple{sum(x),
                    etna::sum<0>(x),
                    etna::sum<1>(x),
                    max(x),
                    etna::min<1>(x),
                    etna::prod<1>(x),
                    etna::argmax<1>(x),
                    argmin(x),
                    count_nonzero(x > 0),
                    any(x > 1),
                    etna::all<1>(x > -9)};
};
constexpr auto real_reductions = [](auto const& x) {
  return std::tuple{softmax(x), logsumexp(x), etna::mean<0>(x), standardize(x), etna::cumsum<1>(x), etna::cummax<0>(x)};
};
constexpr auto moving = [](auto const& x) {
  auto const left = etna::slice<every, range{0, 36}>(x), right = etna::slice<every, range{1, 37}>(x);
  return std::tuple{
      transpose(x) * 2,     left + right - left * right,    etna::slice<every, range{0, 37, 3}>(x) + 1,
      etna::flip<1>(x) - x, etna::roll<3, 1>(x) * x,        etna::sort<1>(x),
      etna::argsort<0>(x),  etna::concatenate<1>(x, x * x), etna::take<1>(x, array<int, 4>{3, 1, 36, 0}) * 3};
};
constexpr auto products = [](auto const& a, auto const& b) {
  return std::tuple{etna::matmul(a, b), etna::matmul(transpose(a), b), etna::matmul(a, transpose(b)),
                    etna::dot(a, etna::sum<0>(b)), sum(a * b)};
};
constexpr auto converted = [](auto const& x) {
  return std::tuple{astype<std::int32_t>(x * 9), astype<std::uint8_t>(abs(x) * 9), astype<double>(x) + 1,
                    astype<float>(astype<std::int64_t>(x * 9)), where(x > 0, x, -x)};
};
constexpr auto loops = [](auto const& x) {
  auto const [last, all] = etna::scan(
      [](auto const& h, auto const& now) {
        auto const next = tanh(h * 0.5f + now);
        return std::pair{next, sum(next)};
      },
      etna::zeros<float, 37>(), x);
  auto const halved =
      etna::while_loop([](auto const& v) { return max(v) > 1; }, [](auto const& v) { return v / 2; }, x);
  return std::tuple{last, all, halved};
};
constexpr auto loss = [](auto const& w, auto const& x) { return mean(square(tanh(etna::matmul(x, w)) - 0.1f)); };
constexpr auto gradients = [](auto const& w, auto const& x) { return std::tuple{etna::grad(loss)(w, x)}; };
constexpr auto draws = [](etna::random::prng_key const& key) {
  return std::tuple{etna::random::normal<float, 301>(key), etna::random::uniform<double, 301>(key),
                    etna::random::randint<int, 301>(key, -5, 90)};
};

}  // namespace

int main() {
  auto const keys = etna::random::split<5>(etna::random::key(7));
  auto const x = etna::random::normal<float, 5, 37>(keys[0]);
  auto const a = etna::random::normal<float, 45, 45>(keys[1]), b = etna::random::normal<float, 45, 45>(keys[2]);
  same("reductions", reductions, x);
  same("reductions of double", reductions, astype<double>(x));
  same("reductions of int", reductions, astype<std::int32_t>(x * 3));
  same("sums over rows", real_reductions, x);
  same("moving", moving, x);
  same("converted", converted, x);
  same("products", products, a, b);
  same("loops", loops, x);
  same("gradients", gradients, etna::random::normal<float, 37, 21>(keys[3]), x);
  same("draws", draws, keys[4]);
  return failures ? 1 : 0;
}
