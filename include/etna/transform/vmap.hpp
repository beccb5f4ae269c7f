// SPDX-License-Identifier: BSD-3-Clause
// vmap: the function is written for one example; each of its equations is batched as it is written
// (tracing::emit asks the row's batch rule), one world further out. Values from outside stay as they
// are. No primitive is named here. Read next: grad.hpp.
#pragma once
#include <climits>

#include "capture.hpp"

namespace etna {

/// The axis of an argument that vmap leaves whole.
inline constexpr int none = INT_MIN;

/// Axes of vmap's results, as a second argument: vmap<0>(f, out_axes<1>).
template <int... Axis> struct out_axes_t {};
template <int... Axis> inline constexpr out_axes_t<Axis...> out_axes{};

/// A name for vmap's axis, as a second argument: vmap<0>(f, axis_name<"i"_n>). psum and its like refer to it.
template <extent Name> struct axis_name_t {};
template <extent Name> inline constexpr axis_name_t<Name> axis_name{};

namespace transform {

template <class A, int Axis> struct without_axis {
  static constexpr int axis = Axis < 0 ? Axis + A::rank : Axis;
  static constexpr bool fits = axis >= 0 && axis < A::rank;
  static constexpr extent size = fits ? A::type.e[fits ? axis : 0] : 0;
  static constexpr tensor_type value = fits ? A::type.drop(axis) : A::type;
};
template <class A, int Axis, extent N> struct with_axis {
  static constexpr int axis = Axis < 0 ? Axis + A::rank + 1 : Axis;
  static constexpr bool fits = axis >= 0 && axis <= A::rank;
  static constexpr tensor_type value = fits ? A::type.insert(axis, N) : A::type;
};

/// The size that the axis has in every leaf of T, where there is one, and they agree. Neither is the size of an axis: 0
/// is one.
inline constexpr extent sizes_disagree = INT64_MIN, no_axis = INT64_MIN + 1;
constexpr extent agree(extent a, extent b) { return a == no_axis ? b : b == no_axis || a == b ? a : sizes_disagree; }
template <class T, int Axis> constexpr extent mapped_size() {
  if constexpr (Axis == none) return no_axis;
  else if constexpr (tree::number<T>) return sizes_disagree;
  else if constexpr (any_array<T>)
    return without_axis<std::remove_cvref_t<T>, Axis>::fits ? without_axis<std::remove_cvref_t<T>, Axis>::size
                                                            : sizes_disagree;
  else if constexpr (tree::detail::is_std_array<T>::value) return mapped_size<typename T::value_type, Axis>();
  else
    return []<class... F>(std::type_identity<std::tuple<F...>>) {
      extent n = no_axis;
      ((n = agree(n, mapped_size<F, Axis>())), ...);
      return n;
    }(std::type_identity<tree::detail::fields_of<T>>{});
}

template <class F, class In, class Out, extent Name = 0> struct vmap_of;
template <class F, int... In, int... Out, extent Name>
struct vmap_of<F, std::integer_sequence<int, In...>, std::integer_sequence<int, Out...>, Name> {
  [[no_unique_address]] F f;

  template <class... A> constexpr auto operator()(A const&... args) const {
    if constexpr (sizeof...(In) == 0) return spread<0>(std::make_index_sequence<sizeof...(A)>{}, args...);
    else if constexpr (sizeof...(In) == 1 && sizeof...(A) != 1)
      return spread<In...>(std::make_index_sequence<sizeof...(A)>{}, args...);
    else if constexpr (sizeof...(In) != sizeof...(A)) {
      message::fail<message::E017_vmap_axes<F, A...>>();
      return array<float>();
    } else return checked<In...>(args...);
  }

 private:
  template <int Axis, std::size_t> static constexpr int same = Axis;
  template <int Axis, std::size_t... Nth, class... A>
  constexpr auto spread(std::index_sequence<Nth...>, A const&... args) const {
    return checked<same<Axis, Nth>...>(args...);
  }
  template <int... Axis, class... A> constexpr auto checked(A const&... args) const {
    constexpr extent n = [] {
      extent m = no_axis;
      ((m = agree(m, mapped_size<A, Axis>())), ...);
      return m;
    }();
    if constexpr (n == sizes_disagree) {
      message::fail<message::E016_vmap_sizes_disagree<F, A...>>();
      return array<float>();
    } else if constexpr (n == no_axis) {
      message::fail<message::E018_vmap_no_axis<F, A...>>();
      return array<float>();
    } else return run<n, Axis...>(args...);
  }

  /// One example of t: leaves that are seen from inside only.
  template <int Axis, class T> static constexpr auto enter(graph* home, int level, T const& t) {
    if constexpr (Axis == none) return t;
    else
      return tree::map(
          [&](auto const& x) {
            using A = std::remove_cvref_t<decltype(x)>;
            using dropped = without_axis<A, Axis>;
            graph& g = current(home);
            var whole = ops::move_axis(value_in(g, x), dropped::axis, 0);
            return access::from<array_of<dropped>>(ops::example_of(g, whole, level));
          },
          t);
  }
  template <int Axis, extent N, class T>
  static constexpr auto leave(graph* home, int level, T const& t, bool recorded) {
    return tree::map(
        [&](auto const& number_or_array) {
          auto const& x = as_array(number_or_array);
          using A = std::remove_cvref_t<decltype(x)>;
          if constexpr (Axis == none) return finish(x, recorded);
          else {
            using inserted = with_axis<A, Axis, N>;
            if constexpr (!inserted::fits) {
              message::fail<message::E030_out_axes<message::axis<Axis>, A>>();
              return x;
            } else {
              graph& g = current(home);
              var v = value_in(g, x);
              auto const& info = g.values[v.id];
              v = info.level == level ? var{&g, info.shadow} : ops::broadcast_front(v, g.batch[level]);
              v = ops::move_axis(v, 0, inserted::axis);
              return finish(access::from<array_of<inserted>>(v), recorded);
            }
          }
        },
        t);
  }

  template <extent N, int... Axis, class... A> constexpr auto run(A const&... args) const {
    names_agree(args...);
    bool recorded = is_recording(args...);
    std::tuple<decltype(lift(args))...> lifted{lift(args)...};
    home h(std::apply([](auto const&... x) { return graph_of(x...); }, lifted));
    int level = current(h.g).depth + 1;
    current(h.g).enter(level);
    auto inner = [&]<std::size_t... Nth>(std::index_sequence<Nth...>) {
      return std::tuple<decltype(enter<Axis>(h.g, level, std::get<Nth>(lifted)))...>{
          enter<Axis>(h.g, level, std::get<Nth>(lifted))...};
    }(std::make_index_sequence<sizeof...(A)>{});
    current(h.g).depth = level;
    current(h.g).names[level] = Name;
    auto y = std::apply(f, inner);
    graph& g = current(h.g);
    level = g.depth;  // another graph may have taken this one in
    g.depth = level - 1;
    g.names[level] = 0;
    g.entered[level] = g.n_values;
    if constexpr (sizeof...(Out) <= 1) return leave<(Out + ... + 0), N>(h.g, level, y, recorded);
    else
      return [&]<std::size_t... Nth>(std::index_sequence<Nth...>) {
        return tree::detail::rebuild<decltype(y)>(
            leave<Out, N>(h.g, level, tree::detail::get<Nth>(tree::detail::children(y)), recorded)...);
      }(std::make_index_sequence<sizeof...(Out)>{});
  }
};

template <class F, class In, class Out, extent Name> struct function_in<vmap_of<F, In, Out, Name>> {
  using type = void;
};

}  // namespace transform

/// vmap<axes...>(f): f over one more axis of its arguments; `none` leaves an argument whole.
///
/// shape   argument i loses axis i inside f; each result gains an axis in front, or out_axes<...>
/// errors  E016 mapped sizes disagree, E017 number of axes, E018 nothing mapped, E030 out axis
/// source  JAX vmap
// clang-format off
template <int... In, class F> constexpr auto vmap(F f) {  // E058: a name of several functions is no function; write a lambda around it, as in vmap([](auto const& x) { return max(x); })
  // clang-format on
  return transform::vmap_of<F, std::integer_sequence<int, In...>, std::integer_sequence<int>>{f};
}
template <int... In, class F, int... Out> constexpr auto vmap(F f, out_axes_t<Out...>) {
  return transform::vmap_of<F, std::integer_sequence<int, In...>, std::integer_sequence<int, Out...>>{f};
}

template <int... In, class F, extent Name> constexpr auto vmap(F f, axis_name_t<Name>) {
  return transform::vmap_of<F, std::integer_sequence<int, In...>, std::integer_sequence<int>, Name>{f};
}
template <int... In, class F, int... Out, extent Name> constexpr auto vmap(F f, out_axes_t<Out...>, axis_name_t<Name>) {
  return transform::vmap_of<F, std::integer_sequence<int, In...>, std::integer_sequence<int, Out...>, Name>{f};
}
#if !defined(__clang__)  // which names the candidate itself
template <int... In>
message::refused<message::E058_several_functions_have_this_name_write_a_lambda_around_it> vmap(...) = delete;
#endif

ETNA_REFUSE_NUMBERS(vmap, "vmap<0>(f), or vmap<none, 0>(f) for two arguments");

}  // namespace etna
