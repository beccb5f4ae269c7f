// SPDX-License-Identifier: BSD-3-Clause
// A jitted program gives what its function gives eagerly.
#include "same.hpp"

using namespace test;

TEST_CASE("jit: elementwise chains with broadcasts") {
  as_eager(
      [](array<float, 2, 3, 4> x, array<float, 4> r, array<float, 3, 1> c, array<float> s, array<float, 2, 1, 4> m) {
        return std::tuple{exp(x * r) + c,
                          tanh(x + s) * m - c,
                          (r + c) * s,
                          where(x > c, x, r),
                          sqrt(abs(x)) / (abs(m) + 1),
                          maximum(x, m) - 2,
                          relu(x - r) * logistic(c),
                          pow(abs(x) + 0.5f, r),
                          clip(x, -0.25f, 0.5f)};
      },
      some<array<float, 2, 3, 4>>(1), some<array<float, 4>>(2), some<array<float, 3, 1>>(3), some<array<float>>(4),
      some<array<float, 2, 1, 4>>(5));
}

TEST_CASE("jit: reductions over each set of axes, operands broadcast") {
  auto f = [](array<float, 2, 3, 4> x, array<float, 4> r, array<float, 3, 1> c) {
    auto y = x * r + c;
    return std::tuple{sum(y),       sum<0>(y),    sum<1>(y),    sum<2>(y),
                      sum<0, 1>(y), sum<0, 2>(y), sum<1, 2>(y), sum<0, 1, 2>(y)};
  };
  auto x = some<array<float, 2, 3, 4>>(1);
  auto r = some<array<float, 4>>(2);
  auto c = some<array<float, 3, 1>>(3);
  as_eager(f, x, r, c);
  as_eager(
      [](array<float, 2, 3, 4> x, array<float, 4> r, array<float, 3, 1> c) {
        return std::tuple{max(x + r),       max<0>(x + c),     min<1>(x * r),  max<2>(x * c),
                          max<0, 2>(x + c), mean<1, 2>(x * r), prod<1>(x + 2), mean<0>(r + c),
                          sum<0>(r + c),    sum<1>(r * c),     var<1>(x),      sum<1>(x, keepdims) + x};
      },
      x, r, c);
  as_eager(
      [](array<float, 4> r, array<float, 3, 1> c) {
        auto y = broadcast_to<2, 3, 4>(r) + broadcast_to<2, 3, 4>(c);
        return std::tuple{sum(y), sum<0>(y), sum<1, 2>(y), max<0, 1>(y), all<1>(y > 0), any<0>(y > 0)};
      },
      r, c);
  as_eager(
      [](array<float, 5, 100> x) {
        return std::tuple{sum<0>(x), sum<1>(x), sum(x), max<1>(x), sum<0>(transpose(x)), mean(x * x)};
      },
      some<array<float, 5, 100>>(7));
}

TEST_CASE("jit: views, and work on them") {
  as_eager(
      [](array<float, 2, 3, 4> x, array<float, 6, 4> y) {
        return std::tuple{transpose(x),
                          transpose<1, 0, 2>(x) * 2,
                          reshape<6, 4>(x) + y,
                          reshape<4, 6>(transpose(y)) * 3,
                          sum<0>(transpose<2, 0, 1>(x)),
                          reshape<24>(transpose(x)) + ravel(y),
                          transpose(reshape<2, 12>(x)),
                          swapaxes<0, 2>(x) + 1,
                          moveaxis<0, -1>(x),
                          expand_dims<1>(y),
                          broadcast_to<2, 6, 4>(y)};
      },
      some<array<float, 2, 3, 4>>(1), some<array<float, 6, 4>>(2));
}

TEST_CASE("jit: softmax, products, einsum") {
  as_eager(
      [](array<float, 5, 7> x, array<float, 7, 3> w, array<float, 7> v, array<float, 2, 3, 5> b) {
        return std::tuple{softmax<-1>(x),
                          softmax<0>(x),
                          dot(x, w),
                          dot(x, v),
                          dot(v, v),
                          matmul(b, dot(x, w)),
                          outer(v, v),
                          dot(transpose(w), transpose(x)),
                          einsum<"ij,jk->ik">(x, w),
                          einsum<"bij,jk->bik">(b, x),
                          einsum<"ij->j">(x),
                          einsum<"ij,ij->">(x, x),
                          einsum<"bij,bij->b">(b, b)};
      },
      some<array<float, 5, 7>>(1), some<array<float, 7, 3>>(2), some<array<float, 7>>(3),
      some<array<float, 2, 3, 5>>(4));
}

TEST_CASE("jit: gathers, their gradients, argmax") {
  auto x = some<array<float, 4, 5>>(1);
  array<int, 3> i{2, 0, 2};
  array<int, 4, 1> j{{1}, {4}, {0}, {4}};
  as_eager(
      [](array<float, 4, 5> x, array<int, 3> i, array<int, 4, 1> j) {
        return std::tuple{
            take<0>(x, i), take<1>(x * 2, i) + 1,    take_along_axis<1>(x + 1, j), argmax<1>(x),         argmin<0>(x),
            argmax(x),     take<0>(transpose(x), i), one_hot<float, 6>(i),         sum<0>(take<0>(x, i))};
      },
      x, i, j);
  as_eager(
      [](array<float, 4, 5> x, array<int, 3> i) {
        return grad([](array<float, 4, 5> x, array<int, 3> i) {
          return sum(exp(take<0>(x, i))) + sum(square(take<1>(x, i)));
        })(x, i);
      },
      x, i);
  as_eager(
      [](array<float, 4, 5> x, array<int, 4, 1> j) {
        return grad([](array<float, 4, 5> x, array<int, 4, 1> j) { return sum(sin(take_along_axis<1>(x, j)) * 3); })(x,
                                                                                                                     j);
      },
      x, j);
}
