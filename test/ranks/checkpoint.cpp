// SPDX-License-Identifier: BSD-3-Clause
// Checkpoints of many: saved by some, loaded by others, cut otherwise; what is missing or cut off gets a sentence; what
// was there before stays until the new one is complete.
#include <cstdio>
#include <cstdlib>
#include <etna/dist/load_sharded.hpp>
#include <etna/dist/placement.hpp>
#include <etna/dist/world.hpp>
#include <filesystem>
#include <fstream>
#include <numeric>

using namespace etna;
using dist::axis, dist::spec;
namespace fs = std::filesystem;

namespace {

int wrong = 0;
#define MUST(...)                                                       \
  if (!(__VA_ARGS__)) {                                                 \
    std::printf("line %d: %s does not hold\n", __LINE__, #__VA_ARGS__); \
    ++wrong;                                                            \
  }

struct net {
  array<float, 24, 16> kernel;
  array<double, 16> bias;
  std::array<array<int, 5>, 2> blocks;
  array<bool, 3> mask;
  array<float, 0, 4> empty;
  float rate = 0;
};
template <class A> A counted(int first) {
  return A::build([&](auto* out) { std::iota(out, out + A::size(), typename A::value_type(first)); });
}
net numbers(int first) {
  return {counted<array<float, 24, 16>>(first),
          counted<array<double, 16>>(first),
          {counted<array<int, 5>>(first), counted<array<int, 5>>(first + 9)},
          array<bool, 3>{true, false, true},
          {},
          float(first)};
}
template <class A, class B> bool same(A const& a, B const& b) {
  return a.size() == b.size() && std::equal(a.data(), a.data() + a.size(), b.data());
}
bool same_net(net const& a, net const& b) {
  return same(a.kernel, b.kernel) && same(a.bias, b.bias) && same(a.blocks[1], b.blocks[1]) && same(a.mask, b.mask) &&
         a.rate == b.rate;
}
template <class F> std::string said(F const& f) {
  try {
    f();
  } catch (error const& e) { return e.what(); }
  return "";
}
bool has(std::string const& text, std::string const& part) { return text.find(part) != text.npos; }
std::size_t files_in(fs::path const& folder) {
  return std::size_t(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

void barrier(dist::process_group& g) { dist::all_reduce(g, array<int>(0)); }

template <class M> struct cut_net {
  dist::sharded<array<float, "rows"_n, 16>, M, spec<"data"_n>> kernel;
  array<double, 16> bias;
};
template <class M> struct turned_net {
  dist::sharded<array<float, 24, "k"_n>, M, spec<none, "data"_n>> kernel;
  array<double, 16> bias;
};
struct whole_net {
  array<float, 24, 16> kernel;
  array<double, 16> bias;
};
using open_mesh = dist::mesh<"data"_n>;

void replicated(open_mesh const& m, fs::path const& folder) {
  dist::save_sharded(m, folder, numbers(3), {{"epoch", "7"}});
  MUST(same_net(dist::load_sharded<net>(m, folder), numbers(3)));
  net p = numbers(5);
  MUST(dist::load_sharded(m, folder, p).at("epoch") == "7");
  MUST(same_net(p, numbers(3)));
  // again: the files of before are gone, and no name is that of one that was being read
  dist::save_sharded(m, folder, numbers(4));
  MUST(same_net(dist::load_sharded<net>(m, folder), numbers(4)));
  barrier(m.all());  // until rank 0 has removed them
  MUST(files_in(folder) <= std::size_t(m.all().size()) + 1);
}

void cut(open_mesh const& m, fs::path const& folder) {
  auto const x = numbers(1);
  cut_net<open_mesh> const p{dist::device_put<spec<"data"_n>, array<float, "rows"_n, 16>>(m, x.kernel), x.bias};
  dist::save_sharded(m, folder, p);
  auto const whole = dist::load_sharded<whole_net>(m, folder);
  MUST(same(whole.kernel, x.kernel));
  MUST(same(whole.bias, x.bias));
  auto const again = dist::load_sharded<cut_net<open_mesh>>(m, folder);
  MUST(same(again.kernel.local, p.kernel.local));
  if (16 % m.all().size() == 0) {
    auto const turned = dist::load_sharded<turned_net<open_mesh>>(m, folder);
    MUST(same(dist::gather<array<float, 24, 16>>(turned.kernel), x.kernel));
  } else MUST(has(said([&] { dist::load_sharded<turned_net<open_mesh>>(m, folder); }), "E176"));
}

// With padding: 24 rows on five, say, would be 5, and 4 in the last.
template <int N> void padded(dist::process_group& g, fs::path const& folder) {
  using M = dist::mesh<axis("data"_n, N)>;
  M const m(g);
  auto const x = counted<array<int, 10, 7>>(0);
  auto const p = dist::device_put_padded<spec<none, "data"_n>>(m, x, -1);
  dist::save_sharded(m, folder, std::tuple{p});
  MUST(same(std::get<0>(dist::load_sharded<std::tuple<array<int, 10, 7>>>(m, folder)), x));
  auto const again = dist::load_sharded<std::tuple<std::remove_const_t<decltype(p)>>>(m, folder);
  MUST(same(dist::gather(std::get<0>(again)), x));
}

void refused(open_mesh const& m, fs::path const& folder) {
  auto& g = m.all();
  auto const x = numbers(1);
  cut_net<open_mesh> const p{dist::device_put<spec<"data"_n>, array<float, "rows"_n, 16>>(m, x.kernel), x.bias};
  dist::save_sharded(m, folder, p);
  using other = std::tuple<array<float, 24, 16>>;
  MUST(has(said([&] { dist::load_sharded<other>(m, folder); }), "E122"));
  using shape = struct {
    array<float, 24, 15> kernel;
    array<double, 16> bias;
  };
  MUST(has(said([&] { dist::load_sharded<shape>(m, folder); }), "has 'kernel' as F32[24,16]"));
  using fewer = struct {
    array<double, 16> bias;
  };
  MUST(has(said([&] { dist::load_sharded<fewer>(m, folder); }), "'kernel', which is not in the tree"));
  auto file_with = [&](std::string const& what) {
    for (auto const& f : fs::directory_iterator(folder))
      if (has(f.path().filename().string(), what)) return f.path();
    return fs::path();
  };
  auto const last = file_with("-of-");
  barrier(g);
  if (g.rank() == 0) fs::resize_file(last, fs::file_size(last) - 1);
  barrier(g);
  MUST(has(said([&] { dist::load_sharded<whole_net>(m, folder); }), "E121"));
  barrier(g);
  if (g.rank() == 0) fs::remove(last);
  barrier(g);
  MUST(has(said([&] { dist::load_sharded<whole_net>(m, folder); }), "E120"));
  barrier(g);
  MUST(has(said([&] { dist::load_sharded<whole_net>(m, folder / "nowhere"); }), "E120"));
}

// A process that cannot write leaves what was there, and tells the others.
void one_cannot_write(open_mesh const& m, fs::path const& folder) {
  auto& g = m.all();
  dist::save_sharded(m, folder, numbers(3));
  struct bad_leaf {
    array<float, 4> w;
  };
  std::string const text = said([&] {
    dist::detail::done_by_all(g, "save_sharded", [&] {
      if (g.rank() == g.size() - 1) message::raise<123>("as if the disk were full");
    });
  });
  MUST(has(text, g.rank() == g.size() - 1 ? "E123" : "E177"));
  if (g.size() > 1) {
    // rank 0 has another tree
    std::string const other = said([&] {
      if (g.rank() == 0) dist::save_sharded(m, folder, bad_leaf{});
      else dist::save_sharded(m, folder, numbers(4));
    });
    MUST(has(other, "E170"));
  }
  MUST(same_net(dist::load_sharded<net>(m, folder), numbers(3)));
  // the folder is a file; the index cannot be written, and nothing is left of what was
  if (g.rank() == 0) {
    std::ofstream(folder / "file") << "x";
    fs::create_directories(folder / "f" / "model.safetensors.index.json");
  }
  barrier(g);
  char const* const number = g.rank() == 0 ? "E123" : "E177";
  MUST(has(said([&] { dist::save_sharded(m, folder / "file" / "x", numbers(4)); }), number));
  MUST(has(said([&] { dist::save_sharded(m, folder / "f", numbers(4)); }), number));
  barrier(g);
  MUST(files_in(folder / "f") == 1);
}

}  // namespace

int main(int argc, char** argv) try {
  dist::session const mpi(&argc, &argv);
  auto const ranks = dist::world();
  int const n = ranks->size();
  std::string const what = argc > 2 ? argv[1] : "";
  open_mesh const m(*ranks);
  if (what == "save" || what == "load") {  // by one number of ranks, and another: RANKS is what is saved
    auto const x = numbers(1);
    if (what == "save")
      dist::save_sharded(
          m, argv[2],
          cut_net<open_mesh>{dist::device_put<spec<"data"_n>, array<float, "rows"_n, 16>>(m, x.kernel), x.bias});
    else {
      auto const p = dist::load_sharded<cut_net<open_mesh>>(m, argv[2]);
      MUST(same(dist::gather<array<float, 24, 16>>(p.kernel), x.kernel));
    }
    return wrong > 0;
  }
  MUST(n == (argc > 1 ? std::atoi(argv[1]) : 1));
  fs::path const folder = fs::temp_directory_path() / ("etna-checkpoint-" + std::to_string(n));
  if (ranks->rank() == 0) fs::remove_all(folder);
  barrier(*ranks);
  replicated(m, folder / "a");
  cut(m, folder / "b");
  switch (n) {
    case 1: padded<1>(*ranks, folder / "c"); break;
    case 2: padded<2>(*ranks, folder / "c"); break;
    case 3: padded<3>(*ranks, folder / "c"); break;
    case 4: padded<4>(*ranks, folder / "c"); break;
  }
  refused(m, folder / "d");
  one_cannot_write(m, folder / "e");
  barrier(*ranks);
  if (ranks->rank() == 0 && !wrong && argc < 4) fs::remove_all(folder);
  std::printf("rank %d of %d: %d wrong\n", ranks->rank(), ranks->size(), wrong);
  return wrong > 0;
} catch (error const& e) {
  std::fprintf(stderr, "a rank says: %s\n", e.what());
  return 2;
}
