// SPDX-License-Identifier: BSD-3-Clause
// Rules of scans, branches and loops: derivatives against differences, vmap against a loop.
#include "rules.hpp"

using namespace test;
using namespace test::rules;

namespace {

using scalar = array<double>;
using vector = array<double, 3>;
using steps = array<double, 4, 3>;
using matrix = array<double, 3, 3>;

template <int Keep> struct recurrent {  // carry, slices and weights that are captured; results of both kinds
  template <class X> constexpr auto operator()(X const& in) const {
    auto const& h0 = std::get<0>(in);
    auto const& xs = std::get<1>(in);
    auto const& w = std::get<2>(in);
    auto step = [&](auto const& h, auto const& x) {
      auto next = tanh(dot(h, w) + x) + w_row(w) * h;
      return std::pair{next, next * x + sin(x) + h};
    };
    auto result = [&](auto const& r) { return sum<0>(r.second * r.second) + 2. * r.first; };
    if constexpr (Keep == 0) return result(scan(step, h0, xs));
    else if constexpr (Keep == 1) return result(scan(step, h0, xs, keep_none));
    else return result(scan(step, h0, xs, keep_every<2>));
  }
  template <class W> static constexpr auto w_row(W const& w) { return take<0>(w, array<int>(1)); }
};

// Carries of which some do not move, one counts, one is moved by another only; a slice that nothing reads; results that
// depend on the slice alone, on a captured value alone, and on nothing.
struct uneven {
  template <class X> constexpr auto operator()(X const& in) const {
    auto const& a = std::get<0>(in);
    auto const& xs = std::get<1>(in);
    auto step = [&](auto const& c, auto const& x) {
      auto const& [n, p, q, fixed] = c;
      auto count = astype<double>(n);
      return std::pair{std::tuple{n + 1, p * fixed + sum(x) * a, q + sin(p) * count, fixed * 0.5},
                       std::tuple{x * x * count, a * a, count, p * fixed, n}};
    };
    auto [last, ys] = scan(step, std::tuple{array<int>(2), scalar(0.7), a * 2., scalar(1.5)}, xs);
    auto [n, p, q, fixed] = last;
    auto [y0, y1, y2, y3, y4] = ys;
    auto weight = arange<double, 4>() + 1.;
    return sum<0>(y0 * expand_dims<1>(weight)) + p * p + q * 3. + fixed + sum(y1 * weight) + sum(y2) +
           sum(y3 * weight * weight) + astype<double>(n) + sum(astype<double>(y4));
  }
};
// what is captured stands in for both the start and the slices
struct captured_only {
  template <class X> constexpr auto operator()(X const& in) const {
    auto const& a = std::get<0>(in);
    auto const& b = std::get<1>(in);
    auto r = scan<3>([&](auto const& c) { return std::pair{c * b + sin(a), a * c}; }, a);
    return r.first + sum<0>(r.second * r.second);
  }
};
struct nested_scans {
  template <class X> constexpr auto operator()(X const& in) const {
    auto const& m = std::get<0>(in);
    auto const& c = std::get<1>(in);
    return scan(
               [&](auto const& s, auto const& row) {
                 auto inner = scan(
                     [&](auto const& t, auto const& x) {
                       return std::pair{t * c + sin(x * s), t * x};
                     },
                     s, row);
                 return std::pair{sin(inner.first), inner.second * c};
               },
               c, m)
        .second;
  }
};

// a branch chosen by a value that also moves; captured, given twice, and results that are whole numbers or constant
struct chosen {
  template <class X> constexpr auto operator()(X const& in) const {
    auto const& p = std::get<0>(in);
    auto const& x = std::get<1>(in);
    auto const& y = std::get<2>(in);
    auto n = astype<int>(p > 0.0) + astype<int>(p > 1.0);
    auto branches = std::tuple{[&](auto const& u, auto const& v) {
                                 return std::tuple{u * v * y, array<int>(3), x + v, scalar(0.25)};
                               },
                               [&](auto const& u, auto const&) {
                                 return std::tuple{sin(u) * u, array<int>(4), y * y * x, sum(u)};
                               },
                               [&](auto const& u, auto const& v) {
                                 return std::tuple{x * 3. + u * 0., array<int>(5), v / (u * u + 1.), y * y};
                               }};
    auto [a, k, b, c] = switch_(n, branches, x, x + y);
    return a * astype<double>(k) + 2. * b + c * c + p * a;
  }
};
struct again {
  template <class X> constexpr auto operator()(X const& in) const {
    auto const& x = std::get<0>(in);
    auto const& w = std::get<1>(in);
    auto f = checkpoint([&](auto const& z, auto const& unused) {
      return std::pair{tanh(dot(z, w)) * z, sin(z) + 0. * unused};
    });
    auto [a, b] = f(x * x, scalar(2.0));
    auto linear = checkpoint([&](auto const& z) { return x + 2. * z; });  // in what it captures, too
    // what is kept of products, and of a loop in it
    auto kept = checkpoint(
        [&](auto const& z) {
          auto y = checkpoint_name<"first">(sin(dot(z, w)) * 2.);
          auto [last, ys] = scan(
              [&](auto const& c, auto const& v) {
                return std::pair{sin(dot(c, w)) * v, sum(c * c) * v};
              },
              y, z);
          return dot(tanh(last), w) + ys * y;
        },
        keep_dots, keep_names<"other", "first">);
    return a * b + linear(b) + kept(x + b);
  }
};

// a loop of as many steps as its examples need, of which the first ends before others and after them; a number of steps
// beside it, and what it captures
struct root {
  template <class X> constexpr auto operator()(X const& in) const {
    auto const& a = std::get<0>(in);
    auto const& s = std::get<1>(in);
    auto last =
        while_loop([&](auto const& c) { return std::get<1>(c) < 1 + astype<int>(a > 1.2) + 2 * astype<int>(a < 0.0); },
                   [&](auto const& c) {
                     auto const& [x, n, kept] = c;
                     return std::tuple{x * s + sin(a) / (x * x + 1.), n + 1, kept * s};
                   },
                   std::tuple{scalar(1.0), array<int>(0), s});
    return std::get<0>(last) * std::get<0>(last) + 2. * std::get<2>(last) + astype<double>(std::get<1>(last));
  }
};
struct bounded_root {
  template <class X> constexpr auto operator()(X const& in) const {
    auto const& a = std::get<0>(in);
    auto const& s = std::get<1>(in);
    auto last = while_loop<5>([&](auto const& c) { return std::get<0>(c) < 2 + astype<int>(a > 1.2); },
                              [&](auto const& c) {
                                return std::pair{std::get<0>(c) + 1, std::get<1>(c) * s + sin(a)};
                              },
                              std::pair{array<int>(0), a * a});
    return std::get<1>(last);
  }
};

}  // namespace

TEST_CASE("rules: scan, whatever is kept") {
  auto h = some<vector>(1);
  auto xs = some<steps>(2);
  auto w = some<matrix>(3);
  check<both>("kept", recurrent<0>{}, h, xs, w);
  check<both>("computed again", recurrent<1>{}, h, xs, w);
  check<both>("kept every second", recurrent<2>{}, h, xs, w);
}
TEST_CASE("rules: scan with carries and results of all kinds") {
  check<both>("uneven", uneven{}, scalar(0.6), some<steps>(4));
  check<both>("captured only", captured_only{}, some<vector>(5), some<vector>(6));
  check<both>("nested", nested_scans{}, some<array<double, 2, 3>>(7), scalar(0.7));
}
TEST_CASE("rules: branch") {
  for (double p : {-0.7, 0.5, 1.6})
    check<both>("branch " + std::to_string(p), chosen{}, scalar(p), some<vector>(8), scalar(0.8));
  check<both>("one branch", again{}, some<vector>(9), some<matrix>(10));
}
TEST_CASE("rules: while") {
  check<forward_only>("while", root{}, scalar(0.8), scalar(0.7));
  check<forward_only>("while, longer", root{}, scalar(1.5), scalar(0.7));
  check<both>("while with a bound", bounded_root{}, scalar(0.8), scalar(0.7));
}
