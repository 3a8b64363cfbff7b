"""Random solves against exact arithmetic, through both doors: text, .npy and arrays in, .zarr out. Small weights in every
form, and chains too long for f32."""

import pathlib
import sys

import numpy as np
import pytest
import zarr

from doors import Refused, refused

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import exact_solves  # noqa: E402

FEW = {"Command": 25, "Package": 150}
SMALL = "a b 1e-50\nb c 3e-50\n"


def solved(door, problem, graph):
    """What the door told; where the algorithm does not take this graph, another does."""
    options = dict(overwrite=True, semiring=problem.semiring, value_type=problem.dtype, tolerance=problem.tolerance, threads=1,
                   directed=problem.directed, statistics=False)
    try:
        return door.solve(graph, "out.zarr", algorithm=problem.algorithm, **options)
    except Refused as error:
        if error.kind != "usage":
            raise
        return door.solve(graph, "out.zarr", **options)


@pytest.mark.parametrize("form", ["text", "npy"])
def test_every_distance_is_within_the_printed_bound(door, tmp_path, form):
    comparison = exact_solves.Comparison()
    for seed in exact_solves.trials(FEW[type(door).__name__]):
        problem = exact_solves.Problem(seed)
        (tmp_path / "graph.txt").write_text(problem.edge_list())
        if form == "npy":
            np.save(tmp_path / "graph.npy", problem.as_matrix())
        try:
            told = solved(door, problem, f"graph.{'txt' if form == 'text' else 'npy'}")
        except Refused as error:
            assert error.kind == "does_not_fit"
            comparison.refuse(problem, error.message)
            continue
        found = zarr.open_group(tmp_path / "out.zarr", mode="r")["distance"]
        comparison.compare(form, problem, found[:], told["plan"]["precision"], found.fill_value)
        assert seed % 5 or door.verify("out.zarr")["passed"]
    comparison.tell()
    assert comparison.doors.total() >= 1


@pytest.mark.parametrize("semiring, ends", [("min-plus", 4e-50), ("max-plus", 4e-50),
                                            ("max-min", 1e-50), ("min-max", 3e-50)])
def test_small_weights_stay_what_they_are(door, tmp_path, semiring, ends):
    (tmp_path / "small.txt").write_text(SMALL)
    plan = door.solve("small.txt", "small.zarr", directed=True, semiring=semiring)["plan"]
    assert plan["value_type"] == "f64" and "1e-50" in plan["why_value_type"]
    assert door.distance("small.zarr", "a", "c") == pytest.approx(ends, rel=1e-15)
    assert door.path("small.zarr", "a", "c") == ["a", "b", "c"] and door.verify("small.zarr")["passed"]
    refused("does_not_fit", door.solve, "small.txt", directed=True, semiring=semiring, value_type="f32")


@pytest.mark.parametrize("algorithm", ["auto", "nested-dissection", "floyd-warshall", "boundary"])
def test_a_small_negative_distance_next_to_large_ones_keeps_its_digits(door, tmp_path, algorithm):
    (tmp_path / "g.txt").write_text("s t -1.00000000123456e-9\na b -123456.789\nb t -876543.21\nt u -0.1\n")
    options = dict(directed=True, value_type="f64")
    door.solve("g.txt", "g.zarr", algorithm=algorithm, **options)
    assert door.distance("g.zarr", "s", "t") == -1.00000000123456e-9
    refused("usage", door.solve, "g.txt", algorithm="johnson", **options)


@pytest.mark.parametrize("weight", [1e-50, 1e-42])
@pytest.mark.parametrize("semiring", ["min-plus", "max-min", "min-max"])
def test_verify_fails_what_f32_cannot_hold(run, tmp_path, weight, semiring):
    # As another program, or an earlier version, may have stored it.
    (tmp_path / "small.txt").write_text(f"0 1 {weight}\n1 2 {3 * weight}\n")
    run("solve", "small.txt", "--directed", "-o", "right.npy", "--semiring", semiring)
    values = np.load(tmp_path / "right.npy")
    assert values.dtype == np.float64
    np.save(tmp_path / "cut.npy", values.astype(np.float32))
    words = ("small.txt", "--directed", "--semiring", semiring, "--json")
    assert run("verify", "right.npy", *words).json()["verification"]["passed"]
    checks = run("verify", "cut.npy", *words, code=1).json()["verification"]["checks"]
    assert any(check["failed"] for check in checks)


def test_a_long_chain_is_exact_to_the_tolerance(door, tmp_path):
    (tmp_path / "chain.txt").write_text("".join(f"{v} {v + 1} 0.1\n" for v in range(3000)))
    plan = lambda **options: door.plan("chain.txt", directed=False, **options)
    assert door.distance("chain.txt", 0, 3000, directed=False) == pytest.approx(300, rel=1e-12)
    assert plan()["value_type"] == "f64" and plan(tolerance=1e-3)["value_type"] == "f32"
    assert plan(value_type="f32")["precision"].startswith("error at most 6.0e-08 an edge of the path, relative")
    for wrong in (-1, "nan", "x"):
        refused("usage", plan, tolerance=wrong)


def test_sums_beyond_every_type_are_refused(door, tmp_path):
    (tmp_path / "large.txt").write_text("0 1 1e308\n1 2 1.5e308\n")
    refused("does_not_fit", door.solve, "large.txt")
    assert door.distance("large.txt", 0, 2, semiring="min-max") == 1.5e308
    (tmp_path / "large.txt").write_text("0 1 100000000000000000\n1 2 5\n")
    assert door.distance("large.txt", 0, 1, value_type="f64") == 1e17
    (tmp_path / "wrong.txt").write_text("0 1 100000000000000001\n")
    refused("input", door.solve, "wrong.txt")


def test_csgraph_is_within_the_bound_of_float64():
    csgraph = pytest.importorskip("apsp.csgraph")
    comparison = exact_solves.Comparison()
    for seed in exact_solves.trials(100):
        problem = exact_solves.Problem(seed)
        if problem.semiring != "min-plus" or problem.signed:
            continue
        problem.weights[problem.weights == 0] = np.nan  # no edge, in SciPy's dense matrices
        matrix = np.where(np.isnan(problem.weights), np.inf, problem.weights)
        found = csgraph.shortest_path(matrix, directed=True)
        comparison.compare("csgraph", problem, found, "error at most 1.2e-16 an edge of the path, relative", np.inf)
    comparison.tell()


def test_small_values_of_float32_are_exact_in_it():
    apsp = pytest.importorskip("apsp")
    matrix = np.array([[0, 1e-42, np.inf], [np.inf, 0, 3e-42], [np.inf, np.inf, 0]], np.float32)
    assert apsp.solve(matrix, value_type="float32").distance(0, 2) == float(matrix[0, 1]) + float(matrix[1, 2])
    assert apsp.floyd_warshall(matrix)[0, 2] == matrix[0, 1] + matrix[1, 2]
