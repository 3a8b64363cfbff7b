"""Arrays of every shape, stride and type, at random: a graph that is what NumPy sees, or an exception."""

import os
import random

import igraph
import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse

import apsp
import apsp.csgraph

FEW = 400
DTYPES = ["f4", "f8", "i4", "i8", "u2", "u1", "i1", "?", ">f4", ">f8", ">i4", "f2", "c8", "O", "S3", "M8[s]", "V4"]
REFUSALS = (apsp.Error, TypeError, ValueError, OverflowError)


def seeds():
    first = int(os.environ.get("APSP_ODD_ARRAYS_SEED", "1"))
    return range(first, first + int(os.environ.get("APSP_ODD_ARRAYS", FEW)))


def some_array(r, shape):
    """Of some type, with strides that may be negative, 0, or leave gaps; perhaps read-only."""
    dtype = np.dtype(r.choice(DTYPES))
    steps = [r.choice([1, 1, 2, -1, -3]) for _ in shape]
    large = tuple(size * abs(step) for size, step in zip(shape, steps, strict=True))
    values = np.random.default_rng(r.randrange(1 << 30)).integers(0, 100, large)
    array = values.astype(dtype, order=r.choice("CF")) if dtype.kind not in "MV" else np.zeros(large, dtype)
    array = array[tuple(slice(None, None, step) for step in steps)]
    array = array[tuple(slice(0, size) for size in shape)]
    if r.random() < 0.1 and array.size:
        array = np.broadcast_to(array[:1, ...], array.shape)
    if r.random() < 0.3:
        array.flags.writeable = False
    return array


def expect_matrix(graph, array):
    """The graph of a matrix of finite weights has an arc for each entry off the diagonal."""
    n = array.shape[0]
    assert graph.vertex_count == n
    result = apsp.solve(graph, threads=1, keep="matrix")
    if n < 2:
        return
    weights = np.array(array, np.float64)
    if array.dtype == np.bool_:
        weights[~np.array(array)] = np.inf  # False is no edge
    np.fill_diagonal(weights, 0)
    best = weights.copy()
    for k in range(n):
        best = np.minimum(best, best[:, k:k + 1] + best[k:k + 1, :])
    found = np.array([[result.distance(u, v) for v in range(n)] for u in range(n)])
    assert np.array_equal(found, best)


def test_matrices():
    graphs = 0
    for seed in seeds():
        r = random.Random(seed)
        shape = tuple(r.choice([0, 1, 2, 3, 5, 5, 5]) for _ in range(r.choice([2, 2, 2, 2, 1, 3, 0])))
        if r.random() < 0.7 and len(shape) == 2:
            shape = (shape[0], shape[0])
        array = some_array(r, shape) if shape else np.array(3.0)
        try:
            graph = apsp.Graph.from_numpy(array, directed=True)
        except REFUSALS:
            continue
        assert array.ndim == 2 and array.shape[0] == array.shape[1], f"seed {seed}"
        expect_matrix(graph, array)
        graphs += 1
    assert graphs > len(seeds()) // 10


def test_edges():
    graphs = 0
    for seed in seeds():
        r = random.Random(seed)
        m, n = r.choice([0, 1, 4, 9]), r.choice([0, 1, 5, 99, 100, 120])
        lengths = [m, m, m] if r.random() < 0.8 else [m, r.choice([0, m + 1]), m]
        u, v, w = (some_array(r, (length,)) for length in lengths)
        try:
            graph = apsp.Graph.from_edges(u, v, w, n=n)
        except REFUSALS:
            continue
        assert len(u) == len(v) == len(w), f"seed {seed}"
        assert all(0 <= int(x) < n for x in (*u, *v)), f"seed {seed}"
        assert graph.vertex_count == n
        graphs += 1
    assert graphs > len(seeds()) // 40


def test_sparse_arrays_whose_parts_lie():
    for seed in seeds():
        r = random.Random(seed)
        n = r.choice([1, 4, 6])
        array = scipy.sparse.random_array((n, n), density=0.5, format="csr", rng=seed)
        part = r.choice(["indptr", "indices", "data"])
        values = getattr(array, part).copy()
        if len(values) == 0:
            continue
        values[r.randrange(len(values))] = r.choice([-1, 0, n, n + 7, 2**31 - 1, -2**31])
        setattr(array, part, values if r.random() < 0.8 else values[:-1])
        try:
            graph = apsp.Graph.from_scipy(array, directed=True)
            apsp.solve(graph, threads=1)
        except REFUSALS:
            pass
        else:
            assert graph.vertex_count == n, f"seed {seed}"
        try:
            assert apsp.csgraph.shortest_path(array).shape == (n, n), f"seed {seed}"
        except (*REFUSALS, IndexError):
            pass


@pytest.mark.parametrize("pointers", [[0, 2**30, 2], [0, 1, 0], [0, 1], [1, 1, 2], [0, -1, 2], [0, 1, 3]])
def test_row_pointers_that_lie_are_named(pointers):
    array = scipy.sparse.csr_array([[0, 3.0], [1.0, 0]])
    array.indptr = np.array(pointers, np.int32)
    pytest.raises(apsp.UsageError, apsp.Graph.from_scipy, array)
    columns = scipy.sparse.csc_array([[0, 3.0], [1.0, 0]])
    columns.indptr = np.array(pointers, np.int32)
    # Rows that begin late are read as they are: nothing lies outside.
    for matrix in (array, columns) if pointers[0] == 0 else (columns,):
        pytest.raises((apsp.UsageError, ValueError), apsp.csgraph.shortest_path, matrix)


class Liar:
    """Claims memory by the array protocol that is not there, or is of another kind."""

    def __init__(self, **claims):
        self.__array_interface__ = {"version": 3, "shape": (3, 3), "typestr": "<f4", "data": (0, True), **claims}


@pytest.mark.parametrize("claims", [{"data": None}, {"shape": (-1, 3)}, {"shape": "x"}, {"typestr": "<q9"}, {"data": "x"}])
def test_objects_that_lie_about_their_memory(claims):
    with pytest.raises((*REFUSALS, AttributeError)):
        apsp.Graph.from_numpy(Liar(**claims), directed=True)


def test_truth_is_no_weight_at_any_door():
    graph = nx.Graph()
    graph.add_edge(0, 1, weight=2)
    graph.add_edge(1, 2, weight=True)
    ends = [0, 1], [1, 2]
    makes = [lambda weights=weights: apsp.Graph.from_edges(*ends, weights) for weights in (
        [True, False], [2, True], np.array([True, False]), pd.Series([True, False]), pa.array([True, False]),
        pl.Series([True, False]))]
    for make in (*makes, lambda: apsp.solve(graph), lambda: apsp.solve(graph, weight=lambda u, v, data: data["weight"] == 2),
                 lambda: apsp.solve(igraph.Graph(3, [(0, 1), (1, 2)], edge_attrs={"weight": [2, True]}))):
        with pytest.raises(apsp.UsageError, match="True and False"):
            make()
    assert apsp.access(apsp.Graph.from_networkx(graph, None), [True, False, True], [1]).tolist() == [[1], [2], [1]]


@pytest.mark.parametrize("kind, no_path", [(np.int32, 2**30 - 1), (np.uint16, 2**15 - 1)])
def test_no_path_of_distances_is_no_edge(tmp_path, kind, no_path):
    greatest = np.iinfo(kind).max
    matrix = np.array([[0, no_path, 5], [greatest, 0, 1], [2, 3, 0]], kind)
    np.save(tmp_path / "m.npy", matrix)
    for graph in (apsp.Graph.from_numpy(matrix), apsp.read(tmp_path / "m.npy")):
        sources, targets, weights = graph.edges()
        assert list(zip(sources, targets, weights)) == [(0, 2, 5), (1, 0, greatest), (1, 2, 1), (2, 0, 2), (2, 1, 3)]
        assert f"{greatest:,}" in " ".join(graph.facts["remarks"])
    graph = apsp.Graph.from_numpy(matrix, no_edge=greatest)
    assert (graph.facts["arcs"], f"{greatest:,}" in " ".join(graph.facts["remarks"])) == (4, False)
    assert f"entries of {no_path:,} are no edges" in " ".join(graph.facts["remarks"])
