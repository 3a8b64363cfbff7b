"""Updates stored results for other weights."""

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
