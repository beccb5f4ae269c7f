// SPDX-License-Identifier: BSD-3-Clause
// Rows: the counter-based generator. Each is a function of a key of two words and a counter, all u32,
// so a draw is one fused kernel, and nothing has a state. Read next: special.hpp.
#pragma once
#include "family.hpp"

namespace etna::ops {

/// threefry2x32 of the key (x, y) and the block (0, counter): twenty rounds, five injections of the key.
///
/// source  Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3"; JAX threefry2x32
struct threefry : elementwise<3, accepts::integers> {
  static constexpr int flops = 100;
  static constexpr auto jvp = absent{"integers have no derivative"};
  static constexpr auto transpose = absent{"integers have no derivative"};
  static constexpr int shape(tensor_type const* in, int n, std::int64_t const* a, int m, tensor_type* out) {
    if (in[0].d != dtype::u32) return dtype_not_accepted;
    return elementwise<3, accepts::integers>::shape(in, n, a, m, out);
  }
  static constexpr samples make_samples(interval) {
    tensor_type t{dtype::u32, 2, {3, 4}};
    interval all{0, 4294967295.};
    return {1, {{3, {t, t, t}, {all, all, all}}}};
  }

  /// The two words, by loops.
  static constexpr void mix(std::uint32_t const* key, std::uint32_t counter, std::uint32_t* word) {
    int const turn[2][4]{{13, 15, 26, 6}, {17, 29, 16, 24}};
    std::uint32_t const k[3]{key[0], key[1], 0x1bd11bdau ^ key[0] ^ key[1]};
    word[0] = k[0];
    word[1] = counter + k[1];
    for (int injection = 1; injection <= 5; ++injection) {
      for (int r : turn[(injection - 1) % 2]) {
        word[0] += word[1];
        word[1] = (word[1] << r | word[1] >> (32 - r)) ^ word[0];
      }
      word[0] += k[injection % 3];
      word[1] += k[(injection + 1) % 3] + std::uint32_t(injection);
    }
  }
  static constexpr std::int64_t word(int which, std::int64_t x, std::int64_t y, std::int64_t counter) {
    std::uint32_t const key[]{std::uint32_t(x), std::uint32_t(y)};
    std::uint32_t w[2]{};
    mix(key, std::uint32_t(counter), w);
    return which < 2 ? w[which] : w[0] ^ w[1];
  }

  /// The same without loops, on lanes.
  template <class T> struct pair {
    T a, b;
  };
  template <int A, int B, int C, int D, class T> ETNA_FN static void four_rounds(pair<T>& w) {
    round<A>(w);
    round<B>(w);
    round<C>(w);
    round<D>(w);
  }
  template <int R, class T> ETNA_FN static void round(pair<T>& w) {
    w.a = T(w.a + w.b);
    w.b = T((w.b << R) | (w.b >> (32 - R)));
    w.b = T(w.b ^ w.a);
  }
  template <class T> ETNA_FN static void inject(pair<T>& w, T x, T y, std::uint32_t number) {
    w.a = T(w.a + x);
    w.b = T(w.b + T(y + T(number)));
  }
  template <class T> ETNA_FN static pair<T> words(T x, T y, T counter) {
    T z = T(T(x ^ y) ^ T(std::uint32_t(0x1bd11bda)));
    pair<T> w{x, T(counter + y)};
    four_rounds<13, 15, 26, 6>(w);
    inject(w, y, z, 1);
    four_rounds<17, 29, 16, 24>(w);
    inject(w, z, x, 2);
    four_rounds<13, 15, 26, 6>(w);
    inject(w, x, y, 3);
    four_rounds<17, 29, 16, 24>(w);
    inject(w, y, z, 4);
    four_rounds<13, 15, 26, 6>(w);
    inject(w, z, x, 5);
    return w;
  }
};

struct random_first_p : threefry {
  static constexpr auto name = "random_first";
  static constexpr auto reference = [](std::int64_t x, std::int64_t y, std::int64_t i) { return word(0, x, y, i); };
  template <class T> ETNA_FN static T lower(T x, T y, T counter) { return words(x, y, counter).a; }
};

struct random_second_p : threefry {
  static constexpr auto name = "random_second";
  static constexpr auto reference = [](std::int64_t x, std::int64_t y, std::int64_t i) { return word(1, x, y, i); };
  template <class T> ETNA_FN static T lower(T x, T y, T counter) { return words(x, y, counter).b; }
};

struct random_bits_p : threefry {
  static constexpr auto name = "random_bits";
  static constexpr auto reference = [](std::int64_t x, std::int64_t y, std::int64_t i) { return word(2, x, y, i); };
  template <class T> ETNA_FN static T lower(T x, T y, T counter) {
    pair<T> w = words(x, y, counter);
    return T(w.a ^ w.b);
  }
};

}  // namespace etna::ops
