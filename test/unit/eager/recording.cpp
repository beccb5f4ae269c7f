// SPDX-License-Identifier: BSD-3-Clause
// Looking into a function while it runs outside jit: numbers inside a loss, and every node printed.
#include <doctest/doctest.h>

#include <cstdio>
#include <etna/etna.hpp>
#include <string>
#include <unistd.h>

using namespace etna;

namespace {

// What f writes to stderr.
template <class F> std::string errors_of(F&& f) {
  std::fflush(stderr);
  std::FILE* file = std::tmpfile();
  int const kept = dup(2);
  dup2(fileno(file), 2);
  f();
  std::fflush(stderr);
  dup2(kept, 2);
  close(kept);
  std::rewind(file);
  std::string all;
  for (int c; (c = std::fgetc(file)) != EOF;) all += char(c);
  std::fclose(file);
  return all;
}
using vec = array<float, 3>;

}  // namespace

TEST_CASE("inside a loss under value_and_grad, elements may be looked at") {
  float seen = 0, inner = 0;
  std::string text;
  auto loss = [&](vec w, vec x) {
    auto z = w * x;
    seen = z.look()[1];
    text = to_string(z);
    return sum(z * z);
  };
  auto [value, g] = value_and_grad(loss)(vec{1, 2, 3}, vec{2, 2, 2});
  CHECK(seen == 4.0f);
  CHECK(text == "[2. 4. 6.]");
  CHECK(value.item() == 56.0f);
  CHECK(g(2) == 24.0f);
  // under vmap the memory holds all examples
  vmap([&](auto v) {
    inner = v.look()[4];
    return v;
  })(array<float, 2, 3>{{1, 2, 3}, {4, 5, 6}});
  CHECK(inner == 5.0f);
}

TEST_CASE("every node is printed when asked for: operation, type and first numbers") {
  eager::options().print = true;
  std::string text = errors_of([] { (void)sum(vec{1, 2, 3} * 2.0f); });
  eager::options().print = false;
  CHECK(text.find("mul") != std::string::npos);
  CHECK(text.find("f32[3] = 2 4 6") != std::string::npos);
  CHECK(text.find("sum") != std::string::npos);
  CHECK(text.find("f32[] = 12") != std::string::npos);
  CHECK(errors_of([] { (void)sum(vec{1, 2, 3}); }).empty());
}
