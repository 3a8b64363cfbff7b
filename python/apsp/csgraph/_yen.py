"""The K shortest paths without loops."""

import operator

import numpy as np

from .._errors import NegativeCycleError
from ._errors import translated
from ._input import arcs_of


def yen(csgraph, source, sink, K, *, directed=True, return_predecessors=False, unweighted=False):
    """The K shortest paths without loops from one vertex to another.

    Parameters
    ----------
    csgraph : array_like, masked array, sparse array or matrix, (N, N)
        As of `shortest_path`, and so are `directed` and `unweighted`.
    source, sink : int
        The ends, from 0 to N - 1.
    K : int
        How many paths to find.
    return_predecessors : bool
        Also return predecessors.

    Returns
    -------
    dist_array : ndarray of float64, (M,)
        Lengths of the M ≤ K paths that there are, rising.
    predecessors : ndarray of int32, (M, N)
        A row a path: the vertex before each on it; -9999 elsewhere.

    Raises
    ------
    NegativeCycleError
        Some cycle of the graph has a negative weight.
    ValueError
        An end is no vertex; K is negative.

    Notes
    -----
    Yen, Management Science 1971; negative weights are reduced by potentials first (Johnson 1977).

    Examples
    --------
    >>> import numpy as np
    >>> from apsp.csgraph import yen
    >>> yen(np.array([[0, 1, 4], [0, 0, 2], [0, 0, 0]]), 0, 2, 5)
    array([3., 4.])
    """
    try:
        arcs = arcs_of(csgraph, directed, unweighted)
        ends = [operator.index(source), operator.index(sink)]
        for name, end in zip(("source", "sink"), ends):
            if not 0 <= end < arcs.n:
                raise ValueError(f"{name} must have 0 <= {name} < {arcs.n}, not {end}")
        count = operator.index(K)
        if count < 0:
            raise ValueError(f"K is a number of paths, not {count}")
        paths = arcs.k_shortest(*ends, count)
    except NegativeCycleError as error:
        raise translated(error, "J") from None
    lengths = np.array([length for length, _ in paths], dtype=np.float64)
    if not return_predecessors:
        return lengths
    predecessors = np.full((len(paths), arcs.n), -9999, dtype=np.int32)
    for row, (_, vertices) in zip(predecessors, paths):
        row[vertices[1:]] = vertices[:-1]
    return lengths, predecessors
