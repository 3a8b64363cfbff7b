"""What the backend can compute, and what it pays to hand to it."""

import inspect
from functools import cache

from nx_apsp.graph import ApspGraph

# Arguments with which nothing is left to solve, the graph is changed, or NetworkX stops early.
_REFUSED = {
    "sp": "distances were given",
    "e": "eccentricities were given",
    "attr": "the graph would be changed",
    "target": "NetworkX stops at the target",
}

# Seconds of NetworkX, on a core of 2026: a vertex and an arc of a search, a step of the triple loop.
_SEARCH = {"breadth first": (1.5e-7, 0.7e-7), "dijkstra": (1.2e-6, 4.5e-7)}
_TRIPLE_STEP = 6e-8
# Seconds of the backend: of a call, of an arc to convert, of an arc and of a pair to solve.
_CALL, _CONVERTED_ARC, _SOLVED_ARC, _SOLVED_PAIR = 4e-4, 3e-7, 5e-8, 2e-8

_TRIPLE_LOOPS = {"floyd_warshall", "floyd_warshall_predecessor_and_distance", "floyd_warshall_tree"}
_ALWAYS_WEIGHTED = ("dijkstra", "bellman_ford", "johnson")


@cache
def _signature(name):
    from nx_apsp import backend

    return inspect.signature(getattr(backend, name))


def _bound(name, args, kwargs):
    """The arguments by name. NetworkX hands them over by position or by name, as it likes."""
    bound = _signature(name).bind(*args, **kwargs)
    bound.apply_defaults()
    return bound.arguments


def can_run(name, args, kwargs):
    """True, or why not."""
    try:
        arguments = _bound(name, args, kwargs)
    except TypeError as error:
        return f"an argument that is not known: {error}"
    for argument, reason in _REFUSED.items():
        if arguments.get(argument) is not None:
            return reason
    if callable(arguments.get("weight")) or callable(arguments.get("distance")):
        return "the weight is a function of an edge"
    return True


def should_run(name, args, kwargs):
    """True where it is expected to be faster than NetworkX by the factor `gain`, or why not."""
    from nx_apsp.engine import settings

    arguments = _bound(name, args, kwargs)
    graph = arguments["G"]
    if isinstance(graph, ApspGraph):
        return True
    theirs, ours = seconds(name, arguments)
    if theirs >= settings().gain * ours:
        return True
    return f"NetworkX is expected to take {theirs:.1g} s, with the conversion apsp {ours:.1g} s"


def seconds(name, arguments):
    """Expected seconds (of NetworkX, of the backend with the conversion, unless it is cached)."""
    graph = arguments["G"]
    n, arcs = len(graph), graph.number_of_edges() * (1 if graph.is_directed() else 2)
    one = name.startswith("single_source_") or arguments.get("u") is not None
    sources = 1 if one else n
    weighted = any(part in name for part in _ALWAYS_WEIGHTED)
    weighted |= arguments.get("weight") is not None or arguments.get("distance") is not None
    vertex, arc = _SEARCH["dijkstra" if weighted else "breadth first"]
    theirs = sources * (vertex * n + arc * arcs)
    if name in _TRIPLE_LOOPS:
        theirs = _TRIPLE_STEP * n**3
    elif name == "local_efficiency":
        degree = arcs / n if n else 0
        theirs = n * degree * (vertex * degree + arc * degree * degree)
    cached = (getattr(graph, "__networkx_cache__", None) or {}).get("backends", {}).get("apsp")
    converting = 0 if cached else _CONVERTED_ARC * (n + arcs)
    ours = _CALL + converting + _SOLVED_ARC * arcs + _SOLVED_PAIR * sources * n
    return theirs, ours
