// SPDX-License-Identifier: BSD-3-Clause
// A traced value that an inner lambda captures stays a variable, under vmap and under each other transform, in both
// lives.
#include "same.hpp"

using namespace test;

namespace {

using matrix = array<double, 3, 4>;
using scalar = array<double>;

// one derivative outside of the vmap, by what its lambda captures
struct outside {
  constexpr auto operator()(matrix const& x, scalar const& c) const {
    return grad<1>([](auto const& x, auto const& c) {
      return sum(vmap([&](auto const& row) { return sum(sin(row * c)) * c; })(x));
    })(x, c);
  }
};
// and one inside, by the captured value too: d/dc of each row's function at the captured c
struct inside {
  constexpr auto operator()(matrix const& x, scalar const& c) const {
    return vmap([&](auto const& row) { return grad([&](auto const& z) { return sum(sin(row * z)) * c; })(c); })(x);
  }
};
// both: the derivative by c of the derivatives inside, where c is an argument and is captured
struct both {
  constexpr auto operator()(matrix const& x, scalar const& c) const {
    return grad([&](auto const& c) { return sum(inside{}(x, c)); })(c);
  }
};

double of_row(matrix const& x, int i, double z, double c) {
  double s = 0;
  for (int j = 0; j < 4; ++j) s += std::sin(x(i, j) * z);
  return s * c;
}
double inside_row(matrix const& x, int i, double c) {
  return (of_row(x, i, c + 1e-4, c) - of_row(x, i, c - 1e-4, c)) / 2e-4;
}
double sum_of_inside(matrix const& x, double c) {
  return inside_row(x, 0, c) + inside_row(x, 1, c) + inside_row(x, 2, c);
}

}  // namespace

TEST_CASE("the gradient by a value that a lambda inside vmap captures is the difference quotient") {
  auto x = some<matrix>(1);
  double const c = 0.7, h = 1e-4;
  auto total = [&](double v) { return of_row(x, 0, v, v) + of_row(x, 1, v, v) + of_row(x, 2, v, v); };
  scalar by_hand = (total(c + h) - total(c - h)) / (2 * h);
  array<double, 3> rows{inside_row(x, 0, c), inside_row(x, 1, c), inside_row(x, 2, c)};
  scalar second = (sum_of_inside(x, c + h) - sum_of_inside(x, c - h)) / (2 * h);
  near(outside{}(x, scalar(c)), by_hand, 0, 1e-6);
  near(jit(outside{})(x, scalar(c)), by_hand, 0, 1e-6);
  near(inside{}(x, scalar(c)), rows, 0, 1e-6);
  near(jit(inside{})(x, scalar(c)), rows, 0, 1e-6);
  near(both{}(x, scalar(c)), second, 0, 1e-6);
  near(jit(both{})(x, scalar(c)), second, 0, 1e-6);
}

TEST_CASE("what a transform's function captures stays a variable where its arguments are constants") {
  auto f = [](auto const& w) {
    matrix x = reshape<3, 4>(cos(arange<double, 12>() * 0.7));
    auto row = [&](auto const& r) { return r * w; };
    auto squared = [&](auto const& z) { return z * z * w; };
    auto z = cos(arange<double, 4>() * 0.3);
    auto by_vmap = square(vmap(row)(x));
    auto by_grad = w * grad([&](auto const& z) { return sum(squared(z)); })(z);
    auto by_jvp = jvp(squared, z, w).second;
    auto by_vjp = vjp(squared, z).second(w);
    auto by_linearize = linearize(squared, z).second(z);
    return std::tuple{
        sum(by_vmap),           sum(by_grad), sum(by_jvp), sum(by_vjp), sum(by_linearize), sum(jacfwd(squared)(z)),
        sum(jacrev(squared)(z))};
  };
  // the same without a transform inside
  auto plain = [](auto const& w) {
    matrix x = reshape<3, 4>(cos(arange<double, 12>() * 0.7));
    auto z = cos(arange<double, 4>() * 0.3);
    auto g = 2.0 * w * z;
    return std::tuple{sum(square(x * w)), sum(w * g), sum(w * g), sum(w * g), sum(z * g), sum(g), sum(g)};
  };
  auto w = some<array<double, 4>>(2);
  auto ws = some<array<double, 3, 4>>(3);
  near(jacrev([&](auto const& w) { return std::get<0>(f(w)); })(w),
       jacrev([&](auto const& w) { return std::get<0>(plain(w)); })(w));
  near(jacfwd(f)(w), jacfwd(plain)(w));
  near(vmap(f)(ws), vmap(plain)(ws));
  near(jit(jacfwd(f))(w), jacfwd(plain)(w));
  near(jit(vmap(f))(ws), vmap(plain)(ws));
}
