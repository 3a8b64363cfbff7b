"""Distances and predecessors of apsp.csgraph against the textbook, by every way of the engine."""

import subprocess
import sys

import numpy as np
import pytest
import scipy.sparse as sp
from csgraph_graphs import METHODS, WAYS, assert_tree, random_matrix, shifted, textbook, weights_of
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csgraph as scipys

from apsp import csgraph
from apsp._apsp import Arcs


def rows_by(way, dense, sources=None, limit=np.inf):
    arcs = Arcs.of_matrix(np.ascontiguousarray(dense, dtype=float), True, False, True)
    count = arcs.n if sources is None else len(sources)
    distances = np.empty((count, arcs.n))
    predecessors = np.empty((count, arcs.n), dtype=np.int32)
    arcs.fill_rows(None if sources is None else np.array(sources), distances, predecessors, limit, way, 2)
    return distances, predecessors


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("n, arcs", [(1, 0), (2, 1), (5, 12), (64, 300), (65, 4225), (130, 400), (130, 9000)])
def test_whole_numbers(way, n, arcs):
    dense = random_matrix(n, arcs, seed=n)
    distances, predecessors = rows_by(way, dense)
    np.testing.assert_array_equal(distances, textbook(weights_of(dense)))
    assert_tree(weights_of(dense), range(n), distances, predecessors, rtol=0)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("n, arcs", [(64, 300), (130, 400), (130, 9000)])
def test_real_weights(way, n, arcs):
    dense = random_matrix(n, arcs, seed=n, low=1e-3, high=1, real=True)
    distances, predecessors = rows_by(way, dense)
    np.testing.assert_allclose(distances, textbook(weights_of(dense)), rtol=1e-13)
    assert_tree(weights_of(dense), range(n), distances, predecessors)


@pytest.mark.parametrize("way", ["automatic", "floyd_warshall", "library"])
@pytest.mark.parametrize("n, arcs", [(3, 5), (64, 300), (130, 9000)])
def test_negative_weights(way, n, arcs):
    dense = shifted(random_matrix(n, arcs, seed=n), seed=n)
    distances, predecessors = rows_by(way, dense)
    np.testing.assert_array_equal(distances, textbook(weights_of(dense)))
    assert_tree(weights_of(dense), range(n), distances, predecessors, rtol=0)


@pytest.mark.parametrize("n, arcs", [(64, 300), (130, 9000)])
def test_negative_real_weights(n, arcs):
    dense = shifted(random_matrix(n, arcs, seed=n, real=True), seed=n)
    distances, predecessors = rows_by("automatic", dense)
    np.testing.assert_allclose(distances, textbook(weights_of(dense)), rtol=1e-11, atol=1e-11)
    assert_tree(weights_of(dense), range(n), distances, predecessors, rtol=1e-11)


@pytest.mark.parametrize("function", [csgraph.johnson, csgraph.bellman_ford, csgraph.shortest_path])
@pytest.mark.parametrize("n, arcs", [(70, 90), (500, 2500), (2000, 9000)])
def test_some_rows_of_negative_real_weights_beside_scipy(function, n, arcs):
    random = np.random.default_rng(n)
    heights, ends = random.uniform(0, 50, n), random.permutation(n * n)[:arcs]
    tails, heads = ends // n, ends % n
    keep = tails != heads
    tails, heads = tails[keep], heads[keep]
    weights = random.uniform(0.1, 50, len(tails)) + heights[heads] - heights[tails]
    graph = sp.csr_array((weights, (tails, heads)), shape=(n, n))
    sources = [n - 1, 0, 7, 0]
    distances, predecessors = function(graph, indices=sources, return_predecessors=True)
    wanted = scipys.johnson(graph, indices=sources)
    np.testing.assert_allclose(distances, wanted, atol=1e-9)
    np.testing.assert_array_equal(distances, function(graph, indices=sources))
    dense = np.full((n, n), np.inf)
    dense[tails, heads] = weights
    assert_tree(dense, sources, distances, predecessors, rtol=1e-11)
    nearest = csgraph.dijkstra(graph, indices=sources, min_only=True)
    np.testing.assert_allclose(nearest, wanted.min(axis=0), atol=1e-9)
    np.testing.assert_allclose(function(graph, indices=3), scipys.johnson(graph, indices=3), atol=1e-9)


@pytest.mark.parametrize("way", WAYS)
def test_some_rows_repeated_and_in_any_order(way):
    dense = random_matrix(90, 500, seed=3)
    sources = [7, 3, 7, 89, 0, 3, 3]
    distances, predecessors = rows_by(way, dense, sources)
    np.testing.assert_array_equal(distances, textbook(weights_of(dense))[sources])
    assert_tree(weights_of(dense), sources, distances, predecessors, rtol=0)


@pytest.mark.parametrize("way", WAYS)
def test_limit(way):
    dense = random_matrix(80, 400, seed=4)
    distances, predecessors = rows_by(way, dense, limit=120)
    wanted = textbook(weights_of(dense))
    wanted[wanted > 120] = np.inf
    assert np.isinf(wanted).any() and (wanted == 120).any() | np.isfinite(wanted).any()
    np.testing.assert_array_equal(distances, wanted)
    assert_tree(weights_of(dense), range(80), distances, predecessors, rtol=0)


@pytest.mark.parametrize("way", WAYS)
def test_cycles_of_weight_zero_do_not_trap_predecessors(way):
    n = 70
    rows = np.concatenate([np.arange(n - 1), np.arange(1, n), [0]])
    columns = np.concatenate([np.arange(1, n), np.arange(n - 1), [n // 2]])
    graph = sp.csr_array((np.zeros(len(rows)), (rows, columns)), shape=(n, n))
    arcs = Arcs.of_rows(graph.indptr, graph.indices, graph.data, True, False)
    distances, predecessors = np.empty((n, n)), np.empty((n, n), dtype=np.int32)
    arcs.fill_rows(None, distances, predecessors, np.inf, way)
    assert not distances.any()
    weights = np.full((n, n), np.inf)
    weights[rows, columns] = 0
    assert_tree(weights, range(n), distances, predecessors, rtol=0)


@pytest.mark.parametrize("method", METHODS)
def test_parallel_arcs_in_any_order(method):
    graph = sp.csr_array(([9.0, 4.0, 7.0, 1.0, 5.0], [2, 1, 2, 2, 1], [0, 3, 5, 5]), shape=(3, 3))
    distances, predecessors = csgraph.shortest_path(graph, method, return_predecessors=True)
    np.testing.assert_array_equal(distances, [[0, 4, 5], [np.inf, 0, 1], [np.inf, np.inf, 0]])
    assert predecessors.tolist() == [[-9999, 0, 1], [-9999, -9999, 1], [-9999, -9999, -9999]]
    assert graph.indices.tolist() == [2, 1, 2, 2, 1]


@pytest.mark.parametrize("n", [10, 64, 65, 300])
@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("unweighted", [True, False])
def test_dense_and_sparse_agree(n, directed, unweighted):
    dense = random_matrix(n, 5 * n, seed=n)
    weights = weights_of(dense)
    if unweighted:
        weights[np.isfinite(weights)] = 1
    if not directed:
        weights = np.minimum(weights, weights.T)
    wanted = textbook(weights)
    for graph in (dense, sp.csr_array(dense), sp.csc_array(dense), np.ma.masked_equal(dense, 0)):
        for method in METHODS:
            found = csgraph.shortest_path(graph, method, directed, unweighted=unweighted)
            np.testing.assert_array_equal(found, wanted)
        found, before = csgraph.floyd_warshall(graph, directed, True, unweighted)
        np.testing.assert_array_equal(found, wanted)
        assert_tree(weights, range(n), found, before, rtol=0)


@given(st.integers(0, 12), st.data())
@settings(max_examples=150, deadline=None)
def test_any_small_graph(n, data):
    ends = st.integers(0, max(n - 1, 0))
    weight = st.one_of(st.integers(0, 5).map(float), st.sampled_from([np.inf, np.nan, 1e-300, 0.1]))
    arcs = data.draw(st.lists(st.tuples(ends, ends, weight), max_size=40 if n else 0))
    order = sorted(range(len(arcs)), key=lambda i: arcs[i][0])
    tails = np.array([arcs[i][0] for i in order], dtype=np.int64)
    heads = np.array([arcs[i][1] for i in order], dtype=np.int64)
    values = np.array([arcs[i][2] for i in order])
    graph = sp.csr_array((values, heads, np.searchsorted(tails, np.arange(n + 1))), shape=(n, n))
    directed = data.draw(st.booleans())
    weights = np.full((n, n), np.inf)
    for tail, head, value in zip(tails, heads, values):
        if np.isfinite(value):
            weights[tail, head] = min(weights[tail, head], value)
    if not directed:
        weights = np.minimum(weights, weights.T)
    distances, predecessors = csgraph.shortest_path(graph, data.draw(st.sampled_from(METHODS)), directed, True)
    np.testing.assert_allclose(distances, textbook(weights), rtol=1e-14)
    assert_tree(weights, range(n), distances, predecessors)
    if n:
        source = data.draw(st.integers(-n, n - 1))
        np.testing.assert_array_equal(csgraph.dijkstra(graph, directed, source), distances[source])


@pytest.mark.parametrize("n", [10, 100])
@pytest.mark.parametrize("negative", [False, True])
def test_nearest_of_several(n, negative):
    dense = random_matrix(n, 4 * n, seed=n, low=1, high=4)
    if negative:
        dense = shifted(dense, seed=n)
    indices = np.array([5, 2, 9, 2])
    rows = csgraph.dijkstra(dense, indices=indices)
    distances, predecessors, sources = csgraph.dijkstra(dense, indices=indices, min_only=True, return_predecessors=True)
    np.testing.assert_array_equal(distances, rows.min(axis=0))
    wanted = np.where(np.isfinite(distances), indices[rows.argmin(axis=0)], -9999)
    np.testing.assert_array_equal(sources, wanted)
    for v, before in enumerate(predecessors):
        assert before == -9999 or sources[before] == sources[v]
    np.testing.assert_array_equal(csgraph.dijkstra(dense, indices=indices, min_only=True), distances)


def test_shapes_of_indices():
    dense = random_matrix(9, 30, seed=1)
    whole = csgraph.dijkstra(dense)
    for indices in (3, -1, [0, 1], [[0, 1], [2, 2]], [], np.zeros((0, 2), dtype=int), np.array(4), [1.0, 2.0]):
        for function in (csgraph.dijkstra, csgraph.johnson, csgraph.bellman_ford, csgraph.shortest_path):
            found, before = function(dense, indices=indices, return_predecessors=True)
            assert found.shape == before.shape == (*np.shape(indices), 9)
            np.testing.assert_array_equal(found, whole[np.asarray(indices, dtype=int)])


@pytest.mark.parametrize("k, wanted", [(0, []), (1, [3]), (2, [3, 4]), (9, [3, 4, 9])])
def test_paths_without_loops(k, wanted):
    dense = np.array([[0, 1, 4, 9], [1, 0, 2, 0], [0, 1, 0, 5], [0, 0, 0, 0]])
    lengths, predecessors = csgraph.yen(dense, 0, 2, k, return_predecessors=True)
    assert lengths.tolist() == wanted[:k] if k < 3 else wanted[:2]
    assert predecessors.shape == (len(lengths), 4)


def test_paths_without_loops_are_all_there_are():
    n = 7
    dense = shifted(random_matrix(n, 40, seed=6), seed=6)
    weights = weights_of(dense)

    def walks(path):
        if path[-1] == n - 1:
            yield sum(weights[a, b] for a, b in zip(path, path[1:]))
            return
        for v in range(n):
            if v not in path and np.isfinite(weights[path[-1], v]):
                yield from walks([*path, v])

    wanted = sorted(walks([0]))
    assert len(wanted) > 5
    lengths, predecessors = csgraph.yen(dense, 0, n - 1, len(wanted) + 3, return_predecessors=True)
    np.testing.assert_array_equal(lengths, wanted)
    assert len({tuple(row) for row in predecessors}) == len(wanted)
    assert csgraph.yen(dense, 3, 3, 2).tolist() == [0]


@pytest.mark.parametrize("directed", [True, False])
def test_trees_and_lengths_of_predecessors(directed):
    dense = random_matrix(40, 160, seed=8)
    distances, predecessors = csgraph.shortest_path(dense, "auto", directed, return_predecessors=True)
    found = csgraph.construct_dist_matrix(sp.csr_array(dense), predecessors, directed, null_value=-1)
    np.testing.assert_array_equal(found, np.where(np.isinf(distances), -1, distances))
    for kind, result in ((sp.csr_matrix, sp.csr_matrix), (sp.csr_array, sp.csr_array), (np.array, sp.csr_array)):
        tree = csgraph.reconstruct_path(kind(dense), predecessors[3], directed)
        assert type(tree) is result and tree.nnz == (predecessors[3] >= 0).sum()
        np.testing.assert_array_equal(csgraph.dijkstra(tree, indices=3), distances[3])


@pytest.mark.parametrize("seed", range(4))
def test_components_are_scipys(seed):
    from scipy.sparse import csgraph as scipys

    graph = sp.csr_array(random_matrix(200, 230, seed))
    for directed, connection in ((True, "weak"), (True, "strong"), (False, "weak"), (False, "strong")):
        count, labels = csgraph.connected_components(graph, directed, connection)
        wanted, theirs = scipys.connected_components(graph, directed, connection)
        assert count == wanted == csgraph.connected_components(graph, directed, connection, return_labels=False)
        assert labels.dtype == np.int32
        # The same sets of vertices; SciPy 1.18 numbers them in another order than 1.17.
        assert len(set(zip(labels.tolist(), theirs.tolist()))) == count == len(set(labels.tolist()))


def test_fewer_threads_than_asked_for_do_all_the_work():
    program = """
import resource
import subprocess
import sys

import numpy as np
from apsp._apsp import Arcs
n = 256
arcs = Arcs.of_matrix(np.full((n, n), 2.0), True, False, True)
distances = np.empty((n, n))
with open("/proc/self/statm") as statm:
    addresses = int(statm.read().split()[0]) * resource.getpagesize()
_, most = resource.getrlimit(resource.RLIMIT_AS)
resource.setrlimit(resource.RLIMIT_AS, (addresses + (100 << 20), most))
arcs.fill_rows(None, distances, None, np.inf, "searches", 64)
assert (distances == 2 - 2 * np.eye(n)).all()
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)
