// SPDX-License-Identifier: BSD-3-Clause
// What rules write at run time, where test/mutation puts mistakes into them, is what they write in constant evaluation,
// equation by equation: also what a value cannot show, such as what reverse mode keeps. In the programs one call stands
// in a statement, since compilers evaluate operands in an order of their own; and no numbers of C++, which are no part
// of a graph at run time.
#include <doctest/doctest.h>

#include <algorithm>
#include <etna/etna.hpp>
#include <sstream>
#include <string>
#include <vector>

using namespace etna;

namespace {

using scalar = array<double>;
using vector = array<double, 3>;
using steps = array<double, 4, 3>;
using matrix = array<double, 3, 3>;

template <int Keep> struct recurrent {
  constexpr auto operator()(vector const& h0, steps const& xs, matrix const& w) const {
    auto step = [&](auto const& h, auto const& x) {
      auto a = dot(h, w);
      auto b = tanh(a + x);
      auto c = b * h;
      auto d = sin(x);
      auto next = c + d;
      auto y = next * a;
      return std::pair{next, y};
    };
    if constexpr (Keep == 0) return scan(step, h0, xs);
    else if constexpr (Keep == 1) return scan(step, h0, xs, keep_none);
    else return scan(step, h0, xs, keep_every<2>);
  }
};
// carries of which one counts, one stays and one is moved by another only; results of a slice, a captured value, a
// number
struct uneven {
  constexpr auto operator()(scalar const& a, steps const& xs) const {
    auto step = [&](auto const& c, auto const& x) {
      auto const& [n, p, q, fixed] = c;
      auto count = astype<double>(n);
      auto m = n + n;
      auto s = sum(x);
      auto pa = p * fixed;
      auto p1 = pa + s;
      auto q0 = sin(p);
      auto q1 = q * q0;
      auto f1 = fixed * fixed;
      auto y0 = x * count;
      auto y1 = a * a;
      return std::pair{std::tuple{m, p1, q1, f1}, std::tuple{y0, y1, count, pa, n}};
    };
    auto q = a * a;
    auto p = cos(a);
    auto f = sin(a);
    auto n = astype<int>(a);
    return scan(step, std::tuple{n, p, q, f}, xs);
  }
};
struct captured_only {
  constexpr auto operator()(vector const& a, vector const& b) const {
    return scan<3>(
        [&](auto const& c) {
          auto d = b * c;  // the tangent of b is what is captured first
          auto e = sin(a);
          auto next = d + e;
          auto y = a * c;
          return std::pair{next, y};
        },
        a);
  }
};
struct nested_scans {
  constexpr auto operator()(array<double, 2, 3> const& m, scalar const& c) const {
    return scan(
        [&](auto const& s, auto const& row) {
          auto inner = scan(
              [&](auto const& t, auto const& x) {
                auto u = x * s;
                auto v = sin(u);
                auto w = t * c;
                auto next = w + v;
                auto y = t * x;
                return std::pair{next, y};
              },
              s, row);
          auto more = named_scope<"loop">([&](auto const& first) {
            return scan<2>(
                [&](auto const& t) {
                  auto u = sin(t);
                  auto next = u * s;
                  auto y = exp(t);
                  return std::pair{next, y};
                },
                first);
          })(inner.first);
          auto next = named_scope<"behind">([](auto const& v) { return sin(v); })(more.first);
          auto z = sum(more.second);
          auto w = inner.second * c;
          auto y = w * z;
          return std::pair{next, y};
        },
        c, m);
  }
};
struct chosen {
  constexpr auto operator()(scalar const& p, vector const& x, scalar const& y) const {
    auto n = astype<int>(p);
    auto x2 = sin(x);
    auto branches = std::tuple{[&](auto const& u, auto const& v) {
                                 auto a = u * v;
                                 auto b = a * y;
                                 auto c = tanh(v);
                                 auto d = x * c;
                                 auto k = n + n;
                                 return std::tuple{b, k, d};
                               },
                               [&](auto const& u, auto const&) {
                                 auto a = sin(u);
                                 auto b = a * u;
                                 auto c = y * x;
                                 return std::tuple{b, n, c};
                               },
                               [&](auto const& u, auto const& v) {
                                 auto a = u * u;
                                 auto b = exp(v);
                                 auto c = b / a;
                                 auto k = n * n;
                                 return std::tuple{x, k, c};
                               }};
    return switch_(n, branches, x, x2);
  }
};
struct again {
  constexpr auto operator()(vector const& x, matrix const& w) const {
    auto f = checkpoint([&](auto const& z, auto const& unused) {
      auto a = dot(z, w);
      auto b = tanh(a);
      auto c = b * z;
      auto d = sin(z);
      auto e = unused - unused;
      auto g = d + e;
      return std::pair{c, g};
    });
    auto s = sum(x);
    return f(x, s);
  }
};
// What is kept of products, of a name, and of a loop and a branch in the function.
struct kept {
  constexpr auto operator()(vector const& x, matrix const& w) const {
    auto f = checkpoint(
        [&](auto const& z) {
          auto a = dot(z, w);
          auto b = sin(a);
          auto y = checkpoint_name<"first">(b);
          auto r = scan(
              [&](auto const& c, auto const& v) {
                auto d = dot(c, w);
                auto e = named_scope<"inner">([](auto const& q) { return sin(q); })(d);
                auto next = e * v;
                auto s = sum(c * c);
                auto out = s * v;
                return std::pair{next, out};
              },
              y, z);
          auto t = tanh(r.first);
          auto u = sum(t);
          auto v = sum(y);
          auto p = u < v;
          auto chosen = cond(
              p,
              [&](auto const& q) {
                auto g = dot(q, w);
                return named_scope<"branch">([](auto const& q) { return sin(q); })(g);
              },
              [](auto const& q) { return exp(q); }, t);
          auto other = named_scope<"outer">([](auto const& q) {
            auto a = checkpoint_name<"unlikely as well">(
                q * q);  // names that differ in the first of their words, or in how many they have
            auto other = checkpoint_name<"likelier or not.">(sin(a));
            auto b = checkpoint_name<"likelier as well">(sin(other));
            auto c = checkpoint_name<"likelier">(sin(b));
            auto d = checkpoint_name<"eight of">(sin(c));
            auto e = checkpoint_name<"eight of them">(sin(d));
            return tanh(e);
          })(t);
          auto all = chosen * other;
          auto last = all * r.second;
          auto end = dot(last, w);  // a result that is kept
          return std::pair{end, sin(end)};
        },
        keep_dots, keep_names<"other", "first", "likelier as well", "eight of">);
    auto once = f(x);
    return f(once.first);
  }
};
// Layers of which each keeps its products, in a loop: the loop keeps them too. Its loop is not the loops of a rule,
// which are longer, do something else, or begin elsewhere.
struct layers {
  constexpr auto operator()(vector const& x, array<double, 2, 3, 3> const& ws) const {
    auto rise = [](auto const& c) {
      auto next = sin(c);
      return std::pair{next, c};
    };
    auto by_loops = custom_jvp([](auto const& v) { return exp(v); },
                               [&](auto const& at, auto const& d, auto const& result) {
                                 auto const& v = std::get<0>(at);
                                 auto longer = scan<3>(rise, v);
                                 auto other = scan<2>(
                                     [](auto const& c) {
                                       auto next = cos(c);
                                       return std::pair{next, c};
                                     },
                                     v);
                                 auto elsewhere = scan<2>(rise, result);
                                 auto a = longer.first * other.first;
                                 auto b = elsewhere.first * a;
                                 auto t = b * std::get<0>(d);
                                 return std::pair{result, t};
                               });
    return scan(
        [&](auto const& h, auto const& w) {
          auto layer = checkpoint(
              [&](auto const& h) {
                auto a = dot(h, w);
                auto b = tanh(a);
                return b * h;
              },
              keep_dots);
          auto y = layer(h);
          auto r = scan<2>(rise, y);
          auto z = by_loops(y);
          auto next = r.first * z;
          return std::pair{next, y};
        },
        x, ws);
  }
};
// A loop and a branch in a loop and a branch, each with something to keep.
struct mixed {
  constexpr auto operator()(vector const& x, scalar const& a) const {
    auto sa = sin(a);
    auto p = sa < a;
    auto yes = [&](auto const& u0) {
      auto u = named_scope<"before">([](auto const& v) { return sin(v); })(u0);
      return scan<2>(
                 [&](auto const& c) {
                   auto s = named_scope<"in it">([](auto const& v) {
                     auto e = exp(v);
                     return sum(e);
                   })(c);
                   auto q = s < a;
                   auto d = cond(
                       q,
                       [&](auto const& v) {
                         auto e = sin(v);
                         return e * a;
                       },
                       [](auto const& v) {
                         auto e = exp(v);
                         return e * v;
                       },
                       c);
                   auto y = d * c;
                   return std::pair{d, y};
                 },
                 u)
          .first;
    };
    auto no = [&](auto const& u) {
      auto c = cos(u);
      return c * a;
    };
    return cond(p, yes, no, x);
  }
};
template <int Most> struct root {
  constexpr auto operator()(scalar const& a, scalar const& s) const {
    auto test = [&](auto const& c) {
      auto less = std::get<1>(c) < a;
      return less;
    };
    auto body = [&](auto const& c) {
      auto const& [n, x, fixed] = c;
      auto m = n + n;
      auto y = x * s;
      auto z = sin(a);
      auto next = y + z;
      auto f = fixed * s;
      return std::tuple{m, next, f};
    };
    auto n = astype<int>(a);
    auto start = std::tuple{n, a, s};
    if constexpr (Most > 0) return while_loop<Most>(test, body, start);
    else return while_loop(test, body, start);
  }
};
// Equations with names, and some that print, where derivatives keep something.
struct printing {
  constexpr auto operator()(vector const& x, vector const& y) const {
    return named_scope<"loop">([](auto const& x, auto const& y) {
      return scan<3>(
          [&](auto const& c) {
            auto d = named_scope<"step">([](auto const& c, auto const& y) {
              auto e = sin(c);
              return e * y;
            })(c, y);
            debug::print("{}", d);
            auto f = exp(d);
            auto g = f * c;
            return std::pair{g, f};
          },
          x);
    })(x, y);
  }
};
struct by_jvp {
  constexpr auto operator()(vector const& x, scalar const& s) const {
    auto f = custom_jvp(
        [](auto const& x, auto const& s, auto const& n) {
          auto a = sin(x);
          auto b = a * s;
          auto m = n * n;
          return std::pair{b, m};
        },
        [](auto const& at, auto const& d, auto const& result) {
          auto c = cos(std::get<0>(at));
          auto e = c * std::get<0>(d);
          auto g = e * std::get<1>(at);
          auto h = result.first * std::get<1>(d);
          auto t = g + h;
          return std::pair{result, std::pair{t, std::get<2>(d)}};
        });
    auto n = astype<int>(s);
    return f(x, s, n);
  }
};
// What the next two rules are of.
constexpr auto scaled = [](auto const& x, auto const& s) {
  auto a = x * s;
  auto b = sin(s);
  return std::pair{a, b};
};
// A branch in a rule, some of whose results depend on tangents: on operands, on what is captured, in one branch alone.
struct branch_in_a_rule {
  constexpr auto operator()(vector const& x, scalar const& s) const {
    auto f = custom_jvp(scaled, [](auto const& at, auto const& d, auto const& result) {
      auto const& x = std::get<0>(at);  // clang captures no structured bindings beside OpenMP
      auto const& s = std::get<1>(at);
      auto const& dx = std::get<0>(d);
      auto const& ds = std::get<1>(d);
      auto total = sum(x);
      auto p = total < s;
      auto r = cond(
          p,
          [&](auto const& t, auto const& v, auto const& w) {
            auto a = t * s;
            auto b = v * s;
            auto c = s * s;
            auto e = ds * w;
            auto g = w - w;
            return std::tuple{a, b, c, e, g};
          },
          [&](auto const& t, auto const& v, auto const& w) {
            auto a = t + t;
            auto b = sin(v);
            auto c = w * s;
            auto e = ds * s;
            auto g = ds + ds;
            return std::tuple{a, b, c, e, g};
          },
          dx, x, total);
      auto const& [a, b, c, e, g] = r;
      auto b1 = sum(b);
      auto a1 = a * b1;
      auto a2 = a1 * c;
      auto e1 = e + g;
      return std::pair{result, std::pair{a2, e1}};
    });
    return f(x, s);
  }
};
// Loops in a rule: with a carry of their own before that of a tangent, which is captured behind a value and is the
// first of slices; with tangents alone, captured first or in slices. In the tangent of a result that nobody reads, what
// reverse mode refuses: a branch by a number that a tangent says, and a loop without a bound.
struct loops_in_a_rule {
  constexpr auto operator()(vector const& x, scalar const& s) const {
    auto f = custom_jvp(scaled, [](auto const& at, auto const& d, auto const& result) {
      auto const& x = std::get<0>(at);
      auto const& s = std::get<1>(at);
      auto const& dx = std::get<0>(d);
      auto const& ds = std::get<1>(d);
      auto moving = broadcast_to<2, 3>(dx);
      auto still = broadcast_to<2, 3>(x);
      auto r = scan(
          [&](auto const& c, auto const& z) {
            auto const& p = std::get<0>(c);
            debug::print("{}", p);
            auto next = p * z.second;
            auto g = std::get<1>(c) * x;
            auto h = p * dx;
            auto i = g + h;
            auto dp = i + z.first;
            auto y = dp * p;
            return std::pair{std::tuple{next, dp}, y};
          },
          std::tuple{x, dx}, std::pair{moving, still});
      auto none = x - x;
      auto sums = scan(
          [&](auto const& c, auto const& z) {
            auto a = dx + std::get<0>(c);
            auto b = std::get<1>(c) + z;
            return std::pair{std::tuple{a, b}, std::tuple<>{}};
          },
          std::tuple{none, none}, moving);
      auto total = sum(dx);
      auto known = total == total;
      auto guarded = cond(
          known,
          [&](auto const& t) {
            auto a = s * s;
            auto b = t * s;
            return std::pair{a, b};
          },
          [&](auto const& t) {
            auto a = s + s;
            auto b = t - t;
            return std::pair{a, b};
          },
          total);
      auto slow = while_loop([&](auto const& c) { return c < s; }, [&](auto const& c) { return c * s; }, ds);
      auto e = std::get<0>(r.first) * std::get<1>(r.first);
      auto j = sum<0>(r.second);
      auto k = std::get<0>(sums.first) + std::get<1>(sums.first);
      auto l = guarded.second * guarded.first;
      auto m = e + j;
      auto n = m + k;
      auto o = slow + l;
      return std::pair{result, std::pair{n, o}};
    });
    return f(x, s).first;
  }
};
struct by_vjp {
  constexpr auto operator()(vector const& x, scalar const& s) const {
    auto f = custom_vjp(
        [](auto const& x, auto const& s) {
          auto a = sin(x);
          return a * s;
        },
        [](auto const& x, auto const& s) {
          auto a = sin(x);
          auto b = a * s;
          auto c = cos(x);
          return std::pair{b, std::tuple{a, c, s}};
        },
        [](auto const& kept, auto const& ct) {
          auto const& [a, c, s] = kept;
          auto d = c * s;
          auto e = d * ct;
          auto g = a * ct;
          auto h = sum(g);
          return std::tuple{e, h};
        });
    return f(x, s);
  }
};
struct of_all {
  constexpr auto operator()(steps const& xs, scalar const& c) const {
    return vmap<0, none>(
        [](auto const& r, auto const& c) {
          auto s = r * r;
          auto t = psum<"i"_n>(s);
          auto u = pmean<"i"_n>(r);
          auto v = pmax<"i"_n>(t);
          auto w = ppermute<"i"_n>(r, std::array<std::array<int, 2>, 3>{{{2, 1}, {1, 3}, {3, 0}}});
          auto all = all_gather<"i"_n, 4>(w);
          auto k = astype<double>(axis_index<"i"_n>(r));
          auto y = scan<2>(
              [&](auto const& a) {
                auto b = psum<"i"_n>(a);
                auto d = sin(b);
                auto e = d * k;
                return std::pair{e, c};
              },
              u);
          return std::tuple{t, v, all, y};
        },
        axis_name<"i"_n>)(xs, c);
  }
};

// ---- the transforms, of functions of floating arguments, by which all of them are moved
template <class F> struct value_of {
  template <class... A> constexpr auto operator()(A const&... a) const { return F{}(a...); }
};
template <class F> struct jvp_of {
  template <class... A> constexpr auto operator()(A const&... a) const {
    return jvp(F{}, std::tuple{a...}, std::tuple{a...});
  }
};
/// The sum of what is floating among the results (and of the first argument: a number of its own would be no value of
/// the graph).
template <class F> struct total {
  template <class... A> constexpr auto operator()(A const&... a) const {
    auto y = F{}(a...);
    scalar s = sum(std::get<0>(std::tie(a...)));
    tree::for_each(
        [&](auto const& x) {
          if constexpr (is_floating(std::remove_cvref_t<decltype(x)>::type.d)) {
            auto part = sum(x);
            s = s + part;
          }
        },
        y);
    return s;
  }
};
template <class F> struct grad_of {
  template <class... A> constexpr auto operator()(A const&... a) const {
    return [&]<std::size_t... K>(std::index_sequence<K...>) {
      return grad<K...>(total<F>{})(a...);
    }(std::index_sequence_for<A...>{});
  }
};
/// By the first argument alone: what reads only the others does not move.
template <class F> struct grad_of_first {
  template <class... A> constexpr auto operator()(A const&... a) const { return grad<0>(total<F>{})(a...); }
};
template <class F> struct grad_of_last {
  template <class... A> constexpr auto operator()(A const&... a) const {
    return grad<sizeof...(A) - 1>(total<F>{})(a...);
  }
};
template <class A> struct batch_of;
template <class T, extent... E> struct batch_of<array<T, E...>> {
  using type = array<T, 2, E...>;
};
template <class F, int Only = -1> struct vmap_of {  // over all operands, or one
  template <class... A> constexpr auto operator()(A const&... a) const {
    return [&]<std::size_t... K>(std::index_sequence<K...>) {
      return vmap<(Only < 0 || Only == int(K) ? 0 : none)...>(F{})(a...);
    }(std::index_sequence_for<A...>{});
  }
};

struct trace_memory {
  static constexpr int most = 1 << 17;
  tracing::node_info nodes[most];
  tracing::value_info values[most];
  int edges[3 * most];
  std::int64_t attrs[6 * most];
  int scratch[4 * most], outputs[64];
} room;
/// The equations of a graph; g++ evaluates operands of rules from the right at run time, so there without names,
/// sorted.
std::vector<std::string> equations(compiler::growing_text const& text) {
  std::vector<std::string> lines;
  std::istringstream all(text.s);
  for (std::string line; std::getline(all, line); lines.push_back(line)) {
#if !defined(__clang__)
    std::size_t equal = line.find(" = ");
    if (equal == std::string::npos) line = "";
    else
      line =
          line.substr(line.find(':'), equal - line.find(':')) + line.substr(equal, line.find(' ', equal + 3) - equal);
#endif
  }
#if !defined(__clang__)
  std::sort(lines.begin(), lines.end());
#endif
  return lines;
}
/// Begins a recording: rows are known at run time from then on, also where no other test came before.
void know_rows() {
  (void)grad([](auto const& x) { return x * x; })(array<double>(1.0));
}
template <class F, class... A> void same_as_constant(const char* transform) {
  CAPTURE(transform);
  know_rows();
  compiler::growing_text in_constant, at_run_time;
  compiler::print_graph(in_constant, compiler::shown_graph<compiler::no_pass, F, A...>::value);
  tracing::graph g;
  tracing::write_into(g, room, room.scratch);
  g.cap = {room.most, 3 * room.most, 6 * room.most, 4 * room.most};
  int n = compiler::trace_into<F, A...>(g, room.outputs);
  if (g.effects) tracing::keep_known_effects(g, 0, g.n_nodes, 0);
  compiler::print_graph(at_run_time, g, room.outputs, n, 0);
  auto now = equations(at_run_time), before = equations(in_constant);
  CHECK(now.size() == before.size());
  for (std::size_t i = 0; i < now.size() && i < before.size(); ++i) {
    if (now[i] == before[i]) continue;
    CHECK(now[i] == before[i]);  // the first alone
    break;
  }
}
template <bool Reverse, class F, class... A> void same_as_constants() {
  same_as_constant<value_of<F>, A...>("value");
  same_as_constant<jvp_of<F>, A...>("jvp");
  same_as_constant<jvp_of<jvp_of<F>>, A...>("jvp of jvp");
  same_as_constant<vmap_of<F>, typename batch_of<A>::type...>("vmap");
  same_as_constant<vmap_of<jvp_of<F>>, typename batch_of<A>::type...>("vmap of jvp");
  [&]<std::size_t... K>(std::index_sequence<K...>) {
    (
        [&]<std::size_t Only>(std::integral_constant<std::size_t, Only>) {
          using mapped = std::tuple<std::conditional_t<K == Only, typename batch_of<A>::type, A>...>;
          [&]<class... B>(std::type_identity<std::tuple<B...>>) {
            same_as_constant<vmap_of<F, int(Only)>, B...>("vmap over one");
            if constexpr (Reverse) same_as_constant<vmap_of<grad_of<F>, int(Only)>, B...>("vmap over one of grad");
          }(std::type_identity<mapped>{});
        }(std::integral_constant<std::size_t, K>{}),
        ...);
  }(std::index_sequence_for<A...>{});
  if constexpr (Reverse) {
    same_as_constant<grad_of<F>, A...>("grad");
    same_as_constant<grad_of_first<F>, A...>("grad by the first");
    same_as_constant<grad_of_last<F>, A...>("grad by the last");
    same_as_constant<jvp_of<grad_of<F>>, A...>("jvp of grad");
    same_as_constant<grad_of<grad_of_first<F>>, A...>("grad of grad");
    same_as_constant<vmap_of<grad_of<F>>, typename batch_of<A>::type...>("vmap of grad");
    same_as_constant<grad_of<vmap_of<F>>, typename batch_of<A>::type...>("grad of vmap");
  }
}

}  // namespace

TEST_CASE("written: scan") {
  same_as_constants<true, recurrent<0>, vector, steps, matrix>();
  same_as_constants<true, recurrent<1>, vector, steps, matrix>();
  same_as_constants<true, recurrent<2>, vector, steps, matrix>();
  same_as_constants<true, uneven, scalar, steps>();
  same_as_constants<true, captured_only, vector, vector>();
  same_as_constants<true, nested_scans, array<double, 2, 3>, scalar>();
  same_as_constants<true, printing, vector, vector>();
}
TEST_CASE("written: branch and checkpoint") {
  same_as_constants<true, chosen, scalar, vector, scalar>();
  same_as_constants<true, again, vector, matrix>();
  same_as_constants<true, kept, vector, matrix>();
  same_as_constant<grad_of<layers>, vector, array<double, 2, 3, 3>>("grad");
  same_as_constant<jvp_of<grad_of<layers>>, vector, array<double, 2, 3, 3>>("jvp of grad");
  same_as_constants<true, mixed, vector, scalar>();
}
TEST_CASE("written: while") {
  same_as_constants<false, root<0>, scalar, scalar>();
  same_as_constants<true, root<5>, scalar, scalar>();
}
TEST_CASE("written: rules of the user's, and named axes") {
  same_as_constants<true, by_jvp, vector, scalar>();
  same_as_constants<true, by_vjp, vector, scalar>();
  same_as_constants<true, branch_in_a_rule, vector, scalar>();
  same_as_constants<true, loops_in_a_rule, vector, scalar>();
  same_as_constants<true, of_all, steps, scalar>();
}
