"""The graph of the backend, and its conversion from and to NetworkX.

Vertices are numbered in the order of NetworkX's nodes. Arcs are compressed rows: those that leave
vertex i are [offsets[i], offsets[i + 1]). An undirected edge {u, v}, u != v, stands in both rows, a
loop once, parallel edges one by one.
"""

from __future__ import annotations

from itertools import chain
from typing import NamedTuple

import networkx as nx
import numpy as np

EXACT = 2.0**53  # whole numbers up to here are exact in float64


class Weights(NamedTuple):
    """An attribute of all arcs, as numbers."""

    values: np.ndarray  # [arcs] float64
    whole: bool  # every one is an int of Python: distances are ints
    least: float  # 0 without arcs
    greatest: float  # of the magnitudes; 0 without arcs


class ApspGraph:
    """A graph as the engine takes it. NetworkX recognises it by `__networkx_backend__`."""

    __networkx_backend__ = "apsp"

    def __init__(self, nodes, offsets, targets, *, directed, multigraph):
        self.nodes = nodes  # [n] any hashable objects
        self.index = dict(zip(nodes, range(len(nodes))))
        self.offsets = offsets  # [n + 1] int64
        self.targets = targets  # [arcs] int32
        self.weights = {}  # name of an attribute: Weights
        self.engines = {}  # name of an attribute: the graph as the engine has it
        self.original = None  # a copy with all attributes, where they were to be preserved
        self._directed = directed
        self._multigraph = multigraph
        self.__networkx_cache__ = {}

    def is_directed(self):
        return self._directed

    def is_multigraph(self):
        return self._multigraph

    def __contains__(self, node):
        try:
            return node in self.index
        except TypeError:
            return False

    def __len__(self):
        return len(self.nodes)

    def __iter__(self):
        return iter(self.nodes)

    def number_of_nodes(self):
        return len(self.nodes)

    order = number_of_nodes

    def number_of_edges(self):
        arcs = len(self.targets)
        if self._directed:
            return arcs
        return (arcs + len(self.loops())) // 2

    def __str__(self):
        kind = ("Multi" if self._multigraph else "") + ("DiGraph" if self._directed else "Graph")
        return f"{kind} with {len(self)} nodes and {self.number_of_edges()} edges"

    def nbunch_iter(self, nbunch=None):
        """As NetworkX: all nodes, one node, or those of a container that are in the graph."""
        if nbunch is None:
            return iter(self.nodes)
        if nbunch in self:
            return iter([nbunch])
        try:
            members = list(nbunch)
            return iter([node for node in members if node in self.index])
        except TypeError as error:
            raise nx.NetworkXError(f"Node {nbunch} is not in the graph.") from error

    def arc_sources(self):
        """[arcs] int32: the vertex that each arc leaves."""
        return np.repeat(np.arange(len(self), dtype=np.int32), np.diff(self.offsets))

    def weights_of(self, name):
        """The attribute `name` of all arcs, 1 where it is absent; None: 1 everywhere."""
        if name is None:
            return Weights(np.ones(len(self.targets)), True, 1.0, 1.0)
        if callable(name):
            raise NotImplementedError("a function of an edge is no attribute")
        if name not in self.weights:
            if self.original is None:
                raise ValueError(f"the graph was converted without the attribute {name!r}")
            self.weights[name] = read_weights(self.original, name, 1)
        return self.weights[name]

    def loops(self):
        """The vertices that have an arc to themselves, as often as they have one."""
        sources = self.arc_sources()
        return sources[sources == self.targets]

    def with_arcs(self, kept):
        """The graph of some arcs, without weights. kept: [arcs] bool."""
        offsets = np.concatenate(([0], np.cumsum(kept)))[self.offsets].astype(np.int64)
        return self._like(offsets, self.targets[kept])

    def reversed(self):
        """The graph with every arc reversed, without weights; and [arcs] which arc became which."""
        order = np.argsort(self.targets, kind="stable")
        offsets = np.zeros(len(self) + 1, dtype=np.int64)
        np.cumsum(np.bincount(self.targets, minlength=len(self)), out=offsets[1:])
        return self._like(offsets, self.arc_sources()[order]), order

    def _like(self, offsets, targets):
        return ApspGraph(self.nodes, offsets, targets, directed=self._directed, multigraph=self._multigraph)


def convert_from_nx(
    G,
    *,
    edge_attrs=None,
    node_attrs=None,
    preserve_edge_attrs=False,
    preserve_node_attrs=False,
    preserve_graph_attrs=False,
    name=None,
    graph_name=None,
):
    """An ApspGraph of a NetworkX graph. Raises NotImplementedError for weights that are no numbers.

    NetworkX then computes by itself, or says what is wrong with them.
    """
    if isinstance(G, ApspGraph):
        return G
    preserved = preserve_edge_attrs or preserve_node_attrs or node_attrs
    if preserved:
        G = G.copy()  # whose order of neighbours may be another
    nodes = list(G)
    rows = [neighbours for _, neighbours in G.adjacency()]
    multigraph = G.is_multigraph()
    degrees = (sum(map(len, row.values())) for row in rows) if multigraph else map(len, rows)
    offsets = np.zeros(len(nodes) + 1, dtype=np.int64)
    np.cumsum(np.fromiter(degrees, np.int64, len(nodes)), out=offsets[1:])
    graph = ApspGraph(nodes, offsets, None, directed=G.is_directed(), multigraph=multigraph)
    if multigraph:
        heads = (v for row in rows for v, keyed in row.items() for _ in keyed)
    else:
        heads = chain.from_iterable(rows)
    graph.targets = np.fromiter(map(graph.index.__getitem__, heads), np.int32, int(offsets[-1]))
    for attribute, default in (edge_attrs or {}).items():
        graph.weights[attribute] = read_weights(G, attribute, default)
    if preserved:
        graph.original = G
    return graph


def read_weights(G, attribute, default):
    """The attribute of all arcs of a NetworkX graph, in the order of convert_from_nx."""
    data = chain.from_iterable(row.values() for _, row in G.adjacency())
    if G.is_multigraph():
        data = chain.from_iterable(keyed.values() for keyed in data)
    found = [attributes.get(attribute, default) for attributes in data]
    return weights_from(found)


def weights_from(found):
    """Weights of a list of numbers. Raises NotImplementedError for anything else and for NaN."""
    kinds = set(map(type, found))
    if not all(issubclass(kind, (int, float, np.integer, np.floating)) for kind in kinds):
        raise NotImplementedError("a weight is neither an int nor a float")
    try:
        values = np.array(found, dtype=np.float64)
    except OverflowError as error:
        raise NotImplementedError("a weight is too large for float64") from error
    if np.isnan(values).any():
        raise NotImplementedError("a weight is NaN")
    whole = all(issubclass(kind, (int, np.integer)) for kind in kinds)
    greatest = float(np.abs(values).max(initial=0.0))
    if whole and greatest >= EXACT:
        raise NotImplementedError("an int weight is too large to be exact in float64")
    return Weights(values, whole, float(values.min(initial=np.inf)) if len(values) else 0.0, greatest)


def convert_to_nx(obj, *, name=None):
    """A NetworkX graph of an ApspGraph; every other result as it is."""
    if not isinstance(obj, ApspGraph):
        return obj
    if obj.original is not None:
        return obj.original.copy()
    kind = {
        (False, False): nx.Graph,
        (True, False): nx.DiGraph,
        (False, True): nx.MultiGraph,
        (True, True): nx.MultiDiGraph,
    }[obj.is_directed(), obj.is_multigraph()]
    graph = kind()
    graph.add_nodes_from(obj.nodes)
    sources = obj.arc_sources()
    # Of the two arcs of an undirected edge the one that rises.
    kept = np.flatnonzero((sources <= obj.targets) | obj.is_directed())
    data = [{} for _ in kept]
    for attribute, weights in obj.weights.items():
        values = weights.values[kept]
        for attributes, value in zip(data, (values.astype(np.int64) if weights.whole else values).tolist()):
            attributes[attribute] = value
    ends = zip(sources[kept].tolist(), obj.targets[kept].tolist(), data)
    graph.add_edges_from((obj.nodes[u], obj.nodes[v], attributes) for u, v, attributes in ends)
    return graph
