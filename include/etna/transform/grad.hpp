// SPDX-License-Identifier: BSD-3-Clause
// jvp, linearize, vjp, grad and value_and_grad as users call them: function objects around trees.
// Each runs the user's function once, on the graph that its arguments live in.
// Read next: jacobian.hpp.
#pragma once
#include "capture.hpp"

namespace etna {
namespace transform {

template <class T> constexpr bool all_floating() {
  if constexpr (tree::number<T>) return is_real<std::remove_cvref_t<T>>;
  else if constexpr (any_array<T>) return is_floating(std::remove_cvref_t<T>::type.d);
  else if constexpr (!std::is_void_v<typename tree::detail::culprit<T>::type>) return true;  // lift says what is wrong
  else if constexpr (tree::detail::is_std_array<T>::value) return all_floating<typename T::value_type>();
  else
    return []<class... F>(std::type_identity<std::tuple<F...>>) {
      return (all_floating<F>() && ...);
    }(std::type_identity<tree::detail::fields_of<T>>{});
}
template <class A> inline constexpr bool floating_scalar = [] {
  if constexpr (any_array<A>) return std::remove_cvref_t<A>::rank == 0 && is_floating(std::remove_cvref_t<A>::type.d);
  else return is_real<std::remove_cvref_t<A>>;
}();

/// Give the leaves of a copy of t new names in g, and list them.
template <int N, class T> constexpr T alias_leaves(graph& g, T const& t, vars<N>& list) {
  T copy = t;
  tree::for_each(
      [&](auto& x) {
        using A = std::remove_cvref_t<decltype(x)>;
        var v = ops::alias(value_in(g, x));
        list.push(v);
        x = access::from<A>(v);
      },
      copy);
  return copy;
}
template <int N, class T> constexpr void list_leaves(graph& g, T const& t, vars<N>& list) {
  tree::for_each([&](auto const& x) { list.push(value_in(g, as_array(x))); }, t);
}
/// A tree like t whose leaves are these values; an empty value is zeros.
template <int N, class T> constexpr T tree_of(T const& like, vars<N> const& list) {
  T copy = like;
  int k = 0;
  tree::for_each(
      [&](auto& x) {
        using A = std::remove_cvref_t<decltype(x)>;
        var v = list.v[k++];
        if (v) x = access::from<A>(v);
        else {
          var old = tracing::resolve(access::traced(x));
          if (old.g) x = access::from<A>(ops::full(old.g, tracing::type_of(old), 0));
          else x = A{};  // while compiling: one number everywhere
        }
      },
      copy);
  return copy;
}

/// A result in the form of its argument: where that was a C++ number, so is the result.
template <class Like, class T> constexpr auto lower_to(Like const& like, T const& t, bool recorded) {
  return tree::map(
      [&](auto const& l, auto const& x) {
        using L = std::remove_cvref_t<decltype(l)>;
        if constexpr (tree::number<L>) return L(x.item());
        else return finish(x, recorded);
      },
      like, t);
}
template <std::size_t Nth, std::size_t... N> inline constexpr bool is_one_of = ((Nth == N) || ...);

template <class F, bool HasAux, std::size_t... Argnum> struct value_and_grad_of {
  [[no_unique_address]] F f;

  /// The value of f and its gradient by the chosen arguments.
  template <class... A> constexpr auto operator()(A const&... args) const {
    if constexpr (((Argnum >= sizeof...(A)) || ...)) {
      message::fail<message::E015_argnum_out_of_range<message::argnum<int(Argnum)>...,
                                                      message::arguments<int(sizeof...(A))>, F>>();
      return std::pair{array<float>(), array<float>()};
    } else if constexpr (!(all_floating<std::tuple_element_t<Argnum, std::tuple<A...>>>() && ...)) {
      message::fail<message::E014_gradient_of_integer<message::argnum<int(Argnum)>..., A...>>();
      return std::pair{array<float>(), array<float>()};
    } else {
      if constexpr (looked_at<value_and_grad_of>)
        if (false) (void)unseen<typename function_in<F>::type>()(unseen<decltype(lift(args))>()...);
      return run(std::make_index_sequence<sizeof...(A)>{}, args...);
    }
  }

 private:
  template <std::size_t Nth, int N, class T> static constexpr auto prepare(graph& g, T const& arg, vars<N>& list) {
    if constexpr (is_one_of<Nth, Argnum...>) return alias_leaves(g, lift(arg), list);
    else return lift(arg);
  }
  template <std::size_t... Nth, class... A> constexpr auto run(std::index_sequence<Nth...>, A const&... args) const {
    names_agree(args...);
    bool recorded = is_recording(args...);
    std::tuple<decltype(lift(args))...> lifted{lift(args)...};
    home h(std::apply([](auto const&... x) { return graph_of(x...); }, lifted));
    constexpr int n = ((is_one_of<Nth, Argnum...> ? tree::size<A>() : 0) + ... + 0);
    vars<n> in, grads, unknown;
    // a braced tuple: arguments are prepared in order
    std::tuple<decltype(lift(args))...> inner{prepare<Nth>(current(h.g), std::get<Nth>(lifted), in)...};
    auto result = [&] {
      following now(in);
      return std::apply(f, inner);
    }();
    auto y = [&] {
      if constexpr (HasAux) return lift(std::get<0>(result));
      else return lift(result);
    }();
    if constexpr (!floating_scalar<decltype(y)>) {
      message::fail<message::E013_gradient_of_non_scalar<decltype(y), F>>();
      return std::pair{array<float>(), std::get<0>(inner)};
    } else {
      var out[] = {value_in(current(h.g), y)};
      in.resolve();
      out[0] = tracing::resolve(out[0]);
      graph& g = *out[0].g;
      var seed[] = {ops::full(&g, tracing::type_of(out[0]), 1)};
      var tangent[1]{};
      vjp(range_from(in.v[0], g.depth), in.v, n, out, 1, seed, grads.v, unknown.v, tangent);
      grads.n = n;
      // split the list of gradients by argument
      auto gradient = [&]<std::size_t K>(std::integral_constant<std::size_t, K>) {
        constexpr int skip = ((Nth < K && is_one_of<Nth, Argnum...> ? tree::size<A>() : 0) + ... + 0);
        vars<n> mine;
        for (int k = skip; k < n; ++k) mine.push(grads.v[k]);
        auto t = tree_of(std::get<K>(inner), mine);
        return lower_to(std::get<K>(std::tie(args...)), t, recorded);
      };
      auto grad_tree = [&] {
        if constexpr (sizeof...(Argnum) == 1) return gradient(std::integral_constant<std::size_t, (Argnum + ...)>{});
        else return std::tuple{gradient(std::integral_constant<std::size_t, Argnum>{})...};
      }();
      if constexpr (HasAux)
        return std::pair{std::pair{finish(y, recorded), finish_tree(std::get<1>(result), recorded)}, grad_tree};
      else return std::pair{finish(y, recorded), grad_tree};
    }
  }
};

}  // namespace transform

struct has_aux_t {};
/// Says that a differentiated function returns {value, auxiliary data}.
inline constexpr has_aux_t has_aux{};

/// value_and_grad(f)(args...) is {f(args...), gradient by the chosen arguments}.
///
/// shape   f returns a floating scalar; the gradient has the shape of the argument, trees included
/// diff    reverse mode: linearize, then transpose
/// errors  E013 result not a floating scalar, E014 integer argument, E015 argnum out of range
/// source  JAX value_and_grad
// clang-format off
template <std::size_t... Argnum, class F> constexpr auto value_and_grad(F f) {  // E058: a name of several functions is no function; write a lambda around it, as in value_and_grad([](auto const& x) { return max(x); })
  // clang-format on
  if constexpr (sizeof...(Argnum) == 0) return transform::value_and_grad_of<F, false, 0>{f};
  else return transform::value_and_grad_of<F, false, Argnum...>{f};
}
template <std::size_t... Argnum, class F> constexpr auto value_and_grad(F f, has_aux_t) {
  if constexpr (sizeof...(Argnum) == 0) return transform::value_and_grad_of<F, true, 0>{f};
  else return transform::value_and_grad_of<F, true, Argnum...>{f};
}
#if !defined(__clang__)  // which names the candidate itself
template <std::size_t... Argnum>
message::refused<message::E058_several_functions_have_this_name_write_a_lambda_around_it> value_and_grad(...) = delete;
#endif

namespace transform {
template <class F, bool HasAux, std::size_t... Argnum> struct grad_of {
  [[no_unique_address]] F f;
  template <class... A> constexpr auto operator()(A const&... args) const {
    if constexpr (looked_at<grad_of>)
      if (false) (void)unseen<typename function_in<F>::type>()(unseen<decltype(lift(args))>()...);
    auto r = value_and_grad_of<F, HasAux, Argnum...>{f}(args...);
    if constexpr (HasAux) return std::pair{r.second, r.first.second};
    else return r.second;
  }
};
template <class F, bool HasAux, std::size_t... Argnum> struct function_in<value_and_grad_of<F, HasAux, Argnum...>>
    : function_in<F> {};
template <class F, bool HasAux, std::size_t... Argnum> struct function_in<grad_of<F, HasAux, Argnum...>>
    : function_in<F> {};
}  // namespace transform

/// grad(f)(args...) is the gradient of f by its first argument, or by those named: grad<0, 2>(f).
///
/// errors  as value_and_grad
/// source  JAX grad; has_aux as a second argument gives {gradient, auxiliary data}
// clang-format off
template <std::size_t... Argnum, class F> constexpr auto grad(F f) {  // E058: a name of several functions is no function; write a lambda around it, as in grad([](auto const& x) { return max(x); })
  // clang-format on
  if constexpr (sizeof...(Argnum) == 0) return transform::grad_of<F, false, 0>{f};
  else return transform::grad_of<F, false, Argnum...>{f};
}
template <std::size_t... Argnum, class F> constexpr auto grad(F f, has_aux_t) {
  if constexpr (sizeof...(Argnum) == 0) return transform::grad_of<F, true, 0>{f};
  else return transform::grad_of<F, true, Argnum...>{f};
}
#if !defined(__clang__)  // which names the candidate itself
template <std::size_t... Argnum>
message::refused<message::E058_several_functions_have_this_name_write_a_lambda_around_it> grad(...) = delete;
#endif

ETNA_REFUSE_NUMBERS(grad, "grad<0>(f)");
ETNA_REFUSE_NUMBERS(value_and_grad, "value_and_grad<0>(f)");

}  // namespace etna
