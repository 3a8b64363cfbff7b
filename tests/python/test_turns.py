"""Costs of turns by the command: files, names of vertices in answers, and refusals."""

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


def test_refusals(run, streets, tmp_path):
    run("solve", streets, *TURNS, "--keep", "factor", "--no-statistics", "-o", "f.zarr")
    for words in (("betweenness", streets, *TURNS), ("eccentricity", streets, *TURNS),
                  ("stats", "f.zarr"), ("report", "f.zarr", "-o", "x.html"), ("path", "f.zarr", 1, 3, "--u-turns", 1),
                  ("solve", streets, *TURNS, "--keep", "factor", "-o", "g.zarr"),
                  ("solve", streets, *TURNS, "--semiring", "max-min"), ("solve", streets, *TURNS, "--component", "largest"),
                  ("solve", streets, "--u-turns", -1), ("solve", streets, "--turn-angles", "45"),
                  ("solve", streets, "--turn-angles", "45:1"),
                  ("solve", streets, *TURNS, "-o", "turns.csv")):
        run(*words, code=2)
    (tmp_path / "turns.csv").write_text("from,via,to,cost\n1,2,9,1\n")
    assert "turns.csv:2:5" in run("solve", streets, *TURNS, code=3).err
