"""Distances of one pair, of many and of tables, and paths, from graphs and results, through both doors; files and words of
the command."""

import math
import random
import time

import numpy
import pandas
import pyarrow.parquet
import pytest

from doors import refused

KILOMETRES = """# from to minutes kilometres
Aachen,Bonn,30,90
Bonn,Cologne,20,30
Aachen,Cologne,60,70
Cologne,Dortmund,70,95
Bonn,Dortmund,100,120
Emden,Emden,5,1
"""
LIST = dict(sources=["Dortmund", "Aachen"], targets=["Bonn", "Emden", "Dortmund"])
EXPECTED = [("Dortmund", "Bonn", 90), ("Dortmund", "Emden", math.inf), ("Dortmund", "Dortmund", 0),
            ("Aachen", "Bonn", 30), ("Aachen", "Emden", math.inf), ("Aachen", "Dortmund", 120)]


@pytest.fixture
def railway(tmp_path):
    """The railway with lengths in a fourth column."""
    (tmp_path / "railway.csv").write_text(KILOMETRES)
    return dict(of="railway.csv", columns=(1, 2, 3), directed=False)


@pytest.fixture
def tangled(run):
    """A graph without small separators, whose elimination takes half a minute and 2 GiB."""
    run("generate", "rmat", "web.gr", "--vertices", 60000, "--edges", 600000, "--quiet")
    return "web.gr"


@pytest.mark.parametrize("keep", ["matrix", "factor", None])
def test_pairs_and_tables_of_graphs_and_results(door, cities, keep):
    of, reading = cities, dict(directed=False)
    if keep:
        door.solve(cities, "r.zarr", keep=keep, **reading)
        of, reading = "r.zarr", {}
    assert door.distance(of, "Aachen", "Dortmund", **reading) == 120 and door.distance(of, "Bonn", "Bonn", **reading) == 0
    assert door.distance(of, "Aachen", "Emden", **reading) == math.inf
    assert door.pairs(of, [("Dortmund", "Aachen"), ("Aachen", "Emden"), ("Aachen", "Bonn")], **reading) == [120, math.inf, 30]
    assert door.path(of, "Aachen", "Dortmund", **reading) == ["Aachen", "Bonn", "Cologne", "Dortmund"]
    assert door.table(of, **LIST, **reading) == EXPECTED
    assert [row[2] for row in door.table(of, targets=["Bonn"], **reading)] == [30, 0, 20, 90, math.inf]
    door.table(of, "wide.parquet", layout="wide", **LIST, **reading)
    assert pyarrow.parquet.read_table(door.folder / "wide.parquet").to_pydict() == {
        "from": ["Dortmund", "Aachen"], "Bonn": [90, 30], "Emden": [math.inf] * 2, "Dortmund": [0, 120]}
    door.table(of, "t.npy", **LIST, **reading)
    assert numpy.load(door.folder / "t.npy").tolist() == [[90, math.inf, 0], [30, math.inf, 120]]
    refused("usage", door.distance, of, "Colonge", "Bonn", **reading)
    refused("usage", door.table, of, sources=["Rome"], **reading)
    refused("usage", door.table, of, sources=["Bonn", "Bonn"], **reading)
    refused("usage", door.table, of, "t.txt", **LIST, **reading)


def test_directions_and_semirings(door, cities):
    assert door.distance(cities, "Dortmund", "Aachen", directed=True) == math.inf
    assert door.distance(cities, "Aachen", "Dortmund", semiring="max-min", directed=False) == 60


def test_reals_and_weights_of_both_signs(door, tmp_path):
    (tmp_path / "g.txt").write_text("a b 0.1\nb c 0.2\na d 1.5\nd e -0.25\n")
    assert door.distance("g.txt", "a", "b", directed=True, value_type="f64") == 0.1
    assert door.distance("g.txt", "a", "e", directed=True) == 1.25


def test_second_weights_measure_the_shortest_path(door, railway):
    second = dict(second="railway.csv", second_columns=(1, 2, 4))
    expected = [("Aachen", "Aachen", 0, 0), ("Aachen", "Bonn", 30, 90), ("Aachen", "Cologne", 50, 120),
                ("Aachen", "Dortmund", 120, 215), ("Aachen", "Emden", math.inf, math.inf)]
    assert door.table(**railway, sources=["Aachen"], **second) == expected
    door.table(**railway, output="two.npy", **LIST, **second)
    both = numpy.load(door.folder / "two.npy")
    assert both.shape == (2, 3, 2) and both[1, 2].tolist() == [120, 90 + 30 + 95]


def test_second_weights_are_of_the_same_vertices_and_arcs(door, railway, tmp_path):
    (tmp_path / "others.csv").write_text("Aachen,Bonn,1\n")
    (tmp_path / "lacking.csv").write_text("".join(line for line in KILOMETRES.splitlines(True) if "Bonn,Col" not in line))
    refused("usage", door.table, **railway, **LIST, second="others.csv", second_columns=(1, 2, 3))
    with pytest.raises(Exception) as caught:
        door.table(**railway, sources=["Aachen"], second="lacking.csv", second_columns=(1, 2, 4))
    assert caught.value.kind in ("usage", "input")


def test_a_sparse_graph_makes_no_matrix(door, tmp_path):
    side = 40
    lines = [f"{v} {v + 1} 2\n" for v in range(side * side) if (v + 1) % side]
    lines += [f"{v} {v + side} 3\n" for v in range(side * side - side)]
    (tmp_path / "grid.txt").write_text("".join(lines))
    pairs = [(s, t) for s in (0, 7, 7, 820) for t in range(0, 1600, 9)]
    assert door.pairs("grid.txt", pairs, directed=False) == [
        2 * abs(s % side - t % side) + 3 * abs(s // side - t // side) for s, t in pairs]


def test_a_negative_cycle_has_no_distances(door, negative):
    refused("negative_cycle", door.distance, negative, 1, 4)
    refused("negative_cycle", door.path, negative, 1, 4)
    refused("input_output", door.distance, "nowhere.gr", 1, 2)


COMBINED = {"min-plus": sum, "max-plus": sum, "max-min": min, "min-max": max, "or-and": lambda weights: None}


@pytest.mark.parametrize("semiring", COMBINED)
@pytest.mark.parametrize("least", [0, -4])
def test_path_of_a_graph_is_the_path_of_its_result(run, tmp_path, semiring, least):
    draw = random.Random(semiring)
    forward = semiring == "max-plus" or least < 0  # no cycle that makes a path better
    arcs = {}
    while len(arcs) < 900:
        u, v = draw.randrange(300), draw.randrange(300)
        if u != v:
            arcs[(min(u, v), max(u, v)) if forward else (u, v)] = draw.randint(least, 6)
    (tmp_path / "g.csv").write_text("from,to,weight\n" + "".join(f"t{u},t{v},{w}\n" for (u, v), w in arcs.items()))
    words = ("--directed", "--semiring", semiring)
    run("solve", "g.csv", *words, "-o", "g.zarr", "--quiet")
    reached = 0
    for _ in range(12):
        s, t = (f"t{v}" for v in sorted(draw.sample(range(300), 2)))
        solved = run("path", "g.zarr", s, t, "--json", code=None)
        found = run("path", "g.csv", s, t, *words, "--json", code=solved.code).json()
        assert found.pop("plan")["sources"] == 1
        assert found == solved.json()
        weights = [arcs[int(hop["from"][1:]), int(hop["to"][1:])] for hop in found["hops"]]
        if found["reachable"] and weights:
            reached += 1
            assert found["path"][0] == s and found["path"][-1] == t
            assert found["distance"] == COMBINED[semiring](weights)
    assert reached


def test_a_path_is_not_caught_by_a_cycle_that_costs_nothing(door, tmp_path):
    (tmp_path / "g.txt").write_text("a b 1\nb c 0\nc b 0\nc d 0\nd c 0\nd e 2\n")
    assert door.path("g.txt", "a", "e", directed=True) == ["a", "b", "c", "d", "e"]


# How questions of graphs are planned.


def test_a_tangled_graph_is_searched(run, tangled, tmp_path):
    began = time.monotonic()
    answer = run("distance", tangled, 5, 77, "--memory", "150MiB", "--json").json()
    assert time.monotonic() - began < 15
    assert answer["plan"]["algorithm"] == "johnson" and answer["plan"]["sources"] == 1
    steps = run("path", tangled, 5, 77, "--memory", "150MiB", "--json").json()
    assert steps["plan"]["algorithm"] == "johnson"
    assert steps["distance"] == answer["distances"][0]["distance"] == sum(hop["weight"] for hop in steps["hops"])
    for verb in ("path", "distance"):
        run(verb, tangled, 5, 77, "--memory", "16MiB", code=5)
    # Few vertices at the other end are searched from.
    pairs = [(s, t) for s in range(1, 40) for t in (77, 4000)]
    (tmp_path / "to.csv").write_text("".join(f"{s},{t}\n" for s, t in pairs))
    to = run("distance", tangled, "--pairs", "to.csv", "--json").json()
    assert to["plan"]["sources"] == 2 and to["plan"]["targets"] == 39
    assert [(d["from"], d["to"]) for d in to["distances"]] == [(str(s), str(t)) for s, t in pairs]
    assert to["distances"][8]["distance"] == answer["distances"][0]["distance"]


def test_many_pairs_ask_the_factor_where_that_is_sooner(run, tmp_path):
    draw = random.Random(1)
    run("generate", "path", "street.gr", "--vertices", 40000, "--undirected", "--quiet")
    pairs = [(draw.randrange(40000), draw.randrange(40000)) for _ in range(5000)]
    (tmp_path / "many.csv").write_text("".join(f"{s},{t}\n" for s, t in pairs))
    (tmp_path / "few.csv").write_text("".join(f"{s},{t}\n" for s, t in pairs[:3]))
    many = run("distance", "street.gr", "--pairs", "many.csv", "--json").json()
    assert many["plan"]["algorithm"] == "nested-dissection" and many["plan"]["keep"] == "factor"
    few = run("distance", "street.gr", "--pairs", "few.csv", "--algorithm", "johnson", "--json").json()
    assert few["plan"]["algorithm"] == "johnson" and few["distances"] == many["distances"][:3]
    words = ("--sources", "random:3000", "--targets", "random:25000", "--memory", "400MiB", "--json")
    answer = run("distance", "street.gr", *words, "-o", "t.npy").json()
    assert (tmp_path / "t.npy").stat().st_size > 3000 * 25000 * 4 and answer["plan"]["bytes"] < 400 << 20


# Files and words of the command.


def test_what_is_printed(run, solved, cities):
    assert run("distance", solved, "Aachen", "Dortmund").out == "120\n"
    assert run("distance", solved, "Aachen", "Emden", code=1).out == "inf\n"
    assert run("distance", cities, "Aachen", "Emden", "--semiring", "or-and", code=1).out == "0\n"
    pairs = "from,to\nDortmund,Aachen\nAachen,Emden\n# a remark\nAachen,Bonn\n"
    done = run("distance", solved, "--pairs", "-", input=pairs)
    assert done.out == "from,to,distance\nDortmund,Aachen,120\nAachen,Emden,inf\nAachen,Bonn,30\n"
    assert run("distance", solved, "--pairs", "-", input=done.out).out == done.out
    assert run("distance", solved, "--pairs", "-", input="Dortmund Aachen\n").out.splitlines()[1:] == ["Dortmund,Aachen,120"]
    reals = run("distance", "-", "a", "b", "--format", "edge-list", input="a b 0.1\nb c 0.2\n")
    assert reals.out == "0.1\n", "the shortest number that reads back, of f32"
    for verb in ("path", "distance"):
        assert run(verb, cities, "Aachen", "Bonn", "--quiet").err == ""


def test_pairs_and_tables_go_to_files(run, solved, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "from.txt").write_text("Dortmund\nAachen\n")
    pairs = "Dortmund,Aachen\nAachen,Emden\n"
    for name in ("out.csv", "out.csv.gz", "out.parquet"):
        assert run("distance", solved, "--pairs", "-", "-o", name, input=pairs).out == ""
        table = pandas.read_parquet(name) if name.endswith("parquet") else pandas.read_csv(name)
        assert table.values.tolist() == [["Dortmund", "Aachen", 120], ["Aachen", "Emden", math.inf]]
    answer = run("distance", solved, "--pairs", "-", "-o", "out.npy", "--json", input=pairs).json()
    assert answer["pairs"] == 2 and answer["output"] == "out.npy" and "distances" not in answer
    assert numpy.load("out.npy").tolist() == [120, math.inf]
    answer = run("distance", solved, "--sources", "@from.txt", "--targets", "Bonn", "-o", "t.parquet", "--json").json()
    assert (answer["sources"], answer["targets"], answer["output"]) == (2, 1, "t.parquet")


def test_pairs_are_taken_and_given_as_arrays(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run("generate", "roads", "roads.gr", "--vertices", 4000, "--undirected", "--quiet")
    run("solve", "roads.gr", "-o", "roads.zarr", "--keep", "factor", "--no-statistics", "--quiet")
    numpy.save("pairs.npy", numpy.random.default_rng(1).integers(0, 4000, (60000, 2)))
    run("distance", "roads.zarr", "--pairs", "pairs.npy", "-o", "whole.npy")
    found = numpy.load("whole.npy")
    assert found.shape == (60000,) and found.dtype == numpy.float64
    run("distance", "roads.zarr", "--pairs", "pairs.npy", "-o", "parts.npy", "--memory", "1MiB", code=5)
    for words in (("roads.zarr", "--memory", "64MiB"), ("roads.zarr", "--threads", "1"), ("roads.gr",)):
        run("distance", *words, "--pairs", "pairs.npy", "-o", "parts.npy")
        assert (numpy.load("parts.npy") == found).all(), words


def test_many_rows_have_several_groups_and_compress(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run("generate", "roads", "roads.gr", "--vertices", 2500, "--undirected", "--quiet")
    words = ("--sources", "random:1500", "--targets", "random:1200", "--seed", 3)
    for name in ("t.parquet", "t.npy", "t.csv.gz"):
        run("distance", "roads.gr", *words, "-o", name)
    file = pyarrow.parquet.ParquetFile("t.parquet")
    assert file.metadata.num_rows == 1500 * 1200 and file.metadata.num_row_groups > 1
    table = file.read()
    assert (table["distance"].to_numpy().reshape(1500, 1200) == numpy.load("t.npy")).all()
    assert (table["to"].to_numpy().reshape(1500, 1200) == table["to"].to_numpy()[:1200]).all()
    assert pandas.read_csv("t.csv.gz").astype({"distance": float}).equals(table.to_pandas())


@pytest.mark.parametrize("words, code", [
    ((), 2), (("Aachen",), 2), (("Aachen", "Bonn", "--pairs", "p.txt"), 2), (("Aachen", "Bonn", "--sources", "Bonn"), 2),
    (("--sources", "Bonn", "--pairs", "p.txt"), 2), (("--layout", "wide"), 2), (("--second", "x.csv"), 2),
    (("--sources", "Bonn", "-o", "t.npy", "--layout", "long"), 2), (("--sources", "Bonn", "--second-columns", "1,2,4"), 2),
    (("--sources", "Bonn", "--json"), 2), (("--sources", "Bonn", "--second", "missing.csv"), 6),
    (("Aachen", "Bonn", "-o", "x.npy"), 2), (("--pairs", "two.npy", "-o", "x.txt"), 2), (("--pairs", "two.npy", "-o", "two.npy"), 2),
    (("--pairs", "two.npy", "-o", "x.npy"), 3), (("--pairs", "three.npy"), 3), (("--pairs", "missing.csv"), 6),
    (("Aachen", "Bonn", "--algorithm", "johnson"), 2), (("Aachen", "Bonn", "--device", "cpu"), 2),
    (("Aachen", "Bonn", "--dtype", "f64"), 2)])
def test_words_that_do_not_go(run, solved, tmp_path, words, code):
    numpy.save(tmp_path / "two.npy", numpy.zeros((1, 2), int))  # no vertex is called 0
    numpy.save(tmp_path / "three.npy", numpy.zeros((4, 3), int))
    run("distance", solved, *words, code=code)
    assert not list(tmp_path.glob("[tx].*"))


def test_what_is_wrong_with_a_pair_has_its_place(run, solved, cities):
    done = run("distance", solved, "--pairs", "-", input="Aachen,Bonn\nAachen,Trier\n", code=3)
    assert "stdin:2:8" in done.err
    run("distance", solved, "--pairs", "-", input="Aachen\n", code=3)
    run("distance", "-", "--pairs", "-", code=2)
    run("path", cities, "Aachen", "Bonn", "--via", code=2)
    run("solve", cities, "--undirected", "-o", "c.npy", "--quiet")
    run("distance", "c.npy", "Aachen", "Bonn", code=2)
    assert run("distance", "c.npy", "Aachen", "Bonn", "--graph", cities, "--undirected").out == "30\n"


def test_strengths_as_lengths_and_numbers_of_paths(run, tmp_path):
    (tmp_path / "contacts.csv").write_text("a b 4\nb c 2\na d 4\nd c 2\nc e 0.5\n")
    read = ["contacts.csv", "--undirected", "--lengths", "inverse"]
    assert run("distance", *read, "a", "e").out.strip() == "2.75"
    solved = run("solve", *read, "-o", "contacts.zarr", "--json").json()
    assert any("1/w" in remark for remark in solved["graph"]["remarks"])
    assert "1/w" in (tmp_path / "contacts.zarr" / "zarr.json").read_text()
    assert run("path", "contacts.zarr", "a", "e", "--count").out.strip() == "2"
    assert run("path", *read, "a", "e", "--count", "--json").json()["count"] == 2
    assert run("stats", "contacts.zarr", "--json").json()["statistics"]["wiener_index"] == pytest.approx(12.5)
    assert len(run("distance", *read, "--sources", "a", "--targets", "e", "-o", "-").out.splitlines()) == 2
    run("solve", "contacts.csv", "--lengths", "log", code=3)
    run("path", *read, "--semiring", "max-min", "a", "e", "--count", code=2)
    run("solve", *read, "--reverse-cost", "3", code=2)
    assert run("distance", "contacts.csv", "--undirected", "--lengths", "2/(4*w)", "b", "c").out.strip() == "0.25"
    run("distance", "contacts.csv", "--lengths", "2w", "b", "c", code=2)
