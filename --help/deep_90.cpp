#include <etna/etna.hpp>
#include <etna/optim/adam.hpp>
using namespace etna;
struct layer { array<float, 256, 256> w; array<float, 256> b; };
using net = std::array<layer, 90>;
constexpr auto loss = [](net const& p, array<float, 64, 256> x) {
  array<float, 64, 256> h = x;
  for (auto const& l : p) h = relu(dot(h, l.w) + l.b);
  return mean(h * h);
};
constexpr auto step = jit([](net p, optim::adam_state<net> s, array<float, 64, 256> x) {
  auto [value, g] = value_and_grad(loss)(p, x);
  auto [updates, next] = optim::adam{0.001f}.update(g, s);
  return std::tuple{optim::apply_updates(p, updates), next, value};
});
int main() {
  net p{};
  auto s = optim::adam<float>::init(p);
  array<float, 64, 256> x = zeros<float, 64, 256>();
  auto [q, t, v] = step(p, s, x);
  return v.item() != 0;
}
