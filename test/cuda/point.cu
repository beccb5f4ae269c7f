// SPDX-License-Identifier: BSD-3-Clause
// Derivatives at a point inside device code: what a user's KOKKOS_LAMBDA does with a CUDA build of Kokkos.
#include <etna/etna.hpp>

using namespace etna;

struct residual {
  constexpr auto operator()(array<double, 6> u, array<double> k) const {
    return exp(-k * u) * sum(u * u) + where(u > 0.0, sqrt(u), 0.0) + take(u, array<int, 6>{1, 2, 3, 4, 5, 0});
  }
};
struct energy {
  constexpr auto operator()(array<double, 6> u) const { return sum(log(1.0 + square(dot(reshape<2, 3>(u), transpose(reshape<2, 3>(u)))))) + max(u); }
};
struct chain {
  constexpr auto operator()(array<float, 4> x) const { return sum(tanh(x) * x); }
};

__global__ void jacobians(double const* u, double* out, long n) {
  long i = blockIdx.x * long(blockDim.x) + threadIdx.x;
  if (i >= n) return;
  auto j = point(jacfwd(residual{}))(*reinterpret_cast<double const(*)[6]>(u + 6 * i), 0.5);
  auto r = point(jacrev(residual{}))(*reinterpret_cast<double const(*)[6]>(u + 6 * i), 0.5);
  for (int k = 0; k < 36; ++k) out[36 * i + k] = j[k] + r[k];
}
__global__ void gradients(double const* u, double* out, long n) {
  long i = blockIdx.x * long(blockDim.x) + threadIdx.x;
  if (i >= n) return;
  double x[6];
  for (int k = 0; k < 6; ++k) x[k] = u[6 * i + k];
  auto [value, g] = point(value_and_grad(energy{}))(x);
  for (int k = 0; k < 6; ++k) out[6 * i + k] = g(k) + value;
}
// As Kokkos::parallel_for makes it of an extended lambda; the function is captured by value, and is empty.
template <class Body> __global__ void for_each(Body body, long n) {
  long i = blockIdx.x * long(blockDim.x) + threadIdx.x;
  if (i < n) body(i);
}
void launch(double const* u, double* out, float const* x, float* y, long n) {
  jacobians<<<unsigned(n + 127) / 128, 128>>>(u, out, n);
  gradients<<<unsigned(n + 127) / 128, 128>>>(u, out, n);
  auto slope = point(grad(chain{}));
  for_each<<<unsigned(n + 127) / 128, 128>>>([=] __host__ __device__(long i) {
    float mine[4] = {x[4 * i], x[4 * i + 1], x[4 * i + 2], x[4 * i + 3]};
    auto g = slope(mine);
    for (int k = 0; k < 4; ++k) y[4 * i + k] = g(k);
  }, n);
}
