// SPDX-License-Identifier: BSD-3-Clause
// scan, map and fori_loop: values and derivatives are those of the loop written out, in both lives, whatever is kept.
#include "same.hpp"

using namespace test;

namespace {

using vector = array<double, 4>;
using matrix = array<double, 4, 4>;
using steps = array<double, 6, 4>;

// a recurrent network: the carry, all outputs, and weights that the step captures
struct rnn {
  constexpr auto operator()(vector const& h0, steps const& xs, matrix const& w) const {
    auto [h, ys] = scan(
        [&](auto const& h, auto const& x) {
          auto next = tanh(dot(h, w) + x);
          return std::pair{next, sum(next * x)};
        },
        h0, xs);
    return sum(h) + sum(ys * ys);
  }
};
struct rnn_written_out {
  constexpr auto operator()(vector const& h0, steps const& xs, matrix const& w) const {
    auto h = h0;
    array<double> s = 0.0;
    for (int i = 0; i < 6; ++i) {
      auto x = take<0>(xs, array<int>(i));
      h = tanh(dot(h, w) + x);
      s = s + square(sum(h * x));
    }
    return sum(h) + s;
  }
};
template <class F> struct gradients {
  constexpr auto operator()(vector const& h, steps const& xs, matrix const& w) const {
    return value_and_grad<0, 1, 2>(F{})(h, xs, w);
  }
};
template <class F> struct second {  // reverse over reverse
  constexpr auto operator()(vector const& h, steps const& xs, matrix const& w) const {
    return grad<0, 2>([&](auto const& h, auto const& xs, auto const& w) {
      auto [a, b] = grad<0, 2>(F{})(h, xs, w);
      return sum(sin(a)) + sum(b * b);
    })(h, xs, w);
  }
};
template <class F> struct pushed {  // forward over reverse
  constexpr auto operator()(vector const& h, steps const& xs, matrix const& w) const {
    return jvp([&](auto const& h) { return grad<2>(F{})(h, xs, w); }, h, cos(h)).second;
  }
};
template <class F> struct mapped {  // weights for each example, one start for all
  constexpr auto operator()(vector const& h, array<double, 3, 6, 4> const& xs, array<double, 3, 4, 4> const& w) const {
    return vmap<none, 0, 0>(grad<0, 2>(F{}))(h, xs, w);
  }
};

/// The same from the last slice to the first, each output weighed by where it lies.
template <class... Option> struct backward_rnn {
  constexpr auto operator()(vector const& h0, steps const& xs, matrix const& w) const {
    auto [h, ys] = scan(
        [&](auto const& h, auto const& x) {
          auto next = tanh(dot(h, w) + x);
          return std::pair{next, std::pair{sum(next * x), next}};
        },
        h0, xs, Option{}...);
    return sum(h) + sum(ys.first * ys.first * arange<double, 6>()) + sum(cumsum<0>(ys.second) * xs);
  }
};
struct flipped_rnn {
  constexpr auto operator()(vector const& h0, steps const& xs, matrix const& w) const {
    auto [h, ys] = scan(
        [&](auto const& h, auto const& x) {
          auto next = tanh(dot(h, w) + x);
          return std::pair{next, std::pair{sum(next * x), next}};
        },
        h0, flip<0>(xs));
    auto const first = flip<0>(ys.first);
    return sum(h) + sum(first * first * arange<double, 6>()) + sum(cumsum<0>(flip<0>(ys.second)) * xs);
  }
};

template <int Keep> struct long_loop {
  constexpr auto operator()(vector const& h, matrix const& w) const {
    return value_and_grad<0, 1>([](auto const& h, auto const& w) {
      auto f = [&](auto const& h) { return std::pair{tanh(dot(h, w) + 0.1), std::tuple<>{}}; };
      if constexpr (Keep == 0) return sum(scan<1000>(f, h, keep_all).first);
      else if constexpr (Keep == 1) return sum(scan<1000>(f, h, keep_none).first);
      else return sum(scan<1000>(f, h, keep_every<25>).first);
    })(h, w);
  }
};

}  // namespace

TEST_CASE("scan: a recurrent network is its loop written out") {
  auto h = some<vector>(1);
  auto xs = some<steps>(2);
  auto w = some<matrix>(3);
  near(jit(rnn{})(h, xs, w), rnn_written_out{}(h, xs, w));
  as_eager(rnn{}, h, xs, w);
  near(jit(gradients<rnn>{})(h, xs, w), gradients<rnn_written_out>{}(h, xs, w));
  as_eager(gradients<rnn>{}, h, xs, w);
#if !defined(ETNA_FEW)
  near(jit(second<rnn>{})(h, xs, w), second<rnn_written_out>{}(h, xs, w), 0, 1e-12);
  as_eager(second<rnn>{}, h, xs, w);
  near(jit(pushed<rnn>{})(h, xs, w), pushed<rnn_written_out>{}(h, xs, w), 0, 1e-12);
  as_eager(pushed<rnn>{}, h, xs, w);
#endif
}

TEST_CASE("scan: under vmap, with weights that are captured and differ by example") {
  auto h = some<vector>(1);
  auto xs = some<array<double, 3, 6, 4>>(2);
  auto w = some<array<double, 3, 4, 4>>(3);
  near(jit(mapped<rnn>{})(h, xs, w), mapped<rnn_written_out>{}(h, xs, w));
  as_eager(mapped<rnn>{}, h, xs, w);
}

#if !defined(ETNA_FEW)  // the same loops around other values
TEST_CASE("scan: backward is the loop over what is flipped") {
  auto h = some<vector>(1);
  auto xs = some<steps>(2);
  auto w = some<matrix>(3);
  using back = backward_rnn<backward_t>;
  auto is_flipped = [&](auto f, auto flipped) {
    near(jit(f)(h, xs, w), flipped(h, xs, w), 0, 1e-12);
    as_eager(f, h, xs, w);
  };
  is_flipped(back{}, flipped_rnn{});
  is_flipped(gradients<back>{}, gradients<flipped_rnn>{});
  is_flipped(second<back>{}, second<flipped_rnn>{});
  is_flipped(pushed<back>{}, pushed<flipped_rnn>{});
  is_flipped(gradients<backward_rnn<backward_t, keep_none_t>>{}, gradients<flipped_rnn>{});
  is_flipped(gradients<backward_rnn<keep_every_t<3>, backward_t>>{}, gradients<flipped_rnn>{});
  auto many = some<array<double, 3, 6, 4>>(2);
  auto each = some<array<double, 3, 4, 4>>(3);
  near(jit(mapped<back>{})(h, many, each), mapped<flipped_rnn>{}(h, many, each), 0, 1e-12);
  as_eager(mapped<back>{}, h, many, each);
  // of a named size
  auto named = [](array<double, "time"_n, 3> xs) {
    return scan(
        [](auto const& s, auto const& x) {
          return std::pair{sin(s + x), s * x};
        },
        zeros<double, 3>(), xs, backward);
  };
  auto flipped = [](array<double, 6, 3> xs) {
    auto [s, ys] = scan(
        [](auto const& s, auto const& x) {
          return std::pair{sin(s + x), s * x};
        },
        zeros<double, 3>(), flip<0>(xs));
    return std::pair{s, flip<0>(ys)};
  };
  auto rows = some<array<double, 6, 3>>(4);
  auto const got = jit(named)(rows);
  near(std::pair{got.first, array<double, 6, 3>(got.second)}, flipped(rows));
}
#endif

TEST_CASE("scan: what reverse mode keeps changes the memory, not the numbers") {
  auto h = some<vector>(1);
  auto w = some<matrix>(3, -0.6, 0.6);
  auto all = jit(long_loop<0>{})(h, w), none = jit(long_loop<1>{})(h, w), every = jit(long_loop<2>{})(h, w);
  near(none, all);   // the cotangents of w are added step by step, where all is kept as one product,
  near(every, all);  // or 25 steps at a time
  // two values a step; the carry; the carry of each 25th step and the values of 25
  constexpr auto bytes = [](auto f) { return plan_of<decltype(f), vector, matrix>::arena_bytes; };
  CHECK(bytes(long_loop<0>{}) >= 1000 * 2 * 32);
  CHECK(bytes(long_loop<1>{}) >= 1000 * 32);
  CHECK(bytes(long_loop<1>{}) < 1100 * 32);
  CHECK(bytes(long_loop<2>{}) < 5500);
}

TEST_CASE("scan: a million steps compile like ten") {
  auto sum_of = jit([](array<double> x) {
    return scan<1000000>([&](auto const& c) { return std::pair{c * 0.999 + x, std::tuple<>{}}; }, x).first;
  });
  double c = 0.5;
  for (int i = 0; i < 1000000; ++i) c = c * 0.999 + 0.5;
  near(sum_of(array<double>(0.5)), array<double>(c));
  CHECK(plan_of<decltype(sum_of.f), array<double>>::kernel_count == 2);
}

TEST_CASE("scan: carries of any tree, integers too, and nothing but a carry or nothing but slices") {
  struct state {
    array<double> x;
    array<int> n;
    array<bool> odd;
  };
  auto f = [](array<double, 5> xs) {
    return scan(
        [](state const& s, array<double> const& x) {
          state next{s.x * 0.5 + x * astype<double>(s.n), s.n + 1, !s.odd};
          return std::pair{next, std::tuple{next.x, next.n}};
        },
        state{array<double>(1.0), array<int>(3), array<bool>(false)}, xs);
  };
  auto xs = some<array<double, 5>>(4);
  auto [last, ys] = jit(f)(xs);
  double x = 1;
  for (int i = 0; i < 5; ++i) {
    x = x * 0.5 + xs(i) * (3 + i);
    CHECK(std::get<0>(ys)(i) == doctest::Approx(x));
    CHECK(std::get<1>(ys)(i) == 4 + i);
  }
  CHECK(double(last.x) == doctest::Approx(x));
  CHECK(int(last.n) == 8);
  CHECK(bool(last.odd));
  as_eager(
      [](array<double, 5, 3> m) {
        return etna::map([](auto const& row) { return std::pair{sum(row), row * 2}; }, m);
      },
      some<array<double, 5, 3>>(5));
  as_eager(
      [](array<double, 5, 3> m) {
        return grad(
            [](auto const& m) { return sum(sin(etna::map([](auto const& row) { return sum(row * row); }, m))); })(m);
      },
      some<array<double, 5, 3>>(5));
}

#if !defined(ETNA_FEW)  // the same loops around other values
TEST_CASE("scan: in a scan, its derivative too") {
  auto f = [](array<double, 3, 4> m, array<double> c) {
    return scan(
               [&](auto const& s, auto const& row) {
                 auto inner = scan(
                                  [&](auto const& t, auto const& x) {
                                    return std::pair{t * c + x * s, std::tuple<>{}};
                                  },
                                  s, row)
                                  .first;
                 return std::pair{sin(inner), inner};
               },
               c, m)
        .second;
  };
  auto plain = [](array<double, 3, 4> const& m, double c) {
    double s = c, sum = 0;
    for (int i = 0; i < 3; ++i) {
      double t = s;
      for (int j = 0; j < 4; ++j) t = t * c + m(i, j) * s;
      s = std::sin(t);
      sum += t;
    }
    return sum;
  };
  auto m = some<array<double, 3, 4>>(7);
  auto g = jit([](array<double, 3, 4> m, array<double> c) {
    return value_and_grad<1>([](auto const& m, auto const& c) { return sum(decltype(f){}(m, c)); })(m, c);
  });
  auto [v, dc] = g(m, array<double>(0.7));
  CHECK(double(v) == doctest::Approx(plain(m, 0.7)));
  CHECK(double(dc) == doctest::Approx((plain(m, 0.7 + 1e-5) - plain(m, 0.7 - 1e-5)) / 2e-5).epsilon(1e-7));
}

TEST_CASE("scan: an axis with a name") {
  auto f = [](array<double, "time"_n, 3> xs, array<double, 3> h) {
    return scan(
        [](auto const& h, auto const& x) {
          auto n = sin(h + x);
          return std::pair{n, sum(n)};
        },
        h, xs);
  };
  auto g = [](array<double, "time"_n, 3> xs, array<double, 3> h) {
    return grad<0, 1>([](auto const& xs, auto const& h) {
      return sum(scan(
                     [](auto const& h, auto const& x) {
                       auto n = sin(h * x);
                       return std::pair{n, std::tuple<>{}};
                     },
                     h, xs)
                     .first);
    })(xs, h);
  };
  auto fixed = [](array<double, 7, 3> xs, array<double, 3> h) {
    return grad<0, 1>([](auto const& xs, auto const& h) {
      return sum(scan(
                     [](auto const& h, auto const& x) {
                       auto n = sin(h * x);
                       return std::pair{n, std::tuple<>{}};
                     },
                     h, xs)
                     .first);
    })(xs, h);
  };
  auto h = some<array<double, 3>>(2);
  auto x7 = some<array<double, 7, 3>>(1);
  array<double, "time"_n, 3> named = x7;
  auto [last, ys] = jit(f)(named, h);
  CHECK(ys.shape()[0] == 7);
  auto [eager_last, eager_ys] = f(named, h);
  near(last, eager_last);
  near(jit(g)(named, h), jit(fixed)(x7, h));
}

TEST_CASE("fori_loop: constant bounds have a reverse mode, others a forward mode") {
  auto power = [](array<double> x) {
    return fori_loop<1, 6>([&](auto const& i, auto const& c) { return c * x * astype<double>(i); }, array<double>(1.0));
  };
  auto x = array<double>(1.3);
  near(jit(power)(x), array<double>(120 * std::pow(1.3, 5)));
  near(jit([](array<double> x) { return grad(decltype(power){})(x); })(x), array<double>(600 * std::pow(1.3, 4)));
  near(jit([](array<double> x) { return grad(grad(decltype(power){}))(x); })(x),
       array<double>(2400 * std::pow(1.3, 3)));
  auto open = [](array<double> x, array<int> n) {
    return fori_loop(
        0, n, [&](auto const&, auto const& c) { return c * x; }, array<double>(1.0));
  };
  near(jit(open)(x, array<int>(9)), array<double>(std::pow(1.3, 9)));
  near(jit([](array<double> x, array<int> n) {
         return jvp([&](auto const& x) { return decltype(open){}(x, n); }, x, array<double>(1.0)).second;
       })(x, array<int>(9)),
       array<double>(9 * std::pow(1.3, 8)));
}
#endif

TEST_CASE("scan: slices of one name, but not as many, are refused in both lives") {
  array<double, "n"_n> a = array<double, 5>{1, 2, 3, 4, 5}, b = array<double, 3>{1, 2, 3};
  auto f = [](array<double, "n"_n> a, array<double, "n"_n> b) {
    return scan(
        [](auto const& c, auto const& t) {
          return std::pair{c + t.first * t.second, t.second};
        },
        array<double>(0.0), std::pair{a, b});
  };
  CHECK_THROWS_WITH_AS(jit(f)(a, b), doctest::Contains("E110"), std::exception);
  CHECK_THROWS_WITH_AS(f(a, b), doctest::Contains("E110"), std::exception);
}
