#include <etna/language.hpp>
#include <etna/rewrite/program.hpp>
using namespace etna;
constexpr auto f = [](array<double, 64> x) {
  array<double, 64> h = x;
  for (int i = 0; i < 6; ++i) h = sin(h * x) + 0.5 * h;
  return sum(h);
};
using g = std::remove_const_t<decltype(grad(f))>;
constexpr int nodes = rewrite::program<g, array<double, 64>>::value.n_traced;
static_assert(nodes >= 100);
static_assert(rewrite::program<g, array<double, 64>>::value.n_kernels > 0);
int main() {}
