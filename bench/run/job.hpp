// SPDX-License-Identifier: BSD-3-Clause
// A job of the bench: what is called, and numbers that all peers must agree on. Each file beside this one adds jobs to
// a table; main.cpp runs what it is asked for.
#pragma once
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <etna/etna.hpp>

#include "data/sgd100.inc.hpp"

namespace bench {

using namespace etna;

/// call    once, as a user would call it
/// check   of one call's results: the sum of magnitudes and the sum of squares
/// inner   calls in a group, where one is too short for the clock
struct job {
  std::function<void()> call;
  std::function<std::pair<double, double>()> check;
  int inner = 1;
};

/// By peer ("etna", "xtensor", or "cpp": written by hand) and name.
inline std::map<std::pair<std::string, std::string>, job (*)()>& table() {
  static std::map<std::pair<std::string, std::string>, job (*)()> all;
  return all;
}
struct entry {
  entry(char const* peer, char const* name, job (*make)()) { table()[{peer, name}] = make; }
};

/// The compiler must take the result for used.
inline void use(void const* p) { asm volatile("" ::"r"(p) : "memory"); }
template <class Tree> void use_all(Tree const& t) {
  tree::for_each([](auto const& x) { use(x.data()); }, t);
}

template <class T> void add_numbers(std::pair<double, double>& s, T const* p, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    s.first += std::abs(double(p[i]));
    s.second += double(p[i]) * double(p[i]);
  }
}
template <class Tree> std::pair<double, double> numbers(Tree const& t) {
  std::pair<double, double> s{0, 0};
  tree::for_each([&](auto const& x) { add_numbers(s, x.data(), std::size_t(x.size())); }, t);
  return s;
}

/// Elements of a stream of test/data/formula.py, in [-scale / 2, scale / 2), plus `shift`.
template <class A> A filled(std::uint64_t stream, double scale, double shift = 0) {
  return A::build([&](auto* out) {
    for (extent i = 0; i < A::type.size(); ++i)
      out[i] = float(reference::value(std::uint64_t(i), stream, scale) + shift);
  });
}
/// n elements from -3 to 3, equally spaced.
template <class A> A ramp() {
  return A::build([](float* out) {
    for (extent i = 0; i < A::type.size(); ++i) out[i] = float(-3.0 + 6.0 * double(i) / double(A::type.size() - 1));
  });
}

/// The job of a pure function and its arguments.
template <class F, class... A> job of(F f, int inner, A... a) {
  auto args = std::make_shared<std::tuple<A...>>(std::move(a)...);
  auto run = [f, args] { return std::apply(f, *args); };
  return {[run] { use_all(run()); }, [run] { return numbers(run()); }, inner};
}

}  // namespace bench
