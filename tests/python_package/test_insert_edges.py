"""New edges in closed matrices of distances: against solving again."""

import numpy as np
import pytest

import apsp

from arrays_on_gpu import CASES, SEMIRINGS, cuda_is_there, cupy, jax, no_path, torch  # noqa: F401: fixtures


def weights_of(n, semiring, dtype, seed):
    """A random graph; of max-plus without cycles."""
    random = np.random.default_rng(seed)
    weights = np.full((n, n), no_path(semiring, dtype), dtype)
    there = random.random((n, n)) < 0.08
    if semiring == "max-plus":
        there = np.triu(there, 1)
    weights[there] = random.integers(1, 400, there.sum())
    return weights


def edges_of(n, count, semiring, seed):
    random = np.random.default_rng(seed)
    sources, targets = random.integers(0, n, (2, count))
    if semiring == "max-plus":
        sources, targets = np.minimum(sources, targets), np.maximum(sources, targets)
        sources, targets = sources[sources < targets], targets[sources < targets]
    return sources, targets, random.integers(1, 300, len(sources))


def with_edges(weights, edges, semiring):
    changed = weights.copy()
    SEMIRINGS[semiring][0].at(changed, edges[:2], edges[2].astype(weights.dtype))
    return changed


def expected(weights, edges, semiring):
    return apsp.floyd_warshall(with_edges(weights, edges, semiring), semiring=semiring)


@pytest.mark.parametrize("semiring, dtype", CASES)
@pytest.mark.parametrize("count", [1, 7, 60])
def test_it_is_solving_again(semiring, dtype, count):
    weights = weights_of(50, semiring, dtype, count)
    distances = apsp.floyd_warshall(weights, semiring=semiring)
    before = distances.copy()
    edges = edges_of(50, count, semiring, count + 1)
    found = apsp.insert_edges(distances, edges, semiring=semiring)
    np.testing.assert_array_equal(found, expected(weights, edges, semiring))
    np.testing.assert_array_equal(distances, before)


def test_edges_of_one_tail_and_of_one_head():
    weights = weights_of(40, "min-plus", "int32", 9)
    distances = apsp.floyd_warshall(weights)
    for edges in ((np.full(9, 3), np.arange(9, 18), np.full(9, 2)), (np.arange(9, 18), np.full(9, 3), np.full(9, 2))):
        np.testing.assert_array_equal(apsp.insert_edges(distances, edges), expected(weights, edges, "min-plus"))


def test_sums_that_no_bound_would_allow():
    """A bound by the longest of all arcs times their number would refuse these distances."""
    distances = np.full((40, 40), 2**30 - 1, np.int32)
    np.fill_diagonal(distances, 0)
    edges = [(i, i + 1, 2**24) for i in range(39)]
    found = apsp.insert_edges(distances, edges)
    assert found[0, 39] == 39 * 2**24 and found[39, 0] == 2**30 - 1


def test_parallel_edges_and_loops_and_a_list():
    distances = apsp.floyd_warshall(np.array([[0, 9, np.inf], [9, 0, 9], [np.inf, 9, 0]]))
    found = apsp.insert_edges(distances, [(0, 2, 8), (0, 2, 3), (0, 2, 5), (1, 1, 4)])
    assert found[0, 2] == 3 and found[1, 1] == 0 and found[2, 0] == 18


def test_bool():
    random = np.random.default_rng(2)
    weights = random.random((30, 30)) < 0.03
    edges = (np.array([1, 2]), np.array([20, 1]), np.array([True, True]))
    changed = weights.copy()
    changed[edges[:2]] = True
    found = apsp.insert_edges(apsp.floyd_warshall(weights, semiring="or-and"), edges, semiring="or-and")
    np.testing.assert_array_equal(found, apsp.floyd_warshall(changed, semiring="or-and"))


def test_overwrite_and_nothing_to_do():
    distances = np.array([[0.0, 5.0], [5.0, 0.0]])
    assert apsp.insert_edges(distances, [(0, 1, 2.0)], overwrite=True) is distances
    assert distances[0, 1] == 2
    assert apsp.insert_edges(distances, [], overwrite=True) is distances


def test_negative_weights_and_cycles():
    distances = np.array([[0.0, 5.0, 9.0], [np.inf, 0.0, 4.0], [np.inf, np.inf, 0.0]])
    np.testing.assert_array_equal(apsp.insert_edges(distances, [(2, 0, -3.0)])[2], [-3.0, 2.0, 0.0])
    pytest.raises(apsp.NegativeCycleError, apsp.insert_edges, distances, [(2, 0, -10.0)])


@pytest.mark.parametrize("edges", [
    [(0, 2, 1)], [(-1, 0, 1)], [(0, 1)], (np.arange(2), np.arange(2), np.arange(1)), [(0, 1, float("nan"))],
    [(0, 1, 0.5)], [(0, 1, 2**30)]])
def test_what_is_wrong_with_edges(edges):
    pytest.raises(apsp.UsageError, apsp.insert_edges, np.array([[0, 1], [1, 0]], np.int32), edges)


def test_what_is_wrong_with_a_matrix():
    pytest.raises(apsp.UsageError, apsp.insert_edges, np.zeros((2, 3)), [(0, 1, 1)])
    pytest.raises(apsp.UsageError, apsp.insert_edges, np.zeros((2, 2), np.int64), [(0, 1, 1)])
    frozen = np.zeros((2, 2))
    frozen.flags.writeable = False
    pytest.raises(apsp.UsageError, apsp.insert_edges, frozen, [(0, 1, 1)], overwrite=True)


@pytest.mark.parametrize("kind", ["torch", "cupy", "jax"])
@pytest.mark.parametrize("dtype", ["float32", "int32"])
def test_on_a_gpu(kind, dtype, request):
    module = request.getfixturevalue(kind)
    weights = weights_of(300, "min-plus", dtype, 5)
    edges = edges_of(300, 40, "min-plus", 6)
    wanted = expected(weights, edges, "min-plus")
    if kind == "torch":
        there = module.from_numpy(apsp.floyd_warshall(weights)).cuda()
        found = apsp.insert_edges(there, edges).cpu().numpy()
    else:
        xp = module if kind == "cupy" else module.numpy
        found = apsp.insert_edges(xp.asarray(apsp.floyd_warshall(weights)), edges)
        found = found.get() if kind == "cupy" else np.asarray(found)
    np.testing.assert_array_equal(found, wanted)
