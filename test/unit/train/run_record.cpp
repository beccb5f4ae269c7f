// SPDX-License-Identifier: BSD-3-Clause
// The place of a run as words, there and back; words that are not such.
#include <doctest/doctest.h>

#include <etna/train/run_record.hpp>

#include "../data/file.hpp"

using etna::train::run_record;
using test_data::error_of;

namespace {
run_record some() {
  run_record r;
  r.batches = 5;
  for (int i = 0; i < 7; ++i) {
    r.log("loss", 0.1 * i);
    r.log("rate", 0.5);
    ++r.step;
    if (++r.batch == 5) {
      r.seconds = 1.5;
      r.record("accuracy", 0.25);
      r.record("accuracy", 0.5);
      r.close_epoch();
      r.best_epoch = 1;
      r.best_step = 5;
    }
  }
  r.record("more", 1.0 / 3);
  r.seconds = 0.7;
  return r;
}
}  // namespace

TEST_CASE("words read back, to the last bit") {
  auto const r = some();
  CHECK(r.history.csv() == "epoch,loss,rate,accuracy,more,seconds\n1,0.2,0.5,0.5,,1.5\n");
  CHECK(r.logged[0].mean() == doctest::Approx(0.55));
  CHECK(r.words().at("run.logged").starts_with("loss,1.1,2\n"));
  auto const back = run_record::of(r.words());
  REQUIRE(back);
  CHECK(back->words() == r.words());
  CHECK(back->step == 7);
  CHECK(back->epoch == 1);
  CHECK(back->batch == 2);
  CHECK(back->recorded == r.recorded);
  auto const first = run_record::of(run_record().words());
  REQUIRE(first);
  CHECK(first->words() == run_record().words());
}

TEST_CASE("other words are no record") {
  auto const good = some().words();
  for (auto const& [key, text] : good) {
    auto less = good;
    less.erase(key);
    CHECK(!run_record::of(less));
    auto wrong = good;
    wrong[key] = "x,y";
    CHECK(!run_record::of(wrong));
  }
  auto other = good;
  other["run.epoch"] = "2";  // the history has one
  CHECK(!run_record::of(other));
  for (auto const& forgery : std::map<std::string, std::vector<std::string>>{
           {"run.batch", {"6", "7", "1"}},         // behind the epoch's end, or not the step's
           {"run.step", {"2", "8", "1"}},          // of another place
           {"run.batches", {"0", "1", "6"}},       //
           {"run.best_epoch", {"-7", "0", "2"}},   // of none, before its checkpoint, to come
           {"run.best_step", {"4", "10", "6"}},    // no epoch's end, to come
           {"run.seconds", {"-1", "inf", "nan"}},  //
           {"run.logged", {"loss,,2\n", "loss,1,0\n", "loss,1,inf\n"}}})
    for (auto const& one : forgery.second) {
      auto forged = good;
      forged[forgery.first] = one;
      INFO(forgery.first << " " << one);
      CHECK(!run_record::of(forged));
    }
  auto before = good;
  before["run.best_step"] = "0";  // the best could not be written
  CHECK(run_record::of(before));
}

TEST_CASE("E113: what is logged is a number") {
  auto r = some();
  auto const before = r.words();
  for (double x : {HUGE_VAL, -HUGE_VAL, std::nan("")}) CHECK(error_of([&] { r.log("loss", x); }) == 113);
  CHECK(r.words() == before);
  r.record("perplexity", HUGE_VAL);  // of an epoch, it may be
  try {
    r.log("loss", std::nan(""));
  } catch (etna::error const& e) {
    CHECK(std::string(e.what()).find("loss in batch 3 of epoch 2") != std::string::npos);
  }
}
