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
def paths(graph, pairs, *, weight=..., threads=0, progress=None, **options):
    """Best paths of many pairs, step by step, as one table.

    Parameters
    ----------
    graph : Result, or see `solve`
        A graph is solved from the distinct sources first.
    weight : see `solve`
    pairs : sequence of (source, target), an array [k, 2], a table, or two `Places` on vertices
        See `Result.distances_of`.
    threads, progress : see `solve`
    **options
        For a graph: ``semiring``, ``algorithm``, ``value_type``, ``memory``, see `solve`.

    Returns
    -------
    Table
        A row for each vertex of each path, that of `Result.path`: ``pair`` (its place in `pairs`, from 0), ``step``
        (from 0), ``vertex``, ``arc`` (the row in ``graph.edges()`` of the edge that leads to the vertex, of parallel
        ones the best; -1 at step 0) and ``distance`` so far. A pair without a path has no rows.

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
    sources, targets = (np.asarray(each, dtype=np.int64) for each in _ends(graph, pairs))
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
                  "vertex": named(graph.labels, vertices), "arc": arcs, "distance": distances})


def _ends(graph, pairs):
    """(numbers of sources, of targets)."""
    if isinstance(pairs, tuple) and len(pairs) == 2 and all(isinstance(end, Places) for end in pairs):
        if not all(end.on_vertices for end in pairs) or len(pairs[0]) != len(pairs[1]):
            raise UsageError('paths lead between vertices: take snap="vertex", and one source for each target')
        return [end._native.froms for end in pairs]
    if is_table(pairs):
        sources, targets = (ends.tolist() for ends in ends_of_pairs(table_of(pairs)))
    else:
        sources, targets = zip(*(tuple(pair) for pair in pairs)) if len(pairs) else ((), ())
    return [[graph._index(vertex) for vertex in ends] for ends in (sources, targets)]
