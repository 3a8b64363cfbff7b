"""What the backend asks of the engine, and what a question to it may not contain."""

from __future__ import annotations

from functools import cache, partial
from itertools import chain
from typing import NamedTuple

import apsp
import networkx as nx
import numpy as np

from nx_apsp.graph import EXACT
from nx_apsp.rows import Distances, Table, numbers

_BYTES_A_DISTANCE = 8
_LITTLE = 64 << 20  # bytes: a matrix of 2,896 vertices, for which nobody asks what is free
_SEARCHES = 1024  # bounded searches of a call: few calls, and rows come soon
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
        self._engines, self._name = graph.engines, weight
        if weights.greatest == np.inf:
            if not infinite or weights.least == -np.inf:
                raise NotImplementedError("a weight is infinite")
            finite = np.isfinite(weights.values)
            values = weights.values[finite]
            graph = graph.with_arcs(finite)
            weights = weights._replace(values=values, greatest=float(np.abs(values).max(initial=0.0)))
            self._engines = {}
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
        other._engines, other._name = {}, None
        return other

    def reversed(self):
        """The problem whose distances have rows and columns exchanged."""
        if not self.graph.is_directed():
            return self
        reversed, order = self.graph.reversed()
        return self._with(reversed, self.weights.values[order])

    def without_arcs_of(self, vertices):
        """The problem without the arcs that leave them. vertices: [n] bool."""
        kept = ~vertices[self.graph.arc_sources()]
        return self._with(self.graph.with_arcs(kept), self.weights.values[kept])

    def engine(self):
        """The graph as the engine has it, made once."""
        if self._name not in self._engines:
            sources, targets = self.graph.arc_sources(), self.graph.targets
            self._engines[self._name] = apsp.Graph.from_edges(
                sources, targets, self.weights.values, n=len(self.graph)
            )
        return self._engines[self._name]

    def _solve(self, **options):
        chosen = settings()
        try:
            return apsp.solve(self.engine(), device=chosen.device, threads=chosen.threads, **options)
        except apsp.NegativeCycleError as error:
            raise Unbounded(error.cycle) from error

    def solve(self, sources=None, value_type="f64"):
        """Distances [k, n] and the result that they rest in. None: from all vertices.

        Raises Unbounded for a negative cycle, wherever it is.
        """
        if not len(self):
            return np.zeros((0, 0)), None
        few = sources is not None and len(sources) <= _FEW
        algorithm = "johnson" if few else "auto"
        result = self._solve(
            sources=sources, algorithm=algorithm, value_type=value_type, keep="matrix", statistics=False
        )
        return result.distances, result

    def _exact(self):
        """The value type: of ints the narrowest that holds all distances."""
        return "auto" if self.weights.whole else "f64"

    def totals(self):
        """Totals of all pairs, of which no matrix is kept. Raises as `solve`. Requires: two vertices."""
        found = self._solve(value_type=self._exact(), keep="statistics").statistics
        return Totals(
            found["connected"],
            found["reachable_pairs"],
            found["mean"] or 0.0,
            found["eccentricity"],
            found["closeness"],
            found["harmonic"],
        )

    def rows(self):
        """(source, its distances, float64 [n]) of all sources in their order."""
        for source, row, _ in self.held_rows():
            yield source, row.wide()

    def held_rows(self):
        """(source, its Distances, a function that gives its predecessors) of all sources in their order.

        All are solved at once where they fit half of the memory that is free, else in blocks.
        Predecessors, [n] and -1 where there is none, are computed when they are first asked for.
        """
        n = len(self)
        block = _rows_that_fit(n)
        for first in range(0, n, block):
            last = min(first + block, n)
            distances, result = self.solve(None if last - first == n else range(first, last), self._exact())
            for source in range(first, last):
                row = Distances(distances[source - first], result.no_path)
                yield source, row, cache(partial(result.predecessors, source))

    def rows_until_unbounded(self):
        """`held_rows`, but a source that reaches a negative cycle raises, the others before it do not."""
        doomed = np.zeros(len(self), dtype=bool)
        while True:
            rows = (self.without_arcs_of(doomed) if doomed.any() else self).held_rows()
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

    def row(self, node):
        """(source, Distances, a function that gives predecessors) of one node, which is in the graph."""
        source = self.graph.index[node]
        distances, result = self.solve([source])
        return source, Distances(distances[0], np.inf), cache(partial(result.predecessors, source))

    def near_rows(self, cutoff, sources=None):
        """(source, vertices, their distances, float64) of those within the cutoff, without the source, the
        nearest first. None: from all vertices. Costs what is found. Requires: no negative weight."""
        sources = range(len(self)) if sources is None else sources
        for first in range(0, len(sources), _SEARCHES):
            some = sources[first : first + _SEARCHES]
            near = apsp.within(
                self.engine(), cutoff, sources=list(some), algorithm="johnson", threads=settings().threads
            )
            for row, source in enumerate(some):
                found = slice(near.indptr[row], near.indptr[row + 1])
                order = np.argsort(near.data[found], kind="stable")
                yield source, near.indices[found][order], near.data[found][order]

    def near_lengths(self, source, vertices, distances):
        """{node: distance} of what `near_rows` gives."""
        nodes = self.graph.nodes
        names = map(nodes.__getitem__, vertices.tolist())
        return {nodes[source]: 0, **dict(zip(names, numbers(distances, self.weights.whole)))}

    def near_paths(self, source, vertices, distances):
        """{node: [source, …, node]} of the same, along arcs that are exactly as long as the distances say."""
        graph, weights = self.graph, self.weights.values
        found = dict(zip(vertices.tolist(), distances.tolist()))
        paths, reached = {source: [graph.nodes[source]]}, [source]
        for vertex in reached:
            so_far, arcs = found.get(vertex, 0.0), slice(graph.offsets[vertex], graph.offsets[vertex + 1])
            for target, weight in zip(graph.targets[arcs].tolist(), weights[arcs].tolist()):
                if target not in paths and found.get(target) == so_far + weight:
                    paths[target] = paths[vertex] + [graph.nodes[target]]
                    reached.append(target)
        return {graph.nodes[vertex]: paths[vertex] for vertex in [source, *found]}


def bounded(cutoff):
    """Whether searches end at this cutoff."""
    return cutoff is not None and 0 <= cutoff < np.inf


def _rows_that_fit(n):
    if n * n * _BYTES_A_DISTANCE <= _LITTLE:
        return max(n, 1)
    return max(1, _memory_allowed() // 2 // (n * _BYTES_A_DISTANCE))


def _memory_allowed():
    """Bytes that a solve may take: what is free, within the limits of a container."""
    return apsp.plan(apsp.generate("path", 2))["bytes_allowed"]
