"""Times whole processes, `apsp solve in.npy -o out.npy`, beside the same solve in memory, the disk
alone and SciPy, in turns on the same matrix; bench/whole/run calls it."""

import os
import pathlib
import sys
import tempfile

import numpy as np
from scipy.sparse.csgraph import dijkstra, floyd_warshall

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from harness import answer, asked, copy_seconds, timed  # noqa: E402

SHARE_BAR = 0.8
SCIPY_BARS = {"f64": 13, "f32": 24}
# Relative error of a sum of a few dozen numbers in each type.
TOLERANCE = {"f32": 1e-5, "f64": 1e-13}
TYPES = {"f32": np.float32, "f64": np.float64}


def random_matrix(n, kind):
    """A complete directed graph with real weights, another one in every run."""
    matrix = np.random.default_rng().uniform(1, 100, (n, n)).astype(TYPES[kind])
    np.fill_diagonal(matrix, 0)
    return matrix


class Case:
    def __init__(self, options, folder, n, kind):
        self.build, self.folder, self.n, self.kind = options.build, folder, n, kind
        self.threads = str(options.threads)
        self.matrix = random_matrix(n, kind)
        np.save(folder / "in.npy", self.matrix)
        self.matrix.astype(np.float64).tofile(folder / "in.bin")

    def whole(self):
        """Seconds of the whole process, and of the solve by its own report."""
        out = self.folder / "out.npy"
        out.unlink(missing_ok=True)
        words = [self.build / "bin" / "apsp", "solve", self.folder / "in.npy", "-o", out, "--dtype",
                 self.kind, "--threads", self.threads, "--json", "--quiet"]
        told, (seconds, _) = timed(lambda: answer(*words))
        return seconds, told["report"]["seconds_solve"]

    def in_memory(self):
        """Seconds of the library's call on a matrix in memory."""
        words = [self.build / "bin" / "peers" / "peer_apsp", self.kind, self.folder / "in.bin",
                 self.folder / "out.bin", str(self.n), self.threads, "1"]
        return min(answer(*words, env=os.environ | {"OMP_NUM_THREADS": self.threads})["seconds"])

    def disk(self):
        return copy_seconds(self.folder, (self.folder / "out.npy").stat().st_size)

    def check(self, expected, rows):
        found = np.load(self.folder / "out.npy").astype(np.float64)[rows]
        if not np.allclose(found, expected, rtol=TOLERANCE[self.kind], atol=0):
            sys.exit(f"n = {self.n}, {self.kind}: wrong distances")


def in_turns(calls, repetitions):
    """The median of each call; they take turns, so that other work meets all."""
    samples = [[call() for call in calls] for _ in range(repetitions)]
    return [np.median(np.array(column), axis=0) for column in zip(*samples)]


def share_of_solve(case):
    (whole, reported), alone, disk = in_turns([case.whole, case.in_memory, case.disk], 7)
    sources = np.random.default_rng().choice(case.n, 4, replace=False)
    case.check(dijkstra(case.matrix.astype(np.float64), indices=sources), sources)
    share = alone / whole
    print(f"| whole process, n = {case.n:,}, {case.kind} | {whole * 1e3:.0f} ms | |\n"
          f"| the solve in it, as it reports | {reported * 1e3:.0f} ms | {reported / whole:.2f} |\n"
          f"| the same solve in memory: share of the whole, bar {SHARE_BAR} | {alone * 1e3:.0f} ms "
          f"| **{share:.2f}** |\n"
          f"| only the disk, as many bytes written and synced | {disk * 1e3:.0f} ms "
          f"| {disk / whole:.2f} |\n"
          f"| share of the whole without that | | {alone / (whole - disk):.2f} |", flush=True)
    return share >= SHARE_BAR


def against_scipy(case):
    (whole, _), = in_turns([case.whole], 9)
    expected, (scipy, _) = timed(lambda: floyd_warshall(case.matrix))
    case.check(expected, slice(None))
    ratio, bar = scipy / whole, SCIPY_BARS[case.kind]
    print(f"| whole process, n = {case.n:,}, {case.kind} | {whole * 1e3:.0f} ms | |\n"
          f"| only SciPy's call: times as long, bar {bar} | {scipy * 1e3:.0f} ms "
          f"| **{ratio:.1f}** |", flush=True)
    return ratio >= bar


def main():
    options = asked(__doc__, build=pathlib.Path, folder=None, threads=len(os.sched_getaffinity(0)))
    print(f"{options.threads} threads; load {os.getloadavg()[0]:.1f} before\n\n"
          "| measure | time | ratio |\n| --- | ---: | ---: |", flush=True)
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        folder = pathlib.Path(name)
        reached = [share_of_solve(Case(options, folder, 4096, "f32"))]
        reached += [against_scipy(Case(options, folder, 2000, kind)) for kind in SCIPY_BARS]
    print(f"\n{sum(reached)} of {len(reached)} bars reached")


if __name__ == "__main__":
    main()
