"""Edges of NetworkX and igraph graphs, with weights from an attribute or a function."""

import numpy as np

from ._arrays import as_weights, missing_at, objects
from ._errors import UsageError, WrongTypeError
from ._labels import counted
from ._titles import listed

_HOPS = "edges have no attributes: every edge has the weight 1"


def edges_of_networkx(graph, weight):
    """(sources [m], targets [m], weights [m], nodes [n], directed, remarks); ends are indices of nodes.

    Raises
    ------
    UsageError
        No edge has the attribute `weight`, or a value is not a real number.
    """
    if not hasattr(graph, "adjacency") or not hasattr(graph, "is_directed"):
        raise WrongTypeError(f"a {type(graph).__name__} is no graph of NetworkX")
    nodes = list(graph)
    if (missing := missing_at(objects(nodes))) is not None:
        raise UsageError(f"a node is {nodes[missing]!r}, which stands for a missing value: leave out edges with missing "
                         "ends")
    number = {node: i for i, node in enumerate(nodes)}
    if callable(weight):
        return _by_function(graph, weight, nodes, number)
    ends, attributes = [], []
    for u, v, data in graph.edges(data=True):  # list() would count them first, which takes equally long
        ends.append((number[u], number[v]))
        attributes.append(data)
    m = len(ends)
    sources, targets = np.ascontiguousarray(np.array(ends, np.int64).reshape(m, 2).T)
    remarks = []
    if weight is ...:
        weight = _unnamed(attributes, remarks)
    weights = None
    if weight is not None:
        absent = sum(weight not in data for data in attributes)
        if m and absent == m:
            raise _no_attribute(weight, {name for data in attributes for name in data})
        if absent:
            remarks.append(f"{absent:,} of {counted(m, 'edge', 'edges')} have no attribute {weight!r}: their weight is "
                           "1, as NetworkX takes it")
        weights = as_weights([data.get(weight, 1) for data in attributes], m, "weights",
                             lambda i: _weight_of([nodes[end] for end in ends[i]]), truth=False)
    return sources, targets, weights, nodes, graph.is_directed(), remarks


def edges_of_igraph(graph, weights):
    """(sources [m], targets [m], weights [m], names [n] or None, remarks). Raises the same errors."""
    if not hasattr(graph, "get_edgelist"):
        raise WrongTypeError(f"a {type(graph).__name__} is no graph of igraph")
    ends = np.array(graph.get_edgelist(), dtype=np.int64).reshape(-1, 2)
    remarks = []
    names = graph.vs["name"] if "name" in graph.vs.attributes() else None
    if names is not None and (None in names or len(set(names)) < len(names)):
        names = None
        remarks.append('the attribute "name" of vertices is not distinct: they are called by their numbers')
    if weights is ...:
        weights = _unnamed([graph.es.attributes()], remarks)
    if callable(weights):
        raise UsageError("a function as weight is for graphs of NetworkX: give an attribute of edges or a list")
    if isinstance(weights, str):
        if len(ends) and weights not in graph.es.attributes():
            raise _no_attribute(weights, graph.es.attributes())
        weights = graph.es[weights] if len(ends) else None
    weights = as_weights(weights, len(ends), "weights", lambda i: _weight_of(ends[i].tolist()), truth=False)
    return ends[:, 0], ends[:, 1], weights, names, remarks


def _weight_of(edge):
    return f"the weight of the edge {edge[0]!r} – {edge[1]!r}"


def _unnamed(attributes, remarks):
    """The attribute of weights if the caller names none; None: no edge has attributes. `attributes`: names for
    each edge."""
    if any("weight" in of_edge for of_edge in attributes):
        return "weight"
    attributes = {name for of_edge in attributes for name in of_edge}
    if attributes:
        raise UsageError(f"no edge has an attribute 'weight'; edges have {listed(sorted(attributes, key=str))}: name "
                         "one (weight=…), or say weight=None to count edges")
    remarks.append(_HOPS)
    return None


def _no_attribute(name, attributes):
    return UsageError(f"no edge has an attribute {name!r}; edges have {listed(sorted(attributes, key=str))} "
                      "(weight=None counts edges)")


def _by_function(graph, weight, nodes, number):
    """Arcs by weight(u, v, data), called in the direction of a path as in NetworkX; None means no arc."""
    arcs, lengths, hidden = [], [], 0
    for u, neighbours in graph.adjacency():
        for v, data in neighbours.items():
            length = weight(u, v, data)
            if length is None:
                hidden += 1
                continue
            arcs.append((u, v))
            lengths.append(length)
    weights = as_weights(lengths, len(arcs), "weights", lambda i: _weight_of(arcs[i]), truth=False)
    sources = np.fromiter((number[u] for u, _ in arcs), np.int64, len(arcs))
    targets = np.fromiter((number[v] for _, v in arcs), np.int64, len(arcs))
    directed, remarks = graph.is_directed(), []
    if hidden:
        remarks.append(f"the weights hide {counted(hidden, 'arc', 'arcs')}")
    if directed:
        return sources, targets, weights, nodes, True, remarks
    both_ways = dict(zip(zip(sources.tolist(), targets.tolist()), weights.tolist()))
    if all(both_ways.get((v, u)) == length for (u, v), length in both_ways.items()):
        once = sources <= targets
        return sources[once], targets[once], weights[once], nodes, False, remarks
    remarks.append("the weights of some edges differ by direction: the graph is directed")
    return sources, targets, weights, nodes, True, remarks
