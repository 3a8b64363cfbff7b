"""What the backend asks of the engine, and what a question to it may not contain."""

from __future__ import annotations

import os
from itertools import chain
from typing import NamedTuple

import networkx as nx
import numpy as np

from nx_apsp.graph import EXACT
from nx_apsp.rows import Table

_BYTES_A_DISTANCE = 8
_BYTES_A_PREDECESSOR = 4
_FEW = 4  # searches from so many vertices cost less than looking for the best way


def settings():
    """The configuration nx.config.backends.apsp."""
    return nx.config.backends.apsp


class Unbounded(nx.NetworkXUnbounded):
    """A negative cycle, with its vertices by number."""

    def __init__(self, cycle):
        super().__init__("Negative cycle detected.")
        self.cycle = cycle


class Totals(NamedTuple):
    """Over all ordered pairs of distinct vertices that have a path."""

    connected: bool  # every pair has one
    pairs: int  # that have one
    mean: float  # distance; 0 without pairs
    eccentricity: np.ndarray  # [n] the largest finite distance from a vertex; NaN without one
    closeness: np.ndarray  # [n] over incoming distances, scaled as Wasserman and Faust do
    harmonic: np.ndarray  # [n] sums of 1/d over incoming distances


class Problem:
    """A graph with one attribute as weights, which was checked for what is asked.

    `signed`: negative weights are meant; else they raise NotImplementedError, so that NetworkX
    answers itself, as Dijkstra's algorithm does not say what it does with them. `infinite`: an
    infinite weight is no edge; else the same.
    """

    def __init__(self, graph, weight, *, signed=False, infinite=False):
        weights = graph.weights_of(weight)
        if not signed and weights.least < 0:
            raise NotImplementedError("a weight is negative")
        if weights.greatest == np.inf:
            if not infinite or weights.least == -np.inf:
                raise NotImplementedError("a weight is infinite")
            finite = np.isfinite(weights.values)
            values = weights.values[finite]
            graph = graph.with_arcs(finite)
            weights = weights._replace(values=values, greatest=float(np.abs(values).max(initial=0.0)))
        if weights.whole and weights.greatest * len(graph) >= EXACT:
            raise NotImplementedError("a distance may be too large to be exact in float64")
        self.graph = graph
        self.weights = weights
        self.table = Table(graph, weights.whole, settings().lazy_vertices)

    def __len__(self):
        return len(self.graph)

    def _with(self, graph, values):
        other = object.__new__(Problem)
        other.graph, other.weights, other.table = graph, self.weights._replace(values=values), self.table
        return other

    def reversed(self):
        """The problem whose distances have rows and columns exchanged."""
        if not self.graph.is_directed():
            return self
        turned, order = self.graph.reversed()
        return self._with(turned, self.weights.values[order])

    def without_arcs_of(self, vertices):
        """The problem without the arcs that leave them. vertices: [n] bool."""
        kept = ~vertices[self.graph.arc_sources()]
        return self._with(self.graph.with_arcs(kept), self.weights.values[kept])

    def solve(self, sources=None, predecessors=False):
        """Distances [k, n] and predecessors [k, n] (negative: none) or None. None: all sources.

        Raises Unbounded for a negative cycle, wherever it is.
        """
        if not len(self):
            return np.zeros((0, 0)), np.zeros((0, 0), dtype=np.int32) if predecessors else None
        vertices = None if sources is None else np.ascontiguousarray(sources, dtype=np.int64)
        few = sources is not None and len(sources) <= _FEW
        return self._ask("solve_rows", True, "johnson" if few else "auto", vertices, predecessors)

    def totals(self):
        """Totals of all pairs, of which no matrix is kept. Raises as `solve`."""
        return Totals(*self._ask("solve_totals", self.weights.whole))

    def _ask(self, function, *arguments):
        from apsp import NegativeCycleError, _apsp

        arrays = self.graph.offsets, self.graph.targets, self.weights.values
        try:
            return getattr(_apsp, function)(*arrays, *arguments, threads=settings().threads)
        except NegativeCycleError as error:
            raise Unbounded(error.cycle) from error

    def rows(self, predecessors=False):
        """(source, its distances, its predecessors or None) of all sources in their order.

        All are solved at once where they fit half of the memory that is free, else in blocks.
        """
        n = len(self)
        block = _rows_that_fit(n, predecessors)
        for first in range(0, n, block):
            last = min(first + block, n)
            distances, before = self.solve(None if last - first == n else np.arange(first, last), predecessors)
            for i in range(last - first):
                yield first + i, distances[i], None if before is None else before[i]

    def rows_until_unbounded(self, predecessors=False):
        """`rows`, but a source that reaches a negative cycle raises, the others before it do not."""
        doomed = np.zeros(len(self), dtype=bool)
        while True:
            rows = self.without_arcs_of(doomed).rows(predecessors) if doomed.any() else self.rows(predecessors)
            try:
                first = list(next(rows, ()))
                break
            except Unbounded as error:
                doomed |= self._reaching(error.cycle)
        for source, distances, before in chain([first] if first else [], rows):
            if doomed[source]:
                raise nx.NetworkXUnbounded("Negative cycle detected.")
            yield source, distances, before

    def _reaching(self, vertices):
        """[n] bool: who has a path to one of them."""
        reached = np.zeros(len(self), dtype=bool)
        reached[list(vertices)] = True
        sources, count = self.graph.arc_sources(), 0
        while count != (count := int(reached.sum())):
            reached[sources[reached[self.graph.targets]]] = True
        return reached

    def row(self, node, predecessors=False):
        """(source, distances, predecessors or None) of one node, which is in the graph."""
        source = self.graph.index[node]
        distances, before = self.solve([source], predecessors)
        return source, distances[0], None if before is None else before[0]


def _rows_that_fit(n, predecessors):
    free = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    row = n * (_BYTES_A_DISTANCE + (_BYTES_A_PREDECESSOR if predecessors else 0))
    return max(1, free // 2 // max(row, 1))
