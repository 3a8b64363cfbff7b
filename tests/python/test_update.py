"""apsp update: other weights on some arcs of a factor, and every verb sees them."""

import pytest


@pytest.fixture
def kept(run, cities):
    run("solve", cities, "--undirected", "-o", "cities.zarr", "--keep", "factor")
    return "cities.zarr"


def test_changes_come_by_name_from_a_file_or_standard_input(run, kept, tmp_path):
    assert run("distance", kept, "Aachen", "Dortmund").out == "120\n"
    (tmp_path / "jam.csv").write_text("from,to,weight\n# a jam\nCologne,Dortmund,200\n")
    done = run("update", kept, "jam.csv", "-o", "jam.zarr")
    assert "1 weight changed" in done.err
    assert run("distance", "jam.zarr", "Aachen", "Dortmund").out == "130\n"
    assert run("distance", kept, "Aachen", "Dortmund").out == "120\n"
    run("verify", "jam.zarr")
    answer = run("update", kept, "-", "--json", input="Bonn Dortmund 1\nAachen Bonn 2\n").json()
    assert answer["command"] == "update" and answer["changes"] == 2
    assert run("path", kept, "Aachen", "Dortmund", "--names").out.split() == [
        "Aachen", "Bonn", "Dortmund"]
    assert run("distance", kept, "Dortmund", "Aachen").out == "3\n"


@pytest.mark.parametrize("changes, code, says", [
    ("Aachen,Dortmund,5\n", 2, "no arc Aachen → Dortmund"),
    ("Aachen,Paris,5\n", 3, "unknown vertex 'Paris'"),
    ("Aachen,Bonn\n", 3, "no weight"),
    ("Aachen,Bonn,inf\n", 3, "'inf' is not finite"),
    ("Aachen,Bonn,5x\n", 3, "'5x' is not a number"),
    ("Cologne,Dortmund,40000\nBonn,Dortmund,40000\n", 5, "solve the graph with the new weights"),
    ("Aachen,Bonn,-1\n", 4, "negative cycle"),
    ("Aachen,Bonn,0.5\n", 2, "solve the graph with the new weights"),
])
def test_what_cannot_be_leaves_the_result_as_it_was(run, kept, changes, code, says):
    assert says in run("update", kept, "-", input=changes, code=code).err
    assert run("distance", kept, "Aachen", "Dortmund").out == "120\n"


def test_a_matrix_is_no_factor(run, solved):
    done = run("update", solved, "-", input="Aachen,Bonn,1\n", code=2)
    assert "solve with --keep factor" in done.err
