"""Solves of every kind in one process, for as long as asked: memory, handles and threads stay flat.

    python tests/reliability/endurance.py [--minutes 60 | --solves 1200] [--seed N]

Draws a door of the Python package (solve with every engine and output, rows, update, paths, verify, near
pairs, betweenness, SciPy's and NumPy's doors, errors) and calls it. A first solve fills the pool of threads. After a
first third, and 750 calls, which fill the pools of memory, memory may grow by 3 % and 8 MiB, handles and threads not at
all. Prints all three ten times.

PYTHONPATH names the package (build/release/python)."""

import argparse
import ctypes
import gc
import os
import random
import sys
import tempfile
import threading
import time

import numpy as np
import scipy.sparse
import zarr

import apsp
from apsp import csgraph


FIRST = 750  # calls, at least, until pools of memory are full
MOST_THREADS = 16  # more than the doors use at once: three solves of three threads, and streams that still end


class Doors:
    def __init__(self, folder):
        self.folder = folder
        self.graphs = [apsp.generate("grid", 400, directed=False), apsp.generate("gnp", 250, probability=0.03),
                       apsp.generate("rmat", 300, edges=1500, real=True),
                       apsp.generate("gnp", 150, probability=0.05, negative=True)]
        values = np.random.default_rng(1).random((120, 120)) + 0.5
        self.dense, self.sparse = values, scipy.sparse.random_array((200, 200), density=0.03, random_state=1).tocsr()
        self.output = os.path.join(folder, "out.zarr")

    def solve_by(self):
        graph = random.choice(self.graphs[:3])
        algorithm = random.choice(["floyd-warshall", "nested-dissection", "johnson", "auto"])
        result = apsp.solve(graph, algorithm=algorithm, keep=random.choice(["matrix", "statistics", "auto"]),
                            threads=random.choice([1, 2, 3]))
        result.statistics

    def solve_to_files(self):
        for name in ("out.zarr", "out.npy"):
            path = os.path.join(self.folder, name)
            apsp.solve(random.choice(self.graphs[:3]), output=path, predecessors=name == "out.zarr", overwrite=True)
        result = apsp.open(self.output)
        result.row(3), result.path(0, 7), result.distance(1, 5), result.distances[:5]
        result.verify(sources=5)

    def keep_a_factor(self):
        result = apsp.solve(self.graphs[0], keep="factor", algorithm="nested-dissection")
        result.distances_of([(0, 5), (7, 9)]), result.row(4), result.path(3, 99)
        path = os.path.join(self.folder, "factor.zarr")
        apsp.solve(self.graphs[0], output=path, stored="factor", statistics=False, overwrite=True)
        apsp.open(path).distance(0, 17)

    def update(self):
        apsp.solve(self.graphs[1], output=self.output, overwrite=True)
        apsp.update(self.output, weights=np.asarray(self.graphs[1].to_scipy().data, dtype=float) + 1)

    def rows(self):
        for block in apsp.rows(random.choice(self.graphs[:3])):
            block
        next(apsp.rows(self.graphs[0]))  # the others are let go

    def matrices(self):
        apsp.floyd_warshall(self.dense)
        apsp.multiply_add(self.dense.copy(), self.dense, self.dense)
        csgraph.shortest_path(self.sparse, return_predecessors=True)
        csgraph.dijkstra(self.sparse, indices=[0, 3])
        apsp.solve(apsp.Graph.from_numpy(self.dense, copy=False))

    def near(self):
        apsp.within(self.graphs[0], 150)
        apsp.nearest(self.graphs[0], [3, 77], 2)
        apsp.access(self.graphs[0], np.ones(400), 100)
        apsp.betweenness(self.graphs[1])

    def report(self):
        apsp.solve(self.graphs[0], output=self.output, overwrite=True).report()

    def errors(self):
        for wrong in (lambda: apsp.solve(self.graphs[0], algorithm="x"), lambda: apsp.open("/none.zarr"),
                      lambda: apsp.floyd_warshall(np.array([[0, 1.0], [-2.0, 0]])),
                      lambda: apsp.solve(self.graphs[0], output="/none/o.zarr"),
                      lambda: apsp.solve(self.graphs[1], memory=1000, keep="matrix")):
            try:
                wrong()
            except (apsp.Error, ValueError):
                continue
            raise AssertionError("no error")

    @staticmethod
    def stop(*_):
        raise KeyboardInterrupt

    def ended_early(self):
        """An exception in the middle of a solve."""
        try:
            apsp.solve(self.graphs[0], output=self.output, overwrite=True, progress=self.stop)
        except KeyboardInterrupt:
            pass

    def beside_each_other(self):
        solving = [threading.Thread(target=self.solve_by) for _ in range(3)]
        for thread in solving:
            thread.start()
        for thread in solving:
            thread.join()

    ALL = [solve_by, solve_by, solve_to_files, keep_a_factor, update, rows, matrices, near, report, errors,
           ended_early, beside_each_other]


def held():
    """(bytes of memory, open handles, threads) of this process."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)  # what the C library keeps for later is not lost
    for _ in range(100):  # a stream that was let go may still be ending
        threads = len(os.listdir("/proc/self/task"))
        if threads == held.threads:
            break
        time.sleep(0.01)
    held.threads = threads
    with open("/proc/self/statm") as statm:
        memory = int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return memory, len(os.listdir("/proc/self/fd")), threads


held.threads = 0


def endure(doors, going_on, told=print):
    """Calls doors while going_on(calls) says how far it is, from 0 to 1; what grew, or nothing."""
    calls, first, next_told = 0, None, 0.0
    # Pools of threads grow to the most that were ever used at once, apsp's and zarr's. Chance would say when.
    zarr.config.set({"threading.max_workers": 1})
    apsp.solve(doors.graphs[0], algorithm="floyd-warshall", threads=MOST_THREADS)
    while (done := going_on(calls)) < 1:
        # Every door before the first figure, whatever is drawn later.
        door = doors.ALL[calls] if calls < len(doors.ALL) else random.choice(doors.ALL)
        door(doors)
        calls += 1
        if first is None and done >= 0.3 and calls >= FIRST:
            first = held()
        if done >= next_told:
            next_told += 0.1
            memory, handles, threads = held()
            told(f"{calls} calls: {memory / 2**20:.1f} MiB, {handles} handles, {threads} threads")
    assert first is not None, "too few calls"
    last = held()
    told(f"{calls} calls: {last[0] / 2**20:.1f} MiB, {last[1]} handles, {last[2]} threads")
    if last[0] > 1.03 * first[0] + (8 << 20):
        return f"memory grew from {first[0] / 2**20:.1f} to {last[0] / 2**20:.1f} MiB"
    if last[1] > first[1]:
        return f"handles grew from {first[1]} to {last[1]}"
    if last[2] > first[2]:
        return f"threads grew from {first[2]} to {last[2]}"
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float)
    parser.add_argument("--solves", type=int, default=800, help="calls, where no minutes are given")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    random.seed(options.seed)
    began = time.monotonic()

    def going_on(calls):
        if options.minutes is None:
            return calls / options.solves
        return (time.monotonic() - began) / (60 * options.minutes)

    with tempfile.TemporaryDirectory(prefix="apsp-endurance-") as folder:
        grown = endure(Doors(folder), going_on)
    print(grown or "flat")
    return 1 if grown else 0


if __name__ == "__main__":
    sys.exit(main())
