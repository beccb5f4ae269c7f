// SPDX-License-Identifier: BSD-3-Clause
// A program's own rows get the tests that the library's rows get: derivatives, vmap, second derivatives.
#include "../../../examples/08_own_primitive.hpp"

#include "unit/ops/rows.hpp"

TEST_CASE("own rows: derivatives, vmap, second derivatives") {
  static_assert(ops::code<own::softsign_p> == ops::primitives::size &&
                ops::code<own::laplacian_p> == ops::primitives::size + 1);
  static_assert(int(ops::table.size()) == ops::primitives::size + 2);
  test_rows(ops::primitives::size);
}

TEST_CASE("own rows: a file of the program with another list is found when the program starts") {
  const char *one[] = {"a", "bc"}, *other[] = {"ab", "c"};
  auto sign = [](const char** own) {
    std::vector<const char*> all(std::size_t(ops::primitives::size), "library");
    all.insert(all.end(), own, own + 2);
    return ops::sign_of_list(all.data(), int(all.size()));
  };
  CHECK(sign(one) != sign(other));
  CHECK(message::same_in_all_files<119>(ops::sign_of_list(ops::names.at, ops::all_primitives::size), "own"));
  try {
    message::same_in_all_files<119>(sign(one), "own");
    CHECK(false);
  } catch (error const& e) {
    CHECK(e.number == 119);
    CHECK(std::string(e.what()).starts_with("E119: "));
  }
}
