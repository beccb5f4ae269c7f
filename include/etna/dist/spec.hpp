// SPDX-License-Identifier: BSD-3-Clause
// How an array is cut over a mesh, as a type: which axis of the mesh cuts which axis of the array; the type of one
// shard, and that of the whole. Read next: sharded.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <concepts>
#include <type_traits>
#include <utility>

#include <etna/group/mesh.hpp>
#include <etna/array/array.hpp>
#include <etna/transform/vmap.hpp>

namespace etna::dist {

namespace detail {
/// What an argument of spec says: the name of a mesh's axis; 0 for `none`; ext::invalid for what is neither.
template <auto Of> constexpr extent cutting() {
  if constexpr (std::is_same_v<decltype(Of), extent>) return ext::is_name(Of) ? Of : ext::invalid;
  else if constexpr (std::is_same_v<decltype(Of), int>) return Of == none ? 0 : ext::invalid;
  else return ext::invalid;
}
}  // namespace detail

/// For each axis of an array the axis of the mesh that cuts it, or `none`: spec<"data"_n, none>. Axes that are not
/// named are whole: spec<> is an array that every process has.
///
/// errors  E174 an argument is no name, and not none
/// source  JAX PartitionSpec
/// example test/unit/dist/spec.cpp  [types of shards]
template <auto... Of> struct spec {
  static_assert(message::holds<((detail::cutting<Of>() != ext::invalid) && ... && true), message::E174_no_axis_name<>>);
  static constexpr int named = int(sizeof...(Of));
  /// The name of the mesh's axis that cuts axis i of an array; 0 where it is whole.
  static constexpr extent cuts(int i) {
    constexpr extent by[] = {detail::cutting<Of>()..., 0};
    return i < named ? by[i] : 0;
  }
};

namespace detail {
template <class S> struct is_spec : std::false_type {};
template <auto... Of> struct is_spec<spec<Of...>> : std::true_type {};
}  // namespace detail
template <class S> concept any_spec = detail::is_spec<S>::value;

/// Which axis of the mesh cuts axis i of an array; -1: none.
template <any_mesh M, any_spec S> constexpr int mesh_axis_of(int i) { return S::cuts(i) ? M::find(S::cuts(i)) : -1; }

namespace detail {

enum class spec_fault { none, too_many, absent, twice, open, indivisible };
struct spec_verdict {
  spec_fault fault = spec_fault::none;
  int axis = 0;
};
/// Extent e cut into n; invalid where it does not divide.
constexpr extent cut_of(extent e, int n) {
  if (e >= 0) return e % n == 0 ? e / n : ext::invalid;
  return ext::quotient(e, n);
}
/// What is wrong with the names, for an array of so many axes.
template <class M, class S> constexpr spec_verdict judge_names(int rank) {
  if (S::named > rank) return {spec_fault::too_many, rank};
  for (int i = 0; i < S::named; ++i) {
    if (S::cuts(i) == 0) continue;
    if (M::find(S::cuts(i)) < 0) return {spec_fault::absent, i};
    for (int j = 0; j < i; ++j)
      if (S::cuts(j) == S::cuts(i)) return {spec_fault::twice, i};
  }
  return {};
}
template <class A, class M, class S> constexpr spec_verdict judge_whole(bool divided) {
  spec_verdict const names = judge_names<M, S>(A::rank);
  if (names.fault != spec_fault::none) return names;
  for (int i = 0; i < A::rank; ++i) {
    int const k = mesh_axis_of<M, S>(i);
    if (k < 0) continue;
    if (M::of[k].size == 0) return {spec_fault::open, i};
    bool const must = divided || A::type.e[i] < 0;  // what a name is padded to has no name
    if (must && cut_of(A::type.e[i], M::of[k].size) == ext::invalid) return {spec_fault::indivisible, i};
  }
  return {};
}

template <extent Name> using named_axis = typename message::spelled<Name>::type;
template <class A> struct shape_name;
template <class T, extent... E> struct shape_name<array<T, E...>> {
  using type = message::shape_text<E...>;
};
template <class M> struct mesh_names;
template <axis... X> struct mesh_names<mesh<X...>> {
  using type = message::named_shape<named_axis<X.name>...>;
};
/// The error of a fault at an axis; message::fine where there is none.
template <class A, class M, class S, spec_fault Fault, int At> constexpr auto spec_error() {
  [[maybe_unused]] constexpr extent name = S::cuts(At);
  using shape = typename shape_name<A>::type;
  if constexpr (Fault == spec_fault::none) return std::type_identity<message::fine>{};
  else if constexpr (Fault == spec_fault::too_many)
    return std::type_identity<message::E174_more_names_than_axes<message::arguments<S::named>, shape>>{};
  else if constexpr (Fault == spec_fault::absent)
    return std::type_identity<message::E174_no_such_axis_of_the_mesh<named_axis<name>, typename mesh_names<M>::type>>{};
  else if constexpr (Fault == spec_fault::twice)
    return std::type_identity<message::E174_axis_of_the_mesh_twice<named_axis<name>>>{};
  else if constexpr (Fault == spec_fault::open)
    return std::type_identity<message::E175_open_axis_of_the_mesh<named_axis<name>, shape>>{};
  else
    return std::type_identity<message::E173_mesh_does_not_divide<shape, message::axis<At>, named_axis<name>,
                                                                 message::size<M::of[mesh_axis_of<M, S>(At)].size>>>{};
}
template <class Error> inline constexpr bool is_fine = std::is_same_v<Error, message::fine>;

/// One shard of A; where the sizes need not divide, its last shards have padding.
template <class A, class M, class S, bool Padded> struct local;
template <class T, extent... E, class M, class S, bool Padded> struct local<array<T, E...>, M, S, Padded> {
  using whole = array<T, E...>;
  static constexpr spec_verdict verdict = judge_whole<whole, M, S>(!Padded);
  using wrong = typename decltype(spec_error<whole, M, S, verdict.fault, verdict.axis>())::type;
  static constexpr bool fits = is_fine<wrong>;
  static constexpr extent part(extent e, int i) {
    int const k = mesh_axis_of<M, S>(i);
    if (k < 0 || M::of[k].size == 0) return e;
    return Padded && e >= 0 ? (e + M::of[k].size - 1) / M::of[k].size : cut_of(e, M::of[k].size);
  }
  static constexpr auto find() {
    if constexpr (!fits) {
      message::fail<wrong>();
      return std::type_identity<whole>{};
    } else
      return []<int... Nth>(std::integer_sequence<int, Nth...>) {
        return std::type_identity<array<T, part(E, Nth)...>>{};
      }(std::make_integer_sequence<int, int(sizeof...(E))>{});
  }
};

template <class L, class M, class S> struct global;
template <class T, extent... E, class M, class S> struct global<array<T, E...>, M, S> {
  using shard = array<T, E...>;
  static constexpr spec_verdict verdict = judge_names<M, S>(int(sizeof...(E)));
  using wrong = typename decltype(spec_error<shard, M, S, verdict.fault, verdict.axis>())::type;
  static constexpr extent all(extent e, int i) {
    int const k = mesh_axis_of<M, S>(i);
    return k < 0 ? e : ext::mul(e, M::of[k].size ? M::of[k].size : M::of[k].name);
  }
  static constexpr bool is_known = [] {
    if constexpr (!is_fine<wrong>) return false;
    else
      return []<int... Nth>(std::integer_sequence<int, Nth...>) {
        return ((all(E, Nth) != ext::invalid) && ... && true);
      }(std::make_integer_sequence<int, int(sizeof...(E))>{});
  }();
  static constexpr auto find() {
    if constexpr (!is_fine<wrong>) {
      message::fail<wrong>();
      return std::type_identity<shard>{};
    } else if constexpr (!is_known) {
      message::fail<message::E029_extent_too_complicated<message::shape_text<E...>, S>>();
      return std::type_identity<shard>{};
    } else
      return []<int... Nth>(std::integer_sequence<int, Nth...>) {
        return std::type_identity<array<T, all(E, Nth)...>>{};
      }(std::make_integer_sequence<int, int(sizeof...(E))>{});
  }
};

}  // namespace detail

/// The type of one shard of an array of type A on a mesh of type M, cut as S says.
///
/// shape   [48, 4], spec<"data"_n>, "data" of 4 -> [12, 4]
/// errors  E173 a size of the mesh does not divide the axis, E174 the mesh lacks the axis, an axis of the mesh twice,
///         more names than axes; E175 the size is told at the start only (all while compiling)
template <any_array A, any_mesh M, any_spec S> using local_of =
    typename decltype(detail::local<A, M, S, false>::find())::type;
/// The same where sizes need not divide: shards are as long as the first, and the last ones have padding.
template <any_array A, any_mesh M, any_spec S> using padded_local_of =
    typename decltype(detail::local<A, M, S, true>::find())::type;
/// The type of the whole array of whose shards each is an L; an axis of the mesh that is open is there by its name.
///
/// shape   [12, 4], spec<"data"_n>, "data" of 4 -> [48, 4]; of any size -> [12 * data, 4]
/// errors  E174 as local_of; E029 a size would have too many names
template <any_array L, any_mesh M, any_spec S> using global_of =
    typename decltype(detail::global<L, M, S>::find())::type;

}  // namespace etna::dist

#include <etna/set_back.hpp>
