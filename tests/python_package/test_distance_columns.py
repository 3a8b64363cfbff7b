"""Distances of vertices in columns of tables."""

import pytest

import apsp

pandas = pytest.importorskip("pandas")
pyarrow = pytest.importorskip("pyarrow")


def test_distance_takes_columns_of_tables():
    graph = apsp.Graph.from_edges(list("abcab"), list("bcdde"), [1, 1, 1, 9, 5], directed=False)
    result = apsp.solve(graph)
    table = pandas.DataFrame({"from": ["a", "e"], "to": ["d", "e"], "number": [7, 3]}, index=[5, 9])
    assert result.distance(table["from"], table["to"]).tolist() == [3, 0]
    assert result.distance("a", table["to"]).tolist() == [3, 6]
    assert result.distance(pandas.Index(["a", "e"]), "d").tolist() == [3, 7]
    assert result.distance(pyarrow.array(["a", "e"]), pyarrow.chunked_array([["d"], ["e"]])).tolist() == [3, 0]
    pytest.raises(apsp.UsageError, result.distance, pandas.Series(["a", "z"]), "d")


def test_distance_takes_columns_of_numbers():
    result = apsp.solve(apsp.Graph.from_edges(range(9), range(1, 10), n=10))
    for numbers in (pandas.Series([7, 3], index=[2, 2]), pyarrow.array([7, 3]), pandas.array([7, 3], dtype="Int64")):
        assert result.distance(numbers, 9).tolist() == [2, 6]
    on_gpu = type("Gpus", (), {"__array__": None, "ndim": 1, "__cuda_array_interface__": {}})()
    pytest.raises(apsp.UsageError, result.distance, on_gpu, 9)
