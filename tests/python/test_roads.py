"""docs/roads.md: every block runs as it is written, in its order, on the roads of Helsinki's centre."""

import importlib.util
import json
import os
import re
import subprocess

import networkx
import numpy
import pandas
import pytest

from conftest import ROOT, binary, environment

pytest.importorskip("osmnx")
pytest.importorskip("pyrosm")

BLOCKS = re.findall(r"```(\w+)\n(.*?)```", (ROOT / "docs" / "roads.md").read_text(), re.DOTALL)
HAS_PACKAGE = importlib.util.find_spec("apsp") is not None


@pytest.fixture(scope="module")
def walked(tmp_path_factory):
    """(the folder after all blocks, what they printed, the network with whole tenths of a second)."""
    folder = tmp_path_factory.mktemp("roads")
    before, printed = os.getcwd(), []
    env = environment()
    env["PATH"] = os.path.dirname(binary()) + os.pathsep + env["PATH"]
    names = {"print": lambda *words: printed.append(" ".join(map(str, words)))}
    os.chdir(folder)
    try:
        for language, text in BLOCKS:
            if language == "sh":
                done = subprocess.run(["bash", "-euc", text], env=env, capture_output=True, text=True, timeout=120)
                assert done.returncode == 0, text + done.stderr
                printed.append(done.stdout)
            elif HAS_PACKAGE or "import apsp\n" not in text:
                exec(compile(text, "docs/roads.md", "exec"), names)
    finally:
        os.chdir(before)
    network = names["G"]
    for *_, data in network.edges(data=True):
        data["tenths"] = max(1, round(10 * data["travel_time"]))
    return folder, "\n".join(printed), network


def nearest_vertex(network, lon, lat):
    """The name of the vertex that is nearest to a point, by degrees that are equally long."""
    narrow = numpy.cos(numpy.radians(lat))
    return min(network, key=lambda v: ((network.nodes[v]["x"] - lon) * narrow) ** 2 + (network.nodes[v]["y"] - lat) ** 2)


def hospitals_in(folder, network):
    """{name: vertex}."""
    table = pandas.read_csv(folder / "hospitals.csv")
    return {name: nearest_vertex(network, lon, lat) for name, lon, lat in zip(table.name, table.lon, table.lat)}


def times_from(network, source, **options):
    return networkx.single_source_dijkstra_path_length(network, source, weight="tenths", **options)


def test_blocks_are_shell_and_python():
    assert {language for language, _ in BLOCKS} == {"sh", "python"} and len(BLOCKS) >= 18


def test_the_network_is_read_whole(walked):
    _, printed, network = walked
    assert len(network) > 150 and f"{len(network):,}" in printed and "directed" in printed


def test_journeys_are_those_of_networkx(walked):
    folder, _, network = walked
    journeys = pandas.read_parquet(folder / "journeys.parquet")
    assert list(journeys.columns) == ["from", "to", "distance", "second", "to_walk"]
    hospitals = hospitals_in(folder, network)
    assert set(journeys.to) == set(hospitals)
    reached = numpy.isfinite(journeys.distance)
    assert (numpy.isfinite(journeys.second) == reached).all() and reached.mean() > 0.5
    for home, rows in journeys.groupby("from"):
        times = times_from(network, int(home))
        assert [times.get(hospitals[name], numpy.inf) for name in rows.to] == rows.distance.tolist()
    for row in journeys[reached].itertuples(index=False):
        lengths = {sum(min(round(data["length"]) for data in network[u][v].values()
                           if data["tenths"] == min(one["tenths"] for one in network[u][v].values()))
                       for u, v in zip(path, path[1:]))
                   for path in networkx.all_shortest_paths(network, int(row[0]), hospitals[row.to], weight="tenths")}
        assert row.second in lengths


def test_maps_are_drawn(walked):
    folder, _, network = walked
    nearest = json.loads((folder / "nearest.geojson").read_text())["features"]
    assert len(nearest) == len(network)
    at = {data["x"]: data["y"] for _, data in network.nodes(data=True)}
    assert all(at[x] == pytest.approx(y) for x, y in (one["geometry"]["coordinates"] for one in nearest))
    isochrones = json.loads((folder / "isochrone.geojson").read_text())["features"]
    assert len(isochrones) == 4
    for isochrone in isochrones:
        assert isochrone["geometry"]["type"] == "MultiLineString" and len(isochrone["geometry"]["coordinates"]) > 10
    paths = json.loads((folder / "paths.geojson").read_text())["features"]
    steps = pandas.read_parquet(folder / "steps.parquet")
    assert len(paths) == steps.pair.nunique() > 0
    for path in paths:
        mine = steps[steps.pair == path["properties"]["pair"]]
        assert len(path["geometry"]["coordinates"]) == path["properties"]["edges"] + 1 == len(mine) > 5
    assert (folder / "access.png").read_bytes().startswith(b"\x89PNG")


def test_a_degree_of_longitude_is_drawn_half_as_long_in_helsinki(walked):
    folder, _, network = walked
    at = numpy.array([(data["x"], data["y"]) for _, data in network.nodes(data=True)])
    width, height = at.max(axis=0) - at.min(axis=0)
    drawn = re.search(r'class="map[^"]*" viewBox="0 0 (\d+) (\d+)"', (folder / "roads.html").read_text()).groups()
    ratio = int(drawn[0]) / int(drawn[1])
    assert ratio == pytest.approx(width * numpy.cos(numpy.radians(60.17)) / height, rel=0.05)


def test_accessibility_grows_with_time(walked):
    folder, _, network = walked
    jobs = pandas.read_csv(folder / "access.csv", index_col="vertex")
    assert list(jobs.columns) == ["jobs within 1min", "jobs within 2min"]
    assert (jobs["jobs within 1min"] <= jobs["jobs within 2min"]).all()
    table = pandas.read_csv(folder / "jobs_at.csv")
    table["vertex"] = [nearest_vertex(network, *at) for at in zip(table.lon, table.lat)]
    of_vertex = table.groupby("vertex").jobs.sum()
    for vertex in jobs.index[::9]:
        near = times_from(network, vertex, cutoff=1200)
        assert jobs["jobs within 2min"][vertex] == of_vertex.reindex(list(near)).sum()


def test_a_closed_bridge_costs_time_in_both_directions(walked):
    folder, printed, network = walked
    closed = pandas.read_csv(folder / "closed.csv")
    arcs = {(row[0], row.to) for row in closed.itertuples(index=False)}
    assert len(arcs) >= 2 and numpy.isinf(closed.weight).all()
    northwards = {network.nodes[v]["y"] > network.nodes[u]["y"] for u, v in arcs}
    assert northwards == {True, False}, "one direction is left open"
    without = network.copy()
    without.remove_edges_from([(u, v, key) for u, v, key in network.edges(keys=True) if (u, v) in arcs])
    hospitals = hospitals_in(folder, network)
    before, after = (pandas.read_parquet(folder / f"{name}.parquet") for name in ("journeys", "closed"))
    for home, rows in after.groupby("from"):
        times = times_from(without, int(home))
        assert [times.get(hospitals[name], numpy.inf) for name in rows.to] == rows.distance.tolist()
    longer = (after.distance > before.distance).sum()
    assert longer > 0 and f"{longer} of {len(after)} journeys take longer" in printed


def test_the_rush_hour_is_a_metric_of_the_same_network(walked):
    folder, printed, _ = walked
    night, rush = (pandas.read_parquet(folder / f"{name}.parquet") for name in ("night", "rush"))
    assert night.distance.equals(pandas.read_parquet(folder / "journeys.parquet").distance)
    assert (night["from"] == rush["from"]).all() and (night.to == rush.to).all()
    reached = numpy.isfinite(night.distance) & (night.distance > 0)
    assert 1 < (rush.distance[reached] / night.distance[reached]).median() <= 2.1
    assert "times as long in the rush hour" in printed
    one = "factor/order/c/0"
    assert (folder / "roads.zarr" / one).samefile(folder / "roads.zarr/metric/rush.zarr" / one)


@pytest.mark.skipif(not HAS_PACKAGE, reason="the package apsp is not installed")
def test_the_package_takes_the_graph_of_osmnx(walked):
    folder, printed, network = walked
    first, second = list(hospitals_in(folder, network).values())[:2]
    seconds = networkx.dijkstra_path_length(network, first, second, weight="travel_time")
    assert f"{seconds:.0f} s from the first hospital to the second" in printed
