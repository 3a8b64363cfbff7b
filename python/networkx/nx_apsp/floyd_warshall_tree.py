"""floyd_warshall_tree of NetworkX 3.7, whose predecessors depend on the order of the nodes.

Of several shortest paths its triple loop keeps the one that it meets first: the one whose last
intermediate node, in the order of the nodes, comes earliest. Here distances come from the engine, and
the choice is made afterwards, pivot by pivot over the pairs that are open. A pair whose sums are
rounded otherwise than its distance keeps the engine's predecessor. O(n²) array operations a pivot.

A row of distances names the nodes that can be reached and those that an edge leaves, as NetworkX's
do, and answers inf for the others when it is asked for them.
"""

from collections import defaultdict
from itertools import compress

import numpy as np

from nx_apsp.engine import Problem
from nx_apsp.rows import numbers


def floyd_warshall_tree(G, weight="weight"):
    problem = Problem(G, weight, signed=True, infinite=True)
    distances, result = problem.solve()
    before = _earliest(problem, distances, [result.predecessors(u) for u in range(len(problem))])
    loops = problem.graph.loops()
    before[loops, loops] = loops  # NetworkX names them
    leaves = np.diff(problem.graph.offsets) > 0
    table = problem.table
    predecessors = {G.nodes[u]: table.predecessors(u, before[u].view) for u in np.flatnonzero(leaves).tolist()}
    lengths = {}
    for u, node in enumerate(G.nodes):
        named = leaves | np.isfinite(distances[u])
        found = zip(G.nodes, numbers(distances[u], table.whole))
        lengths[node] = defaultdict(_infinity, compress(found, named.tolist()))
        lengths[node][node] = 0
    return predecessors, lengths


def _infinity():
    return float("inf")


def _earliest(problem, distances, before):
    graph = problem.graph
    sources, targets = graph.arc_sources(), graph.targets
    tight = (problem.weights.values == distances[sources, targets]) & (sources != targets)
    settled = np.zeros(distances.shape, dtype=bool)
    settled[sources[tight], targets[tight]] = True
    before = np.array(before).reshape(distances.shape)
    before[sources[tight], targets[tight]] = sources[tight]
    is_open = np.isfinite(distances) & ~settled
    np.fill_diagonal(is_open, False)
    for pivot in range(len(problem)):
        rows = np.flatnonzero(settled[:, pivot] & is_open.any(axis=1))
        columns = np.flatnonzero(settled[pivot] & is_open.any(axis=0))
        if not rows.size or not columns.size:
            continue
        block = np.ix_(rows, columns)
        through = distances[rows, pivot, None] + distances[pivot, columns]
        u, v = np.nonzero(is_open[block] & (through == distances[block]))
        u, v = rows[u], columns[v]
        before[u, v] = before[pivot, v]
        settled[u, v] = True
        is_open[u, v] = False
    return before
