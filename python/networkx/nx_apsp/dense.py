"""Floyd and Warshall's functions, and Johnson's: results of all pairs at once."""

import networkx as nx
import numpy as np

from nx_apsp.engine import Problem


def floyd_warshall(G, weight="weight"):
    problem = Problem(G, weight, signed=True, infinite=True)
    row = problem.table.all_lengths
    return {G.nodes[source]: row(source, distances) for source, distances, _ in problem.rows()}


def floyd_warshall_predecessor_and_distance(G, weight="weight"):
    problem = Problem(G, weight, signed=True, infinite=True)
    table = problem.table
    loops = set(problem.graph.loops().tolist())
    before, lengths = {}, {}
    for source, distances, predecessors in problem.rows():
        lengths[G.nodes[source]] = table.all_lengths(source, distances)
        if source in loops or np.isfinite(distances).sum() > 1:
            before[G.nodes[source]] = table.predecessors(source, predecessors, source in loops)
    return before, lengths


def floyd_warshall_numpy(G, nodelist=None, weight="weight"):
    if nodelist is not None and not len(nodelist) == len(G) == len(set(nodelist) & set(G.nodes)):
        raise nx.NetworkXError("nodelist must name every node of the graph once")
    distances, _ = Problem(G, weight, signed=True, infinite=True).solve()
    if nodelist is None:
        return np.array(distances)
    order = [G.index[node] for node in nodelist]
    return distances[np.ix_(order, order)]


def johnson(G, weight="weight"):
    problem = Problem(G, weight, signed=True)
    paths = problem.table.paths
    return {
        G.nodes[source]: paths(source, distances, predecessors)
        for source, distances, predecessors in problem.rows()
    }
