// SPDX-License-Identifier: BSD-3-Clause
// Rows with an effect: print. Its equation is live by itself, written as often as the program says, and kept in order;
// the passes know that by the attribute `effect`. Its one result is an array of nothing.
#pragma once
#include "family.hpp"

namespace etna::ops {

/// Leading axes, of vmaps (a line for each place), and the letters of the text, which follow, eight a word.
struct print_words {
  int axes, letters;
  static constexpr int count = 2;
  static constexpr print_words read(std::int64_t const* a) { return {int(a[0]), int(a[1])}; }
};
/// attributes  print_words, then the letters
struct print_p : movement {
  static constexpr auto name = "print";
  static constexpr int arity = -1;
  static constexpr ops::form form = ops::form::routine;
  static constexpr bool effect = true;
  static constexpr auto jvp = absent{"what is printed is the value"};
  static constexpr auto transpose = absent{"what is printed is the value"};
  static constexpr samples make_samples(interval) {
    samples none;
    return none;
  }  // test/unit/debug

  static constexpr int shape(tensor_type const* in, int n, std::int64_t const* a, int, tensor_type* out) {
    int axes = print_words::read(a).axes;
    out[0] = {dtype::u8, axes + 1, {}};
    for (int i = 0; i < axes && n > 0; ++i) out[0].e[i] = in[0].e[i];
    return n == 0 || axes == max_rank ? bad_shape : 0;
  }
  static constexpr void batch(batched_eqn const& e, var* out) {
    var in[tracing::max_operands]{};
    std::int64_t a[64]{};
    int n = e.info().operands, words = e.attr_count();
    for (int k = 0; k < n; ++k) in[k] = e.is_batched[k] ? e.in[k] : broadcast_front(e.in[k], e.size);
    for (int i = 0; i < words; ++i) a[i] = e.attr(i);
    ++a[0];
    out[0] = tracing::emit(code<print_p>, in, n, a, words);
  }
  static constexpr int most_letters = 400;
  /// The attributes of a print of this text; how many.
  static constexpr int write(const char* text, std::int64_t* a) {
    int n = 0;
    for (; text[n]; ++n) packed::put(a + print_words::count, n, text[n]);
    a[0] = 0;
    a[1] = n;
    return print_words::count + packed::words(n);
  }
  static constexpr char letter(std::int64_t const* a, int i) { return packed::letter(a, print_words::count, i); }

  static void reference(call const& c);  // eager/printing.hpp
  static std::int64_t units(call const&) { return 1; }
  static void run(call const& c, std::int64_t, std::int64_t) { reference(c); }
};

}  // namespace etna::ops
