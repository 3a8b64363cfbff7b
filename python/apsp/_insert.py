"""Inserts edges into a closed matrix of distances, without a new solve."""

import numpy as np

from ._calls import door
from ._errors import NegativeCycleError, UsageError
from ._graph import columns_of
from ._matrix import _TYPES, _copy, _kind, _layout_of, _own, _square
from ._product import multiply_add

_LARGEST = {"int32": 2**30 - 1, "uint16": 2**15 - 1}
_LARGER_IS_BETTER = ("max-plus", "max-min", "or-and")


@door
def insert_edges(matrix, edges, *, semiring="min-plus", overwrite=False, stream=None, device_memory=None, threads=0,
                 progress=None):
    """Distances after edges are added or their weights decrease, from the distances before.

    k edges cost about k n² relaxations instead of n³.

    Parameters
    ----------
    matrix : array, shape (n, n)
        Distances from `floyd_warshall`, as an array of NumPy, PyTorch, CuPy or JAX. A matrix on a GPU is
        updated on that GPU.
    edges : sequence of (source, target, weight), or tuple of three arrays
        Vertices are numbers from 0. An undirected edge needs two entries, one per direction. An edge that
        improves no distance changes nothing.
    semiring : str
        See `solve`.
    overwrite : bool
        True: the matrix itself is updated and returned; its rows must be contiguous. After an error its
        values are undefined.
    stream, device_memory, threads, progress : see `floyd_warshall`

    Returns
    -------
    array, shape (n, n)
        An array of the same library, type and device as `matrix`.

    Raises
    ------
    UsageError
        The matrix is not square or has another type, a vertex is out of range, or the type cannot hold a
        weight.
    NegativeCycleError
        The new edges close a cycle that is better than the empty path.
    DoesNotFitError, DeviceError

    Notes
    -----
    Let U and V be the tails and heads of the edges and W their weights, shape (\\|U\\|, \\|V\\|). The result is
    D ⊕ D[:, U] ⊗ (W ⊗ D[V, U])* ⊗ W ⊗ D[V, :]: incremental Floyd-Warshall by products of whole rows and
    columns (future work in Sao 2021, section 7). Larger weights need the graph: see `update`.

    Examples
    --------
    >>> import apsp
    >>> import numpy as np
    >>> distances = np.array([[0, 5, 9], [5, 0, 4], [9, 4, 0]], np.int32)
    >>> apsp.insert_edges(distances, [(0, 2, 1)])
    array([[0, 5, 1],
           [5, 0, 4],
           [9, 4, 0]], dtype=int32)
    """
    result = _own(matrix) if overwrite else _copy(matrix)
    layout = _layout_of(result, stream)
    n, _ = _square(layout)
    if overwrite and not layout.writeable:
        raise UsageError("the matrix is read-only: leave overwrite out")
    semiring = str(semiring).replace("_", "-")
    sources, targets, weights = _columns(edges, n, layout.dtype)
    if len(sources) == 0:
        return result
    tails, heads, arcs = _dense(sources, targets, weights, layout.dtype, semiring)

    names = {"semiring": semiring, "stream": stream, "device_memory": device_memory, "threads": threads}

    def product(c, a, b):
        return multiply_add(c, a, b, **names)

    def no_paths(rows, cols):
        return _full(result, (rows, cols), _no_path(layout.dtype, semiring))

    arcs, tails_there, heads_there = (_like(result, values) for values in (arcs, tails, heads))
    into, out_of = result[:, tails_there], result[heads_there]
    steps = product(no_paths(len(tails), len(tails)), arcs, out_of[:, tails_there])
    for _ in range(len(tails).bit_length()):  # closure by squaring needs no bound on sums
        before, steps = steps, product(_copy(steps), steps, steps)
        if bool((before == steps).all()):
            break
    _refuse_cycles(steps, tails, semiring)
    ways = product(_copy(arcs), steps, arcs)
    if len(heads) <= len(tails):
        left, right = product(no_paths(n, len(heads)), into, ways), out_of
    else:
        left, right = into, product(no_paths(len(tails), n), ways, out_of)
    return multiply_add(result, left, right, progress=progress, **names)


def _refuse_cycles(steps, tails, semiring):
    if semiring not in ("min-plus", "max-plus"):
        return
    sign = -1 if semiring == "max-plus" else 1
    diagonal = steps.diagonal().tolist()
    for vertex, length in zip(tails.tolist(), diagonal):
        if sign * length < 0:
            error = NegativeCycleError(f"the new edges close a negative cycle through vertex number {vertex} "
                                       "(counted from 0)")
            error.cycle = [vertex]
            raise error


def _columns(edges, n, dtype):
    if isinstance(edges, tuple) and len(edges) == 3 and not all(np.ndim(part) == 0 for part in edges):
        sources, targets, weights = (np.asarray(part) for part in edges)
    else:
        sources, targets, weights = (np.asarray(part) for part in columns_of(edges))
    if not len(sources) == len(targets) == len(weights):
        raise UsageError(f"{len(sources)} sources, {len(targets)} targets and {len(weights)} weights are not the "
                         "columns of a list of edges")
    for ends in (sources, targets):
        if len(ends) and (ends.dtype.kind not in "iu" or ends.min() < 0 or ends.max() >= n):
            raise UsageError(f"edges join vertices, which are numbers from 0 to {n - 1}")
    if dtype != "bool" and not _holds(weights, dtype):
        raise UsageError(f"{dtype} does not hold a weight of the edges: give others, or convert the matrix")
    return sources.astype(np.int64), targets.astype(np.int64), weights.astype(dtype)


def _holds(weights, dtype):
    weights = weights.astype(float)
    if dtype not in _LARGEST:
        return bool(np.isfinite(weights.astype(dtype)).all())
    least = 0 if dtype == "uint16" else 1 - _LARGEST[dtype]
    return bool(((weights == np.floor(weights)) & (weights >= least) & (weights < _LARGEST[dtype])).all())


def _no_path(dtype, semiring):
    sign = -1 if semiring in _LARGER_IS_BETTER else 1
    if dtype in ("bool", "uint16") and sign < 0:
        return 0
    return sign * _LARGEST.get(dtype, np.inf)


def _dense(sources, targets, weights, dtype, semiring):
    """(tails, heads, best weight [tails, heads])."""
    tails, rows = np.unique(sources, return_inverse=True)
    heads, columns = np.unique(targets, return_inverse=True)
    arcs = np.full((len(tails), len(heads)), _no_path(dtype, semiring), dtype)
    best = np.maximum if semiring in _LARGER_IS_BETTER else np.minimum
    best.at(arcs, (rows, columns), weights)
    return tails, heads, arcs


def _like(array, values):
    """Converts a NumPy array to the library and device of `array`."""
    kind = _kind(array)
    if kind == "torch":
        import torch

        return torch.from_numpy(values).to(array.device)
    if kind == "cupy":
        import cupy

        return cupy.asarray(values)
    if kind in ("jax", "jaxlib"):
        import jax.numpy

        return jax.numpy.asarray(values)
    return values


def _full(array, shape, value):
    """A constant array with the library, type and device of `array`."""
    kind = _kind(array)
    if kind == "torch":
        return array.new_full(shape, value)
    if kind == "cupy":
        import cupy

        return cupy.full(shape, value, array.dtype)
    if kind in ("jax", "jaxlib"):
        import jax.numpy

        return jax.numpy.full(shape, value, array.dtype)
    return np.full(shape, value, array.dtype)
