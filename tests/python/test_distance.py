"""apsp distance: one pair and many, from results and from graphs; apsp path from graphs."""

import random
import time

import numpy
import pytest


def grid(tmp_path, side=40):
    """A grid of streets, sparse enough to be solved without a matrix; weight 2 along, 3 across."""
    lines = []
    for row in range(side):
        for col in range(side):
            here = row * side + col
            if col + 1 < side:
                lines.append(f"{here} {here + 1} 2")
            if row + 1 < side:
                lines.append(f"{here} {here + side} 3")
    (tmp_path / "grid.txt").write_text("\n".join(lines) + "\n")
    return "grid.txt"


def test_distance_prints_the_number_alone(run, solved):
    assert run("distance", solved, "Aachen", "Dortmund").out == "120\n"
    assert run("distance", solved, "Bonn", "Bonn").out == "0\n"


def test_distance_without_a_path_is_a_negative_answer(run, solved):
    done = run("distance", solved, "Aachen", "Emden", code=1)
    assert done.out == "inf\n" and "no path leads from Aachen to Emden" in done.err


def test_distance_of_pairs_is_csv_in_their_order(run, solved):
    pairs = "from,to\nDortmund,Aachen\nAachen,Emden\n# a remark\nAachen,Bonn\n"
    done = run("distance", solved, "--pairs", "-", input=pairs)
    assert done.out == "from,to,distance\nDortmund,Aachen,120\nAachen,Emden,inf\nAachen,Bonn,30\n"
    assert run("distance", solved, "--pairs", "-", input=done.out).out == done.out
    blanks = run("distance", solved, "--pairs", "-", input="Dortmund Aachen\n")
    assert blanks.out.splitlines()[1:] == ["Dortmund,Aachen,120"]


def test_distance_of_pairs_goes_to_files(run, solved, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pairs = "Dortmund,Aachen\nAachen,Emden\n"
    for name in ("out.csv", "out.csv.gz"):
        done = run("distance", solved, "--pairs", "-", "-o", name, input=pairs)
        assert done.out == ""
    assert open("out.csv").read() == "from,to,distance\nDortmund,Aachen,120\nAachen,Emden,inf\n"
    answer = run("distance", solved, "--pairs", "-", "-o", "out.npy", "--json", input=pairs).json()
    assert answer["pairs"] == 2 and answer["output"] == "out.npy" and "distances" not in answer
    assert numpy.load("out.npy").tolist() == [120, float("inf")]


def test_distance_takes_and_gives_arrays(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run("generate", "roads", "roads.gr", "--vertices", 4000, "--undirected", "--quiet")
    run("solve", "roads.gr", "-o", "roads.zarr", "--keep", "factor", "--quiet")
    pairs = numpy.random.default_rng(1).integers(0, 4000, (60000, 2))
    numpy.save("pairs.npy", pairs)
    run("distance", "roads.zarr", "--pairs", "pairs.npy", "-o", "whole.npy")
    found = numpy.load("whole.npy")
    assert found.shape == (60000,) and found.dtype == numpy.float64
    run("distance", "roads.zarr", "--pairs", "pairs.npy", "-o", "parts.npy", "--memory", "1MiB", code=5)
    for words in (("--memory", "64MiB"), ("--memory", "96MiB"), ("--threads", "1")):
        run("distance", "roads.zarr", "--pairs", "pairs.npy", "-o", "parts.npy", *words)
        assert (numpy.load("parts.npy") == found).all(), words
    run("distance", "roads.gr", "--pairs", "pairs.npy", "-o", "graph.npy")
    assert (numpy.load("graph.npy") == found).all()
    numpy.savetxt("pairs.csv", pairs[:50], fmt="%d", delimiter=",")
    lines = run("distance", "roads.zarr", "--pairs", "pairs.csv").out.splitlines()[1:]
    assert [float(line.split(",")[2]) for line in lines] == found[:50].tolist()


def test_distance_says_what_is_wrong_with_an_array_or_an_output(run, solved, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    numpy.save("three.npy", numpy.zeros((4, 3), int))
    done = run("distance", solved, "--pairs", "three.npy", code=3)
    assert "three.npy" in done.err and "shape (k, 2)" in done.err
    run("distance", solved, "Aachen", "Bonn", "-o", "x.npy", code=2)
    numpy.save("two.npy", numpy.zeros((1, 2), int))
    run("distance", solved, "--pairs", "two.npy", "-o", "x.txt", code=2)
    run("distance", solved, "--pairs", "two.npy", "-o", "two.npy", code=2)
    run("distance", solved, "--pairs", "two.npy", "-o", "x.npy", code=3)  # no vertex is called 0
    assert not (tmp_path / "x.npy").exists()


def test_distance_json(run, solved):
    answer = run("distance", solved, "--pairs", "-", "--json", input="Aachen Dortmund\nAachen Emden\n").json()
    assert answer["command"] == "distance" and answer["file"] == solved
    assert answer["distances"] == [
        {"from": "Aachen", "to": "Dortmund", "reachable": True, "distance": 120},
        {"from": "Aachen", "to": "Emden", "reachable": False, "distance": None}]
    assert run("distance", solved, "Aachen", "Bonn", "--json").json()["distances"][0]["distance"] == 30


def test_distance_of_a_graph_needs_no_result(run, cities, tmp_path):
    assert run("distance", cities, "Aachen", "Dortmund", "--undirected").out == "120\n"
    assert run("distance", cities, "Dortmund", "Aachen", "--directed", code=1).out == "inf\n"
    assert run("distance", cities, "Aachen", "Dortmund", "--semiring", "max-min").out == "60\n"
    assert run("distance", cities, "Aachen", "Emden", "--semiring", "or-and", code=1).out == "0\n"
    assert [p.name for p in tmp_path.iterdir()] == [cities]


def test_distance_of_a_sparse_graph_makes_no_matrix(run, tmp_path):
    streets = grid(tmp_path)
    done = run("distance", streets, "0", "1599", "--undirected")
    assert done.out == f"{39 * 2 + 39 * 3}\n"
    assert "johnson" in done.err
    pairs = "".join(f"{s} {t}\n" for s in (0, 7, 7, 820) for t in range(0, 1600, 9))
    (tmp_path / "pairs.txt").write_text(pairs)
    rows = run("distance", streets, "--undirected", "--pairs", "pairs.txt").out.splitlines()[1:]
    assert len(rows) == len(pairs.splitlines())
    for row in rows:
        s, t, distance = map(int, row.split(","))
        along, across = abs(s % 40 - t % 40), abs(s // 40 - t // 40)
        assert distance == 2 * along + 3 * across


def test_distance_of_an_npy_needs_its_graph(run, cities):
    run("solve", cities, "--undirected", "-o", "c.npy", "--quiet")
    run("distance", "c.npy", "Aachen", "Bonn", code=2)
    words = ("distance", "c.npy", "Aachen", "Bonn", "--graph", cities, "--undirected")
    assert run(*words).out == "30\n"


def test_distance_of_real_weights_is_the_shortest_number_that_reads_back(run):
    done = run("distance", "-", "a", "b", "--format", "edge-list", input="a b 0.1\nb c 0.2\n")
    assert done.out == "0.1\n"


def test_distance_takes_weights_of_both_signs(run):
    graph = "a b 1.5\nb c -0.25\n"
    done = run("distance", "-", "a", "c", "--directed", "--format", "edge-list", input=graph)
    assert done.out == "1.25\n"


@pytest.mark.parametrize("words, message", [
    ((), "FROM or TO"),
    (("Aachen",), "FROM or TO"),
    (("Aachen", "Bonn", "--pairs", "p.txt"), "exclude each other"),
])
def test_distance_says_what_it_needs(run, solved, words, message):
    assert message in run("distance", solved, *words, code=2).err


def test_distance_names_what_is_wrong_with_a_pair(run, solved):
    done = run("distance", solved, "--pairs", "-", input="Aachen,Bonn\nAachen,Trier\n", code=3)
    assert "stdin:2:8" in done.err and "unknown vertex 'Trier'" in done.err
    run("distance", solved, "--pairs", "-", input="Aachen\n", code=3)
    run("distance", solved, "--pairs", "missing.csv", code=6)
    assert "did you mean 'Cologne'" in run("distance", solved, "Colonge", "Bonn", code=2).err
    run("distance", "-", "--pairs", "-", code=2)


@pytest.fixture
def tangled(run):
    """A graph without small separators, whose elimination takes half a minute and 2 GiB."""
    run("generate", "rmat", "web.gr", "--vertices", 60000, "--edges", 600000, "--quiet")
    return "web.gr"


def test_distance_of_a_tangled_graph_is_a_search(run, tangled, tmp_path):
    began = time.monotonic()
    answer = run("distance", tangled, 5, 77, "--memory", "150MiB", "--json").json()
    assert time.monotonic() - began < 15
    assert answer["plan"]["algorithm"] == "johnson" and answer["plan"]["sources"] == 1
    steps = run("path", tangled, 5, 77, "--memory", "150MiB", "--json").json()
    assert steps["plan"]["algorithm"] == "johnson"
    assert steps["distance"] == answer["distances"][0]["distance"]
    assert sum(hop["weight"] for hop in steps["hops"]) == steps["distance"]


def test_distance_to_few_vertices_is_searched_from_those(run, tangled, tmp_path):
    pairs = [(s, t) for s in range(1, 40) for t in (77, 4000)]
    (tmp_path / "to.csv").write_text("".join(f"{s},{t}\n" for s, t in pairs))
    (tmp_path / "from.csv").write_text("".join(f"{s},{t}\n" for t in (77, 4000) for s in (3, 5, 8)))
    to = run("distance", tangled, "--pairs", "to.csv", "--json").json()
    assert to["plan"]["sources"] == 2 and to["plan"]["targets"] == 39
    assert [(d["from"], d["to"]) for d in to["distances"]] == [(str(s), str(t)) for s, t in pairs]
    found = {(d["from"], d["to"]): d["distance"] for d in to["distances"]}
    for one in run("distance", tangled, "--pairs", "from.csv", "--json").json()["distances"]:
        assert found[one["from"], one["to"]] == one["distance"]


def test_distance_of_many_pairs_asks_the_factor_where_that_is_sooner(run, tmp_path):
    draw = random.Random(1)
    run("generate", "path", "street.gr", "--vertices", 40000, "--undirected", "--quiet")
    pairs = [(draw.randrange(40000), draw.randrange(40000)) for _ in range(5000)]
    (tmp_path / "many.csv").write_text("".join(f"{s},{t}\n" for s, t in pairs))
    (tmp_path / "few.csv").write_text("".join(f"{s},{t}\n" for s, t in pairs[:3]))
    many = run("distance", "street.gr", "--pairs", "many.csv", "--json").json()
    assert many["plan"]["algorithm"] == "nested-dissection" and many["plan"]["keep"] == "factor"
    words = ("distance", "street.gr", "--pairs", "few.csv", "--algorithm", "johnson", "--json")
    few = run(*words).json()
    assert few["plan"]["algorithm"] == "johnson"
    assert few["distances"] == many["distances"][:3]


COMBINED = {"min-plus": lambda weights: sum(weights), "max-plus": lambda weights: sum(weights),
            "max-min": lambda weights: min(weights), "min-max": lambda weights: max(weights),
            "or-and": lambda weights: None}


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
        stored = solved.json()
        assert found == stored
        weights = [arcs[int(hop["from"][1:]), int(hop["to"][1:])] for hop in found["hops"]]
        if found["reachable"] and weights:
            reached += 1
            assert found["path"][0] == s and found["path"][-1] == t
            assert found["distance"] == COMBINED[semiring](weights)
    assert reached


def test_path_of_a_graph_is_not_caught_by_a_cycle_that_costs_nothing(run):
    graph = "a b 1\nb c 0\nc b 0\nc d 0\nd c 0\nd e 2\n"
    done = run("path", "-", "a", "e", "--names", "--directed", "--format", "edge-list", input=graph)
    assert done.out.split() == ["a", "b", "c", "d", "e"]


def test_path_of_a_graph_has_exit_codes(run, cities, negative):
    assert run("path", cities, "Aachen", "Dortmund", "--undirected").out.count("Cologne") == 1
    run("path", cities, "Dortmund", "Aachen", "--directed", code=1)
    assert "did you mean 'Cologne'" in run("path", cities, "Aachen", "Colonge", code=2).err
    run("path", cities, "Aachen", "Bonn", "--via", code=2)
    for verb in ("path", "distance"):
        run(verb, negative, 1, 4, code=4)
        run(verb, "nowhere.gr", 1, 2, code=6)


@pytest.mark.parametrize("verb", ["path", "distance"])
@pytest.mark.parametrize("option", [("--algorithm", "johnson"), ("--device", "cpu"), ("--dtype", "f64")])
def test_a_result_takes_no_options_of_a_solve(run, solved, cities, verb, option):
    run(verb, solved, "Aachen", "Bonn", *option, code=2)
    run(verb, cities, "Aachen", "Bonn", *option)


@pytest.mark.parametrize("verb", ["path", "distance"])
def test_a_graph_that_does_not_fit_is_refused(run, tangled, verb):
    run(verb, tangled, 5, 77, "--memory", "16MiB", code=5)


def test_the_plan_of_a_graph_is_told(run, cities):
    for verb in ("path", "distance"):
        done = run(verb, cities, "Aachen", "Bonn", "--verbose")
        assert "plan: " in done.err and "precision" in done.err
        assert run(verb, cities, "Aachen", "Bonn", "--quiet").err == ""
