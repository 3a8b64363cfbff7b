"""Distances and predecessors: shortest_path and the four methods that SciPy names."""

import numpy as np

from .._apsp import Arcs, clean_matrix, floyd_warshall_in_place
from .._errors import NegativeCycleError
from ._errors import translated
from ._input import arcs_of, is_sparse, matrix_of, solved_in_place, sources_of

_METHODS = ("auto", "FW", "D", "BF", "J")
# Matrices up to here are solved by searches, on the calling thread.
_SMALL = 64
# A larger matrix with fewer arcs than one in so many pairs is solved as a sparse graph.
_SPARSE = 8


def shortest_path(
    csgraph, method="auto", directed=True, return_predecessors=False, unweighted=False, overwrite=False, indices=None
):
    """Distances of all pairs, or from some vertices, and predecessors.

    Parameters
    ----------
    csgraph : array_like, masked array, sparse array or matrix, (N, N)
        Weights of arcs i → j. In an array 0, inf and nan are no arcs; in a masked array what is masked,
        inf and nan; in a sparse one what is not stored, inf and nan. Of parallel arcs in CSR the least
        counts.
    method : {'auto', 'FW', 'D', 'BF', 'J'}
        Names of SciPy's methods. All give the same: the engine takes the way that is fastest for the
        graph. 'FW' takes no `indices`.
    directed : bool
        False: an arc may be gone both ways, and the lesser of i → j and j → i counts.
    return_predecessors : bool
        Also return predecessors.
    unweighted : bool
        Every arc has length 1.
    overwrite : bool
        With 'FW' and a C-contiguous, writeable float64 array: solve in its memory and return it.
    indices : int or array_like of int, optional
        Sources; negative ones count from the end. All vertices by default.

    Returns
    -------
    dist_matrix : ndarray of float64, (N, N) or the shape of `indices` + (N,)
        inf where there is no path.
    predecessors : ndarray of int32, of the same shape
        The vertex before j on a shortest path from i; -9999 where there is none.

    Raises
    ------
    NegativeCycleError
        Some cycle of the graph has a negative weight, anywhere.
    ValueError
        The input is not square, an index or the method is none.
    KeyboardInterrupt
        Ctrl-C, within 0.2 s.

    Notes
    -----
    Blocked Floyd-Warshall (Sao et al. 2021, Algorithm 2), nested dissection (Sao et al. 2020) or searches
    (Dijkstra 1959), whichever is predicted to be fastest. Weights of both signs are reduced by exact
    potentials first (Johnson 1977).

    Examples
    --------
    >>> import numpy as np
    >>> from apsp.csgraph import shortest_path
    >>> d, p = shortest_path(np.array([[0, 1, 9], [0, 0, 2], [0, 0, 0]]), return_predecessors=True, indices=0)
    >>> d, p
    (array([0., 1., 3.]), array([-9999,     0,     1], dtype=int32))
    """
    if method not in _METHODS:
        raise ValueError(f"there is no method {method!r}: {', '.join(_METHODS)}")
    if method == "FW" and indices is not None:
        raise ValueError("method 'FW' finds all rows: leave out indices, or take 'auto'")
    overwrite = overwrite and method == "FW"
    if indices is None and method in ("auto", "FW"):
        return _solve_all(csgraph, directed, return_predecessors, unweighted, overwrite, method)
    return _solve_rows(csgraph, directed, indices, return_predecessors, unweighted, method)


def floyd_warshall(csgraph, directed=True, return_predecessors=False, unweighted=False, overwrite=False):
    """Distances of all pairs; parameters, results and errors as of `shortest_path`.

    Examples
    --------
    >>> import numpy as np
    >>> from apsp.csgraph import floyd_warshall
    >>> a = np.array([[0, 1, np.inf], [np.inf, 0, 2], [1, np.inf, 0]])
    >>> np.shares_memory(floyd_warshall(a, overwrite=True), a)
    True
    >>> a
    array([[0., 1., 3.],
           [3., 0., 2.],
           [1., 2., 0.]])
    """
    return _solve_all(csgraph, directed, return_predecessors, unweighted, overwrite, "FW")


def dijkstra(
    csgraph,
    directed=True,
    indices=None,
    return_predecessors=False,
    unweighted=False,
    limit=np.inf,
    min_only=False,
    *,
    sparse=False,
):
    """Distances from `indices`; parameters, results and errors as of `shortest_path`.

    Parameters
    ----------
    limit : float
        What is farther is not reached: inf, and -9999. Not negative.
    min_only : bool
        Of every vertex only the distance from the nearest of `indices`: results have shape (N,).
    sparse : bool
        With a `limit` and weights of at least 0, distances only: what is farther is not stored. Time and
        memory depend on the number of pairs found, as in `apsp.within`.

    Returns
    -------
    dist_matrix, predecessors : ndarray
        As of `shortest_path`. With `sparse` a csr_array (k, N) of float64, without pairs of a vertex and
        itself; a distance of 0 is stored.
    sources : ndarray of int32, (N,)
        With `min_only` and `return_predecessors`: which of `indices` is nearest; of several the one that
        stands first. -9999 where none is near.

    Notes
    -----
    Negative weights are solved rightly.

    Examples
    --------
    >>> import numpy as np
    >>> from apsp.csgraph import dijkstra
    >>> dijkstra(np.array([[0, 1, 9], [0, 0, 2], [0, 0, 0]]), indices=0, limit=2)
    array([ 0.,  1., inf])
    """
    if not limit >= 0:
        raise ValueError(f"limit is a distance, not {limit}")
    if sparse:
        if return_predecessors or min_only or limit == np.inf:
            raise ValueError("sparse=True gives distances within a limit: leave out return_predecessors and min_only")
        return _within(csgraph, directed, indices, unweighted, limit)
    if min_only:
        return _nearest(csgraph, directed, indices, return_predecessors, unweighted, limit)
    return _solve_rows(csgraph, directed, indices, return_predecessors, unweighted, "D", limit)


def bellman_ford(csgraph, directed=True, indices=None, return_predecessors=False, unweighted=False):
    """Distances from `indices`; parameters, results and errors as of `shortest_path`.

    Examples
    --------
    >>> import numpy as np
    >>> from apsp.csgraph import bellman_ford
    >>> bellman_ford(np.array([[0, -1, 0], [0, 0, -2], [0, 0, 0]]), indices=0)
    array([ 0., -1., -3.])
    """
    return _solve_rows(csgraph, directed, indices, return_predecessors, unweighted, "BF")


def johnson(csgraph, directed=True, indices=None, return_predecessors=False, unweighted=False):
    """Distances from `indices`; parameters, results and errors as of `shortest_path`.

    Examples
    --------
    >>> import numpy as np
    >>> from apsp.csgraph import johnson
    >>> johnson(np.array([[0, -1, 0], [0, 0, -2], [0, 0, 0]]), indices=[1, 2])
    array([[inf,  0., -2.],
           [inf, inf,  0.]])
    """
    return _solve_rows(csgraph, directed, indices, return_predecessors, unweighted, "J")


def _solve_rows(csgraph, directed, indices, return_predecessors, unweighted, method, limit=np.inf):
    try:
        arcs = arcs_of(csgraph, directed, unweighted)
        sources, shape = sources_of(indices, arcs.n)
        return _fill(arcs, sources, shape, return_predecessors, limit)
    except NegativeCycleError as error:
        raise translated(error, method) from None


def _fill(arcs, sources, shape, return_predecessors, limit=np.inf, into=None):
    n = arcs.n
    count = n if sources is None else len(sources)
    distances = np.empty((count, n)) if into is None else into
    if not return_predecessors:
        arcs.fill_rows(sources, distances, None, limit)
        return distances if len(shape) == 2 else distances.reshape(shape)
    predecessors = np.empty((count, n), dtype=np.int32)
    arcs.fill_rows(sources, distances, predecessors, limit)
    return distances.reshape(shape), predecessors.reshape(shape)


def _solve_all(csgraph, directed, return_predecessors, unweighted, overwrite, method):
    if type(csgraph) is not np.ndarray and is_sparse(csgraph):
        return _solve_rows(csgraph, directed, None, return_predecessors, unweighted, method)
    in_place = overwrite and solved_in_place(csgraph)
    values, zero_is_hole = matrix_of(csgraph)
    by_arcs = return_predecessors or len(values) <= _SMALL
    if not (in_place or by_arcs) and isinstance(csgraph, np.ndarray) and np.may_share_memory(values, csgraph):
        values = values.copy()
    reading = bool(directed), bool(unweighted), zero_is_hole
    n = len(values)
    into = values if in_place else None
    try:
        if by_arcs:
            arcs = Arcs.of_matrix(values, *reading)
            return _fill(arcs, None, (n, n), return_predecessors, into=into)
        if clean_matrix(values, *reading) * _SPARSE < n * n:
            # Both ways of an edge are the same by now.
            arcs = Arcs.of_matrix(values, reading[0], False, False)
            return _fill(arcs, None, (n, n), False, into=values)
        floyd_warshall_in_place(values)
        return values
    except NegativeCycleError as error:
        raise translated(error, method) from None


def _within(csgraph, directed, indices, unweighted, limit):
    from scipy.sparse import csr_array

    from .._near import within

    try:
        arcs = arcs_of(csgraph, directed, unweighted)
    except NegativeCycleError as error:
        raise translated(error, "D") from None
    if arcs.negative:
        raise ValueError("sparse=True takes weights of at least 0")
    offsets, targets, weights = arcs.rows()
    sources, _ = sources_of(indices, arcs.n)
    graph = csr_array((weights, targets.astype(np.int64), offsets), shape=(arcs.n, arcs.n))
    if sources is None:
        return within(graph, limit)
    distinct, place = np.unique(sources, return_inverse=True)
    found = within(graph, limit, sources=distinct)
    return found if np.array_equal(place, np.arange(len(distinct))) else found[place]


def _nearest(csgraph, directed, indices, return_predecessors, unweighted, limit):
    try:
        arcs = arcs_of(csgraph, directed, unweighted)
        n = arcs.n
        sources, _ = sources_of(indices, n)
        distances = np.empty((1, n))
        predecessors, nearest = np.empty((2, 1, n), dtype=np.int32)
        if arcs.negative:
            _select_nearest(arcs, sources, limit, distances, predecessors, nearest)
        else:
            arcs.fill_nearest(sources, distances, predecessors, nearest, limit)
    except NegativeCycleError as error:
        raise translated(error, "D") from None
    if return_predecessors:
        return distances[0], predecessors[0], nearest[0]
    return distances[0]


def _select_nearest(arcs, sources, limit, distances, predecessors, nearest):
    """The least of all rows: searches from several sources take no negative weights."""
    if sources is None:
        sources = np.arange(arcs.n)
    predecessors[:], nearest[:], distances[:] = -9999, -9999, np.inf
    if not len(sources):
        return
    rows, before = _fill(arcs, sources, (len(sources), arcs.n), True, limit)
    best = rows.argmin(axis=0)
    column = np.arange(arcs.n)
    distances[0], predecessors[0] = rows[best, column], before[best, column]
    nearest[0] = np.where(np.isfinite(distances[0]), sources[best], -9999)
