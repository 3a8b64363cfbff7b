"""Pictures by matplotlib: axes in and out, and what is drawn is what the result says."""

import sys

import numpy as np
import pytest

import apsp

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
plt = pytest.importorskip("matplotlib.pyplot")


@pytest.fixture(autouse=True)
def closed_figures():
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def town():
    return apsp.solve(apsp.generate("grid", 400, directed=False), keep="matrix")


PLACES = np.column_stack([np.arange(400) % 20, np.arange(400) // 20]).astype(float)


def drawn(ax):
    ax.figure.canvas.draw()
    return ax


@pytest.mark.parametrize("draw", [lambda p, **ax: p.histogram(**ax), lambda p, **ax: p.heat_map(**ax),
                                  lambda p, **ax: p.map(**ax), lambda p, **ax: p.path(**ax)])
def test_axes_go_in_and_come_out(town, draw):
    _, (first, second) = plt.subplots(1, 2)
    assert draw(town.plot, ax=second) is second and not first.has_data()
    own = drawn(draw(town.plot))
    assert own.figure is not second.figure and own.has_data() and own.get_title()


def test_the_histogram_has_every_pair(town):
    ax = drawn(town.plot.histogram())
    assert sum(bar.get_height() for bar in ax.patches) == town.statistics["reachable_pairs"]
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert labels == [f"mean {town.statistics['mean']:.4g}", f"median {town.statistics['median']:.4g}"]


def test_equal_distances_are_one_bar():
    ax = drawn(apsp.solve(apsp.generate("complete", 5, weights=(3, 3))).plot.histogram())
    assert [bar.get_height() for bar in ax.patches] == [20] and ax.patches[0].get_width() > 0


def test_the_heat_map_has_a_pixel_a_pair(town):
    image = drawn(town.plot.heat_map()).images[0].get_array()
    assert image.shape == (400, 400)
    assert sorted(image.ravel()) == sorted(town.distances.astype(float).ravel())
    assert drawn(town.plot.heat_map(most=50)).images[0].get_array().shape == (50, 50)
    factor = apsp.solve(town.graph, keep="factor").plot.heat_map(most=50)
    np.testing.assert_array_equal(factor.images[0].get_array(), town.plot.heat_map(most=50).images[0].get_array())


def test_pairs_without_a_path_are_no_colour():
    result = apsp.solve(apsp.Graph.from_edges([0, 2], [1, 3], n=4))
    image = drawn(result.plot.heat_map()).images[0].get_array()
    assert np.ma.count_masked(image) == 10


def test_some_rows_and_columns_are_drawn(town):
    some = apsp.solve(town.graph, sources=[1, 2, 3], targets=[7, 9])
    assert drawn(some.plot.heat_map()).images[0].get_array().shape == (3, 2)


@pytest.mark.parametrize("values", ["eccentricity", "closeness", "harmonic"])
def test_edges_lie_where_coordinates_say(town, values):
    ax = drawn(town.plot.map(values, coordinates=PLACES))
    lines, points = ax.collections
    assert len(lines.get_segments()) == town.graph.facts["edges"]
    assert all(np.abs(a - b).sum() == 1 for a, b in lines.get_segments())
    assert len(points.get_offsets()) == 400
    found = town.statistics[values]
    np.testing.assert_allclose(points.get_array(), found)
    least, most = points.get_clim()
    assert found.min() <= least < most <= found.max()


def test_values_of_ones_own_and_of_files(town, tmp_path):
    (tmp_path / "places.csv").write_text("name,lon,lat\n" + "".join(
        f"{v},{v % 20},{40 + v // 20}\n" for v in range(400)))
    ax = drawn(town.plot.map(np.arange(400), coordinates=tmp_path / "places.csv"))
    assert ax.get_aspect() == pytest.approx(1 / np.cos(np.radians(49.5)))
    assert ax.collections[1].get_array().max() == 399


def test_places_are_made_where_there_are_none(town):
    places = drawn(town.plot.map()).collections[1].get_offsets()
    apart = np.linalg.norm(places[:, None] - places[None], axis=2)
    assert np.corrcoef(apart.ravel(), town.distances.astype(float).ravel())[0, 1] > 0.9


def test_a_path_is_drawn_from_end_to_end(town):
    ax = drawn(town.plot.path(0, 399, coordinates=PLACES))
    way = ax.lines[0].get_xydata()
    np.testing.assert_array_equal(way, PLACES[town.path(0, 399)])
    assert [text.get_text() for text in ax.texts] == ["0", "399"]
    longest = drawn(town.plot.path(coordinates=PLACES))
    assert f"distance {town.statistics['diameter']:.6g}" in longest.get_title()


def test_of_very_many_edges_some_are_drawn(town, monkeypatch):
    from apsp import _plot

    monkeypatch.setattr(_plot, "_MOST_LINES", 100)
    monkeypatch.setattr(_plot, "_MOST_POINTS", 10)
    ax = drawn(town.plot.map(coordinates=PLACES))
    assert len(ax.collections) == 1 and 50 < len(ax.collections[0].get_segments()) <= 100


def test_what_cannot_be_drawn_is_refused(town):
    pytest.raises(apsp.UsageError, town.plot.map, "beauty")
    pytest.raises(apsp.UsageError, town.plot.map, [1, 2, 3])
    pytest.raises(apsp.UsageError, town.plot.map, coordinates=PLACES[:3])
    pytest.raises(apsp.UsageError, town.plot.path, coordinates=PLACES[0])
    pytest.raises(apsp.UsageError, town.plot.path, 3)
    pytest.raises(apsp.UsageError, town.plot.heat_map, most=0)
    apart = apsp.solve(apsp.Graph.from_edges([0], [1], n=3))
    pytest.raises(apsp.UsageError, apart.plot.path, 1, 2)
    alone = apsp.solve(apsp.Graph.from_edges([], [], n=1))
    pytest.raises(apsp.UsageError, alone.plot.histogram)
    pytest.raises(apsp.UsageError, alone.plot.path)
    statistics = apsp.solve(town.graph, keep="statistics")
    pytest.raises(apsp.UsageError, statistics.plot.heat_map)
    pytest.raises(apsp.UsageError, statistics.plot.map)
    assert statistics.plot.map(coordinates=PLACES).has_data()
    some = apsp.solve(town.graph, sources=[1])
    pytest.raises(apsp.UsageError, some.plot.map, "closeness", coordinates=PLACES)


def test_without_matplotlib_the_error_says_so(town, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ModuleNotFoundError, match="pip install matplotlib"):
        town.plot.histogram()
