// SPDX-License-Identifier: BSD-3-Clause
// What a test program says of results: the first few that are wrong, and how many. No doctest: a program for one width
// of vectors has no object of another width in it. Read next: rows.cpp.
#pragma once
#include <cstdio>
#include <map>
#include <string>

#include "arguments.hpp"

namespace accuracy {

class tally {
  std::uint64_t checked = 0, wrong = 0;
  std::map<std::string, std::uint64_t> by_words;

  static bool far_in_library(std::string_view name) {
    return name == "cbrt" || name == "sin" || name == "cos" || name == "tan";
  }
  template <class T> void says(char const* what, std::string_view name, pair<T> at, double got, double wanted) {
    ++wrong;
    std::string const words = std::string(what) + ": " + std::string(name) + (sizeof(T) == 4 ? ", f32" : ", f64");
    if (++by_words[words] > 3) return;
    std::printf("%s, of %a", words.c_str(), double(at.x));
    if (bits(at.y) != 0) std::printf(", %a", double(at.y));
    std::printf(": is %a, not %a\n", got, wanted);
  }

 public:
  /// Results are to be these bits; of NaN any.
  template <class T> void same_bits(char const* what, std::string_view name, std::vector<pair<T>> const& at,
                                    T const* got, T const* wanted) {
    checked += at.size();
    for (std::size_t i = 0; i < at.size(); ++i)
      if (!same(got[i], wanted[i])) says(what, name, at[i], double(got[i]), double(wanted[i]));
  }
  /// Results of function number `k` are to be near the truth, with the right special values; or, outside of kernels,
  /// what the C library has: its cbrt, and sin, cos and tan of a few huge arguments, are not as near.
  template <class T>
  void truth(std::size_t k, std::vector<pair<T>> const& at, T const* got, bool or_of_library = false) {
    function const& f = functions[k];
    auto const wider = values<judge<T>>()[k];
    auto const in_type = values<T>()[k];
    checked += at.size();
    for (std::size_t i = 0; i < at.size(); ++i) {
      auto [x, y] = at[i];
      if (f.law == law::rounded) {
        if (T t = in_type(x, y); !same(got[i], t))
          says("not as IEEE 754 has it", f.name, at[i], double(got[i]), double(t));
        continue;
      }
      judge<T> const t = wider(x, y);
      if (f.cancels && cancelled(x, y, t)) continue;  // for quad to judge: bench/accuracy
      verdict const v = judged(got[i], t, f.any_zero);
      if (!v.special && v.ulp <= 2) continue;
      if (or_of_library && far_in_library(f.name) && same(got[i], in_type(x, y))) continue;
      says(v.special ? "special value" : "more than 2 ulp", f.name, at[i], double(got[i]), double(t));
    }
  }
  void fail(char const* sentence) {
    ++wrong;
    std::printf("%s\n", sentence);
  }
  int done(char const* program) const {
    for (auto const& [words, times] : by_words)
      if (times > 3) std::printf("%s: %llu are wrong\n", words.c_str(), static_cast<unsigned long long>(times));
    std::printf("%s: %llu results, %llu wrong\n", program, static_cast<unsigned long long>(checked),
                static_cast<unsigned long long>(wrong));
    return wrong == 0 ? 0 : 1;
  }
};

}  // namespace accuracy
