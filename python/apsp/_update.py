"""Other weights in a stored result."""

import os

from . import _apsp
from ._arrays import as_numpy, as_weights
from ._calls import door
from ._errors import UsageError
from ._graph import changes_of
from ._options import native_options
from ._progress import teller
from ._reading import as_graph
from ._solve import open as open_result


@door
def update(path, changes=None, *, weights=None, graph=None, weight=..., output=None, compress=False, memory=None,
           threads=0, before=None, semiring="min-plus", metric=None, device="cpu", device_memory=None,
           progress=None):
    """Gives edges of a stored result other weights, without solving again, and opens the result.

    Exactly one of `changes`, `weights` and `graph` says what changes. Edges may come and go. In a
    factor only what lies above a few edges in the elimination tree is eliminated again. In a matrix,
    smaller weights, new edges and new vertices cost a product (incremental Floyd-Warshall; Sao 2021,
    section 7). Of larger weights only the rows that they touch are solved again. The new result
    appears at once and whole.

    Parameters
    ----------
    path : path
        A ``.zarr`` or ``.npy`` of ``apsp.solve(..., output=path)``.
    changes : sequence of (source, target, weight), optional
        Infinity removes an edge. (source, target, weight, old weight) names one of parallel edges.
    weights : array_like of real numbers, shape (m,), optional
        A weight of each edge, in the order of `Graph.edges`.
    graph : as in `solve`, optional
        A graph of the same vertices. If `path` holds a matrix, it may have new vertices.
    weight : as in `solve`, optional
        Of `graph` and `before`.
    output : path, optional
        Where the new result goes; default: in place of `path`.
    metric : str, optional
        Keeps the new weights inside the ``.zarr`` of a factor, next to the old ones, under this name; the
        files of the order are shared. ``apsp.open(path, metric=...)`` opens it again.
    compress : bool
        Whether every chunk is compressed with zstd.
    memory : int or str, optional
        Most bytes of graphs and factors, or the matrix; default: nine tenths of the free memory.
    before : as in `solve`, optional
        Of an ``.npy``, which holds no graph: the graph that was solved.
    semiring : str
        Of an ``.npy``, which does not say it.
    device : str
        What multiplies the matrices of an update of a matrix: "cpu", "cuda" or "cuda:N". They pass
        through the memory of the GPU.
    device_memory : int or str, optional
        Most bytes of the GPU. Default: what is free.
    threads, progress : as in `solve`

    Returns
    -------
    Result

    Raises
    ------
    UsageError
        Some rows or more planes than distances, another number of weights, a vertex that is not there,
        a GPU for a factor.
    DoesNotFitError, NegativeCycleError, InputError, InputOutputError, DeviceError
        What stood at the output stays.
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
