"""Maps: paths, nearest places, accessibility, and what can be reached within a distance, as GeoJSON, GeoParquet and
CSV with WKT."""

import json

import geopandas
import pandas
import pyarrow.parquet
import pytest
import shapely

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
    assert bonn["properties"] == {"source": "Bonn", "direction": "from", "within": 40, "vertices": 3}
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


MAPS = {
    "path": ("path", "cities.zarr", "Aachen", "Dortmund"),
    "paths": ("paths", "cities.csv", "--undirected", "--pairs", "pairs.csv"),
    "nearest": ("nearest", "cities.csv", "--undirected", "--to", "Dortmund,Aachen"),
    "access": ("access", "cities.csv", "--undirected", "--weights", "jobs.csv", "--within", "25,60"),
    "isochrone": ("solve", "cities.csv", "--undirected", "--within", "40,70", "--sources", "Bonn,Emden", "--direction", "both"),
    "vertices": ("betweenness", "cities.csv", "--undirected"),
    "arcs": ("betweenness", "cities.csv", "--undirected", "--arcs"),
    "flow": ("flow", "cities.csv", "--undirected", "--demand", "demand.csv"),
    "numbers": ("paths", "numbers.gr", "--pairs", "numbers.csv", "--unit", "min"),
    "points": ("paths", "cities.csv", "--undirected", "--pairs", "ends.csv", "--snap", "arc"),
}


@pytest.mark.parametrize("verb", MAPS)
def test_each_form_has_the_same_rows(run, solved, at, tmp_path, verb):
    """GeoJSON, GeoParquet and WKT hold the same values and lines."""
    (tmp_path / "pairs.csv").write_text("Aachen,Dortmund\nAachen,Emden\nCologne,Cologne\n")
    (tmp_path / "jobs.csv").write_text("city,jobs\nBonn,10\n")
    (tmp_path / "demand.csv").write_text("from,to,trips\nAachen,Dortmund,7\n")
    (tmp_path / "ends.csv").write_text("from_lon,from_lat,to_lon,to_lat\n6.5,50.7,7.4,51.4\n")
    (tmp_path / "numbers.gr").write_text("p sp 5 2\na 1 2 1\na 2 3 4\n")
    (tmp_path / "numbers.csv").write_text("1,3\n2,3\n")
    (tmp_path / "lines.csv").write_text('u,v,geometry\nBonn,Cologne,"LINESTRING (7.10 50.73, 7.0 50.8, 6.95 50.94)"\n')
    if verb == "numbers":
        (tmp_path / "at.csv").write_text(POSITIONS.replace("Aachen", "1").replace("Bonn", "2").replace("Cologne", "3")
                                         .replace("Dortmund", "4").replace("Emden", "5"))
    lines = () if verb == "numbers" else ("--geometry", "lines.csv")
    for name in ("map.geojson", "map.geo.parquet", *(("plain.parquet", "map.csv") if lines else ())):
        run(*MAPS[verb], "-o", name, *at, *lines)
    rows = features(tmp_path, "map.geojson")
    assert rows
    expected = pandas.DataFrame([row["properties"] for row in rows])
    if verb == "arcs":
        assert any(len(row["geometry"]["coordinates"]) > 2 for row in rows)
    shapes = [shapely.from_geojson(json.dumps(row["geometry"])) for row in rows]
    for name in ("map.geo.parquet", *(["plain.parquet"] if lines else [])):
        found = geopandas.read_parquet(tmp_path / name)
        assert found.crs == "OGC:CRS84" and list(found.geometry) == shapes
        pandas.testing.assert_frame_equal(pandas.DataFrame(found.drop(columns="geometry")), expected, check_dtype=False)
        about = json.loads(pyarrow.parquet.read_schema(tmp_path / name).metadata[b"geo"])
        assert about["columns"]["geometry"]["geometry_types"] == sorted({row["geometry"]["type"] for row in rows})
        assert about["version"] == "1.1.0" and about["columns"]["geometry"]["encoding"] == "WKB"
    if lines:
        texts = expected.select_dtypes(exclude="number").columns
        table = pandas.read_csv(tmp_path / "map.csv", dtype=dict.fromkeys(texts, str))
        assert list(shapely.from_wkt(table.pop("geometry"))) == shapes
        pandas.testing.assert_frame_equal(table, expected, check_dtype=False)


def test_an_infinite_distance_is_null_or_infinite(run, cities, at, tmp_path):
    for name in ("p.geojson", "p.geo.parquet"):
        run("path", cities, "Bonn", "Bonn", "--semiring", "max-min", "-o", name, *at)
    assert features(tmp_path, "p.geojson")[0]["properties"]["distance"] is None
    assert geopandas.read_parquet(tmp_path / "p.geo.parquet")["distance"][0] == float("inf")


def test_lines_and_points_of_geopandas_are_read(run, cities, at, tmp_path):
    """WKB in both orders of bytes, with heights, with missing lines, and points in degrees or not."""
    line = shapely.LineString([(7.10, 50.73), (7.0, 50.8), (6.95, 50.94)])
    high = shapely.LineString([(6.08, 50.77, 100), (6.5, 50.9, 150), (6.95, 50.94, 120)])
    streets = geopandas.GeoDataFrame({"u": ["Bonn", "Aachen", "Aachen"], "v": ["Cologne", "Cologne", "Bonn"]},
                                     geometry=[line, high, None], crs="EPSG:4326")
    streets.to_parquet(tmp_path / "lines.parquet")
    arcs = ("betweenness", cities, "--undirected", "--arcs", *at)
    run(*arcs, "--geometry", "lines.parquet", "-o", "map.geo.parquet")
    found = geopandas.read_parquet(tmp_path / "map.geo.parquet").set_index(["from", "to"]).geometry
    assert found["Bonn", "Cologne"] == line and found["Aachen", "Cologne"] == shapely.force_2d(high)
    assert found["Aachen", "Bonn"] == shapely.LineString([(6.08, 50.77), (7.10, 50.73)])
    run(*arcs, "--geometry", "map.geo.parquet", "-o", "again.geo.parquet")
    again = geopandas.read_parquet(tmp_path / "again.geo.parquet").geometry
    assert list(again) == list(found)

    table = pyarrow.parquet.read_table(tmp_path / "lines.parquet")
    swapped = [shapely.to_wkb(shape, byte_order=0, flavor="iso") if shape else None for shape in streets.geometry]
    pyarrow.parquet.write_table(table.set_column(2, "geometry", pyarrow.array(swapped, pyarrow.binary())), tmp_path / "big.parquet")
    run(*arcs, "--geometry", "big.parquet", "-o", "again.geo.parquet")
    assert list(geopandas.read_parquet(tmp_path / "again.geo.parquet").geometry) == list(found)

    places = geopandas.GeoDataFrame({"name": ["P", "Q"]}, geometry=geopandas.points_from_xy([6.1, 7.2], [50.8, 53.3]), crs="EPSG:4326")
    places.to_parquet(tmp_path / "places.parquet")
    near = run("nearest", cities, "--undirected", "--to", "@places.parquet", *at).out.splitlines()
    assert [row.split(",")[:4] for row in near[1:]] == [["Aachen", "1", "P", "0"], ["Bonn", "1", "P", "30"], ["Cologne", "1", "P", "50"],
                                                       ["Dortmund", "1", "P", "120"], ["Emden", "1", "Q", "0"]]
    for table in (places.set_geometry(shapely.force_3d(places.geometry, 5.0)), places.assign(lon=[6.1, 7.2], lat=[50.8, 53.3])):
        table.to_parquet(tmp_path / "places.parquet")  # with heights; with columns that say the same, next to which WKT stays
        again = run("nearest", cities, "--undirected", "--to", "@places.parquet", *at).out.splitlines()
        assert [row.split(",geometry")[0].split(",POINT")[0] for row in again] == near
    (tmp_path / "metres.csv").write_text("name,x,y\nAachen,0,0\nBonn,70000,0\nCologne,60000,20000\nDortmund,9e4,8e4\nEmden,7e4,3e5\n")
    flat = places.set_geometry(geopandas.points_from_xy([100, 7e4], [0, 299e3]), crs="EPSG:25832")
    flat.to_parquet(tmp_path / "places.parquet")
    near = run("nearest", cities, "--undirected", "--to", "@places.parquet", "--positions", "metres.csv").out.splitlines()
    assert near[1].split(",")[2:5] == ["P", "0", "100"] and near[-1].split(",")[2:5] == ["Q", "0", "1000"]

    far = shapely.LineString([(385000, 5820000), (385100, 5820000)])
    streets.set_geometry([far, high, None]).to_parquet(tmp_path / "far.parquet")
    assert "longitude" in run(*arcs, "--geometry", "far.parquet", "-o", "no.geojson", code=3).err
    streets.set_geometry([line.buffer(0.1), high, None]).to_parquet(tmp_path / "areas.parquet")
    assert "LINESTRING" in run(*arcs, "--geometry", "areas.parquet", "-o", "no.geojson", code=3).err


def test_a_column_called_geometry_stays_next_to_that_of_the_map(run, cities, at, tmp_path):
    (tmp_path / "shops.csv").write_text("name,lon,lat,geometry\nP,6.1,50.8,flat\n")
    for name in ("n.geojson", "n.geo.parquet"):
        run("nearest", cities, "--undirected", "--to", "@shops.csv", *at, "-o", name)
    found = geopandas.read_parquet(tmp_path / "n.geo.parquet")
    assert set(found["geometry"]) == {"flat"} and found.active_geometry_name == "geometry_"
    assert list(found.geometry_) == [shapely.Point(row["geometry"]["coordinates"]) for row in features(tmp_path, "n.geojson")]
