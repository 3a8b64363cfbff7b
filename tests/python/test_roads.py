"""docs/roads.md: every block runs, in its order, on the roads of Liechtenstein."""

import gzip
import json
import os
import re
import subprocess

import networkx
import numpy
import pandas
import pytest
from numcodecs import Zstd

from conftest import ROOT, binary, environment

DATA = ROOT / "tests" / "data"
BLOCKS = re.findall(r"(<!-- with \w+ -->\n)?```(\w+)\n(.*?)```", (ROOT / "docs" / "roads.md").read_text(), re.DOTALL)
METRES_A_SECOND = 40 / 3.6


def liechtenstein():
    """The network as OSMnx gives it, at 40 km/h everywhere."""
    graph = networkx.MultiDiGraph()
    for line in gzip.decompress((DATA / "liechtenstein_roads.gr.gz").read_bytes()).decode().splitlines():
        if line.startswith("a "):
            u, v, metres = map(int, line.split()[1:])
            seconds = metres / METRES_A_SECOND
            graph.add_edge(u, v, length=float(metres), travel_time=seconds, tenths=max(1, round(10 * seconds)))
    text = bytes(Zstd().decode((DATA / "liechtenstein_roads_coord.mtx.zst").read_bytes())).decode()
    numbers = [line for line in text.splitlines() if line[0] != "%"]
    rows = int(numbers[0].split()[0])
    for node in graph:
        graph.nodes[node].update(x=float(numbers[node]), y=float(numbers[node + rows]))
    return graph


@pytest.fixture(scope="module")
def walked(tmp_path_factory):
    """(the folder after all blocks, what they printed, the network)."""
    folder = tmp_path_factory.mktemp("roads")
    before, network, printed = os.getcwd(), liechtenstein(), []
    env = environment(MPLBACKEND="agg")
    env["PATH"] = os.path.dirname(binary()) + os.pathsep + env["PATH"]
    names = {"G": network, "print": lambda *words: printed.append(" ".join(map(str, words)))}
    os.chdir(folder)
    try:
        for apart, language, text in BLOCKS:
            if apart:
                compile(text, "docs/roads.md", "exec")
            elif language == "python":
                exec(compile(text, "docs/roads.md", "exec"), names)
            else:
                done = subprocess.run(["bash", "-euc", text], env=env, capture_output=True, text=True, timeout=120)
                assert done.returncode == 0, text + done.stderr
                printed.append(done.stdout)
    finally:
        os.chdir(before)
    return folder, "\n".join(printed), network


def test_blocks_are_found():
    assert len([1 for apart, _, _ in BLOCKS if apart]) == 2 and len(BLOCKS) >= 12


def test_the_network_is_read_whole(walked):
    _, printed, network = walked
    assert f"{len(network):,}" in printed and "directed" in printed


def test_journeys_are_those_of_networkx(walked):
    folder, _, network = walked
    journeys = pandas.read_parquet(folder / "journeys.parquet")
    assert list(journeys.columns) == ["from", "to", "distance", "second"]
    reached = numpy.isfinite(journeys.distance)
    assert (numpy.isfinite(journeys.second) == reached).all() and reached.mean() > 0.5
    towards = network.reverse()
    for hospital, rows in journeys.groupby("to"):
        times = networkx.single_source_dijkstra_path_length(towards, hospital, weight="tenths")
        assert [times.get(home, numpy.inf) for home in rows["from"]] == rows.distance.tolist()
    for row in journeys[reached].sample(40, random_state=1).itertuples(index=False):
        lengths = {sum(min(round(data["length"]) for data in network[u][v].values()) for u, v in zip(path, path[1:]))
                   for path in networkx.all_shortest_paths(network, row[0], row.to, weight="tenths")}
        assert row.second in lengths


def test_maps_are_drawn(walked):
    folder, _, network = walked
    nearest = json.loads((folder / "nearest.geojson").read_text())["features"]
    assert 2000 < len(nearest) <= len(network)
    (isochrone,) = json.loads((folder / "isochrone.geojson").read_text())["features"]
    assert isochrone["geometry"]["type"] == "MultiLineString" and len(isochrone["geometry"]["coordinates"]) > 100
    (path,) = json.loads((folder / "path.geojson").read_text())["features"]
    assert len(path["geometry"]["coordinates"]) == path["properties"]["edges"] + 1 > 10
    assert (folder / "access.png").read_bytes().startswith(b"\x89PNG")


def test_accessibility_grows_with_time_and_a_closed_street_costs_it(walked):
    folder, _, network = walked
    jobs = pandas.read_csv(folder / "access.csv", index_col="vertex")
    assert list(jobs.columns) == ["jobs within 3000", "jobs within 6000"]
    assert (jobs["jobs within 3000"] <= jobs["jobs within 6000"]).all()
    of_vertex = pandas.read_csv(folder / "jobs.csv").groupby("vertex").jobs.sum()
    assert of_vertex.sum() == 80 * (60 + 70 + 30)
    for vertex in jobs.index[::500]:
        near = networkx.single_source_dijkstra_path_length(network, vertex, cutoff=6000, weight="tenths")
        assert jobs["jobs within 6000"][vertex] == of_vertex.reindex(list(near)).sum()
    open_, closed = (pandas.read_parquet(folder / name).distance for name in ("journeys.parquet", "closed.parquet"))
    assert (closed >= open_).all()


def test_the_night_is_a_metric_of_the_same_network(walked):
    folder, _, _ = walked
    day, night = (pandas.read_parquet(folder / name) for name in ("day.parquet", "night.parquet"))
    assert (day["from"] == night["from"]).all() and (day["to"] == night["to"]).all()
    reached = numpy.isfinite(day.distance) & (day.distance > 0)
    assert (numpy.isfinite(night.distance) == numpy.isfinite(day.distance)).all()
    assert 0.75 < (night.distance[reached] / day.distance[reached]).median() < 0.95
    one = "factor/order/c/0"
    assert (folder / "roads.zarr" / one).samefile(folder / "roads.zarr/metric/night.zarr" / one)
