// SPDX-License-Identifier: BSD-3-Clause
// The tests that every row gets, made from the table and the samples of its domain: derivatives against differences,
// reverse against forward mode, vmap against a loop, second derivatives. A new row is tested without a line here, and a
// program's own rows by test_rows(etna::ops::primitives::size).
#pragma once
#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

#include <etna/language.hpp>

using namespace etna;
using traced = etna::tracing::var;

namespace {

constexpr double step = 1e-5, tolerance = 1e-6;

struct tensor {
  tensor_type type;
  std::vector<double> x;
};
using tensors = std::vector<tensor>;

struct source_of_numbers {
  std::uint64_t state;
  double operator()() {  // splitmix64
    std::uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return double((z ^ (z >> 31)) >> 11) * 0x1p-53;
  }
  tensor draw(tensor_type const& t, ops::interval from) {
    tensor r{t, std::vector<double>(std::size_t(t.size()))};
    for (double& v : r.x) {
      v = from.lo + (from.hi - from.lo) * (*this)();
      if (!is_floating(t.d)) v = std::floor(v);
    }
    return r;
  }
};

/// What is tested: one row with one of its samples.
struct subject {
  int op;
  ops::sample s;
  ops::row const& row() const { return ops::table.at[op]; }
  std::vector<int> floating_operands() const {
    std::vector<int> r;
    for (int k = 0; k < s.n; ++k)
      if (is_floating(s.type[k].d)) r.push_back(k);
    return r;
  }
};

traced record(tensor const& t, tracing::graph* g) {
  memory_block* memory = memory::allocate(std::size_t(t.type.size() * bytes_of(t.type.d)));
  for (std::size_t i = 0; i < t.x.size(); ++i) eager::store_one(t.type.d, memory->data, extent(i), t.x[i]);
  traced v = transform::record({{}, memory->data, t.type, memory}, g);
  release(memory);
  return v;
}
tensor numbers_of(traced v) {
  eager::value const& x = eager::value_of(v);
  tensor t{x.type, std::vector<double>(std::size_t(x.type.size()))};
  for (std::size_t i = 0; i < t.x.size(); ++i) t.x[i] = eager::load_one<double>(x.type.d, x.data, extent(i));
  return t;
}

/// A recorded call of the row. `mapped` operands are batches: inside, the call sees one example.
class recorded {
 public:
  recorded(subject const& what, tensors const& in, std::vector<bool> const& mapped = {}, int unknown = -1)
      : g(transform::new_recording()) {
    bool inside = false;
    for (bool b : mapped) inside = inside || b;
    for (std::size_t k = 0; k < in.size(); ++k) raw.push_back(record(in[k], g));
    if (inside) g->depth = 1;
    for (std::size_t k = 0; k < in.size(); ++k) x.push_back(ops::alias(enter(raw[k], inside && mapped[k])));
    auto first = x[0];
    if (unknown >= 0) first = x[std::size_t(unknown)] = transform::unknown_like(x[std::size_t(unknown)]);
    traced y = tracing::emit(what.op, x.data(), what.s.n, what.s.attr, what.s.n_attr);
    for (int k = 0; k < what.row().results; ++k) out.push_back({g, y.id + k});
    r = transform::range_from(first, g->depth);
  }
  recorded(recorded const&) = delete;
  ~recorded() { tracing::release(g); }

  /// A tensor under the name of one example, or as it is.
  traced take(tensor const& t, bool mapped = false) { return enter(record(t, g), mapped); }
  std::vector<traced> jvp(std::vector<traced> const& tangents) {
    std::vector<traced> result(out.size());
    transform::jvp(r, x.data(), tangents.data(), int(x.size()), out.data(), int(out.size()), result.data());
    return result;
  }
  /// Cotangents of the floating operands for one of the first result.
  std::vector<traced> vjp(std::vector<int> const& operands, traced cotangent) {
    std::vector<traced> in, result(operands.size()), unknown(operands.size());
    for (int k : operands) in.push_back(x[std::size_t(k)]);
    traced tangent;
    transform::vjp(r, in.data(), int(in.size()), out.data(), 1, &cotangent, result.data(), unknown.data(), &tangent);
    return result;
  }
  /// The numbers of all examples of v (zeros where it is none).
  tensor all_examples(traced v, tensor_type const& one, extent n) {
    if (!v) return {one.insert(0, n), std::vector<double>(std::size_t(n * one.size()))};
    auto const& info = g->values[v.id];
    int depth = g->depth;
    g->depth = 0;
    tensor t = numbers_of(info.level == 1 ? traced{g, info.shadow} : ops::broadcast_front(v, n));
    g->depth = depth;
    return t;
  }

  tracing::graph* g;
  std::vector<traced> raw, x, out;
  transform::range r;

 private:
  traced enter(traced whole, bool mapped) { return mapped ? ops::example_of(*g, whole, 1) : whole; }
};

tensor zeros_or(traced v, tensor_type const& t) {
  return v ? numbers_of(v) : tensor{t, std::vector<double>(std::size_t(t.size()))};
}
tensors evaluated(subject const& what, tensors const& in) {
  recorded call(what, in);
  tensors r;
  for (traced v : call.out) r.push_back(numbers_of(v));
  return r;
}
tensors moved(tensors in, tensors const& along, double by) {
  for (std::size_t k = 0; k < in.size(); ++k)
    if (is_floating(in[k].type.d))
      for (std::size_t i = 0; i < in[k].x.size(); ++i) in[k].x[i] += by * along[k].x[i];
  return in;
}
/// The derivative of the first result along the tangents, from the row's rule.
tensor pushed(subject const& what, tensors const& in, tensors const& tangents) {
  recorded call(what, in);
  std::vector<traced> t(in.size());
  for (int k : what.floating_operands()) t[std::size_t(k)] = call.take(tangents[std::size_t(k)]);
  return zeros_or(call.jvp(t)[0], tracing::type_of(call.out[0]));
}
tensors pulled(subject const& what, tensors const& in, tensor const& cotangent) {
  recorded call(what, in);
  tensors r;
  auto operands = what.floating_operands();
  auto dx = call.vjp(operands, call.take(cotangent));
  for (std::size_t k = 0; k < operands.size(); ++k) r.push_back(zeros_or(dx[k], in[std::size_t(operands[k])].type));
  return r;
}
tensor differences(tensor high, tensor const& low) {
  for (std::size_t i = 0; i < high.x.size(); ++i) high.x[i] = (high.x[i] - low.x[i]) / (2 * step);
  return high;
}
double inner(tensor const& a, tensor const& b) {
  double s = 0;
  for (std::size_t i = 0; i < a.x.size(); ++i) s += a.x[i] * b.x[i];
  return s;
}

bool is_near(double a, double b) { return std::abs(a - b) <= tolerance * (1 + std::abs(a) + std::abs(b)); }
int check_near(tensor const& is, tensor const& should) {
  REQUIRE(is.type == should.type);
  for (std::size_t i = 0; i < is.x.size(); ++i) {
    CAPTURE(i);
    CAPTURE(is.x[i]);
    CAPTURE(should.x[i]);
    CHECK(is_near(is.x[i], should.x[i]));
  }
  return 1;
}

struct counts {
  int samples = 0, jvp = 0, vjp = 0, transposes = 0, gates = 0, vmap = 0, vmap_of_jvp = 0, vmap_of_vjp = 0, second = 0,
      second_reverse = 0;
};

/// Numbers for a sample: operands, tangents, another direction, and a cotangent of the result.
struct drawn {
  tensors in, tangent, other;
  tensor cotangent;
  drawn(subject const& what, source_of_numbers& random) {
    for (int k = 0; k < what.s.n; ++k) {
      in.push_back(random.draw(what.s.type[k], what.s.from[k]));
      tangent.push_back(random.draw(what.s.type[k], {-1, 1}));
      other.push_back(random.draw(what.s.type[k], {-1, 1}));
    }
    cotangent = random.draw(evaluated(what, in)[0].type, {-1, 1});
  }
};

bool has_derivative(subject const& what, drawn const& d) {
  return is_floating(d.cotangent.type.d) && !what.floating_operands().empty();
}

void test_first_order(subject const& what, drawn const& d, counts& n) {
  tensor dy = pushed(what, d.in, d.tangent);
  // stop_gradient alone is not constant, and says that it is
  if (what.op != ops::code<ops::stop_gradient_p>)
    n.jvp += check_near(dy, differences(evaluated(what, moved(d.in, d.tangent, step))[0],
                                        evaluated(what, moved(d.in, d.tangent, -step))[0]));
  tensors dx = pulled(what, d.in, d.cotangent);
  double of_inputs = 0;
  auto operands = what.floating_operands();
  for (std::size_t k = 0; k < operands.size(); ++k) {
    CHECK(dx[k].type == d.in[std::size_t(operands[k])].type);
    of_inputs += inner(dx[k], d.tangent[std::size_t(operands[k])]);
  }
  CHECK(is_near(of_inputs, inner(d.cotangent, dy)));
  ++n.vjp;
}

/// The row's own transposes, which derivatives need not meet: a row that is linear in operand k (with the others as
/// they are, up to a constant) is turned round.
void test_transposes(subject const& what, drawn const& d, counts& n) {
  for (int k : what.floating_operands()) {
    if (!what.row().transpose[k]) continue;
    CAPTURE(k);
    auto at = std::size_t(k);
    tensors zero = d.in, moved = d.in;
    for (double& v : zero[at].x) v = 0;
    moved[at] = d.tangent[at];
    tensor along = evaluated(what, moved)[0], constant = evaluated(what, zero)[0];
    for (std::size_t i = 0; i < along.x.size(); ++i) along.x[i] -= constant.x[i];
    recorded call(what, d.in, {}, k);
    traced ct = call.take(d.cotangent), dx;
    transform::transpose({call.r, &call.x[at], 1, call.out.data(), 1}, &ct, &dx);
    tensor back = zeros_or(dx, d.in[at].type);
    CHECK(back.type == d.in[at].type);
    CHECK(is_near(inner(back, d.tangent[at]), inner(d.cotangent, along)));
    ++n.transposes;
  }
}

/// The gate: where tangents are 0, so is the derivative, whatever stands in an operand. Not so in products that are
/// linear themselves: arrays, and what multiplies the state of scale and recurrence.
void test_gate(subject const& what, drawn const& d, counts& n) {
  if (what.row().form == ops::form::contraction) return;
  constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  auto zeros = [](tensors t) {
    for (tensor& one : t)
      for (double& v : one.x) v = 0;
    return t;
  };
  tensors still = zeros(d.tangent);
  tensor ct = zeros({d.cotangent})[0];
  for (int k : what.floating_operands())
    for (double v : {0., inf, -inf, nan}) {
      if (k == 0 && (what.op == ops::code<ops::scale_p> || what.op == ops::code<ops::recurrence_p>)) continue;
      CAPTURE(k);
      CAPTURE(v);
      tensors in = d.in;
      for (double& x : in[std::size_t(k)].x) x = v;
      auto all_zero = [](tensor const& t) {
        bool yes = true;
        for (double x : t.x) yes = yes && x == 0;
        return yes;
      };
      CHECK(all_zero(pushed(what, in, still)));
      for (tensor const& dx : pulled(what, in, ct)) CHECK(all_zero(dx));
      ++n.gates;
    }
}

void test_second_order(subject const& what, drawn const& d, counts& n) {
  recorded call(what, d.in);
  auto operands = what.floating_operands();
  std::vector<traced> t(d.in.size()), u(d.in.size()), in;
  for (int k : operands) t[std::size_t(k)] = call.take(d.tangent[std::size_t(k)]);
  traced dy = call.jvp(t)[0];
  tensor expected = differences(pushed(what, moved(d.in, d.other, step), d.tangent),
                                pushed(what, moved(d.in, d.other, -step), d.tangent));
  if (!dy) {
    n.second += check_near(expected, {expected.type, std::vector<double>(expected.x.size())});
    return;
  }
  auto range = transform::range_from(call.x[0], 0);
  for (int k : operands) {
    u[std::size_t(k)] = call.take(d.other[std::size_t(k)]);
    in.push_back(call.x[std::size_t(k)]);
  }
  traced ddy, unused;
  transform::jvp(range, call.x.data(), u.data(), int(u.size()), &dy, 1, &ddy);
  tensor second = zeros_or(ddy, expected.type);
  n.second += check_near(second, expected);
  // reverse over forward
  traced ct = call.take(d.cotangent);
  std::vector<traced> result(in.size()), unknown(in.size());
  transform::vjp(range, in.data(), int(in.size()), &dy, 1, &ct, result.data(), unknown.data(), &unused);
  double of_inputs = 0;
  for (std::size_t k = 0; k < operands.size(); ++k)
    of_inputs += inner(zeros_or(result[k], d.in[std::size_t(operands[k])].type), d.other[std::size_t(operands[k])]);
  CHECK(is_near(of_inputs, inner(d.cotangent, second)));
  ++n.second_reverse;
}

constexpr extent batch = 3;
/// Examples one after another as one tensor.
tensor stacked(tensors const& examples) {
  tensor t{examples[0].type.insert(0, extent(examples.size())), {}};
  for (auto const& e : examples) t.x.insert(t.x.end(), e.x.begin(), e.x.end());
  return t;
}

void test_vmap(subject const& what, std::vector<drawn> const& d, counts& n) {
  auto operands = what.floating_operands();
  for (unsigned subset = 1; subset < (1u << what.s.n); ++subset) {
    CAPTURE(subset);
    std::vector<bool> mapped;
    for (int k = 0; k < what.s.n; ++k) mapped.push_back((subset >> k) & 1);
    auto pick = [&](auto member, std::size_t k) {  // operand k: the examples stacked, or the first alone
      tensors all;
      for (auto const& e : d) all.push_back((e.*member)[k]);
      return mapped[k] ? stacked(all) : all[0];
    };
    auto example = [&](auto member, std::size_t i) {
      tensors r;
      for (std::size_t k = 0; k < mapped.size(); ++k) r.push_back((d[mapped[k] ? i : 0].*member)[k]);
      return r;
    };
    tensors in, looped_jvp, cotangents;
    std::vector<tensors> looped(std::size_t(what.row().results)), looped_vjp(operands.size());
    for (std::size_t k = 0; k < mapped.size(); ++k) in.push_back(pick(&drawn::in, k));
    for (std::size_t i = 0; i < std::size_t(batch); ++i) {
      tensors x = example(&drawn::in, i), y = evaluated(what, x);
      for (std::size_t k = 0; k < y.size(); ++k) looped[k].push_back(y[k]);
      if (!has_derivative(what, d[0])) continue;
      looped_jvp.push_back(pushed(what, x, example(&drawn::tangent, i)));
      cotangents.push_back(d[i].cotangent);
      tensors dx = pulled(what, x, d[i].cotangent);
      for (std::size_t k = 0; k < dx.size(); ++k) looped_vjp[k].push_back(dx[k]);
    }
    {
      recorded call(what, in, mapped);
      for (std::size_t k = 0; k < call.out.size(); ++k)
        check_near(call.all_examples(call.out[k], looped[k][0].type, batch), stacked(looped[k]));
      ++n.vmap;
    }
    if (!has_derivative(what, d[0])) continue;
    {
      recorded call(what, in, mapped);
      std::vector<traced> t(mapped.size());
      for (int k : operands)
        t[std::size_t(k)] = call.take(pick(&drawn::tangent, std::size_t(k)), mapped[std::size_t(k)]);
      n.vmap_of_jvp += check_near(call.all_examples(call.jvp(t)[0], looped_jvp[0].type, batch), stacked(looped_jvp));
    }
    recorded call(what, in, mapped);
    auto dx = call.vjp(operands, call.take(stacked(cotangents), true));
    for (std::size_t k = 0; k < operands.size(); ++k)
      check_near(call.all_examples(dx[k], looped_vjp[k][0].type, batch), stacked(looped_vjp[k]));
    ++n.vmap_of_vjp;
  }
}

counts test_row(int op, source_of_numbers& random) {
  ops::row const& row = ops::table.at[op];
  ops::samples all = ops::domains.at[op]();
  counts n;
  n.samples = all.n;
  // rows with blocks are made of functions: control_flow.cpp; those over ranks need some: ranks/collectives.cpp
  bool const needs_ranks = op >= ops::code<ops::allreduce_p> && op <= ops::code<ops::awaited_p>;
  if (row.arity > 0 && !needs_ranks) CHECK(all.n > 0);
  for (int i = 0; i < all.n; ++i) {
    subject what{op, all.s[i]};
    CAPTURE(i);
    std::vector<drawn> d;
    for (int k = 0; k < batch; ++k) d.emplace_back(what, random);
    if (has_derivative(what, d[0])) {
      test_first_order(what, d[0], n);
      test_transposes(what, d[0], n);
      test_gate(what, d[0], n);
      test_second_order(what, d[0], n);
    }
    test_vmap(what, d, n);
  }
  return n;
}

/// The rows from this number on.
void test_rows(int first) {
  std::printf("%-14s %7s %5s %5s %5s %5s %5s %9s %9s %7s %8s\n", "row", "samples", "jvp", "vjp", "turn", "gate", "vmap",
              "vmap(jvp)", "vmap(vjp)", "jvp^2", "vjp(jvp)");
  for (int op = first; op < int(ops::table.size()); ++op) {
    std::string const row = ops::table.at[op].name;
    CAPTURE(row);
    source_of_numbers random{1};  // the same numbers for a row, whatever rows stand before it
    counts n = test_row(op, random);
    std::printf("%-14s %7d %5d %5d %5d %5d %5d %9d %9d %7d %8d\n", ops::table.at[op].name, n.samples, n.jvp, n.vjp,
                n.transposes, n.gates, n.vmap, n.vmap_of_jvp, n.vmap_of_vjp, n.second, n.second_reverse);
  }
}

}  // namespace
