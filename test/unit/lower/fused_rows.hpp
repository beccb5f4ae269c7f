// SPDX-License-Identifier: BSD-3-Clause
// The tests that every row gets, fused: programs made of the table and the samples of its domain, jitted, against the
// interpreter. No primitive is named: a new row is tested without a line here.
#pragma once
#include <cstdio>
#include <string>

#include "same.hpp"

namespace test::fused {

#if !defined(ETNA_ROW_PARTS)
#define ETNA_ROW_PARTS 4
#endif
inline constexpr int parts = ETNA_ROW_PARTS;  // files: the rows i with i % parts == part are in one
inline bool is_linked[parts]{};
template <int Part> struct part {
  static inline bool const says_so = is_linked[Part] = true;
};
constexpr extent batch = 3;

/// Sample S of a row, called on arrays of its types. In f32 its f64 operands are f32, and so is the result: an
/// attribute that names the result's element type is changed with them.
template <int Op, int S, dtype Real = dtype::f64> struct sampled {
  static constexpr ops::row const& row() { return ops::table.at[Op]; }  // nvcc takes no reference as a member
  struct made {
    ops::sample s;
    tensor_type out[tracing::max_results];
  };
  static constexpr made make() {
    made m{ops::domains.at[Op]().s[S], {}};
    auto shape = [&] { (void)row().shape(m.s.type, m.s.n, m.s.attr, m.s.n_attr, m.out); };
    for (int k = 0; k < m.s.n; ++k)
      if (m.s.type[k].d == dtype::f64) m.s.type[k].d = Real;
    shape();
    for (int a = 0; a < m.s.n_attr && Real != dtype::f64 && m.out[0].d == dtype::f64; ++a)
      if (m.s.attr[a] == std::int64_t(dtype::f64)) {
        m.s.attr[a] = std::int64_t(Real);
        shape();
        if (m.out[0].d == dtype::f64) m.s.attr[a] = std::int64_t(dtype::f64);
      }
    return m;
  }
  static constexpr made value = make();
  static constexpr int arity = value.s.n;
  static constexpr auto operands = std::make_index_sequence<std::size_t(arity)>{};
  static constexpr bool has_real() {
    for (int k = 0; k < arity; ++k)
      if (value.s.type[k].d == Real) return true;
    return false;
  }
  static constexpr bool has_derivative = has_real() && is_floating(value.out[0].d);

  template <std::size_t K> struct operand {
    static constexpr tensor_type value = sampled::value.s.type[K];
  };
  template <std::size_t K> struct all_of_operand {
    static constexpr tensor_type value = sampled::value.s.type[K].insert(0, batch);
  };
  template <std::size_t K> struct result {
    static constexpr tensor_type value = sampled::value.out[K];
  };
  struct results_of_all {
    static constexpr tensor_type value = sampled::value.out[0].insert(0, batch);
  };

  template <class... A> static constexpr auto called(A const&... x) {
    return [&]<std::size_t... K>(std::index_sequence<K...>) {
      return std::tuple{numpy::to_array<array_of<result<K>>>([&] {
        numpy::handle in[] = {numpy::to_handle(x)...};
        return numpy::call(Op, in, arity, value.s.attr, value.s.n_attr, int(K));
      }())...};
    }(std::make_index_sequence<std::size_t(row().results)>{});
  }
  struct all {
    template <class... A> constexpr auto operator()(A const&... x) const { return called(x...); }
  };
  struct first {
    template <class... A> constexpr auto operator()(A const&... x) const { return std::get<0>(called(x...)); }
  };
};

template <class S, std::size_t... K> auto operands_of(std::index_sequence<K...>)
    -> std::tuple<array_of<typename S::template operand<K>>...>;
template <class S, std::size_t... K> auto batches_of(std::index_sequence<K...>)
    -> std::tuple<array_of<typename S::template all_of_operand<K>>...>;

/// What a sample's programs are given: operands, two directions, a cotangent; operands and cotangents of a batch.
template <class S> struct numbers {
  using operands = decltype(operands_of<S>(S::operands));
  using batches = decltype(batches_of<S>(S::operands));
  using cotangent = array_of<typename S::template result<0>>;
  operands x, t, u;
  cotangent ct;
  batches xs;
  array_of<typename S::results_of_all> cts;

  static numbers some() {
    auto drawn = []<class T>(std::type_identity<T>, int seed, bool direction) {
      return [&]<std::size_t... K>(std::index_sequence<K...>) {
        auto from = [&](std::size_t k) { return direction ? ops::interval{-1, 1} : S::value.s.from[k]; };
        return T{test::some<std::tuple_element_t<K, T>>(seed + int(K), from(K).lo, from(K).hi)...};
      }(S::operands);
    };
    std::type_identity<operands> one;
    return {drawn(one, 1, false),
            drawn(one, 11, true),
            drawn(one, 21, true),
            test::some<cotangent>(31),
            drawn(std::type_identity<batches>{}, 41, false),
            test::some<decltype(cts)>(51)};
  }
};

/// The transforms: each a column of the printed table.
struct value_of {
  static constexpr auto name = "value";
  static constexpr bool derives = false;
  template <class S> static constexpr auto of(S, numbers<S> const& in) { return std::apply(typename S::all{}, in.x); }
};
struct jvp_of {
  static constexpr auto name = "jvp";
  static constexpr bool derives = true;
  template <class S> static constexpr auto of(S, numbers<S> const& in) {
    return jvp(typename S::first{}, in.x, in.t).second;
  }
};
struct vjp_of {
  static constexpr auto name = "vjp";
  static constexpr bool derives = true;
  template <class S> static constexpr auto of(S, numbers<S> const& in) {
    return std::apply([&](auto const&... x) { return vjp(typename S::first{}, x...).second(in.ct); }, in.x);
  }
};
struct vmap_of {
  static constexpr auto name = "vmap";
  static constexpr bool derives = false;
  template <class S> static constexpr auto of(S, numbers<S> const& in) {
    return std::apply(vmap(typename S::all{}), in.xs);
  }
};
struct vmap_of_vjp {
  static constexpr auto name = "vmap(vjp)";
  static constexpr bool derives = true;
  template <class S> static constexpr auto of(S, numbers<S> const& in) {
    auto pulled = [](auto const& ct, auto const&... x) { return vjp(typename S::first{}, x...).second(ct); };
    return std::apply([&](auto const&... x) { return vmap(pulled)(in.cts, x...); }, in.xs);
  }
};
struct jvp_of_jvp {
  static constexpr auto name = "jvp^2";
  static constexpr bool derives = true;
  template <class S> static constexpr auto of(S, numbers<S> const& in) {
    auto pushed = [&](auto const&... x) { return jvp(typename S::first{}, std::tuple{x...}, in.t).second; };
    return jvp(pushed, in.x, in.u).second;
  }
};
struct vjp_of_jvp {
  static constexpr auto name = "vjp(jvp)";
  static constexpr bool derives = true;
  template <class S> static constexpr auto of(S, numbers<S> const& in) {
    auto pushed = [&](auto const&... x) { return jvp(typename S::first{}, std::tuple{x...}, in.t).second; };
    return std::apply([&](auto const&... x) { return vjp(pushed, x...).second(in.ct); }, in.x);
  }
};

/// All samples under some transforms: one program.
template <class... Transform> struct program {
  template <class T, class S> static constexpr auto one(numbers<S> const& in) {
    if constexpr (T::derives && !S::has_derivative) return std::tuple{};
    else return T::of(S{}, in);
  }
  template <class... S> constexpr auto operator()(numbers<S> const&... in) const {
    return std::tuple{transformed<Transform>(in...)...};
  }
  template <class T, class... S> static constexpr auto transformed(numbers<S> const&... in) {
    return std::tuple{one<T>(in)...};
  }
};

/// The equations of a trace of F, one by one: as functions of the run time the transforms are tested in
/// unit/ops/rows.hpp.
template <class Trace, class F, class... P> auto by_equations(F, P const&... args) {
  eager::value in[(tree::size<P>() + ... + 1)], out[compiler::result_count<F, P...> + 1]{};
  exec::read_numbers read{in};
  (tree::for_each(read, args), ...);
  eager::interpreter()->run(compiler::kept_script<Trace>::script(), in, (tree::size<P>() + ... + 0), out);
  using R = compiler::result_of<F, P...>;
  exec::number_adopter next{out};
  return exec::make_result<R>(next);
}

template <class... T, class... S> void compare(program<T...> p, numbers<S> const&... in) {
  auto is = jit(p)(in...),
       should = by_equations<typename compiler::planned<program<T...>, numbers<S>...>::trace>(p, in...);
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    auto one = [&]<class U>(std::type_identity<U>, auto const& a, auto const& b) {
      int n = 0;
      ((n += !U::derives || S::has_derivative), ...);
      INFO(U::name);
      if (n) near(a, b, 2e-6, 1e-12);
      std::printf(" %9d", n);
    };
    (one(std::type_identity<T>{}, std::get<I>(is), std::get<I>(should)), ...);
  }(std::index_sequence_for<T...>{});
}

template <int Op> void test_row() {
  constexpr int n = ops::domains.at[Op]().n;
  std::printf("%-14s %7d", ops::table.at[Op].name, n);
  std::string const row = ops::table.at[Op].name;
  CAPTURE(row);
  if constexpr (n > 0)
    [&]<int... I>(std::integer_sequence<int, I...>) {
      compare(program<value_of, jvp_of, vjp_of, vmap_of>{}, numbers<sampled<Op, I>>::some()...);
#if defined(ETNA_WHOLE)  // the kernels of other rows
      compare(program<vmap_of_vjp, jvp_of_jvp, vjp_of_jvp>{}, numbers<sampled<Op, I>>::some()...);
#endif
#if !defined(ETNA_FEW)  // floats are of exec/, too
      compare(program<value_of, vmap_of>{}, numbers<sampled<Op, I, dtype::f32>>::some()...);
#endif
    }(std::make_integer_sequence<int, n>{});
  std::printf("\n");
}

template <int Part> void test_part() {
  static_assert(Part >= 0 && Part < parts);
  (void)part<Part>::says_so;
  std::printf("%-14s %7s %9s %9s %9s %9s", "row", "samples", "value", "jvp", "vjp", "vmap");
#if defined(ETNA_WHOLE)
  std::printf(" %9s %9s %9s", "vmap(vjp)", "jvp^2", "vjp(jvp)");
#endif
  std::printf(" %9s %9s\n", "f32", "vmap, f32");
  constexpr int rows = int(ops::table.size());
  [&]<int... I>(std::integer_sequence<int, I...>) {
    (test_row<I * parts + Part>(), ...);
  }(std::make_integer_sequence<int, (rows - Part + parts - 1) / parts>{});
}

}  // namespace test::fused
