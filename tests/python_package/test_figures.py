"""Named figures of graphs, strengths as lengths, counts of shortest paths: against NetworkX, igraph and, if installed, BCT.

Other graphs: APSP_FIGURES_SEED=1000 pytest tests/python_package/test_figures.py
"""

import itertools
import math
import os

import networkx as nx
import numpy as np
import pytest

import apsp

igraph = pytest.importorskip("igraph")
SEED = int(os.environ.get("APSP_FIGURES_SEED", 0))  # of the first graph
FIGURES = ("characteristic_path_length", "global_efficiency", "harmonic_mean_distance", "wiener_index",
           "effective_diameter", "average_eccentricity")


def drawn(seed):
    """(NetworkX's graph, name of its weights or None): of few or many edges, in one part or in several."""
    rng = np.random.default_rng(seed)
    n, directed, weighted = int(rng.integers(2, 24)), seed % 2 == 1, seed % 4 > 1
    graph = nx.gnp_random_graph(n, float(rng.choice([0.06, 0.15, 0.4])), seed=seed, directed=directed)
    for _, _, data in graph.edges(data=True):
        data["weight"] = int(rng.integers(1, 9)) if seed % 3 else float(rng.uniform(0.1, 3))
    return graph, "weight" if weighted else None


def is_connected(graph):
    return nx.is_strongly_connected(graph) if graph.is_directed() else nx.is_connected(graph)


@pytest.mark.parametrize("first", range(SEED, SEED + 300, 50))
def test_figures_are_those_of_others(first):
    for seed in range(first, first + 50):
        graph, weight = drawn(seed)
        found = apsp.solve(graph, weight=weight, value_type="f64").statistics
        rows = dict(nx.all_pairs_dijkstra_path_length(graph, weight=weight))
        values = sorted(d for u, row in rows.items() for v, d in row.items() if u != v)
        if not values:
            assert all(found[name] is None for name in FIGURES)
            continue
        n, near = len(graph), lambda value: pytest.approx(value, rel=1e-12)
        assert found["characteristic_path_length"] == near(sum(values) / len(values))
        assert found["average_eccentricity"] == near(sum(max(row.values()) for row in rows.values()) / n)
        ninth = values[math.ceil(0.9 * len(values)) - 1]
        assert found["effective_diameter"] == pytest.approx(ninth, rel=2**-12)
        theirs = igraph.Graph.from_networkx(graph)
        matrix = np.array(theirs.distances(weights=weight))
        efficiency = (1 / matrix[~np.eye(n, dtype=bool)]).sum() / (n * (n - 1))
        assert found["global_efficiency"] == near(efficiency)
        assert found["harmonic_mean_distance"] == near(1 / efficiency)
        assert found["characteristic_path_length"] == near(theirs.average_path_length(weights=weight))
        if weight is None:
            assert found["average_eccentricity"] == near(np.mean(theirs.eccentricity(mode="out")))
            if not graph.is_directed():
                assert found["global_efficiency"] == near(nx.global_efficiency(graph))
        if is_connected(graph):
            assert found["characteristic_path_length"] == near(nx.average_shortest_path_length(graph, weight))
            assert found["wiener_index"] == near(nx.wiener_index(graph, weight))
        else:
            assert found["wiener_index"] is None and nx.wiener_index(graph, weight) == math.inf


def test_figures_of_bct():
    bct = pytest.importorskip("bct")
    for seed in range(SEED, SEED + 300):
        graph, _ = drawn(seed)
        found = apsp.solve(graph, weight="weight", value_type="f64").statistics
        if found["mean"] is None:
            continue
        matrix = np.array(igraph.Graph.from_networkx(graph).distances(weights="weight"))
        length, efficiency, eccentricity, radius, diameter = bct.charpath(matrix, include_infinite=False)
        assert found["characteristic_path_length"] == pytest.approx(length)
        if found["connected"]:
            assert found["diameter"] == pytest.approx(diameter)
            assert found["global_efficiency"] == pytest.approx(efficiency)
            assert found["radius"] == pytest.approx(radius)
            assert found["average_eccentricity"] == pytest.approx(np.mean(eccentricity))


@pytest.mark.parametrize("first", range(SEED, SEED + 300, 100))
def test_local_efficiency_is_that_of_others(first):
    bct = None
    try:
        import bct
    except ImportError:
        pass
    for seed in range(first, first + 100):
        graph = drawn(seed)[0].to_undirected()
        if seed % 3 == 0:
            graph.add_edge(0, 0, weight=0.5)
        found = apsp.local_efficiency(graph, weight=None, threads=2)
        assert found.mean() == pytest.approx(nx.local_efficiency(graph), abs=1e-12)
        strengths = nx.to_numpy_array(graph)
        found = apsp.local_efficiency(graph, weighted=True, lengths="inverse")
        if bct is not None and graph.number_of_edges():
            assert found == pytest.approx(bct.efficiency_wei(strengths, local=True), abs=1e-12)
        if seed % 10 == 0:
            ones = apsp.local_efficiency(graph, weight=None, weighted=True)
            assert ones == pytest.approx(apsp.local_efficiency(graph), rel=1e-12)


def test_local_efficiency_refuses_directions_and_lengths_of_zero():
    with pytest.raises(apsp.UsageError):
        apsp.local_efficiency(apsp.Graph.from_edges([0], [1]))
    zero = apsp.Graph.from_edges([0, 1, 0], [1, 2, 2], [0, 1, 1], directed=False)
    with pytest.raises(apsp.UsageError):
        apsp.local_efficiency(zero, weighted=True)
    assert apsp.local_efficiency(zero).tolist() == [1, 1, 1]
    with pytest.raises(apsp.DoesNotFitError):
        apsp.local_efficiency(zero, memory=1)


def test_figures_at_distance_zero_and_of_some_rows():
    zero = apsp.Graph.from_edges([0, 1], [1, 2], [0, 3], directed=False)
    found = apsp.solve(zero).statistics
    assert found["global_efficiency"] is None and found["harmonic_mean_distance"] is None
    assert found["wiener_index"] == 6 and found["effective_diameter"] == 3
    some = apsp.solve(zero, sources=[0]).statistics
    assert all(some[name] is None for name in FIGURES)
    assert all(apsp.solve(zero, semiring="max-min").statistics[name] is None for name in FIGURES)


@pytest.mark.parametrize("lengths, of", [("inverse", lambda w: 1 / w), ("log", lambda w: -math.log(w)),
                                         ("one-minus", lambda w: 1 - w),
                                         ("sqrt(2 * (1 - w))", lambda w: math.sqrt(2 * (1 - w))), ("1/w^3", lambda w: w**-3)])
def test_lengths_of_strengths(lengths, of, tmp_path):
    rng = np.random.default_rng(1)
    graph = nx.gnp_random_graph(30, 0.2, seed=1)
    for _, _, data in graph.edges(data=True):
        data["weight"] = float(rng.uniform(0.01, 1))
        data["length"] = of(data["weight"])
    expected = dict(nx.all_pairs_dijkstra_path_length(graph, weight="length"))
    result = apsp.solve(graph, lengths=lengths, value_type="f64")
    for u, v in itertools.product(range(30), repeat=2):
        assert result.distance(u, v) == pytest.approx(expected[u].get(v, math.inf))
    assert any("of weights w" in remark for remark in result.graph.facts["remarks"])
    file = tmp_path / "graph.csv"
    nx.write_weighted_edgelist(graph, file)
    read = apsp.read(file, directed=False, lengths=lengths)
    assert sorted(read.edges()[2]) == pytest.approx(sorted(result.graph.edges()[2]))


@pytest.mark.parametrize("lengths, strength", [("inverse", 0), ("inverse", -2), ("log", 0), ("log", 1.5),
                                               ("one-minus", -1), ("one-minus", 1.01), ("sqrt(1-w)", 2)])
def test_strengths_without_a_length(lengths, strength, tmp_path):
    graph = apsp.Graph.from_edges([0, 7], [1, 8], [1, strength], n=9)
    with pytest.raises(apsp.UsageError, match="7 → 8"):
        graph.with_lengths(lengths)
    file = tmp_path / "graph.csv"
    file.write_text(f"from,to,weight\na,b,1\nb,c,{strength}\n")
    with pytest.raises(apsp.InputError, match="b → c") as raised:
        apsp.read(file, lengths=lengths)
    assert raised.value.location[1] == 3
    with pytest.raises(apsp.UsageError):
        graph.with_lengths("square")


def zero_multigraph(seed):
    rng = np.random.default_rng(seed)
    n, kind = int(rng.integers(2, 9)), nx.MultiDiGraph if seed % 4 else nx.MultiGraph
    graph = kind()
    graph.add_nodes_from(range(n))
    for u, v in rng.integers(0, n, (int(rng.integers(1, 4 * n)), 2)).tolist():
        graph.add_edge(u, v, weight=int(rng.choice([0, 1, 1, 2])))
    return graph


@pytest.mark.parametrize("first", range(SEED, SEED + 1000, 125))
def test_numbers_of_shortest_paths_are_those_of_networkx(first):
    counted = refused = 0
    for seed in range(first, first + 125):
        graph = zero_multigraph(seed)
        of = apsp.Graph.from_networkx(graph)
        for source, (begins, found) in enumerate(apsp.all_predecessors(of, sources=[0, 1])):
            before, _ = nx.dijkstra_predecessor_and_distance(graph, source)
            for v in graph:
                expected = sorted(set(before.get(v, ())) - {v}) if v != source else []
                assert found[begins[v]:begins[v + 1]].tolist() == expected
            for target in graph:
                paths = set()  # a loop of weight 0 at the source makes NetworkX list paths twice
                if target in before:
                    paths = set(map(tuple, nx.all_shortest_paths(graph, source, target, "weight")))
                try:
                    counts = apsp.path_counts(of, sources=[source], targets=[target])
                except apsp.UsageError as error:
                    refused += 1
                    zero = [(u, v) for u, v, w in graph.edges(data="weight") if w == 0 and u != v]
                    assert "cycle of length 0" in str(error) and not nx.is_directed_acyclic_graph(
                        nx.DiGraph(zero + ([] if graph.is_directed() else [(v, u) for u, v in zero])))
                    continue
                counted += 1
                assert counts.tolist() == [[len(paths)]]
    assert counted > 500 and refused > 25


def test_predecessors_take_one_source_or_several():
    graph = apsp.Graph.from_edges(list("AB"), list("BC"))
    one = apsp.all_predecessors(graph, "B")
    for found in apsp.all_predecessors(graph, sources=["C", "B"])[1:]:
        assert all(map(np.array_equal, found, one))
    for given in ({}, {"sources": []}, {"source": "A", "sources": ["A"]}, {"sources": ["A", "A"]}):
        with pytest.raises(apsp.UsageError):
            apsp.all_predecessors(graph, **given)
    with pytest.raises(apsp.DoesNotFitError):
        apsp.all_predecessors(graph, sources=["A", "B"], memory=1)


def test_counts_of_real_weights_are_those_of_networkx():
    graph = nx.grid_2d_graph(5, 5)
    nx.set_edge_attributes(graph, 0.1, "weight")
    counts = apsp.path_counts(graph, sources=[(0, 0)])
    expected = [len(list(nx.all_shortest_paths(graph, (0, 0), node, "weight"))) for node in graph]
    assert counts.dtype == np.uint64 and counts.tolist() == [expected]


@pytest.mark.parametrize("directed", [False, True])
def test_sparse_rows_within_a_limit(directed):
    scipys = pytest.importorskip("scipy.sparse.csgraph")
    import scipy.sparse

    matrix = scipy.sparse.random_array((80, 80), density=0.03, rng=np.random.default_rng(3), format="csr")
    for indices in (None, 5, [3, 3, -1, 0]):
        dense = np.atleast_2d(scipys.dijkstra(matrix, directed, indices, limit=0.9))
        sparse = apsp.csgraph.dijkstra(matrix, directed, indices, limit=0.9, sparse=True)
        assert sparse.shape == dense.shape and sparse.nnz == (np.isfinite(dense) & (dense > 0)).sum()
        assert sparse.toarray() == pytest.approx(np.where(np.isfinite(dense), dense, 0))
    for wrong in ({}, {"limit": 1, "min_only": True}, {"limit": 1, "return_predecessors": True}):
        with pytest.raises(ValueError, match="sparse"):
            apsp.csgraph.dijkstra(matrix, sparse=True, **wrong)
    with pytest.raises(ValueError, match="at least 0"):
        apsp.csgraph.dijkstra(np.array([[0, -1], [0, 0]]), limit=1, sparse=True)
