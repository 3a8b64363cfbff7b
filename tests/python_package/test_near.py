"""Near pairs, accessibility and betweenness as arrays: shapes, other packages, and what only the package can be asked."""

import numpy as np
import pytest
from scipy.sparse import csgraph

import apsp


def roads(n=900, **options):
    return apsp.generate("roads", n, directed=False, **options)


@pytest.fixture(scope="module")
def solved():
    graph = roads(weights=(1, 9))
    return graph, csgraph.dijkstra(graph.to_scipy())


def test_near_pairs_are_verified(solved):
    graph = roads()
    some = [3, 17, 400]
    near = apsp.within(graph, 30, sources=some)
    told = apsp.verify(near, graph, 30, sources=some)
    assert told["passed"] and all(check["failed"] == 0 for check in told["checks"])
    assert not apsp.verify(near, graph, 40, sources=some)["passed"]
    near.data[5] += 1
    assert not apsp.verify(near, graph, 30, sources=some)["passed"]
    with pytest.raises(apsp.UsageError):
        apsp.verify(near, graph, 30)  # rows of three sources, not of all


def test_access_has_the_shape_of_the_question(solved):
    graph, distances = solved
    n = len(distances)
    people = np.arange(n, dtype=float)
    both = np.stack([people, np.ones(n)], axis=1)
    sums = apsp.access(graph, both, [10, 30])
    assert sums.shape == (n, 2, 2)
    for i, limit in enumerate((10, 30)):
        np.testing.assert_array_equal(sums[:, i], (distances <= limit) @ both)
    np.testing.assert_array_equal(apsp.access(graph, people, 30), sums[:, 1, 0])
    np.testing.assert_array_equal(apsp.access(graph, people, [10, 30], sources=[5]), sums[[5], :, 0])
    fading = apsp.access(graph, people, 30, decay=("exp", 7))
    np.testing.assert_allclose(fading, np.where(distances <= 30, np.exp(-distances / 7), 0) @ people)
    sloping = apsp.access(graph, people, 30, decay="linear")
    np.testing.assert_allclose(sloping, np.maximum(0, 1 - distances / 30) @ people, atol=1e-9)


def test_reach_adds_up_what_access_does(solved):
    graph, distances = solved
    n = len(distances)
    both = np.stack([np.arange(n, dtype=float), np.ones(n)], axis=1)
    reach = apsp.Reach(graph, 30)
    np.testing.assert_array_equal(reach.sum(both), (distances <= 30) @ both)
    np.testing.assert_array_equal(reach.sum(both, [10, 30]), apsp.access(graph, both, [10, 30]))
    np.testing.assert_array_equal(reach.count(), (distances <= 30).sum(axis=1))
    np.testing.assert_array_equal(reach.count([0, 10])[:, 1], (distances <= 10).sum(axis=1))
    for decay in ("linear", ("exp", 7)):
        np.testing.assert_allclose(reach.sum(both, 20, decay=decay), apsp.access(graph, both, 20, decay=decay), atol=1e-9)
    assert reach.pairs == (distances <= 30).sum() and reach.distance == 30
    some = apsp.Reach(graph, 30, sources=[5, 3], distances=False)
    np.testing.assert_array_equal(some.sum(both[:, 0]), ((distances <= 30) @ both[:, 0])[[5, 3]])
    assert 0 < some.nbytes < reach.nbytes


def test_nearest_of_places(solved):
    graph, distances = solved
    places = [700, 3, 41]
    indices, found = apsp.nearest(graph, places, 2)
    np.testing.assert_array_equal(found, np.sort(distances[:, places], axis=1)[:, :2])
    np.testing.assert_array_equal(indices, np.argsort(distances[:, places], axis=1, kind="stable")[:, :2])
    apart = apsp.Graph.from_edges([0], [1], n=3)
    indices, found = apsp.nearest(apart, [1], towards="vertices")
    assert indices.ravel().tolist() == [-1, 0, -1] and np.isinf(found[0, 0])


@pytest.mark.parametrize("call", [
    lambda g: apsp.access(g, [1.0], 1), lambda g: apsp.access(g, np.full(9, np.nan), 1),
    lambda g: apsp.access(g, np.ones(9), []), lambda g: apsp.access(g, np.ones(9), 1, decay="slow"),
    lambda g: apsp.Reach(g, np.inf), lambda g: apsp.Reach(g, -1), lambda g: apsp.Reach(g, 2).sum(np.ones(9), 3),
    lambda g: apsp.Reach(g, 2).sum([1.0]), lambda g: apsp.Reach(g, 2, distances=False).sum(np.ones(9), decay="linear"),
    lambda g: apsp.nearest(g, [1], towards="home"), lambda g: apsp.betweenness(g, scale="half"),
    lambda g: apsp.edge_betweenness(g, sources=[1, 1])])
def test_what_cannot_be_is_refused(call):
    pytest.raises(apsp.UsageError, call, apsp.generate("grid", 9))


def test_scikit_learn_takes_near_pairs_as_distances_and_as_a_radius_graph():
    from sklearn.cluster import DBSCAN
    from sklearn.neighbors import radius_neighbors_graph

    graph = apsp.generate("geometric", 300, directed=False, seed=4)  # some components
    distances = csgraph.dijkstra(graph.to_scipy())
    far = np.where(np.isinf(distances), 1e9, distances)
    limit = float(np.quantile(distances[np.isfinite(distances) & (distances > 0)], 0.02))
    near = apsp.within(graph, limit)
    found = DBSCAN(eps=limit, min_samples=4, metric="precomputed").fit_predict(near)
    expected = DBSCAN(eps=limit, min_samples=4, metric="precomputed").fit_predict(far)
    np.testing.assert_array_equal(found, expected)
    assert len(set(found.tolist())) > 2 and -1 in found
    radius = radius_neighbors_graph(far, limit, mode="distance", metric="precomputed", include_self=False)
    np.testing.assert_array_equal(near.toarray(), radius.toarray())
