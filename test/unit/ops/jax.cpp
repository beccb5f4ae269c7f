// SPDX-License-Identifier: BSD-3-Clause
// Rows against JAX: values, forward and reverse derivatives and second derivatives of the samples in test/data.
// Derivatives at kinks and poles (attr edge) are each library's habit and are not compared.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <etna/language.hpp>

#include "data/rows.inc.hpp"

using namespace etna;
using traced = etna::tracing::var;
using numpy::handle;

namespace {

using arguments = std::vector<handle>;
using integers = std::vector<std::int64_t>;

dtype dtype_named(std::string const& name) {
  for (int i = 0; i < dtype_count; ++i)
    if (name == dtypes[std::size_t(i)].name) return dtype(i);
  FAIL("no such element type");
  return dtype::f64;
}
tensor_type type_of(reference::tensor const& t) {
  tensor_type r{dtype_named(t.dtype), int(t.shape.size()), {}};
  for (std::size_t i = 0; i < t.shape.size(); ++i) r.e[i] = t.shape[i];
  return r;
}
traced record(reference::tensor const& t, tracing::graph* g) {
  tensor_type type = type_of(t);
  memory_block* memory = memory::allocate(std::size_t(type.size() * bytes_of(type.d)));
  for (std::size_t i = 0; i < t.data.size(); ++i) {
    if (is_floating(type.d)) eager::store_one(type.d, memory->data, extent(i), t.data[i]);
    else eager::store_one(type.d, memory->data, extent(i), std::int64_t(t.data[i]));
  }
  traced v = transform::record({{}, memory->data, type, memory}, g);
  release(memory);
  return v;
}
int row_named(std::string const& name) {
  for (int op = 0; op < int(ops::table.size()); ++op)
    if (name == ops::table.at[op].name) return op;
  return -1;
}

integers attr(reference::sample const& s, std::string const& name) {
  auto found = s.attr.find(name);
  return found == s.attr.end() ? integers{} : found->second;
}
handle reduced(int op, reference::sample const& s, handle const& x, integers axes, int result = 0) {
  numpy::axes_list list;
  for (int i = 0; i < x.type().rank; ++i)
    for (auto a : axes)
      if (a == i || a + x.type().rank == i) list.a[list.n++] = i;
  tensor_type kept = numpy::keep_axes(x.type(), list);
  handle r = list.n > 0 ? numpy::call(op, x, list.a, list.n, result) : x;
  return attr(s, "keepdims") == integers{1} ? numpy::reshape(r, kept) : r;
}
handle number(double v, dtype d) { return numpy::full({d, 0, {}}, to_bits(d, v)); }
handle where_positive(handle const& x, handle const& y) {
  tensor_type t = x.type();
  handle in[] = {numpy::binary(ops::code<ops::lt_p>, number(0, t.d), x), y, numpy::broadcast_to(number(0, t.d), t)};
  return numpy::call(ops::code<ops::select_p>, in, 3);
}

/// The functions that are made of rows, on arrays of the sample's shape.
template <extent... E> handle composed(reference::sample const& s, arguments const& x) {
  using transform::access;
  auto logits = access::from<array<double, E...>>(x[0].traced());
  auto as_handle = [](auto const& y) { return handle::share({access::traced(y)}); };
  if (s.op == "softmax") return as_handle(softmax(logits));
  if (s.op == "log_softmax") return as_handle(log_softmax(logits));
  if (s.op == "logsumexp") return as_handle(logsumexp<-1>(logits));
  constexpr extent rows = std::array{E...}[0];
  auto losses = softmax_cross_entropy(logits, access::from<array<int, rows>>(x[1].traced()));
  return s.op == "softmax_cross_entropy" ? as_handle(losses) : as_handle(mean(losses));
}
bool is_composed(reference::sample const& s) {
  if (s.op == "softmax_cross_entropy" || s.op == "mean_softmax_cross_entropy") return true;
  if (s.op != "softmax" && s.op != "log_softmax" && s.op != "logsumexp") return false;
  integers axis = attr(s, "axis");
  return axis.empty() || axis[0] == -1 || axis[0] + 1 == std::int64_t(s.in[0].shape.size());
}

/// The operation of a sample on run-time handles; nothing where its name is not one of the rows'.
std::optional<handle> applied(reference::sample const& s, arguments const& x) {
  using namespace ops;
  static std::map<std::string, int> const swapped{{"gt", code<lt_p>}, {"ge", code<le_p>}};
  static std::map<std::string, int> const reductions{
      {"sum", code<sum_p>},         {"sum_of_bool", code<sum_p>}, {"prod", code<prod_p>}, {"reduce_max", code<amax_p>},
      {"reduce_min", code<amin_p>}, {"all", code<all_p>},         {"any", code<any_p>}};
  std::string const& op = s.op;
  tensor_type t = x[0].type();
  if (is_composed(s)) {
    if (s.in[0].shape == integers{4, 5}) return composed<4, 5>(s, x);
    if (s.in[0].shape == integers{3, 10}) return composed<3, 10>(s, x);
    return {};
  }
  if (auto f = reductions.find(op); f != reductions.end())
    return reduced(f->second, s, op == "sum_of_bool" ? numpy::convert(x[0], dtype::i64) : x[0], attr(s, "axes"));
  if (op == "mean") {
    handle total = reduced(code<sum_p>, s, x[0], attr(s, "axes"));
    return numpy::binary(code<div_p>, total, number(double(t.size()) / double(total.type().size()), t.d));
  }
  if (op == "argmax") return reduced(code<argmax_p>, s, x[0], attr(s, "axis"), 1);
  if (op == "argmin") return reduced(code<argmin_p>, s, x[0], attr(s, "axis"), 1);
  if (op == "transpose") {
    integers perm = attr(s, "perm");
    return numpy::call(code<transpose_p>, x[0], perm.data(), int(perm.size()));
  }
  if (op == "reshape" || op == "broadcast_to" || op == "broadcast_in_dim") {
    integers shape = attr(s, "shape"), dims = attr(s, "dims");
    tensor_type to{t.d, int(shape.size()), {}};
    for (std::size_t i = 0; i < shape.size(); ++i) to.e[i] = shape[i];
    if (op == "reshape") return numpy::reshape(x[0], to);
    if (op == "broadcast_to") return numpy::broadcast_to(x[0], to);
    shape.insert(shape.begin(), to.rank);
    shape.insert(shape.end(), dims.begin(), dims.end());
    return numpy::call(code<broadcast_p>, x[0], shape.data(), int(shape.size()));
  }
  if (op == "convert") return numpy::convert(x[0], dtype_named(s.text));
  if (op == "where_untaken" && s.text == "reciprocal")
    return where_positive(x[0], numpy::binary(code<div_p>, number(1, t.d), x[0]));
  if (op == "where_untaken" && row_named(s.text) >= 0)
    return where_positive(x[0], numpy::call(row_named(s.text), x[0]));
  if (op == "select") {
    tensor_type to = t;
    for (int k : {1, 2}) CHECK(numpy::broadcast_shapes(tensor_type(to), x[std::size_t(k)].type(), to));
    handle in[] = {numpy::broadcast_to(x[0], to), numpy::broadcast_to(x[1], to), numpy::broadcast_to(x[2], to)};
    return numpy::call(code<select_p>, in, 3);
  }
  if (op == "einsum") return numpy::einsum(numpy::read_formula(s.text.c_str()), x.data());
  if (op == "dot_general") {
    dot_dims d;
    auto fill = [&](char const* name, int* to) {
      integers a = attr(s, name);
      for (std::size_t i = 0; i < a.size(); ++i) to[i] = int(a[i]);
      return int(a.size());
    };
    d.n_batch = fill("lhs_batch", d.lhs_batch);
    fill("rhs_batch", d.rhs_batch);
    d.n_contract = fill("lhs_contract", d.lhs_contract);
    fill("rhs_contract", d.rhs_contract);
    return numpy::dot_general(x[0], x[1], d);
  }
  if (op == "take" || op == "take_along_axis") {
    integers a = attr(s, "axis");
    if (a.size() != 1) return {};
    if (a[0] < 0) a[0] += t.rank;
    if (op == "take_along_axis" && a[0] != t.rank - 1) return {};
    a.push_back(op == "take" ? 0 : a[0]);
    return numpy::call(code<gather_p>, x.data(), 2, a.data(), 2);
  }
  if (op == "scatter_add") {
    std::int64_t at[] = {0, 0};
    return numpy::call(code<scatter_add_p>, x.data(), 3, at, 2);
  }
  if (auto f = swapped.find(op); f != swapped.end()) return numpy::binary(f->second, x[1], x[0]);
  if (op == "pow_of_integers") return numpy::binary(code<integer_pow_p>, x[0], x[1]);
  int row = row_named(op);
  if (row < 0 || table.at[row].form != form::pointwise) return {};
  if (x.size() == 1) return numpy::call(row, x[0]);
  return numpy::binary(row, x[0], x[1], row == code<div_p> || row == code<pow_p>);
}

bool agree(double a, double b) {
  if (a != a || b != b) return a != a && b != b;
  return a == b || std::abs(a - b) <= 1e-12 + 1e-11 * std::abs(b);
}
void check(traced v, reference::tensor const& expected) {
  std::vector<double> zero(expected.data.size());
  if (!v) {
    CHECK(expected.data == zero);
    return;
  }
  eager::value const& x = eager::value_of(v);
  REQUIRE(x.type.same_shape(type_of(expected)));
  for (std::size_t i = 0; i < expected.data.size(); ++i) {
    double is = eager::load_one<double>(x.type.d, x.data, extent(i));
    CAPTURE(i);
    CAPTURE(is);
    CAPTURE(expected.data[i]);
    CHECK(agree(is, expected.data[i]));
  }
}

struct counts {
  int values = 0, jvp = 0, vjp = 0, second = 0, left_out = 0;
};

void compare(reference::sample const& s, counts& n) {
  tracing::graph* g = transform::new_recording();
  transform::home release_at_end(g);
  std::vector<traced> x;
  arguments in;
  for (auto const& t : s.in) x.push_back(record(t, g));
  for (auto& v : x) in.push_back(handle::share({v = ops::alias(v)}));
  auto result = applied(s, in);
  if (!result) {
    ++n.left_out;
    return;
  }
  traced out = tracing::resolve(result->traced());
  check(out, s.out[0]);
  ++n.values;
  if (s.attr.count("edge")) return;

  std::vector<int> floating;
  for (std::size_t k = 0; k < s.in.size(); ++k)
    if (is_floating(dtype_named(s.in[k].dtype))) floating.push_back(int(k));
  transform::range range = transform::range_from(x[0], 0);
  if (!s.tangent_in.empty()) {
    std::vector<traced> t(x.size());
    for (std::size_t k = 0; k < floating.size(); ++k) t[std::size_t(floating[k])] = record(s.tangent_in[k], g);
    traced dy;
    transform::jvp(range, x.data(), t.data(), int(x.size()), &out, 1, &dy);
    check(dy, s.tangent_out[0]);
    ++n.jvp;
  }
  if (!s.grad.empty()) {
    std::vector<traced> by, dx(floating.size()), unknown(floating.size());
    for (int k : floating) by.push_back(x[std::size_t(k)]);
    traced ct = record(s.cotangent[0], g), tangent;
    transform::vjp(range, by.data(), int(by.size()), &out, 1, &ct, dx.data(), unknown.data(), &tangent);
    for (std::size_t k = 0; k < dx.size(); ++k) check(dx[k], s.grad[k]);
    ++n.vjp;
  }
  for (std::size_t pair = 0; pair < s.second.size(); ++pair) {  // f'', or f_xx, f_xy, f_yy
    std::size_t first = pair == 2, then = pair > 0;
    std::vector<traced> t(x.size()), u(x.size());
    t[first] = ops::full_like(x[first], 1);
    traced dy, ddy;
    transform::jvp(range, x.data(), t.data(), int(x.size()), &out, 1, &dy);
    if (dy) {
      transform::range both = transform::range_from(x[0], 0);
      u[then] = ops::full_like(x[then], 1);
      transform::jvp(both, x.data(), u.data(), int(x.size()), &dy, 1, &ddy);
    }
    CAPTURE(pair);
    check(ddy, s.second[pair]);
    ++n.second;
  }
}

}  // namespace

TEST_CASE("values and derivatives are those of JAX") {
  std::map<std::string, counts> table;
  int number_of_op = 0;
  std::string before;
  for (auto const& s : reference::samples()) {
    number_of_op = s.op == before ? number_of_op + 1 : 0;
    before = s.op;
    CAPTURE(s.op);
    CAPTURE(s.text);
    CAPTURE(number_of_op);
    compare(s, table[s.op]);
  }
  std::printf("%-26s %6s %5s %5s %6s %8s\n", "operation", "values", "jvp", "vjp", "second", "left out");
  for (auto const& [op, n] : table)
    std::printf("%-26s %6d %5d %5d %6d %8d\n", op.c_str(), n.values, n.jvp, n.vjp, n.second, n.left_out);
}
