// SPDX-License-Identifier: BSD-3-Clause
// Precision of products: of numbers of 16 bits against JAX, of f32 as a product, a convolution and a scope say it.
#include "same.hpp"

#include "data/products.inc.hpp"

using namespace test;

namespace {

/// products.py's numbers in [-1, 1).
template <extent... E> array<float, E...> numbers(std::uint64_t seed) {
  return array<float, E...>::build(
      [&](float* to) {
        for (std::uint64_t i = 0; i < std::uint64_t((E * ...)); ++i) {
          std::uint64_t z = (seed << 32) + i + 0x9e3779b97f4a7c15u;
          z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
          z = (z ^ z >> 27) * 0x94d049bb133111ebu;
          z ^= z >> 31;
          to[i] = float(z >> 40) * 0x1p-23f - 1;
        }
      },
      array<float, E...>::extents);
}
auto const x = numbers<5, 300>(1);
auto const y = numbers<300, 6>(2);
using left = array<float, 5, 300>;
using right = array<float, 300, 6>;

/// What is off, over the sums of sizes: a sum of 300 numbers in f32 is within 300 roundings of that.
template <class Z> double off(Z const& z, float const* want, double size) {
  double worst = 0;
  for (extent i = 0; i < Z::type.size(); ++i) worst = std::max(worst, std::abs(double(z.data()[i]) - double(want[i])));
  return worst / size;
}
constexpr double near_f32 = 1e-6, near_bf16 = 0x1p-8, sizes = 300 / 4.;

template <class T, class A> auto cast(A const& a) { return astype<T>(a); }

constexpr auto plain = [](auto const& x, auto const& y) { return dot(x, y); };
template <precision P> constexpr auto with = [](auto const& x, auto const& y) { return dot<P>(x, y); };
constexpr bool has(std::string const& text, std::string const& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE_TEMPLATE("products and convolutions of 16 bits multiply these and sum in f32, as JAX", T, bfloat16, float16) {
  bool const bf = std::is_same_v<T, bfloat16>;
  auto to_f32 = [](auto const& x, auto const& y) { return dot(astype<float>(x), astype<float>(y)); };
  float const* const want = bf ? reference::dot_bf16 : reference::dot_f16;
  auto const a = cast<T>(x);
  auto const b = cast<T>(y);
  CHECK(off(jit(to_f32)(a, b), want, sizes) < near_f32);
  // the result of 16 bits is that, rounded once
  auto const narrow = jit(plain)(a, b);
  for (extent i = 0; i < 30; ++i)
    CHECK(std::abs(float(narrow.data()[i]) - want[i]) <= (bf ? 0x1p-8f : 0x1p-11f) * std::abs(want[i]) + 1e-5f);
  as_eager(plain, a, b);

  auto const image = cast<T>(numbers<1, 3, 7, 6>(3));
  auto const kernel = cast<T>(numbers<4, 3, 3, 3>(4));
  auto convolve = [](auto const& x, auto const& k) {
    return conv_general(astype<float>(x), astype<float>(k), padding_same);
  };
  CHECK(off(jit(convolve)(image, kernel), bf ? reference::conv_bf16 : reference::conv_f16, 27 / 4.) < near_f32);
}

TEST_CASE_TEMPLATE("large products read 16 bits as they lie, transposed and by windows", T, bfloat16, float16) {
  using rows = array<T, 128, 300>;
  using lanes = array<T, 64, 300>;
  auto f = [](rows const& x, lanes const& y) { return dot(astype<float>(x), transpose(astype<float>(y))); };
  auto const a = cast<T>(numbers<128, 300>(5));
  auto const b = cast<T>(numbers<64, 300>(6));
  near(jit(f)(a, b), f(a, b), 1e-5);
  CHECK(has(show_plan(jit(f), a, b), "dot_general  | arg0 arg1 -> out0"));  // no copies
  auto loss = [](rows const& x, lanes const& y) {
    return sum(astype<float>(sin(dot(0.0625f * x, transpose(y)))));  // small, for what eager code rounds
  };
  as_eager(grad<1>(loss), a, b);
  using image = array<T, 8, 14, 14, 8>;
  using kernel = array<T, 3, 3, 8, 16>;
  auto windows = [](image const& x, kernel const& k) {
    return conv_general(astype<float>(x), astype<float>(k), dimension_numbers<"NHWC", "HWIO", "NHWC">);
  };
  auto const x = cast<T>(numbers<8, 14, 14, 8>(7));
  auto const k = cast<T>(numbers<3, 3, 8, 16>(8));
  near(jit(windows)(x, k), windows(x, k), 1e-5);
  CHECK(has(show_plan(jit(windows), x, k), "dot_general  | arg0 arg1 -> out0"));

  // gradients are products too, that by the input of windows of a padded cotangent; eager code rounds each window
  auto padded = [](auto const& x, auto const& k, auto const& c) {
    return sum(astype<float>(c * conv_general(x, k, padding_same, dimension_numbers<"NHWC", "HWIO", "NHWC">)));
  };
  auto const gradients = jit(grad<0, 1>(padded));
  auto const c = cast<T>(numbers<8, 14, 14, 16>(9));
  near(gradients(x, k, c), grad<0, 1>(padded)(cast<float>(x), cast<float>(k), cast<float>(c)), 0x1p-7);
  CHECK(!has(show_plan(gradients, x, k, c), "convert  | arg"));
}

TEST_CASE("words of a product of f32") {
  auto both = [](auto f, float const* want, double bound) {
    CHECK(off(jit(f)(x, y), want, sizes) < bound);
    CHECK(off(f(x, y), want, sizes) < bound);
  };
  left const a = x;
  right const b = y;
  double exact[30]{};
  for (extent i = 0; i < 30; ++i)
    for (extent k = 0; k < 300; ++k) exact[i] += double(a(i / 6, k)) * double(b(k, i % 6));
  float f32[30];
  for (int i = 0; i < 30; ++i) f32[i] = float(exact[i]);
  both(with<precision::bf16>, reference::dot_bf16, near_f32);
  both(with<precision::bf16x3>, reference::dot_bf16x3, near_f32);
  both(with<precision::bf16x3>, f32, 0x1p-16);
  both(with<precision::f32>, f32, near_f32);
  both(with<precision::highest>, f32, near_f32);
  CHECK(off(jit(with<precision::bf16>)(x, y), f32, sizes) > near_f32);

  auto e = [](left const& x, right const& y) { return einsum<"ik,kj->ij", precision::bf16>(x, y); };
  auto m = [](left const& x, right const& y) { return matmul<precision::bf16>(x, y); };
  CHECK(same_bits(jit(e)(x, y), jit(with<precision::bf16>)(x, y)));
  CHECK(same_bits(jit(m)(x, y), jit(with<precision::bf16>)(x, y)));
  using image = array<float, 1, 3, 7, 6>;
  using kernel = array<float, 4, 3, 3, 3>;
  auto c = [](image const& x, kernel const& k) {
    return conv_general(x, k, padding_same, in_precision<precision::bf16>);
  };
  CHECK(off(jit(c)(numbers<1, 3, 7, 6>(3), numbers<4, 3, 3, 3>(4)), reference::conv_bf16, 27 / 4.) < near_f32);

  // f64: rounded operands, sums in f32, a result of f64
  auto const wide = jit(with<precision::bf16>)(astype<double>(x), astype<double>(y));
  static_assert(decltype(wide)::type.d == dtype::f64);
  CHECK(off(wide, reference::dot_bf16, sizes) < near_f32);
  CHECK(same_bits(jit(with<precision::f32>)(astype<double>(x), astype<double>(y)), astype<double>(jit(plain)(x, y))));
  // numbers of 16 bits stay what they are
  auto const half = cast<float16>(x);
  auto const other = cast<float16>(y);
  CHECK(same_bits(jit(with<precision::bf16>)(half, other), jit(plain)(half, other)));
  // infinity stays infinity
  left const top = where(x > 0.99f, std::numeric_limits<float>::infinity(), x);
  as_eager(with<precision::bf16x3>, top, y);
}

TEST_CASE("a scope of precision: the innermost counts, and a product's own word before it") {
  auto const coarse = jit(with<precision::bf16>)(x, y), fine = jit(plain)(x, y);
  constexpr auto f = [](left const& x, right const& y) { return dot(x, y); };
  CHECK(same_bits(jit(with_precision<precision::bf16>(f))(x, y), coarse));
  CHECK(same_bits(with_precision<precision::bf16>(jit(f))(x, y), coarse));
  CHECK(off(with_precision<precision::bf16>(f)(x, y), reference::dot_bf16, sizes) < near_f32);
  constexpr auto nested = [](left const& x, right const& y) {
    auto finer = with_precision<precision::highest>([](auto const& x, auto const& y) { return dot(x, y); });
    auto first = finer(x, y);
    return std::tuple{first, dot(x, y), dot<precision::f32>(x, y)};
  };
  auto const [a, b, c] = jit(with_precision<precision::bf16>(nested))(x, y);
  CHECK(same_bits(a, fine));
  CHECK(same_bits(b, coarse));
  CHECK(same_bits(c, fine));
  auto const [d, e, g] = with_precision<precision::bf16>(nested)(x, y);
  near(std::tuple{d, e, g}, std::tuple{a, b, c}, 1e-5);
  CHECK(off(f(x, y), reference::dot_bf16, sizes) > near_f32);  // it is closed again
}

TEST_CASE("derivatives, vmap and loops have the precision of their scope") {
  constexpr auto loss = [](left const& x, right const& y) { return sum(sin(dot(x, y))); };
  constexpr auto outside = with_precision<precision::bf16>(grad<0, 1>(loss));
  constexpr auto inside = grad<0, 1>(with_precision<precision::bf16>(loss));
  CHECK(same_bits(jit(outside)(x, y), jit(inside)(x, y)));
  CHECK(!same_bits(jit(outside)(x, y), jit(grad<0, 1>(loss))(x, y)));
  near(outside(x, y), jit(outside)(x, y), 1e-4);
  near(inside(x, y), jit(inside)(x, y), 1e-4);

  constexpr auto rows = vmap<0, none>([](array<float, 300> const& x, right const& y) { return dot(x, y); });
  near(jit(with_precision<precision::bf16>(rows))(x, y), jit(with<precision::bf16>)(x, y), 1e-5);
  constexpr auto steps = [](left const& x, right const& y) {
    return scan([](auto const& c, auto const& row) { return std::pair{c, dot(row, c)}; }, y, x).second;
  };
  near(jit(with_precision<precision::bf16>(steps))(x, y), jit(with<precision::bf16>)(x, y), 1e-5);
}
