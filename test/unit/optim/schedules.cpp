// SPDX-License-Identifier: BSD-3-Clause
// Schedules against Optax, at 12 counts.
#include "optim.hpp"

using namespace test;

namespace {

constexpr int counts[] = {0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144};

/// A schedule is Optax's: of counts in f64, and of integers and numbers in f32; in jit too.
template <auto const& Schedule> void is_schedule_of_optax(std::vector<double> const& should) {
  constexpr auto compiled = jit([](array<double> count) { return Schedule(count); });
  constexpr auto of_integers = jit([](array<int> count) { return Schedule(count); });
  for (std::size_t i = 0; i < should.size(); ++i) {
    auto const at = [&](auto const& is, double tolerance) {
      CHECK(std::abs(double(is.item()) - should[i]) < tolerance * (1 + std::abs(should[i])));
    };
    CAPTURE(counts[i]);
    at(Schedule(array<double>(counts[i])), 1e-14);
    at(compiled(array<double>(counts[i])), 1e-14);
    at(Schedule(array<int>(counts[i])), 1e-6);
    at(of_integers(array<int>(counts[i])), 1e-6);
    at(Schedule(counts[i]), 1e-6);
  }
}

constexpr auto constant = optim::constant_schedule(0.1);
constexpr auto linear = optim::linear_schedule(0.1, 0.02, 40, 3);
constexpr auto polynomial = optim::polynomial_schedule(0.1, 0.02, 2.5, 40, 3);
constexpr auto of_no_steps = optim::polynomial_schedule(0.1, 0.02, 2.5, 0);
constexpr auto exponential = optim::exponential_decay(0.1, 10, 0.7);
constexpr auto stairs =
    optim::exponential_decay(0.1, 10, 0.7, {.transition_begin = 5, .staircase = true, .end_value = 0.02});
constexpr auto grows = optim::exponential_decay(0.1, 10, 1.2, {.end_value = 0.4});
constexpr auto cosine = optim::cosine_decay_schedule(0.1, 60, 0.1);
constexpr auto cosine_power = optim::cosine_decay_schedule(0.1, 60, 0.1, 1.5);
constexpr auto warm = optim::warmup_constant_schedule(0.01, 0.1, 8);

constexpr auto steps = optim::piecewise_constant_schedule(0.1, {{8, 0.5}, {55, 0.1}, {30, 2.0}});
constexpr auto lines = optim::piecewise_interpolate_schedule<"linear">(0.1, {{8, 0.5}, {55, 0.1}, {30, 2.0}});
constexpr auto waves = optim::piecewise_interpolate_schedule<"cosine">(0.1, {{8, 0.5}, {55, 0.1}, {30, 2.0}});
constexpr auto linear_cycle = optim::linear_onecycle_schedule(100, 0.1);
constexpr auto cosine_cycle = optim::cosine_onecycle_schedule(100, 0.1, 0.25, 20, 1e3);
constexpr auto warm_cosine = optim::warmup_cosine_decay_schedule(0.01, 0.1, 8, 90, 0.005, 1.2);
constexpr auto warm_exponential =
    optim::warmup_exponential_decay_schedule(0.01, 0.1, 8, 20, 0.7, {.transition_begin = 2, .end_value = 0.03});
constexpr auto cycles =
    optim::sgdr_schedule({{0, 0.1, 5, 20, 0.01}, {0, 0.05, 10, 40, 0.01}, {0, 0.1 / 3, 15, 60, 0.01}});
constexpr auto joined =
    optim::join_schedules(std::tuple{optim::linear_schedule(0, 0.1, 4), optim::constant_schedule(0.1),
                                     [](array<int> const& n) { return 0.1 / (1 + astype<double>(n)); }},
                          {4, 20});
}  // namespace

TEST_CASE("schedules of one part are Optax's") {
  is_schedule_of_optax<constant>(reference::schedule_constant);
  is_schedule_of_optax<linear>(reference::schedule_linear);
  is_schedule_of_optax<polynomial>(reference::schedule_polynomial);
  is_schedule_of_optax<of_no_steps>(reference::schedule_polynomial_of_no_steps);
  is_schedule_of_optax<exponential>(reference::schedule_exponential);
  is_schedule_of_optax<stairs>(reference::schedule_exponential_stairs);
  is_schedule_of_optax<grows>(reference::schedule_exponential_grows);
  is_schedule_of_optax<cosine>(reference::schedule_cosine);
  is_schedule_of_optax<cosine_power>(reference::schedule_cosine_power);
  is_schedule_of_optax<warm>(reference::schedule_warmup_constant);
}

TEST_CASE("schedules of several parts are Optax's") {
  is_schedule_of_optax<steps>(reference::schedule_piecewise_constant);
  is_schedule_of_optax<lines>(reference::schedule_piecewise_linear);
  is_schedule_of_optax<waves>(reference::schedule_piecewise_cosine);
  is_schedule_of_optax<linear_cycle>(reference::schedule_linear_onecycle);
  is_schedule_of_optax<cosine_cycle>(reference::schedule_cosine_onecycle);
  is_schedule_of_optax<warm_cosine>(reference::schedule_warmup_cosine);
  is_schedule_of_optax<warm_exponential>(reference::schedule_warmup_exponential);
  is_schedule_of_optax<cycles>(reference::schedule_sgdr);
  is_schedule_of_optax<joined>(reference::schedule_joined);
}

TEST_CASE("a schedule that lasts no step is refused") {
  CHECK_THROWS_WITH_AS(optim::cosine_decay_schedule(0.1, 0),
                       "E145: a schedule lasts no step: cosine_decay_schedule; give it a number of steps above 0, "
                       "behind the warm-up",
                       etna::error);
}
