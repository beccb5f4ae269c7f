// SPDX-License-Identifier: BSD-3-Clause
// A tree whose leaves ranks reduce together, small ones in one message: what a loop over all ranks' numbers gives.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <etna/dist/pmap.hpp>
#include <etna/dist/world.hpp>
#include <etna/etna.hpp>
#include <etna/exec/explain.hpp>
#include <string>

using namespace etna;

namespace {

struct inner {
  array<float> number;
  array<double, 5, 7> doubles;
  array<int, 3> ints;
};
/// Leaves of one element, of many, of none; one too large to travel with others, and more small ones than fit into a
/// message; four element types.
struct all_sizes {
  array<float, 3, 4> first;
  array<double> one;
  array<float, 300, 400> large;
  std::array<inner, 2> both;
  std::tuple<array<std::int64_t, 2, 2>, array<float, 20000>> more;
  std::array<array<float, 30000>, 10> many;
  array<float, 0, 4> nothing;
  array<double, 9> last;
};
template <class T> T numbers_of(int rank) {
  double from = rank;
  return tree::map(
      [&](auto const& like) {
        using A = std::remove_cvref_t<decltype(like)>;
        from += 0.37;
        return A::build([&](auto* x) {
          for (extent i = 0; i < A::type.size(); ++i)
            x[i] = std::remove_reference_t<decltype(*x)>(90 * std::sin(from + 0.7 * double(i)));
        });
      },
      T{});
}
/// By a loop over ranks.
template <class T, class F> T reduced(int ranks, F const& f) {
  T all = numbers_of<T>(0);
  for (int r = 1; r < ranks; ++r)
    all = tree::map(
        [&](auto const& a, auto const& b) {
          using A = std::remove_cvref_t<decltype(a)>;
          return A::build([&](auto* x) {
            for (extent i = 0; i < a.size(); ++i) x[i] = f(a.data()[i], b.data()[i]);
          });
        },
        all, numbers_of<T>(r));
  return all;
}

int wrong = 0, me = 0;
template <class T> void compare(const char* what, T const& got, T const& wanted, double tolerance) {
  int leaf = 0;
  tree::map(
      [&](auto const& x, auto const& y) {
        for (extent i = 0; i < x.size(); ++i)
          if (std::abs(double(x.data()[i]) - double(y.data()[i])) > tolerance) {
            std::printf("rank %d: %s: leaf %d [%d]: %.9g, not %.9g\n", me, what, leaf, int(i), double(x.data()[i]),
                        double(y.data()[i]));
            ++wrong;
            break;
          }
        ++leaf;
        return x;
      },
      got, wanted);
}

constexpr auto sums = dist::pmap<"i"_n>([](all_sizes const& t) { return psum<"i"_n>(t); });
constexpr auto extremes = dist::pmap<"i"_n>([](all_sizes const& t) {
  return std::pair{pmax<"i"_n>(t), pmin<"i"_n>(t)};
});
constexpr auto of_structs = dist::pmap<"i"_n>([](inner const& t) { return psum<"i"_n>(t); });
// Sizes that are known when it is called.
constexpr auto named = dist::pmap<"i"_n>([](array<double, "n"_n> const& x, array<double, 2, "n"_n> const& y) {
  return psum<"i"_n>(std::tuple{x, y});
});

int count(std::string const& text, std::string const& what) {
  int n = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
}

}  // namespace

int main(int argc, char** argv) {
  dist::session const mpi(&argc, &argv);
  auto const ranks = dist::world();
  dist::mesh<"i"_n> const all(*ranks);
  me = ranks->rank();
  int const n = ranks->size();
  auto const plus = [](auto a, auto b) { return a + b; };
  auto const greater = [](auto a, auto b) { return std::max(a, b); };
  auto const less = [](auto a, auto b) { return std::min(a, b); };

  auto const mine = numbers_of<all_sizes>(me);
  compare("psum", sums(mine), reduced<all_sizes>(n, plus), 1e-4);
  auto const [greatest, least] = extremes(mine);
  compare("pmax", greatest, reduced<all_sizes>(n, greater), 0);
  compare("pmin", least, reduced<all_sizes>(n, less), 0);
  compare("psum of a struct", of_structs(numbers_of<inner>(me)), reduced<inner>(n, plus), 1e-4);
  using five = std::tuple<array<double, 5>, array<double, 2, 5>>;
  auto const [x, y] = numbers_of<five>(me);
  auto const [sx, sy] = named(array<double, "n"_n>(x), array<double, 2, "n"_n>(y));
  compare("psum of named sizes", five{array<double, 5>(sx), array<double, 2, 5>(sy)}, reduced<five>(n, plus), 1e-12);

  // float: one that is large, one of none, and small ones in two messages; double, int and long in one each
  int const messages = count(show_plan(sums, mine), "allreduce");
  if (messages != 1 + 1 + 2 + 1 + 1 + 1 && ++wrong) std::printf("%d messages\n", messages);
  return wrong > 0;
}
