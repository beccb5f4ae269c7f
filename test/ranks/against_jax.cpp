// SPDX-License-Identifier: BSD-3-Clause
// Programs over a mesh of 4 x 2, and over 8 ranks: collectives, gradients inside of functions over a mesh and from
// outside, as JAX has them on 8 devices (test/data/shard_map.py has the same programs).
#include <cmath>
#include <cstdio>
#include <etna/dist/placement.hpp>
#include <etna/dist/pmap.hpp>
#include <etna/dist/shard_map.hpp>
#include <etna/dist/world.hpp>
#include <etna/etna.hpp>
#include <vector>

#include "../data/shard_map.inc.hpp"

using namespace etna;
using dist::axis, dist::in_specs, dist::out_specs, dist::spec;

namespace {

using grid = dist::mesh<axis("data"_n, 4), axis("model"_n, 2)>;
using both = spec<"data"_n, "model"_n>;
using by_data = spec<"data"_n>;
using by_model = spec<"model"_n>;
using columns = spec<none, "model"_n>;
using whole = spec<>;

template <class A> A numbers(int seed) {
  return A::build([&](double* x) {
    for (extent i = 0; i < A::type.size(); ++i) x[i] = double((i * 37 + seed * 11) % 29 - 14) / 16;
  });
}

int wrong = 0, me = 0;
double largest = 0;
/// A leaf of the reference's, or this rank's part of it.
void compare(std::string_view name, double const* x, extent n, std::vector<double> const& all, bool is_part) {
  if (extent(all.size()) != (is_part ? 8 * n : n) && ++wrong)
    return void(std::printf("rank %d: %s: %d elements\n", me, name.data(), int(n)));
  for (extent i = 0; i < n; ++i) {
    double const y = all[std::size_t((is_part ? me * n : 0) + i)], d = std::abs(x[i] - y);
    largest = std::max(largest, d);
    if (!(d < 1e-12) && ++wrong)
      return void(std::printf("rank %d: %s [%d]: %.17g, JAX has %.17g\n", me, name.data(), int(i), x[i], y));
  }
}
template <class T> void compare_leaves(std::string_view name, T const& t, bool is_part) {
  for (auto const& r : reference::mesh_results()) {
    if (r.name != name) continue;
    std::size_t k = 0;
    tree::for_each([&](auto const& x) { compare(name, x.data(), x.size(), r.leaves.at(k++), is_part); }, t);
    if (k != r.leaves.size() && ++wrong) std::printf("%s: %d leaves\n", name.data(), int(k));
    return;
  }
  ++wrong;
  std::printf("%s: there is no such reference\n", name.data());
}
/// Results with whole arrays in the places of sharded ones.
template <class T> auto gathered(T const& t) {
  if constexpr (any_array<T>) return t;
  else return dist::gather(t);
}
template <class... T> auto gathered(std::tuple<T...> const& t) {
  return std::apply([](auto const&... x) { return std::tuple{gathered(x)...}; }, t);
}
template <class A, class B> auto gathered(std::pair<A, B> const& t) {
  return std::tuple{gathered(t.first), gathered(t.second)};
}
template <class T> void compare_whole(std::string_view name, T const& t) { compare_leaves(name, gathered(t), false); }

template <class In, class... Out, class F> constexpr auto over(F f) {
  return dist::shard_map<grid, in_specs<In>, out_specs<Out...>>(f);
}
constexpr auto layer = [](auto const& x, auto const& w, auto const& b) { return tanh(psum<"model"_n>(dot(x, w)) + b); };
constexpr auto squares = [](auto const& w, auto const& b, auto const& x) { return sum(square(layer(x, w, b))); };

constexpr auto inside = dist::shard_map<grid, in_specs<by_model, whole, both>, out_specs<whole, by_model, whole>>(
    [](auto const& w, auto const& b, auto const& x) {
      auto const [value, slopes] = value_and_grad<0, 1>(squares)(w, b, x);
      return std::tuple{psum<"data"_n>(value), psum<"data"_n>(std::get<0>(slopes)),
                        psum<"data"_n, "model"_n>(std::get<1>(slopes))};
    });
constexpr auto loss = dist::shard_map<grid, in_specs<by_model, whole, both>, out_specs<whole>>(
    [](auto const& w, auto const& b, auto const& x) { return psum<"data"_n>(squares(w, b, x)); });
constexpr auto alone = dist::shard_map<grid, in_specs<whole>, out_specs<whole>>(
    [](auto const& w, auto const& b) { return sum(sin(dot(w, b))); });
constexpr auto rows = dist::shard_map<grid, in_specs<both, by_model, whole>, out_specs<by_data>>(layer);
constexpr auto add_up = dist::shard_map<grid, in_specs<by_data>, out_specs<whole>>(
    [](auto const& y) { return pmean<"data"_n>(sum(y * y * y)); });
constexpr auto two = [](auto const& w, auto const& b, auto const& x) { return add_up(rows(x, w, b)); };

void on_a_grid(dist::process_group& ranks) {
  grid const m(ranks);
  auto const x = dist::device_put<both>(m, numbers<array<double, 8, 4>>(1));
  auto const w = dist::device_put<by_model>(m, numbers<array<double, 4, 6>>(2));
  auto const b = numbers<array<double, 6>>(3);
  auto const parts = dist::device_put<by_data>(m, numbers<array<double, 32, 2>>(4));

  compare_whole("sums", over<both, columns, whole, by_data>([](auto const& t) {
                  return std::tuple{psum<"data"_n>(t), psum<"data"_n, "model"_n>(sum(t * t)), pmean<"model"_n>(t)};
                })(x));
  compare_whole("extremes", over<both, columns, by_data>([](auto const& t) {
                  return std::tuple{pmax<"data"_n>(t), pmin<"model"_n>(sin(t))};
                })(x));
  compare_whole("gathered",
                over<both, spec<none, none, "model"_n>>([](auto const& t) { return all_gather<"data"_n, 4>(t); })(x));
  compare_whole("permuted", over<both, both>([](auto const& t) {
                  return std::tuple{ppermute<"data"_n>(t, std::array<std::array<int, 2>, 3>{{{0, 2}, {1, 0}, {3, 1}}}),
                                    pshift<"data"_n, 1>(t, ends::ring)};
                })(x));
  compare_whole("scattered", over<by_data, by_data>(
                                 [](auto const& p) { return psum_scatter<"data"_n>(reshape<4, 2, 2>(p)); })(parts));
  compare_whole("exchanged", over<by_data, by_data>(
                                 [](auto const& p) { return all_to_all<"data"_n, 4>(reshape<4, 2, 2>(p)); })(parts));
  compare_whole("places", over<both, both>([](auto const& t) {
                  return t + 10.0 * astype<double>(axis_index<"data"_n>(t)) +
                         100.0 * astype<double>(axis_index<"model"_n>(t));
                })(x));

  compare_whole("inside", inside(w, b, x));
  compare_whole("outside", jit([](auto const& w, auto const& b, auto const& x) {
                  return value_and_grad<0, 1, 2>(loss)(w, b, x);
                })(w, b, x));
  compare_whole("outside", value_and_grad<0, 1, 2>(loss)(w, b, x));  // equation by equation
  auto const u = numbers<array<double, 4, 6>>(2);
  compare_whole("alone", jit([](auto const& w, auto const& b) { return value_and_grad<0, 1>(alone)(w, b); })(u, b));
  compare_whole("two", jit([](auto const& w, auto const& b, auto const& x) {
                  return value_and_grad<0, 1, 2>(two)(w, b, x);
                })(w, b, x));
  auto const dw = dist::device_put<by_model>(m, numbers<array<double, 4, 6>>(5));
  auto const db = numbers<array<double, 6>>(6);
  auto const dx = dist::device_put<both>(m, numbers<array<double, 8, 4>>(7));
  compare_whole("forward", jit([](auto const& p, auto const& t) { return jvp(loss, p, t); })(std::tuple{w, b, x},
                                                                                             std::tuple{dw, db, dx}));
}

void on_a_line(dist::process_group& ranks) {
  dist::mesh<"i"_n> const m(ranks);
  auto const x = numbers<array<double, 8, 4>>(1);
  auto const parts = numbers<array<double, 8, 8, 2>>(8);
  array<double, 4> const row(take(x, array<int>(me)));
  array<double, 8, 2> const part(take<0>(parts, array<int>(me)));
  compare_leaves("pmap_sums", dist::pmap<"i"_n>([](auto const& r) {
                   return std::tuple{psum<"i"_n>(r * r), pmean<"i"_n>(r), pmax<"i"_n>(r)};
                 })(row),
                 true);
  compare_leaves("pmap_moved", dist::pmap<"i"_n>([](auto const& r) {
                   return std::tuple{pshift<"i"_n, 1>(r, ends::ring), all_gather<"i"_n, 8>(sum(r))};
                 })(row),
                 true);
  compare_leaves("pmap_parts", dist::pmap<"i"_n>([](auto const& r) {
                   return std::tuple{psum_scatter<"i"_n>(r), all_to_all<"i"_n, 8>(r)};
                 })(part),
                 true);
  compare_leaves("pmap_gradient",
                 dist::pmap<"i"_n>(grad([](auto const& r) { return sum(psum<"i"_n>(r * r) * sin(r)); }))(row), true);
  compare_leaves("pmap_step", dist::pmap<"i"_n>([](auto const& r, auto const& w) {
                   auto const [value, g] =
                       value_and_grad([r](auto const& u) { return mean(square(tanh(dot(r, u)))); })(w);
                   return std::tuple{pmean<"i"_n>(value), w - 0.1 * pmean<"i"_n>(g)};
                 })(row, numbers<array<double, 4, 6>>(2)),
                 true);
}

}  // namespace

int main(int argc, char** argv) {
  dist::session const mpi(&argc, &argv);
  auto const ranks = dist::world();
  me = ranks->rank();
  on_a_grid(*ranks);
  on_a_line(*ranks);
  if (wrong == 0 && me == 0) std::printf("largest difference from JAX: %.1e\n", largest);
  return wrong > 0;
}
