"""What both peers share: arguments, threads, the data of the three jobs and the median of many calls."""
import argparse
import os
import statistics
import sys
import time
from pathlib import Path

ELEMENTS = 1 << 20


def arguments(doc):
    """Reads --threads and --seconds and pins the process; call before a framework is imported."""
    p = argparse.ArgumentParser(description=doc)
    p.add_argument("--threads", type=int, choices=(1, 2), default=1)
    p.add_argument("--seconds", type=float, default=2.0, help="time spent on each job")
    a = p.parse_args()
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) < a.threads:
        sys.exit(f"{a.threads} threads asked for, {len(cores)} cores available")
    os.sched_setaffinity(0, cores[: a.threads])
    for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NPROC"):
        os.environ[name] = str(a.threads)
    return a


def formula():
    """The module that makes weights and batches for the tests and the benches alike."""
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "test" / "data"))
    import formula
    return formula


def chain_input():
    """-3 + 6 i / (n - 1) in f64, rounded to f32."""
    import numpy as np
    return (-3.0 + 6.0 * np.arange(ELEMENTS) / (ELEMENTS - 1)).astype(np.float32)


def median(call, seconds, inner=1):
    """Median microseconds of one call, over groups of `inner` calls, after a warm-up of a quarter of the time."""
    end = time.perf_counter() + seconds / 4
    while time.perf_counter() < end:
        call()
    times, end = [], time.perf_counter() + seconds
    while time.perf_counter() < end or len(times) < 5:
        begin = time.perf_counter_ns()
        for _ in range(inner):
            call()
        times.append((time.perf_counter_ns() - begin) / inner / 1000)
    return statistics.median(times)


def chain_checks(y):
    """The chain is odd, so its sum is 0 up to rounding: the sum of squares says more. Both in f64."""
    import numpy as np
    y = np.asarray(y, np.float64)
    return {"chain_sum": float(y.sum()), "chain_sum_of_squares": float((y * y).sum())}
