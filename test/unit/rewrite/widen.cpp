// SPDX-License-Identifier: BSD-3-Clause
// Every row in the types of 8 and 16 bits and in u64, made from the table and the samples of its domain: its equation,
// derivatives and vmap, in graphs that are written at run time. The interpreter has what f64 or i64 has, rounded or
// wrapped; and behind the pass that widens no equation computes in a narrow type, but for integers of rows that have
// any width, with the same results. A new row is tested without a line here.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <etna/etna.hpp>

#include "ends.hpp"

using namespace etna;
using ops::code;
using test::reals_at_ends, test::integers_at_ends;
using tracing::graph;
using traced = etna::tracing::var;

namespace {

constexpr dtype tested[] = {dtype::bf16, dtype::f16, dtype::i8, dtype::u8, dtype::i16, dtype::u16, dtype::u64};
constexpr extent batch = 3;

// ---- numbers ----

struct source_of_numbers {
  std::uint64_t state;
  double operator()(double lo, double hi) {  // splitmix64
    std::uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return lo + (hi - lo) * (double((z ^ (z >> 31)) >> 11) * 0x1p-53);
  }
};
/// A number as the type has it.
double rounded(dtype d, double x) {
  std::uint64_t memory = 0;
  eager::store_one(d, &memory, 0, x);
  return eager::load_one<double>(d, &memory, 0);
}
std::int64_t whole(dtype d, std::int64_t x) {
  std::uint64_t memory = 0;
  eager::store_one(d, &memory, 0, x);
  return eager::load_one<std::int64_t>(d, &memory, 0);
}

/// Arrays that count.
struct values {
  std::vector<eager::value> v;
  explicit values(std::size_t n) : v(n) {}
  values(values const&) = delete;
  ~values() {
    for (auto const& x : v)
      if (x.owner) release(x.owner);
  }
};
double real(eager::value const& x, extent i) { return eager::load_one<double>(x.type.d, x.data, i); }
std::int64_t integer(eager::value const& x, extent i) { return eager::load_one<std::int64_t>(x.type.d, x.data, i); }

// ---- programs ----

/// Some calls of a row, all in one graph.
struct program {
  struct argument {
    tensor_type type;
    ops::interval from;
  };
  struct output {
    int id, sample;
    char const* of;
    bool derives, mapped;
    int first, n;  // arguments of the call
  };
  graph* g = graph::make({256, 768, 1536, 64});
  std::vector<argument> in;
  std::vector<output> out;

  program() = default;
  program(program const&) = delete;
  ~program() { tracing::release(g); }
  std::vector<int> ids() const {
    std::vector<int> r;
    for (auto const& o : out) r.push_back(o.id);
    return r;
  }
};

/// The sample's equation, and its derivatives, of one example or of several.
void write(program& p, int op, ops::sample const& s, int sample, bool mapped) {
  graph& g = *p.g;
  ops::row const& row = ops::table.at[op];
  int const first = int(p.in.size());
  if (mapped) g.enter(1);
  auto argument = [&](tensor_type t, ops::interval from) {
    if (mapped) t = t.insert(0, batch);
    p.in.push_back({t, from});
    traced const all = ops::argument(&g, t, std::int64_t(p.in.size()) - 1);
    return mapped ? ops::example_of(g, all, 1) : all;
  };
  traced x[3], t[3], at[3], dx[3], unknown[3], dy, y;
  for (int k = 0; k < s.n; ++k) x[k] = argument(s.type[k], s.from[k]);
  g.depth = mapped;
  for (int k = 0; k < s.n; ++k) x[k] = ops::alias(x[k]);
  y = tracing::emit(op, x, s.n, s.attr, s.n_attr);
  auto const r = transform::range_from(x[0], g.depth);

  auto give = [&](char const* of, traced v) {
    if (!v) return;
    g.depth = 0;
    if (mapped) v = g.values[v.id].level == 1 ? traced{&g, g.values[v.id].shadow} : ops::broadcast_front(v, batch);
    g.depth = mapped;
    p.out.push_back({v.id, sample, of, of[0] != 'v', mapped, first, s.n});
  };
  for (int k = 0; k < row.results; ++k) give("value", {&g, y.id + k});
  int n = 0;
  for (int k = 0; k < s.n; ++k)
    if (is_floating(s.type[k].d)) at[n++] = x[k];
  if (n > 0 && is_floating(tracing::type_of(y).d)) {
    for (int k = 0; k < s.n; ++k)
      if (is_floating(s.type[k].d)) t[k] = argument(s.type[k], {-1, 1});
    transform::jvp(r, x, t, s.n, &y, 1, &dy);
    give("jvp", dy);
    traced const ct = argument(tracing::type_of(y), {-1, 1});
    transform::vjp(r, at, n, &y, 1, &ct, dx, unknown, &dy);
    for (int k = 0; k < n; ++k) give("reverse", dx[k]);
  }
  g.depth = 0;
  if (mapped) g.entered[1] = g.n_values;
}

/// What stands for f64 and i32 in a sample: the type tested, or one of 64 bits that computes the same. Beside bf16 an
/// index stays what it is, beside f16 it is i8.
struct types {
  dtype tested;
  bool of_reference;
  bool is_real() const { return is_floating(tested); }
  dtype integer() const { return !is_real() ? tested : tested == dtype::f16 ? dtype::i8 : dtype::i32; }
  dtype of(bool real) const {
    if (of_reference) return !is_real() ? dtype::i64 : real ? dtype::f64 : dtype::i32;
    return real ? tested : integer();
  }
};
/// The sample in these types, an attribute that names the result's type with it; or is there none?
bool change(ops::sample& s, int op, types const& to) {
  bool changed = false;
  for (int k = 0; k < s.n; ++k) {
    bool const real = s.type[k].d == dtype::f64;
    if (!real && s.type[k].d != dtype::i32) continue;
    changed = changed || real || !to.is_real();
    s.type[k].d = to.of(real);
    if (real && op == code<ops::prod_p>) s.from[k] = {-1.5, 1.5};  // f16 has nothing above 65,504
    if (is_floating(s.type[k].d)) continue;
    // where a row takes any reals, all that the type has, up to what a double has
    dtype_row const& held = row_of(to.integer());
    double const least = double(held.least), end = std::min(double(held.most) + 1, 0x1p53);
    ops::interval& from = s.from[k];
    bool const all = real && from.lo <= ops::reals.lo;
    from = {all ? least : std::max(from.lo, least), all ? end : std::min(from.hi, end)};
    if (from.lo >= from.hi) return false;
  }
  tensor_type out[tracing::max_results]{};
  auto fits = [&] { return ops::table.at[op].shape(s.type, s.n, s.attr, s.n_attr, out) == 0; };
  if (!changed || !fits()) return false;
  for (int a = 0; a < s.n_attr && out[0].d == dtype::f64; ++a)
    if (s.attr[a] == std::int64_t(dtype::f64)) {
      s.attr[a] = std::int64_t(to.of(true));
      if (!fits() || out[0].d == dtype::f64) s.attr[a] = std::int64_t(dtype::f64);
    }
  return true;
}
/// All samples that the row has in these types: how many.
int write_all(program& p, int op, types const& to) {
  ops::samples const all = ops::domains.at[op]();
  int n = 0;
  for (int i = 0; i < all.n; ++i) {
    ops::sample s = all.s[i];
    if (!change(s, op, to)) continue;
    ++n;
    for (bool mapped : {false, true}) write(p, op, s, i, mapped);
  }
  return n;
}

// ---- what runs them ----

/// What the interpreter makes of a graph's outputs.
void interpret(graph const& g, std::vector<int> const& outputs, values const& in, values& out) {
  std::vector<tensor_type> sources;
  for (int i = 0; i < g.n_nodes; ++i)
    if (g.nodes[i].operands == 0) sources.push_back(g.values[g.nodes[i].value].type);
  eager::interpreter()->run(
      {g.nodes, g.edges, g.attrs, sources.data(), outputs.data(), g.n_nodes, g.n_values, int(outputs.size())},
      in.v.data(), int(in.v.size()), out.v.data());
}

/// A graph behind the passes up to `simplify`.
struct behind_passes {
  graph const* g;
  std::vector<int> outputs;
  behind_passes(graph const& from, std::vector<int> const& of) : g(&from), outputs(of) {
    static auto const a = std::make_unique<tracing::bounded_graph>(), b = std::make_unique<tracing::bounded_graph>();
    std::vector<int> next(of.size());
    for (auto pass : {rewrite::expand, rewrite::widen, rewrite::simplify}) {
      tracing::bounded_graph& to = g == &a->g ? *b : *a;
      tracing::clear(to);
      rewrite::subject s{g, outputs.data(), int(outputs.size()), false, nullptr, nullptr};
      if (!pass(s, to.g, next.data())) continue;
      g = &to.g;
      outputs = next;
    }
  }
};

/// Are its results of the types that the row says?
bool has_its_types(graph const& g, tracing::node_info const& n) {
  tensor_type in[tracing::max_operands]{}, out[tracing::max_results]{};
  for (int k = 0; k < n.operands; ++k) in[k] = g.values[g.edges[n.edge + k]].type;
  if (n.operands == 0) return true;
  bool yes = ops::table.at[n.op].shape(in, n.operands, g.attrs + n.attr, n.attrs, out) == 0;
  for (int k = 0; k < n.results; ++k) yes = yes && out[k] == g.values[n.value + k].type;
  return yes;
}
/// The first equation that computes in a narrow type, or has such places, or converts reals of 16 bits in another way
/// than from f32 or through it.
std::string computes_narrow(graph const& g) {
  auto is_half = [](dtype d) { return is_narrow(d) && is_floating(d); };
  for (int i = 0; i < g.n_nodes; ++i) {
    tracing::node_info const& n = g.nodes[i];
    bool const moves = rewrite::moves_elements(n.op);
    bool wrong = !has_its_types(g, n);
    if (n.op == code<ops::convert_p>) {
      dtype const x = g.values[g.edges[n.edge]].type.d, y = g.values[n.value].type.d;
      wrong = wrong || (is_half(x) && y != dtype::f32) || (is_half(y) && (is_narrow(x) || x == dtype::boolean));
    } else if (!ops::table.at[n.op].any_width || is_floating(g.values[g.edges[n.edge]].type.d)) {
      for (int k = moves ? rewrite::elements_among(n) : 0; k < n.operands; ++k)
        wrong = wrong || is_narrow(g.values[g.edges[n.edge + k]].type.d);
      for (int k = 0; k < n.results && !moves; ++k) wrong = wrong || is_narrow(g.values[n.value + k].type.d);
    }
    if (wrong) return ops::table.at[n.op].name;
  }
  return "";
}

/// A program's outputs on these arguments, by the interpreter and behind the passes.
void run_both(program const& p, values const& in, values& is, values& wide) {
  interpret(*p.g, p.ids(), in, is);
  behind_passes const passed(*p.g, p.ids());
  CHECK(computes_narrow(*passed.g) == "");
  interpret(*passed.g, passed.outputs, in, wide);
}
void allocate(eager::value& v, tensor_type const& t) {
  v.type = t;
  v.owner = memory::allocate(std::size_t(t.size() * bytes_of(t.d)));
  v.data = v.owner->data;
}

// ---- comparisons ----

/// The distance in units in the last place that the type has for numbers of the size of `want`, or of `scale` where
/// that is more.
double error(dtype d, double is, double want, double scale) {
  if (is == want || (is != is && want != want)) return 0;
  double const unit = d == dtype::bf16 ? 0x1p-7 : d == dtype::f16 ? 0x1p-10 : 0x1p-23;
  double const e = std::abs(is - want) / (unit * std::max(std::abs(want), scale));
  return e == e ? e : HUGE_VAL;
}
/// The greatest of them. Of what is rounded several times the size of what it was computed from is not known.
double greatest_error(eager::value const& is, eager::value const& want, bool rounds_once) {
  double most = 0;
  for (extent i = 0, n = is.type.size(); i < n; ++i)
    most = std::max(most, error(is.type.d, real(is, i), real(want, i), rounds_once ? 0x1p-14 : 1));
  return most;
}
/// Whole numbers of a type that has fewer, or other, of them: the first place where they differ.
extent first_other(eager::value const& is, eager::value const& want) {
  for (extent i = 0, n = is.type.size(); i < n; ++i)
    if (integer(is, i) != whole(is.type.d, integer(want, i))) return i;
  return -1;
}
bool same_bits(eager::value const& a, eager::value const& b) {
  return a.type == b.type && std::memcmp(a.data, b.data, std::size_t(a.type.size() * bytes_of(a.type.d))) == 0;
}
/// Is each element one of the arguments'? An index out of range reads NaN or 0, and blocks are moved into zeros.
bool only_moves(eager::value const& is, eager::value const* in, int n) {
  for (extent i = 0; i < is.type.size(); ++i) {
    double const x = real(is, i);
    bool found = x != x || x == 0;
    for (int k = 0; k < n && !found; ++k)
      for (extent j = 0; j < in[k].type.size(); ++j) found = found || real(in[k], j) == x;
    if (!found) return false;
  }
  return true;
}

struct errors {
  double value = 0, derivative = 0, wide = 0;
};

/// The row with this type in the place of f64 and i32: how many samples there are.
int test_row(int op, dtype d, errors& most) {
  program p, q;
  int const n = write_all(p, op, {d, false});
  write_all(q, op, {d, true});
  REQUIRE(p.in.size() == q.in.size());
  REQUIRE(p.out.size() == q.out.size());
  if (n == 0) return n;

  source_of_numbers random{1};
  values in(p.in.size()), same(p.in.size()), is(p.out.size()), want(is.v.size()), wide(is.v.size());
  for (std::size_t k = 0; k < in.v.size(); ++k) {
    auto const& [t, from] = p.in[k];
    allocate(in.v[k], t);
    allocate(same.v[k], q.in[k].type);
    for (extent i = 0; i < t.size(); ++i) {
      double const x = random(from.lo, from.hi), held = is_floating(t.d) ? rounded(t.d, x) : std::floor(x);
      eager::store_one(t.d, in.v[k].owner->data, i, held);
      eager::store_one(q.in[k].type.d, same.v[k].owner->data, i, held);
    }
  }
  run_both(p, in, is, wide);
  interpret(*q.g, q.ids(), same, want);

  for (std::size_t k = 0; k < p.out.size(); ++k) {
    program::output const& o = p.out[k];
    eager::value const &a = is.v[k], &b = want.v[k], &c = wide.v[k];
    std::string const of = o.of;
    CAPTURE(of);
    CAPTURE(o.sample);
    CAPTURE(o.mapped);
    REQUIRE(a.type.same_shape(b.type));
    REQUIRE(c.type == a.type);
    if (!o.derives && !o.mapped && rewrite::moves_elements(op)) CHECK(only_moves(a, in.v.data() + o.first, o.n));
    if (!is_floating(a.type.d)) {
      CHECK(first_other(a, b) == -1);
      CHECK(same_bits(a, c));
      continue;
    }
    bool const rounds_once = !o.derives;
    double const narrow = greatest_error(a, b, rounds_once), kept = greatest_error(c, b, !o.derives);
    double& so_far = o.derives ? most.derivative : most.value;
    so_far = std::max(so_far, narrow);
    most.wide = std::max(most.wide, kept);
    CHECK(narrow <= (rounds_once ? 0.5 : 8));
    CHECK(kept <= (o.derives ? 2 : 0.51));
  }
  return n;
}

template <std::size_t... Op> std::vector<ops::accepts> taken(std::index_sequence<Op...>) {
  return {ops::primitive_at<Op>::takes...};
}

}  // namespace

TEST_CASE("every row in narrow types: the interpreter, and what is widened") {
  auto const takes = taken(std::make_index_sequence<ops::table.size()>{});
  eager::recording.store(eager::interpreter());
  std::printf("%-14s", "row");
  for (dtype d : tested) std::printf(" %4s", row_of(d).name);
  std::printf("   value derivative widened, ulp\n");
  for (int op = 0; op < int(ops::table.size()); ++op) {
    ops::row const& r = ops::table.at[op];
    std::string const row = r.name;
    CAPTURE(row);
    if (ops::domains.at[op]().n == 0) continue;
    errors most;
    int reals = 0, integers = 0;
    std::printf("%-14s", r.name);
    for (dtype d : tested) {
      std::string const type = row_of(d).name;
      CAPTURE(type);
      int const n = test_row(op, d, most);
      (is_floating(d) ? reals : integers) += n > 0;
      std::printf(n ? " %4d" : "    -", n);
    }
    std::printf("   %5.2f %10.2f %7.2f\n", most.value, most.derivative, most.wide);
    ops::accepts const a = takes[std::size_t(op)];
    bool const any = a == ops::accepts::any || a == ops::accepts::numbers;
    bool const is_words = op == code<ops::random_first_p> || op == code<ops::random_second_p> ||
                          op == code<ops::random_bits_p>;  // u32 alone
    CHECK((reals == 2) == ((any && op != code<ops::last_at_p>) || a == ops::accepts::floating));
    CHECK((integers == 5) == (any || (a == ops::accepts::integers && !is_words)));
  }
}

TEST_CASE("conversions through f32 are what they are alone") {
  eager::recording.store(eager::interpreter());
  program p;
  values in(dtype_count);
  for (int x = 0; x < dtype_count; ++x) {
    dtype const from = dtype(x);
    tensor_type const t{
        from, 1, {is_floating(from) ? extent(std::size(reals_at_ends)) : extent(std::size(integers_at_ends))}};
    allocate(in.v[std::size_t(x)], t);
    for (extent i = 0; i < t.e[0]; ++i)
      if (is_floating(from)) eager::store_one(from, in.v[std::size_t(x)].owner->data, i, reals_at_ends[i]);
      else eager::store_one(from, in.v[std::size_t(x)].owner->data, i, integers_at_ends[i]);
    traced const v = ops::argument(p.g, t, x);
    for (int y = 0; y < dtype_count; ++y)
      p.out.push_back({ops::convert(v, dtype(y)).id, x, row_of(dtype(y)).name, false, false, x, 1});
  }
  values is(p.out.size()), wide(p.out.size());
  run_both(p, in, is, wide);
  for (std::size_t k = 0; k < p.out.size(); ++k) {
    std::string const from = row_of(dtype(p.out[k].sample)).name, to = p.out[k].of;
    CAPTURE(from);
    CAPTURE(to);
    CHECK(same_bits(is.v[k], wide.v[k]));
  }
}

TEST_CASE("what is rounded, and what is not") {
  eager::recording.store(eager::interpreter());
  program p;
  graph& g = *p.g;
  tensor_type const reals{dtype::bf16, 2, {1, 2}}, bytes{dtype::u8, 1, {2}};
  double const numbers[][2] = {{1, 3}, {0x1p-9, 0x1p-8}, {200, 77}, {100, 255}};
  values in(4);
  traced x[4];
  for (int k = 0; k < 4; ++k) {
    tensor_type const& t = k < 2 ? reals : bytes;
    allocate(in.v[std::size_t(k)], t);
    for (int i = 0; i < 2; ++i) eager::store_one(t.d, in.v[std::size_t(k)].owner->data, i, numbers[k][i]);
    x[k] = ops::argument(&g, t, k);
  }
  struct wanted {
    traced v;
    double eager[2], wide[2];
  };
  std::vector<wanted> all;
  traced const sum = x[0] + x[1], wraps = x[2] + x[3];
  // memory has it rounded, and a conversion of the program's
  all.push_back({sum, {1, 3}, {1, 3}});
  all.push_back({ops::convert(sum, dtype::f32) - ops::convert(x[0], dtype::f32), {0, 0}, {0, 0}});
  // the next equation sees what was computed, also through views and what picks
  int const turn[] = {1, 0};
  tensor_type const column{dtype::bf16, 2, {2, 1}}, longer{dtype::bf16, 3, {2, 1, 1}};
  traced const seen = ops::reshape(ops::reshape(ops::transpose(ops::alias(sum), turn), longer), column);
  all.push_back({ops::transpose(seen, turn) - x[0], {0, 0}, {0x1p-9, 0x1p-8}});
  all.push_back({ops::select(ops::lt(x[0], x[1]), x[0], sum) - x[0], {0, 0}, {0x1p-9, 0x1p-8}});
  // integers wrap behind each equation
  all.push_back({ops::apply<ops::quot_p>(wraps, ops::full_like(wraps, 2)), {22, 38}, {22, 38}});
  // constants are numbers of their type
  all.push_back(
      {ops::iota(&g, reals, 1) + ops::full(&g, reals, 1 + 0x1p-8 + 0x1p-20), {1 + 0x1p-7, 2}, {1 + 0x1p-7, 2}});
  std::int64_t const words[] = {250, 3};
  all.push_back({x[3] + tracing::emit(code<ops::literal_p>, nullptr, 0, words, 2, bytes, &g), {94, 2}, {94, 2}});

  for (auto const& w : all) p.out.push_back({w.v.id, 0, "", false, false, 0, 0});
  values is(all.size()), wide(all.size());
  run_both(p, in, is, wide);
  for (std::size_t k = 0; k < all.size(); ++k)
    for (int i = 0; i < 2; ++i) {
      CAPTURE(k);
      CHECK(real(is.v[k], i) == all[k].eager[i]);
      CHECK(real(wide.v[k], i) == all[k].wide[i]);
    }
}
