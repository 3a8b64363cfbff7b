"""What predecessors describe: lengths of paths, and trees."""

import numpy as np

from .._apsp import walk_lengths
from ._conversions import weights_of
from ._input import arcs_of


def construct_dist_matrix(graph, predecessors, directed=True, null_value=np.inf):
    """The lengths of the paths that predecessors describe.

    Parameters
    ----------
    graph : array_like, masked array, sparse array or matrix, (N, N)
        As of `shortest_path`, and so is `directed`.
    predecessors : ndarray of int32, (N, N)
        As `shortest_path` returns them.
    null_value : float
        What stands where there is no path.

    Returns
    -------
    dist_matrix : ndarray of float64, (N, N)

    Raises
    ------
    TypeError
        Predecessors are not int32.
    ValueError
        They have another shape than the graph, or go round in a circle.

    Examples
    --------
    >>> import numpy as np
    >>> from apsp.csgraph import construct_dist_matrix
    >>> construct_dist_matrix(np.array([[0, 3], [0, 0]]), np.array([[-9999, 0], [-9999, -9999]], dtype=np.int32))
    array([[ 0.,  3.],
           [inf,  0.]])
    """
    predecessors = np.asarray(predecessors)
    if predecessors.dtype != np.int32:
        raise TypeError(f"predecessors are int32, not {predecessors.dtype}")
    weights = weights_of(graph, directed)
    if predecessors.shape != weights.shape:
        raise ValueError(f"predecessors have shape {predecessors.shape}, the graph {weights.shape}")
    distances = np.empty_like(weights)
    walk_lengths(weights, np.ascontiguousarray(predecessors), distances, float(null_value))
    return distances


def reconstruct_path(csgraph, predecessors, directed=True):
    """The tree that a row of predecessors describes, with the graph's weights.

    Parameters
    ----------
    csgraph : array_like, masked array, sparse array or matrix, (N, N)
        As of `shortest_path`, and so is `directed`.
    predecessors : array_like of int, (N,)
        The vertex before each; negative where there is none.

    Returns
    -------
    cstree : scipy.sparse.csr_array or csr_matrix of float64, (N, N)
        A csr_matrix where the input is one of SciPy's sparse matrices.

    Raises
    ------
    ValueError
        Not a predecessor a vertex, or some arc is not in the graph.

    Examples
    --------
    >>> import numpy as np
    >>> from apsp.csgraph import reconstruct_path
    >>> reconstruct_path(np.array([[0, 1, 2], [0, 0, 0], [0, 0, 0]]), [-9999, 0, 0]).toarray()
    array([[0., 1., 2.],
           [0., 0., 0.],
           [0., 0., 0.]])
    """
    import scipy.sparse

    arcs = arcs_of(csgraph, True, False, to_be_solved=False)
    before = np.asarray(predecessors)
    if before.size and before.dtype.kind not in "iu":
        raise ValueError(f"predecessors are integral, not {before.dtype}")
    if before.shape != (arcs.n,) or (before.size and before.max() >= arcs.n):
        raise ValueError(f"predecessors are a vertex, or less than 0, for each of {arcs.n} vertices")
    heads = np.flatnonzero(before >= 0)
    heads = heads[np.argsort(before[heads], kind="stable")]
    tails = before[heads].astype(np.int64)
    weights = _weights_between(arcs, tails, heads)
    if not directed:
        weights = np.minimum(weights, _weights_between(arcs, heads, tails))
    if not np.isfinite(weights).all():
        missing = np.flatnonzero(~np.isfinite(weights))[0]
        raise ValueError(f"the graph has no arc {tails[missing]} → {heads[missing]}")
    offsets = np.searchsorted(tails, np.arange(arcs.n + 1))
    matrix = isinstance(csgraph, scipy.sparse.spmatrix)
    kind = scipy.sparse.csr_matrix if matrix else scipy.sparse.csr_array
    return kind((weights, heads.astype(np.int32), offsets.astype(np.int32)), shape=(arcs.n, arcs.n))


def _weights_between(arcs, tails, heads):
    """inf where there is no arc."""
    offsets, targets, weights = arcs.rows()
    if not len(targets):
        return np.full(len(tails), np.inf)
    keys = np.repeat(np.arange(arcs.n), np.diff(offsets)) * arcs.n + targets
    wanted = tails * arcs.n + heads
    places = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where(keys[places] == wanted, weights[places], np.inf)
