"""apsp distance: one pair and many, from results and from graphs."""

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
    assert done.out == "inf\n" and "there is no path from Aachen to Emden" in done.err


def test_distance_of_pairs_is_csv_in_their_order(run, solved):
    pairs = "from,to\nDortmund,Aachen\nAachen,Emden\n# a remark\nAachen,Bonn\n"
    done = run("distance", solved, "--pairs", "-", input=pairs)
    assert done.out == "from,to,distance\nDortmund,Aachen,120\nAachen,Emden,inf\nAachen,Bonn,30\n"
    assert run("distance", solved, "--pairs", "-", input=done.out).out == done.out
    blanks = run("distance", solved, "--pairs", "-", input="Dortmund Aachen\n")
    assert blanks.out.splitlines()[1:] == ["Dortmund,Aachen,120"]


def test_distance_json(run, solved):
    answer = run("distance", solved, "--pairs", "-", "--json",
                 input="Aachen Dortmund\nAachen Emden\n").json()
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
    assert "nested-dissection" in done.err
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
    assert "--graph" in run("distance", "c.npy", "Aachen", "Bonn", code=2).err
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
    ((), "FROM and TO"),
    (("Aachen",), "FROM and TO"),
    (("Aachen", "Bonn", "--pairs", "p.txt"), "exclude each other"),
])
def test_distance_says_what_it_needs(run, solved, words, message):
    assert message in run("distance", solved, *words, code=2).err


def test_distance_names_what_is_wrong_with_a_pair(run, solved):
    done = run("distance", solved, "--pairs", "-", input="Aachen,Bonn\nAachen,Trier\n", code=3)
    assert "stdin:2:8" in done.err and "there is no vertex 'Trier'" in done.err
    assert "one column" in run("distance", solved, "--pairs", "-", input="Aachen\n", code=3).err
    run("distance", solved, "--pairs", "missing.csv", code=6)
    assert "did you mean 'Cologne'" in run("distance", solved, "Colonge", "Bonn", code=2).err
    assert "not both" in run("distance", "-", "--pairs", "-", code=2).err
