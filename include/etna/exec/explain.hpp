// SPDX-License-Identifier: BSD-3-Clause
// explain(f): what each kernel of a jitted function costs; explain(f, arguments...): and how long it takes, beside what
// the machine could do. Ordinary calls are compiled without clocks, and know nothing of this file.
#pragma once
#include <etna/set_aside.hpp>

#include "explanation.hpp"
#include "jit.hpp"

namespace etna {
namespace exec {

/// "mul*3 add": the operations of a fused step in the order in which they first come.
inline std::string operations_of(planning::plan const& p, step const& s) {
  if (!planning::is<planning::kernel_step>(s)) return planning::facts_of(s).name(p, s);
  std::vector<std::pair<int, int>> count;
  p.each_operation(s, [&](planning::stmt_head h) {
    for (auto& [op, n] : count)
      if (op == h.op) {
        ++n;
        return;
      }
    count.emplace_back(h.op, 1);
  });
  std::string text;
  for (auto [op, n] : count)
    text += (text.empty() ? "" : " ") + std::string(ops::names.at[op]) + (n > 1 ? "*" + std::to_string(n) : "");
  return text;
}

/// Rows of a plan, for some sizes.
template <class Size> struct plan_reader {
  compiler::costs<Size> cost;
  bool const* functions;  // of each step: is it one function with all that it runs?
  explanation& to;

  bool knows_rounds(step const& s) const { return planning::facts_of(s).rounds(cost.p, s) != ext::invalid; }
  std::string loops_of(step const& s) const {
    std::vector<std::string> l;
    auto add = [&](extent e, bool summed) {
      if (e != 1) l.push_back(summed ? "(" + compiler::amount(e).text() + ")" : compiler::amount(e).text());
    };
    if (planning::is_nested(s)) {
      if (planning::facts_of(s).takes_one) return std::to_string(cost.blocks(s)) + " blocks";
      return knows_rounds(s) ? cost.rounds(s).text() + " rounds" : std::string();
    }
    planning::step_loop of[planning::most_loops]{};
    int n = cost.loops(s, of);
    for (int i = 0; i < n; ++i) add(of[i].n, of[i].summed);
    std::string text;
    for (auto const& x : l) text += (text.empty() ? "" : "x") + x;
    return text.empty() ? "1" : text;
  }

  /// Steps of a frame that runs `times` in a call, each followed by those of its blocks. Inside a function nothing is
  /// launched.
  void read(planning::frame const& f, int depth, compiler::amount const& times, bool inside) {
    for (int i = f.step; i < f.step + f.steps; ++i) {
      step const& s = cost.p.steps[i];
      explained_kernel k;
      k.step = i;
      k.kernel = planning::is<planning::kernel_step>(s) ? s.kernel : -1;
      k.depth = depth;
      k.inside = inside;
      k.function = functions[i];
      k.what = operations_of(cost.p, s) + (k.function ? ", one function" : "");
      planning::packed_text scope{s.scope ? cost.p.numbers + s.scope - 1 : nullptr};
      for (int c = 0; c < scope.size(); ++c) k.scope += scope[c];
      k.loops = loops_of(s);
      k.type = cost.type_of(s);
      k.work = cost.of(s);
      k.launches = times;
      to.kernels.push_back(k);
      for (int b = 0; b < cost.blocks(s); ++b)
        read(cost.block(s, b), depth + 1, knows_rounds(s) ? times * cost.rounds(s) : compiler::amount(ext::invalid),
             inside || functions[i]);
      if (!planning::is_nested(s) && !inside) to.launches += times;
    }
  }
  void read(bool whole) {
    planning::plan const& p = cost.p;
    planning::frame const& f = p.frames[p.n_frames - 1];
    read(f, 0, 1, whole);
    to.total = cost.of(f);
    to.arena_bytes = p.is_static ? p.arena : ext::invalid;
    to.argument_bytes = cost.argument_bytes();
  }
};

/// After a call has told how often each kernel ran: loops and branches, and all of them.
inline void sum_up(explanation& e) {
  e.total = {};
  e.launches = 0;
  for (std::size_t i = 0; i < e.kernels.size(); ++i) {
    explained_kernel& k = e.kernels[i];
    if (k.inside) continue;
    compiler::work inside;
    std::size_t j = i + 1;
    for (; j < e.kernels.size() && e.kernels[j].depth > k.depth; ++j) {
      bool leaf = e.kernels[j].function || j + 1 == e.kernels.size() || e.kernels[j + 1].depth <= e.kernels[j].depth;
      if (leaf && !e.kernels[j].inside) inside.add(e.kernels[j].work, e.kernels[j].launches);
    }
    if (k.function || j == i + 1) {
      e.total.add(k.work, k.launches);
      if (!k.function) e.launches += k.launches;
    } else if (extent n = k.launches.number(); n > 0)
      k.work = {inside.flops.number() / n, inside.read.number() / n, inside.written.number() / n};
  }
}

/// Clocks of the steps of one call. What reading them costs is taken off, so loops of short kernels are told as they
/// are.
struct step_clocks {
  using clock = std::chrono::steady_clock;
  std::vector<double> seconds;
  std::vector<extent> launches;
  extent arena = 0;  // bytes
  double cost, reads = 0;
  clock::time_point start = clock::now();

  explicit step_clocks(std::size_t steps) : seconds(steps), launches(steps), cost(of_reading()) {}
  double now() {
    ++reads;
    return std::chrono::duration<double>(clock::now() - start).count() - reads * cost;
  }
  static double of_reading() {
    static double const least = [] {
      return fastest(10, 1,
                     [](int) {
                       for (int i = 0; i < 1000; ++i) (void)clock::now();
                     }) /
             1000;
    }();
    return least;
  }
};
struct timed : running {
  static constexpr bool is_watched = true;
  step_clocks& clocks;
  struct lap {
    step_clocks& c;
    std::size_t step;
    double begin;
    ~lap() {
      wait();
      c.seconds[step] += c.now() - begin;
      ++c.launches[step];
    }
  };
  lap watch(int step) const { return {clocks, std::size_t(step), clocks.now()}; }
};
/// A call whose steps are timed.
template <class Program> struct timed_call {
  step_clocks& clocks;
  void operator()(plan_view p, void* const* arguments, void* const* results, ext::bindings const& size) const {
    if (p.nested) p.nested = &run_nested_of<Program, timed>;
    run_with(
        [&](running const& r, planning::frame const& f) {
          for (int i = f.buffer; i < f.buffer + f.buffers; ++i)
            if (r.buffers[i].kind == buffer::temporary || r.buffers[i].kind == buffer::size_of)
              clocks.arena = std::max(clocks.arena, r.buffers[i].end);
          run_steps(timed{r, clocks}, f);
        },
        p, arguments, results, size);
  }
};

/// The door of jitted functions for calls that are watched.
struct watched_calls {
  template <class F, class R, class... P, class Call, class... A>
  static R run(std::type_identity<std::tuple<P...>>, Call const& call, A&&... args) {
    return jitted<F>::template run<R, A...>(call, as_parameter<P>(std::forward<A>(args))...);
  }
};

inline double median(std::vector<double> v) {
  if (v.empty()) return 0;
  auto middle = v.begin() + std::ptrdiff_t(v.size() / 2);
  std::nth_element(v.begin(), middle, v.end());
  return *middle;
}

/// Seconds of a call, also of one that is shorter than the clock's tick.
template <class Call> double seconds_of(Call const& call) {
  using clock = std::chrono::steady_clock;
  std::vector<double> all;
  auto until = clock::now() + std::chrono::milliseconds(100);
  for (int inner = 1; all.size() < 3 || clock::now() < until;) {
    auto begin = clock::now();
    for (int i = 0; i < inner; ++i) call();
    double s = std::chrono::duration<double>(clock::now() - begin).count();
    if (s < 1e-5) inner *= 2;
    else all.push_back(s / inner);
  }
  return median(all);
}

/// What is known of a plan for some sizes.
template <class Program, class Size> explanation read_plan(Size const& size) {
  constexpr auto const& how = planning::inlining_of<Program>;
  explanation e;
  e.whole = how.whole;
  plan_reader<Size>{{planning::plan(Program::value), size}, how.in_function, e}.read(how.whole);
  return e;
}
template <class F, class... P> void read_straight(explanation& e) {
  using code = typename straight::straight_program<F, P...>::code;
  explained_kernel k;
  k.what = "straight-line code, " + std::to_string(code::value.n) + " equations";
  k.loops = "1";
  k.work.flops = code::value.flops;
  std::tuple<P...> const in{};
  compiler::result_of<F, P...> const out{};
  auto bytes = [](auto const& x) { return compiler::amount(x.size() * bytes_of(x.type.d)); };
  tree::for_each([&](auto const& x) { k.work.read += bytes(x); }, in);
  tree::for_each(
      [&](auto const& x) {
        k.work.written += bytes(x);
        k.type = x.type.d;
      },
      out);
  e.kernels = {k};
  e.total = k.work;
  e.launches = 0;
  e.straight = true;
}

}  // namespace exec

/// What a jitted function's plan costs: a row for each kernel with its operations and scopes, loops, FLOPs, bytes that
/// it must read and write, FLOPs a byte, launches. Printed by <<, or as text() or json(). Nothing is run.
///
/// f       a jitted function; where its parameters are `auto`, or it is a transform's, they are given:
/// explain<array<float, 3>>(f) cost    FLOPs are those of plan_type: a product has two a term, exp and its like 10
/// to 60. Bytes count each element of
///         an operand or result once a launch, what an index chooses as often as it may, at most all; caches are not
///         known. Named extents stay names; a while loop is told for one round, a branch for the block that computes
///         most
/// errors  as a call of f; E090 the parameters are not known
/// source  JAX jit(f).lower(...).compile().cost_analysis()
template <class... A, class F> explanation explain(jitted<F> const&) {
  if constexpr (sizeof...(A) == 0 && !exec::declared<F>) {
    message::fail<message::E090_unknown_parameters<F>>();
    return {};
  } else {
    using Params = typename exec::signature<F, A...>::type;
    return [&]<class... P>(std::type_identity<std::tuple<P...>>) {
      auto same = [](extent e) { return e; };
      if constexpr (!compiler::complete<typename compiler::planned<F, P...>::trace>) {
        message::fail<compiler::refusal<typename compiler::planned<F, P...>::trace, F, P...>>();
        return explanation{};
      }
      explanation e = exec::read_plan<compiler::program<F, P...>>(same);
      if constexpr (straight::straight_program<F, P...>::is_run) exec::read_straight<F, P...>(e);
      return e;
    }(std::type_identity<Params>{});
  }
}

/// The same after runs with these arguments (some tenths of a second; results are dropped, medians kept), with the time
/// of each kernel and its share of what the machine's limits allow: its FLOPs at the measured peak of its type, or its
/// bytes at the measured speed of copies, whichever takes longer. The threads are those that f has when called from
/// here.
///
/// args    an rvalue is donated in each run, so its values change as in a training loop. Prints of f are printed in
///         each
/// errors  as a call of f
/// source  the roofline: Williams, Waterman and Patterson, 2009
template <class F, class First, class... More> explanation explain(jitted<F> const& f, First&& first, More&&... more) {
  using Params = typename exec::signature<F, std::remove_cvref_t<First>, std::remove_cvref_t<More>...>::type;
  return [&]<class... P, class... A>(std::type_identity<std::tuple<P...>>, std::type_identity<std::tuple<A...>>,
                                     auto&&... args) {
    using Program = compiler::program<F, P...>;
    auto own = []<class T>(std::type_identity<T>, auto&& a) {
      if constexpr (std::is_same_v<T, std::remove_cvref_t<decltype(a)>>) return T(std::forward<decltype(a)>(a));
      else return T(exec::as_parameter<T>(a));
    };
    std::tuple<P...> in{own(std::type_identity<P>{}, std::forward<A>(args))...};
    // an argument as it was given, though it is used again
    auto with_arguments = [&](auto const& act) {
      return [&]<std::size_t... Nth>(std::index_sequence<Nth...>) {
        auto const r =
            act(static_cast<std::conditional_t<std::is_lvalue_reference_v<A>, P const&, P&&>>(std::get<Nth>(in))...);
        tree::for_each([](auto const& x) { exec::taken_for_read(x.data()); }, r);
      }(std::index_sequence_for<P...>{});
    };
    auto call = [&] { with_arguments([&]<class... T>(T&&... t) { return f(std::forward<T>(t)...); }); };
    call();
    ext::bindings size;
    tree::for_each([&](auto const& x) { exec::learn_sizes(x.type, x.shape().data(), size); }, in);
    explanation e = exec::read_plan<Program>(size);
    e.machine = exec::limits();
    e.call_seconds = exec::seconds_of(call);
    if constexpr (straight::straight_program<F, P...>::is_run) {
      exec::read_straight<F, P...>(e);
      e.kernels[0].seconds = e.call_seconds;
    } else if constexpr (!planning::inlining_of<Program>.whole) {
      constexpr int most_runs = 200;
      using R = compiler::result_of<F, P...>;
      std::vector<std::vector<double>> seconds(std::size_t(Program::value.n_steps));
      auto until = exec::step_clocks::clock::now() + std::chrono::milliseconds(200);
      for (int run = 0; run < 3 || (run < most_runs && exec::step_clocks::clock::now() < until); ++run) {
        exec::step_clocks clocks(seconds.size());
        with_arguments([&]<class... T>(T&&... t) {
          return exec::watched_calls::run<F, R>(std::type_identity<std::tuple<P...>>{},
                                                exec::timed_call<Program>{clocks}, std::forward<T>(t)...);
        });
        for (std::size_t s = 0; s < seconds.size(); ++s) seconds[s].push_back(clocks.seconds[s]);
        for (auto& k : e.kernels)
          if (!k.inside) k.launches = clocks.launches[std::size_t(k.step)];
        e.arena_bytes = clocks.arena;
      }
      for (auto& k : e.kernels)
        if (!k.inside) k.seconds = exec::median(seconds[std::size_t(k.step)]);
      exec::sum_up(e);
    }
    return e;
  }(std::type_identity<Params>{}, std::type_identity<std::tuple<First, More...>>{}, std::forward<First>(first),
         std::forward<More>(more)...);
}

}  // namespace etna

#include <etna/set_back.hpp>
