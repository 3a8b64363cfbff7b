"""Integers around 2^53 and 2^62: every door gives Python's own sums or refuses before the run.

APSP_EXACT_SOLVES says how many random graphs."""

import heapq
import os
import random

import numpy as np
import pandas as pd
import pytest

from doors import refused

TRIALS = int(os.environ.get("APSP_EXACT_SOLVES", 30))
LIMIT = 2**53
CHAIN = f"p sp 5 4\na 1 2 {LIMIT}\na 2 3 1\na 3 4 1\na 4 5 1\n"


class Numbers:
    """A random graph of 1 … n; a path leads through all vertices."""

    def __init__(self, seed):
        draw = random.Random(seed)
        self.n, self.directed = draw.randint(2, 8), draw.random() < 0.5
        largest = draw.choice([LIMIT // 20, LIMIT // 8, LIMIT // 2, None])

        def one():
            few = draw.randint(0, 4)
            return draw.randint(0, largest) if largest else draw.choice([
                few, LIMIT - 1 - few, LIMIT + 2 * few, 2**62 + 2048 * few, LIMIT // 9 - few, LIMIT // draw.randint(2, 5) + few])

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
        return [found.get(v) for v in range(1, self.n + 1)]


def integers(values):
    """Of floats that are integers, or infinite."""
    return [None if v == float("inf") else int(v) for v in values]


def test_a_chain_is_refused_before_the_run(door, tmp_path):
    (tmp_path / "g.gr").write_text(CHAIN)
    for ask, *given in ((door.distance, 1, 5), (door.solve,), (door.path, 1, 5), (door.nearest, [5]), (door.betweenness,),
                        (door.solve, "g.zarr"), (door.within, 2**60)):
        refused("does_not_fit", ask, "g.gr", *given)
    refused("does_not_fit", door.table, "g.gr", sources=[1])
    assert [path.name for path in tmp_path.iterdir()] == ["g.gr"]


def test_rounding_is_said_where_f64_is_asked_for(door, tmp_path):
    (tmp_path / "g.gr").write_text(CHAIN)
    assert door.plan("g.gr", value_type="f64")["precision"].startswith("error at most 1.2e-16")
    assert door.solve("g.gr", "g.zarr", value_type="f64")["report"]["unit_roundoff"] > 0
    told = door.verify("g.zarr")
    assert told["passed"] and told["tolerance"] > 0
    assert not door.verify("g.zarr", tolerance=0)["passed"]
    assert door.distance("g.zarr", 1, 3) == LIMIT


def test_within_a_limit_below_distances_are_exact(door, tmp_path):
    (tmp_path / "g.gr").write_text(CHAIN)
    found = door.within("g.gr", LIMIT - 1)
    assert found[found > 0].tolist() == [1, 2, 3, 1, 2, 1]


@pytest.mark.parametrize("name", ["t.csv", "t.parquet", "t.npy"])
def test_tables_hold_the_last_exact_integers(door, tmp_path, name):
    (tmp_path / "g.txt").write_text(f"1 2 {LIMIT - 4}\n2 3 3\n")
    door.table("g.txt", name, sources=["1"])
    if name.endswith("npy"):
        found = np.load(tmp_path / name)[0]
    else:
        found = (pd.read_csv if name.endswith("csv") else pd.read_parquet)(tmp_path / name)["distance"]
    assert integers(found) == [0, LIMIT - 4, LIMIT - 1]
    assert door.distance("g.txt", 1, 3) == LIMIT - 1


def test_second_weights_that_would_be_rounded_are_refused(door, tmp_path):
    (tmp_path / "t.txt").write_text("1 2 1\n2 3 1\n")
    (tmp_path / "s.txt").write_text(f"1 2 {LIMIT}\n2 3 1\n")
    refused("does_not_fit", door.table, "t.txt", "o.csv", second="s.txt", sources=["1"])
    assert not (tmp_path / "o.csv").exists()


def test_random_graphs_are_exact_or_refused(door, tmp_path):
    count = 0
    for seed in range(TRIALS):
        graph = Numbers(seed)
        (tmp_path / "g.txt").write_text(graph.text())
        source = 1 + seed % graph.n
        reading = dict(directed=graph.directed)
        try:
            if seed % 3 == 0:
                found = [row[2] for row in door.table("g.txt", sources=[source], **reading)]
            elif seed % 3 == 1:
                door.solve("g.txt", "g.zarr", overwrite=True, **reading, keep=["factor", "matrix"][seed % 2])
                assert door.verify("g.zarr")["passed"]
                found = [row[2] for row in door.table("g.zarr", sources=[source])]
            else:
                near = {int(row[0]): row[3] for row in door.nearest("g.txt", [source], towards="vertices", **reading)}
                found = [near.get(v, float("inf")) for v in range(1, graph.n + 1)]
        except Exception as error:
            assert getattr(error, "kind", error) == "does_not_fit" and graph.longest_sum >= LIMIT, (seed, error)
            count += 1
        else:
            assert integers(found) == graph.distances(source), seed
    assert 0 < count < TRIALS


def test_csgraph_rounds_as_scipy_does():
    csgraph = pytest.importorskip("apsp.csgraph")
    from scipy.sparse import csgraph as scipys, csr_array

    matrix = csr_array(([LIMIT, 1, 1], ([0, 1, 2], [1, 2, 3])), shape=(4, 4), dtype=float)
    np.testing.assert_array_equal(csgraph.shortest_path(matrix), scipys.shortest_path(matrix))
