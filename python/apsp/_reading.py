"""Graphs from files, generators, and objects of known types."""

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
         encoding=None, lengths=None, profile=None, all_streets=None, threads=0, keep_order=False,
         progress=None):
    """Reads a graph from a file: Matrix Market, DIMACS, METIS, edge lists, GraphML, GML, Pajek,
    node-link JSON, CAIDA's as-rel, text matrices, .npy and .npz, and extracts of OpenStreetMap (.pbf).

    Formats and compression (gzip, zstd, xz, bzip2, ZIP) are recognised by content (docs/formats.md). If
    pyarrow is installed, it reads Parquet files that the library cannot read.

    Parameters
    ----------
    path : str, path or open file
        An open file of text or bytes, such as io.StringIO, is read to its end.
    format : str, optional
        "matrix-market", "dimacs", "edge-list", "metis", "as-rel", "numpy", "graphml", "gml",
        "pajek", "node-link", "npz", "matrix" or "osm". Default: recognised.
    directed : bool, optional
        Default: as the file states.
    columns : pair or triple of str or int, optional
        Edge lists: the columns of the ends and the weight, by titles or counted from 1. If the third is
        missing or 0, every weight is 1.
    as_rel : {"both", "down", "up"}, optional
        Directions of arcs for CAIDA's relations; default: both. Other formats refuse it.
    weight : str, optional
        The weight: a column title of an edge list, or an edge attribute in GraphML, GML and node-link
        JSON. "none": every edge has weight 1. Extracts: "seconds" (default) or "metres".
    coordinates : path, optional
        File of longitudes and latitudes; weights become distances in metres.
    separator : {"tab", "comma", "semicolon", "blank"}, optional
        Separator of fields in an edge list or matrix. Default: by the first row.
    ids : {"number", "text"}, optional
        Edge lists: whether 7, 7.0 and 007 are one vertex or three. Default: an error if this matters.
    oneway : str or int, optional
        Edge lists: the column of directions (yes, no, -1).
    reverse_cost : str or int, optional
        Edge lists: the column of weights in the opposite direction; negative: no edge.
    zero : {"edge", "none"}, optional
        Text matrices: meaning of 0. Default: no edge, with a remark in `facts["remarks"]`.
    encoding : str, optional
        Encoding of a text, by its iconv name ("cp1252"). Default: UTF-8.
    lengths : str, optional
        A formula, such as "inverse" or "sqrt(1-w)": weights become lengths as `Graph.with_lengths` says.
    profile : str, optional
        Extracts of OpenStreetMap need it: "car", "bike", "foot", or the path of a profile (docs/osm.md).
    all_streets : bool, optional
        Extracts: whether streets outside of the largest strong component are kept. Default: no.
    threads : int
        At most so many; 0: all.
    keep_order : bool
        Whether the graph keeps the order of parallel edges in the file, for second weights of
        `write_table`. Reading then uses one thread.
    progress : bool or callable, optional
        See `apsp.solve`.

    Returns
    -------
    Graph

    Raises
    ------
    InputError
        The file is malformed; `location` is the place.
    InputOutputError
        The file cannot be read.
    UsageError
        The file can be read in two ways, or an option does not fit its format.
    """
    table = {"separator": separator, "ids": ids, "oneway": oneway, "reverse_cost": reverse_cost,
             "zero": zero, "encoding": encoding, "lengths": lengths,
             "profile": None if profile is None else os.fspath(profile), "all_streets": all_streets}
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
    """A Parquet file that the library cannot read, as CSV; None if it is none, or pyarrow is not installed."""
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
    """(path, None), or (name, bytes) for an open file."""
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
    """Generates a test graph. The same arguments give the same graph on every machine.

    Parameters
    ----------
    kind : str
        "dense", "gnp", "rmat", "grid", "geometric", "path", "cycle", "complete",
        "star" or "roads".
    n : int
        Number of vertices.
    edges : int
        "rmat": number of edges; 0: 16 per vertex.
    probability : float
        "gnp": probability of an edge.
    radius : float
        "geometric": points of the unit square within this distance are joined; 0: mean degree 6.
    weights : (float, float)
        The least and the greatest weight.
    directed, real, negative : bool
        `real`: weights are real numbers, else integers. `negative`: weights have both signs, without negative
        cycles.
    seed : int
        Seed of the random numbers.

    Returns
    -------
    Graph

    Examples
    --------
    >>> import apsp
    >>> apsp.generate("grid", 100, directed=False)
    <apsp.Graph: 100 vertices, 180 edges, undirected>
    """
    return Graph._of(_apsp.generate(kind, n, edges, probability, radius, *map(float, weights),
                                    real, directed, negative, seed))


def as_graph(graph, weight=..., keep_order=False, lengths=None):
    """A `Graph` from any object of a known type; a result gives its graph.

    `weight`: for graphs of NetworkX and igraph, tables and files, see `Graph.from_networkx`,
    `Graph.from_pandas` and `read`; None: every edge has weight 1. `keep_order`: for files, see `read`.
    `lengths`: see `Graph.with_lengths`.

    Raises
    ------
    WrongTypeError
        The type is not known.
    UsageError
        `weight` is given for an object that has its own weights.
    """
    if lengths is not None and not isinstance(graph, (str, os.PathLike)):
        return as_graph(graph, weight, keep_order).with_lengths(lengths)
    from ._result import Result

    if hasattr(graph, "edges") and hasattr(graph, "adjacency") and hasattr(graph, "is_directed"):
        return Graph.from_networkx(graph, weight)
    if any(base.__module__.partition(".")[0] == "igraph" for base in type(graph).__mro__):
        return Graph.from_igraph(graph, weight)
    if is_table(graph):
        return Graph.from_pandas(graph, weight=weight)
    if isinstance(graph, (str, os.PathLike)) or hasattr(graph, "read"):
        return read(graph, weight=None if weight is ... else "none" if weight is None else weight,
                    keep_order=keep_order, lengths=lengths)
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
    raise WrongTypeError(f"no graph is known in a {type(graph).__name__}: give a file, a table of pandas, polars or Arrow "
                         "(pandas.DataFrame(rows)), a matrix of NumPy or SciPy, a graph of NetworkX or igraph, or "
                         "apsp.Graph.from_edges(sources, targets, weights)")
