// SPDX-License-Identifier: BSD-3-Clause
// Nothing is ignored: of each public function, calls with an argument that it does not take are not there. The list is
// made of the headers by data/surface.py.
#include <math.h>
#include <stdlib.h>

#include <etna/language.hpp>

namespace {

using namespace etna;

struct other {};
struct any_pointer {
  template <class P> constexpr operator P*() const { return nullptr; }
};
struct same {
  template <class C> constexpr C operator()(C const& c) const { return c; }
};
struct same_of_second {
  template <class I, class C> constexpr C operator()(I const&, C const& c) const { return c; }
};
struct below_one {
  template <class C> constexpr auto operator()(C const& c) const { return less(c, 1.0); }
};
struct one_step {
  template <class C> constexpr auto operator()(C const& c) const { return std::pair{c, c}; }
};
struct slice_step {
  template <class C, class X> constexpr auto operator()(C const& c, X const& x) const { return std::pair{c, x}; }
};

/// What the calls are made with: junk first.
struct values {
  int i;
  double d;
  char const* s;
  array<bool, 3, 4> m;
  std::nullptr_t n;
  other o;
  array<double, 3, 4> x;
  array<double> a;
  array<bool> yes;
  array<int, 3, 4> k;
  array<int, 3> labels;
  array<double, 3> row;
  array<double, 4> row4;
  array<double, 3, 3> q;
  array<double, 2, 5, 4, 3> heads;
  array<double, 2, 5, 4, 3> pictures;
  array<double, 6, 5, 3, 3> kernels;
  array<double, 3, 3, 3, 5> turned;
  array<bool, 5, 5> m2;
  array<std::uint32_t, 2> words;
  random::prng_key key;
  array<double, 2, 5, 4> sounds;
  array<bool, 2, 5> m5;
  array<int, 2, 3> words_of;
  array<bool, 2, 3> m3;
  bool b;
  same f;
  same_of_second f2;
  below_one below;
  one_step step;
  slice_step step2;
  any_pointer p;
  std::tuple<same, same> branches;
};

#define THERE(...) \
  static_assert(   \
      requires(T t) { __VA_ARGS__; }, #__VA_ARGS__)
#define NOT_THERE(...) \
  static_assert(       \
      !requires(T t) { __VA_ARGS__; }, #__VA_ARGS__)
// An unqualified call with an array is etna's, which gives an array, or it is not there: C's takes a number, and would
// read one.
#define NOT_OF_C(...) \
  static_assert(      \
      !requires(T t) { __VA_ARGS__; } || requires(T t) { requires any_array<decltype(__VA_ARGS__)>; }, #__VA_ARGS__)
#include "data/surface_refused.inc.hpp"

}  // namespace
