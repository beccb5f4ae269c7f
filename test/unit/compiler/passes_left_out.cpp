// SPDX-License-Identifier: BSD-3-Clause
// Twenty programs, each with one optional pass left out, and with all of them: their results are those of the
// interpreter, which knows no passes. (All tests can be run so too: CXXFLAGS=-DETNA_WITHOUT=thin,halve sh test/run.sh.)
#include "same.hpp"

using namespace test;

namespace {

inline constexpr int none_but_needed = -1;
/// The program of f without a pass, as exec runs it.
template <int Pass, class F, class... P> struct program_without {
  struct made : planning::draft {
    constexpr made() : planning::draft{} {
      compiler::pass_choice choice;
      int i = 0;
      compiler::each_pass([&](auto const& p) {
        choice.left_out[i] = i == Pass || (Pass == none_but_needed && p.is_optional);
        ++i;
      });
      compiler::compile(compiler::trace_of<F, P...>::get(), *this, choice);
    }
  };
  static constexpr planning::plan_size size = size_of(compiler::transient<made>::get());
  static constexpr auto value = planning::tighten<program_without>(compiler::transient<made>::get());
};
template <int Pass, class F, class... P> auto run_without(F const&, P const&... x) {
  using Program = program_without<Pass, F, P...>;
  using R = compiler::result_of<F, P...>;
  void const* from[16];
  void* to[16];
  exec::read_pointers read{from};
  (tree::for_each(read, x), ...);
  exec::static_result_maker next;
  R out = exec::make_result<R>(next);
  tree::for_each(exec::write_pointers{to}, out);
  exec::plain_call{}(exec::compiled<Program>::view(), const_cast<void* const*>(from), to, {});
  return out;
}
constexpr bool is_optional(int number) {
  int i = 0;
  bool optional = false;
  compiler::each_pass([&](auto const& p) { optional = optional || (i++ == number && p.is_optional); });
  return optional;
}

template <class F, class... P> void agrees(F f, P const&... x) {
  auto const should = f(x...);
  auto one = [&]<int Pass>() {
    INFO(std::string(Pass < 0 ? "all" : compiler::name_of(Pass)));
    if constexpr (Pass < 0 || is_optional(Pass)) near(run_without<Pass>(f, x...), should, 1e-4, 1e-11);
  };
  [&]<int... N>(std::integer_sequence<int, N...>) {
    (one.template operator()<N - 1>(), ...);
  }(std::make_integer_sequence<int, compiler::all_passes + 1>{});
}

template <extent... E> using f32s = array<float, E...>;
template <extent... E> auto numbers_of(std::uint64_t seed) { return some<f32s<E...>>(seed); }
constexpr auto smooth = [](auto const& y) {
  return pad<1, 0>(slice<range{0, -1}>(y)) - 2 * y + pad<0, 1>(slice<range{1, rest}>(y));
};

}  // namespace

TEST_CASE("without a pass: elementwise, rows and columns") {
  auto x = numbers_of<12, 40>(1), y = numbers_of<12, 40>(2);
  agrees([](auto x, auto y) { return tanh(x) * y + 1 * x - 0 * y; }, x, y);
  agrees([](auto x, auto y) { return softmax(x * y); }, x, y);
  agrees([](auto x, auto y) { return sum<0>(square(x)) / 4 + max<0>(y); }, x, y);
  agrees(
      [](auto x, auto y) {
        return std::tuple{transpose(x) * 2, reshape<40, 12>(y), slice<every, range{3, 30}>(x)};
      },
      x, y);
  agrees([](auto x, auto y) { return where(x > 0, y, sum(y)) + astype<float>(expand_dims<1>(argmax<1>(x))); }, x, y);
}
TEST_CASE("without a pass: products") {
  auto w = numbers_of<512, 512>(3);
  auto x = numbers_of<16, 512>(4);
  agrees([](auto w, auto x) { return dot(x, w); }, w, x);
  agrees([](auto w, auto x) { return w - 0.5f * dot(transpose(x), x); }, w, x);
  agrees([](auto a, auto b) { return dot(astype<float>(a), astype<float>(b)); },
         astype<bfloat16>(numbers_of<128, 128>(14)), astype<bfloat16>(numbers_of<128, 128>(15)));
  agrees([](auto u, auto v, auto a) { return dot(dot(u, v), a); }, numbers_of<300, 4>(5), numbers_of<4, 300>(6),
         numbers_of<300>(7));
  agrees([](auto a, auto b) { return tanh(einsum<"bi,bj->bij">(a, b)); }, numbers_of<6, 40>(8), numbers_of<6, 50>(9));
  agrees([](auto a, auto b) { return relu(dot(a, b) + 1); }, numbers_of<120, 200>(10), numbers_of<200>(11));
  agrees([](auto a, auto b) { return softmax(einsum<"bij,bkj->bik">(a, b)); }, numbers_of<4, 96, 64>(12),
         numbers_of<4, 96, 64>(13));
}
TEST_CASE("without a pass: gradients") {
  auto loss = [](auto const& w, auto const& b, auto const& x) { return mean(square(relu(dot(x, w) + b))); };
  agrees(grad<0, 1>(loss), numbers_of<24, 33>(14), numbers_of<33>(15), numbers_of<8, 24>(16));
  agrees([](auto w, auto x) { return w - 0.1f * grad([&](auto const& w) { return sum(sin(dot(x, w))); })(w); },
         numbers_of<30, 20>(17), numbers_of<8, 30>(18));
  agrees(vmap<0>(grad([](auto const& x) { return sum(where(x > 0, sqrt(abs(x)), x * x)); })), numbers_of<9, 21>(19));
  agrees([](auto x) { return grad(checkpoint([](auto const& x) { return sum(exp(sin(x) * x)); }))(x); },
         numbers_of<70>(20));
  agrees([](auto x, auto i) { return grad([&](auto const& x) { return sum(square(take<0>(x, i))); })(x); },
         numbers_of<20, 7>(21), array<int, 5>{1, 3, 3, 19, 0});
}
TEST_CASE("without a pass: stencils, updates, loops") {
  auto y = numbers_of<40000>(22);
  agrees([](auto y) { return smooth(smooth(smooth(y))); }, y);
  agrees(
      [](auto y) {
        return scan<4>(
            [](auto const& y) {
              auto n = y + 0.1f * smooth(y);
              return std::pair{n, sum(n)};
            },
            y);
      },
      y);
  agrees(
      [](auto x, auto u) {
        return x.template at<range{2, 5}>().set(u).template at<0>().add(sum(u));
      },
      numbers_of<10, 30>(23), numbers_of<3, 30>(24));
  agrees(
      [](auto x) {
        return cumsum<0>(sort<0>(x)) +
               cond(
                   sum(x) > 0, [](auto const& x) { return x * 2; }, [](auto const& x) { return x - 1; }, x);
      },
      numbers_of<50>(25));
}

TEST_CASE("without a pass: reductions over axes of one element") {
  auto a = numbers_of<3, 1>(26);
  auto b = numbers_of<1, 4>(27);
  agrees(
      [](auto a, auto b) {
        return std::tuple{sum<1>(a), max<1>(a * 2), sum<0>(a), prod<0>(b), argmax<0>(b), argmax<1>(b), sum(b)};
      },
      a, b);
  agrees(
      [](auto x) {
        return std::tuple{sum<1>(x), exp(sum<1>(x)) + max<0, 1>(x), mean<1, 2>(x),
                          min<1>(x) * x.template at<0, 0>().get()};
      },
      numbers_of<3, 1, 4>(28));
  agrees(
      [](auto x, auto k) {
        return std::tuple{sum(x) * x, sum<0>(k), all<0>(k > 1), argmin(x)};
      },
      numbers_of<1>(29), array<int, 1, 2>{{1, 2}});
}

TEST_CASE("a file of the program that leaves out other passes is found when the program starts") {
  using namespace compiler;
  CHECK(sign_of(all_but("thin,halve")) == sign_of(all_but("halve, thin")));
  CHECK(sign_of(all_but("thin")) != sign_of(all_but("halve")));
  CHECK(message::same_in_all_files<135>(sign_of(chosen), "this file"));
  try {
    message::same_in_all_files<135>(sign_of(all_but("thin,halve,sink")), "thin,halve,sink");
    CHECK(false);
  } catch (error const& e) {
    CHECK(e.number == 135);
    CHECK(std::string(e.what()).find("thin,halve,sink") != std::string::npos);
  }
}
