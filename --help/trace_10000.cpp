#include <etna/language.hpp>
#include <etna/rewrite/program.hpp>
using namespace etna;
constexpr auto f = [](array<double, 64> x) {
  array<double, 64> h = x;
  for (int i = 0; i < 589; ++i) h = sin(h * x) + 0.5 * h;
  return sum(h);
};
using g = std::remove_const_t<decltype(grad(f))>;
constexpr int nodes = rewrite::trace_of<g, array<double, 64>>::get().n_nodes;
static_assert(nodes >= 10000);
int main() {}
