"""Parallel edges from Python: the second weight of the edge that is taken, and changes of one of them."""

import os
import pickle
import random

import numpy as np
import pandas as pd
import pytest

import apsp

TRIALS = int(os.environ.get("APSP_EXACT_SOLVES", 100))


def table(tmp_path, graph, second, **options):
    apsp.write_table(graph, tmp_path / "t.csv", second=second, **options)
    return pd.read_csv(tmp_path / "t.csv")


def taken(edges, u, v, directed):
    """The second weight of the lightest edge between two vertices; of several the least."""
    return min((weight, second) for a, b, weight, second in edges
               if (a, b) == (u, v) or not directed and (b, a) == (u, v))[1]


def test_lengths_are_those_of_the_edges_that_are_taken(tmp_path):
    for seed in range(TRIALS):
        draw = random.Random(seed)
        n, directed = draw.randint(2, 6), draw.random() < 0.5
        edges = [(draw.randrange(n), draw.randrange(n), draw.randint(0, 5), draw.randint(0, 99)) for _ in range(5 * n)]
        u, v, times, metres = map(list, zip(*edges))
        minutes, lengths = (apsp.Graph.from_edges(u, v, weights, n=n, directed=directed) for weights in (times, metres))
        if seed % 3 == 1:
            minutes = pickle.loads(pickle.dumps(minutes))
        result = apsp.solve(minutes)
        found = table(tmp_path, result if seed % 2 else minutes, lengths)
        for row in found.itertuples():
            path = result.path(int(row[1]), int(row.to))
            expected = sum(taken(edges, a, b, directed) for a, b in zip(path, path[1:])) if path else np.inf
            assert row.second == expected, (seed, row)


def test_files_need_their_order(tmp_path):
    (tmp_path / "times.gr").write_text("p sp 2 2\na 1 2 10\na 1 2 20\n")
    (tmp_path / "metres.gr").write_text("p sp 2 2\na 1 2 500\na 1 2 100\n")
    paths = tmp_path / "times.gr", tmp_path / "metres.gr"
    assert table(tmp_path, *paths, sources=[1], targets=[2]).second.tolist() == [500]
    kept = [apsp.read(path, keep_order=True) for path in paths]
    assert table(tmp_path, *kept, sources=[1], targets=[2]).second.tolist() == [500]
    pytest.raises(apsp.UsageError, table, tmp_path, kept[0], apsp.read(paths[1]))
    apsp.solve(kept[0], output=tmp_path / "r.zarr")
    pytest.raises(apsp.UsageError, table, tmp_path, apsp.open(tmp_path / "r.zarr"), kept[1])


def test_a_change_names_one_of_parallel_edges(tmp_path):
    graph = apsp.Graph.from_edges(["a", "a", "b"], ["b", "b", "c"], [10, 20, 5], directed=False)
    for change in ("a", "b", float("inf")), ("a", "b", 7):
        pytest.raises(apsp.UsageError, graph.with_changes, [change])
    closed = graph.with_changes([("b", "a", float("inf"), 10)])
    assert closed.edges()[2].tolist() == [20, 5]
    assert graph.with_changes([("a", "b", 1, 20), ("b", "c", 9)]).edges()[2].tolist() == [1, 10, 9]
    pytest.raises(apsp.UsageError, graph.with_changes, [("a", "b", 1, 11)])
    pytest.raises(apsp.UsageError, graph.with_changes, [("a", "b", 1, 20, 3)])
    for keep in "factor", "matrix":
        path = tmp_path / f"{keep}.zarr"
        apsp.solve(graph, keep=keep, output=path)
        pytest.raises(apsp.UsageError, apsp.update, path, [("a", "b", 7)])
        assert apsp.update(path, [("a", "b", float("inf"), 10)]).distance("a", "c") == 25
