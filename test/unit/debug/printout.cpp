// SPDX-License-Identifier: BSD-3-Clause
// debug::print: where a program prints, how often, and in which order.
#include <doctest/doctest.h>

#include <algorithm>

#include "lines.hpp"

using namespace etna;
using vec = array<float, 3>;

namespace {
constexpr auto loss = [](vec w, vec x) {
  auto z = w * x;
  debug::print("z {} of {}", z, sum(w));
  return sum(z * z);
};
vec const w{1, 2, 3}, x{2, 1, 0.5f};
}  // namespace

TEST_CASE("eager, jit, and a jitted function inside another print the same once") {
  std::string const line = "z [2.  2.  1.5] of 6.0|";
  CHECK(printed([] { return loss(w, x); }) == line);
  CHECK(printed([] { return jit(loss)(w, x); }) == line);
  CHECK(printed([] { return jit([](vec a, vec b) { return jit(loss)(a, b) + 1.0f; })(w, x); }) == line);
  CHECK(jit(loss)(w, x).item() == doctest::Approx(10.25));
}
TEST_CASE("derivatives print what the function prints, once") {
  std::string const line = "z [2.  2.  1.5] of 6.0|";
  CHECK(printed([] { return grad(loss)(w, x); }) == line);
  CHECK(printed([] { return jit(grad(loss))(w, x); }) == line);
  CHECK(printed([] { return grad(jit(loss))(w, x); }) == line);
  CHECK(printed([] {
          return jit([](vec a, vec b) { return jvp(loss, std::tuple{a, b}, std::tuple{a, b}).second; })(w, x);
        }) == line);
  CHECK(printed([] { return jit(hessian(loss))(w, x); }) == line);
  CHECK(allclose(jit(grad(loss))(w, x), w * x * x * 2.0f));
}
TEST_CASE("under vmap there is a line for each example") {
  auto f = [](auto a, auto b) {
    debug::print("a {} b {}", a, b);
    return a * b;
  };
  array<float, 2, 3> const rows{{1, 2, 3}, {4, 5, 6}};
  auto one = vmap<0, none>(f);
  CHECK(printed([&] { return one(rows, x); }) == "a [1. 2. 3.] b [2.  1.  0.5]|a [4. 5. 6.] b [2.  1.  0.5]|");
  CHECK(printed([&] {
          return jit([](array<float, 2, 3> r, vec b) { return vmap<0, none>(decltype(f){})(r, b); })(rows, x);
        }) == "a [1. 2. 3.] b [2.  1.  0.5]|a [4. 5. 6.] b [2.  1.  0.5]|");
  auto two = jit([](array<float, 2, 3> r) {
    return vmap(vmap([](auto a) {
      debug::print("{}", a);
      return -a;
    }))(r);
  });
  CHECK(printed([&] { return two(rows); }) == "1.0|2.0|3.0|4.0|5.0|6.0|");
  // what does not depend on the example is printed once
  auto whole = jit([](array<float, 2, 3> r, vec b) {
    return vmap<0, none>([](auto a, auto c) {
      debug::print("c {}", c);
      return a + c;
    })(r, b);
  });
  CHECK(printed([&] { return whole(rows, x); }) == "c [2.  1.  0.5]|");
  auto g = jit([](array<float, 2, 3> r, vec b) { return vmap<0, none>(grad(loss))(r, b); });
  CHECK(printed([&] { return g(rows, x); }) == "z [2.  2.  1.5] of 6.0|z [8. 5. 3.] of 15.0|");
}
TEST_CASE("nobody needs the result, prints are equal, and the order stays") {
  auto g = [](vec v) {
    auto s = sum(matmul(reshape<3, 1>(v), reshape<1, 3>(v)));
    debug::print("first {}", s);
    debug::print("twice {}", v);
    debug::print("twice {}", v);
    debug::print("{{{}}} {} {}", array<int>(7), true, v > 1.0f);
    return v;
  };
  std::string const text = "first 12.25|twice [2.  1.  0.5]|twice [2.  1.  0.5]|{7} True [ True False False]|";
  CHECK(printed([&] { return g(x); }) == text);
  CHECK(printed([&] { return jit(g)(x); }) == text);
}
TEST_CASE("in loops and branches") {
  auto f = [](vec xs) {
    auto r = scan(
                 [](auto c, auto v) {
                   debug::print("c {} v {}", c, v);
                   auto d = cond(
                       v > 0.7f,
                       [](auto c) {
                         debug::print("yes {}", c);
                         return c * 2.0f;
                       },
                       [](auto c) {
                         debug::print("no {}", c);
                         return c;
                       },
                       c);
                   return std::pair{d, std::tuple<>{}};
                 },
                 array<float>(1.0f), xs)
                 .first;
    debug::print("after {}", r);
    return r;
  };
  std::string const text = "c 1.0 v 2.0|yes 1.0|c 2.0 v 1.0|yes 2.0|c 4.0 v 0.5|no 4.0|after 4.0|";
  CHECK(printed([&] { return f(x); }) == text);
  CHECK(printed([&] { return jit(f)(x); }) == text);
  CHECK(printed([&] { return jit(grad(f))(x); }) == text);
  CHECK(printed([&] { return grad(f)(x); }) == text);
  CHECK(printed([&] { return grad(jit(f))(x); }) == text);
  CHECK(printed([&] { return jit([](vec v) { return jvp(decltype(f){}, v, v).second; })(x); }) == text);

  auto loop = [](array<float> a) {
    return while_loop(
        [](auto c) {
          debug::print("go {}", c);
          return c < 3.0f;
        },
        [](auto c) {
          debug::print("round {}", c);
          return c + 1.0f;
        },
        a);
  };
  std::string const rounds = "go 1.5|round 1.5|go 2.5|round 2.5|go 3.5|";
  CHECK(printed([&] { return loop(array<float>(1.5f)); }) == rounds);
  CHECK(printed([&] { return jit(loop)(array<float>(1.5f)); }) == rounds);
  CHECK(printed([&] {
          return jit([](array<float> a) { return jvp(decltype(loop){}, a, a).second; })(array<float>(1.5f));
        }) == rounds);

  auto bounded = [](array<float> a) {
    return while_loop<4>([](auto c) { return c < 3.0f; },
                         [](auto c) {
                           debug::print("round {}", c);
                           return c * 2.0f;
                         },
                         a);
  };
  CHECK(printed([&] { return jit(grad(bounded))(array<float>(1.0f)); }) == "round 1.0|round 2.0|");
}
TEST_CASE("a loop that only prints, and one inside another") {
  auto f = [](vec xs) {
    (void)map(
        [](auto v) {
          debug::print("v {}", v);
          return std::tuple<>{};
        },
        xs);
    auto table = fori_loop<0, 2>(
        [&](auto i, auto c) {
          debug::print("i {}", i);
          return c + scan(
                         [&](auto d, auto v) {
                           debug::print("i {} v {}", i, v);
                           return std::pair{d + v, d};
                         },
                         array<float>(0.0f), xs)
                         .first;
        },
        array<float>(0.0f));
    return table;
  };
  std::string const inner = "i 0|i 0 v 2.0|i 0 v 1.0|i 0 v 0.5|i 1|i 1 v 2.0|i 1 v 1.0|i 1 v 0.5|",
                    text = "v 2.0|v 1.0|v 0.5|" + inner;
  CHECK(printed([&] { return f(x); }) == text);
  CHECK(printed([&] { return jit(f)(x); }) == text);
  CHECK(printed([&] { return jit(grad(f))(x); }) == text);
  CHECK(printed([&] { return grad(f)(x); }) == text);
}
#if !defined(ETNA_FEW)  // which prints there are, not how they come out
TEST_CASE("what a derivative computes again is not printed again; a rule of the user's prints its own") {
  auto mapped = jit([](vec v) {
    return vmap([](auto a) {
      return cond(
          a > 0.7f,
          [](auto b) {
            debug::print("yes {}", b);
            return b;
          },
          [](auto b) {
            debug::print("no {}", b);
            return -b;
          },
          a);
    })(v);
  });
  CHECK(printed([&] { return mapped(x); }) == "yes 2.0|yes 1.0|yes 0.5|no 2.0|no 1.0|no 0.5|");
  auto again = [](vec v) {
    return checkpoint([](auto a) {
      debug::print("sin of {}", sum(a));
      return sum(sin(a) * a);
    })(v);
  };
  CHECK(printed([&] { return jit(grad(again))(x); }) == "sin of 3.5|");
  CHECK(printed([&] { return grad(again)(x); }) == "sin of 3.5|");
  auto recomputed = [](vec xs) {
    return scan(
               [](auto c, auto v) {
                 debug::print("c {}", c);
                 return std::pair{sin(c) * v, std::tuple<>{}};
               },
               array<float>(1.0f), xs, keep_none)
        .first;
  };
  CHECK(printed([&] { return jit(grad(recomputed))(vec{1, 0, 2}); }) == "c 1.0|c 0.84147096|c 0.0|");
  auto f = [](vec v) {
    auto seen = custom_vjp(
        [](auto a) {
          debug::print("value {}", a);
          return a * 1.0f;
        },
        [](auto a) {
          return std::pair{a * 1.0f, a};
        },
        [](auto, auto ct) {
          debug::print("cotangent {}", ct);
          return ct;
        });
    return sum(seen(v) * v);
  };
  CHECK(printed([&] { return jit(f)(x); }) == "value [2.  1.  0.5]|");
  CHECK(printed([&] { return jit(grad(f))(x); }) == "value [2.  1.  0.5]|cotangent [2.  1.  0.5]|");
  CHECK(printed([&] { return grad(f)(x); }) == "value [2.  1.  0.5]|cotangent [2.  1.  0.5]|");
}
#endif
#if !defined(ETNA_FEW)  // which prints there are, not how they come out
TEST_CASE("a tangent that is never known is not printed") {
  auto f = [](vec v) {
    auto y = custom_jvp([](auto a) { return a * 2.0f; },
                        [](auto const& a, auto const& t) {
                          debug::print("tangent {}", std::get<0>(t));
                          return std::pair{std::get<0>(a) * 2.0f, std::get<0>(t) * 2.0f};
                        })(v);
    return sum(y);
  };
  CHECK(printed([&] { return jit(grad(f))(x); }) == "");
  CHECK(printed([&] { return grad(f)(x); }) == "");
  CHECK(printed([&] { return jit([](vec v) { return jvp(decltype(f){}, v, v).second; })(x); }) ==
        "tangent [2.  1.  0.5]|");
  CHECK(allclose(grad(jit(f))(x), vec{2, 2, 2}));
}
#endif
TEST_CASE("nothing is printed while compiling") {
  static constexpr auto square = [](array<double> a) {
    debug::print("a {}", a);
    return a * a;
  };
  static_assert(square(3.0).item() == 9 && grad(square)(array<double>(3.0)).item() == 6);
  CHECK(printed([] { return square(3.0); }) == "a 3.0|");
}
#if !defined(ETNA_FEW)  // which prints there are, not how they come out
TEST_CASE("examples of a named axis, and shapes with names") {
  auto f = jit([](array<float, "batch"_n, 2> v) {
    debug::print("mean {}", mean(v));
    return vmap([](auto r) {
      debug::print("row {}", r);
      return sum(r);
    })(v);
  });
  CHECK(printed([&] { return f(array<float, 2, 2>{{1, 2}, {3, 4}}); }) == "mean 2.5|row [1. 2.]|row [3. 4.]|");
}
#endif
namespace {
constexpr auto step = [](auto c, auto x) {
  auto d = named_scope<"cell">([](auto a, auto b) { return tanh(dot(a, a) * b + a); })(c, x);
  debug::print("{}", rint(100 * sum(d)));  // the last digits of tanh are not those of the C library
  return std::pair{d, sin(d)};
};
constexpr auto plain = [](vec c, array<float, 2, 3> xs) {
  auto [last, ys] = scan(step, c, xs);
  return sum(last) + sum(ys);
};
constexpr auto kept = [](vec c, array<float, 2, 3> xs) {
  return checkpoint(
      [](auto c, auto xs) {
        auto [last, ys] = scan(checkpoint(step, keep_dots), c, xs);
        return sum(last) + sum(ys);
      },
      keep_all)(c, xs);
};
}  // namespace
TEST_CASE(
    "a loop in a checkpoint that keeps its products: scopes stay, lines are printed once, the gradient is that without "
    "it") {
  array<float, 2, 3> const xs{{1, 2, 3}, {-1, 0.5f, 0.25f}};
  std::string one = printed([&] { return plain(x, xs); });
  CHECK(std::count(one.begin(), one.end(), '|') == 2);
  CHECK(printed([&] { return jit(grad(plain))(x, xs); }) == one);
  CHECK(printed([&] { return jit(grad(kept))(x, xs); }) == one);
  CHECK(printed([&] { return grad(kept)(x, xs); }) == one);
  // tanh is nearly 1 here, so that its derivative has few digits: those of one way of evaluating it
  CHECK(allclose(jit(grad(kept))(x, xs), jit(grad(plain))(x, xs)));
  CHECK(allclose(grad(kept)(x, xs), grad(plain)(x, xs)));
  CHECK(show(jit(grad(kept)), vec{}, array<float, 2, 3>{}).find("cell") != std::string::npos);
}
#if !defined(ETNA_FEW)  // which prints there are, not how they come out
TEST_CASE("loops without results, in loops: what they print is kept, and what stands behind them does not live by it") {
  auto f = [](vec xs) {
    auto outer = [](auto const& c, auto const& x) {
      scan(
          [](std::tuple<> const& none, auto const& y) {
            debug::print("y {}", y);
            return std::pair{none, std::tuple<>{}};
          },
          std::tuple<>{}, array<float, 2>{1, 2} * x);
      return std::pair{c * x, std::tuple<>{}};
    };
    auto c = scan(outer, array<float>(2.0f), xs).first;
    scan(
        [](std::tuple<> const& none, auto const& x) {
          debug::print("x {}", x);
          return std::pair{none, std::tuple<>{}};
        },
        std::tuple<>{}, xs);
    return c * 3.0f;
  };
  vec const v{1, 2, 3};
  std::string const text = "y 1.0|y 2.0|y 2.0|y 4.0|y 3.0|y 6.0|x 1.0|x 2.0|x 3.0|";
  CHECK(printed([&] { return f(v); }) == text);
  CHECK(printed([&] { return jit(f)(v); }) == text);
  CHECK(printed([&] { return grad(f)(v); }) == text);
  CHECK(printed([&] { return jit(grad(f))(v); }) == text);
  CHECK(allclose(jit(grad(f))(v), vec{36, 18, 12}));
}
#endif
