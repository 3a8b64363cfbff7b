"""Other weights in a stored factor or matrix, through both doors; metrics; what is stored, and files of the command."""

import os
import stat

import pytest

from doors import refused

INFINITY = float("inf")


@pytest.fixture
def kept(run, cities):
    run("solve", cities, "--undirected", "-o", "cities.zarr", "--keep", "factor")
    return "cities.zarr"


@pytest.fixture
def matrix(run, cities):
    run("solve", cities, "--undirected", "-o", "m.zarr", "--keep", "matrix")
    return "m.zarr"


@pytest.mark.parametrize("keep", ["factor", "matrix"])
def test_changes_by_name(door, cities, keep):
    door.solve(cities, "r.zarr", directed=False, keep=keep)
    assert door.distance("r.zarr", "Aachen", "Dortmund") == 120
    door.update("r.zarr", [("Cologne", "Dortmund", 200)], output="jam.zarr")
    assert door.distance("jam.zarr", "Aachen", "Dortmund") == 130 and door.verify("jam.zarr")["passed"]
    assert door.distance("r.zarr", "Aachen", "Dortmund") == 120
    door.update("r.zarr", [("Bonn", "Dortmund", 1), ("Aachen", "Bonn", 2)])
    assert door.path("r.zarr", "Aachen", "Dortmund") == ["Aachen", "Bonn", "Dortmund"]
    assert door.distance("r.zarr", "Dortmund", "Aachen") == 3
    door.update("r.zarr", [("Cologne", "Dortmund", INFINITY), ("Aachen", "Dortmund", 2)])
    assert door.distance("r.zarr", "Aachen", "Dortmund") == 2 and door.verify("r.zarr")["passed"]


@pytest.mark.parametrize("change, kind", [
    (("Aachen", "Dortmund", INFINITY), "usage"), (("Aachen", "Bonn", -1), "negative_cycle"),
    (("Aachen", "Bonn", float("nan")), None)])
def test_what_cannot_be_leaves_the_result_as_it_was(door, kept, change, kind):
    with pytest.raises(Exception) as caught:
        door.update(kept, [change])
    assert caught.value.kind == kind if kind else caught.value.kind in ("input", "usage")
    assert door.distance(kept, "Aachen", "Dortmund") == 120


@pytest.mark.parametrize("given", [
    {}, dict(changes=[("Aachen", "Bonn", 1)], weights=[1.0]), dict(changes=[("Aachen", "Paris", 5)], memory=10),
    dict(weights=[1.0, 2.0])])
def test_what_is_said_twice_or_not_at_all(door, kept, given):
    with pytest.raises(Exception) as caught:
        door.update(kept, **given)
    assert caught.value.kind in ("usage", "input", "does_not_fit")
    assert door.distance(kept, "Aachen", "Dortmund") == 120


def test_a_gpu_is_for_matrices(door, kept):
    refused("usage", door.update, kept, [("Bonn", "Dortmund", 1)], device="cuda")


def test_a_matrix_takes_new_vertices(door, matrix, cities, tmp_path):
    (tmp_path / "more.csv").write_text((tmp_path / cities).read_text() + "Aachen,Paris,3\n")
    door.update(matrix, graph="more.csv")
    assert door.distance(matrix, "Paris", "Dortmund") == 123
    assert door.nearest(matrix, ["Paris"])[0] == ("Aachen", 1, "Paris", 3)


def test_weights_of_all_edges_come_in_the_order_of_the_graph(door, kept):
    door.update(kept, weights=[2 * weight for weight in door.weights(kept)], output="double.zarr")
    assert door.distance("double.zarr", "Aachen", "Dortmund") == 240
    assert door.distance(kept, "Aachen", "Dortmund") == 120


def test_a_graph_of_the_same_vertices(door, kept, tmp_path):
    (tmp_path / "now.csv").write_text("from,to,weight\nDortmund,Bonn,7\nBonn,Aachen,8\nCologne,Bonn,1\nEmden,Emden,5\n")
    door.update(kept, graph="now.csv")
    assert door.distance(kept, "Dortmund", "Aachen") == 15
    for rows in ("Dortmund,Paris,7\nAachen,Cologne,8\nCologne,Emden,1", "Bonn,Aachen,8"):
        (tmp_path / "other.csv").write_text(f"from,to,weight\n{rows}\n")
        refused("usage", door.update, kept, graph="other.csv")


def test_values_that_need_a_wider_type_get_it(door, kept):
    door.update(kept, [("Cologne", "Dortmund", 40000), ("Bonn", "Dortmund", 40000)])
    assert door.distance(kept, "Aachen", "Dortmund") == 40030
    door.update(kept, [("Aachen", "Bonn", 0.5)])
    assert door.distance(kept, "Aachen", "Bonn") == 0.5


def test_metrics_over_one_order(door, kept, tmp_path):
    door.update(kept, [("Cologne", "Dortmund", 200)], metric="jam")
    assert door.distance(kept, "Aachen", "Dortmund") == 120
    assert door.distance(kept, "Aachen", "Dortmund", metric="jam") == 130
    assert door.path(kept, "Aachen", "Dortmund", metric="jam")[-2:] == ["Bonn", "Dortmund"]
    assert door.nearest(kept, ["Dortmund"], metric="jam")[0] == ("Aachen", 1, "Dortmund", 130)
    assert door.access(kept, {"Dortmund": (7,)}, 125, sources=["Aachen"]) == {"Aachen": [7]}
    assert door.access(kept, {"Dortmund": (7,)}, 125, sources=["Aachen"], metric="jam") == {"Aachen": [0]}
    assert door.verify(kept, metric="jam")["passed"]
    refused("usage", door.distance, kept, "Aachen", "Bonn", metric="nite")
    refused("usage", door.update, kept, [("Aachen", "Bonn", 1)], metric="a.b")
    refused("usage", door.update, kept, [("Aachen", "Bonn", 1)])  # it would remove the metric
    # In place of a metric: its weights change further.
    door.update("cities.zarr/metric/jam.zarr", [("Bonn", "Dortmund", 1)])
    assert door.distance(kept, "Aachen", "Dortmund", metric="jam") == 31
    shared = tmp_path / kept / "factor/order/c/0"
    assert shared.samefile(tmp_path / kept / "metric/jam.zarr/factor/order/c/0")


# Files and words of the command.


def test_an_npy_is_updated_with_its_graph(run, cities):
    run("solve", cities, "--undirected", "-o", "m.npy", "--keep", "matrix")
    given, graph = ["--before", cities, "--undirected"], ["--graph", cities, "--undirected"]
    done = run("update", "m.npy", "-", *given, "-o", "n.npy", input="Cologne,Dortmund,200\n")
    assert "1 weight changed" in done.err
    assert run("distance", "m.npy", "Aachen", "Dortmund", *graph).out == "120\n"
    answer = run("update", "m.npy", "-", *given, "--json", input="Bonn Dortmund 1\nAachen Bonn 2\n").json()
    assert answer["changes"] == 2 and answer["rows_solved"] == 0


@pytest.mark.parametrize("changes, code", [("Aachen,Paris,5\n", 3), ("Aachen,Bonn\n", 3), ("Aachen,Bonn,5x\n", 3)])
def test_lines_that_are_no_change(run, kept, changes, code):
    run("update", kept, "-", input=changes, code=code)


@pytest.mark.parametrize("words", [
    ["m.zarr", "-", "--before", "x"], ["m.zarr", "-", "--semiring", "max-min"], ["m.npy", "-"],
    ["m.zarr", "-", "-o", "n.csv"], ["v.zarr", "-"], ["m.zarr", "-", "--undirected"], ["m.zarr", "-", "--metric", "a"]])
def test_what_an_update_of_a_matrix_refuses(run, cities, matrix, words):
    run("solve", cities, "--undirected", "-o", "m.npy")
    run("solve", cities, "--undirected", "-o", "v.zarr", "--via")
    run("update", *words, input="Aachen,Bonn,1\n", code=2)


@pytest.mark.parametrize("words", [
    ["distance", "cities.csv", "Aachen", "Bonn", "--metric", "jam"], ["nearest", "cities.csv", "--to", "Bonn", "--metric", "jam"],
    ["update", "m.zarr", "-", "-o", "cities.zarr"], ["solve", "cities.csv", "-o", "cities.zarr"],
    ["solve", "cities.csv", "-o", "cities.zarr/", "--keep", "factor"], ["convert", "m.zarr", "cities.zarr"],
    ["update", "cities.zarr", "-", "--metric", "a", "-o", "b.zarr"]])
def test_what_metrics_refuse(run, kept, matrix, words):
    run("update", kept, "-", "--metric", "jam", input="Cologne,Dortmund,200\n")
    run(*words, input="Aachen,Bonn,1\n", code=2)
    assert run("distance", kept, "Aachen", "Dortmund", "--metric", "jam").out == "130\n"


def test_what_a_stored_result_is(run, kept, cities, tmp_path):
    run("update", kept, "-", "--metric", "jam", input="Cologne,Dortmund,200\n")
    result = run("info", kept, "--json").json()["result"]
    assert result["kept"] == "factor" and result["vertices"] == 5 and result["graph"]["edges"] == 6
    assert result["semiring"] == "min-plus" and "nested-dissection" in result["plan"]
    metric = tmp_path / kept / "metric/jam.zarr"
    own = sum(path.stat().st_size for path in metric.rglob("*") if path.is_file() and path.stat().st_nlink == 1)
    assert result["metrics"] == [{"name": "jam", "bytes": own}]
    assert result["bytes"] == sum(path.stat().st_size for path in (tmp_path / kept).rglob("*") if path.is_file())
    text = run("info", kept).out
    assert "factor" in text and "jam" in text and "undirected" in text
    assert run("info", str(metric), "--json").json()["result"]["metrics"] == []


def test_what_a_stored_matrix_is(run, cities):
    run("solve", cities, "--undirected", "-o", "m.zarr", "--via", "--no-statistics")
    result = run("info", "m.zarr", "--json").json()["result"]
    assert result["kept"] == "matrix" and result["planes"] == ["distance", "via"]
    assert not result["statistics"] and result["vertex_values"] == []
    run("solve", cities, "--undirected", "-o", "s.zarr", "--sources", "Aachen,Bonn")
    result = run("info", "s.zarr", "--json").json()["result"]
    assert (result["sources"], result["targets"], result["vertices"]) == (2, 5, 5) and result["statistics"]
    run("solve", cities, "--undirected", "--within", 30, "-o", "near.zarr")
    assert run("info", "near.zarr", "--json").json()["result"]["kept"] == "near pairs"
    run("info", "m.zarr", "--directed", code=2)
    run("info", "no-such.zarr", code=6)


def test_an_update_keeps_who_may_read_it(run, kept, cities, tmp_path):
    run("solve", cities, "--undirected", "-o", "m.npy")
    for folder in [tmp_path / kept, *(path for path in (tmp_path / kept).rglob("*") if path.is_dir())]:
        folder.chmod(0o700)
    for path in [tmp_path / "m.npy", *(path for path in (tmp_path / kept).rglob("*") if path.is_file())]:
        path.chmod(0o600)
    run("update", kept, "-", input="Cologne,Dortmund,200\n")
    run("update", "m.npy", "-", "--before", cities, "--undirected", input="Cologne,Dortmund,200\n")
    run("update", kept, "-", "--metric", "jam", input="Cologne,Dortmund,300\n")
    modes = {path.is_dir(): path.stat().st_mode & 0o777 for path in (tmp_path / kept).rglob("*")}
    assert modes == {True: 0o700, False: 0o600}
    assert (tmp_path / "m.npy").stat().st_mode & 0o777 == 0o600
    assert all(path.stat().st_mode & 0o077 == 0 for path in [tmp_path / kept, *(tmp_path / kept).rglob("*")])
    (tmp_path / "m.npy").chmod(0o640)
    run("solve", cities, "--undirected", "-o", "m.npy")
    assert (tmp_path / "m.npy").stat().st_mode & 0o777 == 0o640


def test_a_pipe_is_no_result(run, cities, tmp_path):
    os.mkfifo(tmp_path / "pipe.npy")
    (tmp_path / "null.npy").symlink_to("/dev/null")
    for name in ("pipe.npy", "null.npy"):
        run("solve", cities, "--undirected", "-o", name, code=2)
    assert stat.S_ISFIFO((tmp_path / "pipe.npy").stat().st_mode)
