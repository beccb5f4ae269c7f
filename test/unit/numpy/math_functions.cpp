// SPDX-License-Identifier: BSD-3-Clause
// Functions of one and two arguments against JAX: values, derivatives, second derivatives; eager and fused.
#include "data/functions.inc.hpp"
#include "same.hpp"

using namespace test;

namespace {

constexpr extent n = 33;  // samples are repeated up to this number
using numbers = array<double, n>;

template <class F> struct named {
  const char* name;
  F f;
};
template <class F> named(const char*, F) -> named<F>;

#define FUNCTION(NAME)                           \
  named {                                        \
    #NAME, [](auto const& x) { return NAME(x); } \
  }
constexpr auto unary = std::tuple{FUNCTION(gelu),
                                  FUNCTION(silu),
                                  FUNCTION(softplus),
                                  FUNCTION(log_sigmoid),
                                  FUNCTION(elu),
                                  FUNCTION(leaky_relu),
                                  FUNCTION(selu),
                                  FUNCTION(relu6),
                                  FUNCTION(hard_tanh),
                                  FUNCTION(hard_sigmoid),
                                  FUNCTION(hard_silu),
                                  FUNCTION(soft_sign),
                                  FUNCTION(mish),
                                  FUNCTION(tan),
                                  FUNCTION(arcsin),
                                  FUNCTION(arccos),
                                  FUNCTION(arctan),
                                  FUNCTION(sinh),
                                  FUNCTION(cosh),
                                  FUNCTION(arcsinh),
                                  FUNCTION(arccosh),
                                  FUNCTION(arctanh),
                                  FUNCTION(sinc),
                                  FUNCTION(degrees),
                                  FUNCTION(radians),
                                  FUNCTION(exp2),
                                  FUNCTION(cbrt),
                                  FUNCTION(log2),
                                  FUNCTION(log10),
                                  FUNCTION(reciprocal),
                                  FUNCTION(erfc),
                                  FUNCTION(erf_inv),
                                  FUNCTION(floor),
                                  FUNCTION(ceil),
                                  FUNCTION(trunc),
                                  FUNCTION(rint),
                                  FUNCTION(nan_to_num),
                                  named{"gelu_exact", [](auto const& x) { return gelu(x, false); }},
                                  named{"elu_2", [](auto const& x) { return elu(x, 2); }},
                                  named{"celu", [](auto const& x) { return celu(x, 1.5); }},
                                  named{"round_1", [](auto const& x) { return round(x, 1); }}};
#undef FUNCTION
#define FUNCTION(NAME)                                             \
  named {                                                          \
    #NAME, [](auto const& x, auto const& y) { return NAME(x, y); } \
  }
constexpr auto binary = std::tuple{FUNCTION(arctan2),   FUNCTION(logaddexp), FUNCTION(logaddexp2),  FUNCTION(hypot),
                                   FUNCTION(remainder), FUNCTION(fmod),      FUNCTION(floor_divide)};
#undef FUNCTION

template <auto const& List, int I> struct function {
  template <class... X> static constexpr auto value(X const&... x) { return std::get<I>(List).f(x...); }
  static constexpr auto total = [](auto const&... x) { return sum(value(x...)); };
  static constexpr auto slope = [](auto const&... x) { return sum(grad<0>(total)(x...)); };
  static constexpr auto all(numbers const& x) { return std::tuple{value(x), grad(total)(x), grad(slope)(x)}; }
  static constexpr auto all(numbers const& x, numbers const& y) {
    auto [dx, dy] = grad<0, 1>(total)(x, y);
    return std::tuple{value(x, y), dx, dy, grad<0>(slope)(x, y)};
  }
};
/// All functions of a list, each of its own arguments.
template <auto const& List> struct program {
  static constexpr int size = int(std::tuple_size_v<std::remove_cvref_t<decltype(List)>>);
  using in = std::array<numbers, std::size_t(size)>;
  constexpr auto operator()(in const& x) const {
    return [&]<int... I>(std::integer_sequence<int, I...>) {
      return std::tuple{function<List, I>::all(x[I])...};
    }(std::make_integer_sequence<int, size>{});
  }
  constexpr auto operator()(in const& x, in const& y) const {
    return [&]<int... I>(std::integer_sequence<int, I...>) {
      return std::tuple{function<List, I>::all(x[I], y[I])...};
    }(std::make_integer_sequence<int, size>{});
  }
};

reference::function const& reference_of(const char* name) {
  static std::vector<reference::function> const all = reference::functions();
  for (auto const& f : all)
    if (std::string(f.name) == name) return f;
  FAIL("no reference of ", name);
  return all[0];
}
numbers repeated(reference::numbers const& x) {
  return numbers::build([&](double* to) {
    for (std::size_t i = 0; i < n; ++i) to[i] = x[i % x.size()];
  });
}
void check_near(numbers const& is, reference::numbers const& should, double tolerance) {
  for (std::size_t i = 0; i < n; ++i) {
    double a = is(i), b = should[i % should.size()];
    CAPTURE(i);
    bool ok = a == b || (std::isnan(a) && std::isnan(b)) || std::abs(a - b) <= tolerance * (1 + std::abs(b));
    if (!ok) CHECK(a == b);
    CHECK(ok);
  }
}
void check(reference::function const& f, std::tuple<numbers, numbers, numbers> const& is) {
  check_near(std::get<0>(is), f.out, 1e-13);
  check_near(std::get<1>(is), f.dx, 1e-11);
  check_near(std::get<2>(is), f.dxx, 1e-9);
}
void check(reference::function const& f, std::tuple<numbers, numbers, numbers, numbers> const& is) {
  check_near(std::get<0>(is), f.out, 1e-13);
  check_near(std::get<1>(is), f.dx, 1e-11);
  check_near(std::get<2>(is), f.dy, 1e-11);
  check_near(std::get<3>(is), f.dxx, 1e-9);
}
template <auto const& List, class R> void check_all(R const& results) {
  int count = [&]<int... I>(std::integer_sequence<int, I...>) {
    auto one = [](const char* name, auto const& r) {
      INFO(name);
      check(reference_of(name), r);
      return 1;
    };
    return (one(std::get<I>(List).name, std::get<I>(results)) + ...);
  }(std::make_integer_sequence<int, program<List>::size>{});
  CHECK(count == program<List>::size);
}
template <auto const& List> typename program<List>::in arguments(reference::numbers reference::function::*which) {
  return std::apply(
      [&](auto const&... f) { return typename program<List>::in{repeated(reference_of(f.name).*which)...}; }, List);
}

}  // namespace

TEST_CASE("functions of one argument are JAX's, eager") {
  check_all<unary>(program<unary>{}(arguments<unary>(&reference::function::x)));
}
TEST_CASE("functions of one argument are JAX's, fused") {
  check_all<unary>(jit(program<unary>{})(arguments<unary>(&reference::function::x)));
}
TEST_CASE("functions of two arguments are JAX's, eager") {
  check_all<binary>(
      program<binary>{}(arguments<binary>(&reference::function::x), arguments<binary>(&reference::function::y)));
}
TEST_CASE("functions of two arguments are JAX's, fused") {
  check_all<binary>(
      jit(program<binary>{})(arguments<binary>(&reference::function::x), arguments<binary>(&reference::function::y)));
}
TEST_CASE("every reference is used") {
  CHECK(reference::functions().size() == std::tuple_size_v<decltype(unary)> + std::tuple_size_v<decltype(binary)>);
}
