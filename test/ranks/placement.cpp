// SPDX-License-Identifier: BSD-3-Clause
// Arrays cut over meshes: 200 by chance from one cut to another, beside the whole array; typed ones there and back,
// with padding, from one rank, in trees.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <etna/dist/delayed_group.hpp>
#include <etna/dist/placement.hpp>
#include <etna/dist/world.hpp>
#include <etna/etna.hpp>
#include <memory>
#include <numeric>
#include <random>
#include <vector>

using namespace etna;
using dist::axis, dist::spec;

namespace {

int wrong = 0;
#define MUST(...)                                                       \
  if (!(__VA_ARGS__)) {                                                 \
    std::printf("line %d: %s does not hold\n", __LINE__, #__VA_ARGS__); \
    ++wrong;                                                            \
  }

using places = std::vector<int>;

// A mesh whose sizes are told at run time, with groups of its own.
struct chance_mesh {
  dist::detail::mesh_here here;
  std::vector<std::unique_ptr<dist::process_group>> own;
  chance_mesh(dist::process_group& g, places const& sizes) {
    here.axes = int(sizes.size());
    here.all = &g;
    std::copy(sizes.begin(), sizes.end(), here.size);
    int below = g.size();
    for (int k = 0; k < here.axes; ++k) {
      here.place[k] = dist::detail::place_along(g.rank(), here.size, here.axes, k);
      below /= here.size[k];
      own.push_back(g.split(g.rank() - here.place[k] * below, here.place[k]));
      here.along[k] = own.back().get();
    }
  }
};

int draw(std::mt19937& chance, int n) { return int(chance() % unsigned(n)); }
places sizes_of(std::mt19937& chance, int ranks) {
  places sizes(std::size_t(1 + draw(chance, 3)), 1);
  for (int rest = ranks, p = 2; rest > 1; rest % p ? ++p : 0)
    if (rest % p == 0) {
      sizes[std::size_t(draw(chance, int(sizes.size())))] *= p;
      rest /= p;
    }
  return sizes;
}
dist::detail::cut cut_of(std::mt19937& chance, std::vector<extent> const& shape, places const& sizes) {
  dist::detail::cut c;
  std::vector<bool> taken(shape.size());
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    std::size_t const a = std::size_t(draw(chance, int(shape.size()) + 1));
    if (a == shape.size() || taken[a] || shape[a] % sizes[k] != 0) continue;
    taken[a] = true;
    c.of[k] = int(a);
  }
  return c;
}
// The shard that should be, element by element: element i of the whole is i.
template <class T>
std::vector<T> should(std::vector<extent> const& shape, chance_mesh const& m, dist::detail::cut const& c) {
  std::vector<T> r;
  extent all = 1;
  for (extent n : shape) all *= n;
  for (extent i = 0; i < all; ++i) {
    bool here = true;
    extent rest = i;
    for (std::size_t a = shape.size(); a-- > 0; rest /= shape[a])
      for (int k = 0; k < m.here.axes; ++k)
        if (c.of[k] == int(a)) here = here && rest % shape[a] / (shape[a] / m.here.size[k]) == m.here.place[k];
    if (here) r.push_back(T(i));
  }
  return r;
}
template <class T> void one_case(std::mt19937& chance, dist::process_group& g) {
  std::vector<extent> shape(std::size_t(1 + draw(chance, 4)));
  for (extent& n : shape) n = draw(chance, 6) ? g.size() * (1 + draw(chance, 2)) : draw(chance, 4);
  chance_mesh const m(g, sizes_of(chance, g.size()));
  places const sizes(m.here.size, m.here.size + m.here.axes);
  auto const from = cut_of(chance, shape, sizes), to = cut_of(chance, shape, sizes);
  auto const mine = should<T>(shape, m, from), wanted = should<T>(shape, m, to);
  auto const got = dist::detail::resharded(dist::detail::block_of(mine.data(), mine.size() * sizeof(T)), shape,
                                           sizeof(T), m.here, from, to);
  MUST(got.size() == wanted.size() * sizeof(T));
  MUST(got.size() == 0 || std::memcmp(got.data(), wanted.data(), got.size()) == 0);
}

template <class A> A counted() {
  return A::build([](auto* out) { std::iota(out, out + A::size(), 0); });
}
template <class A, class B> bool same(A const& a, B const& b) {
  return a.size() == b.size() && std::equal(a.data(), a.data() + a.size(), b.data());
}

// A mesh of any number of ranks.
void open_mesh(dist::process_group& g) {
  dist::mesh<"data"_n> const m(g);
  int const n = g.size(), me = g.rank();
  auto const x = counted<array<float, 24, 8>>();
  auto const s = dist::device_put<spec<"data"_n>, array<float, "rows"_n, 8>>(m, x);
  MUST(s.shape()[0] == 24 / n);
  MUST(s.local(0, 1) == float(24 / n * me * 8 + 1));
  MUST(same(dist::gather(s), x));
  if (8 % n == 0) {
    auto const t = dist::reshard<spec<none, "data"_n>, array<float, 24, "columns"_n>>(s);
    MUST(t.local(3, 0) == float(3 * 8 + 8 / n * me));
    MUST(same(dist::gather<array<float, 24, 8>>(t), x));  // ("columns" times "data" is too long for a name)
  } else {
    int number = 0;
    try {
      dist::reshard<spec<none, "data"_n>, array<float, 24, "columns"_n>>(s);
    } catch (error const& e) { number = e.number; }
    MUST(number == 176);
  }
  auto const whole = dist::devices(m);
  for (int i = 0; i < n; ++i) MUST(whole(i) == i);
  // from one rank: what the others have is not looked at
  auto const from = g.rank() == n - 1 ? x : array<float, 24, 8>();
  MUST(same(dist::replicate(m, std::pair{g.rank() ? x * 2 : x, x}).first, x));
  MUST(same(dist::gather(dist::device_put_from<spec<>>(m, n - 1, from)), x));
}

template <int N> void written(dist::process_group& g) {
  using M = dist::mesh<axis("data"_n, N % 2 ? N : N / 2), axis("model"_n, N % 2 ? 1 : 2)>;
  M const m(g);
  auto const x = counted<array<double, 24, 16, 2>>();
  auto const s = dist::device_put<spec<"data"_n, "model"_n>>(m, x);
  auto const from = dist::device_put_from<spec<"data"_n, "model"_n>>(m, N - 1, g.rank() == N - 1 ? x : x * 0);
  MUST(same(s.local, from.local));
  auto const both = dist::device_put_from<spec<"data"_n>>(m, 0, std::pair{x, x + 1});
  MUST(same(dist::gather(both).second, x + 1));
  auto const t = dist::reshard<spec<"model"_n, none, none>>(s);
  MUST(same(dist::gather(t), x));
  MUST(same(dist::gather(s), x));
  auto const tree = dist::reshard<spec<>>(std::tuple{s, t, array<int>(7)});
  MUST(same(std::get<0>(tree).local, x));
  MUST(same(std::get<1>(tree).local, x));
  // 23 and 15 divide by nothing
  auto const odd = counted<array<int, 23, 15>>();
  auto const p = dist::device_put_padded<spec<"data"_n, "model"_n>>(m, odd, -1);
  MUST(same(dist::gather(p), odd));
  MUST(same(dist::gather<array<int, "rows"_n, 15>>(p), odd));
  int held = 0;
  for (extent i = 0; i < p.local.size(); ++i) held += p.local.data()[i] != -1;
  MUST(held == int(p.held()[0] * p.held()[1]));
  // An array that is mapped keeps its cut.
  auto const doubled = tree::map([](auto const& a) { return a + a; }, s);
  MUST(same(dist::gather(doubled), x + x));
}

}  // namespace

int main(int argc, char** argv) try {
  dist::session const mpi(&argc, &argv);
  auto const ranks = dist::world();
  MUST(ranks->size() == (argc > 1 ? std::atoi(argv[1]) : 1));
  std::mt19937 chance(unsigned(5 + ranks->size()));
  for (int i = 0; i < 100; ++i) {
    one_case<std::int16_t>(chance, *ranks);
    one_case<double>(chance, *ranks);
  }
  open_mesh(*ranks);
  dist::delayed_group late(*ranks, std::chrono::milliseconds(1), std::uint32_t(ranks->rank()));
  open_mesh(late);
  switch (ranks->size()) {
    case 1: written<1>(*ranks); break;
    case 2: written<2>(*ranks); break;
    case 3: written<3>(*ranks); break;
    case 4: written<4>(*ranks); break;
    case 8: written<8>(*ranks); break;
  }
  std::printf("rank %d of %d: %d wrong\n", ranks->rank(), ranks->size(), wrong);
  return wrong > 0;
} catch (error const& e) {
  std::fprintf(stderr, "a rank says: %s\n", e.what());
  return 2;
}
