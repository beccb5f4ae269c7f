// SPDX-License-Identifier: BSD-3-Clause
#include "rows.hpp"

TEST_CASE("every row: derivatives, vmap, second derivatives") { test_rows(0); }

namespace {
constexpr double infinite = std::numeric_limits<double>::infinity();
subject pointwise(int op, int arity) {
  subject s{op, {}};
  s.s.n = arity;
  for (int k = 0; k < arity; ++k) s.s.type[k] = {dtype::f64, 0, {}};
  return s;
}
tensor number(double v) { return {{dtype::f64, 0, {}}, {v}}; }
double slope(int op, double x, double y, double dx, double dy) {
  return pushed(pointwise(op, 2), {number(x), number(y)}, {number(dx), number(dy)}).x[0];
}
}  // namespace

TEST_CASE("at kinks and poles derivatives are the chosen ones") {
  using namespace ops;
  for (int op : {code<max_p>, code<min_p>}) {  // equal operands have half each
    CHECK(slope(op, 2, 2, 3, 5) == 4);
    CHECK(slope(op, 2, 2, 3, 0) == 1.5);
  }
  CHECK(slope(code<pow_p>, 0, 0, 1, 1) == 0);
  CHECK(slope(code<pow_p>, 0, 0, 1, 0) == 0);
  CHECK(slope(code<pow_p>, 0, 0, 0, 1) == 0);
  CHECK(slope(code<pow_p>, 0, 2, 1, 1) == 0);
  CHECK(slope(code<pow_p>, 1, 0, 1, 1) == 0);
  CHECK(slope(code<logaddexp_p>, -infinite, -infinite, 1, 2) == 1.5);
  CHECK(slope(code<logaddexp_p>, infinite, infinite, 1, 2) == 1.5);
  CHECK(slope(code<scale_p>, 0, 1, 0, infinite) == 0);  // a closed gate
  tensor_type three{dtype::f64, 1, {3}};
  for (int op : {code<amax_p>, code<amin_p>}) {  // equal extremes share
    double a = op == code<amax_p> ? 7 : -7;
    subject s{op, one_operand(three, {}, {0})};
    CHECK(pushed(s, {{three, {a, 1, a}}}, {{three, {3, 100, 5}}}).x[0] == 4);
    tensors dx = pulled(s, {{three, {a, 1, a}}}, number(6));
    CHECK(dx[0].x == std::vector<double>{3, 0, 3});
  }
}

TEST_CASE("transposes keep the gate") {
  using namespace ops;
  auto turned = [](int op, double x, double y, int k, double cotangent) {
    recorded call(pointwise(op, 2), {number(x), number(y)}, {}, k);
    traced ct = call.take(number(cotangent)), dx;
    transform::transpose({call.r, &call.x[std::size_t(k)], 1, call.out.data(), 1}, &ct, &dx);
    return numbers_of(dx).x[0];
  };
  CHECK(turned(code<scale_p>, 0, 1, 1, infinite) == 0);
  CHECK(turned(code<mul_p>, 1, infinite, 0, 0) == 0);
  CHECK(turned(code<mul_p>, infinite, 1, 1, 0) == 0);
  CHECK(turned(code<div_p>, 1, 0, 0, 0) == 0);
}

TEST_CASE("an axis moved by one: by parts and by index") {
  tensor_type t{dtype::f64, 2, {3, 4}};
  source_of_numbers random{5};
  tensor x = random.draw(t, {-1, 1});
  for (int axis : {0, 1})
    for (bool reverse : {false, true}) {
      tracing::graph* g = transform::new_recording();
      transform::home release_at_end(g);
      traced v = record(x, g);
      tensor is = numbers_of(ops::delayed_by_index(v, axis, reverse));
      CHECK(is.type == t);
      CHECK(is.x == numbers_of(ops::delayed(v, axis, reverse)).x);
    }
}

TEST_CASE("derivatives have the types of what they belong to: conversions, products of f32 summed in f64") {
  using namespace ops;
  subject narrow{code<convert_p>, one_operand({dtype::f64, 1, {3}}, {}, {std::int64_t(dtype::f32)})};
  tensor_type wide{dtype::f64, 1, {3}}, f32{dtype::f32, 1, {3}};
  CHECK(pushed(narrow, {{wide, {1, 2, 3}}}, {{wide, {4, 5, 6}}}).type == f32);
  CHECK(pulled(narrow, {{wide, {1, 2, 3}}}, {f32, {4, 5, 6}})[0].type == wide);

  dot_dims d{0, 1, {}, {}, {1}, {0}};
  d.accumulate = dtype::f64;
  subject s{code<dot_general_p>, {}};
  s.s.n = 2;
  s.s.type[0] = {dtype::f32, 2, {2, 3}};
  s.s.type[1] = {dtype::f32, 2, {3, 4}};
  s.s.n_attr = d.write(s.s.attr);
  source_of_numbers random{3};
  tensors in{random.draw(s.s.type[0], reals), random.draw(s.s.type[1], reals)},
      t{random.draw(s.s.type[0], unit), random.draw(s.s.type[1], unit)};
  tensor dy = pushed(s, in, t), c = random.draw(dy.type, unit);
  CHECK(dy.type.d == dtype::f64);
  tensors back = pulled(s, in, c);
  for (int k = 0; k < 2; ++k) CHECK(back[std::size_t(k)].type == s.s.type[k]);
  CHECK(inner(back[0], t[0]) + inner(back[1], t[1]) == doctest::Approx(inner(c, dy)).epsilon(1e-5));
}
