// SPDX-License-Identifier: BSD-3-Clause
// A trace read back by a JSON parser: labels, nesting, threads; a tool that was there before; results are the same.
#include <doctest/doctest.h>

#include <thread>

#include <etna/etna.hpp>
#include <etna/train/chrome_trace.hpp>

#include "../data/file.hpp"

using namespace etna;
using namespace test_data;
using nlohmann::json;

namespace {
constexpr auto layered = jit([](array<float, 40, 50> x, array<float, 50, 30> w) {
  return named_scope<"layer">([](auto const& x, auto const& w) { return exp(dot(x, w)); })(x, w);
});
constexpr auto sorted = jit([](array<float, 300> x) { return sort(x * 2.0f); });
constexpr auto large = jit([](array<float, 1500, 1500> x) { return exp(x) * 2.0f; });

json read(fs::path const& path) {
  auto const bytes = get(path);
  return json::parse(bytes.begin(), bytes.end());
}
// The first event of a name; null where there is none.
json find(json const& trace, std::string const& name) {
  for (auto const& e : trace["traceEvents"])
    if (e["name"] == name) return e;
  return {};
}
bool is_inside(json const& inner, json const& outer) {
  double const a = inner["ts"], b = outer["ts"];
  return inner["tid"] == outer["tid"] && a >= b &&
         a + inner["dur"].get<double>() <= b + outer["dur"].get<double>() + 1e-6;
}
std::vector<std::string> seen;
void begin(char const* name, std::uint32_t, std::uint64_t* id) {
  seen.push_back(name);
  *id = 7;
}
std::uint64_t last_end = 0;
void end(std::uint64_t id) { last_end = id; }
}  // namespace

TEST_CASE("kernels, regions and spans, thread by thread") {
  folder f;
  array<float, 40, 50> const x = full<float, 40, 50>(0.01);
  array<float, 50, 30> const w = full<float, 50, 30>(0.02);
  auto const expected = layered(x, w);
  {
    train::chrome_trace trace(f / "trace.json");
    Kokkos::Profiling::pushRegion("a \"region\"");
    auto const y = layered(x, w);
    Kokkos::Profiling::popRegion();
    CHECK(max(abs(y - expected)).item() == 0.0f);
    (void)sorted(array<float, 300>());
    (void)large(array<float, 1500, 1500>());
    std::thread([] { debug::span here("read a batch"); }).join();
    CHECK(error_of([&] { train::chrome_trace another(f / "another.json"); }) == 153);
  }
  CHECK(!Kokkos::Tools::profileLibraryLoaded());
  auto const t = read(f / "trace.json");
  CHECK(t["otherData"]["left out"] == 0);
  auto const region = find(t, "a \"region\""), product = find(t, "layer: dot_general"), kernel = find(t, "layer: exp");
  REQUIRE(!region.is_null());
  REQUIRE(!product.is_null());
  REQUIRE(!kernel.is_null());
  CHECK(region["cat"] == "region");
  CHECK(product["cat"] == "kernel");
  CHECK(is_inside(product, region));
  CHECK(is_inside(kernel, region));
  CHECK(kernel["ts"].get<double>() >= product["ts"].get<double>() + product["dur"].get<double>());
  auto const routine = find(t, "sort");
  REQUIRE(!routine.is_null());
  CHECK(!is_inside(routine, region));
  REQUIRE(!find(t, "exp mul").is_null());  // on several threads where there are
  auto const other = find(t, "read a batch");
  REQUIRE(!other.is_null());
  CHECK(other["tid"] != region["tid"]);
  CHECK(other["cat"] == "span");
  int rows = 0;
  for (auto const& e : t["traceEvents"]) rows += e["ph"] == "M";
  CHECK(rows == 2);
  CHECK(count(f.path) == 1);  // the other left nothing
}

TEST_CASE("without a trace nothing is kept, and a tool that was there goes on") {
  folder f;
  using namespace Kokkos::Tools::Experimental;
  set_begin_parallel_for_callback(begin);
  set_end_parallel_for_callback(end);
  (void)layered(array<float, 40, 50>(), array<float, 50, 30>());
  auto const alone = seen;
  CHECK(alone == std::vector<std::string>{"layer: dot_general", "layer: exp"});
  CHECK(last_end == 7);
  {
    train::chrome_trace trace(f / "trace.json", 1);
    (void)layered(array<float, 40, 50>(), array<float, 50, 30>());
    trace.write();
    trace.write();  // nothing more
    (void)layered(array<float, 40, 50>(), array<float, 50, 30>());
  }
  CHECK(seen.size() == 6);
  set_begin_parallel_for_callback(nullptr);
  set_end_parallel_for_callback(nullptr);
  auto const t = read(f / "trace.json");
  CHECK(t["otherData"]["left out"] == 1);
  CHECK(!find(t, "layer: dot_general").is_null());
  CHECK(find(t, "layer: exp").is_null());
  seen.clear();
  (void)layered(array<float, 40, 50>(), array<float, 50, 30>());
  CHECK(seen.empty());
}

TEST_CASE("E123: a trace that cannot be written, at its begin") {
  folder f;
  CHECK(error_of([&] { train::chrome_trace trace(f / "missing/trace.json"); }) == 123);
  CHECK(!debug::spans.is_on());
}
