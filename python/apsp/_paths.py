"""Paths of many pairs as one table."""

import numpy as np

from . import _apsp
from ._arrow import Table, named
from ._calls import door
from ._edge_tables import ends_of_pairs
from ._errors import UsageError
from ._frames import is_table, table_of
from ._options import native_options
from ._points import Places
from ._progress import teller
from ._reading import as_graph
from ._result import Result
from ._rows import labelled


@door
def paths(graph, pairs, *, weight=..., unit="", threads=0, progress=None, **options):
    """Best paths of many pairs, step by step, as one table.

    Parameters
    ----------
    graph : Result, or see `solve`
        A graph is solved from the distinct sources first.
    weight : see `solve`
    pairs : sequence of (source, target), an array [k, 2], a table, or two `Places`
        See `Result.distances_of`.
    unit : str
        Of the weights, for the title of the distances: "distance (min)".
    threads, progress : see `solve`
    **options
        For a graph: ``semiring``, ``algorithm``, ``value_type``, ``memory``, see `solve`.

    Returns
    -------
    Table
        A row for each vertex of each path, that of `Result.path`: ``pair`` (its place in `pairs`, from 0), ``step``
        (from 0), ``vertex``, ``arc`` (the row in ``graph.edges()`` of the edge that leads to the vertex, of parallel
        ones the best; -1 at step 0) and ``distance`` so far. A pair without a path has no rows. Paths between `Places`
        on arcs begin and end with the names of the points. With turns, arcs are rows of `flow`.

    Examples
    --------
    >>> import apsp
    >>> roads = apsp.Graph.from_edges(list("ABC"), list("BCD"), [30, 20, 60], directed=False)
    >>> table = apsp.paths(roads, [("A", "C"), ("D", "C")])
    >>> table["vertex"], table["distance"].tolist()
    (['A', 'B', 'C', 'D', 'C'], [0.0, 30.0, 50.0, 0.0, 60.0])
    """
    result = graph if isinstance(graph, Result) else None
    if result is not None and options:
        raise UsageError(f"{', '.join(sorted(options))}: of a result nothing is solved")
    graph = as_graph(graph, weight)
    points = _points_on_arcs(pairs)
    if points:
        sources, targets = (each._native for each in points)
    else:
        sources, targets = (np.asarray(each, dtype=np.int64) for each in _ends(graph, pairs))
    distance = _apsp.with_unit("distance", unit)
    with teller(progress) as tell, labelled(graph):
        if result is None:
            found = _apsp.path_steps_of_graph(graph._native, sources, targets,
                                              native_options(graph, {**options, "threads": threads}), tell)
        else:
            found = _apsp.path_steps_of_result(result._native, sources, targets, threads, tell)
    first, vertices, arcs, distances = found
    counts = np.diff(first)
    return Table({"pair": np.repeat(np.arange(len(counts)), counts),
                  "step": np.arange(len(vertices)) - np.repeat(first[:-1], counts),
                  "vertex": _names(graph, vertices, points), "arc": arcs, distance: distances})


def _points_on_arcs(pairs):
    """The `Places` of sources and targets if some are on arcs, else None."""
    if not isinstance(pairs, tuple) or len(pairs) != 2 or not all(isinstance(end, Places) for end in pairs):
        return None
    if len(pairs[0]) != len(pairs[1]):
        raise UsageError(f"{len(pairs[0]):,} places to go from and {len(pairs[1]):,} to go to: a pair has one of each")
    return None if all(end.on_vertices for end in pairs) else pairs


def _names(graph, vertices, points):
    if not points:
        return named(graph.labels, vertices)
    names = [*points[0].names, *points[1].names]
    n = graph.vertex_count
    return [graph.labels[v] if v < n else names[v - n] for v in vertices.tolist()]


def _ends(graph, pairs):
    """(numbers of sources, of targets)."""
    if isinstance(pairs, tuple) and len(pairs) == 2 and all(isinstance(end, Places) for end in pairs):
        return [pairs[0]._native.froms, graph._index.ends_of(pairs[1]._native.froms)]
    if is_table(pairs):
        sources, targets = (ends.tolist() for ends in ends_of_pairs(table_of(pairs)))
    else:
        sources, targets = zip(*(tuple(pair) for pair in pairs)) if len(pairs) else ((), ())
    return [graph._index(vertex) for vertex in sources], [graph._index.end(vertex) for vertex in targets]
