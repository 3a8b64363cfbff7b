"""Numbers of a graph: eccentricities and what follows from them, centralities, sums."""

import apsp
import networkx as nx
import numpy as np
from _nx_apsp import networkx_version

from nx_apsp.engine import Problem, settings
from nx_apsp.graph import EXACT
from nx_apsp.rows import numbers

_METHODS = ("unweighted", "dijkstra", "bellman-ford", "floyd-warshall", "floyd-warshall-numpy")


def average_shortest_path_length(G, weight=None, method=None):
    if method is not None and method not in _METHODS:
        raise ValueError(f"method not supported: {method}")
    if method is None:
        method = "unweighted" if weight is None else "dijkstra"
    n = len(G)
    if n == 0:
        raise nx.NetworkXPointlessConcept("the null graph has no paths, thus there is no average shortest path length")
    if n == 1:
        return 0
    signed = method not in ("unweighted", "dijkstra")
    problem = Problem(G, None if method == "unweighted" else weight, signed=signed)
    totals = problem.totals()
    if not totals.connected:
        raise nx.NetworkXError("Graph is not strongly connected." if G.is_directed() else "Graph is not connected.")
    return totals.mean


def wiener_index(G, weight=None):
    _require_nodes(G, "Connectivity is undefined for the null graph.")
    problem = Problem(G, weight)
    if len(G) == 1:
        return 0 if G.is_directed() else 0.0
    totals = problem.totals()
    if not totals.connected:
        return float("inf")
    total = _sum_of(problem, totals)
    return total if G.is_directed() else total / 2


def _sum_of(problem, totals):
    """The sum of all distances: of ints the exact one."""
    total = totals.mean * totals.pairs
    if not problem.weights.whole:
        return total
    if total >= EXACT / 2:  # a mean that was rounded does not tell the sum
        return sum(int(distances.sum()) for _, distances in problem.rows())
    return round(total)


def eccentricity(G, v=None, sp=None, weight=None):
    if sp is not None:
        raise NotImplementedError("nothing is left to solve")
    if networkx_version() >= (3, 7):
        _require_nodes(G, "Cannot compute eccentricity of a null graph.")
    if v is None:
        return _eccentricities(G, weight)
    nodes = list(dict.fromkeys(G.nbunch_iter(v)))
    if not nodes:
        return {}
    problem = Problem(G, weight)
    distances, _ = problem.solve([G.index[node] for node in nodes])
    greatest = distances.max(axis=1)
    if np.isinf(greatest).any():
        raise _not_connected(G)
    found = dict(zip(nodes, numbers(greatest, problem.weights.whole)))
    return found[v] if v in G else found


def _eccentricities(G, weight):
    problem = Problem(G, weight)
    n = len(G)
    if n < 2:
        return dict.fromkeys(G, 0)
    totals = problem.totals()
    if not totals.connected:
        raise _not_connected(G)
    return dict(zip(G.nodes, numbers(totals.eccentricity, problem.weights.whole)))


def _not_connected(G):
    if G.is_directed():
        return nx.NetworkXError("Found infinite path length because the digraph is not strongly connected")
    return nx.NetworkXError("Found infinite path length because the graph is not connected")


def _given_or_found(G, e, weight):
    if e is not None:
        raise NotImplementedError("nothing is left to solve")
    return eccentricity(G, weight=weight)


def diameter(G, e=None, usebounds=False, weight=None):
    return max(_given_or_found(G, e, weight).values())


def radius(G, e=None, usebounds=False, weight=None):
    return min(_given_or_found(G, e, weight).values())


def periphery(G, e=None, usebounds=False, weight=None):
    found = _given_or_found(G, e, weight)
    greatest = max(found.values())
    return [node for node, value in found.items() if value == greatest]


def center(G, e=None, usebounds=False, weight=None):
    if weight is None and not G.is_directed():
        _require_nodes(G, "Cannot compute the center of a null graph.")
    found = _given_or_found(G, e, weight)
    least = min(found.values())
    return [node for node, value in found.items() if value == least]


def barycenter(G, weight=None, attr=None, sp=None):
    if attr is not None or sp is not None:
        raise NotImplementedError("the graph would be changed, or nothing is left to solve")
    if weight is None and not G.is_directed() and networkx_version() >= (3, 6):
        _require_nodes(G, "Cannot compute the barycenter of a null graph.")
    problem = Problem(G, weight)
    n = len(G)
    if problem.weights.whole and problem.weights.greatest * n * n >= EXACT:
        raise NotImplementedError("a sum of distances may be too large to be exact in float64")
    sums = np.empty(n)
    for source, distances in problem.rows():
        sums[source] = distances.sum()
    if np.isinf(sums).any():
        raise nx.NetworkXNoPath(
            f"Input graph {G} is disconnected, so every induced subgraph has infinite barycentricity."
        )
    return [G.nodes[v] for v in np.flatnonzero(sums == sums.min(initial=np.inf)).tolist()]


centroid = barycenter  # its name since NetworkX 3.7


def closeness_centrality(G, u=None, distance=None, wf_improved=True, *, sp=None):
    if sp is not None:
        raise NotImplementedError("nothing is left to solve")
    problem = Problem(G, distance)
    n = len(G)
    if u is not None:
        if u not in G:
            raise nx.NodeNotFound(f"Node {u} is not found in the graph")
        _, distances, _ = problem.reversed().row(u)
        return _closeness(distances.wide(), n, wf_improved)
    if n < 2:
        return dict.fromkeys(G, 0.0)
    totals = problem.totals()
    if wf_improved or totals.connected:
        return dict(zip(G.nodes, totals.closeness.tolist()))
    rows = problem.reversed().rows()
    return {G.nodes[v]: _closeness(distances, n, wf_improved) for v, distances in rows}


def _closeness(distances, n, wf_improved):
    """Of the distances to one vertex."""
    reached = np.isfinite(distances)
    others = int(reached.sum()) - 1.0
    total = float(distances[reached].sum())
    if total <= 0.0:
        return 0.0
    return others / total * (others / (n - 1) if wf_improved else 1.0)


def harmonic_centrality(G, nbunch=None, distance=None, sources=None):
    problem = Problem(G, distance)
    if nbunch is None and sources is None:
        values = problem.totals().harmonic.tolist() if len(G) > 1 else [0] * len(G)
        return dict(zip(G.nodes, (value or 0 for value in values)))
    nodes = set(G.nbunch_iter(nbunch))
    others = set(G.nbunch_iter(sources))
    if not nodes:
        return {}
    columns = [G.index[node] for node in others]
    found = {}
    if len(nodes) <= len(others):
        listed = list(nodes)
        rows, _ = problem.reversed().solve([G.index[node] for node in listed])
        sums = _inverse(rows[:, columns]).sum(axis=1)
    else:
        listed = list(nodes)
        rows, _ = problem.solve(columns) if columns else (np.zeros((0, len(G))), None)
        sums = _inverse(rows[:, [G.index[node] for node in listed]]).sum(axis=0)
    for node, value in zip(listed, sums.tolist()):
        found[node] = value or 0
    return found


def _inverse(distances):
    """1/d, and 0 of a distance of 0."""
    return np.divide(1.0, distances, out=np.zeros_like(distances), where=distances != 0)


def local_efficiency(G):
    problem = Problem(G, None)
    return float(apsp.local_efficiency(problem.engine(), threads=settings().threads).sum()) / len(G)


def global_efficiency(G):
    n = len(G)
    if n < 2:
        return 0
    return float(Problem(G, None).totals().harmonic.sum()) / (n * (n - 1))


def _require_nodes(G, message):
    if not len(G):
        raise nx.NetworkXPointlessConcept(message)
