"""Graphs of files, generated ones, and whatever says by its type what it is."""

import io
import os

import numpy as np

from . import _apsp
from ._calls import door
from ._errors import InputError, UsageError, WrongTypeError
from ._frames import is_table
from ._graph import Graph
from ._progress import teller
from ._sparse import is_sparse


@door
def read(path, *, format=None, directed=None, columns=None, as_rel=None, weight=None,
         coordinates=None, separator=None, ids=None, oneway=None, reverse_cost=None, zero=None,
         encoding=None, threads=0, keep_order=False, progress=None):
    """The graph of a file: Matrix Market, DIMACS, METIS, edge lists, GraphML, GML, Pajek,
    node-link JSON, CAIDA's as-rel, matrices of text, .npy and .npz.

    Formats are recognised by content, gzip, zstd, xz, bzip2 and ZIP too (docs/formats.md). pyarrow, where it is
    installed, reads Parquet files with encodings or types that the library does not read.

    Parameters
    ----------
    path : str, path or open file
        A file of text or bytes, such as io.StringIO, is read to its end.
    format : str, optional
        "matrix-market", "dimacs", "edge-list", "metis", "as-rel", "numpy", "graphml", "gml",
        "pajek", "node-link", "npz" or "matrix"; else recognised.
    directed : bool, optional
        Else what the file says.
    columns : pair or triple of str or int, optional
        Of an edge list: the columns of the ends and of the weight, by their titles or counted from
        1. Without the third, or with 0, every weight is 1.
    as_rel : {"both", "down", "up"}, optional
        How CAIDA's relations become arcs; default: both ways. Other formats refuse it.
    weight : str, optional
        The column of an edge list, by its title, or the attribute of edges in GraphML, GML and
        node-link JSON, that is the weight; "none": every edge has weight 1.
    coordinates : path, optional
        Longitudes and latitudes: weights become metres.
    separator : {"tab", "comma", "semicolon", "blank"}, optional
        Between the fields of an edge list or matrix; default: as its first row shows.
    ids : {"number", "text"}, optional
        Of an edge list: whether 7, 7.0 and 007 are one vertex or three. Where this matters and is
        not said, the file is refused.
    oneway : str or int, optional
        Of an edge list: the column that says which edges have one direction (yes, no, -1).
    reverse_cost : str or int, optional
        Of an edge list: the column with the weights of the way back; negative: no such way.
    zero : {"edge", "none"}, optional
        Of a matrix of text: what a 0 means; default: no edge, which `facts["remarks"]` says.
    encoding : str, optional
        Of a text, as iconv calls it ("cp1252"); default: UTF-8.
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
    table = {"separator": separator, "ids": ids, "oneway": oneway, "reverse_cost": reverse_cost,
             "zero": zero, "encoding": encoding}
    table = {name: value for name, value in table.items() if value is not None}
    name, content = _content(path, encoding)
    with teller(progress) as tell:
        of = lambda content: _apsp.read(name, format, directed, None if columns is None else list(columns), as_rel,
                                        weight or "", os.fspath(coordinates) if coordinates else "", threads,
                                        keep_order, table, tell, content)
        try:
            native = of(content)
        except InputError as error:
            csv = _csv_of_parquet(name if content is None else io.BytesIO(content), error)
            if csv is None:
                raise
            native = of(csv)
    return Graph._of(native)


def _csv_of_parquet(file, error):
    """A Parquet file that the library does not read, as CSV; None: it is no such file, or pyarrow is not there."""
    if "which is not read" not in str(error):
        return None
    try:
        import pyarrow as pa
        from pyarrow import csv, parquet
    except ImportError:
        return None
    table = parquet.read_table(file)
    for i, column in enumerate(table.schema):
        if pa.types.is_nested(column.type):
            table = table.set_column(i, column.name, pa.array(["?"] * len(table)))
    written = io.BytesIO()
    csv.write_csv(table, written, csv.WriteOptions(quoting_style="all_valid"))
    return written.getvalue()


def _content(path, encoding):
    """(path, None), or (name, bytes) of an open file."""
    if not hasattr(path, "read"):
        return os.fspath(path), None
    content, name = path.read(), getattr(path, "name", None)
    if isinstance(content, str):
        if encoding is not None:
            raise UsageError("encoding= is for bytes, and this file gives text: open it with its encoding")
        content = content.encode("utf-8", "surrogateescape")
    return name if isinstance(name, str) else f"a {type(path).__name__}", bytes(content)


@door
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


def as_graph(graph, weight=..., keep_order=False):
    """A Graph of anything that says by its type how: see `Graph`. A result is its graph.

    `weight`: of graphs of NetworkX and igraph, of tables and of files, as in `Graph.from_networkx`,
    `Graph.from_pandas` and `read`; None: every edge has weight 1. `keep_order`: of a file, as in `read`.

    Raises
    ------
    WrongTypeError
        No graph is known in it.
    UsageError
        A `weight` for what has its weights.
    """
    from ._result import Result

    if hasattr(graph, "edges") and hasattr(graph, "adjacency") and hasattr(graph, "is_directed"):
        return Graph.from_networkx(graph, weight)
    if any(base.__module__.partition(".")[0] == "igraph" for base in type(graph).__mro__):
        return Graph.from_igraph(graph, weight)
    if is_table(graph):
        return Graph.from_pandas(graph, weight=weight)
    if isinstance(graph, (str, os.PathLike)) or hasattr(graph, "read"):
        return read(graph, weight=None if weight is ... else "none" if weight is None else weight,
                    keep_order=keep_order)
    if weight is not ...:
        raise UsageError(f"weight= names an attribute or a column, and a {type(graph).__name__} has its weights")
    if isinstance(graph, Graph):
        return graph
    if isinstance(graph, Result):
        return graph.graph
    if is_sparse(graph):
        return Graph.from_scipy(graph)
    if isinstance(graph, np.ndarray) or hasattr(graph, "__dlpack__"):
        return Graph.from_numpy(graph)
    raise WrongTypeError(f"no graph is known in a {type(graph).__name__}: apsp.Graph.from_… make one")
