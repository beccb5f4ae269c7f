// SPDX-License-Identifier: BSD-3-Clause
// What rows over an axis of a mesh do: collectives of the process group of that axis, posted and waited for.
#pragma once
#include <cstring>
#include <string>
#include <unordered_set>
#include <vector>

#include <etna/group/alike.hpp>
#include <etna/group/mesh.hpp>
#include <etna/message/runtime.hpp>
#include <etna/ops/table.hpp>

namespace etna {
namespace eager {

/// A collective that was posted by a program and is not waited for yet.
struct under_way {
  void const* result;
  dist::process_group* group;
  dist::ticket ticket;
  bool is_done = false;  // test has said so
};
/// Those of this thread; `posted_here` is how many, to look at between steps.
inline thread_local int posted_here = 0;
inline std::vector<under_way>& all_under_way() {
  static thread_local std::vector<under_way> all;
  return all;
}
/// MPI moves messages inside of its calls only: one such call, between the steps of a program.
[[gnu::cold]] inline void move_messages() {
  for (under_way& x : all_under_way())
    if (!x.is_done) {
      x.is_done = x.group->test(x.ticket);
      return;
    }
}
/// Waits for what gives this result, if anything does. The latest: a program that ended by an exception leaves others.
inline void await_result(void const* result) {
  auto& all = all_under_way();
  for (std::size_t k = all.size(); k-- > 0;)
    if (all[k].result == result) {
      under_way const x = all[k];
      all.erase(all.begin() + std::ptrdiff_t(k));
      --posted_here;
      if (!x.is_done) x.group->wait(x.ticket);
      return;
    }
}

/// The processes along the axis of a row.
inline dist::process_group& group_of(ops::call const& c) {
  auto const [number, mesh] = ops::mesh_words::read(c.attr).axis;
  dist::living_mesh const* m = dist::living_mesh::find(mesh);
  if (!m) message::raise<172>("a collective of a function over a mesh");
  return m->along(number);
}
inline std::size_t bytes_in(tensor_type const& t) { return std::size_t(t.size()) * std::size_t(bytes_of(t.d)); }
/// Before the first collective of its form the ranks ask one another whether all come with it: else what they send
/// would be taken for something else. `row` is the primitive's number.
[[gnu::noinline]] inline void check_alike(ops::call const& c, dist::process_group& g, int row) {
  dist::sign s(std::uint64_t(row) + 1000);
  s.add(std::uint64_t(c.in_type[0].d));
  for (int i = 0; i < c.in_type[0].rank; ++i) s.add(std::uint64_t(c.in_type[0].e[i]));
  for (int i = 0; i < c.n_attr; ++i)
    if (i + 1 != ops::mesh_words::count) s.add(std::uint64_t(c.attr[i]));  // posted or not
  static thread_local std::unordered_set<std::uint64_t> asked;
  dist::sign of_group(g.identity());  // others may have asked in a group that these ranks are not of
  of_group.add(s.value());
  if (!asked.insert(of_group.value()).second) return;
  if (!dist::is_alike(g, s.value()))
    message::raise<170>("in a compiled function, rank " + std::to_string(g.rank()) + " of " + std::to_string(g.size()) +
                        " calls " + ops::names.at[row]);
}
/// Posts by post(group), and waits where the row says so, and for what is empty: its result may lie where another is.
template <class Row, class Post> void together(ops::call const& c, Post const& post) {
  dist::process_group& g = group_of(c);
  if (g.size() > 1) check_alike(c, g, ops::code<Row>);
  dist::ticket const t = post(g);
  if (!ops::mesh_words::read(c.attr).posted || c.out_type[0].size() == 0) return g.wait(t);
  all_under_way().push_back({c.out[0], &g, t});
  ++posted_here;
}
/// Rows whose front axis is that of the ranks know its size.
inline void check_size(ops::call const& c, dist::process_group const& g, const char* what) {
  extent const size = ops::fronted_by_ranks::size_of(c.attr);
  if (size != g.size())
    message::raise<171>(std::string(what) + " of " + std::to_string(size) + " ranks, and along the axis are " +
                        std::to_string(g.size()));
}

}  // namespace eager

inline void ops::allreduce_p::reference(call const& c) {
  eager::together<allreduce_p>(c, [&](dist::process_group& g) {
    return g.all_reduce(c.in[0], c.out[0], std::size_t(c.in_type[0].size()), c.in_type[0].d, reduction_of(c.attr));
  });
}
inline void ops::allgather_p::reference(call const& c) {
  eager::together<allgather_p>(c, [&](dist::process_group& g) {
    eager::check_size(c, g, "all_gather");
    return g.all_gather(c.in[0], c.out[0], eager::bytes_in(c.in_type[0]));
  });
}
inline void ops::reduce_scatter_p::reference(call const& c) {
  eager::together<reduce_scatter_p>(c, [&](dist::process_group& g) {
    eager::check_size(c, g, "psum_scatter");
    return g.reduce_scatter(c.in[0], c.out[0], std::size_t(c.out_type[0].size()), c.in_type[0].d, dist::reduction::sum);
  });
}
inline void ops::alltoall_p::reference(call const& c) {
  eager::together<alltoall_p>(c, [&](dist::process_group& g) {
    eager::check_size(c, g, "all_to_all");
    return g.all_to_all(c.in[0], c.out[0], eager::bytes_in(c.in_type[0]) / std::size_t(size_of(c.attr)));
  });
}
inline void ops::sendrecv_p::reference(call const& c) {
  eager::together<sendrecv_p>(c, [&](dist::process_group& g) {
    partners const p = of_rank(c.attr, c.n_attr, g.rank(), g.size());
    return g.permute(c.in[0], c.out[0], eager::bytes_in(c.in_type[0]), p.to, p.from);
  });
}
inline void ops::mesh_place_p::reference(call const& c) {
  dist::process_group const& g = eager::group_of(c);
  if (g.size() < c.attr[head + 1])
    message::raise<168>("there is no rank " + std::to_string(c.attr[head + 1] - 1) + " among " +
                        std::to_string(g.size()));
  std::int32_t const x = c.attr[head] ? g.size() : g.rank();
  std::memcpy(c.out[0], &x, sizeof x);
}
inline void ops::mesh_border_p::reference(call const& c) {
  std::memcpy(c.out[0], c.in[0], eager::bytes_in(c.in_type[0]));
}
inline void ops::awaited_p::reference(call const& c) {
  if (c.in_type[0].size() > 0) eager::await_result(c.in[0]);
  if (c.out[0] != c.in[0]) std::memcpy(c.out[0], c.in[0], eager::bytes_in(c.in_type[0]));
}

}  // namespace etna
