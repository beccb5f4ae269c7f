// SPDX-License-Identifier: BSD-3-Clause
// Masks of derivatives: where a comparison's value is kept anyway (a product reads it), the mask is computed again from
// it. The numbers are the interpreter's, also of what compares false with everything.
#include <cmath>
#include <limits>

#include "same.hpp"

namespace {

using namespace etna;
using x_type = array<float, 12, 9>;
using w_type = array<float, 9, 5>;

// c < x ? x : c, and x < c ? x : c; last a select of another form, whose mask stays
struct above {
  constexpr auto operator()(x_type x) const { return where(greater(x, 0.5f), x, 0.5f); }
};
struct below {
  constexpr auto operator()(x_type x) const { return where(less(x, 0.5f), x, 0.5f); }
};
struct rectified {
  constexpr auto operator()(x_type x) const { return relu(x); }
};
struct leaky {
  constexpr auto operator()(x_type x) const { return where(greater(x, 0.5f), x, 0.25f * x); }
};
template <class F> struct loss {
  constexpr auto operator()(x_type x, w_type w) const {
    auto y = dot(F{}(x + 1.0f), w);
    return sum(y * y * y);
  }
};
template <class F> constexpr auto derivatives = [](x_type x, w_type w) { return grad<0, 1>(loss<F>{})(x, w); };

template <class F> constexpr int masks_kept() {
  auto const& p = compiler::program<decltype(derivatives<F>), x_type, w_type>::value;
  int n = 0;
  for (int i = 0; i < p.n_buffers; ++i) n += p.buffers[i].d == dtype::boolean && p.buffers[i].last >= 0;
  return n;
}
static_assert(masks_kept<above>() == 0 && masks_kept<below>() == 0 && masks_kept<rectified>() == 0);
static_assert(masks_kept<leaky>() == 1);

template <class F> void as_eager() {
  constexpr float inf = std::numeric_limits<float>::infinity();
  auto w = w_type::build([](float* o) {
    for (int i = 0; i < 9 * 5; ++i) o[i] = float(i % 7) - 3;
  });
  for (float special : {-0.5f, std::nanf(""), inf, -inf, 0.0f, -1.0f}) {  // -0.5f: what it is compared with
    auto x = x_type::build([&](float* o) {
      for (int i = 0; i < 12 * 9; ++i) o[i] = i % 9 == 0 ? special : float(i % 17) / 8 - 1.5f;
    });
    test::near(jit(derivatives<F>)(x, w), derivatives<F>(x, w), 1e-5);
  }
}

// What repeats a row, or a number, that arguments alone give is computed where it is read: no memory has all of it.
constexpr auto decayed = [](w_type w, w_type v, x_type x, array<float, 12, 5> y, array<float> decay) {
  auto const g = dot(transpose(x), y) * 2.0f;
  return std::pair{w + g - 0.25f * decay * w, v - g - 0.25f * decay * v};
};
constexpr auto biased = [](array<bfloat16, 300, 9> x, w_type w, array<float, 5> b) {
  return dot(x, astype<bfloat16>(w)) + astype<bfloat16>(b);
};
template <class F, class... P> constexpr int temporaries(extent elements) {
  auto const& p = compiler::program<F, P...>::value;
  int n = 0;
  for (int i = 0; i < p.n_buffers; ++i)
    n += p.buffers[i].kind == planning::buffer::temporary && p.buffers[i].last >= 0 && p.buffers[i].size == elements;
  return n;
}
// the products
static_assert(temporaries<decltype(decayed), w_type, w_type, x_type, array<float, 12, 5>, array<float>>(45) == 1);
static_assert(temporaries<decltype(biased), array<bfloat16, 300, 9>, w_type, array<float, 5>>(1500) == 1);

}  // namespace

TEST_CASE("a row that is repeated is not kept repeated") {
  auto const w = test::some<w_type>(1);
  auto const x = test::some<x_type>(2);
  auto const y = test::some<array<float, 12, 5>>(3);
  test::near(jit(decayed)(w, w + 1.f, x, y, 0.5f), decayed(w, w + 1.f, x, y, 0.5f), 1e-5);
  auto const z = test::some<array<bfloat16, 300, 9>>(4);
  auto const b = test::some<array<float, 5>>(5);
  test::near(astype<float>(jit(biased)(z, w, b)), astype<float>(biased(z, w, b)), 2e-2);
}
TEST_CASE("a mask whose value is kept is not kept") {
  as_eager<above>();
  as_eager<below>();
  as_eager<leaky>();
  as_eager<rectified>();
}
