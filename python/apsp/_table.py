"""Tables of distances as files."""

import os

from . import _apsp
from ._calls import door
from ._errors import UsageError
from ._options import native_options, require_apart
from ._progress import teller
from ._reading import as_graph
from ._result import Result
from ._rows import labelled

_OF_A_RESULT = {"memory", "threads"}


@door
def write_table(graph, path, *, weight=..., sources=None, targets=None, second=None, layout="auto", progress=None,
                **options):
    """Writes the distances from some vertices to some as a file, a part at a time.

    Memory does not grow with the table. The file appears when it is complete.

    Parameters
    ----------
    graph : Result, or as in `solve`
    weight : as in `solve`
    path : path
        ``.parquet``, ``.csv``, ``.csv.gz``, ``.csv.zst``, or ``.npy``.
    sources, targets : sequence of vertices, optional
        Rows and columns, distinct, in this order. Default: all.
    second : as in `solve`, optional
        Other weights of the same vertices and arcs. Beside each distance then stands the length,
        by these, of the path that `Result.path` gives: of several shortest ones the one of fewest
        edges. The k-th of parallel edges is the k-th of them here. The path takes the best of them,
        and of several best ones the one whose second weight is least. `apsp.read` needs
        ``keep_order=True`` for that.
    layout : "auto", "long" or "wide"
        Long: a row a pair, ``from, to, distance`` and ``second``. Wide: a row a source and a column
        a target. "auto": an ``.npy`` is wide, all others are long.
    progress : as in `solve`
    **options
        ``threads`` and ``memory``; of a graph also ``algorithm``, ``semiring``, ``value_type``,
        ``tolerance``, ``device`` and ``device_memory``, as in `solve`.

    Raises
    ------
    UsageError
        For another suffix, a vertex that comes twice, second weights of other vertices, parallel
        edges of which not both graphs know the order.
    DoesNotFitError
        Second weights are integers that add up to 2^53 or more.
    InputError
        A path leads over an arc that the second weights do not have.

    Notes
    -----
    No path: infinity. An ``.npy`` is [sources, targets], float32 where that holds every distance
    exactly, else float64; with second weights [sources, targets, 2].

    Examples
    --------
    >>> import apsp, os, tempfile
    >>> roads = apsp.Graph.from_edges(list("ABC"), list("BCD"), [30, 20, 60], directed=False)
    >>> path = os.path.join(tempfile.mkdtemp(), "table.csv")
    >>> apsp.write_table(roads, path, sources=["A"], targets=["D", "B"])
    >>> print(open(path).read(), end="")
    from,to,distance
    A,D,110
    A,B,30
    """
    path = os.fspath(path)
    require_apart(path, graph, second)
    result = graph if isinstance(graph, Result) else None
    if result is not None:
        unknown = set(options) - _OF_A_RESULT
        if unknown:
            raise UsageError(f"{', '.join(sorted(unknown))}: of a result nothing is solved; known: "
                             f"{', '.join(sorted(_OF_A_RESULT))}")
        graph = as_graph(result, weight)
        require_apart(path, result.path_on_disk)
    else:
        graph = as_graph(graph, weight, keep_order=second is not None)
    native = native_options(graph, {**options, "sources": sources, "targets": targets})
    other = None if second is None else as_graph(second, keep_order=True)._native
    with teller(progress) as tell, labelled(graph):
        if result is None:
            _apsp.write_table_of_graph(graph._native, path, native, other, layout, tell)
        else:
            _apsp.write_table_of_result(result._native, path, native, other, layout, tell)
