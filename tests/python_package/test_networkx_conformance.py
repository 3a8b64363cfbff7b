"""Results of the backend on graphs of every shape against a textbook's triple loop.

Weights are whole, so that equality is exact; zeros, both signs, infinities, parallel edges, loops and
nodes without edges occur.
"""

import math

import networkx as nx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some
from networkx_graphs import KINDS, path_length

pytestmark = pytest.mark.filterwarnings("ignore:Note. conversions to backend graphs")
CHECKS = settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
KEY = "weight"


@some.composite
def graphs(draw, weights):
    kind = draw(some.sampled_from(KINDS))
    n = draw(some.integers(0, 9))
    graph = kind()
    graph.add_nodes_from(range(n))
    if n:
        node = some.integers(0, n - 1)
        for u, v, weight in draw(some.lists(some.tuples(node, node, weights), max_size=3 * n)):
            graph.add_edge(u, v, **({} if weight is None else {KEY: weight}))
    return graph


def textbook(graph):
    """{source: {target: distance}} of all pairs, inf without a path; None for a negative cycle."""
    far = {u: {v: 0 if u == v else math.inf for v in graph} for u in graph}
    for u, v, data in graph.edges(data=True):
        weight = data.get(KEY, 1)
        far[u][v] = min(far[u][v], weight)
        if not graph.is_directed():
            far[v][u] = min(far[v][u], weight)
    for k in graph:
        for u in graph:
            for v in graph:
                far[u][v] = min(far[u][v], far[u][k] + far[k][v])
    return None if any(far[v][v] < 0 for v in graph) else far


def reached(row):
    return {v: distance for v, distance in row.items() if distance < math.inf}


NOT_NEGATIVE = some.one_of(some.none(), some.integers(0, 9), some.sampled_from([0, 1, 10**6]))
SIGNED = some.integers(-2, 9)


@CHECKS
@given(graphs(NOT_NEGATIVE))
def test_rows_of_dijkstra(graph):
    expected = textbook(graph)
    found = dict(nx.all_pairs_dijkstra(graph, weight=KEY, backend="apsp"))
    assert list(found) == list(graph)
    for source, (lengths, paths) in found.items():
        assert lengths == reached(expected[source])
        assert list(lengths.values()) == sorted(lengths.values())
        assert {v: path_length(graph, path, KEY) for v, path in paths.items()} == lengths
        assert all(path[0] == source and path[-1] == v for v, path in paths.items())


@CHECKS
@given(graphs(SIGNED))
def test_matrix_of_weights_of_both_signs(graph):
    expected = textbook(graph)
    if expected is None:
        pytest.raises(nx.NetworkXUnbounded, nx.floyd_warshall, graph, backend="apsp")
        pytest.raises(nx.NetworkXUnbounded, nx.johnson, graph, backend="apsp")
        return
    assert nx.floyd_warshall(graph, backend="apsp") == expected
    for source, paths in nx.johnson(graph, backend="apsp").items():
        assert {v: path_length(graph, path, KEY) for v, path in paths.items()} == reached(expected[source])
    assert dict(nx.all_pairs_bellman_ford_path_length(graph, backend="apsp")) == {
        source: reached(row) for source, row in expected.items()}


def test_many_calls_leave_memory_as_it_was():
    graph = nx.cycle_graph(12)

    def resident():
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * 4096

    def calls(count):
        for _ in range(count):
            graph.__networkx_cache__.clear()
            dict(nx.all_pairs_shortest_path(graph, backend="apsp"))

    calls(500)
    before = resident()
    calls(1500)
    assert resident() - before < 2 << 20
