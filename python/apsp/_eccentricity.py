"""Diameter, radius and eccentricities without all pairs."""

from dataclasses import dataclass

import numpy as np

from . import _apsp
from ._calls import door
from ._errors import UsageError
from ._options import bytes_of
from ._progress import teller
from ._reading import as_graph
from ._result import Result
from ._rows import labelled

_GOALS = ("diameter", "radius", "extremes", "all")


@dataclass(frozen=True)
class Eccentricities:
    """Eccentricities of one strong component. See `eccentricity`."""

    components: int              # strong components of the graph
    vertices: int                # of this one
    diameter: tuple              # (least, most): proven bounds; equal unless the call was interrupted
    radius: tuple                # the same; (0, inf) bounds are possible for a goal that leaves it out
    diameter_pair: tuple         # numbers of two vertices at the distance diameter[0]
    radius_pair: tuple           # a vertex of eccentricity radius[1], and one at that distance
    periphery: np.ndarray        # numbers of vertices of the greatest eccentricity
    centre: np.ndarray           # numbers of vertices of the least eccentricity
    eccentricity: np.ndarray     # [n], float64, NaN for other components and where it is not known
    tolerance: float             # relative; 0: exact
    rows: int                    # rows of distances that were computed
    complete: bool
    plan: str

    @classmethod
    def _of(cls, found):
        return cls(**{**found, "periphery": np.asarray(found["periphery"], np.int64),
                      "centre": np.asarray(found["centre"], np.int64)})


@door
def eccentricity(graph, *, goal="extremes", sets=False, component="largest", weight=..., algorithm="auto", threads=0,
                 memory=None, progress=None):
    """Exact diameter, radius, centre and periphery from a few searches instead of all pairs.

    The eccentricity of a vertex is the largest distance from it. The diameter is the largest
    eccentricity, the radius the smallest. All are of one strong component, whose vertices reach each
    other. They equal the radius of `Result.statistics`, and the diameter there of the component, or of
    the graph if it has one component. In a directed graph of several components, the diameter of
    all pairs with a path may be larger: ``apsp.solve(graph, keep="statistics").statistics`` has it.

    Parameters
    ----------
    graph, weight : see `solve`
        Weights must be at least 0. If all are 1, searches are breadth-first. The factor of a `Result` gives rows.
    goal : str
        "extremes": diameter and radius. "diameter" or "radius": one of them. "all": every eccentricity,
        which takes many more searches.
    sets : bool
        Whether to find all vertices of the centre and the periphery. Where many vertices have the same
        eccentricity, as in social networks, this takes many more searches.
    component : str
        "largest": the largest strong component; of equal ones that with the smallest vertex. "each":
        a list with every strong component, the largest first.
    algorithm : str
        "johnson": searches. "nested-dissection": rows of a factor. "auto": the factor of a result if it is faster
        than searches, else searches, and a factor once they have taken as long as making one would.
    threads, memory, progress : see `solve`
        The task that `progress` receives names the proven bounds.

    Returns
    -------
    Eccentricities, or a list of them
        ``diameter`` and ``radius`` are tuples (least, most) in the unit of the weights, and equal. ``centre``
        and ``periphery`` hold numbers of vertices: all of them with `sets` or the goal "all", else those
        known. ``eccentricity`` is an array [n] of float64: NaN for other components, and for vertices that bounds decided about unless `goal` is "all". Integers
        are exact. Real weights are compared with an allowance for rounding, ``tolerance``.

    Raises
    ------
    UsageError
        A weight is negative, or the graph has no vertices.
    DoesNotFitError
        The searches need more memory.
    KeyboardInterrupt
        Ctrl-C. If a row was computed, its attribute ``bounds`` holds an `Eccentricities` (or a list) with the
        bounds that were proven until then, and ``complete`` False.

    Notes
    -----
    Bounds: Takes and Kosters (2011), Borassi et al. (2015, SumSweep). Pairs: Crescenzi et al. (2013, iFUB).

    Examples
    --------
    >>> import apsp
    >>> roads = apsp.Graph.from_edges(list("ABC"), list("BCD"), [30, 20, 60], directed=False)
    >>> found = apsp.eccentricity(roads)
    >>> found.diameter, found.radius, [roads.labels[v] for v in found.centre]
    ((110.0, 110.0), (60.0, 60.0), ['C'])
    """
    if goal not in _GOALS:
        raise UsageError(f'goal is "diameter", "radius", "extremes" or "all", not {goal!r}')
    if component not in ("largest", "each"):
        raise UsageError(f'component is "largest" or "each", not {component!r}')
    result = graph if isinstance(graph, Result) else None
    graph = as_graph(graph, weight)
    graph._index.require_no_turns("eccentricity")

    def described(found):
        found = [Eccentricities._of(one) for one in found]
        return found if component == "each" else found[0]

    with teller(progress) as tell, labelled(graph):
        try:
            return described(_apsp.eccentricity(
                (result or graph)._native, _GOALS.index(goal), bool(sets), component == "each", algorithm, threads,
                0 if memory is None else bytes_of(memory, "memory"), tell))
        except BaseException as stop:  # noqa: B036 -- also what a handler of signals raises
            if hasattr(stop, "bounds"):
                stop.bounds = described(stop.bounds)
            raise
