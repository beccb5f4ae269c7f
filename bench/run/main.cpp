// SPDX-License-Identifier: BSD-3-Clause
// Three jobs of bench/peers by etna and by hand, in one process: median microseconds as JSON.
// Run: main SECONDS. The hand-written side is plain loops that a careful programmer would write.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#include <etna/etna.hpp>

#include "data/sgd100.inc.hpp"

using namespace etna;
using reference::sgd;

struct mlp { array<float, 784, 512> w1; array<float, 512> b1; array<float, 512, 10> w2; array<float, 10> b2; };
constexpr auto predict = [](mlp const& p, array<float, 784> x) { return dot(relu(dot(x, p.w1) + p.b1), p.w2) + p.b2; };
constexpr auto loss = [](mlp const& p, array<float, 32, 784> x, array<int, 32> y) {
  return mean(softmax_cross_entropy(vmap<none, 0>(predict)(p, x), y));
};
constexpr auto step = jit([](mlp p, array<float, 32, 784> x, array<int, 32> y) {
  auto [value, g] = value_and_grad(loss)(p, x, y);
  return std::pair{tree::map([](auto w, auto dw) { return w - 0.01f * dw; }, p, g), value};
});
constexpr auto gradient = jit(grad([](array<float, 4> x) { return sum(x * x); }));
constexpr int elements = 1 << 20;
constexpr auto chain = jit([](array<float, elements> a) { return exp(-a * a) * sin(a) + tanh(a / 2); });

namespace by_hand {

ETNA_NOINLINE void gradient(float const* x, float* g) {
  for (int i = 0; i < 4; ++i) g[i] = 2 * x[i];
  asm volatile("" ::: "memory");
}

ETNA_NOINLINE void chain(float const* a, float* out) {
  for (int i = 0; i < elements; ++i) out[i] = std::exp(-a[i] * a[i]) * std::sin(a[i]) + std::tanh(a[i] / 2);
}

// c[m, n] += a[m, k] b[k, n]: four rows of a at a time, columns in vectors.
void product(float const* a, float const* b, float* c, int m, int k, int n) {
  for (int j = 0; j < n; j += 64) {
    int w = std::min(64, n - j);
    for (int i = 0; i + 4 <= m; i += 4) {
      float t[4][64]{};
      for (int q = 0; q < k; ++q) {
        float const* row = b + q * n + j;
        float x0 = a[i * k + q], x1 = a[(i + 1) * k + q], x2 = a[(i + 2) * k + q], x3 = a[(i + 3) * k + q];
        if (w == 64)
          for (int v = 0; v < 64; ++v) { t[0][v] += x0 * row[v]; t[1][v] += x1 * row[v]; t[2][v] += x2 * row[v]; t[3][v] += x3 * row[v]; }
        else
          for (int v = 0; v < w; ++v) { t[0][v] += x0 * row[v]; t[1][v] += x1 * row[v]; t[2][v] += x2 * row[v]; t[3][v] += x3 * row[v]; }
      }
      for (int r = 0; r < 4; ++r)
        for (int v = 0; v < w; ++v) c[(i + r) * n + j + v] += t[r][v];
    }
  }
}

struct net {
  std::vector<float> w1, b1, w2, b2, h = std::vector<float>(32 * 512), z = std::vector<float>(320), dh = std::vector<float>(32 * 512);
};

ETNA_NOINLINE float step(net& p, float const* x, int const* y) {
  constexpr int B = 32, I = 784, H = 512, C = 10;
  constexpr float rate = 0.01f;
  for (int r = 0; r < B; ++r) std::memcpy(&p.h[std::size_t(r * H)], p.b1.data(), H * 4);
  product(x, p.w1.data(), p.h.data(), B, I, H);
  for (float& v : p.h) v = std::max(v, 0.0f);
  for (int r = 0; r < B; ++r) std::memcpy(&p.z[std::size_t(r * C)], p.b2.data(), C * 4);
  product(p.h.data(), p.w2.data(), p.z.data(), B, H, C);
  float total = 0;
  for (int r = 0; r < B; ++r) {
    float* z = &p.z[std::size_t(r * C)];
    float most = *std::max_element(z, z + C), sum = 0, at = z[y[r]];
    for (int c = 0; c < C; ++c) sum += z[c] = std::exp(z[c] - most);
    total += std::log(sum) + most - at;
    for (int c = 0; c < C; ++c) z[c] = (z[c] / sum - float(c == y[r])) / B;
  }
  // dh = dz w2^T masked; then the updates, in place
  for (int r = 0; r < B; ++r)
    for (int i = 0; i < H; ++i) {
      float s = 0;
      for (int c = 0; c < C; ++c) s += p.z[std::size_t(r * C + c)] * p.w2[std::size_t(i * C + c)];
      p.dh[std::size_t(r * H + i)] = p.h[std::size_t(r * H + i)] > 0 ? -rate * s : 0.0f;
    }
  for (int i = 0; i < H; ++i)
    for (int r = 0; r < B; ++r)
      for (int c = 0; c < C; ++c) p.w2[std::size_t(i * C + c)] -= rate * p.h[std::size_t(r * H + i)] * p.z[std::size_t(r * C + c)];
  for (int r = 0; r < B; ++r)
    for (int c = 0; c < C; ++c) p.b2[std::size_t(c)] -= rate * p.z[std::size_t(r * C + c)];
  for (int r = 0; r < B; ++r)
    for (int i = 0; i < H; ++i) p.b1[std::size_t(i)] += p.dh[std::size_t(r * H + i)];
  std::vector<float> transposed(std::size_t(I * B));
  for (int r = 0; r < B; ++r)
    for (int i = 0; i < I; ++i) transposed[std::size_t(i * B + r)] = x[r * I + i];
  product(transposed.data(), p.dh.data(), p.w1.data(), I, B, H);
  return total / B;
}

}  // namespace by_hand

// Median microseconds of a call, over groups of `inner`, after a warm-up of a quarter of the time: as the peers do.
template <class F> double median(double seconds, int inner, F call) {
  using clock = std::chrono::steady_clock;
  auto since = [](clock::time_point t) { return std::chrono::duration<double>(clock::now() - t).count(); };
  for (auto t = clock::now(); since(t) < seconds / 4;) call();
  std::vector<double> times;
  for (auto t = clock::now(); since(t) < seconds || times.size() < 5;) {
    auto begin = clock::now();
    for (int i = 0; i < inner; ++i) call();
    times.push_back(since(begin) / inner * 1e6);
  }
  std::nth_element(times.begin(), times.begin() + long(times.size() / 2), times.end());
  return times[times.size() / 2];
}

template <class A> A filled(sgd::stream s) {
  return A::build([&](auto* out) { for (std::int64_t i = 0; i < A{}.size(); ++i) out[i] = float(sgd::weight(s, std::uint64_t(i))); });
}

int main(int argc, char** argv) {
  double const seconds = argc > 1 ? std::atof(argv[1]) : 2;
  array<float, 4> x4{1, 2, 3, 4};
  float g4[4];
  auto a = array<float, elements>::build([](float* out) { for (int i = 0; i < elements; ++i) out[i] = float(-3.0 + 6.0 * i / (elements - 1)); });
  std::vector<float> by(elements);
  auto x = array<float, 32, 784>::build([](float* out) { for (int i = 0; i < 32 * 784; ++i) out[i] = float(sgd::image(0, i / 784, i % 784)); });
  auto y = array<int, 32>::build([](int* out) { for (int i = 0; i < 32; ++i) out[i] = sgd::label(0, i); });
  mlp p{filled<array<float, 784, 512>>(sgd::w1), filled<array<float, 512>>(sgd::b1), filled<array<float, 512, 10>>(sgd::w2), filled<array<float, 10>>(sgd::b2)};
  auto copy = [](auto const& v) { return std::vector<float>(v.data(), v.data() + v.size()); };
  by_hand::net h{copy(p.w1), copy(p.b1), copy(p.w2), copy(p.b2)};

  // the same loss, before and after a step
  float first, second, h1 = by_hand::step(h, x.data(), y.data()), h2 = by_hand::step(h, x.data(), y.data());
  { auto [q, v] = step(std::move(p), x, y); p = std::move(q); first = v.item(); }
  { auto [q, v] = step(std::move(p), x, y); p = std::move(q); second = v.item(); }
  auto out = chain(a);
  by_hand::chain(a.data(), by.data());
  double squares = 0, hand_squares = 0;
  for (int i = 0; i < elements; ++i) squares += double(out.data()[i]) * out.data()[i], hand_squares += double(by[std::size_t(i)]) * by[std::size_t(i)];

  double etna_grad = median(seconds, 100, [&] { auto g = gradient(x4); asm volatile("" ::"r"(g.data()) : "memory"); });
  double hand_grad = median(seconds, 100, [&] { by_hand::gradient(x4.data(), g4); });
  double etna_step = median(seconds, 10, [&] { auto [q, v] = step(std::move(p), x, y); p = std::move(q); });
  double hand_step = median(seconds, 10, [&] { by_hand::step(h, x.data(), y.data()); });
  double etna_chain = median(seconds, 1, [&] { auto r = chain(a); asm volatile("" ::"r"(r.data()) : "memory"); });
  double hand_chain = median(seconds, 1, [&] { by_hand::chain(a.data(), by.data()); });
  auto line = [](const char* peer, double g, double s, double c, double l1, double l2, double sq) {
    std::printf("{\"peer\": \"%s\", \"microseconds\": {\"grad4\": %.6g, \"mlp_step\": %.6g, \"chain\": %.6g}, \"checks\": {\"loss_step_1\": %.9g, "
                "\"loss_after_step_1\": %.9g, \"chain_sum_of_squares\": %.12g}}\n", peer, g, s, c, l1, l2, sq);
  };
  line("etna", etna_grad, etna_step, etna_chain, double(first), double(second), squares);
  line("by hand", hand_grad, hand_step, hand_chain, double(h1), double(h2), hand_squares);
}
