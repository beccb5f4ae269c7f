// SPDX-License-Identifier: BSD-3-Clause
// Graphs as text against test/golden/*.txt. To write them anew, and then read the difference:
//     ETNA_WRITE_GOLDEN=1 build/gcc/unit_compiler; git diff test/golden
#include "golden.hpp"
#include "mlp.hpp"

using namespace etna;

namespace {

using vec = array<float, 3>;
constexpr auto cube = [](array<double> x) { return x * x * x; };
constexpr auto cross_entropy = [](array<float, 4, 10> z, array<int, 4> y) { return mean(softmax_cross_entropy(z, y)); };
constexpr auto rows_dot = vmap<none, 0>([](vec w, vec x) { return dot(w, x); });
constexpr auto pushed = [](vec x, vec t) { return jvp([](vec v) { return exp(v) * v; }, x, t); };
constexpr auto table = [](array<float, 5, 2> x, array<int, 3> at) { return sum(square(take<0>(x, at))); };
constexpr auto branches = [](vec x) { return sum(where(x > 0.0f, sqrt(x), x * 0.0f)); };

}  // namespace

TEST_CASE("graphs are those that were read and approved") {
  compare("grad_of_cube", show(grad(cube), array<double>()));
  compare("grad_of_grad_of_cube", show(grad(grad(cube)), array<double>()));
  compare("grad_of_softmax_cross_entropy", show(grad(cross_entropy), array<float, 4, 10>(), array<int, 4>()));
  compare("vmap_of_dot", show(rows_dot, vec(), array<float, 6, 3>()));
  compare("vmap_of_grad_of_dot",
          show(vmap<none, 0>(grad([](vec w, vec x) { return dot(w, x); })), vec(), array<float, 6, 3>()));
  compare("jvp_of_product", show(pushed, vec(), vec()));
  compare("grad_of_take", show(grad(table), array<float, 5, 2>(), array<int, 3>()));
  compare("grad_of_where", show(grad(branches), vec()));
  compare("grad_of_mlp", show(grad(test::loss<float>), test::mlp<float>(), array<float, 32, 784>(), array<int, 32>()));
  compare("grad_of_mlp_traced",
          show<after<"trace">>(grad(test::loss<float>), test::mlp<float>(), array<float, 32, 784>(), array<int, 32>()));
}
TEST_CASE("a plan is text as well") {
  std::string const plan = show_plan(test::step<float>, test::mlp<float>(), array<float, 32, 784>(), array<int, 32>());
  CHECK(plan.find("kernels " + std::to_string(test::kernels_of_step)) != std::string::npos);
  CHECK(plan.find("arena " + std::to_string(test::arena_of_step)) != std::string::npos);
}
TEST_CASE("a quotient by a power of two is a product, which is the same number; others stay") {
  auto divides = [](std::string const& text) { return text.find(" div ") != std::string::npos; };
  CHECK(!divides(show([](vec x) { return x / 8; }, vec())));
  CHECK(!divides(show([](vec x) { return x / -0.25f; }, vec())));
  CHECK(divides(show([](vec x) { return x / 3; }, vec())));
  CHECK(divides(show([](vec x) { return x / 0x1p-127f; }, vec())));  // its reciprocal is no f32
}
