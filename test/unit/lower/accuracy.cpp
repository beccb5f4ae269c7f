// SPDX-License-Identifier: BSD-3-Clause
// Elementary functions outside of kernels (eager, at a `point`), and what several rows make together (jit): within 2
// ulp of the truth, with the special values of IEEE 754. Rows in kernels: test/accuracy; all of f32: bench/accuracy.
#include "accuracy/check.hpp"
#include "same.hpp"

using namespace test;

namespace {

using accuracy::pair;

constexpr auto unary = [](auto x) {
  return std::tuple{exp(x),     exp2(x),        expm1(x),    log(x),     log2(x),    log10(x),   log1p(x),  sqrt(x),
                    rsqrt(x),   cbrt(x),        sin(x),      cos(x),     tan(x),     arcsin(x),  arccos(x), arctan(x),
                    sinh(x),    cosh(x),        tanh(x),     arcsinh(x), arccosh(x), arctanh(x), erf(x),    erfc(x),
                    sigmoid(x), log_sigmoid(x), softplus(x), sinc(x),    floor(x),   ceil(x),    trunc(x),  round(x),
                    -x};
};
constexpr char const* unary_names[] = {
    "exp", "exp2", "expm1",    "log",         "log2",     "log10", "log1p", "sqrt", "rsqrt", "cbrt",  "sin",
    "cos", "tan",  "asin",     "acos",        "atan",     "sinh",  "cosh",  "tanh", "asinh", "acosh", "atanh",
    "erf", "erfc", "logistic", "log_sigmoid", "softplus", "sinc",  "floor", "ceil", "trunc", "round", "negation"};
constexpr auto binary = [](auto x, auto y) {
  return std::tuple{pow(x, y),       hypot(x, y), arctan2(x, y), logaddexp(x, y), fmod(x, y),
                    remainder(x, y), x + y,       x - y,         x * y,           x / y};
};
constexpr char const* binary_names[] = {"pow",       "hypot", "atan2", "logaddexp", "fmod",
                                        "remainder", "add",   "sub",   "mul",       "div"};

// What is no row, and so a kernel of several.
constexpr auto composed = [](auto x, auto y) {
  return std::tuple{log2(x), log10(x), log_sigmoid(x), softplus(x), sinc(x), hypot(x, y), remainder(x, y)};
};
constexpr char const* composed_names[] = {"log2", "log10", "log_sigmoid", "softplus", "sinc", "hypot", "remainder"};

template <class T> using line = array<T, "n"_n>;

std::size_t number_of(std::string_view name) {
  std::size_t k = 0;
  while (k < accuracy::count && accuracy::functions[k].name != name) ++k;
  REQUIRE(k < accuracy::count);
  return k;
}

/// Arguments of one operand, or of two: edges, and what is chosen for each function in turn.
template <class T> std::vector<pair<T>> arguments(int operands) {
  std::vector<pair<T>> all = accuracy::listed<T>(operands);
  for (auto const& f : accuracy::functions)
    if (f.operands == operands)
      for (std::uint64_t k = 0; k < 2000; ++k) all.push_back(accuracy::arguments<T>(f, k));
  return all;
}
template <class T> line<T> operand(std::vector<pair<T>> const& at, bool second) {
  return line<T>::build(
      [&](T* to) {
        for (auto const& a : at) *to++ = second ? a.y : a.x;
      },
      {extent(at.size())});
}
/// Results of the functions with these names.
template <class T, std::size_t N, class R> void judge(accuracy::tally& t, char const* const (&names)[N],
                                                      std::vector<pair<T>> const& at, R const& results,
                                                      bool or_of_library = false) {
  static_assert(std::tuple_size_v<R> == N);
  std::size_t k = 0;
  std::apply([&](auto const&... r) { (t.truth(number_of(names[k++]), at, &r[0], or_of_library), ...); }, results);
}
/// For each argument the results at a point, as columns.
template <class T, class F, std::size_t N>
void judge_points(accuracy::tally& t, char const* const (&names)[N], std::vector<pair<T>> const& at, F const& f) {
  std::array<std::vector<T>, N> columns;
  for (auto const& a : at)
    std::apply([&, k = 0](auto const&... r) mutable { (columns[std::size_t(k++)].push_back(r[0]), ...); }, f(a));
  for (std::size_t k = 0; k < N; ++k) t.truth(number_of(names[k]), at, columns[k].data());
}
template <class T> struct column {
  T const* at;
  T const& operator[](std::size_t i) const { return at[i]; }
};
template <class R> auto columns_of(R const& r) {
  return std::apply([](auto const&... a) { return std::tuple{column{a.data()}...}; }, r);
}

template <class T> void everywhere() {
  auto const one = arguments<T>(1), two = arguments<T>(2);
  auto const x = operand(one, false), a = operand(two, false), b = operand(two, true);
  accuracy::tally eager, points, kernels;
  judge(eager, unary_names, one, columns_of(unary(x)), true);
  judge(eager, binary_names, two, columns_of(binary(a, b)), true);
  CHECK(eager.done("eager") == 0);
  judge_points(points, unary_names, one,
               [](pair<T> p) { return point<array<T>>([](array<T> v) { return unary(v); })(p.x); });
  judge_points(points, binary_names, two, [](pair<T> p) {
    return point<array<T>, array<T>>([](array<T> v, array<T> w) { return binary(v, w); })(p.x, p.y);
  });
  CHECK(points.done("point") == 0);
  judge(kernels, composed_names, two, columns_of(jit([](line<T> v, line<T> w) { return composed(v, w); })(a, b)));
  CHECK(kernels.done("jit") == 0);
}

struct known {
  double x, y;
  long double truth;
};
template <class T, std::size_t N> void near_zero(known const (&pairs)[N]) {
  using row = array<T, extent(N)>;
  auto column = [&](double known::*of) {
    return row::build([&](T* to) {
      for (std::size_t i = 0; i < N; ++i) to[i] = T(pairs[i].*of);
    });
  };
  row const x = column(&known::x), y = column(&known::y);
  row const eager = logaddexp(x, y), other = logaddexp(y, x);
  row const kernel = jit([](row v, row w) { return logaddexp(v, w); })(x, y);
  for (std::size_t i = 0; i < N; ++i)
    for (T got : {eager.data()[i], other.data()[i], kernel.data()[i]})
      CHECK_MESSAGE(accuracy::judged(got, pairs[i].truth).ulp <= 2, pairs[i].x);
}

}  // namespace

TEST_CASE("accuracy: f32 functions outside of kernels, and of several rows") { everywhere<float>(); }
TEST_CASE("accuracy: f64 functions outside of kernels, and of several rows") { everywhere<double>(); }

// The truth is mpmath's log1p(expm1(max(x, y)) + exp(min(x, y))) in 80 digits.
TEST_CASE("accuracy: logaddexp where the sum of the exponentials is nearly 1") {
  near_zero<float>({{-0x1.e75ap-3, -0x1.8d7f3ep+0, -0xcebff81304c5f7dfp-77L},
                    {-0x1.55e542p-10, -0x1.a94438p+2, -0xae1fcc0cce696fedp-82L},
                    {-0x1.2f64eep+3, -0x1.400f1ep-14, -0xc48be42f57631122p-89L},
                    {-0x1.929bfcp-3, -0x1.b92cc4p+0, -0xa48a30b5949e4290p-84L},
                    {-0x1.389174p+5, -0x1.8cd836p-57, -0xe4e288f76632f0fcp-159L}});
  near_zero<double>({{-0x1.d150a5359917ep-1, -0x1.081bf7cf512cbp-1, 0xa94ce0474f60d053p-95L},
                     {-0x1.53f0c43147d27p-9, -0x1.7d2f8ff667758p+2, -0x8af5113331c9d284p-109L},
                     {-0x1.eadd6a7e9b395p+1, -0x1.65df8df291a49p-6, -0x8f675b8549a13dc7p-82L},
                     {-0x1.69299153eef95p+0, -0x1.1e6370837e6ebp-2, -0xb15ba6fc42784f31p-79L},
                     {-2e237, -0x1.45ee63f69b813p-1022, -0x1.45ee63f69b813p-1022L},
                     {-702., -0x1.2bd8c1805112bp-1013, -0xa0fa9e0eb14a25d3p-1106L},
                     {-0x1.557331e395506p-2, -0x1.42af9681b1306p+0, -0x95e3570eac7b32a4p-78L}});
}
