#include <etna/etna.hpp>
#include <etna/nn/activation.hpp>
#include <etna/nn/attention.hpp>
#include <etna/nn/loss.hpp>
#include <etna/nn/norm.hpp>
#include <etna/optim/adam.hpp>
using namespace etna;
constexpr int B = 8, N = 197, D = 768, H = 12, M = 3072, P = 16 * 16 * 3;
template <int I, int O> struct dense { array<float, I, O> w; array<float, O> b; };
struct norm { array<float, D> scale, shift; };
struct block { norm first; dense<D, D> query, key, value, out; norm second; dense<D, M> wide; dense<M, D> narrow; };
struct model { dense<P, D> embed; array<float, 1, D> token; array<float, N, D> place; std::array<block, 12> blocks; norm last; dense<D, 1000> head; };
constexpr auto apply = [](auto const& x, auto const& layer) { return dot(x, layer.w) + layer.b; };
constexpr auto loss = [](model const& p, array<float, B, 224, 224, 3> images, array<int, B> labels) {
  auto patches = reshape<B, N - 1, P>(transpose<0, 1, 3, 2, 4, 5>(reshape<B, 14, 16, 14, 16, 3>(images)));
  array<float, B, N, D> x = concatenate<1>(broadcast_to<B, 1, D>(p.token), apply(patches, p.embed)) + p.place;
  for (auto const& b : p.blocks) {
    auto h = layer_norm(x, b.first.scale, b.first.shift);
    auto heads = [&](auto const& layer) { return reshape<B, N, H, D / H>(apply(h, layer)); };
    x = x + apply(reshape<B, N, D>(dot_product_attention(heads(b.query), heads(b.key), heads(b.value))), b.out);
    x = x + apply(gelu(apply(layer_norm(x, b.second.scale, b.second.shift), b.wide)), b.narrow);
  }
  auto seen = layer_norm(x, p.last.scale, p.last.shift).at<every, 0>().get();
  return mean(softmax_cross_entropy(apply(seen, p.head), labels));
};
constexpr auto step = jit([](model p, optim::adam_state<model> s, array<float, B, 224, 224, 3> images, array<int, B> labels) {
  auto [value, g] = value_and_grad(loss)(p, images, labels);
  auto [updates, next] = optim::adam{0.001f}.update(g, s);
  return std::tuple{optim::apply_updates(p, updates), next, value};
});
int main() {
  model p{};
  auto s = optim::adam<float>::init(p);
  array<float, B, 224, 224, 3> images = zeros<float, B, 224, 224, 3>();
  auto [q, t, v] = step(p, s, images, zeros<int, B>());
  return v.item() != 0;
}
