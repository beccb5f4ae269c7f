// SPDX-License-Identifier: BSD-3-Clause
// Single functions that move short rows: take, pool, repeat, stack, small transposes, pieces and their derivatives.
#include "program.hpp"

namespace {

using namespace wide;

constexpr auto by_index = jit([](array<float, 20000, 63> x, array<int, 64> i) { return take<1>(x, i); });
entry const take_("take", [](double seconds) {
  run_or_show(seconds, by_index, fill<array<float, 20000, 63>>(1), fill_int<array<int, 64>>(2, 63));
});

using image = array<float, 16, 64, 64, 8>;
using small_image = array<float, 16, 32, 32, 8>;
constexpr auto pool = [](image x) { return mean<2, 4>(reshape<16, 32, 2, 32, 2, 8>(x)); };
constexpr auto pooled = jit(pool);
constexpr auto pooled_back = jit([](image x, small_image c) { return std::get<1>(vjp(pool, x))(c); });
constexpr auto twice = jit([](small_image x) { return repeat<2, 2>(repeat<2, 1>(x)); });
entry const pool_("pool", [](double seconds) { run_or_show(seconds, pooled, fill<image>(1)); });
entry const back_("pool_grad",
                  [](double seconds) { run_or_show(seconds, pooled_back, fill<image>(1), fill<small_image>(2)); });
entry const repeat_("repeat", [](double seconds) { run_or_show(seconds, twice, fill<small_image>(1)); });

using half = array<float, 20000, 32>;
constexpr auto interleave = jit([](half a, half b) { return reshape<20000, 64>(stack<2>(a, b)); });
entry const stack_("interleave",
                   [](double seconds) { run_or_show(seconds, interleave, fill<half>(1), fill<half>(2)); });

constexpr auto matrices = jit([](array<float, 100000, 3, 3> x) { return transpose<0, 2, 1>(x); });
constexpr auto fronts = jit([](array<float, 3, 100000, 3> x) { return transpose<1, 0, 2>(x); });
constexpr auto vectors = jit([](array<float, 100000, 3> x) { return transpose(x); });
entry const turn_("turn33",
                  [](double seconds) { run_or_show(seconds, matrices, fill<array<float, 100000, 3, 3>>(1)); });
entry const front_("turn3n3",
                   [](double seconds) { run_or_show(seconds, fronts, fill<array<float, 3, 100000, 3>>(1)); });
entry const vector_("turnn3", [](double seconds) { run_or_show(seconds, vectors, fill<array<float, 100000, 3>>(1)); });

using small = array<float, 50000, 4, 4>;
constexpr auto product = jit([](small a, small b) { return sum<2>(expand_dims<3>(a) * expand_dims<1>(b)); });
entry const product_("product44",
                     [](double seconds) { run_or_show(seconds, product, fill<small>(1), fill<small>(2)); });

using piece = array<float, 16384, 16>;
using all_pieces = array<float, 16384, 112>;
constexpr auto pieces = jit([](all_pieces ct, piece a, piece b, piece c, piece d, piece e, piece f, piece g) {
  return grad<0, 1, 2, 3, 4, 5, 6>([&](auto... x) { return sum(ct * concatenate<1>(x...)); })(a, b, c, d, e, f, g);
});
entry const pieces_("pieces_grad", [](double seconds) {
  run_or_show(seconds, pieces, fill<all_pieces>(9), fill<piece>(1), fill<piece>(2), fill<piece>(3), fill<piece>(4),
              fill<piece>(5), fill<piece>(6), fill<piece>(7));
});

}  // namespace
