"""The functions single_source_*: one row. They pay on a graph that is converted already."""

import networkx as nx

from nx_apsp.engine import Problem


def single_source_dijkstra(G, source, target=None, cutoff=None, weight="weight"):
    if target is not None:
        raise NotImplementedError("NetworkX stops at a target")
    row = _row(G, source, weight)
    return row.lengths(cutoff), row.paths(cutoff)


def single_source_dijkstra_path(G, source, cutoff=None, weight="weight"):
    return _row(G, source, weight).paths(cutoff)


def single_source_dijkstra_path_length(G, source, cutoff=None, weight="weight"):
    return _row(G, source, weight).lengths(cutoff)


def single_source_shortest_path(G, source, cutoff=None):
    return _row(G, source, None).paths(cutoff)


def single_source_shortest_path_length(G, source, cutoff=None):
    return _row(G, source, None).lengths(cutoff)


class _Row:
    def __init__(self, problem, source, distances, predecessors):
        self._table = problem.table
        self._found = source, distances
        self._predecessors = predecessors

    def lengths(self, cutoff):
        return self._table.lengths(*self._found, cutoff)

    def paths(self, cutoff):
        return self._table.paths(*self._found, self._predecessors, cutoff)


def _row(G, source, weight):
    if source not in G:
        raise nx.NodeNotFound(f"Node {source} is not found in the graph")
    problem = Problem(G, weight)
    return _Row(problem, *problem.row(source))
