"""Other weights in a stored factor."""

import os

from . import _apsp
from ._arrays import as_numpy, as_weights
from ._errors import UsageError
from ._graph import columns_of
from ._options import bytes_of
from ._progress import teller
from ._reading import as_graph
from ._solve import open as open_result


def update(path, changes=None, *, weights=None, graph=None, output=None, compress=False, memory=None,
           threads=0, progress=None):
    """Gives edges of a stored factor other weights, without ordering again, and opens the result.

    Exactly one of `changes`, `weights` and `graph` says what changes. Edges may come and go. Of a few
    changed edges only what lies above them in the elimination tree is eliminated again. The new
    result appears at once and whole.

    Parameters
    ----------
    path : path
        A ``.zarr`` of ``apsp.solve(..., keep="factor", output=path)``.
    changes : sequence of (source, target, weight), optional
        Infinity removes an edge.
    weights : array_like of real numbers, shape (m,), optional
        A weight of each edge, in the order of `Graph.edges`.
    graph : as in `solve`, optional
        A graph of the same vertices.
    output : path, optional
        Where the new factor goes; default: in place of `path`.
    compress : bool
        Whether every chunk is compressed with zstd.
    memory : int or str, optional
        Most bytes of graph and factors; default: nine tenths of the free memory.
    threads, progress : as in `solve`

    Returns
    -------
    Result

    Raises
    ------
    UsageError
        No factor, another number of weights, a vertex that is not there.
    DoesNotFitError, NegativeCycleError, InputError, InputOutputError
        What stood at the output stays.
    """
    if sum(given is not None for given in (changes, weights, graph)) != 1:
        raise UsageError("name what changes once: changes, weights= or graph=")
    path = os.fspath(path)
    output = path if output is None else os.fspath(output)
    if weights is not None:
        weights = as_numpy(weights, "weights")
        weights = as_weights(weights, weights.size)
    sources, targets, changed = columns_of(changes or ())
    names = lambda ends: [str(end) for end in ends]
    with teller(progress) as tell:
        _apsp.update(path, None if graph is None else as_graph(graph)._native, weights,
                     names(sources), names(targets), changed, output, compress, threads,
                     0 if memory is None else bytes_of(memory, "memory"), tell)
    return open_result(output)
