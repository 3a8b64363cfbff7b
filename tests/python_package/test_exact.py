"""Random solves against exact arithmetic, from Python: matrices, sparse arrays, edges; csgraph."""

import pathlib
import sys

import numpy as np
import pytest
import scipy.sparse

import apsp
import apsp.csgraph

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import exact_solves  # noqa: E402

FEW = 300


def graph_of(problem):
    """As a matrix, a sparse array or edges."""
    form = problem.random.choice(("matrix", "sparse", "edges"))
    if form == "matrix":
        return form, apsp.Graph.from_numpy(problem.as_matrix(), directed=problem.directed)
    u, v, weights = (np.array(part) for part in zip(*problem.edges(), strict=True))
    if form == "sparse" and problem.directed:
        array = scipy.sparse.coo_array((weights, (u, v)), shape=(problem.n, problem.n))
        return form, apsp.Graph.from_scipy(array, directed=True)
    return "edges", apsp.Graph.from_edges(u, v, weights, n=problem.n, directed=problem.directed)


def solved(problem, graph):
    options = dict(semiring=problem.semiring, value_type=problem.dtype, threads=1, keep="matrix",
                   tolerance=problem.tolerance)
    try:
        return apsp.solve(graph, algorithm=problem.algorithm, **options)
    except apsp.UsageError:  # the algorithm does not take this graph
        return apsp.solve(graph, **options)


def test_every_distance_is_within_the_printed_bound():
    comparison = exact_solves.Comparison()
    for seed in exact_solves.trials(FEW):
        problem = exact_solves.Problem(seed)
        form, graph = graph_of(problem)
        try:
            result = solved(problem, graph)
        except apsp.DoesNotFitError as error:
            comparison.refuse(problem, str(error))
            continue
        assert result.verify()["passed"]
        comparison.compare(form, problem, result.distances, result.plan["precision"], result.no_path)
    comparison.tell()
    assert min(comparison.doors.values()) > 0


def test_csgraph_is_within_the_bound_of_float64():
    comparison = exact_solves.Comparison()
    for seed in exact_solves.trials(FEW // 3):
        problem = exact_solves.Problem(seed)
        if problem.semiring != "min-plus" or problem.signed:
            continue
        problem.weights[problem.weights == 0] = np.nan  # no edge, in SciPy's dense matrices
        matrix = np.where(np.isnan(problem.weights), np.inf, problem.weights)
        found = apsp.csgraph.shortest_path(matrix, directed=True)
        comparison.compare("csgraph", problem, found, "error at most 1.2e-16 an edge of the path, relative", np.inf)
    comparison.tell()


def test_small_weights_stay_what_they_are():
    matrix = np.array([[0, 1e-50, np.inf], [np.inf, 0, 3e-50], [np.inf, np.inf, 0]])
    result = apsp.solve(matrix)
    assert result.value_type == "f64"
    assert result.distance(0, 2) == pytest.approx(4e-50, rel=1e-15)
    assert "f32 would cut a weight of 1e-50" in result.plan["why_value_type"]
    pytest.raises(apsp.DoesNotFitError, apsp.solve, matrix, value_type="f32")


def test_small_values_of_float32_are_exact_in_it():
    matrix = np.array([[0, 1e-42, np.inf], [np.inf, 0, 3e-42], [np.inf, np.inf, 0]], np.float32)
    result = apsp.solve(matrix, value_type="float32")
    assert result.distance(0, 2) == float(matrix[0, 1]) + float(matrix[1, 2])
    assert apsp.floyd_warshall(matrix)[0, 2] == matrix[0, 1] + matrix[1, 2]


def test_a_tolerance_decides_between_float32_and_float64():
    chain = apsp.Graph.from_edges(np.arange(2000), np.arange(1, 2001), np.full(2000, 0.1), n=2001, directed=False)
    assert apsp.solve(chain).distance(0, 2000) == pytest.approx(200, rel=1e-12)
    assert apsp.plan(chain)["value_type"] == "f64"
    assert apsp.plan(chain, tolerance=1e-3)["value_type"] == "f32"
    pytest.raises(apsp.UsageError, apsp.plan, chain, tolerance=-1)
