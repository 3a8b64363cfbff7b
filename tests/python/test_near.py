"""Nearest places, accessibility, near pairs and betweenness, through both doors; files of the command."""

import numpy as np
import pytest
import scipy.io
import scipy.sparse
from scipy.sparse.csgraph import dijkstra

from doors import refused

JOBS = {"Bonn": (11, 1), "Cologne": (5, 0), "Emden": (7, 2)}


def test_nearest_by_rank(door, cities):
    assert door.nearest(cities, ["Dortmund", "Aachen"], k=2, directed=False) == [
        ("Aachen", 1, "Aachen", 0), ("Aachen", 2, "Dortmund", 120), ("Bonn", 1, "Aachen", 30), ("Bonn", 2, "Dortmund", 90),
        ("Cologne", 1, "Aachen", 50), ("Cologne", 2, "Dortmund", 70), ("Dortmund", 1, "Dortmund", 0),
        ("Dortmund", 2, "Aachen", 120)]


def test_nearest_follows_directions_both_ways(door, cities):
    assert door.nearest(cities, ["Cologne"], directed=True) == [
        ("Aachen", 1, "Cologne", 50), ("Bonn", 1, "Cologne", 20), ("Cologne", 1, "Cologne", 0)]
    assert door.nearest(cities, ["Cologne"], directed=True, towards="vertices") == [
        ("Cologne", 1, "Cologne", 0), ("Dortmund", 1, "Cologne", 70)]


def test_nearest_of_a_result(door, solved):
    assert [row[0] for row in door.nearest(solved, ["Bonn"])] == ["Aachen", "Bonn", "Cologne", "Dortmund"]


def test_access_adds_up_what_is_reached(door, cities):
    assert door.access(cities, JOBS, [30, 60], directed=False) == {
        "Aachen": [11, 1, 16, 1], "Bonn": [16, 1, 16, 1], "Cologne": [16, 1, 16, 1], "Dortmund": [0, 0, 0, 0],
        "Emden": [7, 2, 7, 2]}
    for decay, jobs in (("linear", 11 * 0.5 + 5 * (1 - 50 / 60)), (("exp", 20), 11 * np.exp(-1.5) + 5 * np.exp(-2.5))):
        found = door.access(cities, JOBS, 60, decay=decay, sources=["Aachen"], directed=False)
        assert list(found) == ["Aachen"] and found["Aachen"][0] == pytest.approx(jobs)


@pytest.mark.parametrize("algorithm", ["auto", "johnson", "nested-dissection"])
def test_within_is_scipys_limit(door, run, tmp_path, algorithm):
    run("generate", "roads", "roads.mtx", "--vertices", 700, "--undirected")
    expected = dijkstra(scipy.io.mmread(tmp_path / "roads.mtx").tocsr(), limit=150)
    expected[np.isinf(expected)] = 0
    np.testing.assert_array_equal(door.within("roads.mtx", 150, algorithm=algorithm), expected)
    np.testing.assert_array_equal(door.within("roads.mtx", 150, sources=[17, 3], algorithm=algorithm), expected[[17, 3]])


def test_betweenness(door, cities):
    assert door.betweenness(cities, directed=False) == {"Aachen": 0, "Bonn": 2, "Cologne": 2, "Dortmund": 0, "Emden": 0}
    assert door.betweenness(cities, directed=False, normalized=True, endpoints=True)["Bonn"] == 5 / 10
    assert door.betweenness(cities, directed=False, arcs=True) == {
        ("Aachen", "Bonn"): 3, ("Aachen", "Cologne"): 0, ("Bonn", "Cologne"): 4, ("Bonn", "Dortmund"): 0,
        ("Cologne", "Dortmund"): 3}
    some = door.betweenness(cities, directed=False, arcs=True, sources=["Aachen"])
    assert some["Aachen", "Bonn"] == 3 * 5 / 2


@pytest.mark.parametrize("question, words, options", [
    ("nearest", (["Rome"],), {}), ("nearest", (["Bonn"],), dict(k=0)), ("nearest", ([],), {}),
    ("access", (JOBS, 3), dict(decay=("exp", 0))), ("within", (-1,), {}),
    ("within", (1,), dict(algorithm="floyd-warshall"))])
def test_what_cannot_be_is_refused(door, cities, question, words, options):
    refused("usage", getattr(door, question), cities, *words, **options)


def test_weights_that_do_not_go_are_refused(door, tmp_path):
    (tmp_path / "negative.txt").write_text("a b 2\nb c -3\n")
    (tmp_path / "zero.txt").write_text("a b 0\n")
    (tmp_path / "real.txt").write_text("a b 0.5\nb c 1\n")
    refused("usage", door.nearest, "negative.txt", ["a"], directed=True)
    refused("usage", door.within, "negative.txt", 3, directed=True)
    refused("usage", door.access, "negative.txt", {"a": (1,)}, 3, directed=True)
    refused("usage", door.betweenness, "zero.txt")
    refused("usage", door.betweenness, "real.txt", algorithm="boundary")


# Files and words of the command.


def test_nearest_says_what_it_did(run, solved):
    answer = run("nearest", solved, "--to", "Bonn", "-o", "near.csv", "--json").json()
    assert answer["places"] == 1 and answer["without_place"] == 1 and answer["output"] == "near.csv"


def sparse_of(group):
    """As AnnData reads it."""
    assert group.attrs["encoding-type"] == "csr_matrix" and group.attrs["encoding-version"] == "0.1.0"
    return scipy.sparse.csr_array((group["data"][:], group["indices"][:], group["indptr"][:]),
                                  shape=tuple(group.attrs["shape"]))


def test_within_writes_a_sparse_matrix_for_zarr(run, tmp_path):
    zarr = pytest.importorskip("zarr", minversion="3", reason="zarr-python reads the groups")
    run("generate", "roads", "roads.mtx", "--vertices", 700, "--undirected")
    answer = run("solve", "roads.mtx", "--within", 150, "-o", "near.zarr", "--json").json()
    run("solve", "roads.mtx", "--within", 150, "-o", "near.npz")
    expected = scipy.sparse.load_npz(tmp_path / "near.npz")
    root = zarr.open_group(tmp_path / "near.zarr", mode="r")
    found = sparse_of(root["within"])
    assert found.nnz == answer["pairs"] and root["within"].attrs["limit"] == 150
    assert (found != expected).nnz == 0
    assert root["graph/indptr"].shape == (701,)
    # In place of it, the rows of some sources.
    run("solve", "roads.mtx", "--within", 90, "--sources", "5,3", "-o", "near.zarr")
    root = zarr.open_group(tmp_path / "near.zarr", mode="r")
    assert root["source"][:].tolist() == [5, 3] and root["within"].attrs["shape"] == [2, 700]
    some = expected.tocsr()[[5, 3]]
    some.data[some.data > 90] = 0
    some.eliminate_zeros()
    assert (sparse_of(root["within"]) != some).nnz == 0


def test_near_pairs_are_verified_and_are_no_result_of_all_pairs(run, cities):
    pairs = run("solve", cities, "--within", 60, "-o", "near.zarr", "--verify", "--json").json()
    assert pairs["verification"]["passed"] and pairs["verification"]["meaning"] == "proof"
    assert run("verify", "near.zarr", "--json").json()["verification"]["passed"]
    assert run("verify", "near.zarr", "--tolerance", 0.5, "--json").json()["verification"]["tolerance"] == 0.5
    places = run("nearest", cities, "--to", "Bonn", "--verify", "--json").json()
    assert [check["name"] for check in places["verification"]["checks"]] == ["places", "triangle", "tightness"]
    for verb in (["distance", "near.zarr", "Aachen", "Bonn"], ["stats", "near.zarr"], ["update", "near.zarr", "-"]):
        run(*verb, input="", code=2)


def test_within_is_a_table_too(run, cities, tmp_path):
    done = run("solve", cities, "--undirected", "--within", 50, "--sources", "Bonn")
    assert done.out == "from,to,distance\nBonn,Aachen,30\nBonn,Cologne,20\n"


@pytest.mark.parametrize("words, code", [
    (["nearest", "GRAPH"], 2), (["nearest", "GRAPH", "--to", "Bonn", "-o", "x.npy"], 2),
    (["nearest", "GRAPH", "--to", "@places.csv", "-o", "places.csv"], 2), (["nearest", "GRAPH", "--to", "Bonn", "-o", "GRAPH"], 2),
    (["access", "GRAPH", "--within", 3], 2), (["access", "GRAPH", "--weights", "jobs.csv"], 2),
    (["access", "GRAPH", "--weights", "jobs.csv", "--within", 9, "-o", "jobs.csv"], 2),
    (["access", "GRAPH", "--weights", "uneven.csv", "--within", 3], 3),
    (["solve", "GRAPH", "--within", 1, "--compress"], 2), (["solve", "GRAPH", "--within", 1, "-o", "x.npy"], 2),
    (["solve", "GRAPH", "--within", 9, "--sources", "@places.csv", "-o", "places.csv"], 2),
    (["betweenness", "GRAPH", "--arcs", "--endpoints"], 2), (["betweenness", "GRAPH", "-o", "x.npy"], 2),
    (["betweenness", "GRAPH", "-o", "GRAPH"], 2)])
def test_words_that_do_not_go(run, cities, tmp_path, words, code):
    texts = {"jobs.csv": "city,jobs\nBonn,10\n", "places.csv": "Bonn\n", "uneven.csv": "Bonn,1\nCologne,1,2\n"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    run(*(cities if word == "GRAPH" else word for word in words), code=code)
    assert {name: (tmp_path / name).read_text() for name in texts} == texts


def test_tables_of_near_things_are_parquet_too(run, cities, tmp_path, monkeypatch):
    import pandas

    monkeypatch.chdir(tmp_path)
    (tmp_path / "jobs.csv").write_text("city,jobs,shops\nBonn,10,1\nEmden,7,2\n")
    for name, words in {"near": ("nearest", cities, "--undirected", "--to", "Dortmund,Aachen", "-k", 2),
                        "sums": ("access", cities, "--undirected", "--weights", "jobs.csv", "--within", "30,60"),
                        "pairs": ("solve", cities, "--undirected", "--within", 60),
                        "between": ("betweenness", cities, "--undirected")}.items():
        run(*words, "-o", f"{name}.csv")
        run(*words, "-o", f"{name}.parquet")
        text, table = pandas.read_csv(f"{name}.csv"), pandas.read_parquet(f"{name}.parquet")
        assert len(table) > 3 and table.columns.tolist() == text.columns.tolist()
        assert table.values.tolist() == text.values.tolist()


def test_the_greatest_are_listed_and_samples_follow_the_seed(run, cities, solved, tmp_path):
    done = run("betweenness", cities, "--undirected", "--top", 2)
    assert [line.split() for line in done.out.splitlines()[-2:]] == [["1", "Bonn", "2"], ["2", "Cologne", "2"]]
    assert run("betweenness", solved, "--json").json()["vertices"] == 5
    run("generate", "roads", "roads.mtx", "--vertices", 300, "--undirected")
    words = ["betweenness", "roads.mtx", "--sources", "random:20", "--seed", 3]
    answer = run(*words, "--threads", 1, "-o", "one.csv", "--json").json()
    run(*words, "--threads", 2, "-o", "two.csv", "--algorithm", "johnson")
    assert answer["sources"] == 20 and (tmp_path / "one.csv").read_bytes() == (tmp_path / "two.csv").read_bytes()
