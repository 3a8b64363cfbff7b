"""Graphs as dense, masked and sparse arrays. Zero-weight arcs and tiny weights survive each way."""

import numpy as np

from ._input import arcs_of, as_scipy, is_sparse, require_square


def csgraph_from_dense(graph, null_value=0, nan_null=True, infinity_null=True):
    """A matrix as rows of arcs.

    Parameters
    ----------
    graph : array_like, (N, N)
    null_value : float or None
        The value that is no arc, compared exactly.
    nan_null, infinity_null : bool
        NaN is no arc; infinities of either sign are none.

    Returns
    -------
    csgraph : scipy.sparse.csr_array of float64, (N, N)

    Raises
    ------
    ValueError
        The input is not square.

    Examples
    --------
    >>> from apsp.csgraph import csgraph_from_dense
    >>> csgraph_from_dense([[0, 1e-9], [2, 0]]).nnz
    2
    """
    return csgraph_from_masked(csgraph_masked_from_dense(graph, null_value, nan_null, infinity_null, copy=False))


def csgraph_masked_from_dense(graph, null_value=0, nan_null=True, infinity_null=True, copy=True):
    """A matrix as a masked array; parameters as of `csgraph_from_dense`.

    Returns
    -------
    csgraph : numpy.ma.MaskedArray, (N, N)
        All that is no arc is masked. `copy` False: it shares the input's memory where it can.

    Examples
    --------
    >>> from apsp.csgraph import csgraph_masked_from_dense
    >>> csgraph_masked_from_dense([[0, 1], [2, 0]]).mask
    array([[ True, False],
           [False,  True]])
    """
    values = np.array(graph) if copy else np.asarray(graph)
    require_square(values.shape)
    real = values.dtype.kind == "f"
    none = np.zeros(values.shape, dtype=bool)
    fill = None
    if null_value is not None:
        if np.isnan(null_value):
            nan_null = True
        elif np.isinf(null_value):
            infinity_null = True
        else:
            none |= values == null_value
            fill = null_value
    if real and nan_null:
        none |= np.isnan(values)
        fill = np.nan if fill is None else fill
    if real and infinity_null:
        none |= np.isinf(values)
        fill = np.inf if fill is None else fill
    return np.ma.masked_array(values, none, copy=False, fill_value=fill)


def csgraph_from_masked(graph):
    """A masked array as rows of arcs, zeros among them.

    Returns
    -------
    csgraph : scipy.sparse.csr_array of float64, (N, N)

    Examples
    --------
    >>> import numpy as np
    >>> from apsp.csgraph import csgraph_from_masked
    >>> csgraph_from_masked(np.ma.masked_equal([[9, 0], [2, 9]], 9)).nnz
    2
    """
    import scipy.sparse

    graph = np.ma.asarray(graph)
    require_square(graph.shape)
    there = ~np.ma.getmaskarray(graph)
    offsets = np.concatenate([[0], np.cumsum(there.sum(axis=1))])
    values = graph.data[there].astype(np.float64)
    return scipy.sparse.csr_array((values, np.nonzero(there)[1], offsets), shape=graph.shape)


def csgraph_to_dense(csgraph, null_value=0):
    """A sparse graph as a matrix; the least of parallel arcs counts.

    Parameters
    ----------
    csgraph : sparse array or matrix, (N, N)
    null_value : float
        What stands where there is no arc.

    Returns
    -------
    graph : ndarray of float64, (N, N)

    Examples
    --------
    >>> import scipy.sparse
    >>> from apsp.csgraph import csgraph_to_dense
    >>> csgraph_to_dense(scipy.sparse.csr_array(([5.0, 3.0], [1, 1], [0, 2, 2]), shape=(2, 2)))
    array([[0., 3.],
           [0., 0.]])
    """
    if not is_sparse(csgraph):
        raise ValueError("csgraph is a sparse array or matrix")
    rows = as_scipy(csgraph).tocsr()
    require_square(rows.shape)
    n = rows.shape[0]
    least = np.full((n, n), np.inf)
    tails = np.repeat(np.arange(n), np.diff(rows.indptr))
    np.minimum.at(least, (tails, rows.indices), rows.data.astype(np.float64))
    stored = np.zeros((n, n), dtype=bool)
    stored[tails, rows.indices] = True
    least[~stored] = null_value
    return least


def weights_of(csgraph, directed):
    """[N, N] weights as the solvers read them, inf where there is no arc, 0 on the diagonal."""
    arcs = arcs_of(csgraph, True, False, to_be_solved=False)
    offsets, targets, weights = arcs.rows()
    values = np.full((arcs.n, arcs.n), np.inf)
    values[np.repeat(np.arange(arcs.n), np.diff(offsets)), targets] = weights
    return values if directed else np.minimum(values, values.T)
