"""Runs `apsp bench` and every peer on the same matrices, compares every result with apsp's, entry by
entry, and prints the Markdown of bench/results/cpu.md. bench/peers/run calls it."""

import datetime
import json
import os
import pathlib
import sys
import tempfile
import time

import numpy as np
import report
import scipy
from harness import answer, asked, commit, timed
from scipy.sparse.csgraph import floyd_warshall

# Integer weights that keep every distance within the narrowest type (u16) at 2,000 vertices, so
# that all peers solve the same problem and agree exactly.
GREATEST_WEIGHT = 16
SEED = 20261


def random_matrix(n):
    """A complete directed graph."""
    generator = np.random.default_rng(SEED + n)
    matrix = generator.integers(1, GREATEST_WEIGHT + 1, (n, n)).astype(np.float64)
    np.fill_diagonal(matrix, 0)
    return matrix


class Measurement:
    """One matrix and the folder it lies in; the first result is what the others must equal."""

    def __init__(self, build, folder, n):
        self.build, self.folder, self.n = build, folder, n
        self.matrix = random_matrix(n)
        self.matrix.tofile(folder / "in.bin")
        self.truth = None
        self.rows = []

    def add(self, name, threads, times, distances, note=""):
        seconds, cpu_seconds = times
        if self.truth is None:
            self.truth = distances
        equal = bool(np.array_equal(distances, self.truth))
        self.rows.append({"name": name, "vertices": self.n, "threads": threads, "seconds": seconds,
                          "cpu_seconds": cpu_seconds, "equal": equal, "note": note})
        print(f"  {name}, {threads} threads: {min(seconds):.4f} s", file=sys.stderr, flush=True)

    def skip(self, name, reason):
        self.rows.append({"name": name, "vertices": self.n, "skipped": reason})
        print(f"  {name}: left out, {reason}", file=sys.stderr, flush=True)

    def program(self, name, program, variant, threads, repetitions):
        path = self.build / "bin" / "peers" / f"peer_{program}"
        if not path.exists():
            return self.skip(name, "not built here")
        out = self.folder / "out.bin"
        told = answer(path, variant, self.folder / "in.bin", out, self.n, threads, repetitions,
                      env=os.environ | {"OMP_NUM_THREADS": str(threads)})
        distances = np.fromfile(out).reshape(self.n, self.n)
        return self.add(name, threads, (told["seconds"], told["cpu_seconds"]), distances, told["note"])

    def scipy(self, repetitions):
        runs = [timed(lambda: floyd_warshall(self.matrix)) for _ in range(repetitions)]
        return self.add("SciPy floyd_warshall, f64", 1, zip(*(times for _, times in runs)), runs[0][0])


def measure(build, folder, n, threads):
    """Every peer at one size."""
    print(f"{n} vertices", file=sys.stderr, flush=True)
    m = Measurement(build, folder, n)
    for variant in ("f32", "f64", "i32", "u16"):
        for count in sorted({1, threads}):
            m.program(f"apsp, {variant}", "apsp", variant, count, 7)
    m.scipy(2)
    for variant in ("f32", "f64"):
        for count in sorted({1, threads}):
            m.program(f"plain k-loop, {variant}", "plain_k_loop", variant, count, 3)
        m.program(f"loops in blocks, {variant}", "blocked_loops", variant, 1, 3)
    m.program("k-loop with OpenACC directives, f32", "openacc", "f32", threads, 3)
    m.program("k-loop with OpenMP target directives, f32", "openmp_target", "f32", threads, 3)
    return m.rows


def busy_cores(seconds=2.0):
    """How many cores other processes keep busy, watched for a while. (The load average would still
    remember the build that came before.)"""
    def ticks():
        numbers = [int(word) for word in open("/proc/stat").readline().split()[1:]]
        return sum(numbers), numbers[3] + numbers[4]

    total, idle = ticks()
    time.sleep(seconds)
    total_then, idle_then = ticks()
    return os.cpu_count() * (1 - (idle_then - idle) / max(1, total_then - total))


def main():
    options = asked(__doc__, build=pathlib.Path, output=(pathlib.Path,), quick=False)

    busy_before = busy_cores()
    print("apsp bench", file=sys.stderr, flush=True)
    bench = answer(options.build / "bin" / "apsp", "bench", "--json", "--quick" if options.quick else "--full")
    threads = bench["benchmark"]["threads"]
    peers = []
    with tempfile.TemporaryDirectory() as folder:
        for n in (1000,) if options.quick else (1000, 2000):
            peers += measure(options.build, pathlib.Path(folder), n, threads)
    document = {
        "date": datetime.date.today().isoformat(),
        "bench": bench,
        "peers": peers,
        "commit": commit(),
        "busy_cores": busy_before,
        "versions": {"scipy": scipy.__version__},
        "quick": options.quick,
    }
    (options.build / "performance.json").write_text(json.dumps(document, indent=2))
    text = report.markdown(document)
    if options.output:
        report.write_into(options.output, "bench/peers/run", text)
    else:
        print(text)
    wrong = [row["name"] for row in peers if not row.get("equal", True)]
    if wrong:
        sys.exit(f"differ from apsp: {', '.join(wrong)}")


if __name__ == "__main__":
    main()
