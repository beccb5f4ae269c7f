// SPDX-License-Identifier: BSD-3-Clause
// dist::predict: collectives and bytes are those that a process group is asked for, times are those of clocks by hand.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <etna/dist/modelled_group.hpp>
#include <etna/dist/pmap.hpp>
#include <etna/dist/predict.hpp>
#include <etna/dist/shard_map.hpp>
#include <etna/etna.hpp>
#include <string>

using namespace etna;

namespace {

/// Counts what it is asked for, row by row, and says yes at once.
class counting final : public dist::process_group {
 public:
  extent calls[dist::collective_rows]{}, bytes[dist::collective_rows]{};
  explicit counting(int ranks) : ranks_(ranks) {}
  int rank() const override { return 0; }
  int size() const override { return ranks_; }
  dist::ticket all_reduce(void const* in, void* out, std::size_t n, dtype t, dist::reduction) override {
    return counted(0, n * std::size_t(bytes_of(t)), in, out, n * std::size_t(bytes_of(t)));
  }
  dist::ticket all_gather(void const* in, void* out, std::size_t n) override { return counted(1, n, in, out, n); }
  dist::ticket reduce_scatter(void const* in, void* out, std::size_t n, dtype t, dist::reduction) override {
    return counted(2, n * std::size_t(bytes_of(t) * ranks_), in, out, n * std::size_t(bytes_of(t)));
  }
  dist::ticket all_to_all(void const* in, void* out, std::size_t n) override {
    return counted(3, n * std::size_t(ranks_), in, out, n);
  }
  dist::ticket permute(void const* in, void* out, std::size_t n, int, int) override {
    return counted(4, n, in, out, n);
  }
  dist::ticket reduce(void const*, void*, std::size_t, dtype, dist::reduction, int) override { return {}; }
  dist::ticket broadcast(void*, std::size_t, int) override { return {}; }
  dist::ticket gather(void const*, void*, std::size_t, int) override { return {}; }
  dist::ticket scatter(void const*, void*, std::size_t, int) override { return {}; }
  bool test(dist::ticket) override { return true; }
  void wait(dist::ticket) override {}
  std::unique_ptr<dist::process_group> split(int, int) override { return std::make_unique<counting>(1); }

 private:
  int ranks_;
  dist::ticket counted(int row, std::size_t n, void const* in, void* out, std::size_t copied) {
    ++calls[row];
    bytes[row] += extent(n);
    std::memmove(out, in, copied);
    return {};
  }
};

/// All steps at once, messages as stated.
dist::machine messages_alone(double latency, double bandwidth) {
  dist::machine m;
  m.product_f32 = m.product_f64 = m.kernel_f32 = m.kernel_f64 = m.memory = 1e300;
  m.launch = 0;
  m.inside = m.between = {latency, bandwidth};
  return m;
}

/// Runs f on a group of so many that counts; the prediction must say the same.
template <int Ranks, class F, class... A> void counts(F const& f, A const&... a) {
  counting group(Ranks);
  dist::mesh<"i"_n> const m(group);
  (void)f(a...);  // the first call asks whether all ranks come with the same
  for (int k = 0; k < dist::collective_rows; ++k) group.calls[k] = group.bytes[k] = 0;
  (void)f(a...);
  dist::prediction const p = dist::predict(f, messages_alone(1e-6, 1e9), Ranks, a...);
  CHECK(p.is_exact);
  CHECK(p.collectives() > 0);
  for (int k = 0; k < dist::collective_rows; ++k) {
    INFO(dist::row_names[k]);
    CHECK(p.rows[std::size_t(k)].calls == group.calls[k]);
    CHECK(p.rows[std::size_t(k)].bytes == group.bytes[k]);
  }
}

struct params {
  array<float, 32, 300> a;
  array<float, 300, 300> b;
  array<float, 300> bias;
  array<float, 300, 5> c;
};
using batch = array<float, 16, 32>;
constexpr auto loss = [](params const& p, auto const& x) {
  return mean(square(matmul(tanh(matmul(tanh(matmul(x, p.a)), p.b) + p.bias), p.c)));
};
constexpr auto train = [](params const& p, auto const& x) {
  auto const [l, g] = value_and_grad(loss)(p, x);
  return std::pair{pmean<"i"_n>(l),
                   tree::map([](auto const& w, auto const& d) { return w - 0.1f * d; }, p, pmean<"i"_n>(g))};
};
constexpr auto step = dist::pmap<"i"_n>([](params const& p, batch const& x) { return train(p, x); });
using some_rows = array<float, "b"_n, 32>;
constexpr auto step_of_any = dist::pmap<"i"_n>([](params const& p, some_rows const& x) { return train(p, x); });
some_rows sixteen_rows() {
  return some_rows::build([](float* x) { std::fill_n(x, 16 * 32, 0.5f); }, {16, 32});
}

}  // namespace

TEST_CASE("a training step: its collectives and their bytes, on any number of ranks") {
  counts<1>(step, params{}, batch{});
  counts<8>(step, params{}, batch{});
  counts<3>(step_of_any, params{}, sixteen_rows());
}
TEST_CASE("every row, and loops around them") {
  using row = array<double, 4, 6>;
  constexpr auto each = dist::pmap<"i"_n>([](row const& x) {
    return std::tuple{psum<"i"_n>(x), all_gather<"i"_n, 4>(x), psum_scatter<"i"_n>(x), all_to_all<"i"_n, 4>(x),
                      pshift<"i"_n, 1>(x)};
  });
  counts<4>(each, row{});
  constexpr auto in_scan = dist::pmap<"i"_n>([](array<float, 10> const& x) {
    return scan(
        [](auto const& c, auto const& s) {
          auto const inner = fori_loop<0, 3>([](auto const&, auto const& y) { return sin(pshift<"i"_n, 1>(y)); }, c);
          return std::pair{inner * s, psum<"i"_n>(inner)};
        },
        x, array<float, 7>{1, 2, 3, 4, 5, 6, 7});
  });
  counts<2>(in_scan, array<float, 10>{});
  constexpr auto backwards = dist::pmap<"i"_n>([](array<float, 10> const& x) {
    return grad([](auto const& t) {
      return sum(fori_loop<0, 5>([](auto const&, auto const& y) { return sin(psum<"i"_n>(y)); }, t));
    })(x);
  });
  counts<2>(backwards, array<float, 10>{});
}
TEST_CASE("a chain that cannot hide takes its messages' time; what is independent shares the network") {
  constexpr auto chain = dist::pmap<"i"_n>([](array<float, 1000> const& x) {
    auto const a = psum<"i"_n>(x);
    auto const b = psum<"i"_n>(sin(a));
    return pshift<"i"_n, 1>(cos(b));
  });
  dist::machine const m = messages_alone(1e-3, 1e6);
  dist::rank_group const g(m, 8);
  double const by_hand = 2 * g.all_reduce(4000).seconds + g.permute(4000, true).seconds;
  dist::prediction p = dist::predict<array<float, 1000>>(chain, m, 8);
  CHECK(p.seconds == doctest::Approx(by_hand).epsilon(1e-12));
  CHECK(p.waiting == doctest::Approx(by_hand).epsilon(1e-12));
  CHECK(p.network() == doctest::Approx(by_hand).epsilon(1e-12));
  CHECK(std::string(p.bound()) != "computing");

  constexpr auto in_loop = dist::pmap<"i"_n>([](array<float, 1000> const& x) {
    return fori_loop<0, 1000>([](auto const&, auto const& y) { return sin(psum<"i"_n>(y)); }, x);
  });
  p = dist::predict<array<float, 1000>>(in_loop, m, 8);
  CHECK(p.seconds == doctest::Approx(1000 * g.all_reduce(4000).seconds).epsilon(1e-9));
  CHECK(p.collectives() == 1000);

  constexpr auto both = dist::pmap<"i"_n>([](array<float, 100000> const& x, array<float, 100000> const& y) {
    return std::pair{psum<"i"_n>(x), psum<"i"_n>(y)};
  });
  p = dist::predict<array<float, 100000>, array<float, 100000>>(both, m, 8);
  CHECK(p.seconds == doctest::Approx(2 * g.all_reduce(4e5).seconds).epsilon(1e-12));
}
TEST_CASE("what is posted before work hides behind it") {
  // products of the gradient's backward pass run while the last layer's gradient is on its way
  dist::machine m = messages_alone(1e-6, 1e9);
  m.product_f32 = 1e6;  // slow: all messages but the last are there in time
  dist::prediction const p = dist::predict<params, batch>(step, m, 8);
  CHECK(p.seconds == doctest::Approx(p.computing + p.waiting).epsilon(1e-12));
  CHECK(p.network() > 2 * p.waiting);
  CHECK(p.work.flops.number() == program_of<step, params, batch>::flops);
  CHECK(p.peak_bytes == program_of<step, params, batch>::peak_bytes);
  CHECK(std::string(p.bound()) == "computing");
  dist::prediction const one = dist::predict<params, batch>(step, m, 1);
  CHECK(one.waiting == 0);
  CHECK(one.messages() == 0);
  CHECK(one.computing == doctest::Approx(p.computing).epsilon(1e-9));
}
TEST_CASE("a processor that moves its messages itself hides nothing") {
  dist::machine m = messages_alone(1e-6, 1e9);
  m.product_f32 = 1e6;
  dist::prediction const p = dist::predict<params, batch>(step, m, 8);
  m.busy = 1;
  dist::prediction const q = dist::predict<params, batch>(step, m, 8);
  CHECK(q.seconds == doctest::Approx(p.computing + p.network()).epsilon(1e-12));
  CHECK(q.waiting == doctest::Approx(q.network()).epsilon(1e-12));
}
TEST_CASE("named extents: by arguments or by number the same, and as the plan of that size") {
  dist::machine m = messages_alone(1e-6, 1e9);
  m.product_f32 = m.kernel_f32 = 1e9;
  m.memory = 1e10;
  auto const by_number = dist::predict<params, some_rows>(step_of_any, m, 4, {{"b"_n, 16}});
  auto const by_argument = dist::predict(step_of_any, m, 4, params{}, sixteen_rows());
  CHECK(by_number.text() == by_argument.text());
  dist::prediction const whole = dist::predict<params, batch>(step, m, 4);
  CHECK(by_number.work.flops.number() == doctest::Approx(double(whole.work.flops.number())).epsilon(0.01));
  CHECK(by_number.computing == doctest::Approx(whole.computing).epsilon(0.05));
  CHECK(by_number.peak_bytes == doctest::Approx(double(whole.peak_bytes)).epsilon(0.1));
  CHECK(dist::predict<params, some_rows>(step_of_any, m, 4, {{"b"_n, 1600}}).computing > 50 * by_number.computing);
}
TEST_CASE("a mesh of two axes: each collective along its own, where its ranks are") {
  using line = array<float, 1000>;
  using grid = dist::mesh<dist::axis("data"_n, 2), dist::axis("model"_n, 4)>;
  constexpr auto f = dist::shard_map<grid, dist::in_specs<dist::spec<>>, dist::out_specs<dist::spec<>>>(
      [](line const& x) { return psum<"model"_n>(sin(psum<"data"_n>(x))); });
  dist::machine m = messages_alone(1e-6, 1e9);
  m.between = {1e-3, 1e6};
  m.ranks_a_node = 4;
  dist::prediction const p = dist::predict<line>(f, m, {2, 4});
  CHECK(p.ranks == 8);
  CHECK(p.collectives() == 2);
  dist::rank_group const data(m, 2, 4), model(m, 4, 1);
  CHECK(data.nodes() == 2);
  CHECK(model.nodes() == 1);
  CHECK(p.seconds == doctest::Approx(data.all_reduce(4000).seconds + model.all_reduce(4000).seconds).epsilon(1e-12));
  CHECK_THROWS_AS((void)dist::predict<line>(f, m, 8), error);
}
TEST_CASE("branches take their longest block, while loops one round, and say that a call may have others") {
  constexpr auto branch = dist::pmap<"i"_n>([](array<float, 1000> const& x, array<int> const& which) {
    return cond(
        pmax<"i"_n>(which) > 0, [](auto const& y) { return psum<"i"_n>(psum<"i"_n>(y) * y); },
        [](auto const& y) { return psum<"i"_n>(y) * 2.0f; }, x);
  });
  dist::machine const m = messages_alone(1e-3, 1e6);
  dist::prediction const p = dist::predict<array<float, 1000>, array<int>>(branch, m, 8);
  CHECK(!p.is_exact);
  CHECK(p.collectives() == 3);
  dist::rank_group const g(m, 8);
  CHECK(p.seconds == doctest::Approx(2 * g.all_reduce(4000).seconds + g.all_reduce(4).seconds).epsilon(1e-12));
  constexpr auto loop = dist::pmap<"i"_n>([](array<float, 1000> const& x) {
    return while_loop([](auto const& y) { return pmax<"i"_n>(sum(y)) < 3.0f; },
                      [](auto const& y) { return psum<"i"_n>(y) + 1.0f; }, x);
  });
  CHECK(!dist::predict<array<float, 1000>>(loop, m, 8).is_exact);
  CHECK(dist::predict<array<float, 1000>>(loop, m, 8).collectives() == 2);
}
TEST_CASE("sizes that are missing or do not fit are said") {
  constexpr auto gathered = dist::pmap<"i"_n>([](array<float, 3> const& x) { return all_gather<"i"_n, 4>(x); });
  auto said = [](auto const& act) {
    try {
      act();
    } catch (error const& e) { return std::string(e.what()).substr(0, 5); }
    return std::string("nothing");
  };
  dist::machine const m = messages_alone(1e-6, 1e9);
  CHECK(said([&] { (void)dist::predict<array<float, 3>>(gathered, m, 8); }) == "E171:");
  CHECK(said([&] { (void)dist::predict<array<float, 3>>(gathered, m, 4); }) == "nothing");
  CHECK(said([&] { (void)dist::predict<params, some_rows>(step_of_any, m, 4); }) == "E190:");
}
