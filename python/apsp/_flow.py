"""Loads of arcs: flows of trips along shortest paths."""

from dataclasses import dataclass

import numpy as np

from . import _apsp
from ._arrays import as_weights
from ._calls import door
from ._edge_tables import trips_of
from ._errors import UsageError
from ._frames import is_table, table_of
from ._options import native_options
from ._progress import teller
from ._reading import as_graph
from ._result import Result
from ._rows import labelled


@dataclass(frozen=True)
class Flow:
    """Loads of all arcs, by ascending ends; both directions of an undirected edge.

    Attributes
    ----------
    tails, heads : arrays [arcs], int64
        Numbers of the ends. Loops are left out, and of parallel arcs the lightest is used.
    weights : array [arcs], float64
    volumes : array [arcs] or [arcs, columns], float64
        The loads, one-dimensional if the demand is a sequence of tuples.
    columns : list
        Titles of the columns of volumes.
    costs : array [columns], float64
        Sums of volume times distance.
    without_path : int
        Number of pairs with a volume that no path connects.
    left_out : array [columns], float64
        Their volumes.
    selected : array [k, 2], int64
        (index in `select`, index of the pair in the demand) of each trip over a selected arc, sorted.
    plan : str
        How distances were computed.
    """

    tails: np.ndarray
    heads: np.ndarray
    weights: np.ndarray
    volumes: np.ndarray
    columns: list
    costs: np.ndarray
    without_path: int
    left_out: np.ndarray
    selected: np.ndarray
    plan: str


@door
def flow(graph, demand, *, weight=..., split=False, select=(), threads=0, memory=None, progress=None):
    """All trips of a demand on shortest paths (all-or-nothing), and the load of every arc.

    Parameters
    ----------
    graph, weight : see `solve`
        Weights must be at least 0. A result of all pairs gives its distances, also those of a metric; others their graph.
    demand : table, or sequence of (source, target, volume)
        A table (pandas, Arrow, …) has the columns of two ends, and all others but id and index are volumes,
        loaded in one pass.
    split : bool
        A trip is split over all its shortest paths by their number, as betweenness counts them. Otherwise it
        takes the path of `Result.path`. Needs weights above 0.
    select : sequence of (source, target)
        Arcs whose trips are listed.
    threads, memory, progress : see `solve`

    Returns
    -------
    Flow

    Raises
    ------
    UsageError
        A weight or volume is below 0, a volume is not finite, or a selected arc does not exist.

    Examples
    --------
    >>> import apsp
    >>> roads = apsp.Graph.from_edges(list("ABC"), list("BCD"), [30, 20, 60], directed=False)
    >>> found = apsp.flow(roads, [("A", "C", 5), ("D", "B", 2)], select=[("C", "B")])
    >>> found.volumes.tolist(), found.selected.tolist()
    ([5.0, 0.0, 5.0, 2.0, 0.0, 2.0], [[0, 1]])
    """
    result = graph if isinstance(graph, Result) else None
    graph = as_graph(graph, weight)
    titles, sources, targets, volumes = _trips(demand)
    number = lambda labels: np.array([graph._index(label) for label in labels], np.int64)
    arcs = [tuple(arc) for arc in select]
    if any(len(arc) != 2 for arc in arcs):
        raise UsageError("a selected arc is (source, target)")
    options = native_options(None, dict(threads=threads, memory=memory))
    with teller(progress) as tell, labelled(graph):
        tails, heads, weights, loads, costs, without_path, left_out, selected, plan = _apsp.loads(
            (result or graph)._native, number(sources), number(targets), np.ascontiguousarray(volumes.T).ravel(), bool(split),
            number([u for u, _ in arcs]), number([v for _, v in arcs]), options, tell)
    loads = loads.reshape(volumes.shape[1], -1).T if len(loads) else np.zeros((len(tails), volumes.shape[1]))
    return Flow(tails, heads, weights, loads if titles is not None else loads[:, 0], titles or ["volume"], costs,
                without_path, left_out, selected.reshape(-1, 2), plan)


def _trips(demand):
    """(titles or None, sources, targets, volumes [pairs, columns])."""
    if not is_table(demand):
        rows = list(demand)
        if any(len(row) != 3 for row in rows):
            raise UsageError("a trip is (source, target, volume)")
        sources, targets, volumes = zip(*rows) if rows else ((), (), ())
        return None, sources, targets, as_weights(list(volumes), len(rows), "volumes").reshape(-1, 1)
    titles, (sources, targets), columns = trips_of(table_of(demand))
    return titles, sources, targets, np.column_stack(columns)
