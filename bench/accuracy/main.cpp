// SPDX-License-Identifier: BSD-3-Clause
// The largest errors of elementary functions in kernels, and special values that are wrong: of f32 with one operand
// over all arguments, of others over a hundred million. The judge is the C library in double (f32) or long double
// (f64), and libquadmath where that is near a limit. run.sh has the options.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "accuracy/arguments.hpp"
#include "accuracy/kernels.hpp"
#include "references.hpp"

using namespace accuracy;

namespace {

struct options {
  std::uint64_t stride = 1, numbers = 100'000'000;  // of f32 with one operand; others
  bool markdown = false, bits = false;
  std::vector<double> hard;
  std::vector<std::string> names;
};

template <class T> struct finding {
  double ulp = 0;
  pair<T> at{};
  T got = 0;
};
/// Heaps have the least error on top.
template <class T> bool operator<(finding<T> const& a, finding<T> const& b) { return a.ulp > b.ulp; }

/// What one thread saw, then all.
template <class T> struct seen {
  std::vector<finding<T>> worst;  // a heap
  std::uint64_t special = 0, inexact = 0;
  finding<T> first_special, first_inexact;

  static constexpr std::size_t kept = sizeof(T) == 4 ? 1000 : 10'000;
  void add(finding<T> const& f) {
    if (worst.size() == kept) {
      if (f.ulp <= worst.front().ulp) return;
      std::pop_heap(worst.begin(), worst.end());
      worst.pop_back();
    }
    worst.push_back(f);
    std::push_heap(worst.begin(), worst.end());
  }
  void join(seen const& s) {
    for (auto const& f : s.worst) add(f);
    if (special == 0) first_special = s.first_special;
    if (inexact == 0) first_inexact = s.first_inexact;
    special += s.special;
    inexact += s.inexact;
  }
};

/// A function's truths in the three precisions that are needed for T.
template <class T> struct judges {
  function const& f;
  T (*in_type)(T, T);
  judge<T> (*wider)(judge<T>, judge<T>);
  __float128 (*quad)(__float128, __float128);

  explicit judges(std::size_t k)
      : f(functions[k]), in_type(values<T>()[k]), wider(values<judge<T>>()[k]), quad(quad_values()[k]) {}

  void look(pair<T> a, T got, seen<T>& s) const {
    if (f.law == law::rounded) {
      if (!same(got, in_type(a.x, a.y)) && s.special++ == 0) s.first_special = {0, a, got};
      return;
    }
    judge<T> const truth = wider(a.x, a.y);
    bool const weak = f.cancels && cancelled(a.x, a.y, truth);
    verdict v = judged(got, truth, f.any_zero);
    if (v.special || weak) {
      __float128 const q = !v.special || s.special < kept_specials ? quad(a.x, a.y) : __float128(truth);
      v = judged(got, q, f.any_zero);
      if (v.special) {
        if (s.special++ == 0) s.first_special = {0, a, got};
        return;
      }
    }
    s.add({v.ulp, a, got});
    if (f.law == law::exact && got != T(truth) && representable<T>(truth, sizeof(T) == 4 ? 50 : 61) &&
        representable<T>(quad(a.x, a.y), 108) && s.inexact++ == 0)
      s.first_inexact = {v.ulp, a, got};
  }
  static constexpr std::uint64_t kept_specials = 1000;  // with more of them wrong, quad need not confirm each
};

constexpr std::uint64_t block = 4096;

template <class T> struct job {
  judges<T> judge;
  loop<T> compute;
  std::vector<pair<T>> first;
  std::uint64_t numbers, stride;
  bool every;  // the numbers are bits

  pair<T> argument(std::uint64_t k) const {
    if (k < first.size()) return first[k];
    k -= first.size();
    if (every) return {std::bit_cast<T>(bits_of<T>(k * stride)), 0};
    return arguments<T>(judge.f, k);
  }
  /// look(S&, k, argument, result) for all numbers; each thread has an S of its own.
  template <class S, class Look> std::vector<S> each(Look look) const {
    std::atomic<std::uint64_t> next = 0;
    std::uint64_t const all = first.size() + numbers, blocks = (all + block - 1) / block;
    auto run_block = [&](std::uint64_t from, S& s) {
      alignas(64) static thread_local T x[block], y[block], out[block];
      std::uint64_t const end = std::min(from + block, all);
      for (std::uint64_t k = from; k < from + block; ++k) {
        auto [a, b] = argument(std::min(k, end - 1));
        x[k - from] = a;
        y[k - from] = b;
      }
      compute(x, y, out, block);
      for (std::uint64_t k = from; k < end; ++k) look(s, k, pair<T>{x[k - from], y[k - from]}, out[k - from]);
    };
    std::vector<S> parts(std::max(1u, std::thread::hardware_concurrency()));
    std::vector<std::thread> threads;
    for (auto& s : parts)
      threads.emplace_back([&] {
        for (std::uint64_t b; (b = next++) < blocks;) run_block(b * block, s);
      });
    for (auto& t : threads) t.join();
    return parts;
  }
  seen<T> run() const {
    auto parts = each<seen<T>>([&](auto& s, std::uint64_t, pair<T> a, T got) { judge.look(a, got, s); });
    for (std::size_t i = 1; i < parts.size(); ++i) parts[0].join(parts[i]);
    return parts[0];
  }
  /// Of the bits of all results, all NaN being one.
  std::uint64_t checksum() const {
    std::uint64_t sum = 0;
    for (std::uint64_t part : each<std::uint64_t>([](auto& s, std::uint64_t k, pair<T>, T got) {
           std::uint64_t const result = got == got ? bits(got) : ~std::uint64_t(0);
           s += chance{k ^ chance{result}()}();
         }))
      sum += part;
    return sum;
  }
};

template <class T> std::string text(pair<T> a, int operands) {
  char to[100];
  if (operands == 1) std::snprintf(to, sizeof to, "%a", double(a.x));
  else std::snprintf(to, sizeof to, "%a, %a", double(a.x), double(a.y));
  return to;
}

/// The largest difference, in ulp of T, of the wider type's values from quad's: what a judgement may be off by.
template <class T> double doubt(judges<T> const& j) {
  double most = 0;
  for (std::uint64_t k = 0; k < 4000; ++k) {
    auto a = arguments<T>(j.f, k);
    auto truth = j.wider(a.x, a.y);
    if (j.f.cancels && cancelled(a.x, a.y, truth)) continue;
    __float128 q = j.quad(a.x, a.y), off = (__float128(truth) - q);
    int e = std::max(exponent(q), std::numeric_limits<T>::min_exponent - 1);
    if (off - off != 0 || q == 0 || e >= std::numeric_limits<T>::max_exponent) continue;
    off *= power_of_two<__float128>(std::numeric_limits<T>::digits - 1 - e);
    most = std::max(most, double(off < 0 ? -off : off));
  }
  return most;
}

template <class T> std::string against(judges<T> const& j, finding<T> const& f) {
  char to[200];
  std::snprintf(to, sizeof to, "of %s is %a, not %a", text(f.at, j.f.operands).c_str(), double(f.got),
                double(j.f.law == law::rounded ? j.in_type(f.at.x, f.at.y) : T(j.quad(f.at.x, f.at.y))));
  return to;
}

/// Prints a line; true where all is as it should be.
template <class T> bool report(kernel const& k, std::size_t number, options const& o) {
  judges<T> j(number);
  function const& f = j.f;
  char const* const type = sizeof(T) == 4 ? "f32" : "f64";
  bool const every = sizeof(T) == 4 && f.operands == 1;
  job<T> all{j,
             of<T>(k).registers,
             listed<T>(f.operands),
             every ? (std::uint64_t(1) << 32) / o.stride : o.numbers,
             o.stride,
             every};
  if (f.operands == 1)
    for (double x : o.hard)
      for (T v : {T(x), T(-x)}) all.first.push_back({v, 0});
  if (o.bits) {
    std::printf("%-12s %s %016llx\n", f.name.data(), type, static_cast<unsigned long long>(all.checksum()));
    return true;
  }
  seen<T> s = all.run();
  finding<T> worst;
  for (finding<T> w : s.worst) {
    w.ulp = judged(w.got, j.quad(w.at.x, w.at.y), f.any_zero).ulp;
    if (w.ulp >= worst.ulp) worst = w;
  }
  double const unsure = f.law == law::rounded ? 0 : doubt(j);
  bool const good = worst.ulp <= 2 && s.special == 0 && s.inexact == 0 && unsure < 0.01;
  std::string const at = worst.ulp == 0 ? "" : text(worst.at, f.operands);
  if (o.markdown) {
    char ulp[30];
    std::snprintf(ulp, sizeof ulp, worst.ulp == 0 ? "0" : worst.ulp < 100 ? "%.3f" : "%.2g", worst.ulp);
    std::printf("%s %s | %s | %llu |%s", sizeof(T) == 4 ? ("| " + std::string(f.name) + " |").c_str() : "", ulp,
                at.c_str(), static_cast<unsigned long long>(s.special + s.inexact), sizeof(T) == 4 ? "" : "\n");
  } else {
    std::printf("%-12s %s %12.4g  %-48s %llu", f.name.data(), type, worst.ulp, at.c_str(),
                static_cast<unsigned long long>(s.special + s.inexact));
    if (s.special > 0) std::printf("  special: %s", against(j, s.first_special).c_str());
    if (s.inexact > 0)
      std::printf("  not exact, %llu times: %s", static_cast<unsigned long long>(s.inexact),
                  against(j, s.first_inexact).c_str());
    std::puts("");
  }
  if (unsure >= 0.01) std::fprintf(stderr, "accuracy: the judge of %s is off by %.3f ulp\n", f.name.data(), unsure);
  std::fflush(stdout);
  return good;
}

options read(int n, char** arg) {
  options o;
  for (int i = 1; i < n; ++i) {
    std::string const a = arg[i];
    if (a == "--quick") o.stride = 1021, o.numbers = 4'000'000;
    else if (a == "--markdown") o.markdown = true;
    else if (a == "--bits") o.bits = true;
    else if (a == "--hard" && i + 1 < n) {
      std::ifstream file(arg[++i]);
      for (std::string line; file >> line;) o.hard.push_back(std::strtod(line.c_str(), nullptr));
    } else o.names.push_back(a);
  }
  return o;
}

}  // namespace

int main(int n, char** arg) {
  options const o = read(n, arg);
  std::vector<kernel> all = kernels();
  for (kernel const& k : programs()) all.push_back(k);
  std::puts(o.bits       ? "function     type  checksum"
            : o.markdown ? "| function | f32: ulp | at | wrong | f64: ulp | at | wrong |\n| --- | ---: | --- | ---: | "
                           "---: | --- | ---: |"
                         : "function     type  largest ulp  at                                               wrong");
  bool good = true;
  for (auto const& name : o.names)
    if (std::none_of(all.begin(), all.end(), [&](kernel const& k) { return name == k.name; })) {
      std::fprintf(stderr, "accuracy: no function '%s'\n", name.c_str());
      return 2;
    }
  for (std::size_t i = 0; i < count; ++i)
    for (kernel const& k : all) {
      if (functions[i].name != k.name) continue;
      if (!o.names.empty() && std::find(o.names.begin(), o.names.end(), k.name) == o.names.end()) continue;
      good = report<float>(k, i, o) && good;
      good = report<double>(k, i, o) && good;
    }
  return good ? 0 : 1;
}
