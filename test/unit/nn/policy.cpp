// SPDX-License-Identifier: BSD-3-Clause
// Models of f32 that compute in 16 bits: types after a cast, policies, scaled losses with steps left out.
#include "same.hpp"

using namespace test;

namespace {

template <class T> struct net {
  nn::dense<T, 6, 8> first;
  nn::layer_norm<T, 8> norm;
  nn::dense<T, 8, 3, nn::no_bias> last;
  constexpr auto operator()(auto const& x) const { return last(relu(norm(first(x)))); }
};
using policy = nn::policy<float, bfloat16, float>;
constexpr auto loss = [](auto const& p, auto const& x) { return mean(square(p(x))); };
constexpr auto narrow_loss = [](net<float> const& p, array<float, 5, 6> const& x) {
  return mean(square(policy::cast_to_output(policy::cast_to_compute(p)(policy::cast_to_compute(x)))));
};

template <class T> using narrow = decltype(nn::cast<bfloat16>(std::declval<T const&>()));
template <class A, class B> constexpr bool same = std::is_same_v<A, B>;
template <class T> using token = nn::stacked<nn::sequential<nn::layer_norm<T, 8>, nn::dense<T, 8, 8>>, 3>;
template <class T> struct plain {
  std::array<array<T, 2>, 3> arrays;
  array<int, 4> ids;
  T number;
  bool flag;
};

static_assert(same<narrow<net<float>>, net<bfloat16>>);
static_assert(same<narrow<token<float>>, token<bfloat16>>);
static_assert(same<narrow<plain<double>>, plain<bfloat16>>);
static_assert(same<narrow<nn::dense<float, 2, 3, nn::no_bias>>, nn::dense<bfloat16, 2, 3, nn::no_bias>>);
static_assert(same<narrow<nn::multi_head_attention<float, 8, 4, 2>>, nn::multi_head_attention<bfloat16, 8, 4, 2>>);
static_assert(same<narrow<nn::conv<float, 3, 4, 3, 3, window_strides<2, 2>>>,
                   nn::conv<bfloat16, 3, 4, 3, 3, window_strides<2, 2>>>);
static_assert(
    same<narrow<nn::conv_transpose<float, 3, 4, 2, nn::no_bias>>, nn::conv_transpose<bfloat16, 3, 4, 2, nn::no_bias>>);
static_assert(same<narrow<nn::group_norm<float, 8, 2>>, nn::group_norm<bfloat16, 8, 2>>);
static_assert(same<narrow<nn::batch_norm<float, 8>>, nn::batch_norm<bfloat16, 8>>);
static_assert(same<narrow<nn::rnn<nn::gru_cell<float, 3, 4>>>, nn::rnn<nn::gru_cell<bfloat16, 3, 4>>>);
static_assert(same<narrow<nn::embed<float, 10, 4>>, nn::embed<bfloat16, 10, 4>>);
static_assert(same<narrow<nn::dropout<0.1>>, nn::dropout<0.1>>);
static_assert(same<narrow<std::tuple<array<int>, std::pair<array<float, 2>, array<bool, 2>>>>,
                   std::tuple<array<int>, std::pair<array<bfloat16, 2>, array<bool, 2>>>>);

}  // namespace

TEST_CASE("a cast tree has the rounded numbers, and integers as they are") {
  plain<float> const p{{{{1.00390625f, 2.f}, {3.f, 4.f}, {5.f, 6.f}}}, {1, 2, 3, 4}, 0.1f, true};
  auto const q = nn::cast<bfloat16>(p);
  CHECK(float(q.arrays[0](0)) == 1.f);
  CHECK(float(q.arrays[2](1)) == 6.f);
  CHECK(q.ids(3) == 4);
  CHECK(float(q.number) == float(bfloat16(0.1f)));
  CHECK(q.flag);
}

TEST_CASE("parameters of f32, computed in bf16, results of f32") {
  auto const p = nn::init<net<float>>(random::key(0));
  auto const x = some<array<float, 5, 6>>(1, -1, 1);
  auto const value = jit(narrow_loss)(p, x);
  static_assert(same<std::remove_cvref_t<decltype(value)>, array<float>>);
  auto const gradient = jit(grad(narrow_loss))(p, x);
  static_assert(same<std::remove_cvref_t<decltype(gradient)>, net<float>>);
  near(value, jit(loss)(p, x), 0.02);
  near(gradient, jit(grad([](net<float> const& p, array<float, 5, 6> const& x) { return loss(p, x); }))(p, x), 0.05);

  auto under = nn::with_policy<policy>([](auto const& p, auto const& x) {
    static_assert(same<std::remove_cvref_t<decltype(p)>, net<bfloat16>>);
    return std::pair{p(x), array<int>(7)};
  });
  auto const [y, seven] = jit(under)(p, x);
  static_assert(same<std::remove_cvref_t<decltype(y)>, array<float, 5, 3>>);
  CHECK(int(seven) == 7);
  near(mean(square(y)), value, 0.02);
}

TEST_CASE("a scale grows after so many finite steps, and shrinks with each that is not") {
  nn::dynamic_loss_scale<3, 2, 4> scale{16};
  float want = 16;
  int counter = 0;
  auto adjust = jit([](nn::dynamic_loss_scale<3, 2, 4> s, array<bool> finite) { return s.adjust(finite); });
  for (bool finite : {true, true, false, true, true, true, true, true, true, false, false, false, false, false}) {
    if (!finite) want = std::max(4.f, want / 2);
    else if (counter == 2) want *= 2;
    counter = finite ? (counter + 1) % 3 : 0;
    scale = adjust(scale, array<bool>(finite));
    CHECK(float(scale.loss_scale) == want);
    CHECK(int(scale.counter) == counter);
  }
  nn::dynamic_loss_scale<1> largest{0x1p127f};
  CHECK(float(largest.adjust(array<bool>(true)).loss_scale) == 0x1p127f);

  std::tuple const t{array<float, 2>{1.f, 2.f}, array<int>(3)};
  auto const more = nn::static_loss_scale{8}.scale(t), same_again = nn::static_loss_scale{8}.unscale(more);
  CHECK(float(std::get<0>(more)(1)) == 16);
  CHECK(int(std::get<1>(more)) == 3);
  CHECK(same_bits(same_again, t));
  CHECK(same_bits(nn::no_loss_scale{}.adjust(array<bool>(false)).unscale(nn::no_loss_scale{}.scale(t)), t));
}

namespace {

constexpr auto adam = optim::adam(0.1);
struct training {
  array<float, 4> parameters;
  optim::state_of<adam, array<float, 4>> state;
  nn::dynamic_loss_scale<> scale;
};
/// A step of f16: where a gradient is not finite, parameters and their optimizer stay as they are.
constexpr auto step = jit([](training const& t, array<float, 4> const& x) {
  constexpr auto scaled = [](array<float, 4> const& p, array<float, 4> const& x, nn::dynamic_loss_scale<> const& s) {
    return s.scale(sum(nn::cast<float16>(p) * nn::cast<float16>(x)));
  };
  auto const gradient = t.scale.unscale(grad<0>(scaled)(t.parameters, x, t.scale));
  auto const finite = nn::all_finite(gradient);
  auto const [updates, next] = adam.update(gradient, t.state);
  auto const stepped = optim::apply_updates(t.parameters, updates);
  return training{nn::select_tree(finite, stepped, t.parameters), nn::select_tree(finite, next, t.state),
                  t.scale.adjust(finite)};
});

}  // namespace

TEST_CASE("a gradient of f16 that overflows: the step is left out, and the scale halved") {
  array<float, 4> const start{1.f, 2.f, 3.f, 4.f};
  training const t{start, adam.init(start), {32768.f}};
  training const after = step(t, array<float, 4>{1.f, -0.5f, 3.f, 1.f});  // 3 times the scale is no f16
  CHECK(same_bits(after.parameters, t.parameters));
  CHECK(same_bits(after.state, t.state));
  CHECK(float(after.scale.loss_scale) == 16384);
  CHECK(int(after.scale.counter) == 0);
  training const fine = step(after, array<float, 4>{1.f, -0.5f, 3.f, 1.f});
  CHECK(float(fine.scale.loss_scale) == 16384);
  CHECK(int(fine.scale.counter) == 1);
  CHECK(int(std::get<0>(fine.state).count) == 1);
  near(fine.parameters, array<float, 4>{0.9f, 2.1f, 2.9f, 3.9f}, 1e-5);
  CHECK(!bool(nn::all_finite(std::tuple{array<float, 2>{1.f, 0.f}, array<float16>(float16(1e9f))})));
}
