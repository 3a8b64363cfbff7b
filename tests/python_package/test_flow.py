"""Loads of arcs against paths of the package one by one, and against NetworkX where each is the only one."""

import networkx as nx
import numpy as np
import pandas as pd
import pytest

import apsp


def loads_of(found):
    return {(int(u), int(v)): load for u, v, load in zip(found.tails, found.heads, found.volumes)}


def test_unique_paths_are_those_of_networkx():
    random = np.random.default_rng(5)
    for seed in range(20):
        theirs = nx.gnp_random_graph(12, 0.3, seed=seed, directed=bool(seed % 2))
        for _, _, data in theirs.edges(data=True):
            data["weight"] = float(random.uniform(1, 2))  # no ties
        trips = [(int(s), int(t), float(random.integers(1, 9))) for s, t in random.integers(0, 12, (30, 2))]
        expected = dict.fromkeys(theirs.to_directed().edges(), 0.0)
        without = 0
        for s, t, volume in trips:
            try:
                path = nx.dijkstra_path(theirs, s, t)
            except nx.NetworkXNoPath:
                without += 1
                continue
            for arc in zip(path, path[1:]):
                expected[arc] += volume
        for split in (False, True):
            found = apsp.flow(theirs, trips, weight="weight", split=split)
            assert loads_of(found) == pytest.approx(expected) and found.without_path == without


def test_columns_that_number_the_trips_are_no_volumes():
    graph = apsp.Graph.from_edges(list("AB"), list("BC"), [30, 20], directed=False)
    trips = pd.DataFrame({"id": [7], "from": ["A"], "to": ["C"], "cars": [5], "index": [1]})
    found = apsp.flow(graph, trips)
    assert found.columns == ["cars"] and found.costs.tolist() == [250]
    with pytest.raises(apsp.UsageError):
        apsp.flow(graph, trips.drop(columns="cars"))


def test_ties_take_the_path_of_results():
    graph = apsp.generate("grid", 36, weights=(1, 2), directed=False)
    result = apsp.solve(graph)
    trips = [(s, t, 1) for s in range(0, 36, 5) for t in range(36)]
    expected = {}
    for s, t, _ in trips:
        path = result.path(s, t)
        for arc in zip(path, path[1:]):
            expected[arc] = expected.get(arc, 0) + 1
    found = apsp.flow(graph, trips, select=[(1, 2)])
    assert {arc: load for arc, load in loads_of(found).items() if load} == expected
    over = [i for i, (s, t, _) in enumerate(trips) if (1, 2) in zip(result.path(s, t), result.path(s, t)[1:])]
    assert found.selected.tolist() == [[0, i] for i in over]
    shares = apsp.flow(graph, [(s, t, 1) for s in range(36) for t in range(36)], split=True)
    tails, heads, values = apsp.edge_betweenness(graph, scale="sums")
    both = loads_of(shares)
    assert [both[u, v] + both[v, u] for u, v in zip(tails, heads)] == pytest.approx(values.tolist())


def test_tables_metrics_and_turns(tmp_path):
    pandas = pytest.importorskip("pandas")
    roads = apsp.Graph.from_edges(list("ABAD"), list("BCDC"), [1, 1, 2, 2], directed=False)
    table = pandas.DataFrame({"from": ["A", "C"], "to": ["C", "A"], "cars": [5, 1], "trucks": [2.5, 0]})
    found = apsp.flow(roads, table)
    assert found.columns == ["cars", "trucks"] and found.volumes.shape == (8, 2)
    assert found.costs.tolist() == [12, 5] and found.volumes.sum(axis=0).tolist() == [12, 5]
    apsp.solve(roads, keep="factor", output=tmp_path / "r.zarr")
    slow = apsp.update(tmp_path / "r.zarr", weights=[9, 2, 9, 2], metric="slow")
    assert apsp.flow(slow, table).costs.tolist() == [24, 10]
    turned = roads.with_turns([("A", "B", "C", 9)])
    by_name = {(roads.labels[u], roads.labels[v]): load for (u, v), load in loads_of(
        apsp.flow(turned, [("A", "C", 4)])).items() if load}
    assert by_name == {("A", "D"): 4, ("D", "C"): 4}


def test_refusals():
    roads = apsp.Graph.from_edges([0, 1], [1, 2], [1, 0])
    for demand, how in (([(0, 9, 1)], {}), ([(0, 2)], {}), ([(0, 2, -1)], {}), ([(0, 2, float("inf"))], {}),
                        ([(0, 2, 1)], {"split": True}), ([(0, 2, 1)], {"select": [(2, 0)]})):
        with pytest.raises(apsp.UsageError):
            apsp.flow(roads, demand, **how)
    assert apsp.flow(roads, []).volumes.tolist() == [0, 0]
