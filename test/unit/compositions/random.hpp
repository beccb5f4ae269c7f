// SPDX-License-Identifier: BSD-3-Clause
// Random programs and random compositions of transforms, fixed by a seed while compiling. Each transform is written
// twice: by etna, and by numbers (differences of the plain function, loops over examples) without any derivative of
// etna's.
#pragma once
#include <algorithm>
#include <cstdio>
#include <functional>
#include <string>

#include "same.hpp"

namespace test::random {

/// A number below n, from the seed and a place.
constexpr int pick(int seed, int place, int n) {
  std::uint64_t z = std::uint64_t(seed) * 0x9e3779b97f4a7c15u + std::uint64_t(place) * 0xbf58476d1ce4e5b9u;
  for (int i = 0; i < 2; ++i) z = (z ^ (z >> 29)) * 0x94d049bb133111ebu;
  return int((z >> 33) % std::uint64_t(n));
}

using base = array<double, 2, 3>;
using index = array<int, 3>;
inline index const positions{1, 0, -1};  // fit axes of 2 and of 3

inline constexpr int steps = 15, moving_steps = 12;
/// One step that moves elements.
template <int Op, class V, class S> constexpr auto moving_step(V const& v, S const& s, index const& i) {
  constexpr extent a = V::extents[0], b = V::extents[1];
  auto apart = v + reshape<a, b>(arange<double, a * b>()) * 0.37;  // no ties
  auto two = slice<range{0, 2}>(i);
  if constexpr (Op == 0) return concatenate(slice<range{1}>(v), slice<range{0, 1}>(v * s));
  else if constexpr (Op == 1)
    return v.template at<every, 0>()
        .set(sum<1>(v) * 0.2)
        .template at<range{rest, rest, -1}, 1>()
        .add(sin(slice<every, 0>(v)));
  else if constexpr (Op == 2) return slice<every, range{2}>(pad<0, 0, 1, 1>(v * v, 0.5)) + v;
  else if constexpr (Op == 3) return roll<1, 1>(v) * flip(v);
  else if constexpr (Op == 4) return cumsum<0>(v) * 0.3 + cumprod<1>(v, backward);
  else if constexpr (Op == 5) return sort<1>(apart) * s + slice<every, range{rest, rest, -1}>(v);
  else if constexpr (Op == 6) return dynamic_update_slice(v, slice<range{0, 1}>(v) * s, slice<0>(i), 0);
  else if constexpr (Op == 7) return transpose(slice<range{rest, rest, -1}, range{0, 2}>(concatenate<1>(v, v * v)));
  else if constexpr (Op == 8) return v.at(two).add(slice<range{0, 2}>(v) * s) - v * 0.1;
  else if constexpr (Op == 9) return v.at(two).set(slice<range{0, 2}>(v * v));
  else if constexpr (Op == 10) return cummax<0>(apart) + cummin<1>(apart, backward) * v;
  else {
    auto parts = unstack<0>(v);
    return dynamic_slice<2, b>(tile<2>(stack(parts[1], parts[0] * parts[1], parts[0])), slice<1>(i), slice<-1>(i));
  }
}

/// One step: from a matrix, a captured scalar and an index to a matrix. Plain: without transforms inside.
template <int Op, bool Plain, class V, class S> constexpr auto step(V const& v, S const& s, index const& i) {
  constexpr extent a = V::extents[0], b = V::extents[1];
  if constexpr (Op >= steps) return moving_step<Op - steps>(v, s, i);
  else if constexpr (Op == 0) return sin(v) * s;
  else if constexpr (Op == 1) return where(v > s, v * v * v, v * v * 0.5);
  else if constexpr (Op == 2) return v - mean<0>(v, keepdims) + exp(v * 0.3);
  else if constexpr (Op == 3) return dot(v, transpose(v * v)) * 0.5;
  else if constexpr (Op == 4) return transpose(v) + 0.1;
  else if constexpr (Op == 5) return reshape<b, a>(v * logistic(v));
  else if constexpr (Op == 6) return take<0>(v, i) + sum<0>(v) * 0.2;
  else if constexpr (Op == 7) return softmax<1>(v) * (s + 1);
  else if constexpr (Op == 8) return einsum<"ij,ik->jk">(v, v + 1) * 0.5;
  else if constexpr (Op == 9) return max<1>(v, keepdims) * v + abs(v);
  else if constexpr (Op == 10) return prod<0>(v * 0.5 + 1, keepdims) + sqrt(v * v + 1);
  else if constexpr (Op == 11) return sum<1>(expand_dims<2>(v) * expand_dims<1>(take<1>(v, i)));
  else if constexpr (Op == 12) return maximum(v, transpose(reshape<b, a>(v))) / (v * v + 2);
  else if constexpr (Plain) {
    if constexpr (Op == 13) return v * v * s + v;
    else return v * s * s;
  } else if constexpr (Op == 13)
    return vmap<1>([&](auto const& column) { return column * column * s + column; }, out_axes<1>)(v);
  else return grad([&](auto const& z) { return sum(z * z * s * s) * 0.5; })(v);
}
/// The step at a place: from seed 50 on every other one moves elements.
constexpr int step_at(int seed, int place) {
  if (seed < 50) return pick(seed, place, steps);
  int k = pick(seed, place, 2 * moving_steps);
  return k < moving_steps ? steps + k : k - moving_steps;
}

/// A program of two or three steps; a scalar for every other seed.
template <int Seed, bool Plain> struct program {
  template <class X> constexpr auto operator()(X const& x, index const& i) const { return from<0>(x, mean(x * x), i); }
  template <int Place, class V, class S> static constexpr auto from(V const& v, S const& s, index const& i) {
    if constexpr (Place < 2 + pick(Seed, 100, 2))
      return from<Place + 1>(step<step_at(Seed, Place), Plain>(v, s, i), s, i);
    else if constexpr (Seed % 2 == 0) return mean(v * v) + sum(v * 0.3);
    else return v;
  }
};

/// An array of type X whose numbers look random: a direction, or a cotangent.
template <class X> constexpr auto direction() {
  return []<std::size_t... K>(std::index_sequence<K...>) {
    return reshape<X::extents[K]...>(cos(arange<double, X::size()>() * 0.7 + 0.3));
  }(std::make_index_sequence<std::size_t(X::rank)>{});
}
template <class F, class X> using result =
    std::remove_cvref_t<decltype(F{}(std::declval<X const&>(), std::declval<index const&>()))>;

// By etna. All are function objects without state, so that jit takes them.

template <class F> struct by_grad {
  template <class X> constexpr auto operator()(X const& x, index const& i) const { return grad(F{})(x, i); }
};
template <class F> struct by_value_and_grad {
  template <class X> constexpr auto operator()(X const& x, index const& i) const {
    auto [value, g] = value_and_grad(F{})(x, i);
    return g * value;
  }
};
template <class F> struct by_jvp {
  template <class X> constexpr auto operator()(X const& x, index const& i) const {
    return jvp([&](auto const& z) { return F{}(z, i); }, x, direction<X>()).second;
  }
};
template <class F> struct by_linearize {
  template <class X> constexpr auto operator()(X const& x, index const& i) const {
    return linearize([&](auto const& z) { return F{}(z, i); }, x).second(direction<X>());
  }
};
template <class F> struct by_vjp {
  template <class X> constexpr auto operator()(X const& x, index const& i) const {
    return vjp([&](auto const& z) { return F{}(z, i); }, x).second(direction<result<F, X>>());
  }
};
template <class F> struct by_jacfwd {
  template <class X> constexpr auto operator()(X const& x, index const& i) const { return jacfwd(F{})(x, i); }
};
template <class F> struct by_jacrev {
  template <class X> constexpr auto operator()(X const& x, index const& i) const { return jacrev(F{})(x, i); }
};
template <class F> struct by_hessian {
  template <class X> constexpr auto operator()(X const& x, index const& i) const { return hessian(F{})(x, i); }
};
template <class F> struct by_jit {
  template <class X> constexpr auto operator()(X const& x, index const& i) const { return jit(F{})(x, i); }
};
template <class F, int In, int Out> struct by_vmap {
  template <class X> constexpr auto operator()(X const& x, index const& i) const {
    return vmap<In, none>(F{}, out_axes<Out>)(x, i);
  }
};
template <class F> struct by_sum {
  template <class X> constexpr auto operator()(X const& x, index const& i) const {
    auto y = F{}(x, i);
    return sum(y * y * 0.5);
  }
};

// By numbers: functions of tensors. A derivative has an error of the fourth power of the step, which is the longer the
// more derivatives are taken one of another.

struct tensor {
  std::vector<extent> shape;
  std::vector<double> x;
};
using function = std::function<tensor(tensor const&)>;

inline extent product(std::vector<extent> const& e, std::size_t from = 0) {
  extent n = 1;
  for (std::size_t k = from; k < e.size(); ++k) n *= e[k];
  return n;
}
inline double towards(std::size_t k) { return std::cos(double(k) * 0.7 + 0.3); }
template <class Along> tensor difference(function const& f, tensor const& x, double h, Along along) {
  auto at = [&](double s) {
    tensor y = x;
    for (std::size_t k = 0; k < y.x.size(); ++k) y.x[k] += s * along(k);
    return f(y);
  };
  tensor r = at(h), a = at(-h), b = at(2 * h), c = at(-2 * h);
  for (std::size_t k = 0; k < r.x.size(); ++k) r.x[k] = (8 * (r.x[k] - a.x[k]) - (b.x[k] - c.x[k])) / (12 * h);
  return r;
}
inline tensor num_jvp(function const& f, tensor const& x, double h) { return difference(f, x, h, towards); }
inline tensor num_jacobian(function const& f, tensor const& x, double h) {
  tensor r;
  std::size_t n = x.x.size();
  for (std::size_t j = 0; j < n; ++j) {
    tensor column = difference(f, x, h, [&](std::size_t k) { return double(k == j); });
    r.shape = column.shape;
    r.x.resize(column.x.size() * n);
    for (std::size_t k = 0; k < column.x.size(); ++k) r.x[k * n + j] = column.x[k];
  }
  r.shape.insert(r.shape.end(), x.shape.begin(), x.shape.end());
  return r;
}
inline tensor num_hessian(function const& f, tensor const& x, double h) {
  return num_jacobian([&](tensor const& z) { return num_jacobian(f, z, h); }, x, h);
}
inline tensor num_vjp(function const& f, tensor const& x, double h) {
  tensor all = num_jacobian(f, x, h), r{x.shape, std::vector<double>(x.x.size())};
  for (std::size_t k = 0; k < all.x.size(); ++k) r.x[k % r.x.size()] += all.x[k] * towards(k / r.x.size());
  return r;
}
inline tensor num_value_and_grad(function const& f, tensor const& x, double h) {
  tensor r = num_jacobian(f, x, h), y = f(x);
  for (double& v : r.x) v *= y.x[0];
  return r;
}
inline tensor num_sum(function const& f, tensor const& x, double) {
  tensor r{{}, {0}};
  for (double v : f(x).x) r.x[0] += v * v * 0.5;
  return r;
}
inline tensor num_same(function const& f, tensor const& x, double) { return f(x); }
/// A loop over examples: axis `in` of x, axis `out` of the result; negative ones count from the end.
template <int In, int Out> tensor num_vmap(function const& f, tensor const& x, double) {
  std::size_t in = std::size_t(In < 0 ? In + int(x.shape.size()) : In), out = 0;
  extent n = x.shape[in];
  tensor r;
  for (extent e = 0; e < n; ++e) {
    tensor one{x.shape, {}};
    one.shape.erase(one.shape.begin() + std::ptrdiff_t(in));
    extent inner = product(x.shape, in + 1);
    for (extent k = 0; k < product(x.shape); ++k)
      if (k / inner % n == e) one.x.push_back(x.x[std::size_t(k)]);
    tensor y = f(one);
    out = std::size_t(Out < 0 ? Out + int(y.shape.size()) + 1 : Out);
    r.shape = y.shape;
    r.shape.insert(r.shape.begin() + std::ptrdiff_t(out), n);
    r.x.resize(std::size_t(product(r.shape)));
    extent below = product(r.shape, out + 1);
    for (extent k = 0; k < extent(y.x.size()); ++k)
      r.x[std::size_t((k / below * n + e) * below + k % below)] = y.x[std::size_t(k)];
  }
  return r;
}

// A transform: its name, how many derivatives it takes, and the two ways to write it.

struct grad_t {
  static constexpr auto name = "grad";
  static constexpr int order = 1;
  template <class F> using by = by_grad<F>;
  static constexpr auto num = num_jacobian;
};
struct value_and_grad_t {
  static constexpr auto name = "value_and_grad";
  static constexpr int order = 1;
  template <class F> using by = by_value_and_grad<F>;
  static constexpr auto num = num_value_and_grad;
};
struct jvp_t {
  static constexpr auto name = "jvp";
  static constexpr int order = 1;
  template <class F> using by = by_jvp<F>;
  static constexpr auto num = num_jvp;
};
struct linearize_t : jvp_t {
  static constexpr auto name = "linearize";
  template <class F> using by = by_linearize<F>;
};
struct vjp_t {
  static constexpr auto name = "vjp";
  static constexpr int order = 1;
  template <class F> using by = by_vjp<F>;
  static constexpr auto num = num_vjp;
};
struct jacfwd_t : grad_t {
  static constexpr auto name = "jacfwd";
  template <class F> using by = by_jacfwd<F>;
};
struct jacrev_t : grad_t {
  static constexpr auto name = "jacrev";
  template <class F> using by = by_jacrev<F>;
};
struct hessian_t {
  static constexpr auto name = "hessian";
  static constexpr int order = 2;
  template <class F> using by = by_hessian<F>;
  static constexpr auto num = num_hessian;
};
template <int In, int Out> struct vmap_t {
  static constexpr auto name = "vmap";
  static constexpr int order = 0;
  template <class F> using by = by_vmap<F, In, Out>;
  static constexpr auto num = num_vmap<In, Out>;
};
struct jit_t {
  static constexpr auto name = "jit";
  static constexpr int order = 0;
  template <class F> using by = by_jit<F>;
  static constexpr auto num = num_same;
};
struct sum_t {
  static constexpr auto name = "sum";
  static constexpr int order = 0;
  template <class F> using by = by_sum<F>;
  static constexpr auto num = num_sum;
};

/// Which transform is next, for an argument X and a result Y; `Left` derivatives may still be taken.
template <int Seed, int Place, class X, class Y, int Left> auto next() {
  constexpr int kind = pick(Seed, 200 + Place, 8);
  constexpr bool fits = X::rank + Y::rank <= 5 && X::size() * Y::size() <= 150;
  if constexpr (kind <= 1 || Left == 0) {
    constexpr int in = pick(Seed, 210 + Place, X::rank + 1), out = pick(Seed, 220 + Place, Y::rank + 1);
    return vmap_t < kind % 2 ? in : in - X::rank - 1, kind % 2 ? out - Y::rank - 1 : out > {};
  } else if constexpr (kind == 2) return jit_t{};
  else if constexpr (Y::rank == 0) {
    if constexpr (kind == 3) return value_and_grad_t{};
    else if constexpr (kind <= 5 && Left >= 2) return hessian_t{};
    else if constexpr (kind == 6) return jvp_t{};
    else return grad_t{};
  } else if constexpr (kind == 3) return vjp_t{};
  else if constexpr (kind == 4) return linearize_t{};
  else if constexpr (kind == 5) return jvp_t{};
  else if constexpr (!fits) return sum_t{};
  else if constexpr (kind == 6) return jacfwd_t{};
  else return jacrev_t{};
}
template <class T, class X> struct outer {
  using type = X;
};
template <int In, int Out, class X> struct outer<vmap_t<In, Out>, X> {
  using type = array_of<transform::with_axis<X, In, 2>>;
};

template <class... T> struct list {};
/// F with `Left` more transforms in front: its argument X, and those so far, the innermost first.
template <int Seed, int Count, class F, class X, int Left, class... T> auto compose(list<T...> = {}) {
  using next_t = decltype(next<Seed, int(sizeof...(T)), X, result<F, X>, Left>());
  constexpr int counted = std::is_same_v<next_t, sum_t> ? 0 : 1;
  if constexpr (Count == 0) return std::type_identity<std::tuple<F, X, list<T...>>>{};
  else
    return compose<Seed, Count - counted, typename next_t::template by<F>, typename outer<next_t, X>::type,
                   Left - next_t::order>(list<T..., next_t>{});
}
/// One composition: a function by etna, its argument, and the same by numbers.
template <int Seed> struct composition {
  using made = typename decltype(compose<Seed, 1 + pick(Seed, 101, 3), program<Seed, false>, base, 2>())::type;
  using by = std::tuple_element_t<0, made>;
  using argument = std::tuple_element_t<1, made>;
  template <class... T> static constexpr int order_of(list<T...>) { return (T::order + ... + 0); }
  static constexpr int order = order_of(std::tuple_element_t<2, made>{});
  template <class... T> static function by_numbers(list<T...>) {
    constexpr double h = order <= 1 ? 1e-4 : 1e-3;
    function f = [](tensor const& x) {
      auto y =
          program<Seed, true>{}(base::build([&](double* to) { std::copy(x.x.begin(), x.x.end(), to); }), positions);
      auto sizes = y.shape();
      return tensor{{sizes.begin(), sizes.end()}, {y.begin(), y.end()}};
    };
    ((f = [f](tensor const& x) { return T::num(f, x, h); }), ...);
    return f;
  }
  static function by_numbers() { return by_numbers(std::tuple_element_t<2, made>{}); }
  template <class... T> static std::string name_of(list<T...>) {
    std::string s = "f";
    ((s = std::string(T::name) + "(" + s + ")"), ...);
    return s;
  }
  static std::string name() { return name_of(std::tuple_element_t<2, made>{}); }
};

template <int Seed> void check() {
  using c = composition<Seed>;
  std::string const program = c::name();
  int const seed = Seed;
  CAPTURE(seed);
  CAPTURE(program);
  std::printf("%2d %s\n", seed, program.c_str());
  auto x = some<typename c::argument>(Seed);
  auto fused = jit(typename c::by{})(x, positions), eager = typename c::by{}(x, positions);
  near(fused, eager, 0, 1e-11);
  auto shape = x.shape();
  tensor want = c::by_numbers()({{shape.begin(), shape.end()}, {x.begin(), x.end()}});
  auto sizes = eager.shape();
  CHECK(std::equal(sizes.begin(), sizes.end(), want.shape.begin(), want.shape.end()));
  near(eager, decltype(eager)::build([&](double* to) { std::copy(want.x.begin(), want.x.end(), to); }), 0, 1e-6);
}

/// How many of N seeds alike this build takes: a quarter where others take them all.
constexpr int of(int n) {
#if defined(ETNA_FEW)
  return n / 4;
#else
  return n;
#endif
}
/// The seeds From, From + 1, ... of N compositions.
template <int From, int N> void check_seeds() {
  [&]<int... I>(std::integer_sequence<int, I...>) { (check<From + I>(), ...); }(std::make_integer_sequence<int, N>{});
}

}  // namespace test::random
