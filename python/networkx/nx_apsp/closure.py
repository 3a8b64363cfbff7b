"""The transitive closure: the graph with an edge wherever there is a path."""

import networkx as nx
import numpy as np

from nx_apsp.engine import Problem
from nx_apsp.graph import convert_to_nx


def transitive_closure(G, reflexive=False):
    if reflexive not in {None, True, False}:
        raise nx.NetworkXError("Incorrect value for the parameter `reflexive`")
    closed = convert_to_nx(G)
    nodes = np.empty(len(G), dtype=object)
    nodes[:] = G.nodes
    cycles = _on_cycles(G) if reflexive is False and G.is_directed() else None
    for v, distances in Problem(G, None).rows():
        missing = np.isfinite(distances)
        missing[v] = reflexive is True or (cycles is not None and cycles(v, missing))
        missing[G.targets[G.offsets[v] : G.offsets[v + 1]]] = False
        if not G.is_directed():
            missing[:v] = False  # added from the other end
        source = G.nodes[v]
        closed.add_edges_from((source, target) for target in nodes[missing].tolist())
    return closed


def _on_cycles(G):
    """(v, whom v reaches) -> whether v comes back to itself."""
    reversed, _ = G.reversed()

    def comes_back(v, reached):
        return bool(reached[reversed.targets[reversed.offsets[v] : reversed.offsets[v + 1]]].any())

    return comes_back
