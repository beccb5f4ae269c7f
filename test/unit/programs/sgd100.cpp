// SPDX-License-Identifier: BSD-3-Clause
// 100 jitted steps of SGD on [784, 512, 10] against JAX: the losses, the norms of the parameters, how far they moved.
#include <doctest/doctest.h>

#include <cmath>
#include <string_view>
#include <vector>

#include "mlp.hpp"

using namespace test;

namespace {

reference::run const& jax(std::string_view dtype) {
  for (auto const& r : reference::runs)
    if (r.peer == std::string_view("jax") && r.dtype == dtype) return r;
  FAIL("no such run");
  return reference::runs[0];
}

template <class T> void check(reference::run const& want, double norm_tolerance, double moved_tolerance) {
  mlp<T> p = start<T>(), before = start<T>();
  std::vector<double> losses;
  for (int s = 0; s < sgd::steps; ++s) {
    auto [next, value] = step<T>(std::move(p), images<T>(s), labels(s));
    p = std::move(next);
    losses.push_back(double(value.item()));
  }
  int const at[] = {0, 49, 99};
  for (int k = 0; k < 3; ++k) {
    INFO("loss of step " << at[k] + 1);
    CHECK(losses[std::size_t(at[k])] == doctest::Approx(want.loss[k]).epsilon(norm_tolerance));
  }
  int k = 0;
  auto compare = [&](auto const& after, auto const& first) {
    auto const& w = want.parameter[k++];
    double norm = 0, was = 0, moved = 0;
    for (extent i = 0; i < after.size(); ++i) {
      double a = double(after.data()[i]), b = double(first.data()[i]);
      norm += a * a;
      was += b * b;
      moved += (a - b) * (a - b);
    }
    norm = std::sqrt(norm);
    was = std::sqrt(was);
    moved = std::sqrt(moved);
    MESSAGE(std::string(w.name) << ": norm off by " << std::abs(norm / w.norm - 1) << ", moved by "
                                << std::abs(moved / w.moved - 1));
    CHECK(std::abs(norm - w.norm) <= norm_tolerance * w.norm);
    CHECK(std::abs(was - w.before) <= 1e-12 * w.before);
    CHECK(std::abs(moved - w.moved) <= moved_tolerance * w.moved);
    for (int j = 0; j < 3; ++j)
      CHECK(std::abs(double(after.data()[w.index[j]]) - w.element[j]) <= 10 * norm_tolerance * std::abs(w.element[j]));
  };
  compare(p.w1, before.w1);
  compare(p.b1, before.b1);
  compare(p.w2, before.w2);
  compare(p.b2, before.b2);
}

}  // namespace

TEST_CASE("100 steps of SGD in f32 are those of JAX") { check<float>(jax("f32"), 1e-6, 1e-5); }
TEST_CASE("100 steps of SGD in f64 are those of JAX") { check<double>(jax("f64"), 1e-13, 1e-11); }
