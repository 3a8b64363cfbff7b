"""Graphs of files, generated ones, and whatever says by its type what it is."""

import os

import numpy as np

from . import _apsp
from ._graph import Graph
from ._progress import teller
from ._sparse import is_sparse


def read(path, *, format=None, directed=None, columns=None, as_rel=None, coordinates=None,
         threads=0, keep_order=False, progress=None):
    """The graph of a file: Matrix Market, DIMACS, METIS, edge lists, CAIDA's as-rel, .npy.

    Formats are recognised by content, gzip and zstd too (docs/formats.md).

    Parameters
    ----------
    path : str or path
    format : str, optional
        "matrix-market", "dimacs", "edge-list", "metis", "as-rel" or "numpy"; else recognised.
    directed : bool, optional
        Else what the file says.
    columns : (int, int) or (int, int, int), optional
        Of an edge list: where the ends and the weight stand, counted from 1.
    as_rel : {"both", "down", "up"}, optional
        How CAIDA's relations become arcs; default: both ways. Other formats refuse it.
    coordinates : path, optional
        Longitudes and latitudes: weights become metres.
    threads : int
        At most so many; 0: all.
    keep_order : bool
        Whether the graph knows in which order parallel edges come in the file, as second weights of
        `write_table` need it. One thread reads then.
    progress : bool or callable, optional
        As in `apsp.solve`.

    Raises
    ------
    InputError
        The file is malformed; `location` says where.
    InputOutputError
        It cannot be read.
    """
    with teller(progress) as tell:
        native = _apsp.read(os.fspath(path), format, directed,
                            None if columns is None else list(columns), as_rel,
                            os.fspath(coordinates) if coordinates else "", threads, keep_order, tell)
    return Graph._of(native)


def generate(kind, n=1000, *, edges=0, probability=0.01, radius=0.0, weights=(1, 100), real=False,
             directed=True, negative=False, seed=1):
    """A test graph: the same kind, parameters and seed give the same graph everywhere.

    Parameters
    ----------
    kind : str
        "dense", "gnp", "rmat", "grid", "geometric", "path", "cycle", "complete",
        "star" or "roads".
    n : int
        Vertices.
    edges : int
        Of rmat; 0: 16 a vertex.
    probability : float
        Of gnp.
    radius : float
        Of geometric; 0: mean degree 6.
    weights : (float, float)
        The least and the greatest; integers unless `real`.
    directed, real, negative : bool
        `negative`: weights of both signs, and no negative cycle.
    seed : int

    Examples
    --------
    >>> import apsp
    >>> apsp.generate("grid", 100, directed=False)
    <apsp.Graph: 100 vertices, 180 edges, undirected>
    """
    return Graph._of(_apsp.generate(kind, n, edges, probability, radius, *map(float, weights),
                                    real, directed, negative, seed))


def as_graph(graph, keep_order=False):
    """A Graph of anything that says by its type how: see `Graph`. `keep_order`: of a file."""
    if isinstance(graph, Graph):
        return graph
    if isinstance(graph, (str, os.PathLike)):
        return read(graph, keep_order=keep_order)
    module = type(graph).__module__.partition(".")[0]
    if is_sparse(graph):
        return Graph.from_scipy(graph)
    if module == "igraph":
        return Graph.from_igraph(graph)
    if module == "pandas":
        return Graph.from_pandas(graph)
    if module == "pyarrow":
        return Graph.from_arrow(graph)
    if hasattr(graph, "edges") and hasattr(graph, "is_directed"):
        return Graph.from_networkx(graph)
    if isinstance(graph, np.ndarray) or hasattr(graph, "__dlpack__"):
        return Graph.from_numpy(graph)
    raise TypeError(f"no graph is known in a {type(graph).__name__}: apsp.Graph.from_… make one")
