// SPDX-License-Identifier: BSD-3-Clause
// The determinant by expansion along rows. The published primal computes each minor anew, n! products. An array program
// has all minors of the last rows at once, each computed from those of one row less, n 2^(n-1) products: by index from
// tables, or where they are few one by one, as straight-line code. So there are two primals by hand: the published one,
// and "det_shared", which keeps minors as etna's program does. The derivative is the gradient. Compiled once for the
// sizes from 5, once for those from 9: FROM.
#include <bit>
#include <numeric>

#include "work.hpp"

namespace gradbench {
namespace {

constexpr extent choose(extent n, extent k) { return k == 0 ? 1 : choose(n - 1, k - 1) * n / k; }

/// For each choice of K columns (in the order of their bits) and each of these: the column, and the place of the others
/// among the choices of K - 1.
template <int N, int K> struct choices {
  static constexpr extent count = choose(N, K);
  array<int, K, count> column, others;

  static choices make() {
    std::vector<unsigned> sets, smaller;
    for (unsigned s = 0; s < 1u << N; ++s) {
      if (std::popcount(s) == K) sets.push_back(s);
      if (std::popcount(s) == K - 1) smaller.push_back(s);
    }
    auto table = [&](auto entry) {
      return array<int, K, count>::build([&](int* out) {
        for (std::size_t i = 0; i < sets.size(); ++i) {
          int k = 0;
          for (int j = 0; j < N; ++j)
            if (sets[i] >> j & 1) out[std::size_t(k++) * sets.size() + i] = entry(sets[i], j);
        }
      });
    };
    return {table([](unsigned, int j) { return j; }), table([&](unsigned s, int j) {
              return int(std::lower_bound(smaller.begin(), smaller.end(), s & ~(1u << j)) - smaller.begin());
            })};
  }
};

template <int N, class = std::make_integer_sequence<int, N - 1>> struct problem;
template <int N, int... I> struct problem<N, std::integer_sequence<int, I...>> {
  using matrix = array<double, N, N>;
  using tables = std::tuple<choices<N, I + 2>...>;

  static constexpr auto determinant = [](matrix const& a, tables const& t) {
    auto wider = [&]<int K>(choices<N, K> const& c, auto const& minors) {
      auto sign = 1.0 - 2.0 * astype<double>(arange<int, K>() % 2);
      return sum<0>(expand_dims<1>(sign) * take(slice<N - K>(a), c.column) * take(minors, c.others));
    };
    auto all = [&]<int K>(auto const& self, std::integral_constant<int, K>, auto const& minors) {
      if constexpr (K > N) return sum(minors);  // one
      else return self(self, std::integral_constant<int, K + 1>{}, wider(std::get<K - 2>(t), minors));
    };
    return all(all, std::integral_constant<int, 2>{}, slice<N - 1>(a));
  };
  static constexpr auto one_by_one = [](matrix const& a) {
    array<double> entry[N][N], minors[1 << N];
    [&]<int... K>(std::integer_sequence<int, K...>) {
      ((entry[K / N][K % N] = slice<K / N, K % N>(a)), ...);
    }(std::make_integer_sequence<int, N * N>{});
    for (unsigned set = 1; set < 1u << N; ++set) {
      auto const& row = entry[N - std::popcount(set)];
      bool first = true, negative = false;
      for (unsigned left = set; left; left &= left - 1, first = false, negative = !negative) {
        int const j = std::countr_zero(left);
        unsigned const others = set & ~(1u << j);
        array<double> term = row[j];
        if (others) term = term * minors[others];
        if (first) minors[set] = term;
        else minors[set] = negative ? minors[set] - term : minors[set] + term;
      }
    }
    return minors[(1 << N) - 1];
  };
  static constexpr bool few = N <= 5;
  static constexpr auto by_tables = jit([](matrix a, tables t) { return grad(determinant)(a, t); });
  static constexpr auto by_names = jit([](matrix a) { return grad(one_by_one)(a); });
  static matrix gradient(matrix const& a, tables const& t) {
    if constexpr (few) return by_names(a);
    else return by_tables(a, t);
  }
};

double minor(double const* a, int n, int row, unsigned columns) {
  if (row == n - 1) return a[row * n + std::countr_zero(columns)];
  double sum = 0, sign = 1;
  for (unsigned left = columns; left; left &= left - 1, sign = -sign) {
    int j = std::countr_zero(left);
    sum += sign * a[row * n + j] * minor(a, n, row + 1, columns & ~(1u << j));
  }
  return sum;
}
[[gnu::noinline]] double by_hand(double const* a, int n) { return minor(a, n, 0, (1u << n) - 1); }

[[gnu::noinline]] double by_hand_shared(double const* a, int n, double* minors) {
  minors[0] = 1;
  for (unsigned set = 1; set < 1u << n; ++set) {
    double const* row = a + (n - std::popcount(set)) * n;
    double sum = 0, sign = 1;
    for (unsigned left = set; left; left &= left - 1, sign = -sign) {
      int j = std::countr_zero(left);
      sum += sign * row[j] * minors[set & ~(1u << j)];
    }
    minors[set] = sum;
  }
  return minors[(1u << n) - 1];
}

// det A times the transpose of its inverse, by Gauss and Jordan with the greatest pivot of a column.
std::vector<double> cofactors(double const* from, std::size_t n) {
  std::vector<double> a(from, from + n * n), inverse(n * n), g(n * n);
  for (std::size_t i = 0; i < n; ++i) inverse[i * n + i] = 1;
  double det = 1;
  for (std::size_t c = 0; c < n; ++c) {
    std::size_t p = c;
    for (std::size_t i = c; i < n; ++i)
      if (std::abs(a[i * n + c]) > std::abs(a[p * n + c])) p = i;
    if (p != c) {
      std::swap_ranges(&a[p * n], &a[p * n] + n, &a[c * n]);
      std::swap_ranges(&inverse[p * n], &inverse[p * n] + n, &inverse[c * n]);
      det = -det;
    }
    double const pivot = a[c * n + c];
    det *= pivot;
    for (std::size_t j = 0; j < n; ++j) a[c * n + j] /= pivot, inverse[c * n + j] /= pivot;
    for (std::size_t i = 0; i < n; ++i)
      if (double f = a[i * n + c]; i != c)
        for (std::size_t j = 0; j < n; ++j)
          a[i * n + j] -= f * a[c * n + j], inverse[i * n + j] -= f * inverse[c * n + j];
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) g[i * n + j] = det * inverse[j * n + i];
  return g;
}

template <int N, bool Shared> work make() {
  using P = problem<N>;
  auto a = uniform<typename P::matrix>(20);
  auto t = [&]<int... I>(std::integer_sequence<int, I...>) {
    return typename P::tables{choices<N, I + 2>::make()...};
  }(std::make_integer_sequence<int, N - 1>{});
  std::function<void()> hand = [a] {
    double r = by_hand(a.data(), N);
    use(&r);
  };
  if (Shared)
    hand = [a, minors = std::vector<double>(1u << N)]() mutable {
      double r = by_hand_shared(a.data(), N, minors.data());
      use(&r);
    };
  return {hand, [=] { use_all(P::gradient(a, t)); },
          [=] {
            std::vector<double> minors(1u << N);
            double const one = by_hand(a.data(), N), other = by_hand_shared(a.data(), N, minors.data());
            return std::max(difference(P::gradient(a, t).data(), cofactors(a.data(), N).data(), N * N),
                            std::abs(one - other) / std::abs(one));
          }};
}
template <int... N> std::vector<entry> sizes() {
  return {{"det", "n=" + std::to_string(N), 2.7, 1e-9, make<N, false>}...,
          {"det_shared", "n=" + std::to_string(N), 2.7, 1e-9, make<N, true>}...};
}

template <int From> std::vector<entry> sizes_from() {
  if constexpr (From == 5) return sizes<5, 6, 7, 8>();
  else return sizes<9, 10, 11>();
}

}  // namespace

template <> std::vector<entry> det<FROM>() { return sizes_from<FROM>(); }

}  // namespace gradbench
