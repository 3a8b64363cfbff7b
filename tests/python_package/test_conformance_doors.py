"""The same distances through every other door (Hypothesis): tables, files, stores, factors, matrices of every
type and semiring. What solves is checked by the library's verifier too, which shares no code with it."""

import pathlib
import pickle
import tempfile

import igraph
import networkx as nx
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from arrays_on_gpu import OnlyDlpack
from test_conformance import COMMON, graphs, made, textbook

import apsp

NO_EDGE = {"float32": np.inf, "float64": np.inf, "int32": 2**30 - 1, "uint16": 2**15 - 1}


def tables(n, edges, directed):
    """The graph as others hold it, by the names of their doors."""
    u, v, weights = (np.array(part, np.int64) for part in (zip(*edges) if edges else ([], [], [])))
    kind = nx.MultiDiGraph if directed else nx.MultiGraph
    network = kind()
    network.add_nodes_from(range(n))
    network.add_weighted_edges_from(edges)
    columns = {"source": u, "target": v, "weight": weights}
    given = dict(n=n, directed=directed)
    return {
        "lists": apsp.Graph.from_edges(u.tolist(), v.tolist(), weights.tolist(), **given),
        "DLPack": apsp.Graph.from_edges(*map(OnlyDlpack, (u, v, weights.astype(float))), **given),
        "columns of pandas": apsp.Graph.from_edges(*(pd.Series(c) for c in columns.values()), **given),
        "columns of Arrow": apsp.Graph.from_edges(*(pa.array(c) for c in columns.values()), **given),
        "pandas": apsp.Graph.from_pandas(pd.DataFrame(columns), directed=directed),
        "Arrow": apsp.Graph.from_arrow(pa.table(columns), directed=directed),
        "NetworkX": apsp.Graph.from_networkx(network),
        "igraph": apsp.Graph.from_igraph(igraph.Graph(n, list(zip(u.tolist(), v.tolist())), directed=directed,
                                                      edge_attrs={"weight": weights.tolist()})),
        "pickle": pickle.loads(pickle.dumps(made(n, edges, directed))),
    }


def expect_rows(graph, expected):
    """The distances by labels: a table knows only vertices that have an edge."""
    result = apsp.solve(graph, value_type="f64", keep="matrix")
    labels = np.array(list(graph.labels), np.int64)
    np.testing.assert_array_equal(result.distances, expected[np.ix_(labels, labels)])


@COMMON
@given(graphs())
def test_tables_of_others(graph):
    expected = textbook(*graph)
    for door, made_of in tables(*graph).items():
        try:
            expect_rows(made_of, expected)
        except AssertionError as error:
            raise AssertionError(door) from error


@COMMON
@given(graphs(least=1), st.sampled_from(["matrix-market", "dimacs", "metis", "numpy", "edge-list"]), st.booleans())
def test_files(graph, form, compressed):
    n, edges, directed = graph
    if form == "metis":  # undirected, without loops
        edges, directed = [edge for edge in edges if edge[0] != edge[1]], False
    if form == "numpy":  # a place an edge
        best = {}
        for u, v, weight in edges:
            ends = (u, v) if directed else (min(u, v), max(u, v))
            best[ends] = min(weight, best.get(ends, weight))
        edges = [(*ends, weight) for ends, weight in best.items()]
    suffix = {"matrix-market": "mtx", "dimacs": "gr", "metis": "graph", "numpy": "npy", "edge-list": "csv"}[form]
    packed = ".gz" if compressed and form != "numpy" else ""
    expected = textbook(n, edges, directed)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / f"graph.{suffix}{packed}"
        made(n, edges, directed).save(path, form)
        again = apsp.read(path, format=form, directed=directed if form == "edge-list" else None)
        if form == "edge-list":  # which knows no vertex without an edge
            return expect_rows(again, expected)
        np.testing.assert_array_equal(apsp.solve(again, value_type="f64", keep="matrix").distances, expected)


@COMMON
@given(graphs(), st.sampled_from(["matrix", "factor", ".npy", ".zarr", "factor.zarr"]), st.data())
def test_answers_of_whatever_is_kept(graph, kept, data):
    n, edges, directed = graph
    expected = textbook(*graph)
    made_of = made(*graph)
    with tempfile.TemporaryDirectory() as folder:
        if kept in ("matrix", "factor"):
            result = apsp.solve(made_of, keep=kept, value_type="f64")
        else:
            path = pathlib.Path(folder) / f"kept{kept}"
            stored = "factor" if kept.startswith("factor") else "matrix"
            apsp.solve(made_of, output=path, stored=stored, value_type="f64")
            result = apsp.open(path, made_of)
        assert result.verify()["passed"]
        for block in result.rows():
            np.testing.assert_array_equal(block.distances, expected[block.sources])
        if n == 0:
            return
        pairs = data.draw(st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), min_size=1))
        np.testing.assert_array_equal(result.distances_of(pairs), [expected[pair] for pair in pairs])
        for s, t in pairs[:3]:
            assert result.distance(s, t) == expected[s, t] and result.row(s)[t] == expected[s, t]
            path = result.path(s, t)
            assert bool(path) == np.isfinite(expected[s, t])
            assert not path or (path[0], path[-1]) == (s, t)
        reached = expected[np.isfinite(expected) & ~np.eye(n, dtype=bool)]
        statistics = result.statistics
        assert statistics["reachable_pairs"] == len(reached)
        assert statistics["greatest"] == (reached.max() if len(reached) else None)
        assert statistics["mean"] == (pytest.approx(reached.mean()) if len(reached) else None)
        assert sum(bar["pairs"] for bar in statistics["histogram"]) == len(reached)


def matrix_of(n, edges, directed, dtype):
    matrix = np.full((n, n), NO_EDGE[dtype], dtype)
    for u, v, weight in edges:
        for a, b in ((u, v), (v, u))[:1 if directed else 2]:
            matrix[a, b] = min(matrix[a, b], weight)
    return matrix


@COMMON
@given(graphs(), st.sampled_from(sorted(NO_EDGE)), st.booleans())
def test_matrices(graph, dtype, overwrite):
    expected, matrix = textbook(*graph), matrix_of(*graph, dtype)
    found = apsp.floyd_warshall(matrix, overwrite=overwrite)
    assert (found is matrix) == overwrite and found.dtype == dtype
    np.testing.assert_array_equal(np.where(found == NO_EDGE[dtype], np.inf, found.astype(float)), expected)


@COMMON
@given(graphs(least=-3), st.sampled_from(["float32", "float64", "int32"]))
def test_matrices_of_both_signs(graph, dtype):
    expected, matrix = textbook(*graph), matrix_of(*graph, dtype)
    if expected is None:
        pytest.raises(apsp.NegativeCycleError, apsp.floyd_warshall, matrix)
        return
    found = apsp.floyd_warshall(matrix)
    np.testing.assert_array_equal(np.where(found == NO_EDGE[dtype], np.inf, found.astype(float)), expected)


@pytest.mark.parametrize("door", [
    lambda weights: apsp.Graph.from_edges([0], [1], weights),
    lambda weights: apsp.Graph.from_edges([0], [1], OnlyDlpack(weights)),
    lambda weights: apsp.Graph.from_pandas(pd.DataFrame({"source": [0], "target": [1], "weight": weights})),
    lambda weights: apsp.Graph.from_arrow(pa.table({"source": [0], "target": [1], "weight": weights})),
    lambda weights: apsp.Graph.from_networkx(nx.Graph([(0, 1, {"weight": weights[0]})])),
    lambda weights: apsp.Graph.from_igraph(igraph.Graph(2, [(0, 1)], edge_attrs={"weight": weights})),
    lambda weights: apsp.floyd_warshall(np.array([[0, weights[0]], [1, 0]])),
])
def test_nan_is_refused_at_every_door(door):
    pytest.raises(apsp.UsageError, door, [np.nan])
