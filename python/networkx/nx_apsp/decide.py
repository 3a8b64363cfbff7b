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

# Seconds, as they were measured on two cores of a shared Intel Xeon, 2026; only their
# ratios matter. NetworkX: a vertex and an arc of a search, a step of the triple loop.
_SEARCH = {"breadth first": (1.2e-7, 3e-8), "dijkstra": (6e-7, 2e-7)}
_TRIPLE_STEP = 6e-8
# The backend: a call, an arc to convert, an arc to take up, a pair to solve.
_CALL, _CONVERTED_ARC, _TAKEN_ARC, _SOLVED_PAIR = 1.5e-3, 2e-7, 1e-7, 1e-8
# A path of a dictionary in both; a distance of one in the backend, NetworkX has it from the search.
_THEIR_PATH, _OUR_PATH, _DISTANCE = 4e-7, 8e-7, 1.5e-7
# NetworkX: a view of a neighbourhood, a search of edges from a vertex beside its arcs.
_VIEW, _EDGE_SEARCH = 6e-5, 1e-4
_WITHIN_CUTOFF = 100  # vertices that a search finds, where nobody knows
_COUNTED_PAIR = 5e-8  # the backend: shares of paths to a vertex from a source
_TIED_STEP = 4e-9  # the backend's floyd_warshall_tree: a step of its choice among paths

_TRIPLE_LOOPS = {
    "floyd_warshall": _TRIPLE_STEP,
    "floyd_warshall_predecessor_and_distance": _TRIPLE_STEP,
    "floyd_warshall_tree": 1e-8,
    "floyd_warshall_numpy": 2e-9,
}
_ALWAYS_WEIGHTED = ("dijkstra", "bellman_ford", "johnson", "floyd_warshall")
_PATHS = ("johnson", "all_pairs_dijkstra", "single_source_dijkstra")


functions = {}  # name → the function that answers for it: entered by `backend`


@cache
def _signature(name):
    return inspect.signature(functions[name])


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
        if arguments.get(argument) is not None and name != "all_shortest_paths":
            return reason
    if name == "edge_betweenness_centrality" and arguments["G"].is_multigraph():
        return "keys of parallel edges are not converted"
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
    if name.startswith("single_source_") and arguments.get("cutoff") is not None:
        return "NetworkX stops at the cutoff, before the graph would be converted"
    theirs, ours = seconds(name, arguments)
    if theirs >= settings().gain * ours:
        return True
    return f"NetworkX is expected to take {theirs:.1g} s, with the conversion apsp {ours:.1g} s"


def seconds(name, arguments):
    """Expected seconds (of NetworkX, of the backend with the conversion, unless it is cached)."""
    graph = arguments["G"]
    n, arcs = len(graph), graph.number_of_edges() * (1 if graph.is_directed() else 2)
    width = n if arguments.get("cutoff") is None else min(n, _WITHIN_CUTOFF)
    pairs = n if name.startswith(("single_source_", "all_shortest_paths")) or arguments.get("u") is not None else n * width
    if arguments.get("k") is not None:
        pairs = n * arguments["k"]
    weighted = any(part in name for part in _ALWAYS_WEIGHTED)
    weighted |= arguments.get("weight") is not None or arguments.get("distance") is not None
    vertex, arc = _SEARCH["dijkstra" if weighted else "breadth first"]
    theirs = pairs * vertex + pairs / max(n, 1) * arcs * arc
    if name in _TRIPLE_LOOPS:
        theirs = _TRIPLE_LOOPS[name] * n**3
    elif name == "local_efficiency":  # a search from every neighbour of every vertex among them
        degree = arcs / max(n, 1)
        theirs = _VIEW * n + arcs * degree * (vertex + arc * degree)
    elif name == "transitive_closure":
        theirs = _EDGE_SEARCH * n + 3 * theirs
    cached = (getattr(graph, "__networkx_cache__", None) or {}).get("backends", {}).get("apsp")
    ours = _CALL + (0 if cached else _CONVERTED_ARC * (n + arcs)) + _TAKEN_ARC * arcs + _SOLVED_PAIR * pairs
    if "betweenness" in name:  # NetworkX adds up against the order of its search
        theirs, ours = 2 * theirs, ours + _COUNTED_PAIR * pairs
    if name == "floyd_warshall_tree":
        ours += _TIED_STEP * n**3
    if name in _PATHS or name.endswith("_path"):
        theirs, ours = theirs + _THEIR_PATH * pairs, ours + _OUR_PATH * pairs
    elif name.startswith(("all_pairs_", "single_source_")) or name == "floyd_warshall":
        ours += _DISTANCE * pairs
    return theirs, ours
