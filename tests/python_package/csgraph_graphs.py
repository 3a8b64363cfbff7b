"""What the tests of apsp.csgraph share: graphs, a plain textbook, and a check of predecessors."""

import numpy as np

METHODS = ("auto", "FW", "D", "BF", "J")
# Every way of the engine that a graph may take.
WAYS = ("automatic", "searches", "floyd_warshall", "library")


def textbook(weights):
    """Floyd's algorithm on weights [n, n], inf where there is no arc."""
    distances = np.array(weights, dtype=float)
    np.fill_diagonal(distances, np.minimum(np.diagonal(distances), 0))
    for k in range(len(distances)):
        np.minimum(distances, distances[:, k, None] + distances[None, k, :], out=distances)
    return distances


def weights_of(dense):
    """A dense input as the textbook wants it."""
    values = np.array(dense, dtype=float)
    values[(values == 0) | ~np.isfinite(values)] = np.inf
    return values


def random_matrix(n, arcs, seed, low=1, high=100, real=False):
    """[n, n] with about so many arcs of integer weight, or of real ones, 0 elsewhere."""
    random = np.random.default_rng(seed)
    values = np.zeros((n, n))
    if n < 2:
        return values
    rows, columns = random.integers(0, n, (2, arcs))
    weights = random.uniform(low, high, arcs) if real else random.integers(low, high, arcs)
    values[rows, columns] = weights
    np.fill_diagonal(values, 0)
    return values


def shifted(matrix, seed):
    """The same with weights of both signs and no negative cycle: w + h(v) - h(u), none of them 0."""
    random = np.random.default_rng(seed)
    h = random.integers(-50, 50, len(matrix)).astype(float)
    arcs = matrix != 0
    values = np.where(arcs, matrix + h[None, :] - h[:, None], 0)
    return np.where(arcs & (values == 0), np.inf, values)


def assert_tree(weights, sources, distances, predecessors, rtol=1e-12):
    """Predecessors lead every reachable vertex back to its source, over arcs that add up."""
    n = len(weights)
    assert predecessors.dtype == np.int32
    for source, row, before in zip(sources, distances, predecessors):
        there = np.isfinite(row)
        there[source] = False
        assert ((before == -9999) == ~there).all()
        heads = np.flatnonzero(there)
        arcs = weights[before[heads], heads]
        scale = np.abs(row[there]).max(initial=1)
        np.testing.assert_allclose(row[before[heads]] + arcs, row[heads], rtol=rtol, atol=rtol * scale)
        at = heads
        for _ in range(n):
            at = before[at]
            at = at[at != source]
            if not len(at):
                break
            assert (at >= 0).all()
        assert not len(at), "predecessors go round in a circle"
