"""What a call gets: matrices of any kind, as rows of arcs or as one array of float64."""

import numpy as np

from .._apsp import Arcs
from .._sparse import require_consistent

FLOAT = np.dtype(np.float64)
_INDEX = (np.dtype(np.int32), np.dtype(np.int64))


def arcs_of(graph, directed, unweighted, to_be_solved=True):
    """The arcs of an input of any kind.

    A matrix: 0, infinities and NaN are no arcs; a masked array: what is masked, infinities and NaN;
    a sparse one: infinities and NaN. `to_be_solved`: a negative loop, or a negative edge of an
    undirected graph, is an error.
    """
    if type(graph) is not np.ndarray and is_sparse(graph):
        return _arcs_of_sparse(graph, directed, unweighted, to_be_solved)
    values, zero_is_hole = matrix_of(graph)
    return Arcs.of_matrix(values, bool(directed), bool(unweighted), zero_is_hole, to_be_solved)


def is_sparse(graph):
    """Whether it is SciPy's or pydata's sparse array or matrix."""
    return hasattr(graph, "tocsr") or _is_pydata(graph)


def _is_pydata(graph):
    return type(graph).__module__.partition(".")[0] == "sparse" and hasattr(graph, "to_scipy_sparse")


def as_scipy(graph):
    """pydata's sparse arrays as SciPy's; their fill value must be no arc."""
    if not _is_pydata(graph):
        return graph
    fill = graph.fill_value
    if not (fill == 0 or np.isinf(fill) or np.isnan(fill)):
        raise ValueError(f"a sparse array of fill value {fill} is no graph: 0, inf or nan is no edge")
    if fill == 0:
        return graph.to_scipy_sparse()
    import scipy.sparse

    coo = graph.asformat("coo")
    return scipy.sparse.csr_array((coo.data, (coo.coords[0], coo.coords[1])), shape=graph.shape)


def require_square(shape):
    if len(shape) != 2:
        raise ValueError(f"a graph is a matrix of 2 dimensions, not of {len(shape)}")
    if shape[0] != shape[1]:
        raise ValueError(f"a graph is a square matrix, not one of {shape[0]} × {shape[1]}")


def require_real(dtype):
    if dtype.kind == "c":
        raise TypeError("weights are complex numbers: there is no shortest of their sums")


def _arcs_of_sparse(graph, directed, unweighted, to_be_solved):
    graph = as_scipy(graph)
    require_square(graph.shape)
    kind = graph.format
    # Columns of an undirected graph are as good as rows.
    if kind in ("bsr", "csc"):
        require_consistent(graph)
    if kind == "bsr":
        # A block cannot tell a 0 that was stored from one that fills it up.
        graph = graph.tocsr(copy=True)
        graph.eliminate_zeros()
    elif kind != "csr" and not (kind == "csc" and not directed):
        graph = graph.tocsr()
    data, indices, indptr = graph.data, graph.indices, graph.indptr
    if len(indptr) != graph.shape[0] + 1:
        raise ValueError(f"{graph.shape[0]} rows need {graph.shape[0] + 1} row pointers, not {len(indptr)}")
    if data.dtype is not FLOAT or not data.flags.c_contiguous:
        require_real(data.dtype)
        data = np.ascontiguousarray(data, dtype=FLOAT)
    if indices.dtype != indptr.dtype or indptr.dtype not in _INDEX:
        indices, indptr = indices.astype(np.int64), indptr.astype(np.int64)
    if not (indices.flags.c_contiguous and indptr.flags.c_contiguous):
        indices, indptr = np.ascontiguousarray(indices), np.ascontiguousarray(indptr)
    return Arcs.of_rows(indptr, indices, data, bool(directed), bool(unweighted), to_be_solved)


def matrix_of(graph):
    """A dense input as C-contiguous float64, itself where it is that; and whether 0 is no arc in it."""
    if type(graph) is np.ndarray:
        array = graph
    elif isinstance(graph, np.ma.MaskedArray):
        return _masked(graph), False
    else:
        array = np.asarray(graph)
    require_square(array.shape)
    require_real(array.dtype)
    return np.ascontiguousarray(array, dtype=FLOAT), True


def _masked(graph):
    require_square(graph.shape)
    require_real(graph.dtype)
    values = np.array(graph.data, dtype=FLOAT, order="C", subok=False)
    values[np.ma.getmaskarray(graph)] = np.inf
    return values


def solved_in_place(graph):
    """Whether this is an array that Floyd-Warshall can work on without a copy."""
    return (
        isinstance(graph, np.ndarray)
        and not isinstance(graph, np.ma.MaskedArray)
        and graph.dtype == FLOAT
        and graph.dtype.isnative
        and graph.flags.carray
    )


def sources_of(indices, n):
    """SciPy's `indices` as int64 [k], or None for all vertices; and the shape that the result has."""
    if indices is None:
        return None, (n, n)
    array = np.asarray(indices)
    shape = (*array.shape, n)
    if array.dtype.kind not in "iu":
        whole = array.astype(np.int64)
        if array.size and not np.array_equal(whole, array):
            raise ValueError("indices are vertices: whole numbers")
        array = whole
    if array.size and (array.min() < -n or array.max() >= n):
        raise ValueError(f"indices name no vertices: there are {n} (negative ones count from the end)")
    array = np.atleast_1d(array).astype(np.int64).ravel()
    array[array < 0] += n
    return array, shape
