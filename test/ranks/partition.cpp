// SPDX-License-Identifier: BSD-3-Clause
// dist::jit: programs for whole arrays on processes that have parts of them, beside the same programs on one.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <etna/dist/sharded_jit.hpp>
#include <etna/dist/placement.hpp>
#include <etna/dist/world.hpp>
#include <etna/etna.hpp>
#include <string>

using namespace etna;
using dist::axis, dist::spec, dist::out_specs;

namespace {

int wrong = 0, me = 0;
double largest = 0;

template <class A> A numbers(double from) {
  return A::build([&](auto* x) {
    for (extent i = 0; i < A::type.size(); ++i)
      x[i] = std::remove_cvref_t<decltype(*x)>(std::sin(from + 0.37 * double(i)) * 1.5);
  });
}
array<int, 12> const some_labels{3, 1, 4, 1, 5, 2, 2, 5, 3, 5, 0, 1};

void near(const char* what, auto const& mine, auto const& whole) {
  for (extent i = 0; i < whole.size(); ++i) {
    double const d = std::abs(double(mine.data()[i]) - double(whole.data()[i]));
    largest = std::max(largest, d);
    if (d > 1e-11) {
      std::printf("rank %d: %s [%d]: %.17g, and one process has %.17g\n", me, what, int(i), double(mine.data()[i]),
                  double(whole.data()[i]));
      ++wrong;
      return;
    }
  }
}
/// Results are whole here. An argument beside its spec.
template <class S, class A> struct given {
  A whole;
};
template <class S, class A> given<S, A> by(A x) { return {std::move(x)}; }
template <class M, class F, class... S, class... A>
void compare(M const& m, const char* what, F f, given<S, A> const&... x) {
  auto const mine = dist::jit<M>(f)(dist::device_put<S>(m, x.whole)...);
  auto const whole = jit(f)(x.whole...);
  auto const a = tree::leaves(mine), b = tree::leaves(whole);
  [&]<std::size_t... K>(std::index_sequence<K...>) {
    (near(what, std::get<K>(a), std::get<K>(b)), ...);
  }(std::make_index_sequence<std::tuple_size_v<decltype(a)>>{});
}

constexpr auto network = [](auto const& w, auto const& b, auto const& v, auto const& x) {
  return matmul(tanh(matmul(x, w) + b), v);
};
constexpr auto step = [](array<double, 6, 8> w, array<double, 8> b, array<double, 8, 4> v, array<double, 12, 6> x,
                         array<double, 12, 4> y) {
  auto const loss = [](auto const& w, auto const& b, auto const& v, auto const& x, auto const& y) {
    return mean(square(network(w, b, v, x) - y));
  };
  auto const [l, g] = value_and_grad<0, 1, 2>(loss)(w, b, v, x, y);
  return std::tuple{l, w - 0.1 * std::get<0>(g), b - 0.1 * std::get<1>(g), v - 0.1 * std::get<2>(g)};
};
/// What mixes examples: a mean and a deviation over the batch, a sort and a running sum along it, its greatest.
constexpr auto mixing = [](array<double, 12, 6> x) {
  auto const normed = (x - mean<0>(x)) / sqrt(var<0>(x) + 1e-5);
  return std::tuple{sum(normed * normed * normed),
                    max<0>(x),
                    min(x),
                    sum<0>(cumsum<0>(x) * x),
                    sort<0>(x),
                    argmax<1>(x),
                    x + flip<0>(x),
                    prod<0>(x * 0.9)};
};
/// Tables of rows: an embedding, its gradient; targets by their numbers.
constexpr auto tables = [](array<double, 6, 5> table, array<int, 12> at) {
  auto const loss = [](auto const& t, auto const& at) {
    auto const rows = take<0>(t, at);
    auto const logp = rows - expand_dims<1>(logsumexp<1>(rows));
    return -mean(take_along_axis<1>(logp, expand_dims<1>(at % 5)));
  };
  return value_and_grad(loss)(table, at);
};
/// Pictures: a convolution, a pool, and their gradient.
constexpr auto pictures = [](array<double, 12, 6, 6, 2> x, array<double, 3, 3, 2, 3> k) {
  auto const loss = [](auto const& k, auto const& x) {
    return mean(square(relu(conv_general(moveaxis<3, 1>(x), transpose<3, 2, 0, 1>(k), padding_same))));
  };
  return value_and_grad(loss)(k, x);
};
/// Attention over places, and a norm of each.
constexpr auto attends = [](array<double, 12, 3, 4> x, array<double, 4, 4> q) {
  auto const f = [](auto const& q, auto const& x) {
    auto const h = standardize(matmul(x, q));
    auto const s = softmax(einsum<"bti,bsi->bts">(h, x));
    return sum(square(reshape<36, 4>(einsum<"bts,bsi->bti">(s, x))));
  };
  return value_and_grad(f)(q, x);
};
/// A loop over time, whose carry has no examples' numbers at first; masks by the number of an example.
constexpr auto recurs = [](array<double, 5, 12, 3> x, array<double, 3, 3> w) {
  auto const f = [](auto const& w, auto const& x) {
    auto const cell = [&](auto const& h, auto const& t) {
      auto const next = tanh(matmul(h, w) + t);
      return std::pair{next, sum<1>(next)};
    };
    auto const [h, each] = scan(cell, zeros<double, 12, 3>(), x);
    auto const late = astype<double>(arange<int, 12>() >= 5);
    return sum(h * h) + sum(each * each * late);
  };
  return value_and_grad(f)(w, x);
};

/// A branch and a loop whose length is not known, which run whole; a rule of the user's in a loop's body.
constexpr auto decides = [](array<double, 12, 6> x, array<double, 6, 6> w) {
  auto const cube = custom_vjp([](auto const& t) { return t * t * t; },
                               [](auto const& t) {
                                 return std::pair{t * t * t, t};
                               },
                               [](auto const& t, auto const& ct) { return std::tuple{3.0 * t * t * ct}; });
  auto const f = [&](auto const& w, auto const& x) {
    auto const round = [&](auto const& c, auto const& s) {
      auto const y = cube(tanh(matmul(c, w))) + s;
      auto const twice = [](auto const& t) { return t * 2.0; };
      return std::pair{y, sum(cond(
                              sum(y) > 0.0, twice, [](auto const& t) { return t; }, y))};
    };
    auto const [last, each] = scan(checkpoint(round), x, array<double, 3>{0.1, -0.2, 0.3});
    return sum(last * last) + sum(each);
  };
  auto const shrunk = while_loop([](auto const& c) { return sum(c * c) > 0.5; },
                                 [](auto const& c) { return c * 0.5 - expand_dims<0>(mean<0>(c)) * 0.1; }, x);
  return std::pair{value_and_grad(f)(w, x), shrunk};
};

constexpr auto squares = [](array<double, 4> w, array<double, 12, 4> x) { return sum(square(matmul(x, w))); };
template <class M> constexpr auto squares_of_ranks = dist::jit<M>(squares);
constexpr auto pairs = [](auto const& x) {
  auto const [a, b] = tree::leaves(x);
  return sum(a * a) + sum(b * b * b);
};
// a part of it begins at a number that 16 bits do not have
constexpr auto counts = [](array<bfloat16, 1068> x) { return x + arange<bfloat16, 1068>(); };
constexpr auto named = [](array<double, "n"_n, 4> const& w, array<double, 12, 4> const& x) {
  auto const h = matmul(w, transpose(x));
  return std::tuple{sum(h * h), matmul(h, x), sum<0>(w)};
};
template <class M> void of_batch_in_other_ways(M const& m) {
  using cut = spec<"data"_n>;
  auto const x = numbers<array<double, 12, 4>>(1);
  auto const w = numbers<array<double, 4>>(2);
  auto const mine = dist::device_put<cut>(m, x);
  // derivatives from outside: each rank's are those of the whole
  near("a gradient from outside",
       jit([](auto const& w, auto const& x) { return grad(squares_of_ranks<M>)(w, x); })(w, mine),
       jit([](auto const& w, auto const& x) { return grad(squares)(w, x); })(w, x));
  near("two arrays of one type", array<double>(dist::jit<M>(pairs)(std::array{mine, mine})),
       array<double>(pairs(std::pair{x, x})));
  compare(m, "counted in 16 bits", counts, by<cut>(full<bfloat16, 1068>(0.0)));
  array<double, "n"_n, 4> const v(numbers<array<double, 5, 4>>(3));
  auto const a = tree::leaves(dist::jit<M>(named)(v, mine)), b = tree::leaves(jit(named)(v, x));
  near("an axis with a name: a number", std::get<0>(a), std::get<0>(b));
  near("an axis with a name: a product", std::get<1>(a), std::get<1>(b));
  near("an axis with a name: a sum along it", std::get<2>(a), std::get<2>(b));
}
template <class M> void of_batch(M const& m) {
  of_batch_in_other_ways(m);
  using cut = spec<"data"_n>;
  using whole = spec<>;
  compare(m, "a step", step, by<whole>(numbers<array<double, 6, 8>>(0)), by<whole>(numbers<array<double, 8>>(1)),
          by<whole>(numbers<array<double, 8, 4>>(2)), by<cut>(numbers<array<double, 12, 6>>(3)),
          by<cut>(numbers<array<double, 12, 4>>(4)));
  compare(m, "mixing", mixing, by<cut>(numbers<array<double, 12, 6>>(5)));
  compare(m, "tables", tables, by<whole>(numbers<array<double, 6, 5>>(6)), by<cut>(some_labels));
  compare(m, "pictures", pictures, by<cut>(numbers<array<double, 12, 6, 6, 2>>(7)),
          by<whole>(numbers<array<double, 3, 3, 2, 3>>(8)));
  compare(m, "attention", attends, by<cut>(numbers<array<double, 12, 3, 4>>(9)),
          by<whole>(numbers<array<double, 4, 4>>(10)));
  compare(m, "what decides", decides, by<cut>(numbers<array<double, 12, 6>>(13)),
          by<whole>(numbers<array<double, 6, 6>>(14)));
  compare(m, "a loop", recurs, by<spec<none, "data"_n>>(numbers<array<double, 5, 12, 3>>(11)),
          by<whole>(numbers<array<double, 3, 3>>(12)));
}
// the carry begins cut by one axis of the mesh and ends cut by another
constexpr auto turns = [](array<double, 4, 4> c, array<double, 4, 4> w) {
  return scan(
      [&](auto const& h, auto const& t) {
        return std::pair{matmul(w, h) + t, sum<1>(h)};
      },
      c, array<double, 3>{0.1, -0.2, 0.3});
};
/// Weights cut by another axis of the mesh: products along what is cut are summed.
template <class M> void of_both(M const& m) {
  compare(m, "a carry cut in two ways", turns, by<spec<"data"_n>>(numbers<array<double, 4, 4>>(0)),
          by<spec<"model"_n>>(numbers<array<double, 4, 4>>(1)));
  compare(m, "weights cut", step, by<spec<none, "model"_n>>(numbers<array<double, 6, 8>>(0)),
          by<spec<"model"_n>>(numbers<array<double, 8>>(1)), by<spec<"model"_n>>(numbers<array<double, 8, 4>>(2)),
          by<spec<"data"_n>>(numbers<array<double, 12, 6>>(3)), by<spec<"data"_n>>(numbers<array<double, 12, 4>>(4)));
  // results that stay cut
  auto const x = numbers<array<double, 12, 6>>(5);
  auto const y = dist::jit<M, out_specs<spec<"data"_n, "model"_n>>>([](array<double, 12, 6> x) { return exp(x); })(
      dist::device_put<spec<"data"_n>>(m, x));
  near("a result that is cut", dist::gather(y), exp(x));
}

}  // namespace

int main(int argc, char** argv) {
  dist::session const mpi(&argc, &argv);
  auto const ranks = dist::world();
  me = ranks->rank();
  switch (ranks->size()) {
    case 1: of_batch(dist::mesh<axis("data"_n, 1)>(*ranks)); break;
    case 2: of_batch(dist::mesh<axis("data"_n, 2)>(*ranks)); break;
    case 3: of_batch(dist::mesh<axis("data"_n, 3)>(*ranks)); break;
    default: {
      dist::mesh<axis("data"_n, 2), axis("model"_n, 2)> const m(*ranks);
      of_both(m);
    }
  }
  if (wrong == 0 && me == 0) std::printf("largest difference from one process: %.1e\n", largest);
  return wrong > 0;
}
