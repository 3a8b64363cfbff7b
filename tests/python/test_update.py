"""apsp update: other weights in a factor, and every verb sees them."""

import os
import stat

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
    assert run("path", kept, "Aachen", "Dortmund", "--names").out.split() == ["Aachen", "Bonn", "Dortmund"]
    assert run("distance", kept, "Dortmund", "Aachen").out == "3\n"


@pytest.mark.parametrize("changes, code, says", [
    ("Aachen,Dortmund,inf\n", 2, "no arc Aachen → Dortmund that could be removed"),
    ("Aachen,Paris,5\n", 3, "unknown vertex 'Paris'"),
    ("Aachen,Bonn\n", 3, "no weight"),
    ("Aachen,Bonn,nan\n", 3, "'nan' is not"),
    ("Aachen,Bonn,5x\n", 3, "'5x' is not a number"),
    ("Aachen,Bonn,-1\n", 4, "negative cycle"),
])
def test_what_cannot_be_leaves_the_result_as_it_was(run, kept, changes, code, says):
    assert says in run("update", kept, "-", input=changes, code=code).err
    assert run("distance", kept, "Aachen", "Dortmund").out == "120\n"


@pytest.mark.parametrize("name", ["m.zarr", "m.npy"])
def test_a_matrix_is_updated_too(run, cities, name):
    run("solve", cities, "--undirected", "-o", name, "--keep", "matrix")
    given = ["--before", cities, "--undirected"] if name == "m.npy" else []
    graph = ["--graph", cities, "--undirected"] if name == "m.npy" else []
    assert run("distance", name, "Aachen", "Dortmund", *graph).out == "120\n"
    out = name.replace("m.", "n.")
    done = run("update", name, "-", *given, "-o", out, input="Cologne,Dortmund,200\n")
    assert "1 weight changed" in done.err and "solved again" in done.err
    assert run("distance", name, "Aachen", "Dortmund", *graph).out == "120\n"
    answer = run("update", name, "-", *given, "--json", input="Bonn Dortmund 1\nAachen Bonn 2\n").json()
    assert answer["changes"] == 2 and answer["rows_solved"] == 0
    if name == "m.zarr":
        assert run("distance", out, "Aachen", "Dortmund").out == "130\n"
        assert run("distance", name, "Aachen", "Dortmund").out == "3\n"
        assert run("verify", name, "--json").json()["verification"]["passed"]


def test_a_gpu_is_for_matrices_and_has_to_be_there(run, kept, cities):
    no_gpu = {"CUDA_VISIBLE_DEVICES": "-1"}
    changes = "Bonn,Dortmund,1\n"
    done = run("update", kept, "-", "--device", "cuda", input=changes, env=no_gpu, code=2)
    assert "a factor is updated on the CPU" in done.err
    run("solve", cities, "--undirected", "-o", "m.zarr", "--keep", "matrix")
    done = run("update", "m.zarr", "-", "--device", "cuda", input=changes, env=no_gpu, code=7)
    assert "no CUDA" in done.err
    assert run("distance", "m.zarr", "Aachen", "Dortmund").out == "120\n"


def test_a_matrix_takes_new_vertices(run, cities, tmp_path):
    run("solve", cities, "--undirected", "-o", "m.zarr", "--keep", "matrix")
    (tmp_path / "more.csv").write_text((tmp_path / cities).read_text() + "Aachen,Paris,3\n")
    answer = run("update", "m.zarr", "--graph", "more.csv", "--json").json()
    assert answer["changes"] == 1 and answer["graph"]["vertices"] == 6
    assert run("distance", "m.zarr", "Paris", "Dortmund").out == "123\n"
    assert "Paris" in run("nearest", "m.zarr", "--to", "Paris").out


@pytest.mark.parametrize("words, says", [
    (["m.zarr", "-", "--before", "x"], "--before is for an .npy"),
    (["m.zarr", "-", "--semiring", "max-min"], "--semiring is for an .npy"),
    (["m.npy", "-"], "name the graph that was solved"),
    (["m.zarr", "-", "-o", "n.csv"], "kept in a .zarr or an .npy"),
    (["v.zarr", "-"], "holds more than distances")])
def test_what_an_update_of_a_matrix_refuses(run, cities, words, says):
    for name, more in (("m.zarr", []), ("m.npy", []), ("v.zarr", ["--via"])):
        run("solve", cities, "--undirected", "-o", name, "--keep", "matrix", *more)
    assert says in run("update", *words, input="Aachen,Bonn,1\n", code=2).err


def test_a_closed_road_and_a_new_one(run, kept):
    run("update", kept, "-", input="Cologne,Dortmund,inf\n")
    assert run("path", kept, "Cologne", "Dortmund", "--names").out.split()[1:-1] != []
    run("update", kept, "-", input="Aachen,Dortmund,5\n")
    assert run("distance", kept, "Aachen", "Dortmund").out == "5\n"
    assert run("verify", kept, "--json").json()["verification"]["passed"]


def test_weights_of_all_edges_come_in_the_order_of_convert(run, kept, tmp_path):
    run("convert", kept, "edges.csv")
    rows = [line.replace(",", " ").split() for line in (tmp_path / "edges.csv").read_text().splitlines()
            if line[0] not in "#%"]
    rows = [row for row in rows if row[-1].replace(".", "").isdigit()]
    (tmp_path / "double.txt").write_text("".join(f"{2 * float(row[-1]):g}\n" for row in rows))
    before = run("distance", kept, "Aachen", "Dortmund").out
    answer = run("update", kept, "--weights", "double.txt", "-o", "double.zarr", "--json").json()
    assert answer["changes"] == len(rows) and answer["growth"] == 1
    assert float(run("distance", "double.zarr", "Aachen", "Dortmund").out) == 2 * float(before)
    assert run("distance", kept, "Aachen", "Dortmund").out == before
    few = run("update", kept, "--weights", "-", input="1\n2\n", code=2)
    assert "2 weights for a graph of" in few.err and "give one of each edge" in few.err


def test_a_graph_of_the_same_vertices(run, kept, cities, tmp_path):
    (tmp_path / "now.csv").write_text("from,to,weight\nDortmund,Bonn,7\nBonn,Aachen,8\nCologne,Bonn,1\nEmden,Emden,5\n")
    run("update", kept, "--graph", "now.csv")
    assert run("distance", kept, "Dortmund", "Aachen").out == "15\n"
    for rows, says in [("Dortmund,Paris,7\nAachen,Cologne,8\nCologne,Emden,1", "vertex 'Paris' is none"),
                       ("Bonn,Aachen,8", "a graph of 2 vertices has not the order of one of 5")]:
        (tmp_path / "other.csv").write_text(f"from,to,weight\n{rows}\n")
        assert says in run("update", kept, "--graph", "other.csv", code=2).err


def test_values_that_need_a_wider_type_get_it(run, kept):
    done = run("update", kept, "-", input="Cologne,Dortmund,40000\nBonn,Dortmund,40000\n")
    assert "its values are i32 now, as u16 does not hold the new distances" in done.err
    done = run("update", kept, "-", input="Aachen,Bonn,0.5\n")
    assert "its values are f32 now" in done.err
    assert run("distance", kept, "Aachen", "Bonn").out == "0.5\n"


@pytest.mark.parametrize("words, says", [
    ([], "name what changes once"),
    (["-", "--weights", "w.npy"], "name what changes once"),
    (["-", "--undirected"], "only --graph and --before read a graph"),
    (["-", "--memory", "10"], "10 B may be used"),
])
def test_what_is_said_twice_or_not_at_all(run, kept, words, says):
    code = 5 if "--memory" in words else 2
    assert says in run("update", kept, *words, input="Aachen,Bonn,9\n", code=code).err


def test_scenarios_stand_side_by_side(run, kept, tmp_path):
    """Each is a result that every verb takes."""
    (tmp_path / "jobs.csv").write_text("vertex,jobs\nBonn,10\n")
    run("update", kept, "-", "-o", "closed.zarr", input="Cologne,Dortmund,inf\n")
    for name in (kept, "closed.zarr"):
        length = float(run("distance", name, "Aachen", "Dortmund").out)
        assert run("path", name, "Aachen", "Dortmund", "--json").json()["distance"] == length
        assert run("verify", name, "--json").json()["verification"]["passed"]
        assert "Bonn" in run("nearest", name, "--to", "Bonn").out
        assert "10" in run("access", name, "--weights", "jobs.csv", "--within", "1000").out
        run("report", name, "-o", "page.html")


def test_metrics_over_one_order(run, kept, tmp_path):
    done = run("update", kept, "-", "--metric", "jam", input="Cologne,Dortmund,200\n")
    assert "cities.zarr/metric/jam.zarr: 1 weight changed" in done.err
    jam = ["--metric", "jam"]
    assert run("distance", kept, "Aachen", "Dortmund").out == "120\n"
    assert run("distance", kept, "Aachen", "Dortmund", *jam).out == "130\n"
    assert run("path", kept, "Aachen", "Dortmund", "--names", *jam).out.split()[-2:] == ["Bonn", "Dortmund"]
    assert "Aachen,1,Dortmund,130" in run("nearest", kept, "--to", "Dortmund", *jam).out
    (tmp_path / "jobs.csv").write_text("city,jobs\nDortmund,7\n")
    near = ["access", kept, "--weights", "jobs.csv", "--within", 125, "--sources", "Aachen"]
    assert run(*near).out.splitlines()[-1].endswith("7") and run(*near, *jam).out.splitlines()[-1].endswith("0")
    assert run("verify", kept, "--json", *jam).json()["verification"]["passed"]
    run("stats", kept, *jam)
    # In place of a metric: its weights change further.
    run("update", "cities.zarr/metric/jam.zarr", "-", input="Bonn,Dortmund,1\n")
    assert run("distance", kept, "Aachen", "Dortmund", *jam).out == "31\n"
    shared = tmp_path / kept / "factor/order/c/0"
    assert shared.samefile(tmp_path / kept / "metric/jam.zarr/factor/order/c/0")


@pytest.mark.parametrize("words, says", [
    (["distance", "cities.zarr", "Aachen", "Bonn", "--metric", "nite"], "no metric 'nite', but jam"),
    (["distance", "cities.csv", "Aachen", "Bonn", "--metric", "jam"], "--metric is for a result"),
    (["nearest", "cities.csv", "--to", "Bonn", "--metric", "jam"], "--metric is for a result"),
    (["update", "cities.zarr", "-"], "would remove its metrics (jam)"),
    (["update", "m.zarr", "-", "-o", "cities.zarr"], "would remove its metrics (jam)"),
    (["solve", "cities.csv", "-o", "cities.zarr"], "would remove its metrics (jam)"),
    (["solve", "cities.csv", "-o", "cities.zarr/", "--keep", "factor"], "would remove its metrics (jam)"),
    (["convert", "m.zarr", "cities.zarr"], "would remove its metrics (jam)"),
    (["update", "cities.zarr", "-", "--metric", "a.b"], "cannot name a metric"),
    (["update", "cities.zarr", "-", "--metric", "a", "-o", "b.zarr"], "leave out -o"),
    (["update", "m.zarr", "-", "--metric", "a"], "holds a matrix")])
def test_what_metrics_refuse(run, kept, cities, words, says):
    run("solve", cities, "--undirected", "-o", "m.zarr", "--keep", "matrix")
    run("update", kept, "-", "--metric", "jam", input="Cologne,Dortmund,200\n")
    words = [str(cities) if word == "cities.csv" else word for word in words]
    assert says in run(*words, input="Aachen,Bonn,1\n", code=2).err
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
    assert "2, 5" in run("info", "s.zarr").out
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
