"""All shortest paths: predecessors by the engine, paths along them by NetworkX."""

import apsp
import networkx as nx
from networkx.algorithms.shortest_paths.generic import _build_paths_from_predecessors

from nx_apsp.engine import Problem, settings


def all_shortest_paths(G, source, target, weight=None, method="dijkstra"):
    return _build_paths_from_predecessors({source}, target, _Predecessors(_problem(G, weight, method), source))


def single_source_all_shortest_paths(G, source, weight=None, method="dijkstra"):
    return _rows(_problem(G, weight, method), source)


def all_pairs_all_shortest_paths(G, weight=None, method="dijkstra"):
    problem = _problem(G, weight, method)
    for source in problem.graph.nodes:
        yield source, dict(_rows(problem, source))


def _rows(problem, source):
    before = _Predecessors(problem, source)
    for node in problem.graph.nodes:
        if node in before:
            yield node, list(_build_paths_from_predecessors({source}, node, before))


def _problem(G, weight, method):
    if weight is not None and method not in ("dijkstra", "bellman-ford"):
        raise ValueError(f"method not supported: {method}")
    return Problem(G, weight)


class _Predecessors(dict):
    """{node: all nodes before it on shortest paths}, of the nodes that have a path; filled when read."""

    def __init__(self, problem, source):
        self._graph = problem.graph
        if source not in self._graph:
            raise nx.NodeNotFound(f"Source {source} not in G")
        self._source = self._graph.index[source]
        self._first, self._found = apsp.all_predecessors(problem.engine(), self._source, threads=settings().threads)

    def __contains__(self, node):
        vertex = self._graph.index.get(node, -1)
        return vertex >= 0 and (vertex == self._source or self._first[vertex] < self._first[vertex + 1])

    def __missing__(self, node):
        vertex, nodes = self._graph.index[node], self._graph.nodes
        found = self._found[self._first[vertex]:self._first[vertex + 1]].tolist()
        self[node] = [nodes[before] for before in found]
        return self[node]
