// SPDX-License-Identifier: BSD-3-Clause
// Which programs over a mesh are refused while compiling, and which are not: each by the number of its error.
#include <doctest/doctest.h>

#include <etna/dist/shard_map.hpp>
#include <etna/etna.hpp>

using namespace etna;
using dist::axis, dist::in_specs, dist::out_specs, dist::spec;

namespace {
using grid = dist::mesh<axis("a"_n, 2), axis("b"_n, 2)>;
using row = array<double, 3>;
using whole = spec<>;
using by_a = spec<"a"_n>;
using by_both = spec<"a"_n, "b"_n>;

/// The error of f on one argument that is cut as In says, with a result that is cut as Out says.
template <class In, class Out, class A = row, class F> constexpr int error_of(F) {
  using shards = dist::detail::shards<grid, in_specs<In>, out_specs<Out>>;
  return compiler::trace_of<dist::detail::over_mesh<grid, shards, F>, A>::get().error;
}
constexpr int fine = 0, differs = 186, only_some = 187;

constexpr auto over_a = [](auto const& x) { return psum<"a"_n>(x); };
constexpr auto positive = [](auto const& x) { return sum(x) > 0.0; };
constexpr auto itself = [](auto const& x) { return x; };
constexpr auto sin_of = [](auto const& x) { return sin(x); };
constexpr auto doubled = [](auto const& x) { return x + x; };
constexpr auto loss = [](auto const& w) { return sum(w * w * w); };
}  // namespace

TEST_CASE("what is the same on all ranks") {
  static_assert(error_of<by_a, by_a>(itself) == fine);
  static_assert(error_of<by_a, whole>(itself) == differs);
  static_assert(error_of<whole, whole>(itself) == fine);
  static_assert(error_of<by_a, whole>(over_a) == fine);
  static_assert(error_of<by_a, whole>([](auto const& x) { return over_a(x) * x; }) == differs);
  static_assert(error_of<by_a, whole>([](auto const& x) { return all_gather<"a"_n, 2>(x * x); }) == fine);
  static_assert(error_of<whole, whole>([](auto const& x) { return psum<"a"_n, "b"_n>(x); }) == fine);
  static_assert(error_of<by_a, whole>([](auto const& x) { return pmin<"a"_n>(x) + pmean<"a"_n>(x); }) == fine);
}
TEST_CASE("what a rank has for itself") {
  static_assert(error_of<whole, whole>([](auto const& x) { return x * astype<double>(axis_index<"a"_n>(x)); }) ==
                differs);
  static_assert(error_of<whole, whole>([](auto const& x) { return x * astype<double>(axis_size<"a"_n>(x)); }) == fine);
  static_assert(error_of<whole, by_a>([](auto const& x) { return x * astype<double>(axis_index<"a"_n>(x)); }) == fine);
  static_assert(error_of<whole, by_a>([](auto const& x) { return x * astype<double>(axis_index<"b"_n>(x)); }) ==
                differs);
  static_assert(error_of<whole, whole>([](auto const& x) { return dynamic_slice<1>(x, axis_index<"a"_n>(x)); }) ==
                differs);
  static_assert(error_of<whole, whole>([](auto const& x) { return where(axis_index<"a"_n>(x) > 0, x, -x); }) ==
                differs);
  static_assert(error_of<whole, whole>([](auto const& x) { return take(x, axis_index<"a"_n>(x)); }) == differs);
  static_assert(error_of<whole, whole>([](auto const& x) { return pshift<"a"_n, 1>(x); }) == differs);
  static_assert(error_of<whole, whole>([](auto const& x) { return preduce<"a"_n>(x); }) == differs);
  static_assert(error_of<by_a, whole>([](auto const& x) { return pbroadcast<"a"_n>(x); }) == fine);
  static_assert(error_of<whole, whole, array<double, 2, 3>>([](auto const& x) { return psum_scatter<"a"_n>(x); }) ==
                differs);
  static_assert(error_of<whole, whole, array<double, 2, 3>>([](auto const& x) { return all_to_all<"a"_n, 2>(x); }) ==
                differs);
  static_assert(error_of<whole, whole, array<double, 2, 3>>(
                    [](auto const& x) { return all_gather<"a"_n, 2>(psum_scatter<"a"_n>(x)); }) == fine);
}
TEST_CASE("an axis whose size is told at the start") {
  constexpr auto error = []<class Out, class F>(Out, F) {
    using open = dist::mesh<"a"_n>;
    using shards = dist::detail::shards<open, in_specs<by_a>, out_specs<Out>>;
    return compiler::trace_of<dist::detail::over_mesh<open, shards, F>, row>::get().error;
  };
  static_assert(error(whole(), [](auto const& x) { return pmean<"a"_n>(x); }) == fine);
  static_assert(error(whole(), [](auto const& x) { return x * astype<double>(axis_size<"a"_n>(x)); }) == differs);
  static_assert(error(whole(), [](auto const& x) { return over_a(x) / astype<double>(axis_size<"a"_n>(x)); }) == fine);
}
TEST_CASE("two axes") {
  using square = array<double, 2, 2>;
  static_assert(error_of<by_both, by_a, square>(over_a) == differs);
  static_assert(error_of<by_both, spec<none, "b"_n>, square>(over_a) == fine);
  static_assert(error_of<by_both, whole, square>([](auto const& x) { return psum<"a"_n, "b"_n>(x); }) == fine);
  static_assert(error_of<by_both, whole, square>([](auto const& x) { return all_gather<"b"_n, 2>(over_a(x)); }) ==
                fine);
}
TEST_CASE("in loops") {
  static_assert(error_of<by_a, whole>([](auto const& x) {
                  return scan(
                      [](auto const& c, auto const& s) {
                        return std::pair{over_a(c) * s, c};
                      },
                      over_a(x), array<double, 3>{1, 2, 3});
                }) == fine);
  // the carry is the same on all ranks at first, and then not: in the second round through another carry
  static_assert(error_of<by_a, whole>([](auto const& x) {
                  return scan(
                      [x](auto const& c, auto const& s) {
                        return std::pair{c * s + x, s};
                      },
                      zeros_like(x), array<double, 3>{1, 2, 3});
                }) == differs);
  static_assert(error_of<by_a, whole>([](auto const& x) {
                  auto const last = scan(
                      [](auto const& c, auto const& s) {
                        auto const [p, q, r] = c;
                        return std::pair{std::tuple{q, r, r}, p * s};
                      },
                      std::tuple{zeros_like(x), zeros_like(x), x}, array<double, 3>{1, 2, 3});
                  return std::get<0>(last.first);
                }) == differs);
  static_assert(error_of<by_a, whole>([](auto const& x) {
                  return fori_loop<0, 3>([](auto const&, auto const& c) { return sin(over_a(c)); }, over_a(x));
                }) == fine);
  // a carry that is reduced in each round, and is not before the first
  static_assert(error_of<by_a, whole>([](auto const& x) {
                  return fori_loop<0, 3>([](auto const&, auto const& c) { return sin(over_a(c)); }, x);
                }) == differs);
  static_assert(error_of<by_a, whole>([](auto const& x) {
                  return while_loop([](auto const& c) { return sum(c) < 9.0; }, [](auto const& c) { return over_a(c); },
                                    over_a(x));
                }) == fine);
  static_assert(error_of<by_a, by_a>([](auto const& x) {
                  return while_loop([](auto const& c) { return sum(c) < 9.0; }, [](auto const& c) { return c + c; }, x);
                }) == fine);
  static_assert(error_of<by_a, by_a>([](auto const& x) {
                  return while_loop([](auto const& c) { return sum(over_a(c)) < 9.0; },
                                    [](auto const& c) { return c + over_a(c); }, x);
                }) == fine);
  static_assert(error_of<by_a, by_a>([](auto const& x) {
                  return while_loop([](auto const& c) { return sum(c) < 9.0; },
                                    [](auto const& c) { return c + over_a(c); }, x);
                }) == only_some);
  // the predicate itself asks all
  static_assert(error_of<by_a, by_a>([](auto const& x) {
                  return while_loop([](auto const& c) { return sum(c) + sum(over_a(c)) < 9.0; },
                                    [](auto const& c) { return c + c; }, x);
                }) == only_some);
  // how often a loop goes round is a result too
  static_assert(error_of<by_a, whole>([](auto const& x) {
                  return std::get<1>(while_loop([](auto const& c) { return sum(std::get<0>(c)) < 9.0; },
                                                [](auto const& c) {
                                                  return std::tuple{std::get<0>(c) + 1.0, std::get<1>(c) + 1};
                                                },
                                                std::tuple{x, array<int>(0)}));
                }) == differs);
}
TEST_CASE("in branches") {
  static_assert(error_of<by_a, by_a>([](auto const& x) { return cond(positive(x), over_a, itself, x); }) == only_some);
  static_assert(error_of<by_a, by_a>([](auto const& x) { return cond(positive(over_a(x)), over_a, itself, x); }) ==
                fine);
  static_assert(error_of<by_a, whole>([](auto const& x) { return cond(positive(x), doubled, itself, over_a(x)); }) ==
                differs);
  static_assert(error_of<by_a, whole>(
                    [](auto const& x) { return cond(positive(over_a(x)), doubled, itself, over_a(x)); }) == fine);
  // along another axis of the mesh than that along which the predicate differs
  static_assert(error_of<by_a, by_a>([](auto const& x) {
                  return cond(
                      positive(x), [](auto const& y) { return psum<"b"_n>(y); }, itself, x);
                }) == fine);
  static_assert(error_of<by_a, by_a>([](auto const& x) {
                  return cond(
                      positive(over_a(x)), [](auto const& y) { return cond(positive(y), over_a, itself, y); }, itself,
                      x);
                }) == only_some);
  static_assert(error_of<by_a, by_a>([](auto const& x) {
                  return cond(
                      positive(x), [](auto const& y) { return cond(positive(over_a(y)), itself, itself, y); }, itself,
                      x);
                }) == only_some);
  static_assert(error_of<by_a, by_a>([](auto const& x) {
                  return cond(
                      positive(x),
                      [](auto const& y) {
                        return scan(
                                   [](auto const& c, auto const&) {
                                     return std::pair{over_a(c), c};
                                   },
                                   y, array<double, 2>{1, 2})
                            .first;
                      },
                      itself, x);
                }) == only_some);
}
TEST_CASE("in derivatives") {
  static_assert(error_of<whole, whole>([](auto const& w) { return grad(loss)(w); }) == fine);
  static_assert(error_of<by_a, whole>([](auto const& w) { return grad(loss)(w); }) == differs);
  static_assert(error_of<by_a, whole>([](auto const& w) { return over_a(grad(loss)(w)); }) == fine);
  static_assert(error_of<by_a, whole>([](auto const& w) {
                  return grad([](auto const& v) { return sum(over_a(v * v)); })(w);
                }) == differs);
  static_assert(error_of<by_a, whole>([](auto const& w) {
                  return grad([](auto const& v) {
                    return sum(scan(
                                   [](auto const& c, auto const& s) {
                                     return std::pair{sin(c) * s, c};
                                   },
                                   v, array<double, 3>{1, 2, 3})
                                   .first);
                  })(over_a(w));
                }) == fine);
  static_assert(error_of<by_a, whole>([](auto const& w) {
                  return grad([w](auto const& v) {
                    return sum(scan(
                                   [w](auto const& c, auto const& s) {
                                     return std::pair{sin(c * w) * s, c};
                                   },
                                   v, array<double, 3>{1, 2, 3})
                                   .first);
                  })(over_a(w));
                }) == differs);
  static_assert(error_of<by_a, whole>([](auto const& w) { return jvp(loss, w, w).second; }) == differs);
  static_assert(error_of<by_a, whole>([](auto const& w) {
                  return grad([w](auto const& v) { return sum(checkpoint(sin_of)(v * w)); })(over_a(w));
                }) == differs);
  static_assert(error_of<by_a, whole>([](auto const& w) {
                  return grad([](auto const& v) { return sum(checkpoint(over_a)(v)); })(over_a(w));
                }) == fine);
}

TEST_CASE("under vmap, where both branches run") {
  using square = array<double, 2, 3>;
  static_assert(error_of<by_a, by_a, square>([](auto const& x) {
                  return vmap<0>([](auto const& r) { return cond(positive(r), over_a, itself, r); })(x);
                }) == fine);
  static_assert(error_of<by_a, by_a, square>([](auto const& x) {
                  return vmap<0>([x](auto const& r) { return cond(positive(x), over_a, itself, r); })(x);
                }) == only_some);
  static_assert(error_of<by_a, whole, square>([](auto const& x) { return vmap<0>(over_a)(x); }) == fine);
  static_assert(error_of<by_a, whole, square>([](auto const& x) { return vmap<0>(doubled)(x); }) == differs);
  static_assert(error_of<whole, whole, square>([](auto const& x) {
                  return vmap<0>([](auto const& r) { return r * astype<double>(axis_index<"a"_n>(r)); })(x);
                }) == differs);
  static_assert(error_of<by_a, whole, square>([](auto const& x) {
                  return vmap<0>([](auto const& r) { return psum<"i"_n>(r); }, axis_name<"i"_n>)(x);
                }) == differs);
  static_assert(error_of<by_a, whole, square>([](auto const& x) {
                  return vmap<0>([](auto const& r) { return psum<"i"_n, "a"_n>(r); }, axis_name<"i"_n>)(x);
                }) == fine);
  static_assert(error_of<whole, whole, square>([](auto const& x) {
                  return vmap<0>([](auto const& r) {
                    return scan(
                               [](auto const& c, auto const& s) {
                                 return std::pair{c * s + pshift<"a"_n, 1>(c), c};
                               },
                               r, array<double, 2>{1, 2})
                        .first;
                  })(x);
                }) == differs);
}
namespace {
constexpr auto forward = [](auto const& x) { return std::pair{sum(x), x}; };
template <auto Backward> constexpr auto ruled = custom_vjp([](auto const& x) { return sum(x); }, forward, Backward);
constexpr auto reduces = [](auto const& x, auto const& ct) { return over_a(x * ct); };
constexpr auto keeps = [](auto const& x, auto const& ct) { return x * ct; };
constexpr auto place = [](auto const& x, auto const& ct) { return x * ct * astype<double>(axis_index<"a"_n>(ct)); };
constexpr auto passes = [](auto const&, auto const& ct) { return broadcast_to<3>(pshift<"a"_n, 1>(ct)); };
constexpr auto square_of = custom_jvp([](auto const& x) { return over_a(x) * over_a(x); },
                                      [](auto const& x, auto const& t) {
                                        auto const [a] = x;
                                        auto const [d] = t;
                                        return std::pair{over_a(a) * over_a(a), 2.0 * over_a(a) * over_a(d)};
                                      });
}  // namespace
TEST_CASE("rules of the user's") {
  static_assert(error_of<by_a, whole>([](auto const& x) { return grad(ruled<reduces>)(x); }) == fine);
  static_assert(error_of<by_a, whole>([](auto const& x) { return grad(ruled<keeps>)(x); }) == differs);
  static_assert(error_of<whole, whole>([](auto const& x) { return grad(ruled<keeps>)(x); }) == fine);
  static_assert(error_of<whole, whole>([](auto const& x) { return grad(ruled<place>)(x); }) == differs);
  static_assert(error_of<by_a, whole>(square_of) == fine);
  static_assert(error_of<by_a, whole>([](auto const& x) { return jvp(square_of, x, x).second; }) == fine);
  // forward through a rule for reverse mode: its transpose
  static_assert(error_of<whole, whole>([](auto const& x) { return jvp(ruled<keeps>, x, x).second; }) == fine);
  static_assert(error_of<whole, whole>([](auto const& x) { return jvp(ruled<place>, x, x).second; }) == differs);
  static_assert(error_of<whole, whole>([](auto const& x) { return jvp(ruled<passes>, x, x).second; }) == differs);
  static_assert(error_of<by_a, by_a>([](auto const& x) {
                  return cond(
                             positive(x), [](auto const& y) { return jvp(ruled<passes>, y, y).second; }, loss, x) *
                         x;
                }) == only_some);
}
