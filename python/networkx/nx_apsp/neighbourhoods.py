"""Local efficiency: the efficiency of the neighbours of every vertex, without the vertex.

The neighbourhoods of many vertices are solved at once, as one graph without paths between them. Its
vertices are arcs of the graph: the arc v → u stands for u as a neighbour of v.
"""

import numpy as np

from nx_apsp.engine import Problem
from nx_apsp.graph import ApspGraph

_TOGETHER = 2048  # arcs of a graph of neighbourhoods; a matrix of that side fits a cache


def local_efficiency(G):
    n = len(G)
    arcs = np.unique(G.arc_sources().astype(np.int64) * n + G.targets)  # of parallel ones one
    degrees = np.bincount(arcs // n, minlength=n) if n else np.zeros(0, dtype=np.int64)
    offsets = np.concatenate(([0], np.cumsum(degrees)))
    total = 0.0
    first = 0
    while first < n:
        last = max(first + 1, int(np.searchsorted(offsets, offsets[first] + _TOGETHER, side="right")) - 1)
        total += _efficiencies(n, arcs, offsets, degrees, first, last)
        first = last
    return total / len(G)


def _efficiencies(n, arcs, offsets, degrees, first, last):
    """The sum of the efficiencies of the neighbourhoods of the vertices [first, last)."""
    begin, end = int(offsets[first]), int(offsets[last])
    if begin == end:
        return 0.0
    graph = _neighbourhoods(n, arcs, offsets, degrees, begin, end)
    inverse = Problem(graph, None).totals().harmonic
    sums = np.bincount(arcs[begin:end] // n - first, weights=inverse, minlength=last - first)
    pairs = degrees[first:last] * (degrees[first:last] - 1)
    return float((sums / np.maximum(pairs, 1)).sum())


def _neighbourhoods(n, arcs, offsets, degrees, begin, end):
    """The graph of the arcs [begin, end): v → u is next to v → w where u → w is an arc."""
    owners, neighbours = np.divmod(arcs[begin:end], n)
    counts = degrees[neighbours]
    of = np.repeat(np.arange(end - begin), counts)
    ends = np.cumsum(counts)
    onward = np.arange(ends[-1]) - np.repeat(ends - counts, counts) + np.repeat(offsets[neighbours], counts)
    wanted = owners[of] * n + arcs[onward] % n
    found = np.searchsorted(arcs, wanted)
    there = (found < len(arcs)) & (arcs[np.minimum(found, len(arcs) - 1)] == wanted)
    sources, targets = of[there], found[there] - begin
    rows = np.concatenate(([0], np.cumsum(np.bincount(sources, minlength=end - begin)))).astype(np.int64)
    return ApspGraph(range(end - begin), rows, targets.astype(np.int32), directed=True, multigraph=False)
