// SPDX-License-Identifier: BSD-3-Clause
// Matrix products alone, on one core: jit of dot with operands as they lie or transposed, beside OpenBLAS through its C
// interface and the core's own peak, all measured in turns. Prints a table. See bench/run.sh.
#include <dlfcn.h>
#include <sched.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <etna/etna.hpp>
#include <etna/exec/machine.hpp>

#include "../timing.hpp"

namespace {

using namespace etna;
using bench::clock_type;
using bench::since;

double seconds = 0.2;  // for each product and each peer
bool good = true;

/// The best time of one call of each, in turns of a millisecond.
template <class... F> std::array<double, sizeof...(F)> best(F const&... f) {
  std::array<double, sizeof...(F)> least;
  least.fill(1e9);
  auto turn = [](auto const& call, double& best) {
    for (auto begin = clock_type::now(); since(begin) < 1e-3;) {
      auto t = clock_type::now();
      call();
      best = std::min(best, since(t));
    }
  };
  for (auto begin = clock_type::now(); since(begin) < seconds * sizeof...(F);) {
    std::size_t i = 0;
    (turn(f, least[i++]), ...);
  }
  return least;
}

// OpenBLAS: the names and integers of a system's library, or of the one that NumPy's packages bring.
template <class T, class Int>
using gemm = void (*)(int, int, int, Int, Int, Int, T, T const*, Int, T const*, Int, T, T*, Int);
struct blas {
  void* library = nullptr;
  void* find(std::string const& name) const { return library ? dlsym(library, name.c_str()) : nullptr; }
  template <class T> bool has() const {
    return find(name_of<T>()) || find("scipy_" + name_of<T>()) || find("scipy_" + name_of<T>() + "64_");
  }
  template <class T> static std::string name_of() { return sizeof(T) == 4 ? "cblas_sgemm" : "cblas_dgemm"; }
  template <class T>
  void product(bool turned_a, bool turned_b, int m, int n, int k, T const* a, T const* b, T* c) const {
    auto call = [&]<class Int>(void* f, Int) {
      auto kind = [](bool turned) { return turned ? 112 : 111; };
      reinterpret_cast<gemm<T, Int>>(f)(101, kind(turned_a), kind(turned_b), m, n, k, T(1), a, turned_a ? m : k, b,
                                        turned_b ? k : n, T(0), c, n);
    };
    if (void* f = find(name_of<T>())) call(f, 0);
    else if (void* g = find("scipy_" + name_of<T>())) call(g, 0);
    else call(find("scipy_" + name_of<T>() + "64_"), 0L);
  }
};
blas openblas;

/// Small integers, so that every order of sums gives the same.
template <class A> A integers(unsigned seed) {
  return A::build([&](auto* out) {
    for (extent i = 0; i < A::type.size(); ++i) {
      seed = seed * 1664525u + 1013904223u;
      out[i] = std::decay_t<decltype(*out)>(int(seed >> 29) - 3);
    }
  });
}

template <bool Turned, class A> constexpr auto seen(A const& a) {
  if constexpr (Turned) return transpose(a);
  else return a;
}
template <class T, int M, int K, int N, bool TurnedA, bool TurnedB> void one(double peak) {
  using A = array<T, TurnedA ? K : M, TurnedA ? M : K>;
  using B = array<T, TurnedB ? N : K, TurnedB ? K : N>;
  constexpr auto f = jit([](A a, B b) { return dot(seen<TurnedA>(a), seen<TurnedB>(b)); });
  A a = integers<A>(1);
  B b = integers<B>(2);
  array<T, M, N> c = f(a, b);
  std::vector<T> peer(std::size_t(M * N)), plain(std::size_t(M * N));
  bool beside = openblas.has<T>();
  if (beside) openblas.product<T>(TurnedA, TurnedB, M, N, K, a.data(), b.data(), peer.data());
  for (int i = 0; i < M; ++i)
    for (int x = 0; x < K; ++x) {
      T s = a.data()[TurnedA ? x * M + i : i * K + x];
      for (int j = 0; j < N; ++j) plain[std::size_t(i * N + j)] += s * b.data()[TurnedB ? j * K + x : x * N + j];
    }
  auto same = [&](char const* who, T const* x) {
    auto at = std::mismatch(plain.begin(), plain.end(), x);
    if (at.first == plain.end()) return;
    std::fprintf(stderr, "bench: %dx%dx%d: %s has %g, plain loops %g\n", M, K, N, who, double(*at.second),
                 double(*at.first));
    good = false;
  };
  same("etna", c.data());
  if (beside) same("OpenBLAS", peer.data());
  double work = 2e-9 * M * K * N;
  auto mine = [&] { c = f(a, b); };
  if (beside) {
    auto [e, o] = best(mine, [&] { openblas.product<T>(TurnedA, TurnedB, M, N, K, a.data(), b.data(), peer.data()); });
    std::printf(" | %.1f (%.2f, %.2f)", work / e, work / e / peak, o / e);
  } else std::printf(" | %.1f (%.2f)", work / best(mine)[0], work / best(mine)[0] / peak);
  std::fflush(stdout);
}
template <class T, int M, int K, int N> void shape(double peak) {
  std::printf("| %dx%dx%d | f%d", M, K, N, int(8 * sizeof(T)));
  one<T, M, K, N, false, false>(peak);
  one<T, M, K, N, false, true>(peak);
  one<T, M, K, N, true, false>(peak);
  one<T, M, K, N, true, true>(peak);
  std::printf(" |\n");
}
template <class T> void all() {
  double p = 1e-9 * exec::measure_fma<T>(1);
  shape<T, 32, 784, 512>(p);
  shape<T, 784, 32, 512>(p);
  shape<T, 64, 256, 256>(p);
  shape<T, 512, 512, 512>(p);
  shape<T, 1024, 1024, 1024>(p);
  shape<T, 32, 512, 10>(p);
  shape<T, 512, 32, 10>(p);
  shape<T, 32, 10, 512>(p);
}

}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i + 1 < argc; i += 2) {
    std::string option = argv[i];
    if (option == "--seconds") seconds = std::atof(argv[i + 1]);
    else if (option == "--blas" && *argv[i + 1]) {
      openblas.library = dlopen(argv[i + 1], RTLD_NOW);
      if (!openblas.library) std::fprintf(stderr, "bench: no OpenBLAS: %s\n", dlerror());
    }
  }
  cpu_set_t cores, first;
  CPU_ZERO(&first);
  sched_getaffinity(0, sizeof cores, &cores);
  for (int i = 0; i < CPU_SETSIZE; ++i)
    if (CPU_ISSET(i, &cores)) {
      CPU_SET(i, &first);
      break;
    }
  sched_setaffinity(0, sizeof first, &first);

  for (char const* name : {"openblas_get_config", "scipy_openblas_get_config", "scipy_openblas_get_config64_"})
    if (void* f = openblas.find(name)) std::printf("%s\n", reinterpret_cast<char* (*)()>(f)());
  std::printf("peak: f32 %.1f, f64 %.1f GFLOP/s\n", 1e-9 * exec::measure_fma<float>(1),
              1e-9 * exec::measure_fma<double>(1));
  std::printf("GFLOP/s, in brackets the share of the peak%s\n\n",
              openblas.library ? ", and OpenBLAS's time divided by etna's" : "");
  std::printf("| m x k x n | | A B | A B^T | A^T B | A^T B^T |\n|---|---|---:|---:|---:|---:|\n");
  all<float>();
  all<double>();
  return good ? 0 : 1;
}
