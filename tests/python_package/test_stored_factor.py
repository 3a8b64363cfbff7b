"""Factors in files: opened without being read, and read where more is asked than a few pairs."""

import numpy as np
import pytest

import apsp


def test_a_few_pairs_of_a_stored_factor_leave_the_rest_unread(tmp_path):
    graph = apsp.generate("roads", 900, directed=False)
    path = tmp_path / "a.zarr"
    now = apsp.solve(graph, keep="factor", output=path)
    (path / "graph" / "weights" / "c" / "0").write_bytes(b"damaged")
    opened = apsp.open(path)
    assert opened.shape == (900, 900) and opened.kept == "factor"
    assert opened.distance(3, 700) == now.distance(3, 700)
    np.testing.assert_array_equal(opened.distance([0, 1, 2], 899), now.distance([0, 1, 2], 899))
    pytest.raises(apsp.UsageError, opened.distance, 0, 900)
    with pytest.raises(apsp.InputError):
        opened.graph
    pytest.raises(apsp.InputError, opened.row, 0)


def test_names_of_vertices_are_read_with_a_stored_factor(tmp_path):
    graph = apsp.Graph.from_edges(["a", "b"], ["b", "c"], [1, 2], directed=False)
    apsp.solve(graph, keep="factor", output=tmp_path / "a.zarr")
    opened = apsp.open(tmp_path / "a.zarr")
    assert opened.distance("a", "c") == 3 and opened.graph == graph
