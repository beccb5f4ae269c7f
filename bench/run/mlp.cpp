// SPDX-License-Identifier: BSD-3-Clause
// The network 784-512-10 and a batch of 32: a step of SGD, and the gradients of each example. By hand: plain loops that
// a careful programmer would write.
#include <algorithm>
#include <cstring>

#include "job.hpp"
#include "mlp.hpp"

namespace {

using namespace bench;
using mlp = test::mlp<float>;
using test::start, test::images, test::labels, test::step, test::predict;

constexpr auto each = jit(vmap<none, 0, 0>(grad(
    [](mlp const& p, array<float, 784> x, array<int> y) { return softmax_cross_entropy(predict<float>(p, x), y); })));

// Both check the parameters after two steps, and then go on from there.
entry const a1("etna", "mlp_step", [] {
  auto p = std::make_shared<mlp>(start<float>());
  auto one = [p, x = images<float>(0), y = labels(0)] { *p = step<float>(std::move(*p), x, y).first; };
  return job{one,
             [p, one] {
               *p = start<float>();
               one();
               one();
               return numbers(*p);
             },
             10};
});
entry const a2("etna", "per_example", [] { return of(each, 1, start<float>(), images<float>(0), labels(0)); });

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
          for (int v = 0; v < 64; ++v) {
            t[0][v] += x0 * row[v];
            t[1][v] += x1 * row[v];
            t[2][v] += x2 * row[v];
            t[3][v] += x3 * row[v];
          }
        else
          for (int v = 0; v < w; ++v) {
            t[0][v] += x0 * row[v];
            t[1][v] += x1 * row[v];
            t[2][v] += x2 * row[v];
            t[3][v] += x3 * row[v];
          }
      }
      for (int r = 0; r < 4; ++r)
        for (int v = 0; v < w; ++v) c[(i + r) * n + j + v] += t[r][v];
    }
  }
}

struct net {
  std::vector<float> w1, b1, w2, b2, h = std::vector<float>(32 * 512), z = std::vector<float>(320),
                                     dh = std::vector<float>(32 * 512);
  explicit net(mlp const& p)
      : w1(p.w1.begin(), p.w1.end()),
        b1(p.b1.begin(), p.b1.end()),
        w2(p.w2.begin(), p.w2.end()),
        b2(p.b2.begin(), p.b2.end()) {}
};

ETNA_NOINLINE void by_hand(net& p, float const* x, int const* y) {
  constexpr int B = 32, I = 784, H = 512, C = 10;
  constexpr float rate = 0.01f;
  for (int r = 0; r < B; ++r) std::memcpy(&p.h[std::size_t(r * H)], p.b1.data(), H * 4);
  product(x, p.w1.data(), p.h.data(), B, I, H);
  for (float& v : p.h) v = std::max(v, 0.0f);
  for (int r = 0; r < B; ++r) std::memcpy(&p.z[std::size_t(r * C)], p.b2.data(), C * 4);
  product(p.h.data(), p.w2.data(), p.z.data(), B, H, C);
  for (int r = 0; r < B; ++r) {
    float* z = &p.z[std::size_t(r * C)];
    float most = *std::max_element(z, z + C), sum = 0;
    for (int c = 0; c < C; ++c) sum += z[c] = std::exp(z[c] - most);
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
      for (int c = 0; c < C; ++c)
        p.w2[std::size_t(i * C + c)] -= rate * p.h[std::size_t(r * H + i)] * p.z[std::size_t(r * C + c)];
  for (int r = 0; r < B; ++r)
    for (int c = 0; c < C; ++c) p.b2[std::size_t(c)] -= rate * p.z[std::size_t(r * C + c)];
  for (int r = 0; r < B; ++r)
    for (int i = 0; i < H; ++i) p.b1[std::size_t(i)] += p.dh[std::size_t(r * H + i)];
  std::vector<float> transposed(std::size_t(I * B));
  for (int r = 0; r < B; ++r)
    for (int i = 0; i < I; ++i) transposed[std::size_t(i * B + r)] = x[r * I + i];
  product(transposed.data(), p.dh.data(), p.w1.data(), I, B, H);
}

entry const c1("cpp", "mlp_step", [] {
  auto p = std::make_shared<net>(start<float>());
  auto one = [p, x = images<float>(0), y = labels(0)] { by_hand(*p, x.data(), y.data()); };
  return job{one,
             [p, one] {
               *p = net(start<float>());
               one();
               one();
               std::pair<double, double> s{0, 0};
               for (auto* v : {&p->w1, &p->b1, &p->w2, &p->b2}) add_numbers(s, v->data(), v->size());
               return s;
             },
             10};
});

}  // namespace
