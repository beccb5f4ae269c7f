// SPDX-License-Identifier: BSD-3-Clause
// What a loop hands to another one lies with its large axis behind, where the others are small, and as it was where
// somebody else sees it; the numbers stay the interpreter's.
#include <string>

#include "same.hpp"

using namespace test;

namespace {

constexpr extent rounds = 4;
template <extent... E> using state = array<double, E...>;

/// The derivative by a first state and by what each round reads: the second loop reads what the first one has kept.
template <extent... E> constexpr auto loss = [](state<E...> s, array<double, rounds> w) {
  return sum(scan(
                 [](state<E...> s, array<double> w) {
                   return std::pair{state<E...>(sin(s * w) + 0.5 * s * s), std::tuple{}};
                 },
                 s, w)
                 .first);
};
/// The types of slices and results of loops, as the pass leaves them, that have `part` in them.
template <extent... E> bool has(const char* part) {
  auto f = [](state<E...> s, array<double, rounds> w) { return grad<0, 1>(loss<E...>)(s, w); };
  as_eager(f, some<state<E...>>(1, 0.1, 0.9), some<array<double, rounds>>(2, 0.1, 0.9));
  return show<after<"behind">>(f, state<E...>{}, array<double, rounds>{}).find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a large axis before small ones goes behind") {
  CHECK(has<40, 3>("f64[4,3,40]"));
  CHECK_FALSE(has<40, 3>("f64[4,40,3]"));
  CHECK(has<2, 40, 3>("f64[4,2,3,40]"));
  CHECK_FALSE(has<2, 40, 3>("f64[4,2,40,3]"));
}
TEST_CASE("other slices stay") {
  CHECK(has<3, 40>("f64[4,3,40]"));    // it is behind
  CHECK(has<40, 20>("f64[4,40,20]"));  // rows that are no small ones
  CHECK(has<4, 3>("f64[4,4,3]"));      // no large one
  CHECK(has<40, 16, 17>("f64[4,40,16,17]"));
}
TEST_CASE("what is seen elsewhere stays") {
  using table = array<double, rounds, 40, 3>;
  using slice = array<double, 40, 3>;
  auto f = [](table x) {
    auto const y = map([](slice a) { return slice(sin(a)); }, x);
    auto const all = scan([](slice s, slice a) { return std::pair{slice(s * a), std::tuple{}}; }, slice{}, y).first;
    return std::pair{all, y};
  };
  as_eager(f, some<table>(1));
  CHECK(show<after<"behind">>(f, table{}).find("f64[4,3,40]") == std::string::npos);
}
