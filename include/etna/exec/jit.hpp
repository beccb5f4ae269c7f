// SPDX-License-Identifier: BSD-3-Clause
// The door: jit(f) is f traced, transformed, fused and planned while the program compiles. A call
// gathers pointers, runs the plan and hands the results out. Read next: bucket.hpp.
#pragma once
#include <etna/compiler/reason.hpp>
#include <etna/straight/scalars.hpp>
#include <etna/compiler/show.hpp>

#include <etna/transform/with_precision.hpp>

#include "call_leaves.hpp"
#include "compiled.hpp"
#include "guests.hpp"
#include "straight_call.hpp"

namespace etna {
namespace exec {

/// An argument as the parameter P: itself, or converted.
template <class P, class A> constexpr decltype(auto) as_parameter(A&& a) {
  if constexpr (is_guest<P, A>) return received<P>(a, is_kept());
  else if constexpr (std::is_same_v<P, std::remove_cvref_t<A>>)
    return static_cast<std::remove_reference_t<A>&>(a);  // nvcc moves from `(a)`
  else if constexpr (std::is_convertible_v<A, P>) return P(std::forward<A>(a));
  else return P(transform::lift(a));
}

struct watched_calls;  // explain.hpp

/// Of the C++ numbers among the leaves of these trees the last one's type; else void.
template <class Found> struct number_among {
  using type = Found;
  template <class Other> constexpr auto operator+(number_among<Other> o) const {
    if constexpr (std::is_void_v<Other>) return *this;
    else return o;
  }
};
template <class T> constexpr auto find_number() {
  if constexpr (tree::number<T>) return number_among<T>{};
  else if constexpr (any_array<T>) return number_among<void>{};
  else if constexpr (tree::detail::is_std_array<T>::value) return find_number<typename T::value_type>();
  else
    return []<class... L>(std::type_identity<std::tuple<L...>>) {
      return (number_among<void>{} + ... + find_number<L>());
    }(std::type_identity<tree::detail::fields_of<T>>{});
}
template <class... P> using number_in = typename decltype((number_among<void>{} + ... + find_number<P>()))::type;
/// Where the function cannot run while compiling (E008): g++ says it only of a constant that must be one, clang has
/// said it.
template <class F, class... P> constexpr void tell_where() {
#if defined(ETNA_CALLS_ARE_REMEMBERED)
  if constexpr (!compiler::traceable<compiler::trace_of<F, P...>>) {
    constexpr compiler::traced<F, P...> the_place{};
    (void)the_place;
  }
#endif
}
/// What a call gives that has failed with a sentence: a value of the right type, so that nothing is said of its uses.
template <class F, class... P> constexpr auto after_error() { return compiler::result_of<F, P...>{}; }

}  // namespace exec

/// A function compiled with the program. Made by jit.
template <class F> struct jitted {
  [[no_unique_address]] F f;

  template <class... A> constexpr auto operator()(A&&... args) const {
    if constexpr (exec::takes_guests<F, std::remove_cvref_t<A>...>)
      return receive(static_cast<typename exec::signature<F, std::remove_cvref_t<A>...>::type*>(nullptr),
                     std::forward<A>(args)...);
    else {
      // First the user's function and then the transforms around it, so that their errors are said here, not inside of
      // an evaluation.
      if constexpr (transform::looked_at<F> && std::is_empty_v<F>)
        if (false)
          (void)transform::unseen<typename transform::function_in<F>::type>()(transform::unseen<exec::lifted<A>>()...);
      if constexpr (!exec::declared<F> && std::is_empty_v<F>)
        if (false) (void)transform::unseen<F>()(transform::unseen<exec::lifted<A>>()...);
      using Params = typename exec::signature<F, std::remove_cvref_t<A>...>::type;
      return enter(std::type_identity<Params>{}, std::forward<A>(args)...);
    }
  }

 private:
  /// Where arguments are not etna's: with arrays in their places.
  template <class... P, class... A> auto receive(std::tuple<P...>*, A&&... args) const {
    if constexpr (exec::is_untold<std::tuple<P...>>) {
      message::fail<message::E097_sizes_known_at_run_time<message::from<std::remove_cvref_t<A>>...>>();
      return 0;
    } else {
      bool const kept = exec::is_kept(args...);
      return (*this)(exec::received<P>(std::forward<A>(args), kept)...);
    }
  }
  /// Not by the plan: recorded inside an eager transform, and equation by equation where debug::check_nan asks for it.
  /// Extents with names are in attributes: there the function itself is run.
  template <class R, class... P, class... A>
  [[gnu::cold, gnu::noinline]] R elsewhere(std::type_identity<std::tuple<P...>>, A const&... args) const {
    transform::names_agree(args...);
    if constexpr (!compiler::program<F, P...>::value.is_static) return transform::lift(f(args...));
    else {
      constexpr int n_in = (tree::size<P>() + ... + 0), n_out = compiler::result_count<F, P...>;
      eager::value in[n_in + 1], out[n_out + 1];
      exec::read_numbers read{in};
      (tree::for_each(read, args), ...);
      exec::run_elsewhere(compiler::kept_script<typename compiler::planned<F, P...>::trace>::script(), in, n_in, out);
      exec::number_adopter next{out};
      return exec::make_result<R>(next);
    }
  }
  template <class... P, class... A> constexpr auto enter(std::type_identity<std::tuple<P...>>, A&&... args) const {
    if constexpr (!std::is_empty_v<F> || !std::is_default_constructible_v<F>) {
      message::fail<message::E007_capture_in_jit<F>>();
      return exec::after_error<F, P...>();
    } else if constexpr (!std::is_void_v<exec::number_in<P...>>) {
      message::fail<message::E025_number_in_jit<exec::number_in<P...>>>();
      return exec::after_error<F, P...>();
    } else if constexpr (!std::is_invocable_v<F const&, P&...>) {
      std::tuple<P...> in{};
      return std::apply(f, in);  // says what is wrong with these arguments; what is wrong inside of f has been said
    } else if constexpr (!compiler::complete<typename compiler::planned<F, P...>::trace>) {
      message::fail<compiler::refusal<typename compiler::planned<F, P...>::trace, F, P...>>();
      exec::tell_where<F, P...>();
      return exec::after_error<F, P...>();
    } else {
      using R = compiler::result_of<F, P...>;
      if (__builtin_is_constant_evaluated()) return transform::lift(f(std::forward<A>(args)...));
      if (eager::instead_of_plans || transform::is_recorded(args...)) [[unlikely]]
        return elsewhere<R>(std::type_identity<std::tuple<P...>>{}, exec::as_parameter<P>(args)...);
      if constexpr (!compiler::program<F, P...>::value.is_sized)
        message::fail<message::E029_extent_too_complicated<F, P...>>();
      else if constexpr (!exec::names_told<compiler::program<F, P...>, R, P...>())
        message::fail<message::E083_name_without_size<F, P...>>();
      else if constexpr (!compiler::program<F, P...>::is_fitting) {
        message::fail<typename compiler::program<F, P...>::budget_error>();
        return exec::after_error<F, P...>();
      } else if constexpr (straight::straight_program<F, P...>::is_run)
        return run_straight<R, P...>(exec::as_parameter<P>(std::forward<A>(args))...);
      else return run<R, A...>(exec::plain_call{}, exec::as_parameter<P>(std::forward<A>(args))...);
    }
  }

  template <class R, class... P, class... A> static R run_straight(A const&... args) {
    using in = typename exec::leaves_of_<P...>::type;
    using out = typename exec::leaves_of_<R>::type;
    void const* from[in::count + 1];
    void* to[out::count + 1];
    [[maybe_unused]] exec::read_pointers read{from};
    (tree::for_each(read, args), ...);
    exec::static_result_maker next;
    R r = exec::make_result<R>(next);
    tree::for_each(exec::write_pointers{to}, r);
    exec::run_straight<typename straight::straight_program<F, P...>::code, in, out>(from, to);
    return r;
  }
  /// Given   how the arguments were given: an rvalue may be updated in place
  template <class R, class... Given, class Call, class... P> static R run(Call const& call, P const&... in) {
    using Program = compiler::program<F, P...>;
    using C = exec::compiled<Program>;
    constexpr int n_in = (tree::size<P>() + ... + 0), n_out = Program::M;
    constexpr bool whole = planning::inlining_of<Program>.whole;
    if constexpr (!whole) exec::ensure_device();
    void* from[n_in + 1];
    memory_block* owned[n_in + 1];
    using places_type = std::conditional_t<whole, exec::on_host, exec::call_memory<n_in + n_out>>;
    places_type places;
    ext::bindings size;
    exec::read_arguments<places_type> read{from, owned, places, size};
    ((read.is_rvalue = !std::is_lvalue_reference_v<Given> && !std::is_const_v<std::remove_reference_t<Given>>,
      tree::for_each(read, in)),
     ...);
    (tree::for_each(exec::check_products{size}, in), ...);
    if constexpr (C::plan.n_needed > 0) exec::check_elements(C::plan.numbers + C::plan.needed, C::plan.n_needed, size);
    memory_block* take[n_out + 1]{};
    exec::donate(C::view(), owned, take);
    exec::result_maker next{size, take};
    R out = exec::make_result<R>(next);
    void* to[n_out + 1];
    tree::for_each(exec::write_results<places_type>{to, places}, out);
    if constexpr (whole) {
      exec::share arena{exec::inlined<Program>::needs_arena ? memory::allocate(std::size_t(C::plan.arena)) : nullptr};
      exec::inlined<Program>::run_whole(C::view(), from, to, arena.b ? static_cast<char*>(arena.b->data) : nullptr,
                                        size);
    } else call(C::view(), from, to, size);
    places.end();
    return out;
  }

  using access = etna::detail::access;
  friend exec::watched_calls;
};

namespace compiler {
template <class F> inline constexpr extent budget_of<jitted<F>> = budget_of<F>;
}

/// f traced, differentiated, fused and planned while the program compiles.
///
/// f       a function object without captures: a lambda, or a transform of one
/// call    arguments are arrays and trees of them; an rvalue that nobody shares is updated in place. An object that
///         interop/ knows (a span, a Kokkos::View, an mdspan, xtensor's) may stand for an array: it is read where it
///         lies, as by borrow. What is as little as a gradient of four numbers (ETNA_MOST_STRAIGHT) is straight-line
///         code: no kernel, no buffer, no Kokkos; a loop of little work is one function, and so is a program that has
///         little besides
/// errors  E007 a capture, E008 not traceable, E025 a C++ number as a parameter, E029 a temporary whose size in
///         names is too long to carry, E097 an argument of others whose sizes nobody tells; E110 at run time
/// source  JAX jit
// clang-format off
template <class F> constexpr jitted<F> jit(F f) { return {f}; }  // E058: a name of several functions is no function; write a lambda around it, as in jit([](auto const& x) { return max(x); })
// clang-format on
template <precision P, class F> constexpr auto with_precision(jitted<F> const& f) {
  return jit(with_precision<P>(f.f));
}
#if !defined(__clang__)  // which names the candidate itself
inline message::refused<message::E058_several_functions_have_this_name_write_a_lambda_around_it> jit(...) = delete;
#endif

}  // namespace etna

namespace etna {
/// The plan of a jitted function for these arguments, as text: kernels, buffers, bytes, FLOPs.
template <class F, class... A> std::string show_plan(jitted<F> const&, A const&...) {
  using Params = typename exec::signature<F, A...>::type;
  compiler::growing_text t;
  [&]<class... P>(std::type_identity<std::tuple<P...>>) {
    if constexpr (!compiler::complete<typename compiler::planned<F, P...>::trace>) {
      message::fail<compiler::refusal<typename compiler::planned<F, P...>::trace, F, P...>>();
      return;
    }
    constexpr auto const& how = planning::inlining_of<compiler::program<F, P...>>;
    compiler::print_plan(t, planning::plan(compiler::program<F, P...>::value), how.in_function);
    if (how.whole) t.s += "run as one function, without Kokkos\n";
    using straight_line = straight::straight_program<F, P...>;
    if constexpr (straight_line::is_run)
      t.s += "run as straight-line code, " + std::to_string(straight_line::code::value.n) +
             " equations of single numbers\n";
  }(std::type_identity<Params>{});
  return t.s;
}
/// The graph of a jitted function.
template <class After = after<"associate">, class F, class... A> std::string show(jitted<F> const&, A const&...) {
  using Params = typename exec::signature<F, A...>::type;
  return []<class... P>(std::type_identity<std::tuple<P...>>) {
    return show_types<After, F, P...>();
  }(std::type_identity<Params>{});
}
}  // namespace etna
