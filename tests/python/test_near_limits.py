"""Several limits, directions and decays by the command."""

import json


def test_betweenness_within(run, tmp_path):
    run("generate", "roads", "r.gr", "--vertices", 200, "--undirected")
    told = run("betweenness", "r.gr", "--within", "100,200", "-o", "b.csv", "--json").json()
    assert len(told["top_vertices"]) == 10 and told["sources"] == told["vertices"]
    titles = (tmp_path / "b.csv").read_text().splitlines()[0].split(",")
    assert titles == ["vertex", *(f"{name} within {limit}" for limit in (100, 200)
                                  for name in ("betweenness", "reached", "closeness"))]
    run("betweenness", "r.gr", "--within", "100", "--arcs", "-o", "a.csv", "--sources", "random:5")
    assert (tmp_path / "a.csv").read_text().startswith("from,to,weight,betweenness within 100\n")
    run("betweenness", "r.gr", "--within", "2min,100", "--unit", "s", "-o", "u.csv")
    run("betweenness", "r.gr", "--within", "120,100", "-o", "n.csv")
    (titles, *rows), (_, *numbers) = ((tmp_path / name).read_text().splitlines() for name in ("u.csv", "n.csv"))
    assert titles.endswith("closeness within 2min,betweenness within 100 (s),reached within 100 (s),closeness within 100 (s)")
    assert rows == numbers
    run("betweenness", "r.gr", "--unit", "s", code=2)
    run("betweenness", "r.gr", "--within", "2min", code=2)
    run("betweenness", "r.gr", "--within", "", code=2)
    run("betweenness", "r.gr", "--within", "100", "--device", "cpu", code=2)
    run("betweenness", "r.gr", "--within", "-1", code=2)


def test_within_reads_the_graph_as_every_solve_does(run, tmp_path):
    (tmp_path / "g.csv").write_text("from;to;minutes;oneway\nA;B;1;yes\nB;C;2;no\n")
    run("solve", "g.csv", "--weight", "minutes", "--oneway", "oneway", "--separator", "semicolon", "--encoding", "utf-8",
        "--within", "2", "-o", "near.csv")
    assert sorted((tmp_path / "near.csv").read_text().splitlines()[1:]) == ["A,B,1", "B,C,2", "C,B,2"]
    run("solve", "g.csv", "--within", "2", "-o", "other.csv", "--compress", code=2)


def test_access_and_nearest(run, tmp_path):
    (tmp_path / "g.csv").write_text("from,to,weight\nA,B,10\nB,C,10\n")
    (tmp_path / "jobs.csv").write_text("vertex,jobs\nA,1\nB,2\nC,4\n")
    words = ("access", "g.csv", "--directed", "--weights", "jobs.csv", "--within", 10)
    both = run(*words, "--direction", "both").out.split("\n")
    assert both[:4] == ["vertex,jobs within 10,jobs within 10 to", "A,3,1", "B,6,3", "C,4,6"]
    assert run(*words, "--direction", "to").out.split("\n")[1:4] == ["A,1", "B,3", "C,6"]
    assert run(*words, "--decay", "power:1").out.split("\n")[1] == "A,1.2"
    run(*words, "--decay", "gaussian:0", code=2)
    near = run("nearest", "g.csv", "--directed", "--to", "C", "--within", 10).out.split()
    assert near == ["vertex,rank,place,distance", "B,1,C,10", "C,1,C,0"]
    near = run("nearest", "g.csv", "--directed", "--to", "C", "--within", "1min", "--unit", "0.1min").out.split()
    assert near[-2:] == ["B,1,C,10", "C,1,C,0"] and "(0.1min)" in near[-3]
    for wrong in ("-1", "1min", "nan"):
        run("nearest", "g.csv", "--to", "C", "--within", wrong, code=2)


def test_isochrones(run, tmp_path):
    (tmp_path / "g.csv").write_text("from,to,weight\nA,B,10\nB,C,10\n")
    (tmp_path / "at.csv").write_text("name,lon,lat\nA,0,0\nB,1,0\nC,2,0\n")
    words = ("solve", "g.csv", "--directed", "--sources", "B", "--positions", "at.csv")
    run(*words, "--within", "5,10", "--direction", "both", "-o", "i.geojson")
    features = json.loads((tmp_path / "i.geojson").read_text())["features"]
    assert [feature["properties"] for feature in features] == [
        {"source": "B", "direction": direction, "within": within, "vertices": within // 5}
        for direction in ("from", "to") for within in (5, 10)]
    assert [feature["geometry"]["coordinates"] for feature in features] == [
        [[[1, 0], [1.5, 0]]], [[[1, 0], [2, 0]]], [[[1, 0], [0.5, 0]]], [[[1, 0], [0, 0]]]]
    run("solve", "g.csv", "--within", "5,10", "-o", "i.csv", code=2)
    run("solve", "g.csv", "--within", 5, "--direction", "to", "-o", "i.csv", code=2)
    run("solve", "g.csv", "--direction", "to", code=2)
