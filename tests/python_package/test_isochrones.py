"""Streets within some distances as geometries, directions and decays of accessibility, limits of nearest places."""

import numpy as np
import pytest

import apsp


def test_lines_and_polygons():
    shapely = pytest.importorskip("shapely")
    at = np.array([(0, 0), (10, 0), (20, 0), (10, 10)])
    streets = apsp.Graph.from_edges([0, 1, 1], [1, 2, 3], [10, 10, 20])  # one way
    told = apsp.isochrones(streets, [1], [5, 15], at, direction="both")
    assert [(one["direction"], one["within"], one["geometry"].length) for one in told] == [
        ("from", 5, 7.5), ("from", 15, 17.5), ("to", 5, 5), ("to", 15, 10)]
    assert told[1]["geometry"].equals(shapely.MultiLineString([[(10, 0), (20, 0)], [(10, 0), (10, 7.5)]]))
    (wide,) = apsp.isochrones(streets, [1], 5, at, buffer=1)
    assert wide["geometry"].contains(shapely.Point(14.5, 0.5)) and wide["geometry"].geom_type == "Polygon"
    both_ways = apsp.Graph.from_edges([0, 1], [1, 2], [10, 10], directed=False)
    (whole,) = apsp.isochrones(both_ways, [1], 10, at[:3])
    assert whole["geometry"].length == 20  # each street once
    for wrong in ({"positions": at[:2]}, {"positions": at, "direction": "out"}):
        with pytest.raises(apsp.UsageError):
            apsp.isochrones(streets, [1], 5, **wrong)


def test_directions_and_decays():
    random = np.random.default_rng(2)
    graph = apsp.generate("geometric", 120, seed=4, weights=(1, 9))
    distances = np.array([apsp.solve(graph).row(v) for v in range(120)])
    jobs = random.integers(0, 9, 120).astype(float)
    for decay, share in ((None, np.ones_like), ("linear", lambda d: 1 - d / 12), (("exp", 4), lambda d: np.exp(-d / 4)),
                         (("gaussian", 5), lambda d: np.exp(-((d / 5) ** 2) / 2)),
                         (("power", 1.5), lambda d: np.maximum(d, 1) ** -1.5)):
        weighted = np.where(distances <= 12, share(np.minimum(distances, 12)), 0)
        there, back = apsp.access(graph, jobs, 12, decay=decay, direction="both")
        assert there.tolist() == pytest.approx((weighted @ jobs).tolist())
        assert back.tolist() == pytest.approx((weighted.T @ jobs).tolist())
        assert apsp.access(graph, jobs, 12, decay=decay, direction="to", sources=[7, 3]).tolist() == \
            pytest.approx(back[[7, 3]].tolist())
    for wrong in ({"decay": ("gaussian", 0)}, {"decay": ("power", -1)}, {"decay": "gaussian"}, {"direction": "out"}):
        with pytest.raises(apsp.UsageError):
            apsp.access(graph, jobs, 12, **wrong)


def test_nearest_within():
    street = apsp.Graph.from_edges(list("ABC"), list("BCD"), [30, 20, 60], directed=False)
    indices, distances = apsp.nearest(street, ["A", "D"], 2, within=50)
    assert indices.tolist() == [[0, -1], [0, -1], [0, -1], [1, -1]]
    assert distances.tolist() == [[0, np.inf], [30, np.inf], [50, np.inf], [0, np.inf]]
