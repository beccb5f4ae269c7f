// SPDX-License-Identifier: BSD-3-Clause
// The program of ../tour.md and ../types_and_values.md. It prints every text that these pages show of it, in sections
// that begin with `== NAME`; make.sh writes them into the pages, and the code between [NAME] and [end] as well.
#include <cstdio>
#include <sstream>
#include <string>

#include <etna/etna.hpp>
#include <etna/exec/explain.hpp>

using namespace etna;

// clang-format off
// [step]
struct layer { array<float, 24, 16> w; array<float, 16> b; };

constexpr auto loss = [](layer const& p, array<float, 8, 24> x, array<float, 8, 16> y) {
  return mean(square(relu(dot(x, p.w) + p.b) - y)); };

constexpr auto step = [](layer p, array<float, 8, 24> x, array<float, 8, 16> y) {
  auto g = grad(loss)(p, x, y);
  return layer{p.w - 0.1f * g.w, p.b - 0.1f * g.b}; };
// [end]
// clang-format on

// [twice]
constexpr auto f = jit([](array<float, 1024> x, array<float, 1024> y) { return sum(x * y + 1.0f); });
constexpr auto g = jit([](array<float, 4096> a, array<float, 4096> b) { return sum(b * a + 2.0f); });
// [end]

// [figures]
using plan_of_f = plan_type<decltype(f)>;
static_assert(plan_of_f::kernel_count == 1 && plan_of_f::unique_kernels == 1);
static_assert(plan_of_f::flops == 3 * 1024);
static_assert(plan_of_f::arena_bytes == 0);
static_assert(plan_of_f::peak_bytes == 2 * 4 * 1024 + 4);  // two arguments and a result

using plan_of_step = plan_of<decltype(step), layer, array<float, 8, 24>, array<float, 8, 16>>;
static_assert(plan_of_step::kernel_count == 3);
static_assert(plan_of_step::donated_bytes == sizeof(float) * (24 * 16 + 16));  // both parameters
// [end]

// [equal]
using kernel_of_f = lower::kernel_t<plan_of_f::program, 0>;
using kernel_of_g = lower::kernel_t<plan_type<decltype(g)>::program, 0>;
static_assert(!std::is_same_v<plan_of_f::program, plan_type<decltype(g)>::program>);
static_assert(std::is_same_v<kernel_of_f, kernel_of_g>);
// [end]

namespace {

void print(std::string const& name, std::string const& text) {
  std::printf("== %s\n%s%s", name.c_str(), text.c_str(), text.empty() || text.back() != '\n' ? "\n" : "");
}

/// The lines of a text that another one, of as many lines, does not have.
std::string changed_lines(std::string const& before, std::string const& after) {
  std::istringstream old(before), now(after);
  std::string changed;
  for (std::string a, b; std::getline(now, a);) {
    std::getline(old, b);
    if (a != b) changed += a + "\n";
  }
  return changed;
}
/// after<...> with the pass's number.
template <int Number> struct after_number {
  static constexpr std::string_view name = compiler::name_of(Number);
};
/// The step after all passes, one after another.
void print_passes() {
  std::string before;
  auto one = [&]<int Number>() {
    using this_one = after_number<Number>;
    std::string const text = show<this_one>(step, layer(), array<float, 8, 24>(), array<float, 8, 16>());
    print(std::string(this_one::name), text == before ? "(the same)" : text);
    print(std::string(this_one::name) + " changes", changed_lines(before, text));
    before = text;
  };
  [&]<int... N>(std::integer_sequence<int, N...>) {
    (one.template operator()<N - 1>(), ...);
  }(std::make_integer_sequence<int, compiler::all_passes + 1>{});
}

/// A type as g++ and clang print it, without namespaces, a statement a line.
template <class T> std::string readable() {
  std::string s = __PRETTY_FUNCTION__;
  s = s.substr(s.find("T = ") + 4);
  s = s.substr(0, s.find_first_of(";]"));
  auto replace = [&](std::string_view what, std::string_view by) {
    for (std::size_t at = 0; (at = s.find(what, at)) != std::string::npos; at += by.size())
      s.replace(at, what.size(), by);
  };
  for (auto scope : {"etna::lower::", "etna::planning::", "etna::ops::", "etna::"}) replace(scope, "");
  replace("> >", ">>");
  replace("> >", ">>");
  replace(", list<", ",\n       list<");
  replace(", stmt<", ",\n       stmt<");
  return s;
}

}  // namespace

int main() {
  print("loss", show<after<"trace">>(loss, layer(), array<float, 8, 24>(), array<float, 8, 16>()));
  print_passes();
  print("plan", show_plan(jit(step), layer(), array<float, 8, 24>(), array<float, 8, 16>()));
  print("explain", explain(jit(step)).text());
  print("kernel of step", readable<lower::listing_of<lower::kernel_t<plan_of_step::program, 0>>::type>());
  print("kernel of f", readable<lower::listing_of<kernel_of_f>::type>());
  print("plan of f", show_plan(f));
}
