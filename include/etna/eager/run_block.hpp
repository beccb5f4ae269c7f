// SPDX-License-Identifier: BSD-3-Clause
// Loops and branches outside jit: their blocks are evaluated equation by equation.
// Read next: replay.hpp.
#pragma once
#include <vector>

#include "place.hpp"
#include "reference.hpp"

namespace etna::eager {

void compute(int op, value const* in, int n, std::int64_t const* attr, int n_attr, value* out, tensor_type const* types,
             int n_out);

/// Values that go back to the pool with the list.
struct values {
  std::vector<value> v;
  explicit values(std::size_t n = 0) : v(n) {}
  values(values const&) = delete;
  values& operator=(values&& o) noexcept {
    v.swap(o.v);
    return *this;
  }
  values(values&& o) noexcept : v(std::move(o.v)) {}
  ~values() {
    for (auto& x : v) etna::release(x.owner);
  }
  value& operator[](int k) { return v[std::size_t(k)]; }
};

/// While this lives, nothing is printed where that is asked for: the block's effects are another's.
inline thread_local bool muted = false;
struct mute_prints {
  bool outer = muted;
  explicit mute_prints(bool also) { muted = outer || also; }
  mute_prints(mute_prints const&) = delete;
  ~mute_prints() { muted = outer; }
};

/// What a block gives for these operands.
inline values run_block(tracing::block b, value const* captured, value const* in) {
  values all(std::size_t(b.values())), out(std::size_t(b.outputs()));
  int at = tracing::block::head, next = b.inputs();
  for (int k = 0; k < b.inputs(); ++k) {
    tracing::read_type(b, at);
    all[k] = in[k];
    etna::retain(in[k].owner);
  }
  auto find = [&](std::int64_t v) -> value const& { return v < 0 ? captured[-1 - v] : all[int(v)]; };
  for (int i = 0; i < b.nodes(); ++i) {
    std::int64_t head = b[at];
    int op = tracing::block::op_of(head), n = int(b[at + 1]), n_attr = int(b[at + 2]), results = int(b[at + 3]);
    at += 4;
    std::vector<value> operands(std::size_t(n) + 1), made(std::size_t(results) + 1);
    std::vector<tensor_type> types(std::size_t(results) + 1);
    for (int k = 0; k < n; ++k) operands[std::size_t(k)] = find(b[at++]);
    std::int64_t const* attr = b.words(at);
    at += n_attr;
    for (int k = 0; k < results; ++k) types[std::size_t(k)] = tracing::read_type(b, at);
    at_place here(b, int(head >> tracing::block::op_bits), false);
    mute_prints silence(b.is_muted());
    compute(op, operands.data(), n, attr, n_attr, made.data(), types.data(), results);
    for (int k = 0; k < results; ++k) all[next++] = made[std::size_t(k)];
  }
  at = b.outputs_at();
  for (int k = 0; k < b.outputs(); ++k) {
    out[k] = find(b[at++]);
    etna::retain(out[k].owner);
    tracing::read_type(b, at);
  }
  return out;
}

/// Operands of a nested equation as values that somebody else owns, and a carry to begin with.
struct nested_call {
  std::vector<value> in;
  explicit nested_call(call const& c, int n) {
    for (int k = 0; k < n; ++k) in.push_back({{}, c.in[k], c.in_type[k], nullptr});
  }
};
inline std::size_t bytes_of(value const& v) { return std::size_t(v.type.size() * etna::bytes_of(v.type.d)); }
inline void copy_out(value const& v, void* to, std::size_t at = 0) {
  std::memcpy(static_cast<char*>(to) + at, v.data, bytes_of(v));
}
/// Numbers that nobody owns, as the carry of a first step.
inline values carry_of(value const* first, int n) {
  values c(static_cast<std::size_t>(n));
  for (int k = 0; k < n; ++k) c[k] = first[k];
  return c;
}

}  // namespace etna::eager

namespace etna::ops {

inline void scan_p::reference(call const& c) {
  using namespace eager;
  auto const w = scan_words::read(c.attr);
  block b = block_of(c.attr, scan_words::count, 0);
  nested_call o(c, w.captured + w.carry + w.xs);
  values carry = carry_of(o.in.data() + w.captured, w.carry);
  for (extent i = 0; i < w.length; ++i) {
    extent t = w.reverse ? w.length - 1 - i : i;
    std::vector<value> in(carry.v);
    for (int k = 0; k < w.xs; ++k) {
      value x = o.in[std::size_t(w.captured + w.carry + k)];
      x.type = x.type.drop(0);
      x.data = static_cast<char const*>(x.data) + std::size_t(t) * eager::bytes_of(x);
      in.push_back(x);
    }
    values out = run_block(b, o.in.data(), in.data());
    for (int k = 0; k < w.ys; ++k) {
      value const& y = out[w.carry + k];
      copy_out(y, c.out[w.carry + k], std::size_t(t) * eager::bytes_of(y));
    }
    values next(std::size_t(w.carry));
    for (int k = 0; k < w.carry; ++k) {
      next[k] = out[k];
      etna::retain(next[k].owner);
    }
    carry = std::move(next);
  }
  for (int k = 0; k < w.carry; ++k) copy_out(carry[k], c.out[k]);
}

inline void branch_p::reference(call const& c) {
  using namespace eager;
  branch_words const n = branch_words::read(c.attr);
  nested_call o(c, 1 + n.captured + n.operands);
  int which = int(load_one<std::int64_t>(c.in_type[0].d, c.in[0], 0));
  which = which < 0 ? 0 : which >= n.branches ? n.branches - 1 : which;
  values out = run_block(block_of(c.attr, head, which), o.in.data() + 1, o.in.data() + 1 + n.captured);
  for (int k = 0; k < n.results; ++k) copy_out(out[k], c.out[k]);
}

inline void custom_p::reference(call const& c) {
  using namespace eager;
  counts const n = read(c.attr);
  nested_call o(c, n.captured + n.operands);
  values out = run_block(block_of(c.attr, head, 0), o.in.data(), o.in.data() + n.captured);
  for (int k = 0; k < n.results; ++k) copy_out(out[k], c.out[k]);
}

/// Only a transform writes one, and at run time that is a recording.
inline void linear_call_p::reference(call const& c) {
  eager::recording.load(std::memory_order_acquire)->call_linear(c);
}

// a value that is the same for all examples
inline void psum_p::reference(call const& c) {
  for (extent i = 0, n = c.in_type[0].size(); i < n; ++i)
    eager::store_one(c.out_type[0].d, c.out[0], i,
                     eager::load_one<double>(c.in_type[0].d, c.in[0], i) * double(collective_words::read(c.attr).size));
}
inline void pmax_p::reference(call const& c) { eager::copy_out({{}, c.in[0], c.in_type[0], nullptr}, c.out[0]); }
inline void pmin_p::reference(call const& c) { pmax_p::reference(c); }
inline void ppermute_p::reference(call const& c) { pmax_p::reference(c); }
inline void all_gather_p::reference(call const& c) {
  eager::value x{{}, c.in[0], c.in_type[0], nullptr};
  for (extent k = 0, n = collective_words::read(c.attr).size; k < n; ++k)
    eager::copy_out(x, c.out[0], std::size_t(k) * eager::bytes_of(x));
}

inline void while_p::reference(call const& c) {
  using namespace eager;
  auto const [captured, n] = while_words::read(c.attr);
  nested_call o(c, captured + n);
  values carry = carry_of(o.in.data() + captured, n);
  for (;;) {
    values go = run_block(block_of(c.attr, head, 0), o.in.data(), carry.v.data());
    if (!*static_cast<bool const*>(go[0].data)) break;
    carry = run_block(block_of(c.attr, head, 1), o.in.data(), carry.v.data());
  }
  for (int k = 0; k < n; ++k) copy_out(carry[k], c.out[k]);
}

}  // namespace etna::ops
