// SPDX-License-Identifier: BSD-3-Clause
// bucket<16, 64>(f): f for arrays whose named extent is known at run time only, as programs of some fixed sizes:
// arguments are padded with zeros to the smallest that holds them, results are cut. Read next: ../etna.hpp.
#pragma once
#include "jit.hpp"

namespace etna {

struct with_mask_t {};
struct with_count_t {};
/// The function's last parameter is a bool array: which of the bucket's places are arguments and not padding.
inline constexpr with_mask_t with_mask{};
/// The function's last parameter is an array<int>: how many places are arguments and not padding.
inline constexpr with_count_t with_count{};

namespace exec {

/// The buckets as they are given: a name in front or none, then sizes.
template <extent... S> struct bucket_list {
  static constexpr extent all[sizeof...(S) + 1] = {S..., 0};
  static constexpr extent name = all[0] < 0 ? all[0] : 0;
  static constexpr int first = name != 0, count = int(sizeof...(S)) - first;
  static constexpr extent size(int i) { return all[first + i]; }
  static constexpr bool ok = [] {
    if (count < 1 || (name != 0 && !ext::is_name(name))) return false;
    for (int i = 0; i < count; ++i)
      if (size(i) <= (i == 0 ? 0 : size(i - 1))) return false;
    return true;
  }();
  static std::string text() {
    std::string t;
    for (int i = 0; i < count; ++i) t += (i ? ", " : "") + std::to_string(size(i));
    return t;
  }
};

/// How the names of some leaves go with the bucketed one (0: the only one that they have).
template <class Leaves> struct names_of : leaf_types<Leaves> {
  using leaf_types<Leaves>::types;
  /// The only name; 0 where there is none, or more than one.
  static constexpr extent only() {
    extent found = 0;
    for (auto const& t : types)
      for (int i = 0; i < t.rank; ++i)
        if (!ext::all_names(t.e[i], [&](extent name) {
              bool same = found == 0 || found == name;
              found = name;
              return same;
            }))
          return 0;
    return found;
  }
  static constexpr bool have(extent name) {
    for (auto const& t : types)
      for (int i = 0; i < t.rank; ++i)
        if (t.e[i] == name) return true;
    return false;
  }
  static constexpr bool derive_from(extent name) {
    for (auto const& t : types)
      for (int i = 0; i < t.rank; ++i)
        if (t.e[i] != name && !ext::all_names(t.e[i], [&](extent other) { return other != name; })) return true;
    return false;
  }
};

/// A with a size in place of a name.
template <class A, extent Name, extent Size> struct sized_holder {
  static constexpr tensor_type value = [] {
    tensor_type t = A::type;
    for (int i = 0; i < t.rank; ++i)
      if (t.e[i] == Name) t.e[i] = Size;
    return t;
  }();
};
template <class A, extent Name, extent Size> using sized = array_of<sized_holder<A, Name, Size>>;

/// What the function is given besides its arguments.
enum class besides { nothing, mask, count };
template <class L> constexpr besides besides_of() {
  if constexpr (!any_array<L>) return besides::nothing;
  else
    return L::rank == 1 && L::type.d == dtype::boolean ? besides::mask
           : L::rank == 0 && is_integer(L::type.d)     ? besides::count
                                                       : besides::nothing;
}
template <besides X, extent Name> struct besides_type {
  using type = array<int>;
};
template <extent Name> struct besides_type<besides::mask, Name> {
  using type = array<bool, Name>;
};

template <besides X, class F, class Extra, class... P>
constexpr auto call_with(F const& f, Extra const& extra, P const&... p) {
  if constexpr (X == besides::nothing) return transform::lift(f(p...));
  else return transform::lift(f(p..., extra));
}

/// Which of `size` places are below the count, a value of a graph.
template <extent Name> constexpr array<bool, Name> mask_of(extent size, tracing::var count) {
  tensor_type t{dtype::i32, 1, {size}};
  return access::from<array<bool, Name>>(
      ops::lt(ops::iota(tracing::resolve(count).g, t, 0), ops::broadcast(count, t, nullptr)));
}
/// A value without operands that is all of A.
template <class A> constexpr A constant(int op, std::int64_t bits, tensor_type const& t) {
  A a;
  access::traced(a) = tracing::emit(op, nullptr, 0, &bits, 1, t, tracing::graph::make(tracing::recipe_capacity));
  return a;
}
/// The mask or the count where nothing is padded, and n may be a name.
template <besides X, extent Name> constexpr typename besides_type<X, Name>::type whole(extent n) {
  using R = typename besides_type<X, Name>::type;
  tensor_type t{R::type.d, R::rank, {n}};
  if constexpr (X == besides::mask) {
    if (__builtin_is_constant_evaluated()) return constant<R>(ops::code<ops::full_p>, 1, t);
    else return R::build([&](bool* out) { std::fill_n(out, n, true); }, {n});
  } else if (n >= 0) return R(int(n));
  else return constant<R>(ops::code<ops::extent_size_p>, n, t);
}

/// The function of one bucket: of leaves of that size, and of the number of places that are not padding. Inside, types
/// keep their names, and values have sizes.
template <class F, besides X, extent Name, extent Size, class Parameters, class Leaves> struct fitted;
template <class F, besides X, extent Name, extent Size, class... P, class... L>
struct fitted<F, X, Name, Size, std::tuple<P...>, std::tuple<L...>> {
  [[no_unique_address]] F f;
  constexpr auto operator()(sized<L, Name, Size> const&... leaf, array<int> const& count) const {
    auto all = tree::unflatten(tree::structure<std::tuple<P...>>{}, std::tuple<L...>{L(leaf)...});
    auto y = std::apply(
        [&](P const&... p) {
          if constexpr (X == besides::mask) return call_with<X>(f, mask_of<Name>(Size, access::traced(count)), p...);
          else return call_with<X>(f, count, p...);
        },
        all);
    return std::apply(
        [](auto const&... r) { return std::tuple{sized<std::remove_cvref_t<decltype(r)>, Name, Size>(r)...}; },
        tree::leaves(y));
  }
};

/// What two row-major arrays have in common, from one to the other.
inline void copy_common(tensor_type const& from, char const* x, tensor_type const& to, char* y, int axis = 0) {
  extent step_x = bytes_of(from.d), step_y = step_x;
  bool rest_same = true;
  for (int i = axis + 1; i < from.rank; ++i) {
    rest_same = rest_same && from.e[i] == to.e[i];
    step_x *= from.e[i];
    step_y *= to.e[i];
  }
  extent n = from.e[axis] < to.e[axis] ? from.e[axis] : to.e[axis];
  if (rest_same) {
    if (n * step_x > 0) std::memcpy(y, x, std::size_t(n * step_x));
    return;
  }
  for (extent i = 0; i < n; ++i) copy_common(from, x + i * step_x, to, y + i * step_y, axis + 1);
}
/// x in an array of other sizes, given by `set(type)`: filled up with zeros, or cut.
template <class To, class From, class Set> To refitted(From const& x, Set set) {
  tensor_type from = transform::concrete_type(x), to = from;
  set(to);
  if (from == to) return To(x);
  To r = access::make<To>(to);
  char* out = static_cast<char*>(access::writable(r));
  std::memset(out, 0, std::size_t(to.size() * bytes_of(to.d)));
  copy_common(from, reinterpret_cast<char const*>(x.data()), to, out);
  return r;
}

template <class Tuple, std::size_t N> struct first_of;
template <class... T, std::size_t N> struct first_of<std::tuple<T...>, N> {
  template <std::size_t... Nth> static auto take(std::index_sequence<Nth...>)
      -> std::tuple<std::tuple_element_t<Nth, std::tuple<T...>>...>;
  using type = decltype(take(std::make_index_sequence<N>{}));
};

/// The parameters of F for arguments A, without a last one for the mask or the count.
template <class F, besides Told, class... A> struct bucket_parameters {
  using all = typename signature<F, A...>::type;
  static constexpr std::size_t n = sizeof...(A), declared_n = std::tuple_size_v<all>;
  static constexpr besides extra = [] {
    if constexpr (Told != besides::nothing) return Told;
    else if constexpr (declared_n == n + 1) return besides_of<std::tuple_element_t<n, all>>();
    else return besides::nothing;
  }();
  using type = typename first_of<all, (declared_n < n ? declared_n : n)>::type;
};

}  // namespace exec

/// A function compiled for some sizes of a named extent. Made by bucket.
template <class F, class Buckets, exec::besides Told> struct bucketed {
  [[no_unique_address]] F f;

  template <class... A> constexpr auto operator()(A const&... args) const {
    using Given = exec::bucket_parameters<F, Told, A...>;
    if constexpr (!std::is_empty_v<F> || !std::is_default_constructible_v<F>)
      message::fail<message::E007_capture_in_jit<F>>();
    else if constexpr (exec::is_untold<typename Given::type>)
      message::fail<message::E097_sizes_known_at_run_time<message::from<A>...>>();
    else return checked<Given::extra>(std::type_identity<typename Given::type>{}, args...);
  }

 private:
  using access = etna::detail::access;
  using besides = exec::besides;

  template <besides X, class... P, class... A>
  constexpr auto checked(std::type_identity<std::tuple<P...>>, A const&... args) const {
    using Leaves = decltype(tree::leaves(std::declval<std::tuple<P...> const&>()));
    using names = exec::names_of<Leaves>;
    constexpr extent name = Buckets::name != 0 ? Buckets::name : names::only();
    if constexpr (name == 0 || !names::have(name)) message::fail<message::E085_bucket_axis<F, P...>>();
    else if constexpr (names::derive_from(name)) message::fail<message::E086_bucket_derived<F, P...>>();
    else return enter<X, name, Leaves, P...>(exec::as_parameter<P>(args)...);
  }
  template <besides X, extent Name, class Leaves, class... P> constexpr auto enter(P const&... p) const {
    using Extra = typename exec::besides_type<X, Name>::type;
    using R = decltype(exec::call_with<X>(f, std::declval<Extra const&>(), p...));
    using Results = decltype(tree::leaves(std::declval<R const&>()));
    if constexpr (exec::names_of<Results>::derive_from(Name)) message::fail<message::E086_bucket_derived<F, Results>>();
    else {
      if (__builtin_is_constant_evaluated() || transform::is_recorded(p...))
        return exec::call_with<X>(f, exec::whole<X, Name>(size_inside<Name>(p...)), p...);
      ext::bindings size;
      auto look = [&](auto const& x) {
        using L = std::remove_cvref_t<decltype(x)>;
        if constexpr (!L::is_static) exec::learn_sizes(L::type, x.shape().data(), size);
      };
      (tree::for_each(look, p), ...);
      return choose<0, X, Name, R, P...>(size.look(Name), tree::leaves(std::tuple<P...>{p...}));
    }
  }
  template <int Nth, besides X, extent Name, class R, class... P, class... L>
  R choose(extent n, std::tuple<L...> const& leaves) const {
    if constexpr (Nth == Buckets::count) {
      char text[16]{};
      *ext::write_name(text, Name) = 0;
      message::raise<118>(std::string(text) + " is " + std::to_string(n) + ", and the buckets are " + Buckets::text());
    } else if (n > Buckets::size(Nth)) return choose<Nth + 1, X, Name, R, P...>(n, leaves);
    else {
      constexpr extent size = Buckets::size(Nth);
      auto with = [](extent to, tensor_type const& named) {
        return [=](tensor_type& t) {
          for (int i = 0; i < t.rank; ++i)
            if (named.e[i] == Name) t.e[i] = to;
        };
      };
      using program = exec::fitted<F, X, Name, size, std::tuple<P...>, std::tuple<L...>>;
      auto out = std::apply(
          [&](L const&... x) {
            return jitted<program>{}(exec::refitted<exec::sized<L, Name, size>>(x, with(size, L::type))...,
                                     array<int>(int(n)));
          },
          leaves);
      using Results = decltype(tree::leaves(std::declval<R const&>()));
      return tree::unflatten(tree::structure<R>{}, [&]<std::size_t... K>(std::index_sequence<K...>) {
        return Results{exec::refitted<std::tuple_element_t<K, Results>>(
            std::get<K>(out), with(n, std::tuple_element_t<K, Results>::type))...};
      }(std::make_index_sequence<std::tuple_size_v<Results>>{}));
    }
  }
  /// The size of the bucketed axis inside jit and inside an eager transform.
  template <extent Name, class... P> static constexpr extent size_inside(P const&... p) {
    extent n = Name;
    auto look = [&](auto const& x) {
      using L = std::remove_cvref_t<decltype(x)>;
      tracing::var v = access::traced(x);
      for (int i = 0; i < L::rank; ++i)
        if (L::type.e[i] == Name && (v.g || !__builtin_is_constant_evaluated()))
          n = v.g ? tracing::type_of(tracing::resolve(v)).e[i] : transform::concrete_type(x).e[i];
    };
    (tree::for_each(look, p), ...);
    return n;
  }
};

namespace exec {
template <besides Told, extent... Sizes, class F> constexpr auto bucket_told(F f) {
  using B = bucket_list<Sizes...>;
  if constexpr (!B::ok) {
    message::fail<message::E084_bucket_sizes<message::indices<Sizes...>>>();
    return f;
  } else return bucketed<F, B, Told>{f};
}
}  // namespace exec

/// f for sizes of a named extent that are known at run time only: compiled once for each bucket, with static shapes.
///
/// f       a function object without captures, as for jit. A last bool array of the named extent (or an array<int>)
/// that the
///         call does not give is the mask (the count) of what is not padding; where f's parameters are `auto`, say so:
///         bucket<16, 64>(f, with_mask), bucket<16, 64>(f, with_count)
/// shape   bucket<"n"_n, 16, 64>: parameters with the axis n are padded with zeros to the smallest bucket that holds
/// them,
///         results with it are cut, others are returned as they are. The name may be left out where there is one
/// cost    as jit of each size; a copy of each padded argument and each cut result
/// errors  E007, E008, E097 as jit, E084 sizes, E085 which name, E086 a size derived from it; E110, E118 too large at
///         run time
template <extent... Sizes, class F> constexpr auto bucket(F f) {
  return exec::bucket_told<exec::besides::nothing, Sizes...>(f);
}
template <extent... Sizes, class F> constexpr auto bucket(F f, with_mask_t) {
  return exec::bucket_told<exec::besides::mask, Sizes...>(f);
}
template <extent... Sizes, class F> constexpr auto bucket(F f, with_count_t) {
  return exec::bucket_told<exec::besides::count, Sizes...>(f);
}

}  // namespace etna
