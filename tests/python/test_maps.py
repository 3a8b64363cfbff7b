"""Maps as GeoJSON: paths, nearest places, accessibility, and what can be reached within a distance."""

import json

import pytest

POSITIONS = """name,lon,lat
Aachen,6.08,50.77
Bonn,7.10,50.73
Cologne,6.95,50.94
Dortmund,7.46,51.51
Emden,7.20,53.36
"""


@pytest.fixture
def at(tmp_path):
    (tmp_path / "at.csv").write_text(POSITIONS)
    return ("--positions", "at.csv")


def features(tmp_path, name):
    collection = json.loads((tmp_path / name).read_text())
    assert collection["type"] == "FeatureCollection"
    for feature in collection["features"]:
        assert feature["type"] == "Feature"
    return collection["features"]


def test_a_path_is_a_line(run, solved, at, tmp_path):
    run("path", solved, "Aachen", "Dortmund", "-o", "p.geojson", *at)
    (line,) = features(tmp_path, "p.geojson")
    assert line["geometry"] == {"type": "LineString", "coordinates": [
        [6.08, 50.77], [7.1, 50.73], [6.95, 50.94], [7.46, 51.51]]}
    assert line["properties"] == {"from": "Aachen", "to": "Dortmund", "distance": 120, "edges": 3}
    run("path", solved, "Bonn", "Bonn", "-o", "p.geojson", *at)
    assert features(tmp_path, "p.geojson")[0]["geometry"]["type"] == "Point"
    run("path", solved, "Aachen", "Emden", "-o", "none.geojson", *at, code=1)
    assert not (tmp_path / "none.geojson").exists()


def test_nearest_places_and_sums_are_points(run, cities, at, tmp_path):
    run("nearest", cities, "--undirected", "--to", "Dortmund,Aachen", "-o", "n.geojson", *at)
    found = {f["properties"]["vertex"]: f for f in features(tmp_path, "n.geojson")}
    assert len(found) == 4 and found["Bonn"]["geometry"]["coordinates"] == [7.1, 50.73]
    assert found["Bonn"]["properties"] == {"vertex": "Bonn", "rank": 1, "place": "Aachen", "distance": 30}
    (tmp_path / "jobs.csv").write_text("city,jobs\nBonn,10\n")
    run("access", cities, "--undirected", "--weights", "jobs.csv", "--within", "25", "-o", "a.geojson", *at)
    sums = {f["properties"]["vertex"]: f["properties"]["jobs within 25"] for f in features(tmp_path, "a.geojson")}
    assert sums == {"Aachen": 0, "Bonn": 10, "Cologne": 10, "Dortmund": 0, "Emden": 0}


def test_what_is_reached_are_streets_cut_at_the_limit(run, cities, at, tmp_path):
    run("solve", cities, "--undirected", "--within", "40", "--sources", "Bonn,Emden", "-o", "i.geojson", *at)
    bonn, emden = features(tmp_path, "i.geojson")
    assert bonn["properties"] == {"from": "Bonn", "within": 40, "vertices": 3}
    parts = bonn["geometry"]["coordinates"]
    aachen, at_bonn, cologne = [6.08, 50.77], [7.1, 50.73], [6.95, 50.94]
    whole = [part for part in parts if sorted(part) in (sorted([at_bonn, aachen]), sorted([at_bonn, cologne]))]
    assert len(whole) == 2
    # Of 100 minutes to Dortmund 40 are left in Bonn; of 70 from Cologne 20; of 60 to Aachen 20, and back 10.
    cut = {tuple(part[0]): part[1] for part in parts if part not in whole and part[0] != at_bonn}
    assert [part[1] for part in parts if part[0] == at_bonn and part not in whole] == [
        pytest.approx([7.1 + 0.4 * 0.36, 50.73 + 0.4 * 0.78])]
    assert cut[tuple(aachen)] == pytest.approx([6.08 + 0.87 / 6, 50.77 + 0.17 / 6])
    assert len(parts) == 6 and emden["geometry"]["coordinates"] == []


def test_places_of_weights_are_those_of_the_map(run, tmp_path):
    (tmp_path / "g.mtx").write_text("%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n")
    (tmp_path / "at.mtx").write_text("%%MatrixMarket matrix array real general\n2 2\n6\n7\n50\n51\n")
    run("path", "g.mtx", 1, 2, "--coordinates", "at.mtx", "-o", "p.geojson")
    (line,) = features(tmp_path, "p.geojson")
    assert line["geometry"]["coordinates"] == [[6, 50], [7, 51]]
    assert 1.3e5 < line["properties"]["distance"] < 1.4e5


def test_a_map_says_what_it_needs(run, solved, cities, at, tmp_path):
    path = ("path", solved, "Aachen", "Bonn")
    run(*path, "-o", "p.geojson", code=2)
    run(*path, *at, code=2)
    run(*path, "-o", "p.csv", code=2)
    (tmp_path / "at.csv.geojson").write_text(POSITIONS)
    run(*path, "-o", "at.csv.geojson", "--positions", "at.csv.geojson", code=2)
    nearest = ("nearest", cities, "--to", "Bonn")
    run(*nearest, "-o", "n.geojson", code=2)
    run(*nearest, "-o", "n.csv", *at, code=2)
    run("solve", cities, *at, code=2)
    run("solve", cities, "--within", 9, "-o", "w.npz", *at, code=2)
    (tmp_path / "metres.csv").write_text(POSITIONS.replace("6.08", "608000"))
    run(*path, "-o", "p.geojson", "--positions", "metres.csv", code=3)
    (tmp_path / "few.csv").write_text("Aachen,6,50\n")
    run(*path, "-o", "p.geojson", "--positions", "few.csv", code=3)
    assert [file.name for file in tmp_path.glob("*.geojson")] == ["at.csv.geojson"]


def test_betweenness_is_points_or_lines(run, cities, at, tmp_path):
    run("betweenness", cities, "--undirected", "-o", "b.geojson", *at)
    found = {f["properties"]["vertex"]: f for f in features(tmp_path, "b.geojson")}
    assert len(found) == 5 and found["Bonn"]["properties"]["betweenness"] == 2
    assert found["Bonn"]["geometry"] == {"type": "Point", "coordinates": [7.1, 50.73]}
    run("betweenness", cities, "--undirected", "--arcs", "-o", "b.geojson", *at)
    found = {(f["properties"]["from"], f["properties"]["to"]): f for f in features(tmp_path, "b.geojson")}
    assert found["Bonn", "Cologne"]["properties"]["betweenness"] == 4
    assert found["Bonn", "Cologne"]["geometry"]["type"] == "LineString"
