#!/usr/bin/env python3
"""What is near, by apsp and by others, on one generated road network, in one run.

    bench/near/compare.py [--vertices N] [--rounds R]

Compares pandana (nearest places, sums over what is reached; pip install pandana) and SciPy (dijkstra with a limit) with
apsp.nearest, apsp.access, apsp.Reach and apsp.within. All answers must be equal. A round is a call of apsp, then one of the other.
The least times of all rounds count, by the clock and in CPU seconds of all threads. Pandana's preparation is printed,
but not counted.
"""
import argparse
import pathlib
import sys
import time

import numpy as np
from scipy.sparse import csgraph

import apsp

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from harness import timed  # noqa: E402

SCIPY_ROWS = 200  # of which all are extrapolated


def in_turns(rounds, ours, theirs):
    """(our result, their result, our least times, their least times); each call of theirs comes after one of ours."""
    of_ours, of_theirs = [], []
    for _ in range(rounds):
        found, times = timed(ours)
        of_ours.append(times)
        expected, times = timed(theirs)
        of_theirs.append(times)
    return found, expected, np.min(of_ours, axis=0), np.min(of_theirs, axis=0)


def limit_for(graph, wanted, random):
    """A distance within which vertices reach so many others, on average."""
    low, high = 0, 1
    reached = lambda limit: apsp.within(graph, limit, sources=sample).nnz / len(sample)
    sample = random.choice(graph.vertex_count, 200, replace=False).tolist()
    while reached(high) < wanted:
        high *= 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if reached(middle) < wanted else (low, middle)
    return high


def network_of(graph):
    import pandana
    import pandas as pd

    ends = graph.to_scipy().tocoo()
    once = ends.row < ends.col
    x = pd.Series(np.arange(graph.vertex_count, dtype=float))
    return pandana.Network(x, x * 0, pd.Series(ends.row[once]), pd.Series(ends.col[once]),
                           pd.DataFrame({"w": ends.data[once].astype(float)}), twoway=True)


def row(what, ours, theirs, name):
    """A line of the table, of (seconds by the clock, CPU seconds) of each."""
    print(f"| {what} | {ours[0]:.2f} s | {theirs[0]:.2f} s ({name}) | {theirs[0] / ours[0]:.0f} "
          f"| {ours[1]:.2f} s | {theirs[1]:.2f} s | {theirs[1] / ours[1]:.0f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--vertices", type=int, default=155180)
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    random = np.random.default_rng(1)
    graph = apsp.generate("roads", asked.vertices, weights=(10, 100), directed=False, seed=3)
    print(graph, file=sys.stderr)
    n = graph.vertex_count
    begin = time.perf_counter()
    network = network_of(graph)
    print(f"pandana prepares for {time.perf_counter() - begin:.1f} s", file=sys.stderr)
    print("| what | apsp | other | times as fast | CPU, apsp | CPU, other | times less |\n|---|---:|---:|---:|---:|---:|---:|")

    import pandas as pd

    places = random.choice(n, 1000, replace=False)
    network.set_pois("places", 1e9, 3, pd.Series(places.astype(float)), pd.Series(places * 0.0))
    (_, found), expected, ours, theirs = in_turns(asked.rounds, lambda: apsp.nearest(graph, places.tolist(), 3),
                                                  lambda: network.nearest_pois(1e9, "places", num_pois=3))
    assert np.array_equal(found, expected.to_numpy())
    row("the nearest 3 of 1,000 places", ours, theirs, "pandana")

    jobs = random.integers(0, 100, n).astype(float)
    network.set(pd.Series(np.arange(n)), variable=pd.Series(jobs), name="jobs")
    for reached in (1000, 4300):
        limit = limit_for(graph, reached, random)
        sums, expected, ours, theirs = in_turns(
            1, lambda: apsp.access(graph, jobs, limit),
            lambda: network.aggregate(limit, type="sum", decay="flat", name="jobs"))
        assert np.array_equal(sums, expected.to_numpy())
        row(f"sums over some {reached:,} vertices each", ours, theirs, "pandana")

    limit = limit_for(graph, 1000, random)
    reach, _, ours, theirs = in_turns(1, lambda: apsp.Reach(graph, limit), lambda: network.precompute(limit))
    row(f"what is kept of {reach.pairs / n:,.0f} vertices each, {reach.nbytes / 1e6:.0f} MB", ours, theirs, "pandana")
    for decay, of_pandana in ((None, "flat"), ("linear", "linear"), (("exp", limit), "exp")):
        sums, expected, ours, theirs = in_turns(
            asked.rounds, lambda: reach.sum(jobs, decay=decay),
            lambda: network.aggregate(limit, type="sum", decay=of_pandana, name="jobs"))
        assert np.allclose(sums, expected.to_numpy(), rtol=1e-6) and (decay or np.array_equal(sums, expected.to_numpy()))
        row(f"sums over what is kept, {of_pandana}", ours, theirs, "pandana")

    limit = limit_for(graph, 200, random)
    some = random.choice(n, SCIPY_ROWS, replace=False)
    near, rows, ours, theirs = in_turns(
        1, lambda: apsp.within(graph, limit),
        lambda: csgraph.dijkstra(graph.to_scipy(), indices=some, limit=limit))
    assert np.array_equal(near[some].toarray(), np.where(np.isinf(rows), 0, rows))
    row(f"pairs within a limit, {near.nnz / n:.0f} a vertex", ours, theirs * n / SCIPY_ROWS,
        f"SciPy, from {SCIPY_ROWS} rows")


if __name__ == "__main__":
    main()
