"""apsp.write_table: tables of graphs and results as files, against SciPy."""

import os

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csgraph

import apsp


@pytest.fixture(scope="module")
def roads():
    graph = apsp.generate("roads", 900, directed=False, weights=(1, 9))
    return graph, csgraph.dijkstra(graph.to_scipy())


@pytest.mark.parametrize("given", ["graph", "matrix", "factor"])
def test_files_hold_the_distances(roads, given, tmp_path):
    graph, distances = roads
    of = graph if given == "graph" else apsp.solve(graph, keep=given)
    sources, targets = [17, 3, 800], [5, 17]
    expected = distances[np.ix_(sources, targets)]
    apsp.write_table(of, tmp_path / "t.parquet", sources=sources, targets=targets)
    table = pd.read_parquet(tmp_path / "t.parquet")
    assert table["from"].tolist() == [17, 17, 3, 3, 800, 800] and table["to"].tolist() == [5, 17] * 3
    np.testing.assert_array_equal(table["distance"].to_numpy().reshape(3, 2), expected)
    apsp.write_table(of, tmp_path / "t.npy", sources=sources, targets=targets, threads=1, memory="1GiB")
    np.testing.assert_array_equal(np.load(tmp_path / "t.npy"), expected)
    apsp.write_table(of, tmp_path / "t.csv", targets=targets, layout="wide")
    wide = pd.read_csv(tmp_path / "t.csv", index_col="from")
    np.testing.assert_array_equal(wide.to_numpy(), distances[:, targets])


def test_second_weights_of_networkx(tmp_path):
    network = nx.DiGraph()
    network.add_edge("a", "b", minutes=2.5, metres=900)
    network.add_edge("b", "c", minutes=2.5, metres=100)
    network.add_edge("a", "c", minutes=7.5, metres=1)
    minutes, metres = (apsp.Graph.from_networkx(network, weight=weight) for weight in ("minutes", "metres"))
    apsp.write_table(minutes, tmp_path / "t.csv", sources=["a"], second=metres)
    table = pd.read_csv(tmp_path / "t.csv")
    assert table.distance.tolist() == [0, 2.5, 5] and table.second.tolist() == [0, 900, 1000]


@pytest.mark.parametrize("call, message", [
    (lambda g, r, p: apsp.write_table(g, p / "t.txt"), "not a table"),
    (lambda g, r, p: apsp.write_table(g, p / "t.csv", layout="round"), "no layout"),
    (lambda g, r, p: apsp.write_table(g, p / "t.csv", sources=[5, 5]), "twice"),
    (lambda g, r, p: apsp.write_table(g, p / "t.csv", targets=[9999]), "9999"),
    (lambda g, r, p: apsp.write_table(r, p / "t.csv", algorithm="johnson"), "nothing is solved"),
    (lambda g, r, p: apsp.write_table(g, p / "t.csv", speed=3), "speed"),
    (lambda g, r, p: apsp.write_table(g, p / "t.csv", second=apsp.generate("path", 3)), "same vertices"),
])
def test_errors_say_what_is_wrong(roads, tmp_path, call, message):
    graph, _ = roads
    with pytest.raises(apsp.UsageError, match=message):
        call(graph, apsp.solve(graph, keep="factor"), tmp_path)
    assert not os.listdir(tmp_path)


def test_a_table_is_no_file_that_is_read(roads, tmp_path):
    graph, _ = roads
    with pytest.raises(apsp.UsageError):
        (tmp_path / "g.csv").write_text("a,b,1\n")
        apsp.write_table(tmp_path / "g.csv", tmp_path / "g.csv")
    assert (tmp_path / "g.csv").read_text() == "a,b,1\n"
