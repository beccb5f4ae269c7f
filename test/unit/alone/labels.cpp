// SPDX-License-Identifier: BSD-3-Clause
// A tool of Kokkos sees each parallel launch under the names of its operations, and of the scopes that they are in.
#include <doctest/doctest.h>

#include <etna/etna.hpp>
#include <etna/train/chrome_trace.hpp>
#include <string>
#include <vector>

#include "../data/file.hpp"
#include "kokkos.hpp"

using namespace etna;

namespace {
std::vector<std::string> seen;
void begin(const char* name, std::uint32_t, std::uint64_t*) { seen.push_back(name); }

constexpr int n = 1 << 10;  // squared, it is worth two threads
constexpr auto f = jit([](array<float, n, n> x, array<float, n, 4> w) { return dot(exp(x) * 2.0f, w); });
constexpr auto product = jit([](array<float, 256, 256> x) { return matmul(x, x); });
constexpr auto layer = jit([](array<float, n, n> x, auto w) {
  return named_scope<"layer">([](auto const& x, auto const& w) {
    return dot(named_scope<"head">([](auto const& x) { return exp(x); })(x) * 2.0f, w);
  })(x, w);
});
}  // namespace

TEST_CASE("kernels are labelled by their scopes and operations") {
  test::with_kokkos();
  REQUIRE(exec::threads_here() > 1);
  array<float, n, n> x;
  array<float, n, 4> w;
  (void)f(x, w);
  CHECK(seen.empty());
  Kokkos::Tools::Experimental::set_begin_parallel_for_callback(begin);
  (void)f(x, w);
  (void)product(array<float, 256, 256>());
  Kokkos::Tools::Experimental::set_begin_parallel_for_callback(nullptr);
  std::string all;
  for (auto const& name : seen) all += name + "|";
  INFO(all);
  CHECK(all.find("exp") != std::string::npos);
  CHECK(all.find("mul") != std::string::npos);
  CHECK(all.find("dot_general|") != std::string::npos);
  seen.clear();
  Kokkos::Tools::Experimental::set_begin_parallel_for_callback(begin);
  (void)layer(x, w);
  Kokkos::Tools::Experimental::set_begin_parallel_for_callback(nullptr);
  REQUIRE(seen.size() == 2);
  CHECK(seen[0] == "layer/head, layer: exp mul");
  CHECK(seen[1] == "layer: dot_general");
  seen.clear();
  Kokkos::Tools::Experimental::set_begin_parallel_for_callback(begin);
  (void)layer(x, array<float, n>());  // a product with a vector is a sum of the same kernel
  Kokkos::Tools::Experimental::set_begin_parallel_for_callback(nullptr);
  REQUIRE(seen.size() == 1);
  CHECK(seen[0] == "layer/head, layer: exp mul mul sum");
  auto const count = seen.size();
  (void)f(x, w);
  CHECK(seen.size() == count);
}

TEST_CASE("a trace has kernels of several threads, and copies") {
  test::with_kokkos();
  test_data::folder folder;
  array<float, n, n> x;
  array<float, n, 4> w;
  Kokkos::View<float*, Kokkos::HostSpace> from("from", 1000), to("to", 1000);
  seen.clear();
  {
    train::chrome_trace trace(folder / "trace.json");
    (void)layer(x, w);
    Kokkos::deep_copy(to, from);
    Kokkos::parallel_for("own", Kokkos::RangePolicy<exec::host_space>(0, 4), [=](int i) {
      (void)layer(x, w);  // in somebody's parallel region, which is waited for: not seen
      (void)i;
    });
  }
  CHECK(!Kokkos::Tools::profileLibraryLoaded());
  auto const bytes = test_data::get(folder / "trace.json");
  auto const all = nlohmann::json::parse(bytes.begin(), bytes.end());
  std::map<std::string, int> count;
  for (auto const& e : all["traceEvents"]) ++count[e["name"].get<std::string>()];
  CHECK(count["layer: dot_general"] == 1);
  CHECK(count["layer/head, layer: exp mul"] == 1);
  CHECK(count["to = from"] == 1);
  CHECK(count["own"] == 1);
}
