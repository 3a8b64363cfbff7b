"""Integers around 2^53 from Python: the sums of Python's own integers, or DoesNotFitError."""

import os
import random

import numpy as np
import pytest
from scipy.sparse import csgraph, csr_array

import apsp
import apsp.csgraph

TRIALS = int(os.environ.get("APSP_EXACT_SOLVES", 200))
LIMIT = 2**53


def drawn(seed):
    """n, and edges (u, v, weight) of integers that float64 holds."""
    draw = random.Random(seed)
    n, scale = draw.randint(2, 7), draw.choice([LIMIT // 30, LIMIT // 6, LIMIT - 1, None])
    one = lambda: (draw.choice([draw.randint(0, 3), LIMIT - draw.randint(1, 5), 2**62 + 1024 * draw.randint(0, 3)])
                   if scale is None else draw.randint(0, scale))
    return n, [(draw.randrange(n), draw.randrange(n), one()) for _ in range(3 * n)]


def true_distances(n, edges):
    infinity = 2**80
    d = [[0 if u == v else infinity for v in range(n)] for u in range(n)]
    for u, v, weight in edges:
        d[u][v] = min(d[u][v], weight)
    for k in range(n):
        for u in range(n):
            for v in range(n):
                d[u][v] = min(d[u][v], d[u][k] + d[k][v])
    return [[None if d == infinity else d for d in row] for row in d]


def integers(rows):
    return [[None if np.isinf(d) else int(d) for d in row] for row in rows]


def test_random_graphs_are_exact_or_refused():
    solved = refused = 0
    for seed in range(TRIALS):
        n, edges = drawn(seed)
        exact = true_distances(n, edges)
        u, v, weights = zip(*edges)
        weights = list(weights) if seed % 2 else np.array(weights, np.int64)
        try:
            graph = apsp.Graph.from_edges(u, v, weights, n=n)
            if seed % 3:
                result = apsp.solve(graph, keep="factor" if seed % 3 == 1 else "matrix")
                assert result.verify()["passed"]
                found = [result.row(s) for s in range(n)]
            else:
                found = np.vstack([rows for _, rows in apsp.rows(graph, sources=range(n))])
                found = np.where(found >= 2.0**60, np.inf, found.astype(float)) if found.dtype.kind == "f" else None
        except (apsp.DoesNotFitError, apsp.UsageError) as error:  # of an integer beyond 2^53 at once
            assert "2^53" in str(error) and sum(map(int, weights)) >= LIMIT, seed
            refused += 1
            continue
        if found is not None:
            assert integers(found) == exact, seed
        solved += 1
    assert solved > 0 and refused > 0


def test_f64_by_name_rounds_and_says_so():
    graph = apsp.Graph.from_edges([0, 1], [1, 2], [LIMIT, 1])
    pytest.raises(apsp.DoesNotFitError, apsp.solve, graph)
    result = apsp.solve(graph, value_type="f64")
    assert result.figures["unit_roundoff"] > 0 and result.distance(0, 2) == LIMIT
    assert "error" in result.plan["precision"]


def test_csgraph_rounds_as_scipy_does():
    matrix = csr_array(([LIMIT, 1, 1], ([0, 1, 2], [1, 2, 3])), shape=(4, 4), dtype=float)
    np.testing.assert_array_equal(apsp.csgraph.shortest_path(matrix), csgraph.shortest_path(matrix))
