#!/usr/bin/env python3
"""Problems of the campaign through the command line, jobs of MPI and, where there is one, the Python package.

  tests/differential/doors.py CAMPAIGN APSP [--problems N] [--jobs N] [--seconds S] [--seed N]

CAMPAIGN is the program apsp_campaign, which draws the problems; APSP the command. Distances are compared
with Python's integers (tests/exact_solves.py). Every door gets the same graph: as an edge list or an .npy,
as arrays of edges, as a matrix. Prints how to repeat what differs. Ends with 1 if any did."""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "python"))
import exact_solves  # noqa: E402
from killed import LAUNCH  # noqa: E402

try:
    import apsp
except ImportError:
    apsp = None


class Told(exact_solves.Problem):
    """A problem as the campaign prints it: of 14 vertices and fewer, whole or real weights."""

    def __init__(self, line):
        told = json.loads(line)
        self.seed, self.n, self.directed = told["seed"], told["n"], told["directed"]
        self.semiring, self.dtype = told["semiring"], told["type"]
        self.algorithm, self.threads = told["algorithm"], told["threads"]
        self.grid, self.tile = told["grid"], told["tile"]
        self.arcs = [(u, v, float(w)) for u, v, w in told["edges"]]
        least = self.semiring in ("min-plus", "min-max")
        self.weights = np.full((self.n, self.n), np.nan)
        for u, v, w in self.arcs:
            for a, b in ((u, v),) if self.directed else ((u, v), (v, u)):
                held = self.weights[a, b]
                if a != b and (np.isnan(held) or (w < held if least else w > held)):
                    self.weights[a, b] = w

    def asked(self):
        """Whether its question suits every door: a cycle that is better than nothing is the campaign's to judge."""
        return (2 <= self.n <= 14 and self.arcs and self.semiring != "or-and" and self.semiring != "max-plus"
                and all(w >= 0 for _, _, w in self.arcs))

    def none(self, dtype):
        if dtype.kind == "f":
            return np.inf if self.semiring.startswith("min") else -np.inf
        top = 2**15 - 1 if dtype == np.uint16 else 2**30 - 1
        return top if self.semiring.startswith("min") else (0 if dtype == np.uint16 else -top)


def launcher(problem):
    """The words that start a job of as many processes as the problem's grid has."""
    return [*LAUNCH, "-n", str(problem.grid[0] * problem.grid[1])]


def by_command(command, door, problem, folder, comparison):
    graph = pathlib.Path(folder, "g.txt")
    # Loops of 0 change nothing, and name every vertex.
    lines = [f"{v} {v} 0\n" for v in range(problem.n)] + [f"{u} {v} {w!r}\n" for u, v, w in problem.arcs]
    graph.write_text("".join(lines))
    in_tiles = ["--tile", str(problem.tile)] if problem.tile > 0 else []
    if door == "job" and problem.algorithm == "floyd-warshall":
        in_tiles += ["--tuning", "grid={}x{}".format(*problem.grid)]
    for algorithm, more in ((problem.algorithm, in_tiles), ("auto", [])):
        done = subprocess.run(
            [*command, "solve", "g.txt", "-o", "out.npy", "--overwrite", "--json", "--quiet", "--no-statistics",
             "--semiring", problem.semiring, "--dtype", problem.dtype if algorithm != "auto" else "auto", "--algorithm",
             algorithm, "--threads", str(problem.threads), "--directed" if problem.directed else "--undirected", *more],
            cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode == 0:
            break
    assert done.returncode == 0, f"seed {problem.seed}: {done.stderr}"
    found = np.load(pathlib.Path(folder, "out.npy"))
    assert found.shape == (problem.n, problem.n), f"seed {problem.seed}: {found.shape}"
    comparison.compare(door, problem, found, json.loads(done.stdout)["plan"]["precision"], problem.none(found.dtype))


def by_package(problem, comparison):
    u, v, w = (np.array(part) for part in zip(*problem.arcs, strict=True))
    graphs = {"edges": apsp.Graph.from_edges(u, v, w, n=problem.n, directed=problem.directed)}
    if problem.semiring == "min-plus":
        matrix = np.where(np.isnan(problem.weights), np.inf, problem.weights)
        np.fill_diagonal(matrix, 0)
        graphs["matrix"] = apsp.Graph.from_numpy(np.asfortranarray(matrix), directed=problem.directed)
        graphs["strided"] = apsp.Graph.from_numpy(np.repeat(np.repeat(matrix, 2, 0), 3, 1)[::2, ::3],
                                                  directed=problem.directed)
    for form, graph in graphs.items():
        try:
            result = apsp.solve(graph, semiring=problem.semiring, algorithm=problem.algorithm, value_type=problem.dtype,
                                threads=problem.threads, keep="matrix")
        except (apsp.UsageError, apsp.DoesNotFitError):
            result = apsp.solve(graph, semiring=problem.semiring, threads=problem.threads, keep="matrix")
        comparison.compare(form, problem, result.distances, result.plan["precision"], result.no_path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("campaign")
    parser.add_argument("apsp")
    parser.add_argument("--problems", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=0, help="so many through mpirun too")
    parser.add_argument("--seconds", type=float, default=15, help="no problem begins later")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    os.environ.setdefault("APSP_MEASURE", "never")
    lines = subprocess.run([options.campaign, "--tell", str(options.problems), "--seed", str(options.seed)],
                           capture_output=True, text=True, check=True).stdout.splitlines()
    comparison, began, wrong = exact_solves.Comparison(), time.monotonic(), 0
    program, jobs = os.path.abspath(options.apsp), options.jobs
    for problem in map(Told, lines):
        if time.monotonic() - began > options.seconds:
            break
        if not problem.asked():
            continue
        with tempfile.TemporaryDirectory() as folder:
            try:
                by_command([program], "command", problem, folder, comparison)
                if jobs > 0:
                    jobs -= 1
                    by_command([*launcher(problem), program], "job", problem, folder, comparison)
                if apsp is not None:
                    by_package(problem, comparison)
            except AssertionError as error:
                wrong += 1
                print(f"{error}\n  repeat: doors.py --problems 1 --seed {problem.seed}")
    comparison.tell()
    print(f"{wrong} wrong")
    assert comparison.doors.total() > 0
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
