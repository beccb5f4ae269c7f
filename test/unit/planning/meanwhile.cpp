// SPDX-License-Identifier: BSD-3-Clause
// Collectives are posted as soon as what they send is there, and waited for where it is read: by the plan's order of
// steps, and by what a group of one process is asked for.
#include <doctest/doctest.h>

#include <etna/dist/pmap.hpp>
#include <etna/etna.hpp>
#include <etna/exec/explain.hpp>
#include <etna/exec/fit.hpp>
#include <etna/group/one_process.hpp>
#include <algorithm>
#include <string>
#include <vector>

using namespace etna;

namespace {
struct params {
  array<float, 32, 300> a;
  array<float, 300, 300> b;
  array<float, 300, 200> c;
};
using batch = array<float, 16, 32>;
constexpr auto loss = [](params const& p, batch const& x) {
  return mean(square(matmul(tanh(matmul(tanh(matmul(x, p.a)), p.b)), p.c)));
};
constexpr auto step = dist::pmap<"i"_n>([](params const& p, batch const& x) {
  auto const [l, g] = value_and_grad(loss)(p, x);
  return std::pair{pmean<"i"_n>(l),
                   tree::map([](auto const& w, auto const& d) { return w - 0.1f * d; }, p, pmean<"i"_n>(g))};
});

/// Says in which order it is asked to post and to wait.
class listening final : public dist::process_group {
 public:
  std::string said;
  int rank() const override { return 0; }
  int size() const override { return 1; }
  dist::ticket all_reduce(void const* in, void* out, std::size_t n, dtype t, dist::reduction r) override {
    said += 'p';
    alone_.all_reduce(in, out, n, t, r);
    return {posted_++};
  }
  dist::ticket reduce(void const*, void*, std::size_t, dtype, dist::reduction, int) override { return {}; }
  dist::ticket reduce_scatter(void const*, void*, std::size_t, dtype, dist::reduction) override { return {}; }
  dist::ticket broadcast(void*, std::size_t, int) override { return {}; }
  dist::ticket all_gather(void const*, void*, std::size_t) override { return {}; }
  dist::ticket gather(void const*, void*, std::size_t, int) override { return {}; }
  dist::ticket scatter(void const*, void*, std::size_t, int) override { return {}; }
  dist::ticket all_to_all(void const*, void*, std::size_t) override { return {}; }
  dist::ticket permute(void const*, void*, std::size_t, int, int) override { return {}; }
  bool test(dist::ticket) override {
    ++asked;
    return false;
  }
  void wait(dist::ticket t) override { said += char('0' + t.number); }
  std::unique_ptr<dist::process_group> split(int, int) override { return nullptr; }
  int asked = 0;

 private:
  dist::one_process alone_;
  std::int64_t posted_ = 0;
};
}  // namespace

TEST_CASE("the plan: what needs no other process stands before what waits") {
  dist::one_process alone;
  dist::mesh<"i"_n> const m(alone);
  std::string const plan = show_plan(step, params{}, batch{});
  auto const count = [&](const char* what) {
    int n = 0;
    for (std::size_t at = plan.find(what); at != std::string::npos; at = plan.find(what, at + 1)) ++n;
    return n;
  };
  CHECK(count("allreduce") == 4);
  CHECK(count("awaited") == 4);
  std::size_t const first_wait = plan.find("awaited"), last_product = plan.rfind("dot_general");
  CHECK(last_product < first_wait);
  CHECK(plan.rfind("allreduce") < first_wait);
  // the gradient of the last layer is on its way before the first layer's is computed
  CHECK(plan.find("allreduce", plan.find("allreduce") + 1) < last_product);
}
TEST_CASE("at a call: all are posted before the first wait, and messages are moved between steps") {
  listening group;
  dist::mesh<"i"_n> const m(group);
  params p{full<float, 32, 300>(0.01f), full<float, 300, 300>(0.02f), full<float, 300, 200>(-0.01f)};
  batch const x = full<float, 16, 32>(0.5f);
  auto const [l, next] = step(p, x);
  CHECK(group.said.substr(0, 4) == "pppp");
  CHECK(group.said.size() == 8);
  CHECK(group.asked > 4);
  auto const [value, g] = jit(value_and_grad(loss))(p, x);
  CHECK(l() == doctest::Approx(value()).epsilon(1e-6));
  CHECK(next.b(3, 5) == doctest::Approx(p.b(3, 5) - 0.1f * g.b(3, 5)).epsilon(1e-6));
  CHECK(next.a(3, 5) == doctest::Approx(p.a(3, 5) - 0.1f * g.a(3, 5)).epsilon(1e-6));
}
TEST_CASE("a chain of collectives, each of which needs the one before") {
  dist::one_process alone;
  dist::mesh<"i"_n> const m(alone);
  constexpr auto f = dist::pmap<"i"_n>([](array<double, 4> const& x) {
    auto const a = psum<"i"_n>(x * 2.0);
    auto const b = psum<"i"_n>(a + x);
    return psum<"i"_n>(b * a) + x;
  });
  CHECK(f(array<double, 4>{1, 2, 3, 4})(3) == 8.0 * 12 + 4);
}
TEST_CASE("in a loop, waited for before the round ends") {
  listening group;
  dist::mesh<"i"_n> const m(group);
  constexpr auto f = dist::pmap<"i"_n>([](array<double, 4> const& x) {
    return fori_loop<0, 3>([](auto const&, auto const& c) { return sin(psum<"i"_n>(c)) + 1.0; }, x);
  });
  auto const y = f(array<double, 4>{1, 2, 3, 4});
  CHECK(group.said == "p0p1p2");
  CHECK(y(0) == doctest::Approx(std::sin(std::sin(std::sin(1.0) + 1.0) + 1.0) + 1.0));
}
TEST_CASE("what is sent lies where its sum comes, unless somebody else reads it meanwhile") {
  listening group;
  dist::mesh<"i"_n> const m(group);
  constexpr auto alone = dist::pmap<"i"_n>([](array<float, 5000> const& x) { return psum<"i"_n>(sin(x)) * 2.0f; });
  constexpr auto read = dist::pmap<"i"_n>([](array<float, 5000> const& x) {
    auto const y = sin(x);
    return psum<"i"_n>(y) * y;
  });
  auto const same_memory = [](std::string const& plan) {
    std::size_t const at = plan.find("| ", plan.find("allreduce")) + 2, arrow = plan.find(" -> ", at) + 4;
    return plan.substr(at, arrow - 4 - at) == plan.substr(arrow, plan.find(' ', arrow) - arrow);
  };
  array<float, 5000> const x = full<float, 5000>(0.5f);
  CHECK(same_memory(show_plan(alone, x)));
  CHECK_FALSE(same_memory(show_plan(read, x)));
  CHECK(alone(x)(77) == doctest::Approx(2 * std::sin(0.5f)));
  CHECK(read(x)(77) == doctest::Approx(std::sin(0.5f) * std::sin(0.5f)).epsilon(1e-5));
}
TEST_CASE("within a budget nothing is sent twice") {
  listening group;
  dist::mesh<"i"_n> const m(group);
  constexpr auto deep = [](array<float, 300, 300> const& w, array<float, 300, 300> const& x) {
    auto const loss = [](auto const& w, auto const& x) {
      auto h = x;
      for (int k = 0; k < 4; ++k) h = psum<"i"_n>(tanh(matmul(h, w)));
      return sum(h * h);
    };
    return grad(loss)(w, x);
  };
  constexpr auto tight = fit<3600000>(dist::pmap<"i"_n>(deep));
  auto const w = full<float, 300, 300>(0.01f), x = full<float, 300, 300>(0.02f);
  CHECK(show_plan(tight, w, x) != show_plan(dist::pmap<"i"_n>(deep), w, x));
  auto const g = tight(w, x);
  auto const posts = std::count(group.said.begin(), group.said.end(), 'p');
  group.said.clear();
  auto const usual = dist::pmap<"i"_n>(deep)(w, x);
  CHECK(std::count(group.said.begin(), group.said.end(), 'p') == posts);
  CHECK(g(7, 9) == doctest::Approx(usual(7, 9)).epsilon(1e-5));
}
