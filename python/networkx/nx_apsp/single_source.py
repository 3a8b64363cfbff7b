"""The functions single_source_*: one row. They pay on a graph that is converted already."""

import networkx as nx

from nx_apsp.engine import Problem, bounded


def single_source_dijkstra(G, source, target=None, cutoff=None, weight="weight"):
    if target is not None:
        raise NotImplementedError("NetworkX stops at a target")
    row = _row(G, source, weight, cutoff)
    return row.lengths(), row.paths()


def single_source_dijkstra_path(G, source, cutoff=None, weight="weight"):
    return _row(G, source, weight, cutoff).paths()


def single_source_dijkstra_path_length(G, source, cutoff=None, weight="weight"):
    return _row(G, source, weight, cutoff).lengths()


def single_source_shortest_path(G, source, cutoff=None):
    return _row(G, source, None, cutoff).paths()


def single_source_shortest_path_length(G, source, cutoff=None):
    return _row(G, source, None, cutoff).lengths()


class _Row:
    def __init__(self, problem, source, cutoff):
        source, distances, self._predecessors = problem.row(source)
        self._table, self._found, self._cutoff = problem.table, (source, distances), cutoff

    def lengths(self):
        return self._table.lengths(*self._found, self._cutoff)

    def paths(self):
        return self._table.paths(*self._found, self._predecessors, self._cutoff)


class _NearRow:
    def __init__(self, problem, source, cutoff):
        self._problem = problem
        (self._found,) = problem.near_rows(cutoff, [problem.graph.index[source]])

    def lengths(self):
        return self._problem.near_lengths(*self._found)

    def paths(self):
        return self._problem.near_paths(*self._found)


def _row(G, source, weight, cutoff):
    if source not in G:
        raise nx.NodeNotFound(f"Node {source} is not found in the graph")
    return (_NearRow if bounded(cutoff) else _Row)(Problem(G, weight), source, cutoff)
