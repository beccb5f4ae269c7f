// SPDX-License-Identifier: BSD-3-Clause
// The jobs that a program of xtensor's has: elementwise, reductions, broadcasting. xtensor's entries are compiled with
// xsimd, evaluate reductions that are used again, and write into results that are there, which is its fastest way.
// etna's entries of the jobs that only this file has take xtensor's objects as they are.
#include <etna/interop/xtensor.hpp>
#include <xtensor/core/xmath.hpp>
#include <xtensor/core/xnoalias.hpp>

#include "job.hpp"

#if !defined(XTENSOR_USE_XSIMD)
#error "xtensor is measured with xsimd: compile this file with -DXTENSOR_USE_XSIMD"
#endif

namespace {

using namespace bench;
using table = xt::xtensor<float, 2>;
using line = xt::xtensor<float, 1>;
auto const at_once = xt::keep_dims | xt::evaluation_strategy::immediate;

/// The array as a container of xtensor's.
template <class A> auto container(A const& x) {
  xt::xtensor<float, std::size_t(A::rank)> r = to_xtensor(x);
  return r;
}
template <class... A> auto containers(A const&... a) { return std::tuple{container(a)...}; }

/// The job of a function that writes its result into memory that is there.
template <class R, class F, class... X> job into(R result, F f, int inner, std::tuple<X...> x) {
  auto all = std::make_shared<std::pair<R, std::tuple<X...>>>(std::move(result), std::move(x));
  auto run = [f, all] {
    std::apply([&](auto const&... in) { f(all->first, in...); }, all->second);
    use(all->first.data());
  };
  return {run,
          [run, all] {
            run();
            std::pair<double, double> s{0, 0};
            add_numbers(s, all->first.data(), all->first.size());
            return s;
          },
          inner};
}
line as_long(std::size_t n) { return line::from_shape({n}); }
table as_large(std::size_t n, std::size_t m) { return table::from_shape({n, m}); }

using numbers_type = array<float, 1 << 24>;
using rows = array<float, 8192, 1024>;
using row = array<float, 1024>;
using few = array<float, 32, 32>;
using few_row = array<float, 32>;

entry const x1("xtensor", "chain", [] {
  auto f = [](line& y, line const& a) { xt::noalias(y) = xt::exp(-a * a) * xt::sin(a) + xt::tanh(a * 0.5f); };
  return into(as_long(1 << 24), f, 1, containers(ramp<numbers_type>()));
});
entry const x2("xtensor", "softmax", [] {
  auto f = [](table& y, table const& x) {
    table const most = xt::amax(x, {1}, at_once);
    xt::noalias(y) = xt::exp(x - most);
    table const all = xt::sum(y, {1}, at_once);
    y /= all;
  };
  return into(as_large(8192, 1024), f, 1, containers(filled<rows>(10, 8)));
});
entry const x3("xtensor", "layer_norm", [] {
  auto f = [](table& y, table const& x) {
    table const mean = xt::mean(x, {1}, at_once);
    xt::noalias(y) = x - mean;
    table const scale = 1.0f / xt::sqrt(xt::mean(xt::square(y), {1}, at_once) + 1e-5f);
    y *= scale;
  };
  return into(as_large(8192, 1024), f, 1, containers(filled<rows>(10, 8)));
});
entry const x4("xtensor", "column_sums", [] {
  auto f = [](line& y, table const& x) { xt::noalias(y) = xt::sum(x, {0}, xt::evaluation_strategy::immediate); };
  return into(as_long(1024), f, 1, containers(filled<rows>(10, 2, 1)));
});
entry const x5("xtensor", "dot", [] {
  auto f = [](line& y, line const& a, line const& b) { y(0) = xt::sum(a * b, xt::evaluation_strategy::immediate)(); };
  using pair = array<float, 1 << 16>;
  return into(as_long(1), f, 10, containers(filled<pair>(16, 2, 1), filled<pair>(17, 2, 1)));
});

// Every row scaled and shifted: an expression of three arrays, two of which are repeated.
constexpr auto scaled = [](auto const& x, auto const& a, auto const& b) { return x * a + b; };
constexpr auto broadcast = jit([](rows const& x, row const& a, row const& b) { return scaled(x, a, b); });
constexpr auto broadcast_few = jit([](few const& x, few_row const& a, few_row const& b) { return scaled(x, a, b); });
entry const a1("etna", "broadcast", [] {
  return of(broadcast, 1, container(filled<rows>(10, 8)), container(filled<row>(12, 2)), container(filled<row>(13, 2)));
});
entry const a2("etna", "broadcast_few", [] {
  return of(broadcast_few, 1000, container(filled<few>(10, 8)), container(filled<few_row>(12, 2)),
            container(filled<few_row>(13, 2)));
});
constexpr auto scale_and_shift = [](table& y, table const& x, line const& a, line const& b) {
  xt::noalias(y) = scaled(x, a, b);
};
entry const x6("xtensor", "broadcast", [] {
  return into(as_large(8192, 1024), scale_and_shift, 1,
              containers(filled<rows>(10, 8), filled<row>(12, 2), filled<row>(13, 2)));
});
entry const x7("xtensor", "broadcast_few", [] {
  return into(as_large(32, 32), scale_and_shift, 1000,
              containers(filled<few>(10, 8), filled<few_row>(12, 2), filled<few_row>(13, 2)));
});

// Columns brought to mean 0 and deviation 1.
constexpr auto standard = jit([](rows const& x) {
  auto centred = x - mean<0>(x);
  return centred / sqrt(mean<0>(square(centred)));
});
entry const a3("etna", "standardize", [] { return of(standard, 1, container(filled<rows>(10, 8))); });
entry const x8("xtensor", "standardize", [] {
  auto f = [](table& y, table const& x) {
    line const mean = xt::mean(x, {0}, xt::evaluation_strategy::immediate);
    xt::noalias(y) = x - mean;
    line const deviation = xt::sqrt(xt::mean(xt::square(y), {0}, xt::evaluation_strategy::immediate));
    y /= deviation;
  };
  return into(as_large(8192, 1024), f, 1, containers(filled<rows>(10, 8)));
});

// The sum of squares of each row. (Of all rows in one, xtensor's f32 is off by a hundredth: it adds one by one.)
constexpr auto squares = jit([](rows const& x) { return sum<1>(x * x); });
entry const a4("etna", "row_squares", [] { return of(squares, 1, container(filled<rows>(10, 2, 1))); });
entry const x9("xtensor", "row_squares", [] {
  auto f = [](line& y, table const& x) {
    xt::noalias(y) = xt::sum(xt::square(x), {1}, xt::evaluation_strategy::immediate);
  };
  return into(as_long(8192), f, 1, containers(filled<rows>(10, 2, 1)));
});

}  // namespace
