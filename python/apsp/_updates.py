"""Updates of distances without a new solve: of a stored result, and of a closed matrix."""

import os

import numpy as np

from . import _apsp
from ._arrays import LARGEST, as_numpy, as_weights
from ._calls import door
from ._errors import NegativeCycleError, UsageError
from ._graph import changes_of, columns_of
from ._matrix import _copy, _kind, _layout_of, _own, _square
from ._options import native_options, value_type_of
from ._product import multiply_add
from ._progress import teller
from ._reading import as_graph
from ._solve import open as open_result

_LARGER_IS_BETTER = ("max-plus", "max-min", "or-and")


@door
def update(path, changes=None, *, weights=None, graph=None, weight=..., output=None, compress=False, memory=None,
           threads=0, before=None, semiring="min-plus", metric=None, device="cpu", device_memory=None,
           progress=None):
    """Updates a stored result for other weights, without a new solve, and opens it.

    Give exactly one of `changes`, `weights` and `graph`. Edges may be added and removed. A factor is
    eliminated again only above the changed edges in the elimination tree. For a matrix, smaller weights, new
    edges and new vertices cost a product (incremental Floyd-Warshall; Sao 2021, section 7), and larger
    weights a solve of the rows that they affect. The new result replaces the old one in one step.

    Parameters
    ----------
    path : path
        A ``.zarr`` or ``.npy`` of ``apsp.solve(..., output=path)``.
    changes : sequence of (source, target, weight), optional
        Infinity removes an edge. (source, target, weight, old weight) selects one of parallel edges.
    weights : array_like of real numbers, shape (m,), optional
        The weight of each edge, in the order of `Graph.edges`.
    graph : see `solve`, optional
        A graph of the same vertices. If `path` holds a matrix, it may have new vertices.
    weight : see `solve`, optional
        The weights of `graph` and `before`.
    output : path, optional
        Path of the new result. Default: replaces `path`.
    metric : str, optional
        Keeps the new weights under this name inside the ``.zarr`` of a factor, in addition to the old ones;
        they share the files of the order. ``apsp.open(path, metric=...)`` opens them.
    compress : bool
        Whether to compress every chunk with zstd.
    memory : int or str, optional
        Bytes of graphs and factors, or the matrix, at most. Default: nine tenths of the free memory.
    before : see `solve`, optional
        The graph that was solved; required for an ``.npy``, which holds no graph.
    semiring : str
        The semiring of an ``.npy``, which does not store it.
    device : str
        Device for products in the update of a matrix: "cpu", "cuda" or "cuda:N". The matrices pass
        through the memory of the GPU.
    device_memory : int or str, optional
        Bytes of GPU memory, at most. Default: the free memory.
    threads, progress : see `solve`

    Returns
    -------
    Result

    Raises
    ------
    UsageError
        The result has only some rows, or more planes than distances; the number of weights is wrong; a vertex
        is unknown; or `device` is a GPU and the result holds a factor.
    DoesNotFitError, NegativeCycleError, InputError, InputOutputError, DeviceError
        The previous file at the output is unchanged.
    """
    if sum(given is not None for given in (changes, weights, graph)) != 1:
        raise UsageError("name what changes once: changes, weights= or graph=")
    path = os.fspath(path)
    output = "" if output is None else os.fspath(output)
    if weights is not None:
        weights = as_numpy(weights, "weights")
        weights = as_weights(weights, weights.size)
    sources, targets, changed, old = changes_of(() if changes is None else changes)
    names = lambda ends: [str(end) for end in ends]
    given = None if graph is None else as_graph(graph, weight)
    earlier = None if before is None else as_graph(before, weight)
    how = native_options(None, {"threads": threads, "memory": memory, "semiring": semiring, "device": device,
                                "device_memory": device_memory})
    with teller(progress) as tell:
        _apsp.update(path, None if given is None else given._native, weights,
                     names(sources), names(targets), changed, old, output, compress,
                     None if earlier is None else earlier._native, metric or "", how, tell)
    if metric:
        return open_result(path, metric=metric)
    output = output or path
    if not output.endswith(".npy"):
        return open_result(output)
    now = earlier if given is None else given
    if weights is not None:
        now = now.with_weights(weights)
    if changes is not None:
        now = now.with_changes(changes)
    return open_result(output, graph=now, semiring=semiring)


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
        return _full(result, (rows, cols), _apsp.no_path(semiring, value_type_of(layout.dtype)))

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
    if dtype not in LARGEST:
        return bool(np.isfinite(weights.astype(dtype)).all())
    least = 0 if dtype == "uint16" else 1 - LARGEST[dtype]
    return bool(((weights == np.floor(weights)) & (weights >= least) & (weights < LARGEST[dtype])).all())


def _dense(sources, targets, weights, dtype, semiring):
    """(tails, heads, best weight [tails, heads])."""
    tails, rows = np.unique(sources, return_inverse=True)
    heads, columns = np.unique(targets, return_inverse=True)
    arcs = np.full((len(tails), len(heads)), _apsp.no_path(semiring, value_type_of(dtype)), dtype)
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
