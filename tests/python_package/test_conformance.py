"""Every door gives the distances of a textbook's loop, for graphs of every shape (Hypothesis)."""

import numpy as np
import pytest
import scipy.sparse
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import apsp

COMMON = settings(max_examples=60, deadline=None, derandomize=True,
                  suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
ALGORITHMS = ["auto", "floyd-warshall", "nested-dissection", "johnson", "boundary"]


def textbook(n, edges, directed):
    """Distances [n, n] by three loops, one of them NumPy's; None where a cycle is negative."""
    d = np.full((n, n), np.inf)
    np.fill_diagonal(d, 0)
    for u, v, weight in edges:
        d[u, v] = min(d[u, v], weight)
        if not directed:
            d[v, u] = min(d[v, u], weight)
    for k in range(n):
        d = np.minimum(d, d[:, k, None] + d[None, k, :])
    return None if (np.diag(d) < 0).any() else d


@st.composite
def graphs(draw, least=0, most=20):
    """(n, edges, directed): with loops, parallel edges, lonely vertices, no edges, no vertices."""
    n = draw(st.integers(0, 12))
    vertex = st.integers(0, max(0, n - 1))
    edges = draw(st.lists(st.tuples(vertex, vertex, st.integers(least, most)), max_size=40)) if n else []
    return n, edges, draw(st.booleans())


def made(n, edges, directed):
    u, v, weights = (list(part) for part in zip(*edges)) if edges else ([], [], [])
    return apsp.Graph.from_edges(u, v, weights, n=n, directed=directed)


@COMMON
@given(graphs(), st.sampled_from(ALGORITHMS), st.sampled_from(["auto", "f32", "f64", "i32", "u16"]))
def test_solve(graph, algorithm, value_type):
    expected = textbook(*graph)
    result = apsp.solve(made(*graph), algorithm=algorithm, value_type=value_type, keep="matrix")
    found = np.where(result.distances == result.no_path, np.inf, result.distances)
    np.testing.assert_array_equal(found, expected)


@COMMON
@given(graphs(least=-3), st.sampled_from(ALGORITHMS))
def test_solve_of_negative_weights(graph, algorithm):
    expected = textbook(*graph)
    if expected is None:
        with pytest.raises(apsp.NegativeCycleError) as caught:
            apsp.solve(made(*graph), algorithm=algorithm)
        cycle = caught.value.cycle
        n, edges, directed = graph
        best = {}
        for u, v, weight in edges:
            for ends in ((u, v),) if directed else ((u, v), (v, u)):
                best[ends] = min(weight, best.get(ends, weight))
        walked = sum(best[u, v] for u, v in zip(cycle, cycle[1:] + cycle[:1]))
        assert walked == caught.value.weight < 0
        return
    result = apsp.solve(made(*graph), algorithm=algorithm, value_type="f64", keep="matrix")
    np.testing.assert_array_equal(result.distances, expected)


@COMMON
@given(graphs(), st.data())
def test_paths_and_rows_of_some_sources(graph, data):
    n, edges, directed = graph
    assume(n > 0)
    expected = textbook(*graph)
    sources = data.draw(st.lists(st.integers(0, n - 1), min_size=1, unique=True))
    result = apsp.solve(made(*graph), sources=sources, value_type="f64")
    np.testing.assert_array_equal(result.distances, expected[sources])
    for s in sources:
        for t in range(n):
            path = result.path(s, t)
            if np.isinf(expected[s, t]):
                assert path == []
                continue
            assert path[0] == s and path[-1] == t
            assert sum(min(w for a, b, w in edges
                           if (a, b) == step or (not directed and (b, a) == step))
                       for step in zip(path, path[1:])) == expected[s, t]


@COMMON
@given(graphs())
def test_every_source_of_graphs_and_streamed_rows(graph):
    n, edges, directed = graph
    expected = textbook(*graph)
    matrix = np.full((n, n), np.inf)
    for u, v, weight in edges:
        matrix[u, v] = min(matrix[u, v], weight)
        if not directed:
            matrix[v, u] = matrix[u, v]
    doors = [apsp.Graph.from_numpy(matrix, directed=directed),
             apsp.Graph.from_numpy(np.asfortranarray(matrix), directed=directed)]
    entries = np.argwhere(np.isfinite(matrix))
    doors.append(apsp.Graph.from_scipy(scipy.sparse.coo_array(
        (matrix[tuple(entries.T)], tuple(entries.T)), shape=(n, n)), directed=directed))
    for door in doors:
        found = np.full((n, n), np.nan)
        for block in apsp.rows(door, value_type="f64"):
            found[block.sources] = block.distances
        np.testing.assert_array_equal(found, expected)


@COMMON
@given(st.floats(), st.booleans())
def test_weight_that_is_no_number_is_refused(weight, directed):
    if np.isfinite(weight):
        apsp.Graph.from_edges([0], [1], [weight], directed=directed)
        return
    pytest.raises(apsp.UsageError, apsp.Graph.from_edges, [0], [1], [weight], directed=directed)


@COMMON
@given(st.lists(st.one_of(st.integers(), st.text(), st.tuples(st.integers())), min_size=1, unique_by=str))
def test_labels_of_any_kind_come_back(labels):
    n = len(labels)
    graph = apsp.Graph.from_edges(range(n - 1), range(1, n), n=n, labels=labels)
    result = apsp.solve(graph)
    assert result.path(labels[0], labels[-1]) == labels
    assert list(result.sources) == labels and [graph.index(label) for label in labels] == list(range(n))
