"""Numbers of shortest paths, and all predecessors on them."""

import numpy as np

from . import _apsp
from ._calls import door
from ._errors import UsageError
from ._options import native_options
from ._progress import teller
from ._reading import as_graph
from ._rows import labelled


@door
def path_counts(graph, *, weight=..., sources=None, targets=None, threads=0, memory=None, progress=None):
    """The number of shortest paths of every pair of a source and a target.

    Paths are sequences of vertices: parallel edges count as one, and loops are on no path. Lengths are
    compared as in `betweenness`.

    Parameters
    ----------
    graph, weight : see `solve`
        Weights must be at least 0.
    sources, targets : sequences of vertices, optional
        Distinct. Default: all vertices.
    threads, memory, progress : see `solve`

    Returns
    -------
    array [sources, targets], uint64
        Exact. 1 from a vertex to itself, 0 without a path.

    Raises
    ------
    UsageError
        A cycle of length 0 is on the way to a target, so that there are infinitely many shortest walks; a
        number is 2⁶⁴ or more; or a weight is below 0.

    Examples
    --------
    >>> import apsp
    >>> square = apsp.Graph.from_edges(list("ABAC"), list("BDCD"), directed=False)
    >>> apsp.path_counts(square, sources=["A"], targets=["B", "D"]).tolist()
    [[1, 2]]
    """
    graph = as_graph(graph, weight)
    options = native_options(graph, dict(sources=sources, targets=targets, threads=threads, memory=memory))
    n = len(graph.labels)
    shape = tuple(len(options[name]) if name in options else n for name in ("sources", "targets"))
    if 0 in shape:
        return np.zeros(shape, np.uint64)
    with teller(progress) as tell, labelled(graph):
        return _apsp.path_counts(graph._native, options, tell).reshape(shape)


@door
def all_predecessors(graph, source=None, *, sources=None, weight=..., threads=0, memory=None, progress=None):
    """All vertices before each vertex on shortest paths from a source, or from several.

    Parameters
    ----------
    graph, weight : see `solve`
        Weights must be at least 0.
    source : vertex
    sources : sequence of vertices
        In place of `source`: distinct.
    threads, memory, progress : see `solve`

    Returns
    -------
    first : array [n + 1], int64
    predecessors : array, int64
        ``predecessors[first[v]:first[v + 1]]`` are the numbers of the vertices before vertex number v,
        ascending. The source and vertices without a path have none. Edges of length 0 may lead in circles.
        With `sources` a list of such pairs of arrays, in their order.

    Examples
    --------
    >>> import apsp
    >>> square = apsp.Graph.from_edges(list("ABAC"), list("BDCD"), directed=False)
    >>> first, predecessors = apsp.all_predecessors(square, "A")
    >>> first.tolist(), predecessors.tolist()
    ([0, 0, 1, 2, 4], [0, 0, 1, 2])
    >>> [before.tolist() for _, before in apsp.all_predecessors(square, sources=["A", "D"])]
    [[0, 0, 1, 2], [1, 2, 3, 3]]
    """
    if (source is None) == (sources is None):
        raise UsageError("give either source, a vertex, or sources, several of them")
    graph = as_graph(graph, weight)
    some = [source] if sources is None else sources
    options = native_options(graph, dict(sources=some, threads=threads, memory=memory))
    with teller(progress) as tell, labelled(graph):
        found = _apsp.all_predecessors(graph._native, options, tell)
    return found if source is None else found[0]
