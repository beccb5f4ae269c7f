// SPDX-License-Identifier: BSD-3-Clause
// Names of extents outside jit: one name is one size in each operation and each transform (E110), extremes of an empty
// axis are an error (E032), and a name that no value tells is one (E130). jit says the same.
#include "same.hpp"

using namespace test;

namespace {

constexpr extent n = "n"_n, m = "m"_n, n2 = ext::mul(2, n), nm = ext::mul(n, m);
using vec = array<double, n>;
using mat = array<double, n, n>;
using ints = array<int, n>;
using flags = array<bool, n>;

template <class F> int error_of(F const& f) {
  try {
    (void)f();
    return 0;
  } catch (error const& e) { return e.number; }
}
template <class A> A ones_of(std::array<extent, std::size_t(A::rank)> sizes) { return some<A>(1, 0, 1, sizes); }

/// f of two values that share a name: right where the sizes agree, E110 where they do not; so it is under transforms,
/// which have the second value as an argument or captured.
template <class A, class B> struct pairs {
  A x;
  B same, one, more;
  pairs(std::array<extent, std::size_t(A::rank)> x, std::array<extent, std::size_t(B::rank)> same,
        std::array<extent, std::size_t(B::rank)> one, std::array<extent, std::size_t(B::rank)> more)
      : x(ones_of<A>(x)), same(ones_of<B>(same)), one(ones_of<B>(one)), more(ones_of<B>(more)) {}
  template <class F> void check(const char* what, F const& f) const {
    CAPTURE(std::string(what));
    CHECK(error_of([&] { return f(x, same); }) == 0);
    CHECK(error_of([&] { return f(x, one); }) == 110);
    CHECK(error_of([&] { return f(x, more); }) == 110);
    if constexpr (A::type.d == dtype::f64) {
      auto loss = [&](auto const& a, auto const& b) { return sum(astype<double>(f(a, b))); };
      CHECK(error_of([&] { return grad(loss)(x, same); }) == 0);
      CHECK(error_of([&] { return grad(loss)(x, one); }) == 110);
      CHECK(error_of([&] { return grad([&](auto const& a) { return loss(a, one); })(x); }) == 110);
      CHECK(error_of([&] { return grad([&](auto const& a) { return loss(a, same); })(x); }) == 0);
      CHECK(error_of([&] { return jvp([&](auto const& a) { return loss(a, more); }, x, x); }) == 110);
      // an operation on an example, and on what all examples share
      auto examples = stack(x, x);
      CHECK(error_of([&] { return vmap<0>([&](auto const& a) { return f(a, same); })(examples); }) == 0);
      CHECK(error_of([&] { return vmap<0>([&](auto const& a) { return f(a, one); })(examples); }) == 110);
      CHECK(error_of([&] { return map([&](auto const& a) { return f(a, one); }, examples); }) == 110);
      CHECK(error_of([&] {
              return cond(
                  true, [&](auto const& a) { return f(a, one); }, [&](auto const& a) { return f(a, same); }, x);
            }) == 110);
    }
  }
};

#define OF(...)                                    \
  #__VA_ARGS__, [](auto const& x, auto const& y) { \
    (void)x, (void)y;                              \
    return __VA_ARGS__;                            \
  }

}  // namespace

TEST_CASE("an operation on several values has one size for a name") {
  pairs<vec, vec> v({2}, {2}, {1}, {3});
  v.check(OF(x + y));
  v.check(OF(x * y - 1.0));
  v.check(OF(x < y));
  v.check(OF(maximum(x, y)));
  v.check(OF(pow(x, y)));
  v.check(OF(arctan2(x, y)));
  v.check(OF(logaddexp(x, y)));
  v.check(OF(hypot(x, y)));
  v.check(OF(fmax(x, y)));
  v.check(OF(remainder(x, y)));
  v.check(OF(floor_divide(x, y)));
  v.check(OF(isclose(x, y)));
  v.check(OF(where(x > 0.0, x, y)));
  v.check(OF(where(y > 0.0, x, 0.0)));
  v.check(OF(clip(x, 0.0, y)));
  v.check(OF(dot(x, y)));
  v.check(OF(matmul(x, y)));
  v.check(OF(outer(x, y) + x));
  v.check(OF(einsum<"i,i->i">(x, y)));
  v.check(OF(einsum<"i,i->">(x, y)));
  v.check(OF(einsum<"i,j->ij">(x, y)));
  v.check(OF(stack(x, y)));
  v.check(OF(stack<1>(x, x, y)));
  v.check(OF(concatenate(x, y)));
  v.check(OF(vstack(x, y)));
  v.check(OF(hstack(x, y)));
  v.check(OF(average(x, y)));
  v.check(OF(squared_error(x, y)));
  v.check(OF(sigmoid_binary_cross_entropy(x, y)));
  v.check(OF(x.template at<every>().set(y)));
  v.check(OF(x.template at<every>().add(y)));
  v.check(OF(dynamic_update_slice(x, y, 0)));
  v.check(OF(take(x, astype<int>(y))));
  v.check(OF(take(x, astype<int>(y), mode::clip)));
  v.check(OF(take_along_axis<0>(x, astype<int>(y))));
  v.check(OF(layer_norm(expand_dims<0>(x), y, x)));
  v.check(OF(rms_norm(expand_dims<0>(x), y)));
  v.check(OF(vmap<0, 0>([](auto const& a, auto const& b) { return a * b; })(x, y)));
  v.check(OF(vmap<0, 0>([](auto const& a, auto const&) { return a; })(x, y)));
  v.check(OF(jvp([](auto const& a) { return sum(a); }, x, y).second));
  v.check(OF(vjp([](auto const& a) { return a * a; }, x).second(y)));
  v.check(OF(linearize([](auto const& a) { return a * a; }, x).second(y)));
  v.check(OF(scan(
                 [](auto const& c, auto const& s) {
                   return std::pair{c + s.first, s.second};
                 },
                 array<double>(0.0), std::pair{x, y})
                 .second));
  v.check(OF(map([](auto const& s) { return s.first * s.second; }, std::pair{x, y})));
  // a carry and results of branches that are of another size
  v.check(OF(scan<2>([&](auto const&) { return std::pair{y, std::tuple<>{}}; }, x).first));
  v.check(OF(fori_loop<0, 2>([&](auto const&, auto const&) { return y; }, x)));
  v.check(OF(cond(
      sum(x) > 100.0, [&](auto const& a) { return a; }, [&](auto const&) { return y; }, x)));
  v.check(OF(switch_(
      astype<int>(sum(x) * 0.0),
      std::tuple{[](auto const& a) { return a; }, [](auto const& a) { return -a; }, [&](auto const&) { return y; }},
      x)));
  v.check(OF(custom_jvp([](auto const& a) { return a * a; },
                        [&](auto const& a, auto const&) {
                          return std::pair{std::get<0>(a), y};
                        })(x)));
  v.check(OF(custom_vjp([](auto const& a) { return a * a; },
                        [](auto const& a) {
                          return std::pair{a, a};
                        },
                        [&](auto const&, auto const&) { return y; })(x)));
  v.check(OF(jit([](vec a, vec b) { return a + b; })(x, y)));
  pairs<mat, vec> r({2, 2}, {2}, {1}, {3});
  r.check(OF(x + y));
  r.check(OF(dot(x, y)));
  r.check(OF(dot(y, x)));
  r.check(OF(x * expand_dims<1>(y)));
  r.check(OF(einsum<"ij,j->i">(x, y)));
  r.check(OF(concatenate<0>(x, expand_dims<0>(y))));
  r.check(OF(softmax_cross_entropy(x, astype<int>(y))));
  r.check(OF(x.template at<every, picked>(astype<int>(y)).set(1.0)));
  r.check(OF(vmap<0, 0>([](auto const& a, auto const& b) { return a * b; })(x, y)));
  pairs<array<double, m, n>, array<double, n, m>> s({4, 2}, {2, 4}, {2, 1}, {1, 4});
  s.check(OF(dot(x, y)));
  s.check(OF(dot(y, x)));
  s.check(OF(x + transpose(y)));
  s.check(OF(concatenate<1>(x, transpose(y))));
  s.check(OF(einsum<"ij,ji->">(x, y)));
  pairs<vec, array<double, n2>> d({2}, {4}, {2}, {6});
  d.check(OF(concatenate(x, y)));
  d.check(OF(concatenate(x, x) * y));
  pairs<array<double, n, m>, array<double, nm>> p({2, 3}, {6}, {2}, {7});
  p.check(OF(x + sum(y * ravel(x))));
  pairs<array<double, n, 3, 2>, array<double, 1, n, 2, n>> q({2, 3, 2}, {1, 2, 2, 2}, {1, 1, 2, 1}, {1, 3, 2, 3});
  q.check(OF(matmul(x, y)));
  p.check(OF(outer(x.template at<every, every>().get(), y)));
}

TEST_CASE("a while loop's carry, and one array") {
  auto x = ones_of<vec>({2}), y = ones_of<vec>({1});
  auto loop = [&](auto const& b) {
    return while_loop([](auto const& c) { return sum(c) > 100.0; }, [&](auto const&) { return b; }, x);
  };
  CHECK(error_of([&] { return loop(x); }) == 0);
  CHECK(error_of([&] { return loop(y); }) == 110);
  CHECK(error_of([] { return ones_of<mat>({2, 3}); }) == 110);
  CHECK(error_of([] { return mat(array<double, 2, 3>{}); }) == 110);
  CHECK(error_of([] { return mat(array<double, 3, 3>{}); }) == 0);
  CHECK(error_of([] { return ones_of<array<double, n2>>({3}); }) == 110);
  CHECK(error_of([] { return ones_of<array<double, n, m, nm>>({2, 3, 5}); }) == 110);
  CHECK(error_of([] { return ones_of<array<double, n, m, nm>>({2, 3, 6}); }) == 0);
}

namespace {

/// f of an array with an empty axis: E032 in both modes, also where a transform or a loop runs it; a value where there
/// are elements.
template <class A, class F> void extreme(const char* what, F, std::array<extent, std::size_t(A::rank)> empty,
                                         std::array<extent, std::size_t(A::rank)> full) {
  CAPTURE(std::string(what));
  auto none = ones_of<A>(empty), some = ones_of<A>(full);
  auto compiled = jit([](A x) { return F{}(x); });
  CHECK(error_of([&] { return F{}(none); }) == 32);
  CHECK(error_of([&] { return compiled(none); }) == 32);
  CHECK(error_of([&] { return vmap<0>(F{})(expand_dims<0>(none)); }) == 32);
  CHECK(error_of([&] { return grad([](auto const& x) { return sum(astype<double>(F{}(x))) + sum(x); })(none); }) == 32);
  CHECK(error_of([&] {
          return fori_loop<0, 2>([&](auto const&, auto const& c) { return c + sum(astype<double>(F{}(none))); },
                                 array<double>(0.0));
        }) == 32);
  near(compiled(some), F{}(some));
}
#define EXTREME(...) #__VA_ARGS__, [](auto const& x) { return __VA_ARGS__; }

}  // namespace

TEST_CASE("extremes of a named axis that is empty in this call") {
  extreme<vec>(EXTREME(max(x)), {0}, {3});
  extreme<vec>(EXTREME(argmin(x)), {0}, {3});
  extreme<vec>(EXTREME(logsumexp(x)), {0}, {3});
  extreme<vec>(EXTREME(ptp(x)), {0}, {3});
  extreme<array<double, 2, n>>(EXTREME(min<1>(x)), {2, 0}, {2, 3});
  extreme<array<double, 2, n>>(EXTREME(argmax<-1>(x)), {2, 0}, {2, 3});
  extreme<array<double, 2, n>>(EXTREME(max<1>(x, keepdims)), {2, 0}, {2, 3});
  extreme<array<double, 2, n>>(EXTREME(argmax(x)), {2, 0}, {2, 3});
  extreme<array<double, n, 2>>(EXTREME(log_softmax<0>(x)), {0, 2}, {3, 2});
  extreme<array<double, n, 2>>(EXTREME(scan(
                                           [](auto const& c, auto const& s) {
                                             return std::pair{c, s};
                                           },
                                           max<0>(x), x)
                                           .first),
                               {0, 2}, {3, 2});
  extreme<array<double, n, m>>(EXTREME(max<1>(x)), {2, 0}, {2, 3});
  // along another axis there is nothing to say, and sums of nothing are 0
  auto none = ones_of<array<double, n, 2>>({0, 2});
  auto rest = [](array<double, n, 2> x) {
    return std::tuple{max<1>(x), argmax<1>(x), sum<0>(x), prod<0>(x), all<0>(x > 0.0)};
  };
  near(rest(none), std::tuple{ones_of<array<double, n>>({0}), ints::build([](int*) {}, {0}), array<double, 2>{},
                              array<double, 2>{1, 1}, array<bool, 2>{true, true}});
  near(jit(rest)(none), rest(none));
}

TEST_CASE("a name that no value tells has no size outside jit: E130") {
  auto x = ones_of<vec>({3});
  CHECK(error_of([] { return zeros<double, n>(); }) == 130);
  CHECK(error_of([] { return full<int, 2, n>(3); }) == 130);
  CHECK(error_of([] { return arange<int, n>(); }) == 130);
  CHECK(error_of([] { return eye<float, n>(); }) == 130);
  CHECK(error_of([&] { return broadcast_to<m, n>(x); }) == 130);
  CHECK(error_of([] { return random::uniform<float, n>(random::key(1)); }) == 130);
  CHECK(error_of([&] { return scan<n>([](auto const& c) { return std::pair{c, c}; }, x).first; }) == 130);
  CHECK(error_of([&] { return grad([](auto const& x) { return sum(x) + sum(zeros<double, n>()); })(x); }) == 130);
  CHECK(error_of([&] { return broadcast_to<2, n>(x); }) == 0);
}
