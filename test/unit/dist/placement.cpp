// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <etna/dist/placement.hpp>
#include <etna/group/one_process.hpp>
#include <etna/interop/span.hpp>
#include <numeric>

using namespace etna;
using dist::axis, dist::spec;

namespace {
using one = dist::mesh<axis("data"_n, 1), axis("model"_n, 1)>;
using open_mesh = dist::mesh<"data"_n>;
template <class A> A counted() {
  return A::build([](auto* out) { std::iota(out, out + A::size(), 0); });
}
template <class A, class B> bool same_numbers(A const& a, B const& b) {
  return std::equal(a.data(), a.data() + a.size(), b.data(), b.data() + b.size());
}
struct net {
  array<float, 4, 6> kernel;
  array<float, 6> bias;
};
}  // namespace

TEST_CASE("there and back") {
  dist::one_process alone;
  one const m(alone);
  auto const x = counted<array<float, 4, 6>>();
  auto const s = dist::device_put<spec<"data"_n, "model"_n>>(m, x);
  static_assert(std::is_same_v<decltype(s.local), array<float, 4, 6>>);
  CHECK(same_numbers(dist::gather(s), x));
  auto const t = dist::reshard<spec<none, "data"_n>>(s);
  static_assert(std::is_same_v<decltype(dist::gather(t)), array<float, 4, 6>>);
  CHECK(same_numbers(t.local, x));
  CHECK(same_numbers(dist::device_put_from<spec<"model"_n>>(m, 0, x).local, x));
  CHECK(same_numbers(dist::gather(dist::device_put<spec<>>(m, array<int>(3))), array<int>(3)));
}
TEST_CASE("sizes that the start tells") {
  dist::one_process alone;
  open_mesh const m(alone);
  auto const x = counted<array<float, 4, 6>>();
  auto const s = dist::device_put<spec<"data"_n>, array<float, 4, 6>>(m, x);
  static_assert(std::is_same_v<decltype(dist::gather(s)), array<float, ext::mul(4, "data"_n), 6>>);
  CHECK(same_numbers(dist::gather(s), x));
  auto const n = dist::device_put<spec<"data"_n>, array<float, "rows"_n, 6>>(m, x);
  CHECK(n.shape()[0] == 4);
  CHECK(same_numbers(dist::gather<array<float, 4, 6>>(n), x));
  CHECK(same_numbers(dist::reshard<spec<none, "data"_n>, array<float, 4, 6>>(s).local, x));
  CHECK_THROWS_WITH_AS((dist::device_put<spec<"data"_n>, array<float, 3, 6>>(m, x)), doctest::Contains("E112"), error);
  CHECK(dist::devices(m).shape()[0] == 1);
  CHECK(dist::process_index(m) == 0);
  CHECK(dist::device_count(m) == dist::process_count(m));
}
TEST_CASE("where nothing moves, memory is shared") {
  dist::one_process alone;
  one const m(alone);
  auto const x = counted<array<float, 40, 60>>();
  auto const s = dist::device_put<spec<"data"_n, "model"_n>>(m, x);
  CHECK(s.local.data() == x.data());
  auto const t = dist::reshard<spec<none, "model"_n>>(s);
  CHECK(t.local.data() == x.data());
  CHECK(dist::gather(t).data() == x.data());
}
TEST_CASE("trees") {
  dist::one_process alone;
  one const m(alone);
  net const p{counted<array<float, 4, 6>>(), counted<array<float, 6>>()};
  auto const s = dist::device_put<spec<"model"_n>>(m, p);
  auto const back = dist::gather(s);
  static_assert(std::is_same_v<decltype(back), net const>);
  CHECK(same_numbers(back.kernel, p.kernel));
  CHECK(same_numbers(back.bias, p.bias));
  auto const by_rule = dist::device_put(m, p, [](auto path) {
    if constexpr (path.ends_with("kernel")) return spec<none, "model"_n>{};
    else return spec<>{};
  });
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(by_rule.template get<&net::kernel>())>,
                               dist::sharded<array<float, 4, 6>, one, spec<none, "model"_n>>>);
  CHECK(same_numbers(dist::gather(dist::reshard<spec<>>(by_rule)).bias, p.bias));
  CHECK(same_numbers(dist::replicate(m, p).bias, p.bias));
}
TEST_CASE("the mesh does not divide") {
  int const size[] = {4};
  dist::detail::mesh_here h;
  h.axes = 1;
  h.size[0] = size[0];
  dist::detail::cut c;
  c.of[0] = 1;
  extent const shape[] = {4, 10};
  CHECK_THROWS_WITH_AS(dist::detail::check_divides(shape, h, c, "device_put"),
                       doctest::Contains("axis 1 of [4, 10] is cut into 4"), error);
}
TEST_CASE("padding") {
  auto const x = counted<array<int, 2, 3, 3>>();
  extent const sizes[] = {2, 4, 4};
  auto const all = dist::detail::padded(x, sizes, -1);
  auto const* n = reinterpret_cast<int const*>(all.data());
  CHECK(n[0] == 0);
  CHECK(n[3] == -1);
  CHECK(n[4] == 3);
  CHECK(n[12] == -1);
  CHECK(n[16] == 9);
  CHECK(same_numbers(dist::detail::without_padding<array<int, 2, 3, 3>>(all, sizes, x.shape()), x));
}
