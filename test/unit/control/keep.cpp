// SPDX-License-Identifier: BSD-3-Clause
// checkpoint and what it keeps: the same gradients, memory and operations as constants, under other transforms and in
// loops.
#include "same.hpp"

using namespace test;

namespace {

using batch = array<double, 16, 64>;
using weights = array<double, 64, 64>;
using all_weights = array<double, 6, 64, 64>;

// three layers
struct layers {
  constexpr auto operator()(auto const& h, auto const& a, auto const& b, auto const& c) const {
    auto s = tanh(sin(checkpoint_name<"first">(dot(h, a))));
    auto p = softmax(checkpoint_name<"second">(dot(s, b)));
    return tanh(dot(p * p, c));
  }
};
template <class... Keep> struct deep {
  constexpr auto operator()(batch const& x, std::array<weights, 6> const& w) const {
    return value_and_grad<0, 1>([](auto const& x, auto const& w) {
      auto h = x;
      for (int i = 0; i < 6; i += 3) {
        if constexpr (sizeof...(Keep) > 0) h = checkpoint(layers{}, Keep{}...)(h, w[i], w[i + 1], w[i + 2]);
        else h = layers{}(h, w[i], w[i + 1], w[i + 2]);
      }
      return sum(h * h);
    })(x, w);
  }
};
template <class... Keep> using plan_of_deep = plan_of<deep<Keep...>, batch, std::array<weights, 6>>;

/// How many values the first equation of a checkpoint has behind its results.
template <class F> constexpr int kept_values_of() {
  auto const& t = compiler::trace_of<F, batch, std::array<weights, 6>>::get();
  tracing::graph const g = t.graph();
  int most = 0;
  for (int j = 0; j < g.n_nodes; ++j)
    for (int i = 0; i < j && g.nodes[j].op == ops::code<ops::branch_p>; ++i)
      if (ops::extends(g, g.nodes[i], g.nodes[j]) && g.nodes[j].results - g.nodes[i].results > most)
        most = g.nodes[j].results - g.nodes[i].results;
  return most;
}

// a scan over layers, each of them under checkpoint
template <class Scan, class... Keep> struct scanned {
  constexpr auto operator()(batch const& x, all_weights const& w) const {
    return value_and_grad<0, 1>([](auto const& x, auto const& w) {
      auto step = [](auto const& h, auto const& a) { return tanh(dot(tanh(sin(dot(h, a))), a)); };
      return sum(scan(
                     [&](auto const& h, auto const& a) {
                       if constexpr (sizeof...(Keep) > 0)
                         return std::pair{checkpoint(step, Keep{}...)(h, a), std::tuple<>{}};
                       else return std::pair{step(h, a), std::tuple<>{}};
                     },
                     x, w, Scan{})
                     .first);
    })(x, w);
  }
};
template <class... T> using plan_of_scanned = plan_of<scanned<T...>, batch, all_weights>;

// a loop inside a function under checkpoint, and another checkpoint around it
template <class Keep> struct around_a_loop {
  constexpr auto operator()(array<double, 5> const& x, array<double, 5, 5> const& w) const {
    auto inner = [](auto const& x, auto const& w) {
      return scan([&](auto const& h, auto const& a) { return std::pair{tanh(dot(w, h) * a), sum(h)}; }, x, x).first;
    };
    auto outer = [&](auto const& x, auto const& w) { return sin(checkpoint(inner, Keep{})(dot(w, x), w)); };
    return value_and_grad<0, 1>([&](auto const& x, auto const& w) { return sum(checkpoint(outer, Keep{})(x, w)); })(x,
                                                                                                                    w);
  }
};

template <class... Keep> struct small {
  constexpr auto operator()(array<double, 4> const& x, array<double, 4, 4> const& w) const {
    auto f = [](auto const& x, auto const& w) { return sum(tanh(dot(w, checkpoint_name<"u">(sin(dot(w, x)))))); };
    if constexpr (sizeof...(Keep) > 0) return checkpoint(f, Keep{}...)(x, w);
    else return f(x, w);
  }
};
template <class... Keep> struct transformed {
  constexpr auto operator()(array<double, 4> const& x, array<double, 4, 4> const& w,
                            array<double, 3, 4> const& xs) const {
    small<Keep...> f;
    auto each = vmap<0, none>(value_and_grad<0, 1>(f))(xs, w);
    auto of_all = grad<1>([&](auto const& xs, auto const& w) { return sum(vmap<0, none>(f)(xs, w)); })(xs, w);
    return std::tuple{hessian(f)(x, w), each, of_all, jvp(f, std::tuple{x, w}, std::tuple{2.0 * x, w}).second,
                      grad<0, 1>([&](auto const& x, auto const& w) {
                        auto [gx, gw] = grad<0, 1>(f)(x, w);
                        return sum(gx * gx) + sum(gw);
                      })(x, w)};
  }
};
template <class... Keep> void as_without() {
  auto x = some<array<double, 4>>(1);
  auto w = some<array<double, 4, 4>>(2);
  auto xs = some<array<double, 3, 4>>(3);
  near(jit(transformed<Keep...>{})(x, w, xs), jit(transformed<>{})(x, w, xs), 1e-13, 1e-13);
  as_eager(transformed<Keep...>{}, x, w, xs);
}

}  // namespace

TEST_CASE("checkpoint: what is kept costs memory, what is not is computed again; the bits are the same") {
  using everything = plan_of_deep<keep_all_t>;
  using dots = plan_of_deep<keep_dots_t>;
  using nothing = plan_of_deep<keep_none_t>;
  static_assert(everything::peak_bytes > dots::peak_bytes && dots::peak_bytes > nothing::peak_bytes);
  static_assert(everything::flops < dots::flops && dots::flops < nothing::flops);
  static_assert(plan_of_deep<>::flops <= everything::flops && everything::flops - plan_of_deep<>::flops < 2000);
  // of two products a block three are computed again without keep_dots, none with it: only elementwise work is
  static_assert(nothing::flops - everything::flops > 2 * 2 * 2 * 16 * 64 * 64);
  static_assert(dots::flops - everything::flops < 2 * 16 * 64 * 64);
  // what jax.ad_checkpoint.print_saved_residuals lists beside the arguments, for the same function
  static_assert(kept_values_of<deep<keep_none_t>>() == 0 && kept_values_of<deep<keep_dots_t>>() == 3);
  static_assert(kept_values_of<deep<keep_names_t<"first">>>() == 1 &&
                kept_values_of<deep<keep_names_t<"first", "second">>>() == 2);
  auto x = some<batch>(1);
  std::array<weights, 6> w;
  for (int i = 0; i < 6; ++i) w[std::size_t(i)] = some<weights>(2 + i, -0.2, 0.2);
  auto should = jit(deep<>{})(x, w);
  CHECK(same_bits(jit(deep<keep_all_t>{})(x, w), should));
  CHECK(same_bits(jit(deep<keep_dots_t>{})(x, w), should));
  CHECK(same_bits(jit(deep<keep_none_t>{})(x, w), should));
  as_eager(deep<keep_dots_t>{}, x, w);
}

TEST_CASE("checkpoint: values are kept by name, and several policies add up") {
  using nothing = plan_of_deep<keep_none_t>;
  using first = plan_of_deep<keep_names_t<"first">>;
  using both = plan_of_deep<keep_names_t<"first", "second">>;
  constexpr extent product = 2 * 2 * 16 * 64 * 64;  // one in each block
  static_assert(nothing::flops - first::flops > product * 9 / 10 && first::flops - both::flops > product * 9 / 10);
  static_assert(first::peak_bytes > nothing::peak_bytes);
  static_assert(plan_of_deep<keep_names_t<"third">>::flops == nothing::flops);
  static_assert(plan_of_deep<keep_names_t<"third">>::peak_bytes == nothing::peak_bytes);
  static_assert(plan_of_deep<keep_names_t<"first">, keep_names_t<"second">>::flops == both::flops);
  static_assert(plan_of_deep<keep_dots_t, keep_names_t<"second">>::flops <= plan_of_deep<keep_dots_t>::flops);
  auto x = some<batch>(1);
  std::array<weights, 6> w;
  for (int i = 0; i < 6; ++i) w[std::size_t(i)] = some<weights>(2 + i, -0.2, 0.2);
  CHECK(same_bits(jit(deep<keep_names_t<"first", "second">>{})(x, w), jit(deep<>{})(x, w)));
  as_eager(deep<keep_names_t<"first">>{}, x, w);
}

TEST_CASE("checkpoint: a scan over layers keeps what each of them does") {
  using plain = plan_of_scanned<keep_all_t>;
  using dots = plan_of_scanned<keep_all_t, keep_dots_t>;
  using nothing = plan_of_scanned<keep_all_t, keep_none_t>;
  static_assert(plain::flops < dots::flops && dots::flops < nothing::flops);
  static_assert(nothing::flops - dots::flops > 6 * 2 * 16 * 64 * 64);  // a product each step
  static_assert(dots::peak_bytes > nothing::peak_bytes);
  auto x = some<batch>(1);
  auto w = some<all_weights>(2, -0.2, 0.2);
  auto should = jit(scanned<keep_all_t>{})(x, w);
  near(jit(scanned<keep_all_t, keep_dots_t>{})(x, w), should, 0, 1e-13);
  near(jit(scanned<keep_none_t, keep_dots_t>{})(x, w), should, 0, 1e-13);
  near(jit(scanned<keep_all_t, keep_none_t>{})(x, w), should, 0, 1e-13);
  as_eager(scanned<keep_all_t, keep_dots_t>{}, x, w);
}

TEST_CASE("checkpoint: around loops and other checkpoints") {
  auto x = some<array<double, 5>>(1);
  auto w = some<array<double, 5, 5>>(2);
  auto should = jit(around_a_loop<keep_none_t>{})(x, w);
  near(jit(around_a_loop<keep_all_t>{})(x, w), should, 0, 1e-13);
  near(jit(around_a_loop<keep_dots_t>{})(x, w), should, 0, 1e-13);
  as_eager(around_a_loop<keep_all_t>{}, x, w);
  using everything = plan_of<around_a_loop<keep_all_t>, array<double, 5>, array<double, 5, 5>>;
  using nothing = plan_of<around_a_loop<keep_none_t>, array<double, 5>, array<double, 5, 5>>;
  static_assert(everything::flops < nothing::flops);
}

TEST_CASE("checkpoint: second derivatives, vmap, forward mode") {
  as_without<keep_all_t>();
  as_without<keep_dots_t>();
  as_without<keep_names_t<"u">>();
  as_without<keep_none_t>();
}

TEST_CASE("checkpoint_name: trees, and nothing is left of it in a plan") {
  auto named = [](std::pair<array<double, 3>, array<int>> t) {
    return checkpoint_name<"a longer name than one word">(t);
  };
  auto f = [](array<double, 3> x) { return sin(checkpoint_name<"x">(cos(x))); };
  auto g = [](array<double, 3> x) { return sin(cos(x)); };
  static_assert(plan_of<decltype(f), array<double, 3>>::kernel_count ==
                plan_of<decltype(g), array<double, 3>>::kernel_count);
  std::pair t{some<array<double, 3>>(1), array<int>(4)};
  CHECK(same_bits(jit(named)(t), t));
  as_eager(named, t);
  auto x = some<array<double, 3>>(2);
  CHECK(same_bits(jit(f)(x), jit(g)(x)));
}
