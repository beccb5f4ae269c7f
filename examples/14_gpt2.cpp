// SPDX-License-Identifier: BSD-3-Clause
// A small GPT-2 of bytes, trained on text files; then it writes on, byte by byte. Page: docs/examples/14_gpt2.md
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "models/gpt2.hpp"

using namespace etna;

constexpr models::gpt2_config size{256, 128, 128, 4, 4};
constexpr int batch = 16;
using net = models::gpt2<float, size>;
using texts = array<int, batch, size.positions>;
constexpr auto usual = optim::adamw(1e-3);
using state = optim::state_of<usual, net>;

constexpr auto step = jit([](net p, state s, texts const& x, array<float> const& rate) {
  auto [value, gradient] = value_and_grad(models::gpt2_loss)(p, x);
  auto [updates, next] = optim::adamw(rate, {.weight_decay = 0.1}).update(gradient, s, p);
  return std::tuple{optim::apply_updates(p, updates), next, value};
});
constexpr auto loss = jit([](net const& p, texts const& x) { return models::gpt2_loss(p, x); });
// What follows the last byte, drawn, and the cache with it.
using keys_and_values = net::cache<size.positions>;
constexpr auto write_on =
    jit([](net const& p, array<int, 1> const& byte, keys_and_values const& cache, random::prng_key const& key) {
      auto [logits, grown] = p.decode(byte, cache);
      return std::pair{random::categorical(key, logits / 0.8f), grown};
    });

// Windows of a text, at places drawn by number.
texts windows(std::string const& text, int number) {
  auto at =
      random::randint<int, batch>(random::fold_in(random::key(1), number), 0, int(text.size()) - int(size.positions));
  return texts::build([&](int* out) {
    for (int b = 0; b < batch; ++b)
      for (int t = 0; t < int(size.positions); ++t) *out++ = static_cast<unsigned char>(text[std::size_t(at(b) + t)]);
  });
}

// 14_gpt2 [STEPS FILE...]: two steps on a few words without files. A tenth of each file is kept for the test.
int main(int argc, char** argv) {
  std::string text, test;
  for (int i = 2; i < argc; ++i) {
    std::ifstream file(argv[i], std::ios::binary);
    std::string const all(std::istreambuf_iterator<char>(file), {});
    text += all.substr(0, all.size() - all.size() / 10);
    test += all.substr(all.size() - all.size() / 10);
  }
  if (argc < 3)
    for (int i = 0; i < 100; ++i) text += "It was the best of times, it was the worst of times. ";
  if (test.size() < 2 * size.positions) test = text;
  int const steps = argc > 2 ? std::atoi(argv[1]) : 2;
  auto const rate = optim::warmup_cosine_decay_schedule(0.0, 2e-3, steps / 20, steps, 1e-4);
  auto p = nn::init<net>(random::key(0));
  auto s = usual.init(p);
  std::printf("%lld parameters, %zu bytes of text, %zu of them to test\n",
              static_cast<long long>(nn::parameter_count<net>()), text.size() + test.size(), test.size());
  auto const start = std::chrono::steady_clock::now();
  double sum = 0;
  int const shown = std::max(steps / 10, 1);
  for (int i = 0; i < steps; ++i) {
    array<float> value;
    std::tie(p, s, value) = step(std::move(p), std::move(s), windows(text, i), rate(array<int>(i)));
    sum += value.item();
    if ((i + 1) % shown != 0) continue;
    double unseen = 0;
    for (int k = 0; k < 10; ++k) unseen += loss(p, windows(test, -1 - k)).item();
    double const seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    std::printf("step %d  loss %.3f  test %.3f  %.0f s\n", i + 1, sum / shown, unseen / 10, seconds);
    std::fflush(stdout);
    sum = 0;
  }
  keys_and_values cache{};
  array<int, 1> byte{'T'};
  for (int i = 0; i < int(size.positions); ++i) {
    int const c = byte(0);
    std::putchar(c == '\n' || (c >= ' ' && c <= '~') ? c : '.');
    std::tie(byte, cache) = write_on(p, byte, cache, random::fold_in(random::key(2), i));
  }
  std::putchar('\n');
  return cache.length.item() == size.positions ? 0 : 1;
}
