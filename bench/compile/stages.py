# SPDX-License-Identifier: BSD-3-Clause
"""Where a compilation's time goes, by clang's -ftime-trace and g++'s -ftime-report: a table for each compiler. Run through run.sh --stages.

A report tells shares; seconds are those of the processor in a compilation without one. What a report calls the evaluation of
constants is told apart by compiling the program's step up to its trace, its passes and its plan, and nothing behind it."""
import json
import re
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from flags import common, compilers, level, root, version

# Behind a program without its main: nothing of the step is evaluated (0), its trace (1), the passes over it too (2), all up to the plan (4).
PROBE = """
namespace etna::compiler::probe {
constexpr int passes(picture const& t) {
  graph_rooms rooms;
  return run_graph_passes(t.graph(), t.outputs, t.n_outputs, false, rooms, chosen).g->n_nodes;
}
template <class F, class... P> struct at {
#if defined(ETNA_CALLS_ARE_REMEMBERED)
  static constexpr int trace = trace_of<F, P...>::get().n_nodes;
  static constexpr int passes = probe::passes(trace_of<F, P...>::get());
#else
  static constexpr int trace = traced<F, P...>{}.n_nodes;
  static constexpr int passes = probe::passes(traced<F, P...>{});
#endif
  static constexpr int plan = program<F, P...>::value.n_steps;
};
template <class F, class... P> constexpr bool evaluate(jitted<F> const&, std::tuple<P...>*) {
  using here = at<F, P...>;
  bool good = true;
  if constexpr (STAGES & 1) good = good && here::trace > 0;
  if constexpr (STAGES & 2) good = good && here::passes > 0;
  if constexpr (STAGES & 4) good = good && here::plan > 0;
  return good;
}
template <class F> constexpr bool evaluate(jitted<F> const& f) { return evaluate(f, static_cast<typename exec::parameters_of<decltype(&F::operator())>::type*>(nullptr)); }
}  // namespace etna::compiler::probe
static_assert(etna::compiler::probe::evaluate(%s));
"""
STAGES = ["reading, parsing", "templates", "trace", "passes", "plan", "other constants", "code"]
KINDS = ("constants", "templates", "reading, parsing", "code")
CLANG = [("constants", r"Evaluate|isPotentialConstantExpr"), ("templates", r"Instantiate|PerformPending"), ("reading, parsing", r"Source|Parse|Frontend"),
         ("code", r"Backend|Opt|CodeGen|RunPass|RunLoopPass|.*Pass")]
GCC = [("constants", r"constant expression evaluation"), ("templates", r"template instantiation|constraint|early overload"),
       ("reading, parsing", r"phase setup|preprocessing|lexical|parser|garbage|dump files"), ("code", r".*")]


def kind_of(name, kinds):
    return next((k for k, pattern in kinds if re.match(pattern, name)), None)


def by_clang(trace):
    """Seconds by kind: each event without those inside it; and of constants by what they are: the probe's, or the plan's."""
    events = sorted((e for e in json.loads(trace.read_text())["traceEvents"] if e["ph"] == "X" and not e["name"].startswith("Total ")),
                    key=lambda e: (e["ts"], -e["dur"]))
    spent, open_events = {}, []

    def close(until):
        while open_events and open_events[-1][1] <= until:
            kind, _, left, stage = open_events.pop()
            for k in {kind, stage if kind == "constants" else kind}:
                spent[k] = spent.get(k, 0) + left / 1e6

    for e in events:
        close(e["ts"])
        if open_events:
            open_events[-1][2] -= e["dur"]
        kind = kind_of(e["name"], CLANG) or (open_events[-1][0] if open_events else "reading, parsing")
        detail = str(e.get("args", {}).get("detail", ""))
        named = re.search(r"compiler::probe::at<.*>::(trace|passes)$", detail)
        stage = named[1] if named else "plan" if re.match(r"etna::compiler::(plan_of|program)<", detail) else open_events[-1][3] if open_events else "constants"
        open_events.append([kind, e["ts"] + e["dur"], e["dur"], stage])
    close(float("inf"))
    return spent


def by_gcc(report):
    """The rows that do not overlap: no phases, none behind a bar, no sums of passes."""
    spent = {}
    for name, user, system in re.findall(r"^ (?!phase (?:parsing|lang|opt|last|late|final)|\||callgraph functions expansion|callgraph ipa passes)(\S[^:]*?) *: +([\d.]+) \( *\d+%\) +([\d.]+) \(", report, re.M):
        kind = kind_of(name, GCC)
        spent[kind] = spent.get(kind, 0) + float(user) + float(system)
    return spent


def compile_it(compiler, options, file, work, report):
    """Seconds by kind where a report is asked for; else the processor's seconds of all."""
    clang = "clang" in compiler
    trace = work / "trace.json"
    extra = ([f"-ftime-trace={trace}", "-ftime-trace-granularity=100"] if clang else ["-ftime-report"]) if report else []
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = subprocess.run([compiler, *options, *extra, "-c", str(file), "-o", str(work / "out.o")], capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if run.returncode:
        sys.exit(f"stages: {compiler} fails on {file.name}:\n{run.stderr[:2000]}")
    if not report:
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return by_clang(trace) if clang else by_gcc(run.stderr)


def evaluated(compiler, options, front, step, work):
    """Seconds of the evaluation up to a step's trace, passes and plan. g++ tells only the sum of all constants, so it is asked four times."""
    probe = work / "probe.cpp"

    def spent(stages):
        probe.write_text(f"#define STAGES {stages}\n" + front + PROBE % step)
        return compile_it(compiler, [*options, "-O0"], probe, work, True)

    if "clang" in compiler:
        told = spent(7)
        return {stage: told.get(stage, 0) for stage in ("trace", "passes", "plan")}
    none, *each = (spent(s).get("constants", 0) for s in (0, 1, 2, 4))
    return dict(zip(("trace", "passes", "plan"), (s - none for s in each)))


def programs(work):
    """Name, file, and the text that its step's probe stands behind."""
    subprocess.run([sys.executable, root / "bench/compile/make.py", work], check=True)
    found = [("mnist", root / "examples/mnist/rule.cpp", f'#include "{root}/examples/mnist/model.hpp"\n', "example::adam_step")]
    for file in work.glob("*.cpp"):
        text = file.read_text()
        if "constexpr auto step = jit(" in text:
            found.append((file.stem, file, text[: text.index("int main")], "step"))
    return sorted(found, key=lambda p: (p[0].split("_")[0], int(p[0].split("_")[1]) if "_" in p[0] else 0))


def main(wanted, work):
    jobs = [p for p in programs(work) if any(w in p[0] for w in wanted)]
    if not jobs:
        sys.exit(f"stages: no program with a step has {' or '.join(wanted)} in its name; there are {' '.join(p[0] for p in programs(work))}")
    for compiler in compilers:
        if "nvcc" in compiler:
            print("stages: nvcc has no report that can be read", file=sys.stderr)
            continue
        print(f"\n{version(compiler)}: processor seconds\n\n| program | flags | all | " + " | ".join(STAGES) + " |\n|---|---|---:|" + "---:|" * len(STAGES))
        for name, file, front, step in jobs:
            options = [*common(compiler, work), *level(name).split()]
            whole = compile_it(compiler, options, file, work, False)
            spent = compile_it(compiler, options, file, work, True)
            scale = whole / sum(v for k, v in spent.items() if k in KINDS)
            up_to = evaluated(compiler, options, front, step, work)
            # of what they took in the whole program: clang tells it, of g++ it is known not to be more than all constants
            fit = spent.get("plan", min(up_to["plan"], spent.get("constants", 0))) / up_to["plan"] if up_to["plan"] > 0 else 0
            for stage, before in (("trace", None), ("passes", "trace"), ("plan", "passes")):
                spent[stage] = fit * max(0, up_to[stage] - up_to.get(before, 0))
            spent["other constants"] = max(0, spent.get("constants", 0) - spent["trace"] - spent["passes"] - spent["plan"])
            print(f"| {name} | {level(name)} | {whole:.2f} | " + " | ".join(f"{scale * spent.get(s, 0):.2f}" for s in STAGES) + " |", flush=True)


with tempfile.TemporaryDirectory(prefix="etna-stages.") as folder:
    main(sys.argv[1:] or ["deep_", "mnist"], Path(folder))
