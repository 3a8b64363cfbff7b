"""Writes tables of distances."""

import os
from collections.abc import Mapping

from . import _apsp
from ._calls import door
from ._errors import UsageError
from ._options import native_options, require_apart
from ._points import Places
from ._progress import teller
from ._reading import as_graph
from ._result import Result
from ._rows import labelled

_OF_A_RESULT = {"memory", "threads"}


@door
def write_table(graph, path, *, weight=..., sources=None, targets=None, second=None, layout="auto", unit="", progress=None,
                **options):
    """Writes a table of distances to a file, one block of rows at a time.

    Memory does not grow with the table. The file appears when it is complete.

    Parameters
    ----------
    graph : Result, or see `solve`
    weight : see `solve`
    path : path
        ``.parquet``, ``.csv``, ``.csv.gz``, ``.csv.zst``, or ``.npy``.
    sources, targets : sequence of vertices, or `Places`, optional
        Distinct. Rows and columns, in this order. Default: all. Points may repeat a vertex; a long table then also
        has their walk and columns, as ``from_walk``, ``to_walk``, ….
    second : see `solve`, or a mapping of titles to such graphs, optional
        Graphs of the same vertices and arcs with other weights. The table then also has the sums of these
        weights along the path of `Result.path` (the shortest path of fewest edges). The k-th of parallel
        edges corresponds to the k-th in each; a path uses the best one, then the one with the least
        second weights, the first graph deciding first. `apsp.read` needs ``keep_order=True`` for parallel edges.
    unit : str
        Unit of the distances, for the title of their column: "min" gives "distance (min)".
    layout : "auto", "long" or "wide"
        "long": one row per pair, ``from, to, distance`` and ``second``. "wide": one row per source and one
        column per target. "auto": "wide" for an ``.npy``, else "long".
    progress : see `solve`
    **options
        ``threads`` and ``memory``; for a graph also ``algorithm``, ``semiring``, ``value_type``,
        ``tolerance``, ``device`` and ``device_memory``, see `solve`.

    Raises
    ------
    UsageError
        The suffix is unknown, a vertex occurs twice, `second` has other vertices, or the order of parallel
        edges is unknown.
    DoesNotFitError
        Second weights are integers whose sum reaches 2^53.
    InputError
        An arc of a path is missing in `second`.

    Notes
    -----
    No path is infinity. An ``.npy`` has the shape (sources, targets), with second weights (sources, targets,
    2). It is float32 if this type holds every distance exactly, else float64.

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
    several = dict(second) if isinstance(second, Mapping) else {} if second is None else {"second": second}
    require_apart(path, graph, *several.values())
    result = graph if isinstance(graph, Result) else None
    if result is not None:
        unknown = set(options) - _OF_A_RESULT
        if unknown:
            raise UsageError(f"{', '.join(sorted(unknown))}: of a result nothing is solved; known: "
                             f"{', '.join(sorted(_OF_A_RESULT))}")
        graph = as_graph(result, weight)
        require_apart(path, result.path_on_disk)
    else:
        graph = as_graph(graph, weight, keep_order=bool(several))
    ends = {"sources": sources, "targets": targets}
    native = native_options(graph, {**options, **{name: None if isinstance(end, Places) else end
                                                  for name, end in ends.items()}})
    _apsp.with_unit("distance", unit)  # an unknown unit is refused before the solve
    asked = ([as_graph(other, keep_order=True)._native for other in several.values()],
             [str(title) for title in several], layout, unit,
             *(end._for_table() if isinstance(end, Places) else None for end in ends.values()))
    with teller(progress) as tell, labelled(graph):
        if result is None:
            _apsp.write_table_of_graph(graph._native, path, native, asked, tell)
        else:
            _apsp.write_table_of_result(result._native, path, native, asked, tell)
