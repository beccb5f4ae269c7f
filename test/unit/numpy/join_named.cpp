// SPDX-License-Identifier: BSD-3-Clause
// Named extents joined, padded, split and multiplied: the same as with static extents of the same sizes, in jit, eager
// and differentiated.
#include "same.hpp"

using namespace test;

namespace {

template <extent E> using rows = array<double, E, 3>;
constexpr extent n = "n"_n, m = "m"_n;
template <class A> A sized(int seed, std::array<extent, std::size_t(A::rank)> sizes) {
  return some<A>(seed, -1, 1, sizes);
}
/// f of x [5, 3] and y [2, 3], whose first axes are n and m: eager and jitted as the static call of the same function.
template <class F> void as_static(F f) {
  auto x = sized<array<double, 5, 3>>(1, {5, 3});
  auto y = sized<array<double, 2, 3>>(2, {2, 3});
  rows<n> xn = x;
  rows<m> ym = y;
  auto want = f(x, y);
  near(f(xn, ym), want);
  near(jit(f)(xn, ym), want);
  auto loss = [](auto const& a, auto const& b) {
    auto r = F{}(a, b);
    return sum(r * r * sin(r));
  };
  auto slope = grad<0, 1>(loss)(x, y);
  near(grad<0, 1>(loss)(xn, ym), slope, 1e-5, 1e-11);
  near(jit(grad<0, 1>(loss))(xn, ym), slope, 1e-5, 1e-11);
  auto tangent = [](auto const& a, auto const& b) { return jvp(F{}, std::tuple{a, b}, std::tuple{a * 2, b + 1}); };
  near(jit(tangent)(xn, ym), tangent(x, y), 1e-5, 1e-11);
}

}  // namespace

TEST_CASE("arrays join along axes with names") {
  as_static([](auto const& x, auto const& y) { return concatenate<0>(x, y); });
  as_static([](auto const& x, auto const& y) { return concatenate<-2>(y, x * 2, y); });
  as_static([](auto const& x, auto const& y) { return concatenate<0>(x, ones<double, 4, 3>(), x) * sum(y); });
  as_static([](auto const& x, auto const& y) { return concatenate<0>(x, ones<double, 4, 3>(), y); });
  as_static([](auto const& x, auto const& y) { return vstack(x, ones<double, 3>()) + sum(y); });
  as_static([](auto const& x, auto const& y) { return hstack(transpose(x), transpose(y)); });
  as_static([](auto const& x, auto const& y) { return concatenate<1>(x, sin(x)) - sum(y); });
}

TEST_CASE("three names join") {
  constexpr extent p = "p"_n;
  auto x = sized<array<double, 5, 3>>(1, {5, 3});
  auto y = sized<array<double, 2, 3>>(2, {2, 3});
  auto z = sized<array<double, 4, 3>>(3, {4, 3});
  auto f = [](auto const& a, auto const& b, auto const& c) { return concatenate<0>(a, sin(b), c * c); };
  auto loss = [](auto const& a, auto const& b, auto const& c) {
    auto r = concatenate<0>(c, sin(b), a * a);
    return sum(softmax<0>(r) * r);
  };
  rows<n> xn = x;
  rows<m> yn = y;
  rows<p> zn = z;
  static_assert(std::is_same_v<decltype(concatenate<0>(xn, yn, zn)), rows<ext::add(ext::add(n, m), p)>>);
  near(f(xn, yn, zn), f(x, y, z));
  near(jit(f)(xn, yn, zn), f(x, y, z));
  near(grad<0, 1, 2>(loss)(xn, yn, zn), grad<0, 1, 2>(loss)(x, y, z), 1e-5, 1e-11);
  near(jit(grad<0, 1, 2>(loss))(xn, yn, zn), grad<0, 1, 2>(loss)(x, y, z), 1e-5, 1e-11);
}

TEST_CASE("the joined axis has a type: a sum of names and numbers") {
  rows<n> x;
  rows<m> y;
  static_assert(std::is_same_v<decltype(concatenate<0>(x, y)), rows<ext::add(n, m)>>);
  static_assert(std::is_same_v<decltype(concatenate<0>(x, x, x)), rows<ext::mul(3, n)>>);
  static_assert(std::is_same_v<decltype(concatenate<0>(x, ones<double, 4, 3>())), rows<ext::add(n, 4)>>);
  static_assert(std::is_same_v<decltype(pad<1, 2, 0, 0>(x)), rows<ext::add(n, 3)>>);
  static_assert(std::is_same_v<decltype(stack<0>(x, x)), array<double, 2, n, 3>>);
}

TEST_CASE("arrays with names stack along a new axis, and are padded") {
  as_static([](auto const& x, auto const& y) { return stack<0>(x, x * 2) + sum(y); });
  as_static([](auto const& x, auto const& y) { return stack<2>(x, x * 2, x * x) + sum(y); });
  as_static([](auto const& x, auto const& y) { return pad<1, 2, 0, 1>(x, 7) + sum(y); });
  as_static([](auto const& x, auto const& y) { return sum<0>(pad<2>(y) * 3) + sum(x); });
}

TEST_CASE("what was joined is split again") {
  as_static([](auto const& x, auto const& y) {
    auto [a, b] = split<2>(concatenate<0>(x, x * 2));
    return a * b + sum(y);
  });
  as_static([](auto const& x, auto const& y) {
    auto parts = split<3>(repeat<3, 0>(x));
    return parts[0] + 2 * parts[1] - sum(y) * parts[2];
  });
}

TEST_CASE("joining by name is mapped, over the names' own axes and over others") {
  as_static([](auto const& x, auto const& y) {
    return vmap<1>([](auto const& a, auto const& b) { return concatenate<0>(a, b, a); })(x, y);
  });
  as_static([](auto const& x, auto const& y) {
    return vmap<1, none>([](auto const& a, auto const& b) { return concatenate<0>(a, sum<1>(b)); })(x, y);
  });
  as_static([](auto const& x, auto const& y) {
    return vmap<0, none>([](auto const& a, auto const& b) { return concatenate<0>(b, expand_dims<0>(a)); })(x, y);
  });
}

TEST_CASE("two names, three, and their products: reshapes, reductions and gradients") {
  using image = array<double, "b"_n, "t"_n, 6>;
  auto x = sized<array<double, 4, 5, 6>>(3, {4, 5, 6});
  image named = x;
  auto f = [](auto const& a) {
    constexpr extent b = std::remove_cvref_t<decltype(a)>::type.e[0], t = std::remove_cvref_t<decltype(a)>::type.e[1];
    auto flat = reshape<ext::mul(b, t), 6>(sin(a));
    auto scores = einsum<"bth,bsh->bts">(a, a);
    return std::tuple{flat,     softmax(scores),      sum<0>(flat), reshape<b, -1>(a), reshape<-1, t, 2, 3>(a),
                      ravel(a), transpose<1, 0, 2>(a)};
  };
  near(f(named), f(x));
  near(jit(f)(named), f(x));
  auto back = [](auto const& a) {  // in jit alone: at run time the product of two names does not tell them
    constexpr extent b = std::remove_cvref_t<decltype(a)>::type.e[0], t = std::remove_cvref_t<decltype(a)>::type.e[1];
    return sum<0, 2>(reshape<b, t, 2, 3>(reshape<ext::mul(b, t), 6>(sin(a))));
  };
  near(jit(back)(named), back(x));
  auto loss = [](auto const& a) {
    constexpr extent b = std::remove_cvref_t<decltype(a)>::type.e[0], t = std::remove_cvref_t<decltype(a)>::type.e[1];
    auto flat = reshape<ext::mul(b, t), 6>(sin(a));
    return sum(flat * flat) + sum(logsumexp<-1>(einsum<"bth,bsh->bts">(a, a)));
  };
  near(jit(grad(loss))(named), grad(loss)(x), 1e-5, 1e-11);
}

TEST_CASE("one name in several arguments, and sizes derived from it, must agree: E110") {
  auto f =
      jit([](array<double, n> const& x, array<double, ext::mul(2, n)> const& y, array<double, ext::mul(n, m)> const& z,
             array<double, m> const& w) { return sum(x) + sum(y) + sum(z) + sum(w); });
  auto ones_of = []<extent E>(std::integral_constant<extent, E>, extent size) {
    return array<double, E>::build([&](double* o) { std::fill_n(o, size, 1.); }, {size});
  };
  auto error_of = [&](extent x, extent y, extent z, extent w) {
    try {
      double s = f(ones_of(std::integral_constant<extent, n>{}, x),
                   ones_of(std::integral_constant<extent, ext::mul(2, n)>{}, y),
                   ones_of(std::integral_constant<extent, ext::mul(n, m)>{}, z),
                   ones_of(std::integral_constant<extent, m>{}, w))
                     .item();
      return s == double(x + y + z + w) ? 0 : 1;
    } catch (error const& e) { return e.number; }
  };
  CHECK(error_of(3, 6, 12, 4) == 0);
  CHECK(error_of(3, 7, 12, 4) == 110);
  CHECK(error_of(3, 8, 12, 4) == 110);
  CHECK(error_of(3, 6, 13, 4) == 110);
  CHECK(error_of(0, 0, 0, 4) == 0);
}
