"""Costs of turns by the command: files, names of vertices in answers, and refusals."""

import json

import pytest


@pytest.fixture
def streets(tmp_path):
    (tmp_path / "streets.csv").write_text("from,to,weight\n1,2,10\n2,3,10\n2,4,10\n4,3,1\n")
    (tmp_path / "turns.csv").write_text("from,via,to,cost\n1,2,3,inf\n1,2,4,2\n")
    return "streets.csv"


TURNS = ("--undirected", "--turns", "turns.csv")


def test_answers_name_vertices(run, streets, tmp_path):
    assert run("distance", streets, 1, 3, *TURNS).out == "23\n"
    found = run("path", streets, 1, 3, *TURNS, "--json").json()
    assert found["path"] == ["1", "2", "4", "3"] and found["distance"] == 23
    assert [hop["weight"] for hop in found["hops"]] == [10, 12, 1]
    assert run("path", streets, 1, 3, *TURNS, "--names").out.split() == ["1", "2", "4", "3"]
    (tmp_path / "jobs.csv").write_text("vertex,jobs\n3,7\n2,1\n")
    near = run("access", streets, *TURNS, "--weights", "jobs.csv", "--within", "12,23").out.splitlines()
    assert near[1] == "1,1,8" and len(near) == 5
    assert run("nearest", streets, *TURNS, "--to", 3).out.splitlines()[1:3] == ["1,1,3,23", "2,1,3,10"]
    assert run("nearest", streets, *TURNS, "--to", 1, "--from-places", "--verify").out.splitlines()[3] == "3,1,1,23"


def test_points_maps_and_near_pairs(run, streets, tmp_path):
    (tmp_path / "at.csv").write_text("vertex,lon,lat\n1,0,0\n2,1,0\n3,2,0\n4,1,-1\n")
    (tmp_path / "shops.csv").write_text("name,lon,lat,size\nS,2.1,0,7\nT,1,0.1,1\n")
    at = ("--positions", "at.csv")
    near = run("nearest", streets, *TURNS, *at, "--to", "@shops.csv", "-k", 2).out.splitlines()
    assert [line.split(",")[:4] for line in near[1:3]] == [["1", "1", "T", "10"], ["1", "2", "S", "23"]]
    sums = run("access", streets, *TURNS, *at, "--weights", "shops.csv", "--direction", "both", "--within", "22,23").out.splitlines()
    assert sums[1] == "1,1,8,8,8" and sums[3] == "3,8,8,8,8"
    table = run("distance", streets, *TURNS, *at, "--sources", "1", "--targets", "@shops.csv").out.splitlines()
    assert [line.split(",")[2] for line in table[1:]] == ["23", "10"]
    (tmp_path / "pairs.csv").write_text("from_lon,from_lat,to_lon,to_lat\n0,0,2,0\n")
    assert run("distance", streets, *TURNS, *at, "--pairs", "pairs.csv").out.splitlines()[1].split(",")[2] == "23"
    arcs = run("distance", streets, *TURNS, *at, "--snap", "arc", "--sources", "1", "--targets", "@shops.csv").out.split()
    assert [line.split(",")[2] for line in arcs[1:]] == ["23", "10"]
    (tmp_path / "middle.csv").write_text("from_name,from_lon,from_lat,to_name,to_lon,to_lat\nA,0.5,0,B,1.5,0\nA,0.5,0,A,0.5,0\n")
    steps = [line.split(",") for line in run("paths", streets, *TURNS, *at, "--snap", "arc", "--pairs", "middle.csv").out.split()[1:]]
    assert [(*row[2:4], pytest.approx(float(row[4]))) for row in steps] == [
        ("A", "-1", 0), ("2", "0", 5), ("4", "3", 17), ("3", "7", 18), ("B", "4", 23),  # 1-2-3 is forbidden
        ("A", "-1", 0), ("A", "-1", 0)]
    run("path", streets, 1, 3, *TURNS, *at, "-o", "path.geojson")
    line = json.loads((tmp_path / "path.geojson").read_text())["features"][0]
    assert line["geometry"]["coordinates"] == [[0, 0], [1, 0], [1, -1], [2, 0]]
    assert line["properties"]["from"] == 1 and line["properties"]["to"] == 3
    run("nearest", streets, *TURNS, *at, "--to", "3", "-o", "near.geojson")
    assert len(json.loads((tmp_path / "near.geojson").read_text())["features"]) == 4
    pairs = run("solve", streets, *TURNS, "--within", "13", "--sources", "1,3").out.split()
    assert pairs == ["from,to,distance", "1,2,10", "3,2,10", "3,4,1"]
    run("solve", streets, *TURNS, "--within", "13", "-o", "near.npz", code=2)


def test_paths_are_steps_of_streets(run, streets, tmp_path):
    (tmp_path / "pairs.csv").write_text("1,3\n3,1\n2,2\n")
    run("solve", streets, *TURNS, "--keep", "factor", "--no-statistics", "-o", "f.zarr")
    (tmp_path / "demand.csv").write_text("from,to,trips\n1,3,5\n")
    loads = [line.split(",") for line in run("flow", "f.zarr", "--demand", "demand.csv").out.split()[1:]]
    for asked in ((streets, *TURNS), ("f.zarr",)):
        rows = [line.split(",") for line in run("paths", *asked, "--pairs", "pairs.csv").out.split()[1:]]
        path = [row for row in rows if row[0] == "0"]
        assert [(row[2], row[4]) for row in path] == [("1", "0"), ("2", "10"), ("4", "22"), ("3", "23")]
        for before, row in zip(path, path[1:]):
            assert loads[int(row[3])][:2] == [before[2], row[2]] and loads[int(row[3])][3] == "5"
        assert rows[-1] == ["2", "0", "2", "-1", "0"]


def test_results_keep_turns(run, streets):
    run("solve", streets, *TURNS, "--keep", "factor", "--no-statistics", "-o", "f.zarr")
    run("verify", "f.zarr")
    run("solve", streets, *TURNS, "-o", "m.zarr")
    for result in ("f.zarr", "m.zarr"):
        table = run("distance", result, "--sources", 1, "--targets", "2,3").out.split()
        assert table == ["from,to,distance", "1,2,10", "1,3,23"]
        wide = run("distance", result, "--sources", 1, "--targets", "2,3", "--layout", "wide").out.split()
        assert wide == ["from,2,3", "1,10,23"]
    assert run("path", "f.zarr", 1, 3, "--names").out.split() == ["1", "2", "4", "3"]
    run("update", "f.zarr", "--graph", streets, *TURNS, "--metric", "same")
    assert run("distance", "f.zarr", 1, 3, "--metric", "same").out == "23\n"


def test_statistics_of_a_factor_count_vertices(run, streets):
    run("solve", streets, *TURNS, "--keep", "factor", "--no-statistics", "-o", "f.zarr")
    found = run("stats", "f.zarr", "--json").json()["statistics"]
    apart = [float(line.split(",")[2]) for line in
             run("distance", "f.zarr", "--sources", "1,2,3,4", "--targets", "1,2,3,4").out.split()[1:]]
    assert found["greatest"] == max(apart) == 23 and found["diameter_pair"]["from"] == "1"
    assert found["mean"] * found["reachable_pairs"] == pytest.approx(sum(apart))
    theirs = run("solve", streets, *TURNS, "--json").json()["statistics"]
    assert {key: found[key] for key in ("mean", "median", "pairs", "reachable_pairs", "histogram")} == \
        {key: theirs[key] for key in ("mean", "median", "pairs", "reachable_pairs", "histogram")}


def test_refusals(run, streets, tmp_path):
    run("solve", streets, *TURNS, "--keep", "factor", "--no-statistics", "-o", "f.zarr")
    for words in (("betweenness", streets, *TURNS), ("eccentricity", streets, *TURNS),
                  ("stats", "f.zarr", "--component", "largest"), ("report", "f.zarr", "-o", "x.html"), ("path", "f.zarr", 1, 3, "--u-turns", 1),
                  ("solve", streets, *TURNS, "--keep", "factor", "-o", "g.zarr"),
                  ("solve", streets, *TURNS, "--semiring", "max-min"), ("solve", streets, *TURNS, "--component", "largest"),
                  ("solve", streets, "--u-turns", -1), ("solve", streets, "--turn-angles", "45"),
                  ("solve", streets, "--turn-angles", "45:1"),
                  ("solve", streets, *TURNS, "-o", "turns.csv")):
        run(*words, code=2)
    (tmp_path / "turns.csv").write_text("from,via,to,cost\n1,2,9,1\n")
    run("solve", streets, *TURNS, code=3)
