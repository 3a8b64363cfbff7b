"""Solving from Python: results, options, stores, rows as they come, progress, errors."""

import json
import os
import pathlib
import pickle
import signal
import threading
import time

import numpy as np
import pytest
import zarr
from scipy.sparse import csgraph

import apsp
from apsp import _apsp


def grid(side=20, **options):
    return apsp.generate("grid", side * side, directed=False, **options)


def expected(graph):
    return csgraph.dijkstra(graph.to_scipy())


@pytest.mark.parametrize("algorithm", ["auto", "floyd-warshall", "nested_dissection", "johnson", "boundary"])
@pytest.mark.parametrize("value_type", ["f32", np.float64, "int32", "uint16"])
def test_distances_by_every_algorithm_in_every_type(algorithm, value_type):
    graph = grid()
    result = apsp.solve(graph, algorithm=algorithm, value_type=value_type, keep="matrix")
    assert result.distances.dtype == np.dtype({"f32": np.float32}.get(value_type, value_type))
    np.testing.assert_array_equal(result.distances, expected(graph))
    assert result.shape == (400, 400) and result.kept == "matrix"


def test_distances_are_no_copy_and_outlive_the_result():
    result = apsp.solve(grid(), keep="matrix")
    first, second = result.distances, result.distances
    assert np.shares_memory(first, second) and not first.flags.writeable
    with pytest.raises(ValueError):
        first[0, 0] = 1
    copy = first.copy()
    del result, second
    np.testing.assert_array_equal(first, copy)


@pytest.mark.parametrize("keep", ["matrix", "factor"])
def test_questions_are_answered_by_labels(keep):
    graph = apsp.Graph.from_edges(list("abcab"), list("bcdde"), [1, 1, 1, 9, 5], directed=False)
    result = apsp.solve(graph, keep=keep)
    assert result.distance("a", "d") == 3
    assert result.path("a", "d") == ["a", "b", "c", "d"] and result.path("a", "a") == ["a"]
    assert result.row("a").tolist() == [0, 1, 2, 3, 6]
    assert result.distances_of([("a", "e"), ("e", "a"), ("d", "d")]).tolist() == [6, 6, 0]
    before = result.predecessors("a")
    assert before.dtype == np.int64
    assert before.tolist() == [-1, 0, 1, 2, 1]
    pytest.raises(apsp.UsageError, result.distance, "a", "z")


def test_pairs_may_be_an_array():
    graph = grid()
    pairs = np.random.default_rng(1).integers(0, 400, (1000, 2))
    found = apsp.solve(graph).distances_of(pairs)
    np.testing.assert_array_equal(found, expected(graph)[pairs[:, 0], pairs[:, 1]])
    with pytest.raises(apsp.UsageError):
        apsp.solve(graph).distances_of(np.array([[0, 400]]))


@pytest.mark.parametrize("keep", ["matrix", "factor"])
def test_distance_takes_arrays_of_vertices(keep):
    graph = grid()
    result, truth = apsp.solve(graph, keep=keep), expected(graph)
    sources, targets = np.random.default_rng(2).integers(0, 400, (2, 3000))
    found = result.distance(sources, targets)
    assert found.dtype == np.float64 and found.shape == (3000,)
    np.testing.assert_array_equal(found, truth[sources, targets])
    np.testing.assert_array_equal(result.distance(7, targets), truth[7, targets])
    np.testing.assert_array_equal(result.distance([[3], [5]], [7, 8, 9]), truth[np.ix_([3, 5], [7, 8, 9])])
    assert result.distance(np.array([], int), 3).shape == (0,)
    assert type(result.distance(3, np.int64(5))) is float
    pytest.raises(apsp.UsageError, result.distance, np.array([0, 400]), 3)
    pytest.raises(apsp.UsageError, result.distance, np.array([0.5]), 3)
    pytest.raises(ValueError, result.distance, [1, 2], [1, 2, 3])


def test_distance_takes_arrays_of_labels():
    graph = apsp.Graph.from_edges(list("abcab"), list("bcdde"), [1, 1, 1, 9, 5], directed=False)
    result = apsp.solve(graph)
    assert result.distance(["a", "e"], "d").tolist() == [3, 7]
    assert result.distance(np.array(["a", "e"]), np.array(["d", "e"])).tolist() == [3, 0]
    pytest.raises(apsp.UsageError, result.distance, ["a", "z"], "d")


def test_distance_takes_columns_of_tables():
    pandas, pyarrow = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    graph = apsp.Graph.from_edges(list("abcab"), list("bcdde"), [1, 1, 1, 9, 5], directed=False)
    result = apsp.solve(graph)
    table = pandas.DataFrame({"from": ["a", "e"], "to": ["d", "e"], "number": [7, 3]}, index=[5, 9])
    assert result.distance(table["from"], table["to"]).tolist() == [3, 0]
    assert result.distance("a", table["to"]).tolist() == [3, 6]
    assert result.distance(pandas.Index(["a", "e"]), "d").tolist() == [3, 7]
    assert result.distance(pyarrow.array(["a", "e"]), pyarrow.chunked_array([["d"], ["e"]])).tolist() == [3, 0]
    pytest.raises(apsp.UsageError, result.distance, pandas.Series(["a", "z"]), "d")


def test_distance_takes_columns_of_numbers():
    pandas, pyarrow = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    result = apsp.solve(apsp.Graph.from_edges(range(9), range(1, 10), n=10))
    for numbers in (pandas.Series([7, 3], index=[2, 2]), pyarrow.array([7, 3]), pandas.array([7, 3], dtype="Int64")):
        assert result.distance(numbers, 9).tolist() == [2, 6]
    on_gpu = type("Gpus", (), {"__array__": None, "ndim": 1, "__cuda_array_interface__": {}})()
    pytest.raises(apsp.UsageError, result.distance, on_gpu, 9)


def test_many_pairs_of_a_factor_in_little_memory():
    graph = apsp.generate("roads", 3000, directed=False)
    result = apsp.solve(graph, keep="factor", statistics=False)
    pairs = np.random.default_rng(3).integers(0, 3000, (50000, 2))
    found = result.distances_of(pairs)
    np.testing.assert_array_equal(result.distances_of(pairs, memory="2MiB", threads=1), found)
    np.testing.assert_array_equal(result.distances_of(pairs, memory=1), found)
    rows = {s: result.row(int(s)) for s in pairs[:20, 0]}
    assert [rows[s][t] for s, t in pairs[:20]] == found[:20].tolist()
    pytest.raises(apsp.UsageError, result.distances_of, pairs, memory="much")


def test_some_sources_and_targets():
    graph = grid()
    result = apsp.solve(graph, sources=[7, 3, 399], targets=[0, 398])
    assert list(result.sources) == [7, 3, 399] and list(result.targets) == [0, 398]
    np.testing.assert_array_equal(result.distances, expected(graph)[np.ix_([7, 3, 399], [0, 398])])
    for given, message in (([], "at least one"), ([1, 1], "twice"), ([400], "unknown vertex")):
        with pytest.raises(apsp.UsageError, match=message):
            apsp.solve(graph, sources=given)


def test_result_without_a_matrix_says_what_to_do():
    result = apsp.solve(grid(), keep="statistics")
    with pytest.raises(apsp.UsageError, match="keep='matrix'"):
        result.distances
    pytest.raises(apsp.UsageError, result.distance, 0, 1)


@pytest.mark.parametrize("keep", ["matrix", "factor", "statistics"])
@pytest.mark.parametrize("some", [False, True])
def test_rows_come_block_by_block_each_once(keep, some):
    if some and keep == "factor":
        pytest.skip("a factor is kept of all")
    graph = grid()
    sources = [9, 300, 4] if some else None
    result = apsp.solve(graph, keep=keep, sources=sources)
    rows, whole = {}, expected(graph)
    for block in result.rows():
        assert block.distances.shape == (len(block.sources), 400)
        for source, row in zip(block.sources, block.distances):
            assert source not in rows
            rows[source] = np.array(row)
    assert sorted(rows) == sorted(sources or range(400))
    for source, row in rows.items():
        np.testing.assert_array_equal(row, whole[source])


def test_stream_of_rows_may_be_left_early():
    threads = threading.active_count()
    for block in apsp.rows(grid(60)):
        assert block.distances.shape[1] == 3600
        break
    stream = apsp.rows(grid(60), targets=[3])
    next(stream)
    stream.close()
    del stream
    assert threading.active_count() == threads


def test_stream_raises_what_the_solve_does():
    graph = apsp.Graph.from_edges(list("abc"), list("bca"), [1, -4, 1])
    with pytest.raises(apsp.NegativeCycleError) as caught:
        list(apsp.rows(graph))
    assert sorted(caught.value.cycle) == list("abc")


def test_negative_cycle_has_labels_and_weight():
    graph = apsp.Graph.from_edges(list("xabcx"), list("abcae"), [5, 1, -4, 1, 0])
    with pytest.raises(apsp.NegativeCycleError) as caught:
        apsp.solve(graph)
    assert sorted(caught.value.cycle) == list("abc") and caught.value.weight == -2
    again = pickle.loads(pickle.dumps(caught.value))
    assert again.cycle == caught.value.cycle and str(again) == str(caught.value)


def test_plan_tells_without_solving():
    plan = apsp.plan(grid(), algorithm="johnson", memory="1GiB", threads=1)
    assert plan["algorithm"] == "johnson" and plan["fits"] and plan["bytes_allowed"] <= 2**30
    assert str(plan) == plan["line"]
    assert not apsp.plan(grid(), memory=1000)["fits"]
    result = apsp.solve(grid(), algorithm="johnson")
    assert result.plan["algorithm"] == "johnson"
    assert result.figures["algorithm"] == "johnson" and result.figures["seconds_total"] > 0


def test_figures_and_plan_have_the_names_of_the_command_line():
    schema = json.loads((pathlib.Path(__file__).parents[2] / "docs/schema.json").read_text())["$defs"]
    result = apsp.solve(grid())
    absent = {"bandwidth", "grid", "rows_resumed", "pivots_resumed", "on_device", "streamed", "panel"}  # unless there is something to tell
    for told, kind in ((result.figures, "report"), (result.plan, "plan")):
        assert set(schema[kind]["properties"]) - absent <= set(told)


def test_what_does_not_fit_is_a_memory_error():
    with pytest.raises(MemoryError) as caught:
        apsp.solve(grid(), memory="100 kB", keep="matrix", algorithm="floyd-warshall")
    assert isinstance(caught.value, apsp.DoesNotFitError)


@pytest.mark.parametrize("options", [
    dict(algorithm="magic"), dict(semiring="plus"), dict(value_type="f16"), dict(value_type=np.int8),
    dict(device="tpu"), dict(device="cuda:x"), dict(device="cuda:1x"), dict(keep="all"), dict(memory="much"),
    dict(memory=-1), dict(output="x.txt"), dict(threads=-1), dict(output=""), dict(overwrite=True), dict(disk="1GiB"),
    dict(stored="factor", output="x.zarr", sources=[0])])
def test_options_that_are_wrong_are_refused(options, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pytest.raises(apsp.UsageError, apsp.solve, grid(), **options)


def test_unknown_option_of_a_plan_is_refused():
    pytest.raises(apsp.UsageError, apsp.plan, grid(), speed=3)


@pytest.mark.skipif(os.path.exists("/dev/nvidia0"), reason="there is a GPU")
def test_gpu_that_is_not_there_is_an_error():
    pytest.raises(apsp.DeviceError, apsp.solve, grid(), device="cuda")


@pytest.mark.parametrize("name", ["a.npy", "a.zarr"])
@pytest.mark.parametrize("solved_to_disk", [False, True])
def test_result_on_disk_is_opened_where_it_lies(tmp_path, name, solved_to_disk):
    graph = apsp.Graph.from_edges(list("abcab"), list("bcdde"), [1, 1, 1, 9, 5], directed=False)
    path = tmp_path / name
    if solved_to_disk:
        apsp.solve(graph, output=path, value_type="f64")
    else:
        apsp.solve(graph, value_type="f64").save(path)
    result = apsp.open(path, graph if name == "a.npy" else None)
    kind = np.memmap if name == "a.npy" else zarr.Array
    assert isinstance(result.distances, kind)
    np.testing.assert_array_equal(result.distances[:], expected(graph))
    assert result.distance("a", "e") == 6 and result.path("a", "d") == list("abcd")
    assert [block.sources for block in result.rows()] == [list("abcde")]
    assert result.verify()["passed"]
    assert result.statistics["diameter"] == 7
    assert result.plan is None


@pytest.mark.parametrize("name", ["a.npy", "a.zarr"])
def test_result_that_is_replaced_is_read_as_it_was_or_not_at_all(tmp_path, name):
    path = tmp_path / name
    first, second = (grid(34, seed=seed) for seed in (1, 2))
    before = expected(first)
    apsp.solve(first, output=path, value_type="f64")
    result = apsp.open(path, first)
    array = result.distances
    assert array[0, 1] == before[0, 1] == result.distance(0, 1)
    apsp.solve(second, output=path, value_type="f64")
    with pytest.raises(apsp.InputOutputError):
        result.distances
    if name == "a.npy":
        np.testing.assert_array_equal(array[:], before)
        np.testing.assert_array_equal(result.row(1155), before[1155])
    else:
        assert result.distance(0, 1) == before[0, 1], "of a chunk that was read"
        for read in (lambda: array[:], lambda: pickle.loads(pickle.dumps(array))[1150, 1150],
                     lambda: result.row(1155), lambda: list(result.rows()),
                     lambda: result.predecessors(1155)):
            pytest.raises(apsp.InputOutputError, read)
    np.testing.assert_array_equal(apsp.open(path, second).distances[:], expected(second))


def test_missing_chunk_is_no_missing_path(tmp_path):
    path = tmp_path / "a.zarr"
    apsp.solve(grid(34), output=path)
    array = apsp.open(path).distances
    (path / "distance" / "c" / "1" / "1").unlink()
    assert array[0, 0] == 0
    with pytest.raises(apsp.InputError):
        array[1155, 1155]


def test_factor_on_disk_is_opened(tmp_path):
    graph = grid(30)
    apsp.solve(graph, output=tmp_path / "a.zarr", keep="factor", stored="factor")
    result = apsp.open(tmp_path / "a.zarr")
    assert result.kept == "factor"
    np.testing.assert_array_equal(result.row(17), expected(graph)[17])
    with pytest.raises(apsp.UsageError):
        result.distances


@pytest.mark.parametrize("call", [apsp.solve, apsp.plan, lambda *a, **o: list(apsp.rows(*a, **o))])
def test_output_that_is_the_file_of_the_graph_is_refused(tmp_path, call):
    np.save(tmp_path / "w.npy", np.ones((4, 4)))
    before = (tmp_path / "w.npy").read_bytes()
    os.link(tmp_path / "w.npy", tmp_path / "hard.npy")
    os.symlink("w.npy", tmp_path / "soft.npy")
    for name in ("w.npy", "hard.npy", "soft.npy"):
        pytest.raises(apsp.UsageError, call, str(tmp_path / "w.npy"), output=tmp_path / name)
    assert (tmp_path / "w.npy").read_bytes() == before


def test_result_is_not_its_own_graph_and_no_page(tmp_path):
    graph = grid()
    apsp.solve(graph, output=tmp_path / "y.npy")
    pytest.raises(apsp.UsageError, apsp.open, tmp_path / "y.npy", tmp_path / "y.npy")
    with pytest.raises(apsp.UsageError):
        apsp.open(tmp_path / "y.npy", graph).report(tmp_path / "y.npy")


def test_output_in_the_way_needs_a_word(tmp_path):
    path = tmp_path / "missing" / "a.npy"
    pytest.raises(OSError, apsp.solve, grid(), output=path)


def test_verify_finds_a_wrong_distance(tmp_path):
    graph = grid()
    result = apsp.solve(graph)
    report = result.verify()
    assert report["passed"] and report["meaning"] == "proof"
    result.save(tmp_path / "a.npy")
    matrix = np.load(tmp_path / "a.npy")
    matrix[3, 5] += 1
    np.save(tmp_path / "a.npy", matrix)
    report = apsp.open(tmp_path / "a.npy", graph).verify()
    assert not report["passed"] and any(check["failed"] for check in report["checks"])


@pytest.mark.parametrize("semiring, none", [("min-plus", np.inf), ("max-min", -np.inf),
                                            ("min_max", np.inf), ("or-and", 0)])
def test_semirings_and_their_no_path(semiring, none):
    graph = apsp.Graph.from_edges([0, 1], [1, 2], [3, 4], n=4)
    result = apsp.solve(graph, semiring=semiring, value_type=None if semiring == "or-and" else "f64")
    assert result.no_path == none and result.distances[0, 3] == none
    assert result.distances[0, 2] == {"min-plus": 7, "max-min": 3, "min_max": 4, "or-and": 1}[semiring]
    assert result.distance(0, 3) == none


def test_integers_say_no_path_by_a_number():
    graph = apsp.Graph.from_edges([0], [1], [3], n=3)
    for value_type, none in (("u16", 2**15 - 1), ("i32", 2**30 - 1)):
        result = apsp.solve(graph, value_type=value_type)
        assert result.no_path == none == result.distances[0, 2] and result.distance(0, 2) == np.inf


def test_planes_are_kept_on_disk(tmp_path):
    apsp.solve(grid(5), output=tmp_path / "a.zarr", predecessors=True, hops=True)
    group = zarr.open_group(tmp_path / "a.zarr", mode="r")
    assert {"distance", "predecessor", "via", "hops"} <= set(group)


def test_progress_is_told_to_a_function():
    told = []
    graph = apsp.generate("gnp", 1500, probability=0.5, seed=2)
    apsp.solve(graph, algorithm="floyd-warshall", value_type="f64", threads=1,
               progress=lambda *words: told.append(words))
    assert told
    task, done, total, unit = told[-1]
    assert isinstance(task, str) and 0 <= done <= total and isinstance(unit, str)


def test_progress_that_fails_ends_the_solve():
    def fail(*_):
        raise ZeroDivisionError

    graph = apsp.generate("gnp", 1500, probability=0.5, seed=2)
    with pytest.raises(ZeroDivisionError):
        apsp.solve(graph, algorithm="floyd-warshall", value_type="f64", threads=1, progress=fail)
    pytest.raises(TypeError, apsp.solve, graph, progress=3)


def test_progress_is_a_bar_of_tqdm(capsys):
    graph = apsp.generate("gnp", 1500, probability=0.5, seed=2)
    apsp.solve(graph, algorithm="floyd-warshall", value_type="f64", threads=1, progress=True)
    assert "%" in capsys.readouterr().err


@pytest.mark.parametrize("solve", [
    lambda graph: apsp.solve(graph, algorithm="floyd-warshall", value_type="f64"),
    lambda graph: apsp.solve(graph, algorithm="johnson"),
    lambda graph: [None for _ in apsp.rows(graph, algorithm="johnson")],
    lambda _: _apsp.floyd_warshall_in_place(np.ones((3000, 3000))),
    lambda _: apsp.solve(apsp.generate("geometric", 200_000, directed=False), keep="factor",
                         algorithm="nested-dissection", statistics=False),
    lambda _: apsp.generate("rmat", 500_000),  # takes no control of its own
    lambda _: apsp.betweenness(apsp.generate("path", 500_000), sources=range(4))],
    ids=["matrix", "searches", "stream", "in place", "order of a large graph", "large graph", "betweenness"])
def test_ctrl_c_ends_a_solve_at_once(solve):
    graph = apsp.generate("gnp", 4000, probability=0.02, seed=2)
    took = []
    while len(took) < 5 and min(took, default=1) >= 0.2:  # other processes may be in the way
        sent = None

        def interrupt():
            nonlocal sent
            time.sleep(0.4)
            sent = time.monotonic()
            os.kill(os.getpid(), signal.SIGINT)

        thread = threading.Thread(target=interrupt)
        thread.start()
        with pytest.raises(KeyboardInterrupt):
            while True:  # however fast the machine is
                solve(graph)
        took.append(time.monotonic() - sent)
        thread.join()
    assert min(took) < 0.2
    assert apsp.solve(grid(5)).distance(0, 24) > 0


def test_interrupted_output_is_gone_on_with(tmp_path):
    graph = apsp.generate("geometric", 4000, radius=0.02, directed=False, seed=5)
    path = tmp_path / "a.zarr"

    def stop(task, done, total, unit):
        if done > 0:
            raise KeyboardInterrupt

    options = dict(output=path, algorithm="johnson", threads=1, keep="statistics", value_type="f64")
    try:
        apsp.solve(graph, progress=stop, **options)
    except KeyboardInterrupt:
        assert not path.exists()
    result = apsp.solve(graph, resume=True, **options)
    np.testing.assert_array_equal(result.distances[:5], expected(graph)[:5])


def test_refusal_names_keywords_and_its_advice_is_taken():
    graph = grid(80)
    options = dict(algorithm="floyd-warshall", device="cpu", threads=1, memory="40MiB")
    with pytest.raises(apsp.DoesNotFitError, match='algorithm="auto"') as caught:
        apsp.solve(graph, **options)
    assert "--" not in str(caught.value)
    plan = apsp.plan(graph, **options)
    assert plan["what_would_fit"] == str(caught.value) and plan["advice"] == caught.value.advice
    assert {"algorithm": "auto"} in plan["advice"]
    for advice in plan["advice"]:
        if "output" not in advice and "sources" not in advice:
            assert apsp.plan(graph, **{**options, **advice})["fits"]


def test_result_is_not_pickled():
    pytest.raises(TypeError, pickle.dumps, apsp.solve(grid(3)))


def test_result_is_made_by_its_makers_alone():
    pytest.raises(TypeError, apsp.Result)


@pytest.mark.parametrize("n", [0, 1, 2])
def test_tiny_graphs(n):
    result = apsp.solve(apsp.Graph.from_edges([], [], n=n))
    assert result.distances.shape == (n, n)
    assert [len(block.sources) for block in result.rows()] == ([n] if n else [])
    assert len(list(apsp.rows(apsp.Graph.from_edges([], [], n=n)))) == (1 if n else 0)


def test_report_is_one_page(tmp_path):
    result = apsp.solve(grid(12))
    page = result.report(title="A grid", verify=True)
    assert page.lstrip().startswith("<!DOCTYPE html>") and "A grid" in page and "proof" in page
    assert result.report(tmp_path / "a.html", title="A grid", verify=True) is None
    assert (tmp_path / "a.html").read_text().count("<svg") == page.count("<svg") > 0


def test_report_takes_coordinates(tmp_path):
    graph = grid(12)
    result = apsp.solve(graph)
    places = np.array([(v % 12, v // 12) for v in range(144)])
    (tmp_path / "places.csv").write_text("".join(f"{v},{x},{y}\n" for v, (x, y) in enumerate(places)))
    page = result.report(unit="min", maps={"jobs": np.arange(len(places))})
    assert 'aria-label="jobs"' in page and "Eccentricity (min)" in page
    with pytest.raises(apsp.UsageError):
        result.report(maps={"jobs": [1.0]})
    drawn = result.report(coordinates=places)
    assert drawn != result.report()
    assert drawn == result.report(coordinates=tmp_path / "places.csv")
    pytest.raises(apsp.UsageError, result.report, coordinates=places[:5])
    pytest.raises(apsp.UsageError, result.report, coordinates=[1, 2])
    (tmp_path / "bad.csv").write_text("0,x,1\n")
    pytest.raises(apsp.InputError, result.report, coordinates=tmp_path / "bad.csv")


def test_a_table_refuses_what_it_does_not_take(tmp_path):
    graph = grid(5)
    for of, name, options in ((graph, "t.csv", dict(layout="round")), (apsp.solve(graph), "t.csv", dict(algorithm="johnson")),
                              (graph, "t.csv", dict(speed=3)), (graph, "t.csv", dict(second=apsp.generate("path", 3)))):
        pytest.raises(apsp.UsageError, apsp.write_table, of, tmp_path / name, **options)
    assert not os.listdir(tmp_path)
    (tmp_path / "g.csv").write_text("a,b,1\n")
    pytest.raises(apsp.UsageError, apsp.write_table, tmp_path / "g.csv", tmp_path / "g.csv")
    assert (tmp_path / "g.csv").read_text() == "a,b,1\n"
