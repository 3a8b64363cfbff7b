"""apsp nearest, access, betweenness and solve --within: tables, sparse matrices, and what they refuse."""

import csv
import io

import numpy as np
import pytest
import scipy.sparse
from scipy.sparse.csgraph import dijkstra

JOBS = "city,jobs,shops\nBonn,10,1\nCologne,5,0\nBonn,1,0\nEmden,7,2\n"


def rows_of(text):
    return list(csv.reader(io.StringIO(text)))


def test_nearest_is_a_table_by_rank(run, cities):
    done = run("nearest", cities, "--undirected", "--to", "Dortmund,Aachen", "-k", 2)
    assert done.out == ("vertex,rank,place,distance\n"
                        "Aachen,1,Aachen,0\nAachen,2,Dortmund,120\n"
                        "Bonn,1,Aachen,30\nBonn,2,Dortmund,90\n"
                        "Cologne,1,Aachen,50\nCologne,2,Dortmund,70\n"
                        "Dortmund,1,Dortmund,0\nDortmund,2,Aachen,120\n")


def test_nearest_follows_directions_both_ways(run, cities, tmp_path):
    (tmp_path / "places.txt").write_text("Cologne\n")
    towards = run("nearest", cities, "--directed", "--to", "@places.txt").out
    assert towards.splitlines()[1:] == ["Aachen,1,Cologne,50", "Bonn,1,Cologne,20", "Cologne,1,Cologne,0"]
    away = run("nearest", cities, "--directed", "--to", "@places.txt", "--from-places").out
    assert away.splitlines()[1:] == ["Cologne,1,Cologne,0", "Dortmund,1,Cologne,70"]


def test_nearest_of_a_result_and_into_a_file(run, solved, tmp_path):
    answer = run("nearest", solved, "--to", "Bonn", "-o", "near.csv", "--json").json()
    assert answer["places"] == 1 and answer["without_place"] == 1 and answer["output"] == "near.csv"
    assert (tmp_path / "near.csv").read_text().splitlines()[1] == "Aachen,1,Bonn,30"


def test_access_adds_up_what_is_reached(run, cities, tmp_path):
    (tmp_path / "jobs.csv").write_text(JOBS)
    done = run("access", cities, "--undirected", "--weights", "jobs.csv", "--within", "30,60")
    assert rows_of(done.out) == [
        ["vertex", "jobs within 30", "shops within 30", "jobs within 60", "shops within 60"],
        ["Aachen", "11", "1", "16", "1"], ["Bonn", "16", "1", "16", "1"],
        ["Cologne", "16", "1", "16", "1"], ["Dortmund", "0", "0", "0", "0"],
        ["Emden", "7", "2", "7", "2"]]


def test_access_decays(run, cities, tmp_path):
    (tmp_path / "jobs.csv").write_text(JOBS)
    words = ["access", cities, "--undirected", "--weights", "jobs.csv", "--within", 60, "--sources", "Aachen"]
    linear = rows_of(run(*words, "--decay", "linear").out)[1]
    assert float(linear[1]) == pytest.approx(11 * 0.5 + 5 * (1 - 50 / 60))
    fading = rows_of(run(*words, "--decay", "exp:20").out)[1]
    assert float(fading[1]) == pytest.approx(11 * np.exp(-1.5) + 5 * np.exp(-2.5))


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


def test_near_pairs_are_no_result_of_all_pairs(run, cities):
    run("solve", cities, "--within", 150, "-o", "near.zarr")
    for verb in (["distance", "near.zarr", "Aachen", "Bonn"], ["stats", "near.zarr"], ["update", "near.zarr", "-"]):
        run(*verb, input="", code=2)


@pytest.mark.parametrize("algorithm", ["auto", "johnson", "nested-dissection"])
def test_within_writes_a_sparse_matrix_for_scipy(run, tmp_path, algorithm):
    run("generate", "roads", "roads.mtx", "--vertices", 700, "--undirected")
    answer = run("solve", "roads.mtx", "--within", 150, "-o", "near.npz", "--algorithm", algorithm, "--json").json()
    found = scipy.sparse.load_npz(tmp_path / "near.npz")
    assert found.nnz == answer["pairs"] and found.has_sorted_indices
    run("convert", "roads.mtx", "roads.npy")
    weights = np.load(tmp_path / "roads.npy")
    expected = dijkstra(scipy.sparse.csr_array(np.where(np.isinf(weights), 0, weights)))
    expected[expected > 150] = 0
    np.fill_diagonal(expected, 0)
    np.testing.assert_array_equal(found.toarray(), expected)


def test_within_is_a_table_too(run, cities, tmp_path):
    done = run("solve", cities, "--undirected", "--within", 50, "--sources", "Bonn")
    assert done.out == "from,to,distance\nBonn,Aachen,30\nBonn,Cologne,20\n"
    run("solve", cities, "--directed", "--within", 20, "-o", "near.csv")
    assert (tmp_path / "near.csv").read_text() == "from,to,distance\nBonn,Cologne,20\n"


def test_no_output_replaces_an_input(run, cities, tmp_path):
    (tmp_path / "jobs.csv").write_text(JOBS)
    (tmp_path / "places.csv").write_text("Bonn\n")
    for words in (["access", cities, "--weights", "jobs.csv", "--within", 9, "-o", "jobs.csv"],
                  ["access", cities, "--weights", "jobs.csv", "--within", 9, "--sources",
                   "@places.csv", "-o", "places.csv"],
                  ["nearest", cities, "--to", "@places.csv", "-o", "places.csv"],
                  ["nearest", cities, "--to", "Bonn", "-o", cities],
                  ["solve", cities, "--within", 9, "--sources", "@places.csv", "-o", "places.csv"]):
        run(*words, code=2)
    assert (tmp_path / "jobs.csv").read_text() == JOBS
    assert (tmp_path / "places.csv").read_text() == "Bonn\n"


def test_what_cannot_be_is_refused(run, cities, tmp_path):
    (tmp_path / "jobs.csv").write_text(JOBS)
    (tmp_path / "uneven.csv").write_text("Bonn,1\nCologne,1,2\n")
    (tmp_path / "negative.txt").write_text("a b -1\n")
    access = ["access", cities, "--weights", "jobs.csv"]
    run("nearest", cities, code=2)
    run("nearest", cities, "--to", "Rome", code=2)
    run("nearest", cities, "--to", "Bonn", "-k", 0, code=2)
    run("nearest", cities, "--to", "Bonn", "-o", "x.npy", code=2)
    run("access", cities, "--within", 3, code=2)
    run(*access, code=2)
    run(*access, "--within", 3, "--decay", "exp:0", code=2)
    uneven = run("access", cities, "--weights", "uneven.csv", "--within", 3, code=3).err
    assert "uneven.csv:2:1" in uneven and "3 columns, where the first row has 2" in uneven
    run("solve", cities, "--within", -1, code=2)
    run("solve", cities, "--within", 1, "--compress", code=2)
    run("solve", cities, "--within", 1, "-o", "x.npy", code=2)
    run("solve", "negative.txt", "--within", 1, code=2)
    run("solve", cities, "--within", 1, "--algorithm", "floyd-warshall", code=2)


def test_tables_of_near_things_are_parquet_too(run, cities, tmp_path, monkeypatch):
    import pandas

    monkeypatch.chdir(tmp_path)
    (tmp_path / "jobs.csv").write_text(JOBS)
    for name, words in {"near": ("nearest", cities, "--undirected", "--to", "Dortmund,Aachen", "-k", 2),
                        "sums": ("access", cities, "--undirected", "--weights", "jobs.csv", "--within", "30,60"),
                        "pairs": ("solve", cities, "--undirected", "--within", 60),
                        "between": ("betweenness", cities, "--undirected")}.items():
        run(*words, "-o", f"{name}.csv")
        run(*words, "-o", f"{name}.parquet")
        text, table = pandas.read_csv(f"{name}.csv"), pandas.read_parquet(f"{name}.parquet")
        assert len(table) > 3 and table.columns.tolist() == text.columns.tolist()
        assert table.values.tolist() == text.values.tolist()


def test_betweenness_is_a_table_and_a_list_of_the_greatest(run, cities, tmp_path):
    done = run("betweenness", cities, "--undirected", "--top", 2, "-o", "between.csv")
    table = (tmp_path / "between.csv").read_text()
    assert table == "vertex,betweenness\nAachen,0\nBonn,2\nCologne,2\nDortmund,0\nEmden,0\n"
    assert [line.split() for line in done.out.splitlines()[-2:]] == [["1", "Bonn", "2"], ["2", "Cologne", "2"]]
    again = run("betweenness", cities, "--undirected", "--normalized", "--endpoints", "--json").json()
    assert again["top_vertices"][0] == {"vertex": "Bonn", "betweenness": 5 / 10}
    assert again["output"] is None and again["sources"] == 5 and again["normalized"]


def test_betweenness_of_arcs(run, cities, tmp_path):
    run("betweenness", cities, "--undirected", "--arcs", "-o", "between.csv")
    assert (tmp_path / "between.csv").read_text() == (
        "from,to,weight,betweenness\nAachen,Bonn,30,3\nAachen,Cologne,60,0\nBonn,Cologne,20,4\n"
        "Bonn,Dortmund,100,0\nCologne,Dortmund,70,3\n")
    some = run("betweenness", cities, "--undirected", "--arcs", "--sources", "Aachen", "--json").json()
    assert some["sources"] == 1
    assert some["top_arcs"][0] == {"from": "Aachen", "to": "Bonn", "betweenness": 3 * 5 / 2}


def test_betweenness_of_a_result_and_of_a_sample(run, solved, tmp_path):
    assert run("betweenness", solved, "--json").json()["vertices"] == 5
    run("generate", "roads", "roads.mtx", "--vertices", 300, "--undirected")
    one = run("betweenness", "roads.mtx", "--sources", "random:20", "--seed", 3, "--threads", 1, "-o", "one.csv")
    run("betweenness", "roads.mtx", "--sources", "random:20", "--seed", 3, "--threads", 2, "-o", "two.csv",
        "--algorithm", "johnson")
    assert "20 sources" in one.err
    assert (tmp_path / "one.csv").read_bytes() == (tmp_path / "two.csv").read_bytes()


def test_betweenness_of_pendant_trees_adds_up_from_each_source(run, tmp_path):
    (tmp_path / "pendant.txt").write_text("0 1 .1\n1 2 .2\n0 2 .3\n2 3 .1\n")
    run("betweenness", "pendant.txt", "-o", "out.csv")
    assert "1,0.25" in (tmp_path / "out.csv").read_text().split()


def test_near_pairs_and_places_are_verified(run, cities, tmp_path):
    pairs = run("solve", cities, "--within", 60, "-o", "near.zarr", "--verify", "--json").json()
    assert pairs["verification"]["passed"] and pairs["verification"]["meaning"] == "proof"
    assert run("verify", "near.zarr", "--json").json()["verification"]["passed"]
    places = run("nearest", cities, "--to", "Bonn", "--verify", "--json").json()
    assert [check["name"] for check in places["verification"]["checks"]] == ["places", "triangle", "tightness"]
    assert "within the tolerance of 0.5" in run("verify", "near.zarr", "--tolerance", 0.5).out


def test_negative_weights_are_named(run, tmp_path):
    (tmp_path / "negative.txt").write_text("a b 2\nb c -3\n")
    (tmp_path / "jobs.csv").write_text("vertex,jobs\na,1\n")
    for words in (["nearest", "negative.txt", "--to", "a"], ["solve", "negative.txt", "--within", 3],
                  ["access", "negative.txt", "--weights", "jobs.csv", "--within", 3]):
        run(*words, "--directed", code=2)


def test_betweenness_refuses(run, cities, tmp_path):
    (tmp_path / "zero.txt").write_text("a b 0\n")
    (tmp_path / "real.txt").write_text("a b 0.5\nb c 1\n")
    run("betweenness", "zero.txt", code=2)
    run("betweenness", cities, "--arcs", "--endpoints", code=2)
    run("betweenness", cities, "-o", "x.npy", code=2)
    run("betweenness", cities, "-o", cities, code=2)
    run("betweenness", "real.txt", "--algorithm", "boundary", code=2)
