// SPDX-License-Identifier: BSD-3-Clause
// Little loops and branches as one function: what frames keep to themselves are local arrays, kernels are written out
// one behind the other (lower/inlined.hpp), and only stacked values are in the caller's memory. Read next:
// compiled.hpp.
#pragma once
#include <etna/lower/inlined.hpp>
#include <etna/planning/inlining.hpp>

#include "run_nested.hpp"

namespace etna::exec {

template <class Program> struct inlined {
  static constexpr auto const& p = Program::value;
  static constexpr extent registers =
      tuning::inlining::captured;  // bytes of a captured value that is copied into the function
  static constexpr extent on_stack = tuning::inlining::on_stack;  // bytes of a temporary of the program itself
  template <int B> using element_in = element_of<p.buffers[B].d>;
  template <int B> static constexpr bool is_local = planning::inlining_of<Program>.local[B];
  template <int B> static constexpr extent size_of = p.buffers[B].size > 0 ? p.buffers[B].size : 1;
  template <int B> static constexpr extent bytes_of = size_of<B> * etna::bytes_of(p.buffers[B].d);

  /// The memory of buffer B in the function, or nothing.
  template <int B, bool Is> struct own {};
  template <int B> struct own<B, true> {
    alignas(64) element_in<B> x[size_of<B>];
  };
  template <int First, class Is, class Seq> struct own_list;
  template <int First, class Is, int... K> struct own_list<First, Is, std::integer_sequence<int, K...>>
      : own<First + K, Is::template of<First + K>>... {
    template <int B> ETNA_INLINE auto* get() { return static_cast<own<B, true>&>(*this).x; }
  };
  struct all {
    template <int> static constexpr bool of = true;
  };
  struct little {
    template <int B> static constexpr bool of = bytes_of<B> <= registers;
  };
  template <bool Whole> struct local {
    template <int B> static constexpr bool of = is_local<B> && !(Whole && bytes_of<B> > on_stack);
  };
  template <int First, int Count, class Is = all> using own_buffers =
      own_list<First, Is, std::make_integer_sequence<int, Count>>;

  /// Numbers of a constant.
  template <int B> struct constant {
    struct made {
      element_in<B> x[size_of<B>];
    };
    static constexpr made value = [] {
      made m{};
      for (extent i = 0; i < p.buffers[B].size; ++i)
        m.x[i] = from_bits<element_in<B>>(p.numbers[p.buffers[B].index + i]);
      return m;
    }();
  };

  template <int B, class T> ETNA_INLINE static void copy_buffer(T* to, T const* from) {
    lower::copy_numbers<p.buffers[B].size>(to, from);
  }

  /// The plan for steps that are calls, and nothing: sizes have no names here.
  struct context {
    plan_view const& view;
    ext::bindings const& size;
  };

  template <int B, bool Whole, class Memory> ETNA_INLINE static void enter(void** at, Memory& m, char* arena) {
    if constexpr (local<Whole>::template of<B>) at[B] = m.template get<B>();
    else if constexpr (is_local<B>) at[B] = arena + p.buffers[B].offset;
    else if constexpr (p.buffers[B].kind == buffer::constant) at[B] = const_cast<element_in<B>*>(constant<B>::value.x);
  }
  /// The steps of a frame, whose arguments and results are in `at`.
  template <int F, bool Whole = false>
  ETNA_INLINE static void frame(void** at, context const& c, char* arena = nullptr) {
    constexpr int buffers = p.frames[F].buffers, first = p.frames[F].step;
    own_buffers<first_of<F>, buffers, local<Whole>> m;
    lower::unrolled<buffers>([&](auto b) ETNA_INLINE_LAMBDA { enter<first_of<F> + b, Whole>(at, m, arena); });
    lower::unrolled<p.frames[F].steps>([&](auto s) ETNA_INLINE_LAMBDA { step_of<first + s>(at, c); });
  }
  template <int S> ETNA_INLINE static void step_of(void** at, context const& c) {
    using namespace planning;
    if constexpr (is<kernel_step>(p.steps[S]))
      lower::inlined_step<Program, S, lower::kernel_one_by_one<Program, p.steps[S].kernel>>::run(at);
    else if constexpr (is<scan_step>(p.steps[S])) scan<S>(at, c);
    else if constexpr (is<branch_step>(p.steps[S])) branch<S>(at, c);
    else if constexpr (is<while_step>(p.steps[S])) loop<S>(at, c);
    else if constexpr (lower::inlined_update<Program, S>::applies) lower::inlined_update<Program, S>::run(at);
    else call<S>(at, c);
  }
  template <int S> ETNA_NOINLINE static void call(void* const* at, context const& c) {
    step const& s = c.view.steps[S];
    c.view.run[int(p.steps[S].kind)]({c.view, s, at, c.size});
  }

  /// The buffer of the K-th operand or result of step S.
  template <int S, int K> static constexpr int of_step = p.views[p.steps[S].view + K].buffer;
  template <int S> static constexpr std::int64_t const* words = p.numbers + p.steps[S].number;
  /// Its K-th frame.
  template <int S, int K> static constexpr int frame_of = planning::frames_of(planning::plan(p), p.steps[S])[K];
  /// The first argument and the first result of a frame (plain numbers: g++ takes a constant object in a lambda for
  /// captured).
  template <int F> static constexpr int first_of = p.frames[F].buffer;
  template <int F> static constexpr int result_of = p.frames[F].result;
  /// Buffer B becomes operand K of step S, in the function where it is little.
  template <int S, int K, int B, class Memory> ETNA_INLINE static void capture(void** at, Memory& m) {
    at[B] = at[of_step<S, K>];
    if constexpr (little::template of<B>) {
      copy_buffer<B>(m.template get<B>(), static_cast<element_in<B> const*>(at[B]));
      at[B] = m.template get<B>();
    }
  }

  template <int S> ETNA_INLINE static void scan(void** at, context const& c) {
    constexpr auto w = ops::scan_words::read(words<S>);
    constexpr int F = frame_of<S, 0>;
    constexpr int args = first_of<F>, carry = args + w.captured, xs = carry + w.carry, result = result_of<F>,
                  ys = result + w.carry, out = p.steps[S].inputs;
    own_buffers<args, w.captured, little> captured;
    own_buffers<carry, w.carry> now;
    own_buffers<result, w.carry> next;
    lower::unrolled<w.captured>([&](auto k) ETNA_INLINE_LAMBDA { capture<S, k, args + k>(at, captured); });
    lower::unrolled<w.carry>([&](auto k) ETNA_INLINE_LAMBDA {
      using T = element_in<carry + k>;
      copy_buffer<carry + k>(now.template get<carry + k>(), static_cast<T const*>(at[of_step<S, w.captured + k>]));
      at[carry + k] = now.template get<carry + k>();
      at[result + k] = next.template get<result + k>();
    });
    for (extent i = 0; i < w.length; ++i) {
      extent t = w.reverse ? w.length - 1 - i : i;
      lower::unrolled<w.xs>([&](auto k) ETNA_INLINE_LAMBDA {
        at[xs + k] =
            static_cast<element_in<xs + k>*>(at[of_step<S, w.captured + w.carry + k>]) + t * p.buffers[xs + k].size;
      });
      lower::unrolled<w.ys>([&](auto k) ETNA_INLINE_LAMBDA {
        at[ys + k] = static_cast<element_in<ys + k>*>(at[of_step<S, out + w.carry + k>]) + t * p.buffers[ys + k].size;
      });
      frame<F>(at, c);
      lower::unrolled<w.carry>([&](auto k) ETNA_INLINE_LAMBDA {
        copy_buffer<carry + k>(now.template get<carry + k>(), next.template get<result + k>());
      });
    }
    lower::unrolled<w.carry>([&](auto k) ETNA_INLINE_LAMBDA {
      copy_buffer<carry + k>(static_cast<element_in<carry + k>*>(at[of_step<S, out + k>]),
                             now.template get<carry + k>());
    });
  }

  template <int S> ETNA_INLINE static void branch(void** at, context const& c) {
    constexpr auto w = ops::branch_words::read(words<S>);
    constexpr int branches = w.branches, operands = w.captured + w.operands, out = p.steps[S].inputs;
    std::int32_t which = *static_cast<std::int32_t const*>(at[of_step<S, 0>]);
    which = which < 0 ? 0 : which >= branches ? branches - 1 : which;
    lower::unrolled<branches>([&](auto b) ETNA_INLINE_LAMBDA {
      if (which != b) return;
      constexpr int F = frame_of<S, b>;
      lower::unrolled<operands>([&](auto k) ETNA_INLINE_LAMBDA { at[first_of<F> + k] = at[of_step<S, 1 + k>]; });
      lower::unrolled<p.steps[S].outputs - 1>(
          [&](auto k) ETNA_INLINE_LAMBDA { at[result_of<F> + k] = at[of_step<S, out + k>]; });
      frame<F>(at, c);
    });
  }

  template <int S> ETNA_INLINE static void loop(void** at, context const& c) {
    constexpr auto w = ops::while_words::read(words<S>);
    constexpr int n_captured = w.captured, n = w.carry, out = p.steps[S].inputs;
    constexpr int Test = frame_of<S, planning::while_step::test>, Body = frame_of<S, planning::while_step::body>;
    constexpr int args = first_of<Body>, carry = args + n_captured, result = result_of<Body>, tested = first_of<Test>,
                  answer = result_of<Test>;
    own_buffers<args, n_captured, little> captured;
    own_buffers<carry, n> now;
    own_buffers<result, n> next;
    own_buffers<answer, 1> flag;
    lower::unrolled<n_captured>([&](auto k) ETNA_INLINE_LAMBDA {
      capture<S, k, args + k>(at, captured);
      at[tested + k] = at[args + k];
    });
    lower::unrolled<n>([&](auto k) ETNA_INLINE_LAMBDA {
      using T = element_in<carry + k>;
      copy_buffer<carry + k>(now.template get<carry + k>(), static_cast<T const*>(at[of_step<S, n_captured + k>]));
      at[carry + k] = at[tested + n_captured + k] = now.template get<carry + k>();
      at[result + k] = next.template get<result + k>();
    });
    at[answer] = flag.template get<answer>();
    for (;;) {
      frame<Test>(at, c);
      if (!flag.template get<answer>()[0]) break;
      frame<Body>(at, c);
      lower::unrolled<n>([&](auto k) ETNA_INLINE_LAMBDA {
        copy_buffer<carry + k>(now.template get<carry + k>(), next.template get<result + k>());
      });
    }
    lower::unrolled<n>([&](auto k) ETNA_INLINE_LAMBDA {
      copy_buffer<carry + k>(static_cast<element_in<carry + k>*>(at[of_step<S, out + k>]),
                             now.template get<carry + k>());
    });
  }

  /// Step S of a plan that is run step by step.
  template <int S> ETNA_NOINLINE ETNA_FLATTEN static void run(running const& r) {
    wait();
    void* at[p.n_buffers];
    lower::unrolled<p.steps[S].inputs + p.steps[S].outputs - 1>(
        [&](auto k) ETNA_INLINE_LAMBDA { at[of_step<S, k>] = r.at[of_step<S, k>]; });
    step_of<S>(at, {r.p, r.size});
  }

  /// Must the whole program have an arena?
  static constexpr bool needs_arena = [] {
    bool needs = false;
    for (int b = p.frames[p.n_frames - 1].buffer; b < p.n_buffers; ++b)
      needs = needs || (planning::inlining_of<Program>.local[b] &&
                        p.buffers[b].size * etna::bytes_of(p.buffers[b].d) > on_stack);
    return needs;
  }();
  /// The whole program.
  ETNA_NOINLINE ETNA_FLATTEN static void run_whole(plan_view const& v, void* const* arguments, void* const* results,
                                                   char* arena, ext::bindings const& size) {
    constexpr int F = p.n_frames - 1;
    void* at[p.n_buffers];
    lower::unrolled<p.frames[F].buffers>([&](auto k) ETNA_INLINE_LAMBDA {
      constexpr int b = first_of<F> + k, index = p.buffers[b].index;
      if constexpr (p.buffers[b].kind == buffer::argument) at[b] = arguments[index];
      else if constexpr (p.buffers[b].kind == buffer::result) at[b] = results[index];
    });
    frame<F, true>(at, {v, size}, arena);
  }
};

/// A nested step of the program in a call that is a Running: its function, or as run_nested does it.
template <class Program, class Running> void run_nested_of(running const& r, step const& s) {
  int which = int(&s - r.p.steps);
  bool done = false;
  lower::unrolled<Program::size.steps>([&](auto i) {
    if constexpr (planning::inlining_of<Program>.in_function[i])
      if (which == i) {
        inlined<Program>::template run<i>(r);
        done = true;
      }
  });
  if (!done) run_nested<Running>(r, s);
}

}  // namespace etna::exec
