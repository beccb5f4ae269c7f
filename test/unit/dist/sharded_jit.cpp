// SPDX-License-Identifier: BSD-3-Clause
// How programs are divided: what is put in, and why. Their numbers on several ranks: test/ranks/partition.cpp.
#include <doctest/doctest.h>

#include <etna/dist/show_partition.hpp>
#include <etna/etna.hpp>
#include <etna/group/one_process.hpp>
#include <string>

// behind sharded_jit.hpp, whose jit it must not take
#include <etna/dist/pmap.hpp>

using namespace etna;
using dist::axis, dist::spec;

namespace {
using four = dist::mesh<axis("data"_n, 4)>;
using alone = dist::mesh<axis("data"_n, 1)>;
using both = dist::mesh<axis("data"_n, 2), axis("model"_n, 2)>;
template <any_array L, class M, auto... Of> using part = dist::sharded<L, M, spec<Of...>>;

int count(std::string const& text, std::string const& what) {
  int n = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
}
bool has(std::string const& text, const char* what) { return text.find(what) != std::string::npos; }

struct params {
  array<float, 8, 16> w;
  array<float, 16> b;
  array<float, 16, 4> v;
};
constexpr auto step = [](params const& p, array<float, 12, 8> const& x, array<float, 12, 4> const& y) {
  auto const loss = [](params const& q, array<float, 12, 8> const& x, array<float, 12, 4> const& y) {
    return mean(square(matmul(tanh(matmul(x, q.w) + q.b), q.v) - y));
  };
  auto const [l, g] = value_and_grad(loss)(p, x, y);
  return std::pair{l, tree::map([](auto const& a, auto const& d) { return a - 0.1f * d; }, p, g)};
};
}  // namespace

TEST_CASE("a step: one message for the loss, one for all small gradients") {
  std::string const text =
      dist::show_partition(dist::jit<four>(step), params{}, part<array<float, 3, 8>, four, "data"_n>{},
                           part<array<float, 3, 4>, four, "data"_n>{});
  CAPTURE(text);
  CHECK(count(text, "allreduce") == 2);
  CHECK(count(text, "allgather") == 0);
  CHECK(has(text, "f32[12,16] by spec<data>"));
  CHECK(has(text, "4 bytes: parts that sum combines"));
  CHECK(has(text, "832 bytes: parts that dot_general combines"));
}
TEST_CASE("on one process the plan is that of the program itself") {
  std::string const mine = show_plan(dist::jit<alone>(step), params{}, part<array<float, 12, 8>, alone, "data"_n>{},
                                     part<array<float, 12, 4>, alone, "data"_n>{});
  CHECK(mine == show_plan(jit(step), params{}, array<float, 12, 8>{}, array<float, 12, 4>{}));
}
TEST_CASE("what mixes examples says so") {
  auto const f = [](array<float, 12, 4> const& x) { return sort<0>(x); };
  std::string const text = dist::show_partition(dist::jit<four>(f), part<array<float, 3, 4>, four, "data"_n>{});
  CAPTURE(text);
  CHECK(has(text, "allgather over data, 48 bytes: sort mixes what lies along the axis"));
}
TEST_CASE("a norm over the batch sums it") {
  auto const f = [](array<float, 12, 4> const& x) {
    auto const normed = (x - mean<0>(x)) / sqrt(var<0>(x) + 1e-5f);
    return sum(normed * normed * normed);
  };
  std::string const text = dist::show_partition(dist::jit<four>(f), part<array<float, 3, 4>, four, "data"_n>{});
  CAPTURE(text);
  CHECK(count(text, "allgather") == 0);
  CHECK(count(text, "16 bytes: parts that sum combines") >= 2);
}
TEST_CASE("weights cut along what a product sums over") {
  auto const f = [](array<float, 8, 16> const& w, array<float, 16, 4> const& v, array<float, 12, 8> const& x) {
    return matmul(tanh(matmul(x, w)), v);
  };
  std::string const text = dist::show_partition(
      dist::jit<both, dist::out_specs<spec<"data"_n>>>(f), part<array<float, 8, 8>, both, none, "model"_n>{},
      part<array<float, 8, 4>, both, "model"_n>{}, part<array<float, 6, 8>, both, "data"_n>{});
  CAPTURE(text);
  CHECK(has(text, "f32[12,16] by spec<data, model>"));
  CHECK(has(text, "allreduce over model, 96 bytes: parts that dot_general combines"));
  CHECK(count(text, " over ") == 1);
}
TEST_CASE("constants are written as parts") {
  std::string const text =
      dist::show_partition(dist::jit<four, dist::out_specs<spec<"data"_n>>>([](array<float, 12, 4> const& x) {
                             return x * expand_dims<1>(astype<float>(arange<int, 12>() > 3));
                           }),
                           part<array<float, 3, 4>, four, "data"_n>{});
  CAPTURE(text);
  CHECK(count(text, " over ") == 0);
}
TEST_CASE("numbers of one process") {
  dist::one_process group;
  alone const m(group);
  params const p{full<float, 8, 16>(0.1f), full<float, 16>(0.2f), full<float, 16, 4>(-0.1f)};
  array<float, 12, 8> const x = full<float, 12, 8>(0.5f);
  array<float, 12, 4> const y = full<float, 12, 4>(0.25f);
  auto const [l, next] = dist::jit<alone>(step)(p, part<array<float, 12, 8>, alone, "data"_n>{x}, y);
  auto const [value, whole] = jit(step)(p, x, y);
  CHECK(l() == value());
  dist::mesh<"i"_n> const all(group);
  CHECK(dist::pmap<"i"_n>([](auto const& t) { return psum<"i"_n>(t); })(y)(3, 2) == 0.25f);
  CHECK(next.v(3, 2) == whole.v(3, 2));
}
