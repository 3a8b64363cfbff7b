"""Other weights in a factor, in memory and stored: as a solve of the changed graph."""

import numpy as np
import pytest

import apsp
from arrays_on_gpu import cuda_is_there


def roads(seed=1):
    return apsp.generate("roads", 400, directed=False, seed=seed)


def all_rows(result):
    return np.stack([result.row(v) for v in range(0, 400, 7)])


def test_edges_are_the_graph():
    graph = roads()
    sources, targets, weights = graph.edges()
    assert (sources <= targets).all() and len(weights) == graph.facts["edges"]
    assert apsp.Graph.from_edges(sources, targets, weights, n=400, directed=False) == graph


def test_labels_stay():
    graph = apsp.Graph.from_edges([("a", 1), "b"], ["b", "c"], [1, 2], n=None, directed=False)
    updated = apsp.solve(graph, keep="factor").update(graph.with_changes([("b", "c", 9)]))
    assert updated.distance(("a", 1), "c") == 10


def test_stored(tmp_path):
    graph = roads()
    path = tmp_path / "a.zarr"
    apsp.solve(graph, keep="factor", output=path)
    weights = np.arange(1, graph.facts["edges"] + 1)
    after = graph.with_weights(weights)
    assert apsp.metrics(path) == []
    night = apsp.update(path, weights=weights, metric="night")
    np.testing.assert_array_equal(all_rows(night), all_rows(apsp.solve(after)))
    assert apsp.metrics(path) == ["night"]
    assert apsp.open(path).graph == graph and apsp.open(path, metric="night").graph == after


def test_what_cannot_be(tmp_path):
    graph = roads()
    factor = apsp.solve(graph, keep="factor")
    pytest.raises(apsp.UsageError, graph.with_weights, [1, 2])
    pytest.raises(apsp.UsageError, graph.with_changes, [(0, 399, float("inf"))])
    pytest.raises(apsp.UsageError, graph.with_changes, [(0, 1)])
    with pytest.raises(apsp.UsageError):
        apsp.solve(graph, keep="statistics").update(graph)
    pytest.raises(apsp.UsageError, factor.update, apsp.generate("path", 3))
    pytest.raises(apsp.DoesNotFitError, factor.update, graph, memory=1000)
    pytest.raises(apsp.UsageError, apsp.update, tmp_path / "a.zarr")
    apsp.solve(graph, keep="factor", output=tmp_path / "a.zarr")
    pytest.raises(apsp.UsageError, apsp.update, tmp_path / "a.zarr", [("x", 0, 3)])


@pytest.mark.parametrize("directed", [False, True])
def test_a_matrix(directed, tmp_path):
    graph = apsp.generate("gnp", 120, probability=0.05, directed=directed, seed=3)
    sources, targets, weights = graph.edges()
    changes = [(int(sources[0]), int(targets[0]), float(weights[0]) / 2 + 1),
               (int(sources[9]), int(targets[9]), float(weights[9]) * 3),
               (int(sources[20]), int(targets[20]), float("inf"))]
    after = graph.with_changes(changes)
    expected = np.asarray(apsp.solve(after, value_type="f64").distances)
    before = apsp.solve(graph, keep="matrix", value_type="f64")
    np.testing.assert_array_equal(np.asarray(before.update(after).distances), expected)
    for name in ("a.zarr", "a.npy"):
        path = tmp_path / name
        apsp.solve(graph, keep="matrix", value_type="f64", output=path)
        given = {"before": graph} if name == "a.npy" else {}
        updated = apsp.update(path, changes, output=tmp_path / ("b" + name[1:]), **given)
        assert updated.graph == after and updated.verify()["passed"]
        np.testing.assert_array_equal(np.stack([updated.row(v) for v in range(120)]), expected)


def test_a_new_vertex_keeps_its_label():
    graph = apsp.Graph.from_edges(["a", "b"], ["b", "c"], [1, 2])
    more = apsp.Graph.from_edges(["a", "b", "c"], ["b", "c", ("new", 1)], [1, 2, 4])
    updated = apsp.solve(graph, keep="matrix").update(more)
    assert updated.distance("a", ("new", 1)) == 7 and updated.distance("a", "c") == 3


def test_a_gpu_is_for_matrices(tmp_path):
    graph = roads()
    apsp.solve(graph, keep="factor", output=tmp_path / "a.zarr")
    with pytest.raises(apsp.UsageError):
        apsp.solve(graph, keep="factor").update(graph, device="cuda")
    pytest.raises(apsp.UsageError, apsp.update, tmp_path / "a.zarr", weights=graph.edges()[2], device="cuda:0")
    if not cuda_is_there():
        with pytest.raises(apsp.DeviceError):
            apsp.solve(graph, keep="matrix").update(graph, device="cuda")


@pytest.mark.skipif(not cuda_is_there(), reason="no GPU")
@pytest.mark.parametrize("dtype", ["float32", "uint16", "int32"])
def test_a_matrix_on_a_gpu(dtype):
    graph = roads()
    sources, targets, weights = graph.edges()
    weights = weights.copy()
    weights[::40] = 1
    weights[5::90] *= 2
    after = graph.with_weights(weights)
    before = apsp.solve(graph, keep="matrix", value_type=dtype)
    updated = before.update(after, device="cuda", device_memory="64MiB")
    np.testing.assert_array_equal(all_rows(updated), all_rows(before.update(after)))
    assert updated.verify()["passed"]
