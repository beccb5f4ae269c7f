// SPDX-License-Identifier: BSD-3-Clause
// The engine of the pipeline's random numbers, against the published one.
#include <doctest/doctest.h>

#include <random>

#include <etna/data/generator.hpp>

using etna::data::generator;

TEST_CASE("splitmix64's numbers") {
  // Those of Java's SplittableRandom(1234567), as Vigna's splitmix64.c gives them.
  generator g(1234567);
  for (std::uint64_t want :
       {6457827717110365317u, 3203168211198807973u, 9817491932198370423u, 4593380528125082431u, 16408922859458223821u})
    CHECK(g() == want);
}

TEST_CASE("numbers from 0 to 1, and whole ones") {
  generator g(1);
  double sum = 0;
  int count[7]{};
  for (int i = 0; i < 70000; ++i) {
    double const x = g.uniform();
    CHECK((x >= 0 && x < 1));
    sum += x;
    ++count[g.integer(7)];
  }
  CHECK(sum / 70000 == doctest::Approx(0.5).epsilon(0.01));
  for (int n : count) CHECK(n == doctest::Approx(10000).epsilon(0.04));
  std::uniform_int_distribution<int> die(1, 6);
  CHECK(die(g) >= 1);
}
