"""Points on a map in place of vertices, against NetworkX on streets that are cut at the points by hand."""

import csv
import io
import json
import math
import random

import networkx
import pytest

SPACE = 40  # metres


def town(seed, directed):
    """(edges u, v, weight; {vertex: (x, y)}): a grid with holes, crooked, some streets one way."""
    draw = random.Random(seed)
    at = {f"v{i}": (100 * (i % 4) + draw.uniform(-SPACE, SPACE), 100 * (i // 4) + draw.uniform(-SPACE, SPACE))
          for i in range(16)}
    edges = []
    for i in range(16):
        for j in ([i + 1] if i % 4 < 3 else []) + ([i + 4] if i < 12 else []):
            ways = draw.choice([[(i, j)], [(j, i)], [(i, j), (j, i)], [(i, j), (j, i)]]) if directed else [(i, j)]
            edges += [(f"v{a}", f"v{b}", draw.randint(1, 20)) for a, b in ways]
    return edges, at


def nearest_on(edges, at, point):
    """(u, v, share) of the nearest place on all streets."""
    best = None
    for u, v, _ in edges:
        (ax, ay), (bx, by) = at[u], at[v]
        share = ((point[0] - ax) * (bx - ax) + (point[1] - ay) * (by - ay)) / ((bx - ax) ** 2 + (by - ay) ** 2)
        share = min(1, max(0, share))
        walk = math.dist(point, (ax + share * (bx - ax), ay + share * (by - ay)))
        if best is None or walk < best[0] - 1e-12:
            best = walk, u, v, share
    return best


def cut(edges, at, points, directed):
    """A graph with a node for each point, its name, on the nearest street."""
    graph = networkx.DiGraph()
    weight = {}
    for u, v, length in edges:
        weight[u, v] = length
        if not directed:
            weight[v, u] = length
    stops = {}
    for name, point in points.items():
        _, u, v, share = nearest_on(edges, at, point)
        stops.setdefault(frozenset((u, v)), []).append((name, u, share))
    for (u, v), length in weight.items():
        graph.add_edge(u, v, weight=length)
        on = sorted((share if first == u else 1 - share, name) for name, first, share in stops.get(frozenset((u, v)), []))
        before, so_far = u, 0
        for share, name in [*on, (1, v)]:
            if on:
                graph.add_edge(before, name, weight=(share - so_far) * length)
                if share == so_far:  # the same place
                    graph.add_edge(name, before, weight=0)
            before, so_far = name, share
    return graph


def write(path, rows):
    with open(path, "w", newline="") as file:
        csv.writer(file).writerows(rows)


@pytest.fixture(params=[(1, True), (2, True), (3, False)])
def streets(request, tmp_path):
    """(edges, positions, {name: point} of homes and of shops, directed); files for all."""
    seed, directed = request.param
    draw = random.Random(100 + seed)
    edges, at = town(seed, directed)
    write(tmp_path / "town.csv", [("from", "to", "weight"), *edges])
    write(tmp_path / "at.csv", [("vertex", "x", "y"), *((v, *place) for v, place in at.items())])
    kinds = []
    for kind in ("home", "shop"):
        points = {f"{kind} {i}": (draw.uniform(-50, 350), draw.uniform(-50, 350)) for i in range(9)}
        write(tmp_path / f"{kind}s.csv",
              [("size", "name", "x", "y", "colour"), *((i, n, *p, "red") for i, (n, p) in enumerate(points.items()))])
        kinds.append(points)
    return edges, at, *kinds, directed


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


ARC = ("--positions", "at.csv", "--snap", "arc")


@pytest.mark.parametrize("stored", [False, True])
def test_a_table_of_points_has_the_distances_of_cut_streets(run, streets, tmp_path, stored):
    edges, at, homes, shops, directed = streets
    expected = dict(networkx.all_pairs_dijkstra_path_length(cut(edges, at, {**homes, **shops}, directed)))
    direction = "--directed" if directed else "--undirected"
    asked = ["town.csv", direction]
    if stored:
        run("solve", *asked, "--keep", "factor", "--no-statistics", "-o", "town.zarr")
        asked = ["town.zarr"]
    done = run("distance", *asked, "--sources", "@homes.csv", "--targets", "@shops.csv", *ARC)
    rows = rows_of(done.out)
    assert [(row["from"], row["to"]) for row in rows] == [(h, s) for h in homes for s in shops]
    for row in rows:
        assert float(row["distance"]) == pytest.approx(expected[row["from"]].get(row["to"], math.inf), rel=1e-12)
        assert float(row["from_walk"]) == pytest.approx(nearest_on(edges, at, homes[row["from"]])[0])
        assert row["from_size"] == row["from"][-1] and row["to_colour"] == "red"
    assert "the farthest" in done.err
    pairs = list(zip(homes, shops))
    write(tmp_path / "pairs.csv", [("from_name", "from_x", "from_y", "to_name", "to_x", "to_y", "trips"),
                                   *((h, *homes[h], s, *shops[s], 7) for h, s in pairs)])
    rows = rows_of(run("distance", *asked, "--pairs", "pairs.csv", *ARC).out)
    assert [(row["from"], row["to"], row["trips"]) for row in rows] == [(*pair, "7") for pair in pairs]
    for row in rows:
        assert float(row["distance"]) == pytest.approx(expected[row["from"]].get(row["to"], math.inf), rel=1e-12)
    vertices = rows_of(run("distance", *asked, "--sources", "@homes.csv", "--targets", "v0,v5", *ARC).out)
    for row in vertices:
        assert float(row["distance"]) == pytest.approx(expected[row["from"]].get(row["to"], math.inf), rel=1e-12)


def test_paths_and_near_pairs_of_points_are_those_of_cut_streets(run, streets, tmp_path):
    edges, at, homes, shops, directed = streets
    expected = dict(networkx.all_pairs_dijkstra_path_length(cut(edges, at, {**homes, **shops}, directed)))
    direction = "--directed" if directed else "--undirected"
    run("convert", "town.csv", direction, "edges.csv")
    lines = (tmp_path / "edges.csv").read_text().splitlines()
    labels = dict(line.split()[2:] for line in lines if "apsp:label" in line)
    written = [(labels[u], labels[v], float(w)) for u, v, w in (l.split(",") for l in lines if not l.startswith("#"))]
    pairs = [(h, s) for h in homes for s in shops]
    write(tmp_path / "pairs.csv", [("from_name", "from_x", "from_y", "to_name", "to_x", "to_y"),
                                   *((h, *homes[h], s, *shops[s]) for h, s in pairs)])
    run("solve", "town.csv", direction, "--keep", "factor", "--no-statistics", "-o", "town.zarr")
    for asked in (("town.csv", direction), ("town.zarr",)):
        rows = rows_of(run("paths", *asked, "--pairs", "pairs.csv", *ARC).out)
        for i, (home, shop) in enumerate(pairs):
            mine = [row for row in rows if int(row["pair"]) == i]
            if not mine:
                assert shop not in expected[home]
                continue
            assert mine[0]["vertex"] == home and mine[-1]["vertex"] == shop and mine[0]["distance"] == "0"
            assert float(mine[-1]["distance"]) == pytest.approx(expected[home][shop], rel=1e-12)
            ends = [set(nearest_on(edges, at, point)[1:3]) for point in (homes[home], shops[shop])]
            for before, row in zip(mine, mine[1:]):
                if row["arc"] != "-1":  # the place is a vertex
                    u, v, weight = written[int(row["arc"])]
                    inner = {before["vertex"], row["vertex"]} - {home, shop}
                    assert inner == {u, v} or inner < {u, v} and {u, v} in ends
                    whole = float(row["distance"]) - float(before["distance"])
                    assert whole == pytest.approx(weight) if len(inner) == 2 else -1e-9 <= whole <= weight + 1e-9
    run("solve", "town.csv", direction, "--within", 30, "--sources", "@homes.csv", "--verify", "-o", "near.csv", *ARC)
    near = rows_of((tmp_path / "near.csv").read_text())
    assert {(row["from"], row["to"]): pytest.approx(float(row["distance"])) for row in near} == {
        (h, v): d for h in homes for v, d in expected[h].items() if v in at and d <= 30}
    run("solve", "town.csv", direction, "--within", 30, "--sources", "@homes.csv", "-o", "near.npz", *ARC)
    run("solve", "town.csv", direction, "--within", 30, "--sources", "@homes.csv", "-o", "near.zarr", *ARC, code=2)
    run("solve", "town.csv", direction, "--sources", "v0", "--snap", "arc", code=2)
    run("paths", "town.csv", direction, "--pairs", "pairs.csv", *ARC, "--semiring", "max-min", code=2)


def test_maps_begin_at_the_places_of_points(run, tmp_path):
    write(tmp_path / "g.csv", [("from", "to", "weight"), ("a", "b", 10), ("b", "c", 4)])
    write(tmp_path / "at.csv", [("vertex", "lon", "lat"), ("a", 0, 0), ("b", 0.02, 0), ("c", 0.02, 0.02)])
    write(tmp_path / "lines.csv", [("u", "v", "geometry"), ("b", "c", "LINESTRING (0.02 0, 0.03 0, 0.03 0.02, 0.02 0.02)")])
    write(tmp_path / "pairs.csv", [("from_name", "from_lon", "from_lat", "to_name", "to_lon", "to_lat"),
                                   ("P", 0.005, 0, "Q", 0.02, 0.01), ("Q", 0.02, 0.01, "P", 0.005, 0), ("P", 0.005, 0, "R", 0.015, 0)])
    more = ("--undirected", "--positions", "at.csv", "--geometry", "lines.csv", "--snap", "arc")
    run("paths", "g.csv", *more, "--pairs", "pairs.csv", "-o", "p.geojson")
    features = json.loads((tmp_path / "p.geojson").read_text())["features"]
    there = [[0.005, 0], [0.02, 0], [0.03, 0], [0.03, 0.01]]
    assert features[0]["properties"] == {"pair": 0, "from": "P", "to": "Q", "distance": pytest.approx(9.5), "edges": 2}
    for feature, points in zip(features, (there, there[::-1], [[0.005, 0], [0.015, 0]])):
        assert [place for place in feature["geometry"]["coordinates"]] == [pytest.approx(point, abs=1e-5) for point in points]
    write(tmp_path / "homes.csv", [("name", "lon", "lat"), ("P", 0.005, 0)])
    run("solve", "g.csv", *more, "--within", "7,9", "--sources", "@homes.csv", "-o", "near.geojson")
    features = json.loads((tmp_path / "near.geojson").read_text())["features"]
    assert [feature["properties"]["source"] for feature in features] == ["P", "P"]
    parts = [[pytest.approx(point, abs=1e-6) for point in part] for part in features[0]["geometry"]["coordinates"]]
    assert [[0.005, 0], [pytest.approx(0.019, abs=1e-6), 0]] in parts and [[0.005, 0], [0, 0]] in parts


def test_nearest_points_and_sums_over_points(run, streets, tmp_path):
    edges, at, homes, shops, directed = streets
    direction = "--directed" if directed else "--undirected"
    graph = cut(edges, at, {**homes, **shops}, directed)
    expected = dict(networkx.all_pairs_dijkstra_path_length(graph))
    for more, along in (([], lambda v, s: expected[v].get(s)), (["--from-places"], lambda v, s: expected[s].get(v))):
        run("nearest", "town.csv", direction, "--to", "@shops.csv", "-k", 2, "--verify", *more, *ARC, "-o", "near.csv")
        rows = rows_of((tmp_path / "near.csv").read_text())
        for v in at:
            mine = [row for row in rows if row["vertex"] == v]
            best = sorted(d for s in shops if (d := along(v, s)) is not None)[:2]
            assert [float(row["distance"]) for row in mine] == pytest.approx(best)
            for row in mine:
                assert float(row["distance"]) == pytest.approx(along(v, row["place"]))
                assert row["colour"] == "red" and row["size"] == row["place"][-1]
    rows = rows_of(run("access", "town.csv", direction, "--weights", "shops.csv", "--sources", "@homes.csv",
                       "--direction", "both", "--within", "15,40", *ARC).out)
    for row in rows:
        for limit in (15, 40):
            total = sum(int(s[-1]) for s in shops if expected[row["from"]].get(s, math.inf) <= limit)
            assert float(row[f"size within {limit}"]) == total
            total = sum(int(s[-1]) for s in shops if expected[s].get(row["from"], math.inf) <= limit)
            assert float(row[f"size within {limit} to"]) == total


def test_points_of_degrees_go_to_the_nearest_vertex(run, tmp_path):
    write(tmp_path / "g.csv", [("from", "to", "weight"), ("a", "b", 5), ("b", "c", 7)])
    write(tmp_path / "at.csv", [("vertex", "lon", "lat"), ("a", 24.0, 60.0), ("b", 24.02, 60.0), ("c", 24.0, 60.011)])
    points = {"type": "FeatureCollection", "features": [
        {"type": "Feature", "geometry": {"type": "Point", "coordinates": [24.0, 60.0058]}, "properties": {"name": "P", "n": 3}},
        {"type": "Feature", "geometry": {"type": "Point", "coordinates": [24.011, 60.0]}, "properties": {"name": "Q", "n": 4}}]}
    (tmp_path / "points.geojson").write_text(json.dumps(points))
    rows = rows_of(run("distance", "g.csv", "--undirected", "--sources", "@points.geojson", "--targets", "a",
                       "--positions", "at.csv").out)
    assert [(row["from"], row["distance"], row["from_n"]) for row in rows] == [("P", "12", "3"), ("Q", "5", "4")]
    assert float(rows[0]["from_walk"]) == pytest.approx(0.0052 * math.pi / 180 * 6371008.8, rel=1e-6)
    second = tmp_path / "two.csv"
    write(second, [("from", "to", "m", "climb"), ("a", "b", 100, 1), ("b", "c", 200, 2)])
    rows = rows_of(run("distance", "g.csv", "--undirected", "--sources", "@points.geojson", "--targets", "a",
                       "--positions", "at.csv", "--snap", "arc", "--second", "two.csv", "--second-columns",
                       "from,to,m,climb").out)
    share = float(rows[1]["distance"]) / 5
    assert 0 < share < 1 and float(rows[1]["second m"]) == pytest.approx(100 * share)
    assert float(rows[1]["second climb"]) == pytest.approx(share)


def test_lists_may_be_geojson(run, tmp_path):
    write(tmp_path / "g.csv", [("from", "to", "weight"), ("a", "b", 5), ("b", "c", 7)])
    def feature(kind, coordinates, **properties):
        return {"type": "Feature", "geometry": {"type": kind, "coordinates": coordinates}, "properties": properties}
    def written(*features):
        (tmp_path / "list.geojson").write_text(json.dumps({"type": "FeatureCollection", "features": features}))
    written(feature("LineString", [[0, 0], [1, 1]], to="c", **{"from": "a"}), feature("LineString", [[0, 0], [1, 1]], to="a"))
    run("distance", "g.csv", "--undirected", "--pairs", "list.geojson", code=3)  # the second has no end
    written(feature("LineString", [[0, 0], [1, 1]], to="c", note='x, "y"\nz', **{"from": "a"}))
    assert rows_of(run("distance", "g.csv", "--undirected", "--pairs", "list.geojson").out)[0]["distance"] == "12"
    written(feature("Point", [1, 2], vertex="a"), feature("Point", [1, 2, 3], vertex="c"))
    rows = rows_of(run("distance", "g.csv", "--undirected", "--sources", "@list.geojson", "--targets", "b").out)
    assert [(row["from"], row["distance"]) for row in rows] == [("a", "5"), ("c", "7")]
    for odd in (feature("LineString", [[0, 0], [1, 1]]), feature("MultiPoint", [[0, 0], [1, 1]]), {"geometry": None}, 3):
        written(feature("Point", [1, 2], vertex="a"), odd)
        assert "feature 2 is no point" in run("distance", "g.csv", "--sources", "@list.geojson", "--targets", "b", code=3).err


def test_what_is_wrong_with_points_is_said(run, tmp_path):
    write(tmp_path / "g.csv", [("from", "to", "weight"), ("a", "b", 5)])
    write(tmp_path / "at.csv", [("vertex", "x", "y"), ("a", 0, 0), ("b", 1000, 0)])
    write(tmp_path / "far.csv", [("x", "y"), (500, 90)])
    asked = ("distance", "g.csv", "--undirected", "--sources", "@far.csv", "--targets", "a")
    run(*asked, code=2)  # no positions
    run(*asked, *ARC, "--snap-limit", 89, code=3)
    assert rows_of(run(*asked, *ARC, "--snap-limit", 91).out)[0]["distance"] == "2.5"
    run(*asked, *ARC, "--semiring", "max-min", code=2)
    run("distance", "g.csv", "--sources", "a", "--snap", "arc", "--positions", "at.csv", code=2)
    write(tmp_path / "odd.csv", [("lon", "lat"), (0, 95)])
    run("distance", "g.csv", "--sources", "@odd.csv", *ARC, code=3)
    (tmp_path / "odd.geojson").write_text('{"type": "FeatureCollection", "features": [{"geometry": null}]}')
    run("distance", "g.csv", "--sources", "@odd.geojson", *ARC, code=3)
    write(tmp_path / "vertices.csv", [("vertex", "x", "y"), ("b", 1, 1)])
    assert rows_of(run("distance", "g.csv", "--undirected", "--sources", "@vertices.csv", "--targets", "a",
                       "--positions", "at.csv").out)[0]["from"] == "b"


def test_units_convert_limits_and_name_columns(run, tmp_path):
    write(tmp_path / "g.csv", [("from", "to", "weight"), ("a", "b", 600), ("b", "c", 700)])
    write(tmp_path / "jobs.csv", [("vertex", "jobs"), ("a", 1), ("b", 10), ("c", 100)])
    asked = ("access", "g.csv", "--undirected", "--weights", "jobs.csv")
    rows = rows_of(run(*asked, "--within", "10min,1300", "--unit", "s").out)
    assert [(row["jobs within 10min"], row["jobs within 1300 (s)"]) for row in rows] == [
        ("11", "111"), ("11", "111"), ("100", "111")]
    assert rows_of(run(*asked, "--within", "2min", "--unit", "0.1s").out)[0]["jobs within 2min"] == "11"
    run(*asked, "--within", "10min", code=2)
    run(*asked, "--within", "10min", "--unit", "km", code=2)
    run(*asked, "--within", "10", "--unit", "mile", code=2)
    near = run("solve", "g.csv", "--undirected", "--within", "10min", "--unit", "s")
    assert len(rows_of(near.out)) == 2
    assert run("distance", "g.csv", "--undirected", "--sources", "a", "--unit", "min").out.startswith(
        "from,to,distance (min)\n")
    run("solve", "g.csv", "--unit", "s", code=2)
