// SPDX-License-Identifier: BSD-3-Clause
// Initializers against jax.nn.initializers, of one key: matrices and kernels of convolutions, f64 and f32, and in jit.
#include "data/layers.inc.hpp"
#include "layers.hpp"

using namespace test;

namespace {

namespace in = nn::initializers;

template <class A> void close(A const& is, std::vector<double> const& should, double within) {
  auto const x = leaves(is)[0].x;
  REQUIRE(x.size() == should.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    CAPTURE(i);
    CHECK(std::abs(x[i] - should[i]) <= within * (0.01 + std::abs(should[i])));
  }
}
template <class I> void check(char const* name, I init) {
  CAPTURE(std::string(name));
  auto const key = random::key(7);
  for (auto const& r : reference::initializers)
    if (std::string(r.name) == name) {
      close(nn::draw<array<double, 3, 4>>(init, key), r.matrix, 1e-12);
      close(nn::draw<array<double, 2, 3, 3, 4>>(init, key), r.kernel, 1e-12);
      close(nn::draw<array<float, 4, 3>>(init, key), r.matrix_f32, 2e-6);
      return;
    }
  FAIL("no data");
}

}  // namespace

TEST_CASE("initializers are JAX's") {
  check("zeros", in::zeros);
  check("ones", in::ones);
  check("constant", in::constant{0.7});
  check("normal", in::normal{0.02});
  check("uniform", in::uniform{0.3});
  check("truncated_normal", in::truncated_normal{0.5, -1, 3});
  check("lecun_normal", in::lecun_normal());
  check("lecun_uniform", in::lecun_uniform());
  check("glorot_normal", in::glorot_normal());
  check("glorot_uniform", in::glorot_uniform());
  check("glorot_normal", in::xavier_normal());
  check("glorot_uniform", in::xavier_uniform());
  check("he_normal", in::he_normal());
  check("he_uniform", in::he_uniform());
  check("he_normal", in::kaiming_normal());
  check("he_uniform", in::kaiming_uniform());
  check("scaled_out", in::variance_scaling{0.5, in::fan::out, in::draw_from::normal});
  check("scaled_geo", in::variance_scaling{3, in::fan::geo_avg, in::draw_from::uniform, 0, 1});
  check("orthogonal", in::orthogonal{1.5});
}

TEST_CASE("delta_orthogonal is JAX's; orthogonal is, in jit and of a larger matrix") {
  auto const key = random::key(7);
  close(nn::draw<array<double, 3, 2, 3>>(in::delta_orthogonal{2}, key), reference::delta_orthogonal_3, 1e-12);
  close(nn::draw<array<double, 3, 4, 2, 3>>(in::delta_orthogonal{2}, key), reference::delta_orthogonal_4, 1e-12);
  close(nn::draw<array<double, 1, 2, 3, 2, 2>>(in::delta_orthogonal{2}, key), reference::delta_orthogonal_5, 1e-12);
  auto made =
      jit([](random::prng_key const& key) { return nn::draw<array<float, 48, 64>>(in::orthogonal{}, key); })(key);
  CHECK(max(abs(dot(made, transpose(made)) - eye<float, 48>())).item() < 2e-6);
}

TEST_CASE("narrow types are drawn as JAX draws them, and rounded") {
  auto x = nn::draw<array<bfloat16, 64, 64>>(in::he_normal(), random::key(1));
  auto y = astype<float>(x);
  CHECK(sqrt(mean(square(y))).item() == doctest::Approx(std::sqrt(2. / 64)).epsilon(0.05));
}
