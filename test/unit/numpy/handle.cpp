// SPDX-License-Identifier: BSD-3-Clause
// C++ integers that an element type does not hold: an error (E133, in jit E092), never another number.
#include "same.hpp"

using namespace test;

namespace {

using bytes = array<std::uint8_t, 3>;
using words = array<std::uint32_t, 2>;
using ints = array<int, 3>;
using longs = array<std::int64_t, 2>;

template <class F, class... A> int error_of(F const& f, A const&... x) {
  try {
    (void)f(x...);
    return 0;
  } catch (error const& e) { return e.number; }
}
/// f(x...) is an error outside of jit, and in it.
template <class F, class... A> void is_refused(const char* what, F const& f, A const&... x) {
  CAPTURE(std::string(what));
  CHECK(error_of(f, x...) == 133);
  static_assert(compiler::error_of<compiler::trace_of<F, A...>>() == 92);
}
template <class F, class... A> void is_right(const char* what, F const& f, auto const& want, A const&... x) {
  CAPTURE(std::string(what));
  near(f(x...), want);
  near(jit(f)(x...), want);
}
#define OF(T, ...) #__VA_ARGS__, [](T const& x) { return __VA_ARGS__; }

}  // namespace

TEST_CASE("a number that the element type does not hold") {
  bytes const u{1, 44, 255};
  is_refused(OF(bytes, x + 300), u);
  is_refused(OF(bytes, 300 - x), u);
  is_refused(OF(bytes, x == 300), u);
  is_refused(OF(bytes, x == -1), u);
  is_refused(OF(bytes, -1 < x), u);
  is_refused(OF(bytes, x & 256), u);
  is_refused(OF(bytes, x % 256u), u);
  is_refused(OF(bytes, floor_divide(x, 300)), u);
  is_refused(OF(bytes, maximum(x, 300)), u);
  is_refused(OF(bytes, clip(x, 0, 300)), u);
  is_refused(OF(bytes, where(x > 1, x, 300)), u);
  is_refused(OF(bytes, x.at<0>().set(256)), u);
  is_refused(OF(bytes, x.at<1>().add(-1)), u);
  is_refused(OF(bytes, x.at(array<int>(1)).add(256)), u);
  is_refused(OF(bytes, pad<1>(x, 256)), u);
  words const w{0, 5};
  is_refused(OF(words, x > -1), w);
  is_refused(OF(words, x * 4294967296), w);
  ints const i{1, 2, 3};
  is_refused(OF(ints, x + 3000000000), i);
  is_refused(OF(ints, x < 3000000000), i);
  is_refused(OF(ints, x * -2147483649), i);
  is_refused(OF(ints, x ^ 2147483648u), i);
  longs const l{1, 2};
  is_refused(OF(longs, x + 9223372036854775808u), l);
}
TEST_CASE("the same where no array is at hand: while compiling a call that is named") {
  bytes const u{1, 44, 255};
  CHECK(error_of([] { return array<std::uint8_t>(300); }) == 133);
  CHECK(error_of([] { return array<std::uint32_t>(-1); }) == 133);
  CHECK(error_of([] { return full<std::uint8_t, 2>(256); }) == 133);
  CHECK(error_of([&] { return full_like(u, -1); }) == 133);
  CHECK(error_of([&] { return pad<1>(u, 256); }) == 133);
  CHECK(error_of([&] { return where(u > 1, 1, 5000000000); }) == 133);
  CHECK(error_of([&] {
          return fori_loop(
              0, 5000000000, [](auto const&, auto const& c) { return c; }, u);
        }) == 133);
#if defined(ETNA_CALLS_ARE_REMEMBERED)  // with others the trace is a variable, so the compiler itself stops there
  auto times = [](bytes x) { return x * array<std::uint8_t>(256); };
  auto plus = [](bytes x) { return x + full<std::uint8_t, 3>(-1); };
  static_assert(!compiler::traceable<compiler::trace_of<decltype(times), bytes>> &&
                !compiler::traceable<compiler::trace_of<decltype(plus), bytes>>);
#endif
}
TEST_CASE("the first and the last that it holds; reals are rounded") {
  bytes const u{1, 44, 255};
  is_right(OF(bytes, x + 255), bytes{0, 43, 254}, u);
  is_right(OF(bytes, x - 0), u, u);
  is_right(OF(bytes, x == 255L), array<bool, 3>{false, false, true}, u);
  is_right(OF(ints, x + 2147483647), ints{2147483647, 2147483647, 2147483647}, ints{0, 0, 0});
  is_right(OF(words, x + 4294967295u), words{4294967295u, 4}, words{0, 5});
  is_right(OF(longs, x * 4294967296), longs{4294967296, 8589934592}, longs{1, 2});
  // a function of the reals has the number as one of them
  is_right(OF(bytes, x / 300), array<float, 3>{1 / 300.f, 44 / 300.f, 255 / 300.f}, u);
  is_right(OF(bytes, -1 / x), array<float, 3>{-1, -1 / 44.f, -1 / 255.f}, u);
  is_right(OF(bytes, arctan2(x, -2)),
           array<float, 3>{float(std::atan2(1., -2.)), float(std::atan2(44., -2.)), float(std::atan2(255., -2.))}, u);
  is_right(OF(bytes, x + 0.5), array<float, 3>{1.5f, 44.5f, 255.5f}, u);
  CHECK(switch_(4294967297,
                std::tuple{[](auto const& x) { return x; }, [](auto const& x) { return x + 1; },
                           [](auto const& x) { return x + 2; }},
                ints{1, 2, 3})(0) == 3);
  auto chosen = [](array<std::int64_t> i) {
    return switch_(i, std::tuple{[] { return array<int>(0); }, [] { return array<int>(1); }});
  };
  CHECK(jit(chosen)(4294967296).item() == 1);
  CHECK(chosen(-4294967295).item() == 0);
}
