"""Connected components."""

import numpy as np

from ._input import arcs_of


def connected_components(csgraph, directed=True, connection="weak", return_labels=True):
    """Connected components, weakly or strongly.

    Parameters
    ----------
    csgraph : array_like, masked array, sparse array or matrix, (N, N)
        As of `shortest_path`; weights do not count.
    directed : bool
        False: arcs may be gone both ways, and `connection` does not count.
    connection : {'weak', 'strong'}
        Strongly connected vertices have paths both ways; weakly connected ones have one when arcs may
        be gone both ways.
    return_labels : bool
        Also return labels.

    Returns
    -------
    n_components : int
    labels : ndarray of int32, (N,)
        The component of each vertex. Weak ones count in the order of their first vertices; no arc leads
        from a strong one to one of a larger number.

    Raises
    ------
    ValueError
        The input is not square, or `connection` is neither.

    Notes
    -----
    Tarjan, SIAM J. Comput. 1972, for strong ones. O(N + arcs).

    Examples
    --------
    >>> import numpy as np
    >>> from apsp.csgraph import connected_components
    >>> connected_components(np.array([[0, 1, 0], [0, 0, 0], [0, 0, 0]]))
    (2, array([0, 0, 1], dtype=int32))
    """
    kind = connection.lower() if isinstance(connection, str) else connection
    if kind not in ("weak", "strong"):
        raise ValueError(f"connection is 'weak' or 'strong', not {connection!r}")
    arcs = arcs_of(csgraph, True, True)
    labels = np.empty(arcs.n, dtype=np.int32)
    count = arcs.components(bool(directed) and kind == "strong", labels)
    return (count, labels) if return_labels else count
