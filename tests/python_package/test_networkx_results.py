"""Results of the backend against NetworkX's own, graph by graph."""

import inspect
import json
import random
from collections.abc import Iterator

import networkx as nx
import numpy as np
import pytest
from networkx_graphs import all_graphs, path_length, random_graph, same_numbers, signed_graph

from _nx_apsp import function_names, networkx_version

# NetworkX tells that it uses a conversion twice.
pytestmark = pytest.mark.filterwarnings("ignore:Note. conversions to backend graphs")

GRAPHS = list(all_graphs())
NAMES = [name for name in sorted(function_names()) if name != "floyd_warshall_numpy"]
ALWAYS_WEIGHTED = ("floyd", "johnson", "dijkstra", "bellman")
SIGNED = [name for name in NAMES if any(part in name for part in ("floyd", "johnson", "bellman"))]


@pytest.fixture(autouse=True)
def lazy_rows():
    """Rows of the smallest graphs are lazy too."""
    before = nx.config.backends.apsp.lazy_vertices
    nx.config.backends.apsp.lazy_vertices = 0
    yield
    nx.config.backends.apsp.lazy_vertices = before


def function(name):
    return getattr(nx, name)


def arguments(name, graph):
    """Sets of arguments to try."""
    if name.endswith("all_shortest_paths"):
        if name.startswith("all_pairs") and len(graph) > 9:
            return  # NetworkX takes seconds; those from a source are compared
        for weight in (None, "weight"):
            for source in list(graph)[:2]:
                targets = list(graph)[-3:] if name == "all_shortest_paths" else [None]
                for target in targets:
                    given = {"source": source, "target": target, "weight": weight}
                    yield {key: value for key, value in given.items() if value is not None and key in
                           inspect.signature(function(name)).parameters}
    elif name.startswith("single_source"):
        for source in list(graph)[:2]:
            yield {"source": source}
            yield {"source": source, "cutoff": 3}
    elif "betweenness" in name:
        if name.startswith("edge") and graph.is_multigraph():
            return  # NetworkX answers: test_betweenness_that_networkx_answers
        zero = any(data.get("weight", 1) == 0 for _, _, data in graph.edges(data=True))
        weight = None if zero else "weight"
        for normalized in (True, False):
            yield {"normalized": normalized, "weight": weight}
            yield {"normalized": normalized, "k": len(graph), "seed": 4}
            if len(graph) > 3:
                yield {"normalized": normalized, "k": 3, "seed": 7, "weight": weight}
        yield from ({"k": 0, "seed": 1}, {"k": len(graph) + 1, "seed": 1})
        if name == "betweenness_centrality":
            yield {"endpoints": True, "k": min(2, len(graph)), "seed": 5}
            yield {"endpoints": True, "weight": weight, "normalized": False}
    elif name.endswith("_centrality"):
        yield {}
        yield {"distance": "weight"}
        if len(graph) > 5:
            some = list(graph)[:3]
            if name.startswith("closeness"):
                yield {"wf_improved": False}
                yield {"u": some[1], "distance": "weight"}
            else:
                yield {"nbunch": some, "sources": list(graph)[1:]}
                yield {"nbunch": list(graph)[1:], "sources": some, "distance": "weight"}
                yield {"sources": []}
    elif name == "transitive_closure":
        yield from ({}, {"reflexive": True}, {"reflexive": None}, {"reflexive": "no"})
    elif name == "average_shortest_path_length":
        yield {}
        for method in ("dijkstra", "bellman-ford", "floyd-warshall", "floyd-warshall-numpy", "guess"):
            yield {"weight": "weight", "method": method}
    else:
        yield {}
        parameters = inspect.signature(function(name)).parameters
        if "weight" in parameters:
            yield {"weight": None if any(part in name for part in ALWAYS_WEIGHTED) else "weight"}
        if "cutoff" in parameters:
            yield {"cutoff": 2}
        if "usebounds" in parameters and graph:  # bounds of nothing: NetworkX errs
            yield {"usebounds": True}
        if name == "eccentricity" and len(graph) > 3:
            some = list(graph)[:3]
            yield from ({"v": some[0]}, {"v": [*some, some[0]], "weight": "weight"})


def answer(name, graph, given, **backend):
    """What comes out, or what is raised; generators as lists."""
    try:
        found = function(name)(graph, **given, **backend)
        return list(found) if isinstance(found, Iterator) else found
    except (nx.NetworkXException, ValueError, ZeroDivisionError) as error:
        return error


def lengths(name, graph, given, found):
    """Of several shortest paths any will do: paths become their lengths."""
    weight = None if "shortest_path" in name else given.get("weight", "weight")

    def of_row(row):
        return {target: path_length(graph, path, weight) for target, path in row.items()}

    def distinct(paths):  # NetworkX lists paths twice where a loop of weight 0 is at the source
        return sorted(set(map(tuple, paths)), key=repr)

    if name == "all_shortest_paths":
        return distinct(found)
    if name == "single_source_all_shortest_paths":
        return {target: distinct(paths) for target, paths in found}
    if name == "all_pairs_all_shortest_paths":
        return {source: {target: distinct(paths) for target, paths in row.items()} for source, row in found}
    if name == "johnson":
        return {source: of_row(row) for source, row in found.items()}
    if name == "all_pairs_dijkstra":
        return [(source, (row, of_row(paths))) for source, (row, paths) in found]
    if name == "single_source_dijkstra":
        return found[0], of_row(found[1])
    if name.startswith("all_pairs") and name.endswith("path"):
        return [(source, of_row(row)) for source, row in found]
    if name.startswith("single_source") and name.endswith("path"):
        return of_row(found)
    if name == "floyd_warshall_predecessor_and_distance":
        before, distances = found
        paths = {source: {target: nx.reconstruct_path(source, target, before) for target in row if target != source}
                 for source, row in before.items()}
        return {source: of_row(row) for source, row in paths.items()}, distances
    return found


@pytest.mark.parametrize("name", NAMES)
def test_result_is_that_of_networkx(name):
    compared = 0
    for label, graph in GRAPHS:
        for given in arguments(name, graph):
            mine = answer(name, graph.copy(), given, backend="apsp")
            theirs = answer(name, graph.copy(), given)
            about = f"{label} {given}: {mine!r:.200} instead of {theirs!r:.200}"
            if isinstance(theirs, Exception):
                assert isinstance(mine, type(theirs)), about
            elif isinstance(theirs, nx.Graph):
                assert nx.utils.graphs_equal(mine, theirs), about
            else:
                assert not isinstance(mine, Exception), about
                assert same_numbers(lengths(name, graph, given, mine), lengths(name, graph, given, theirs)), about
            compared += 1
    assert compared > 20


@pytest.mark.parametrize("name", NAMES)
def test_numbers_are_those_of_python(name):
    """Ints where all weights are ints, and nothing of NumPy, which json would refuse."""
    graph = random_graph(nx.DiGraph, "int", 9, 14, True, seed=3)
    if name in ("global_efficiency", "local_efficiency"):
        graph = graph.to_undirected()
    given = {"source": next(iter(graph))} if name.startswith("single_source") else {}
    if name == "all_shortest_paths":
        given = {"source": next(iter(graph)), "target": list(graph)[-1]}
    if "weight" in inspect.signature(function(name)).parameters:
        given["weight"] = "weight"
    found = answer(name, graph, given, backend="apsp")
    if isinstance(found, nx.Graph):
        return
    json.dumps(found, default=repr, skipkeys=True)
    seen = set()

    def look(value):
        if isinstance(value, dict):
            value = list(value.values())
        if isinstance(value, (list, tuple)):
            for item in value:
                look(item)
        else:
            seen.add(type(value))

    look(lengths(name, graph, given, found))
    assert seen <= {int, float, str}
    quotients = ("centrality", "efficiency", "average")
    if not any(part in name for part in quotients):
        assert float not in seen


def test_betweenness_that_networkx_answers():
    """Weights of 0, keys of parallel edges, and weights that sums lose: the same sample is drawn."""
    zero = random_graph(nx.Graph, "zero", 9, 14, True, seed=2)
    lost = nx.cycle_graph(5)
    for (u, v), weight in zip(lost.edges, (1e-9, 1e9, 1, 1, 2e9)):
        lost[u][v]["weight"] = weight
    parallel = random_graph(nx.MultiGraph, "int", 9, 14, True, seed=2)
    for name, graph in (("betweenness_centrality", zero), ("betweenness_centrality", lost),
                        ("edge_betweenness_centrality", parallel)):
        given = {"k": 3, "seed": random.Random(5), "weight": "weight"}
        with pytest.raises(NotImplementedError):
            function(name)(graph, **given, backend="apsp")
        again = {**given, "seed": random.Random(5)}
        expected = function(name)(graph, **again)
        assert function(name)(graph, **given) == expected


@pytest.mark.parametrize("name", SIGNED)
def test_weights_of_both_signs(name):
    for kind in (nx.DiGraph, nx.MultiDiGraph):
        graph = signed_graph(kind, 12, seed=5)
        mine = answer(name, graph, {}, backend="apsp")
        theirs = answer(name, graph, {})
        assert same_numbers(lengths(name, graph, {}, mine), lengths(name, graph, {}, theirs))


@pytest.mark.parametrize("name", SIGNED + ["floyd_warshall_numpy"])
@pytest.mark.parametrize("graph", [
    nx.DiGraph([(0, 1, {"weight": 1}), (1, 0, {"weight": -2})]),
    nx.Graph([(0, 1, {"weight": -1})]),
    nx.DiGraph([(1, 1, {"weight": -1})]),
    nx.MultiDiGraph([(1, 1, {"weight": -1}), (1, 1, {"weight": 4})]),
], ids=["cycle", "edge", "loop", "parallel loops"])
def test_negative_cycle_is_unbounded(name, graph):
    with pytest.raises(nx.NetworkXUnbounded):
        found = function(name)(graph.copy(), backend="apsp")
        list(found)


def test_rows_before_a_negative_cycle_are_drawn():
    graph = nx.DiGraph([("a", "b", {"weight": -3}), ("c", "d", {"weight": 1}), ("d", "c", {"weight": -2}),
                        ("c", "a", {"weight": 1})])
    rows = nx.all_pairs_bellman_ford_path_length(graph, backend="apsp")
    assert next(rows) == ("a", {"a": 0, "b": -3})
    assert next(rows) == ("b", {"b": 0})
    pytest.raises(nx.NetworkXUnbounded, next, rows)


def test_matrix_in_the_order_of_a_list():
    graph = random_graph(nx.DiGraph, "float", 9, 14, False, seed=4)
    nodes = sorted(graph, key=str)
    np.testing.assert_array_equal(nx.floyd_warshall_numpy(graph, nodes, backend="apsp"),
                                  nx.floyd_warshall_numpy(graph, nodes))
    for wrong in (nodes[1:], nodes[:-1] + nodes[:1], nodes[:-1] + ["elsewhere"]):
        pytest.raises(nx.NetworkXError, nx.floyd_warshall_numpy, graph, wrong, backend="apsp")


def test_infinite_weight_is_no_edge():
    graph = nx.DiGraph([(0, 1, {"weight": float("inf")}), (1, 2, {"weight": 2})])
    assert nx.floyd_warshall(graph, backend="apsp")[0] == {0: 0, 1: float("inf"), 2: float("inf")}
    # A search of NetworkX reaches a node at an infinite distance: it answers itself.
    assert dict(nx.all_pairs_dijkstra_path_length(graph))[0] == {0: 0, 1: float("inf"), 2: float("inf")}
    pytest.raises(NotImplementedError, nx.all_pairs_dijkstra_path_length, graph, backend="apsp")


@pytest.mark.parametrize("weight", ["heavy", None, float("nan"), 2**60, 10**400, 1 + 2j])
def test_weight_that_is_no_exact_number_is_left_to_networkx(weight):
    graph = nx.Graph([(0, 1, {"weight": weight})])
    pytest.raises(NotImplementedError, nx.floyd_warshall, graph, backend="apsp")


def test_sums_of_ints_that_are_not_exact_are_left_to_networkx():
    graph = nx.path_graph(5, create_using=nx.DiGraph)
    nx.set_edge_attributes(graph, 2**51, "weight")
    pytest.raises(NotImplementedError, nx.floyd_warshall, graph, backend="apsp")


def test_source_that_is_not_there():
    for name in ("single_source_dijkstra", "single_source_shortest_path_length"):
        with pytest.raises(nx.NodeNotFound):
            function(name)(nx.path_graph(3), "elsewhere", backend="apsp")


@pytest.mark.skipif(networkx_version() < (3, 7), reason="NetworkX 3.7 has floyd_warshall_tree")
def test_predecessors_of_ties_are_those_of_networkx():
    """Of several shortest paths the one whose last intermediate node comes earliest."""
    for seed in range(20):
        graph = random_graph(nx.DiGraph, "zero", 12, 40, True, seed=seed)
        assert nx.floyd_warshall_tree(graph, backend="apsp") == nx.floyd_warshall_tree(graph)


def test_index_of_wiener_is_an_int_where_networkx_has_one():
    graph = random_graph(nx.DiGraph, "int", 9, 14, True, seed=3)
    found = nx.wiener_index(graph, "weight", backend="apsp")
    assert (type(found), found) == (int, nx.wiener_index(graph, "weight"))
    nx.set_edge_attributes(graph, 2**45, "weight")  # a rounded mean would not tell this sum
    assert nx.wiener_index(graph, "weight", backend="apsp") == nx.wiener_index(graph, "weight")


@pytest.mark.parametrize("name", ["all_pairs_dijkstra_path_length", "all_pairs_dijkstra_path", "all_pairs_dijkstra"])
def test_a_cutoff_costs_what_is_found(name, monkeypatch):
    """No whole row is computed: on 40,000 nodes all of them would take 13 GB."""
    from nx_apsp.engine import Problem

    graph = nx.path_graph(40_000)
    monkeypatch.setattr(Problem, "solve", None)
    rows = dict(getattr(nx, name)(graph, cutoff=3, backend="apsp"))
    of_some = {node: row for node, row in rows.items() if node % 4321 == 0}
    near = nx.subgraph(graph, [other for node in of_some for other in range(max(0, node - 3), node + 4)])
    for node, row in of_some.items():
        ego = nx.ego_graph(near, node, radius=3)
        lengths = nx.single_source_dijkstra_path_length(ego, node)
        found = row[0] if name == "all_pairs_dijkstra" else row
        if name != "all_pairs_dijkstra_path":
            assert found == lengths and list(found)[0] == node
        if name != "all_pairs_dijkstra_path_length":
            paths = row[1] if name == "all_pairs_dijkstra" else row
            assert {other: len(path) - 1 for other, path in paths.items()} == lengths


@pytest.mark.parametrize("weights", [(0, 1, 0, 2), (0.1, 0.2, 0.7, 0.0)])
@pytest.mark.parametrize("cutoff", [-1, 0, 0.3, 1, 2.5, float("inf")])
def test_rows_within_a_cutoff_are_networkxs(weights, cutoff):
    graph = nx.gnm_random_graph(40, 90, seed=3, directed=True)
    for number, (_, _, data) in enumerate(graph.edges(data=True)):
        data["weight"] = weights[number % 4]
    for name in ("all_pairs_dijkstra_path_length", "all_pairs_dijkstra_path"):
        expected = dict(getattr(nx, name)(graph, cutoff=cutoff))
        found = dict(getattr(nx, name)(graph, cutoff=cutoff, backend="apsp"))
        if name.endswith("length"):
            assert found.keys() == expected.keys()
            for node in found:
                assert found[node] == pytest.approx(expected[node])
            continue
        for node, paths in found.items():
            assert paths.keys() == expected[node].keys()
            for target, path in paths.items():
                cost = [sum(graph[u][v]["weight"] for u, v in zip(p, p[1:])) for p in (path, expected[node][target])]
                assert path[0] == node and path[-1] == target and cost[0] == pytest.approx(cost[1])
        for node in (0, 7):
            row = nx.single_source_dijkstra_path_length(graph, node, cutoff=cutoff, backend="apsp")
            assert row == pytest.approx(nx.single_source_dijkstra_path_length(graph, node, cutoff=cutoff))
