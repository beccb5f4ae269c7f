// SPDX-License-Identifier: BSD-3-Clause
// Each row's function on full registers: within 2 ulp of the truth at edges and on a sample, exact where it must be;
// and one result per argument, in any place of a register, whoever its neighbours are, and as a single number.
#include "check.hpp"
#include "kernels.hpp"

using namespace accuracy;

namespace {

constexpr std::size_t sample = 20'000;

template <class T> constexpr std::size_t width = xsimd::batch<T>::size;

template <class T> struct columns {
  std::vector<T> x, y, out;

  explicit columns(std::vector<pair<T>> const& from) : x(whole(from.size())), y(x.size()), out(x.size()) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = from[i % from.size()].x, y[i] = from[i % from.size()].y;
  }
  static std::size_t whole(std::size_t n) { return (n + width<T> - 1) / width<T> * width<T>; }
  std::vector<T> const& by(loop<T> f) {
    f(x.data(), y.data(), out.data(), x.size());
    return out;
  }
};

/// Edges and what is chosen; of f32 also bits at even distances.
template <class T> std::vector<pair<T>> tried(function const& f) {
  std::vector<pair<T>> all = listed<T>(f.operands);
  for (std::uint64_t k = 0; k < sample; ++k) all.push_back(arguments<T>(f, k));
  if (sizeof(T) == 4 && f.operands == 1)
    for (std::uint64_t k = 0; k < (std::uint64_t(1) << 32); k += 65'521)
      all.push_back({std::bit_cast<T>(bits_of<T>(k)), 0});
  return all;
}

/// The same number in every place of a register, among others of one kind.
template <class T> void places(kernel const& k, function const& f, tally& t) {
  std::vector<pair<T>> const all = tried<T>(f);
  using limits = std::numeric_limits<T>;
  T const others[] = {T(0.5), 0, limits::quiet_NaN(), limits::infinity(), -limits::max(), limits::denorm_min()};
  std::vector<pair<T>> at;
  std::vector<T> wanted;
  columns<T> alone(all);
  alone.by(of<T>(k).registers);
  std::vector<pair<T>> moved;
  for (std::size_t i = 0; i < all.size(); i += all.size() / 150)
    for (T other : others)
      for (std::size_t place = 0; place < width<T>; ++place)
        for (std::size_t lane = 0; lane < width<T>; ++lane) {
          moved.push_back(lane == place ? all[i] : pair<T>{other, other});
          at.push_back(all[i]);
          wanted.push_back(alone.out[i]);
        }
  columns<T> among(moved);
  among.by(of<T>(k).registers);
  // neighbours have results of their own
  for (std::size_t i = 0; i < moved.size(); ++i)
    if (i % width<T> != i / width<T> % width<T>) wanted[i] = among.out[i];
  t.same_bits("place or neighbours matter", f.name, at, among.out.data(), wanted.data());
}

template <class T> void row(kernel const& k, std::size_t number, tally& t) {
  function const& f = functions[number];
  std::vector<pair<T>> const all = tried<T>(f);
  columns<T> by_registers(all), by_numbers(all);
  by_registers.by(of<T>(k).registers);
  by_numbers.by(of<T>(k).numbers);
  t.truth(number, all, by_registers.out.data());
  t.same_bits("a number alone is another", f.name, all, by_numbers.out.data(), by_registers.out.data());
  places<T>(k, f, t);
}

/// Arguments whose results are numbers of T: products of whole numbers, powers of two, cubes.
template <class T> std::vector<pair<T>> exact_arguments(std::string_view name, std::vector<T>& results) {
  std::vector<pair<T>> at;
  auto add = [&](T x, T y, T result) {
    at.push_back({x, y});
    results.push_back(result);
  };
  T const most = power_of_two<double>(std::numeric_limits<T>::digits);
  if (name == "pow")
    for (int x = -300; x <= 300; ++x) {
      T p = 1;
      for (int n = 0; n <= 60 && std::abs(p) <= most; ++n, p *= T(x)) {
        add(T(x), T(n), p);
        if (p > 0) add(p * p <= most ? p * p : T(1), T(0.5), p * p <= most ? p : T(1));
      }
    }
  for (int n = std::numeric_limits<T>::min_exponent - std::numeric_limits<T>::digits;
       n < std::numeric_limits<T>::max_exponent; ++n) {
    T const power = std::ldexp(T(1), n);
    if (name == "exp2") add(T(n), 0, power);
    if (name == "log2") add(power, 0, T(n));
    if (name == "pow") add(2, T(n), power);
    if (name == "pow") add(-2, T(n), n % 2 == 0 ? power : -power);
    if (name == "pow" && n > -30 && n < 31) add(power, 3, power * power * power);
  }
  T ten = 1;
  for (int n = 0; n <= (sizeof(T) == 4 ? 10 : 22); ++n, ten *= 10)
    if (name == "log10") add(ten, 0, T(n));
  for (int n = -200; n <= 200; ++n)
    if (name == "cbrt") add(T(n * n * n), 0, T(n));
  return at;
}
template <class T> void exact(kernel const& k, function const& f, tally& t) {
  std::vector<T> results;
  auto const at = exact_arguments<T>(f.name, results);
  if (at.empty()) return;
  columns<T> c(at);
  c.by(of<T>(k).registers);
  t.same_bits("not exact", f.name, at, c.out.data(), results.data());
}

}  // namespace

int main() {
  tally t;
  std::size_t tables = 0;
  for (kernel const& k : kernels())
    for (std::size_t i = 0; i < count; ++i)
      if (functions[i].name == k.name) {
        ++tables;
        row<float>(k, i, t);
        row<double>(k, i, t);
        exact<float>(k, functions[i], t);
        exact<double>(k, functions[i], t);
      }
  if (tables != kernels().size()) t.fail("a kernel has no function in the table");
  std::printf("registers of %zu floats\n", width<float>);
  return t.done("rows");
}
