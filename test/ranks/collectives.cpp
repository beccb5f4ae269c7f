// SPDX-License-Identifier: BSD-3-Clause
// Every collective of compiled functions, its derivatives and what surrounds it, on N ranks: each compares its part
// with what one process computes of all N under vmap.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <etna/dist/pmap.hpp>
#include <etna/dist/world.hpp>
#include <etna/etna.hpp>
#include <limits>
#include <string>

using namespace etna;

namespace {

int wrong = 0;
int me = 0;

/// What rank r has.
template <class A> A numbers(int r, double from = 0) {
  return A::build([&](double* x) {
    for (extent i = 0; i < A::type.size(); ++i) x[i] = std::sin(from + 1.3 * r + 0.7 * double(i));
  });
}
/// Those of all ranks, one behind the other.
template <extent N, class T, extent... E> array<T, N, E...> of_all(std::type_identity<array<T, E...>>, double from) {
  return array<T, N, E...>::build([&](T* x) {
    for (int r = 0; r < N; ++r) {
      auto const one = numbers<array<T, E...>>(r, from);
      std::copy(one.data(), one.data() + one.size(), x + r * one.size());
    }
  });
}

double largest = 0;
template <any_array A, any_array B> void compare(std::string const& what, A const& mine, B const& all) {
  extent const n = mine.size();
  for (extent i = 0; i < n; ++i) {
    double const x = double(mine.data()[i]), y = double(all.data()[me * n + i]), d = std::abs(x - y);
    largest = std::max(largest, d);
    if (d > 1e-12) {
      std::printf("rank %d: %s [%d]: %.17g, and one process has %.17g\n", me, what.c_str(), int(i), x, y);
      ++wrong;
      return;
    }
  }
}
template <class A, class B> void compare(std::string const& what, std::pair<A, B> const& mine, auto const& all) {
  compare(what, mine.first, all.first);
  compare(what, mine.second, all.second);
}
constexpr auto loss = [](auto const& y) { return sum(y * y * array<double>(0.5) + sin(y)); };

constexpr auto sums = [](auto const& x) { return psum<"i"_n>(x * x); };
constexpr auto means = [](auto const& x) { return pmean<"i"_n>(x); };
constexpr auto greatest = [](auto const& x) { return pmax<"i"_n>(x); };
constexpr auto least = [](auto const& x) { return pmin<"i"_n>(sin(x)); };
constexpr auto shifted = [](auto const& x) { return pshift<"i"_n, 1>(x); };
constexpr auto turned = [](auto const& x) { return pshift<"i"_n, -1>(x * x, ends::ring); };
constexpr auto placed = [](auto const& x) {
  return x * (astype<double>(axis_index<"i"_n>(x)) + 1.0) / astype<double>(axis_size<"i"_n>(x));
};
constexpr auto summed_parts = [](auto const& x) { return psum_scatter<"i"_n>(x); };
constexpr auto scattered = [](auto const& x) { return pscatter<"i"_n>(x, 0); };
template <extent N> constexpr auto sent = [](auto const& x) { return send_recv<"i"_n>(x, 0, int(N) - 1); };
template <extent N> constexpr auto spread_out = [](auto const& x) { return pbroadcast<"i"_n>(x, int(N) - 1); };
template <extent N> constexpr auto for_one = [](auto const& x) { return preduce<"i"_n>(x, int(N) / 2); };
template <extent N> constexpr auto collected = [](auto const& x) { return all_gather<"i"_n, N>(x); };
template <extent N> constexpr auto collected_by_one = [](auto const& x) { return pgather<"i"_n, N>(x, int(N) - 1); };
template <extent N> constexpr auto exchanged = [](auto const& x) { return all_to_all<"i"_n, N>(x); };

/// Each collective by g(f, argument), as a tuple: x for most, p where there is a part for each rank.
template <extent N> constexpr auto each_by = [](auto const& g, auto const& x, auto const& p) {
  return std::tuple{g(sums, x),          g(means, x),      g(greatest, x),     g(least, x),
                    g(shifted, x),       g(turned, x),     g(placed, x),       g(sent<N>, x),
                    g(spread_out<N>, x), g(for_one<N>, x), g(collected<N>, x), g(collected_by_one<N>, x),
                    g(summed_parts, p),  g(scattered, p),  g(exchanged<N>, p)};
};
constexpr const char* names[] = {"psum",         "pmean",     "pmax",       "pmin",    "pshift",     "pshift in a ring",
                                 "places",       "send_recv", "pbroadcast", "preduce", "all_gather", "pgather",
                                 "psum_scatter", "pscatter",  "all_to_all"};

constexpr auto itself = [](auto const& f, auto const& x) { return f(x); };
constexpr auto gradient = [](auto const& f, auto const& x) {
  return grad([f](auto const& t) { return loss(f(t)); })(x);
};
constexpr auto forward = [](auto const& f, auto const& x) { return jvp(f, std::tuple{x}, std::tuple{cos(x)}).second; };
constexpr auto batched = [](auto const& f, auto const& x) { return vmap<0>(f)(stack(x, x * x, exp(x))); };
constexpr auto in_scan = [](auto const& f, auto const& x) {
  return scan(
      [f](auto const& c, auto const& s) {
        auto const y = c * s + sum(f(c)) * 0.1;
        return std::pair{y, sum(f(y))};
      },
      x, array<double, 3>{0.5, -0.25, 1.5});
};
constexpr auto scan_gradient = [](auto const& f, auto const& x) {
  return grad([f](auto const& t) { return sum(in_scan(f, t).first); })(x);
};
constexpr auto in_branch = [](auto const& f, auto const& x) {
  return cond(
      psum<"i"_n>(sum(x)) > 0.0, [f](auto const& t) { return sum(f(t)); },
      [f](auto const& t) { return sum(f(t * 2.0)); }, x);
};

template <extent N> void all_of_them() {
  using row = array<double, 3>;
  using parts = array<double, N, 2>;
  auto const x = numbers<row>(me);
  auto const p = numbers<parts>(me, 0.3);
  auto const xs = of_all<N>(std::type_identity<row>{}, 0);
  auto const ps = of_all<N>(std::type_identity<parts>{}, 0.3);
  auto const run = [&]<class G>(const char* way, G) {
    constexpr auto f = [](auto const& t, auto const& u) { return each_by<N>(G{}, t, u); };
    auto const mine = dist::pmap<"i"_n>(f)(x, p);
    auto const one = jit(vmap<0, 0>(f, axis_name<"i"_n>))(xs, ps);
    [&]<std::size_t... K>(std::index_sequence<K...>) {
      (compare(std::string(names[K]) + way, std::get<K>(mine), std::get<K>(one)), ...);
    }(std::make_index_sequence<std::size(names)>{});
  };
  run("", itself);
  run(", its gradient", gradient);
  if constexpr (N == 3) {
    run(", its jvp", forward);
    run(" under vmap", batched);
    run(" in a scan", in_scan);
    run(" in a scan, its gradient", scan_gradient);
    run(" in a branch", in_branch);
  }
}

/// Ranks that come with another array, or with another collective, are told so, and nobody computes with garbage.
template <class F, class A> void comes_otherwise(const char* what, F f, A const& x) {
  int number = 0;
  try {
    (void)f(x);
  } catch (error const& e) { number = e.number; }
  if (number == 170) return;
  std::printf("rank %d: %s: %d\n", me, what, number);
  ++wrong;
}
/// A NaN is the greatest and the least, whosever it is.
void of_nan() {
  constexpr auto f = dist::pmap<"i"_n>([](auto const& x) { return std::pair{pmax<"i"_n>(x), pmin<"i"_n>(x)}; });
  auto const look = [&]<class T>(T) {
    for (int r = 0; r < 4; ++r) {
      auto const [most, least] = f(array<T, 2>{me == r ? std::numeric_limits<T>::quiet_NaN() : T(3), T(me)});
      bool const here = r < dist::mesh<"i"_n>::current().size(0);
      if ((most(0) != most(0)) == here && (least(0) != least(0)) == here && most(1) == most(1)) continue;
      std::printf("rank %d: a NaN of rank %d: %g, %g\n", me, r, double(most(0)), double(least(0)));
      ++wrong;
    }
  };
  look(double());
  look(float());
}
/// A root that the axis does not have.
void of_no_root() {
  constexpr auto f = dist::pmap<"i"_n>([](auto const& x) { return pbroadcast<"i"_n>(x, 9); });
  int number = 0;
  try {
    (void)f(array<double, 4>{});
  } catch (error const& e) { number = e.number; }
  if (number == 168) return;
  std::printf("rank %d: no root 9: %d\n", me, number);
  ++wrong;
}
void that_differ() {
  constexpr auto f = dist::pmap<"i"_n>([](auto const& x) { return psum<"i"_n>(x * 2.0); });
  constexpr auto g = dist::pmap<"i"_n>([](auto const& x) { return pmax<"i"_n>(x * 3.0); });
  if (me == 0) comes_otherwise("another size", f, array<double, 5>{});
  else comes_otherwise("another size", f, array<double, 6>{});
  if (me == 0) comes_otherwise("another reduction", f, array<double, 7>{});
  else comes_otherwise("another reduction", g, array<double, 7>{});
}

}  // namespace

/// Some ranks have called the function in a group of their own before all do.
void in_two_groups(dist::process_group& ranks) {
  constexpr auto f = dist::pmap<"i"_n>([](array<float, 8> const& x) { return psum<"i"_n>(x); });
  auto const part = ranks.split(ranks.rank() < 2, 0);
  if (ranks.rank() < 2) {
    dist::mesh<"i"_n> const m(*part);
    (void)f(ones<float, 8>());
  }
  dist::mesh<"i"_n> const m(ranks);
  if (f(ones<float, 8>())(0) == float(ranks.size())) return;
  std::printf("rank %d: a sum of all is wrong behind one of some\n", ranks.rank());
  ++wrong;
}

int main(int argc, char** argv) {
  dist::session const mpi(&argc, &argv);
  auto const ranks = dist::world();
  dist::mesh<"i"_n> const all(*ranks);
  me = ranks->rank();
  switch (ranks->size()) {
    case 1: all_of_them<1>(); break;
    case 2: all_of_them<2>(); break;
    case 3: all_of_them<3>(); break;
    default: all_of_them<4>();
  }
  in_two_groups(*ranks);
  of_nan();
  of_no_root();
  if (ranks->size() > 1) that_differ();
  if (wrong == 0 && me == 0) std::printf("largest difference from one process: %.1e\n", largest);
  return wrong > 0;
}
