"""Integers around 2^53 and 2^62: every door gives Python's own sums or refuses before the run.

APSP_EXACT_SOLVES says how many random graphs."""

import csv
import heapq
import os
import random

import numpy as np
import pandas as pd
import pytest

TRIALS = int(os.environ.get("APSP_EXACT_SOLVES", 40))
LIMIT = 2**53
CHAIN = f"p sp 5 4\na 1 2 {LIMIT}\na 2 3 1\na 3 4 1\na 4 5 1\n"
REFUSED = 5  # exit code: it does not fit


def weight(draw):
    few = draw.randint(0, 4)
    return draw.choice([few, LIMIT - 1 - few, LIMIT + 2 * few, 2**62 + 2048 * few, LIMIT // 9 - few,
                        LIMIT // draw.randint(2, 5) + few])


class Numbers:
    """A random graph of 1 … n; a path leads through all vertices."""

    def __init__(self, seed):
        draw = random.Random(seed)
        self.n, self.directed = draw.randint(2, 8), draw.random() < 0.5
        largest = draw.choice([LIMIT // 20, LIMIT // 8, LIMIT // 2, None])
        one = (lambda: weight(draw)) if largest is None else (lambda: draw.randint(0, largest))
        ends = range(1, self.n + 1)
        self.edges = [(v, v + 1, one()) for v in range(1, self.n)]
        self.edges += [(draw.choice(ends), draw.choice(ends), one()) for _ in range(self.n)]
        self.longest_sum = sum(w for *_, w in self.edges)

    def text(self):
        return "".join(f"{u} {v} {w}\n" for u, v, w in self.edges)

    def distances(self, source):
        arcs = self.edges + ([] if self.directed else [(v, u, w) for u, v, w in self.edges])
        found, heap = {}, [(0, source)]
        while heap:
            d, u = heapq.heappop(heap)
            if u in found:
                continue
            found[u] = d
            for a, b, w in arcs:
                if a == u and b not in found:
                    heapq.heappush(heap, (d + w, b))
        return found

    def direction(self):
        return "--directed" if self.directed else "--undirected"


def integers(values):
    """Of floats that are integers, or infinite."""
    return [None if v == float("inf") else int(v) for v in values]


def test_the_reported_chain_is_refused_before_the_run(run, tmp_path):
    (tmp_path / "g.gr").write_text(CHAIN)
    for words in (["distance", "g.gr", "1", "5"], ["solve", "g.gr"], ["plan", "g.gr"], ["path", "g.gr", "1", "5"],
                  ["nearest", "g.gr", "--to", "5"], ["betweenness", "g.gr"],
                  ["solve", "g.gr", "-o", "g.zarr", "--verify"], ["distance", "g.gr", "--sources", "1"],
                  ["solve", "g.gr", "--within", 2**60, "-o", "g.npz"]):
        done = run(*words, code=REFUSED)
        assert "2^53" in done.err and "divide the weights" in done.err, words
        assert done.out == ""
    assert not (tmp_path / "g.zarr").exists() and not (tmp_path / "g.npz").exists()


def test_rounding_is_said_where_f64_is_asked_for(run, tmp_path):
    (tmp_path / "g.gr").write_text(CHAIN)
    plan = run("plan", "g.gr", "--dtype", "f64", "--json").json()
    assert plan["plan"]["precision"].startswith("error at most 1.2e-16")
    run("solve", "g.gr", "--dtype", "f64", "-o", "g.zarr", "--verify")
    told = run("verify", "g.zarr", "--json").json()["verification"]
    assert told["passed"] and told["tolerance"] > 0 and "within tolerance" in told["meaning"]
    told = run("verify", "g.zarr", "--tolerance", 0, "--json", code=1).json()["verification"]
    assert not told["passed"]


def test_within_a_limit_below_distances_are_exact(run, tmp_path):
    (tmp_path / "g.gr").write_text(CHAIN)
    run("solve", "g.gr", "--within", LIMIT - 1, "-o", "g.csv")
    assert pd.read_csv(tmp_path / "g.csv")["distance"].tolist() == [1, 2, 3, 1, 2, 1]


@pytest.mark.parametrize("name", ["t.csv", "t.parquet", "t.npy"])
def test_tables_hold_the_last_exact_integers(run, tmp_path, name):
    (tmp_path / "g.txt").write_text(f"1 2 {LIMIT - 4}\n2 3 3\n")
    run("distance", "g.txt", "--sources", "1", "-o", name)
    if name.endswith("npy"):
        found = np.load(tmp_path / name)[0]
    else:
        table = (pd.read_csv if name.endswith("csv") else pd.read_parquet)(tmp_path / name)
        found = table["distance"]
    assert integers(found) == [0, LIMIT - 4, LIMIT - 1]
    assert f"{LIMIT - 1}" in run("distance", "g.txt", "--sources", "1").out
    assert run("distance", "g.txt", "1", "3", "--json").json()["distances"][0]["distance"] == LIMIT - 1


def test_second_weights_that_would_be_rounded_are_refused(run, tmp_path):
    (tmp_path / "t.txt").write_text("1 2 1\n2 3 1\n")
    (tmp_path / "s.txt").write_text(f"1 2 {LIMIT}\n2 3 1\n")
    asked = ["distance", "t.txt", "--second", "s.txt", "--sources", "1", "-o", "o.csv"]
    run(*asked, code=REFUSED)
    assert not (tmp_path / "o.csv").exists()


def test_random_graphs_are_exact_or_refused(run, tmp_path):
    refused = 0
    for seed in range(TRIALS):
        graph = Numbers(seed)
        (tmp_path / "g.txt").write_text(graph.text())
        source = 1 + seed % graph.n
        exact = graph.distances(source)
        expected = [exact.get(v) for v in range(1, graph.n + 1)]
        door = seed % 3
        if door == 0:
            done = run("distance", "g.txt", graph.direction(), "--sources", source, code=None)
            found = lambda: pd.read_csv(tmp_path / "out.csv")["distance"]
            (tmp_path / "out.csv").write_text(done.out)
        elif door == 1:
            done = run("solve", "g.txt", graph.direction(), "-o", "g.zarr", "--overwrite", "--verify", code=None)
            found = lambda: [float(line.split(",")[2]) for line in run(
                "distance", "g.zarr", "--sources", source).out.splitlines()[1:]]
        else:
            done = run("nearest", "g.txt", graph.direction(), "--to", source, "--from-places", "-o", "n.csv", code=None)
            found = lambda: [dict((int(row["vertex"]), float(row["distance"])) for row in csv.DictReader(
                (tmp_path / "n.csv").read_text().splitlines())).get(v, float("inf"))
                for v in range(1, graph.n + 1)]
        assert done.code in (0, REFUSED), (seed, done.err)
        if done.code == REFUSED:
            refused += 1
            assert graph.longest_sum >= LIMIT, seed
        else:
            assert integers(found()) == expected, seed
    assert 0 < refused < TRIALS
