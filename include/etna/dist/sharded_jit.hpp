// SPDX-License-Identifier: BSD-3-Clause
// dist::jit: a function of whole arrays, compiled for processes that have parts of them. Read next:
// <etna/interop/span.hpp>.
#pragma once
#include <etna/set_aside.hpp>

#include "partition_loops.hpp"
#include "shard_map.hpp"
#include <etna/exec/jit.hpp>

namespace etna::dist {

namespace detail {

/// A tree with whole arrays in the places of sharded ones.
template <class T> constexpr auto as_whole(T const& x) {
  if constexpr (any_sharded<T>) return typename T::whole{};
  else if constexpr (tree::detail::is_std_array<T>::value)
    return of_each(x, [](auto const& one) { return as_whole(one); });
  else if constexpr (any_array<T> || tree::number<T>) return x;
  else
    return [&]<std::size_t... K>(std::index_sequence<K...>) {
      [[maybe_unused]] auto const c = tree::detail::children(x);
      return tree::detail::rebuild<T>(as_whole(tree::detail::get<K>(c))...);
    }(std::make_index_sequence<decltype(tree::detail::children(x))::size>{});
}
template <class T> using whole_tree = decltype(as_whole(std::declval<T const&>()));
/// What keeps arguments from being divided, the first of them; message::fine: nothing.
template <class Wrong> struct verdict_on_arguments {
  using type = Wrong;
  template <class Other> constexpr auto operator+(verdict_on_arguments<Other> next) const {
    if constexpr (is_fine<Wrong>) return next;
    else return *this;
  }
};
/// Another mesh; a shard that the whole's type does not tell, since it has padding or an axis is open.
template <class M, class T> constexpr auto find_wrong() {
  if constexpr (any_sharded<T>) {
    if constexpr (!std::is_same_v<typename T::mesh_type, M>)
      return verdict_on_arguments<message::E188_specs_disagree<typename T::mesh_type, M>>{};
    else return verdict_on_arguments<typename local<typename T::whole, M, typename T::spec_type, false>::wrong>{};
  } else if constexpr (tree::detail::is_std_array<T>::value) return find_wrong<M, typename T::value_type>();
  else if constexpr (any_array<T> || tree::number<T>) return verdict_on_arguments<message::fine>{};
  else
    return []<class... C>(std::type_identity<std::tuple<C...>>) {
      return (verdict_on_arguments<message::fine>{} + ... + find_wrong<M, C>());
    }(std::type_identity<tree::detail::fields_of<T>>{});
}
/// f(leaf, its cut) for each leaf.
template <class M, class T, class F> constexpr void each_part(T const& x, F const& f) {
  if constexpr (any_sharded<T>) {
    f(x.local, T::cut);
  } else if constexpr (tree::detail::is_std_array<T>::value) {
    for (auto const& one : x) each_part<M>(one, f);
  } else if constexpr (any_array<T> || tree::number<T>) tree::for_each([&](auto const& leaf) { f(leaf, nowhere); }, x);
  else
    [&]<std::size_t... K>(std::index_sequence<K...>) {
      [[maybe_unused]] auto const c = tree::detail::children(x);
      (each_part<M>(tree::detail::get<K>(c), f), ...);
    }(std::make_index_sequence<decltype(tree::detail::children(x))::size>{});
}
/// A result of whole type T, as the spec says: next(cut) gives the value of the next leaf.
template <class M, class S, class T, class Next> constexpr auto part_of_result(Next& next) {
  if constexpr (any_array<T> && S::named > 0)
    return sharded<local_of<T, M, S>, M, S>{etna::detail::access::from<local_of<T, M, S>>(next(cut_by<M, S>(T::rank)))};
  else if constexpr (tree::detail::is_tuple<T>::value)
    return [&]<std::size_t... K>(std::index_sequence<K...>) {
      // braces, so that leaves are taken in order
      std::tuple parts{part_of_result<M, S, std::tuple_element_t<K, T>>(next)...};
      return tree::detail::rebuild<T>(std::get<K>(parts)...);
    }(std::make_index_sequence<std::tuple_size_v<T>>{});
  else {
    T t{};
    tree::for_each([&](auto& x) { x = etna::detail::access::from<std::remove_cvref_t<decltype(x)>>(next(nowhere)); },
                   t);
    return t;
  }
}

/// The whole function, written for one process of the mesh.
template <class M, class Out, class F> struct partitioned {
  [[no_unique_address]] F f;

  template <class... A> constexpr auto operator()(A const&... a) const {
    using R = compiler::result_of<F, whole_tree<A>...>;
    using wrong = typename decltype((verdict_on_arguments<message::fine>{} + ... + find_wrong<M, A>()))::type;
    if constexpr (!is_fine<wrong>) {
      message::fail<wrong>();
      return R{};
    } else return divided<R>(a...);
  }

 private:
  template <class R, class... A> static constexpr auto divided(A const&... a) {
    graph* const around = transform::graph_around(a...);
    if (!__builtin_is_constant_evaluated())
      message::raise<168>(
          "dist::jit of sizes that have names, inside of an eager transform or debug::check_nan: call it "
          "outside of these");
    put_in_list said;
    ops::var_list out(compiler::result_count<F, whole_tree<A>...>);
    parts<R>(transform::current(around), said, out, a...);
    int n = 0;
    return results<R>([&] { return out[n++]; });
  }
  /// What derivatives from outside need: along axes that do not cut it a value is the same on all ranks (border.hpp).
  static constexpr tracing::var over_border(mesh_in_graph const& mesh, tracing::var x, cut const& c, bool out) {
    if (!is_floating(tracing::type_of(x).d)) return x;
    for (int k = 0; k < mesh.axes; ++k)
      if (c.of[k] < 0 && mesh.size[k] != 1) x = ops::mesh_border_p::of(x, mesh.axis(k), out, mesh.size[k]);
    return x;
  }
  /// Writes the program into g; the results' values.
  template <class R, class... A>
  static constexpr void parts(graph& g, put_in_list& said, ops::var_list& out, A const&... a) {
    mesh_in_graph const mesh = mesh_in_graph::of<M>();
    tracing::bounded_graph traced;
    tracing::zeros<int> outputs;
    int const n_out = compiler::trace_whole<F, whole_tree<A>...>(traced.g, outputs.at);
    if (traced.g.error) {
      g.error = traced.g.error;
      for (int k = 0; k < n_out; ++k) out.push({});
      return;
    }
    written_out whole;
    whole.make(traced.g, outputs.at, n_out);
    partitioner p(*whole.g, mesh, g, said);
    std::int64_t number = 0;
    (each_part<M>(a,
                  [&](auto const& leaf, cut const& c) {
                    p.argument(number++,
                               over_border(mesh, transform::value_in(g, transform::as_array(leaf)), c, false).id, c);
                  }),
     ...);
    p.run();
    int k = 0;
    auto next = [&](cut const& c) {
      out.push(over_border(mesh, {&g, p.wanted(whole.outputs[k], c, ops::code<ops::copy_p>, reason::result)}, c, true));
      return out[k++];
    };
    (void)results<R>(next);
  }

  template <class R, class Next> static constexpr auto results(Next&& next) {
    auto of = [&]([[maybe_unused]] cut const& c) {
      if constexpr (std::is_invocable_v<Next&, cut const&>) return next(c);
      else return next();
    };
    if constexpr (!is_apart<R, Out>) {
      static_assert(message::holds<specs_in<Out>::n == 1, message::E189_so_many_specs<Out>>);
      return part_of_result<M, typename specs_in<Out>::template at<0>, R>(of);
    } else {
      static_assert(message::holds<specs_in<Out>::n == std::tuple_size_v<R>, message::E189_so_many_specs<Out>>);
      return [&]<std::size_t... K>(std::index_sequence<K...>) {
        std::tuple parts{
            part_of_result<M, typename specs_in<Out>::template at<int(K)>, std::tuple_element_t<K, R>>(of)...};
        return tree::detail::rebuild<R>(std::get<K>(parts)...);
      }(std::make_index_sequence<std::tuple_size_v<R>>{});
    }
  }
};

}  // namespace detail

/// dist::jit<mesh>(f): f is written for whole arrays, and compiled for a process that has its part of those that are
/// sharded. The cut is followed through the program; where examples meet, as in the sum of a loss or in the product
/// that is a gradient, a collective is put in, and nowhere else. Numbers are those of the whole function, but for the
/// order of sums.
///
///     constexpr auto step = dist::jit<mesh>([](params const& p, array<float, 48, 784> const& x, labels const& y) {
///       auto const [loss, gradient] = value_and_grad(loss_of)(p, x, y);
///       return std::pair{loss, update(p, gradient)};
///     });
///     auto const [loss, next] = step(p, x, y);  // x, y: dist::sharded, 48 / n examples each; p: the same on all ranks
///
/// f       its parameters are whole arrays; auto parameters see these
/// call    arguments are sharded arrays, trees of them, or what all processes have alike
/// shape   results are what all processes have alike; with out_specs<...>, sharded arrays where a spec names an axis
/// cost    what mixes examples otherwise (a sort along the batch, say) is computed on all of them by every process,
///         which show_partition(f, ...) says
/// errors  as jit; E171, E172; E173 a size does not divide, or there is padding; E175 an open axis; E188 another mesh;
///         E189 the number of specs
/// source  JAX jit with NamedSharding; GSPMD (Xu et al. 2021), Shardy
/// example test/ranks/partition.cpp  [programs beside themselves on one process]
template <any_mesh M, class Out = out_specs<spec<>>, class F> constexpr auto jit(F f) {
  return etna::jit(detail::partitioned<M, Out, F>{f});
}

}  // namespace etna::dist

#include <etna/set_back.hpp>
