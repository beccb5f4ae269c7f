// SPDX-License-Identifier: BSD-3-Clause
// shard_map: a function that every process calls on its shards, with what its arguments and results are of the whole.
// Read next: <etna/interop/span.hpp>.
#pragma once
#include <etna/set_aside.hpp>

#include "border.hpp"
#include "over_mesh.hpp"
#include "sharded.hpp"

namespace etna::dist {

/// A spec for each argument of a function, or one for all; likewise for its results, where it returns a tuple.
template <any_spec... S> struct in_specs {};
template <any_spec... S> struct out_specs {};

namespace detail {

template <class List> struct specs_in;
template <template <class...> class List, class... S> struct specs_in<List<S...>> {
  static constexpr int n = sizeof...(S);
  template <int Nth> using at = std::tuple_element_t < n == 1 ? 0 : Nth<n ? Nth : n, std::tuple<S..., spec<>>>;
  /// The first error among names, of arrays of as many axes as there are.
  template <class M> static constexpr auto judge() {
    using found = std::tuple<typename decltype(error_in<M, S>())::type..., message::fine>;
    return []<std::size_t... K>(std::index_sequence<K...>) {
      constexpr int first = [] {
        bool const fine[] = {is_fine<std::tuple_element_t<K, found>>...};
        int k = 0;
        while (k < n && fine[k]) ++k;
        return k;
      }();
      return std::type_identity<std::tuple_element_t<first, found>>{};
    }(std::make_index_sequence<sizeof...(S) + 1>{});
  }

 private:
  template <class Mesh, class Spec> static constexpr auto error_in() {
    constexpr spec_verdict fault = judge_names<Mesh, Spec>(Spec::named);
    return spec_error<array<float>, Mesh, Spec, fault.fault, fault.axis>();
  }
};
/// The axes of the mesh that a spec names, as bits.
template <class M, class S> constexpr int axes_of() {
  int bits = 0;
  for (int i = 0; i < S::named; ++i)
    if (S::cuts(i)) bits |= 1 << M::find(S::cuts(i));
  return bits;
}
/// The error of a spec that has more entries than an array has axes.
template <class A, class M, class S> constexpr auto too_many_names() {
  constexpr spec_verdict fault = judge_names<M, S>(A::rank);
  return spec_error<A, M, S, fault.fault, fault.axis>();
}
/// f of each of the elements.
template <class T, std::size_t N, class F> constexpr auto of_each(std::array<T, N> const& x, F const& f) {
  return [&]<std::size_t... K>(std::index_sequence<K...>) {
    return std::array<decltype(f(x[0])), N>{f(x[K])...};
  }(std::make_index_sequence<N>{});
}
/// An argument with shards in the places of sharded arrays. What is no sharded array is this process's shard itself.
template <class M, class S, class T> constexpr auto shards_of(T const& x) {
  if constexpr (any_sharded<T>) {
    if constexpr (!std::is_same_v<typename T::mesh_type, M> || !std::is_same_v<typename T::spec_type, S>)
      message::fail<message::E188_specs_disagree<typename T::spec_type, S>>();
    return x.local;
  } else if constexpr (any_array<T>) {
    using wrong = typename decltype(too_many_names<T, M, S>())::type;
    if constexpr (!is_fine<wrong>) message::fail<wrong>();
    return x;
  } else if constexpr (tree::number<T>) return x;
  else if constexpr (tree::detail::is_std_array<T>::value)
    return of_each(x, [](auto const& one) { return shards_of<M, S>(one); });
  else
    return [&]<std::size_t... K>(std::index_sequence<K...>) {
      auto const c = tree::detail::children(x);
      return tree::detail::rebuild<T>(shards_of<M, S>(tree::detail::get<K>(c))...);
    }(std::make_index_sequence<decltype(tree::detail::children(x))::size>{});
}
/// A result with sharded arrays in the places of shards, where the spec cuts; a struct of the user's keeps its arrays.
template <class M, class S, class T> constexpr auto wholes_of(T const& y) {
  if constexpr (S::named == 0) return y;
  else if constexpr (any_array<T>) {
    using wrong = typename decltype(too_many_names<T, M, S>())::type;
    if constexpr (!is_fine<wrong>) {
      message::fail<wrong>();
      return y;
    } else return sharded<T, M, S>{y};
  } else if constexpr (tree::detail::is_tuple<T>::value)
    return [&]<std::size_t... K>(std::index_sequence<K...>) {
      auto const c = tree::detail::children(y);
      return tree::detail::rebuild<T>(wholes_of<M, S>(tree::detail::get<K>(c))...);
    }(std::make_index_sequence<std::tuple_size_v<T>>{});
  else return y;
}
/// Is there a spec for each element of a result?
template <class T, class Out> inline constexpr bool is_apart = tree::detail::is_tuple<T>::value && specs_in<Out>::n > 1;

/// What shard_map says of arguments and results.
template <class M, class In, class Out> struct shards {
  template <int Nth, int N, class T> static constexpr auto local(T const& x) {
    static_assert(message::holds < specs_in<In>::n == 1 || specs_in<In>::n == N, message::E189_so_many_specs < In >>);
    return shards_of<M, typename specs_in<In>::template at<Nth>>(x);
  }
  template <int Nth> static constexpr int along() { return axes_of<M, typename specs_in<In>::template at<Nth>>(); }

  template <int Nth, class T> static constexpr auto enter(T const& x) {
    return tree::map(border<M>{along<Nth>(), false}, x);
  }
  template <class T> static constexpr auto leave(T const& y) {
    if constexpr (!is_apart<T, Out>) return tree::map(out_by<0>(), y);
    else
      return [&]<std::size_t... K>(std::index_sequence<K...>) {
        return tree::detail::rebuild<T>(tree::map(out_by<int(K)>(), std::get<K>(y))...);
      }(std::make_index_sequence<std::tuple_size_v<T>>{});
  }
  template <class T> static constexpr int differing(int const* marks, T const& y) {
    if constexpr (!is_apart<T, Out>) return part_differing<0>(marks, y);
    else
      return [&]<std::size_t... K>(std::index_sequence<K...>) {
        int found = -1;
        ((found = found < 0 ? part_differing<int(K)>(marks, std::get<K>(y)) : found), ...);
        return found;
      }(std::make_index_sequence<std::tuple_size_v<T>>{});
  }

  template <class T> static constexpr auto whole(T const& y) {
    if constexpr (!is_apart<T, Out>) {
      static_assert(message::holds<specs_in<Out>::n == 1, message::E189_so_many_specs<Out>>);
      return wholes_of<M, typename specs_in<Out>::template at<0>>(y);
    } else {
      static_assert(message::holds<specs_in<Out>::n == std::tuple_size_v<T>, message::E189_so_many_specs<Out>>);
      return [&]<std::size_t... K>(std::index_sequence<K...>) {
        return tree::detail::rebuild<T>(wholes_of<M, typename specs_in<Out>::template at<int(K)>>(std::get<K>(y))...);
      }(std::make_index_sequence<std::tuple_size_v<T>>{});
    }
  }

 private:
  template <int Nth> static constexpr border<M> out_by() {
    return {axes_of<M, typename specs_in<Out>::template at<Nth>>(), true};
  }
  template <int Nth, class T> static constexpr int part_differing(int const* marks, T const& y) {
    look_at_leaves look{marks, axes_of<M, typename specs_in<Out>::template at<Nth>>()};
    tree::for_each(look, y);
    return look.found;
  }
};

}  // namespace detail

/// shard_map<mesh, in_specs<...>, out_specs<...>>(f): f compiled, as each process calls it on its shards. f sees their
/// types; inside, psum<"data"_n> and its like go along that axis of the mesh.
///
///     constexpr auto mean_of_rows = dist::shard_map<grid, in_specs<spec<"data"_n>>, out_specs<spec<>>>(
///         [](auto const& x) { return pmean<"data"_n>(mean<0>(x)); });
///     array<float, 4> const m = mean_of_rows(x);  // x: dist::sharded<array<float, 12, 4>, grid, spec<"data"_n>>
///
/// call    arguments are sharded arrays, trees of them, or this process's shards themselves (a batch that it has read);
///         with spec<>, what all processes have alike
/// shape   results are sharded arrays where their spec names an axis; arrays in a struct of the user's are its shards;
///         with spec<>, what all processes have alike, which is checked while compiling: E186
/// diff    inside as under vmap: psum's transpose is psum; from outside (grad of a function that calls this one) as of
///         the whole arrays: gradients of arguments are added up along the axes that their spec does not name
/// errors  E174 a spec names no axis of the mesh; E186 a result differs where its spec says nothing; E187 a collective
///         under a branch that only some ranks take; E188 an argument is cut otherwise; E189 how many specs; as jit
/// source  JAX shard_map
/// example test/ranks/shard_map.cpp  [specs, one axis and two, on 1 to 4 ranks]
template <any_mesh M, class In, class Out, class F> constexpr auto shard_map(F f) {
  using of_arguments = typename decltype(detail::specs_in<In>::template judge<M>())::type;
  using of_results = typename decltype(detail::specs_in<Out>::template judge<M>())::type;
  if constexpr (!detail::is_fine<of_arguments> || !detail::is_fine<of_results>) {
    message::fail<std::conditional_t<detail::is_fine<of_arguments>, of_results, of_arguments>>();
    return etna::jit(detail::over_mesh<M, detail::own_arrays, F>{f});
  } else return etna::jit(detail::over_mesh<M, detail::shards<M, In, Out>, F>{f});
}

}  // namespace etna::dist

#include <etna/set_back.hpp>
