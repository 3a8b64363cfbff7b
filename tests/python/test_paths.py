"""Paths of many pairs as a table or on a map, and attributes along paths, against apsp path and NetworkX."""

import csv
import io
import json
import random

import networkx
import pytest


def write(path, rows):
    with open(path, "w", newline="") as file:
        csv.writer(file).writerows(rows)


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


@pytest.fixture(params=["--directed", "--undirected"])
def drawn(request, tmp_path):
    draw = random.Random(5)
    edges = [(f"n{draw.randrange(30)}", f"n{draw.randrange(30)}", draw.randint(1, 6), draw.randint(1, 50),
              draw.randint(0, 9)) for _ in range(80)]
    write(tmp_path / "g.csv", [("from", "to", "minutes", "metres", "climb"), *edges])
    names = sorted({end for edge in edges for end in edge[:2]})
    pairs = [(draw.choice(names), draw.choice(names)) for _ in range(10)]
    write(tmp_path / "pairs.csv", pairs)
    return edges, pairs, ("g.csv", request.param, "--columns", "1,2,3")


@pytest.mark.parametrize("stored", [None, "matrix", "factor"])
def test_steps_are_those_of_single_paths(run, drawn, tmp_path, stored):
    edges, pairs, graph = drawn
    asked = graph
    if stored:
        run("solve", *graph, "--keep", stored, "-o", "g.zarr")
        asked = ("g.zarr",)
    rows = rows_of(run("paths", *asked, "--pairs", "pairs.csv").out)
    run("convert", *graph, "edges.csv")
    lines = (tmp_path / "edges.csv").read_text().splitlines()
    labels = dict(line.split()[2:] for line in lines if "apsp:label" in line)
    rows_written = [line.split(",") for line in lines if not line.startswith("#")]
    written = [(labels[u], labels[v], float(w)) for u, v, w in rows_written]
    for i, (source, target) in enumerate(pairs):
        mine = [row for row in rows if int(row["pair"]) == i]
        answer = run("path", *asked, source, target, "--json", code=None).json()
        assert [row["vertex"] for row in mine] == answer["path"]
        assert [int(row["step"]) for row in mine] == list(range(len(mine)))
        if not mine:
            continue
        assert mine[0]["arc"] == "-1" and float(mine[-1]["distance"]) == answer["distance"]
        for before, row in zip(mine, mine[1:]):
            u, v, weight = written[int(row["arc"])]
            assert {u, v} == {before["vertex"], row["vertex"]}
            assert "--undirected" in graph or u == before["vertex"]
            assert float(row["distance"]) == float(before["distance"]) + weight
    told = run("paths", *asked, "--pairs", "pairs.csv", "--json", "-o", "steps.parquet").json()
    assert told["steps"] == len(rows) and told["pairs"] == 10


def test_several_attributes_are_those_of_one_path(run, drawn):
    edges, pairs, graph = drawn
    directed = "--directed" in graph
    best = {}  # of parallel arcs: the best, then the least metres, then the least climb
    for u, v, *weights in edges:
        for a, b in [(u, v)] if directed else [(u, v), (v, u)]:
            best[a, b] = min(best.get((a, b), weights), weights)
    names = sorted({end for pair in pairs for end in pair})
    rows = rows_of(run("distance", *graph, "--sources", ",".join(names), "--targets", ",".join(names), "--second",
                       "g.csv", "--second-columns", "1,2,4,5").out)
    steps = {}
    for source in names[:2]:
        for target in names:
            steps[source, target] = run("path", *graph, source, target, "--json", code=None).json()["path"]
    for row in rows:
        path = steps.get((row["from"], row["to"]))
        if path is None:
            continue
        sums = [sum(best[arc][k] for arc in zip(path, path[1:])) if path else float("inf") for k in range(3)]
        assert [float(row[title]) for title in ("distance", "second 4", "second 5")] == sums


def test_columns_of_second_take_the_place_of_the_weight(run, tmp_path):
    write(tmp_path / "g.csv", [("from", "to", "seconds", "metres"), ("a", "b", 10, 7), ("b", "c", 4, 90), ("a", "c", 15, 1)])
    (row,) = rows_of(run("distance", "g.csv", "--directed", "--weight", "seconds", "--sources", "a", "--targets", "c",
                         "--second", "g.csv", "--second-columns", "from,to,metres").out)
    assert (row["distance"], row["second"]) == ("14", "97")


def test_lines_of_streets_are_drawn_and_cut(run, tmp_path):
    write(tmp_path / "g.csv", [("u", "v", "w"), ("a", "b", 10), ("b", "a", 10), ("b", "c", 4)])
    write(tmp_path / "at.csv", [("vertex", "lon", "lat"), ("a", 0, 0), ("b", 2, 0), ("c", 2, 1)])
    write(tmp_path / "lines.csv", [("u", "v", "geometry"), ("a", "b", "LINESTRING (0 0, 0 1, 2 1, 2 0)"), ("b", "c", "")])
    write(tmp_path / "pairs.csv", [("a", "c"), ("b", "a"), ("c", "a")])
    map_ = ("--positions", "at.csv", "--geometry", "lines.csv")
    run("paths", "g.csv", "--directed", "--pairs", "pairs.csv", "-o", "p.geojson", *map_)
    features = json.loads((tmp_path / "p.geojson").read_text())["features"]
    assert [feature["properties"]["pair"] for feature in features] == [0, 1]
    assert features[0]["geometry"]["coordinates"] == [[0, 0], [0, 1], [2, 1], [2, 0], [2, 1]]
    assert features[1]["geometry"]["coordinates"] == [[2, 0], [2, 1], [0, 1], [0, 0]]
    (tmp_path / "lines.geojson").write_text(json.dumps({"type": "FeatureCollection", "features": [
        {"type": "Feature", "properties": {"u": "a", "v": "b"},
         "geometry": {"type": "LineString", "coordinates": [[0, 0], [1, 1], [2, 0]]}}]}))
    run("path", "g.csv", "--directed", "a", "b", "-o", "q.geojson", "--positions", "at.csv", "--geometry", "lines.geojson")
    drawn = json.loads((tmp_path / "q.geojson").read_text())["features"][0]["geometry"]["coordinates"]
    assert drawn == [[0, 0], [1, 1], [2, 0]]
    # Both directions of a street are reached: it is drawn once.
    run("solve", "g.csv", "--directed", "--within", 10, "--sources", "a", "-o", "r.geojson", *map_)
    parts = json.loads((tmp_path / "r.geojson").read_text())["features"][0]["geometry"]["coordinates"]
    assert parts == [[[0, 0], [0, 1], [2, 1], [2, 0]]]
    run("solve", "g.csv", "--directed", "--within", 5, "--sources", "a", "-o", "s.geojson", *map_)
    part = json.loads((tmp_path / "s.geojson").read_text())["features"][0]["geometry"]["coordinates"][0]
    assert part[:2] == [[0, 0], [0, 1]] and part[2][0] == pytest.approx(1, abs=1e-3) and len(part) == 3
    write(tmp_path / "bad.csv", [("u", "v", "geometry"), ("a", "b", "POINT (0 0)")])
    run("path", "g.csv", "--directed", "a", "b", "-o", "t.geojson", "--positions", "at.csv", "--geometry", "bad.csv", code=3)
    write(tmp_path / "bad.csv", [("u", "v", "line"), ("a", "b", "")])
    run("path", "g.csv", "--directed", "a", "b", "-o", "t.geojson", "--positions", "at.csv", "--geometry", "bad.csv", code=3)
    run("paths", "g.csv", "--directed", "--pairs", "pairs.csv", "--geometry", "lines.csv", code=2)
