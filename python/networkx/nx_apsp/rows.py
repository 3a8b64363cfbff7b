"""Rows of results as dictionaries that are filled when they are first read.

A dictionary of n distances takes some hundred bytes an entry, a row of an array two to eight. Rows are
dictionaries to whoever asks (isinstance, ==, json, pickle), and ordinary ones once they are filled.
Until then their memory holds one entry whose key says what it is, so that code which reads a
dictionary's memory past its methods fails, and does not take the row for an empty one.
"""

from __future__ import annotations

import threading
from itertools import compress

import numpy as np

_filling = threading.RLock()
_SINGLE_READS = 16  # d[u][v] for a few v; then the row is filled


class _Unread:
    def __repr__(self):
        return "<a row that is not filled: read it by the methods of a dict>"


_UNREAD = _Unread()


class Row(dict):
    """A row that was filled: a dict in everything, which pickles and copies as one."""

    __slots__ = ("_make", "_one", "_reads")

    def __reduce_ex__(self, protocol):
        return dict, (dict(self),)


class UnreadRow(Row):
    """A row before it is filled.

    `make()` gives all entries in their order, as a dict; `one(key)` a single one, or KeyError.
    """

    __slots__ = ()

    def __init__(self, make, one):
        dict.__init__(self)
        dict.__setitem__(self, _UNREAD, None)
        self._make = make
        self._one = one
        self._reads = 0

    def __getitem__(self, key):
        one = self._one
        if one is None or self._reads >= _SINGLE_READS:
            _fill(self)
            return dict.__getitem__(self, key)
        self._reads += 1
        return one(key)

    def get(self, key, default=None):
        try:
            return self[key]
        except KeyError:
            return default

    def __contains__(self, key):
        try:
            self[key]
        except KeyError:
            return False
        return True

    def __reduce_ex__(self, protocol):
        _fill(self)
        return Row.__reduce_ex__(self, protocol)


def _fill(row):
    with _filling:
        if type(row) is UnreadRow:  # another thread may have been here
            made = row._make()
            dict.clear(row)
            dict.update(row, made)
            row._make = row._one = None
            row.__class__ = Row


def _filled_first(name):
    method = getattr(dict, name)

    def filled(self, *args, **kwargs):
        _fill(self)
        for other in args:  # a method of dict reads another dict's memory past its methods
            if type(other) is UnreadRow:
                _fill(other)
        return method(self, *args, **kwargs)

    filled.__name__ = name
    return filled


for _name in (
    "__delitem__ __eq__ __ior__ __iter__ __len__ __ne__ __or__ __repr__ __reversed__ __ror__ __setitem__ "
    "__sizeof__ clear copy items keys pop popitem setdefault update values"
).split():
    setattr(UnreadRow, _name, _filled_first(_name))
UnreadRow.__hash__ = None


def numbers(values, whole):
    """Python numbers of an array of distances: ints where all weights are, inf as a float."""
    if not whole:
        return values.tolist()
    finite = np.isfinite(values)
    if finite.all():
        return values.astype(np.int64).tolist()
    found = np.where(finite, values, 0.0).astype(np.int64).tolist()
    for place in np.flatnonzero(~finite).tolist():
        found[place] = float("inf")
    return found


def number(value, whole):
    """One of them."""
    return int(value) if whole and value != np.inf else float(value)


class Distances:
    """Distances [n] from a vertex as they rest, in whatever type: of small ints two bytes each."""

    __slots__ = ("_values", "_no_path")

    def __init__(self, values, no_path):
        self._values = values
        self._no_path = no_path

    def __getitem__(self, target):
        value = self._values[target]
        return np.inf if value == self._no_path else value

    def wide(self):
        """float64 [n], inf where there is no path."""
        if self._values.dtype == np.float64:
            return self._values
        values = self._values.astype(np.float64)
        values[self._values == self._no_path] = np.inf
        return values


class Table:
    """What all rows of a result share: the nodes, the kind of numbers, and from where rows are lazy.

    `distances` is a row's Distances; `predecessors` a function that gives them, [n], -1 for none.
    """

    def __init__(self, graph, whole, lazy_vertices):
        self.nodes = graph.nodes
        self.index = graph.index
        self.whole = whole
        self.lazy = 0 <= lazy_vertices <= len(graph.nodes)

    def _row(self, make, one):
        return UnreadRow(make, one) if self.lazy else make()

    def all_lengths(self, source, distances):
        """{node: distance} of every node, inf where there is no path."""

        def make():
            found = numbers(distances.wide(), self.whole)
            found[source] = 0
            return dict(zip(self.nodes, found))

        def one(node):
            target = self.index[node]
            return number(distances[target], self.whole) if target != source else 0

        return self._row(make, one)

    def lengths(self, source, distances, cutoff):
        """{node: distance} of the nodes within `cutoff`, the nearest first; None: of those with a path."""
        limit = np.inf if cutoff is None else cutoff

        def make():
            values = distances.wide()
            reached = _nearest_first(source, values, cutoff, self.whole)
            found = numbers(values[reached], self.whole)
            found[0] = 0
            return dict(zip(map(self.nodes.__getitem__, reached.tolist()), found))

        def one(node):
            target = self.index[node]
            if target == source:
                return 0
            value = distances[target]
            if value == np.inf or value > limit:
                raise KeyError(node)
            return number(value, self.whole)

        return self._row(make, one)

    def predecessors(self, source, predecessors, loop=False):
        """{node: the node before it on a shortest path}, of the nodes that have one; of a `loop` the source."""

        def named():
            found = predecessors()
            if loop:
                found[source] = source
            return found

        def make():
            found = named()
            reached = found >= 0
            names = map(self.nodes.__getitem__, found[reached].tolist())
            return dict(zip(compress(self.nodes, reached.tolist()), names))

        def one(node):
            before = named()[self.index[node]]
            if before < 0:
                raise KeyError(node)
            return self.nodes[before]

        return self._row(make, one)

    def paths(self, source, distances, predecessors, cutoff=None):
        """{node: [source, …, node]} of the same nodes."""
        nodes, index = self.nodes, self.index
        limit = np.inf if cutoff is None else cutoff
        single = {}  # vertex: its path; a list that was handed out stays the same one

        def make():
            reached = _nearest_first(source, distances.wide(), cutoff, self.whole)
            order, before = reached.tolist(), predecessors()[reached].tolist()
            names = [nodes[vertex] for vertex in order]
            made = [None] * len(nodes)
            made[source] = [nodes[source]]
            for vertex, path in single.items():
                made[vertex] = path
            late = []  # before their predecessor: an edge of weight zero
            for vertex, parent, name in zip(order, before, names):
                if made[vertex] is None:
                    path = made[parent]
                    if path is None:
                        late.append(vertex)
                    else:
                        made[vertex] = path + [name]
            _finish(made, late, predecessors(), nodes)
            return dict(zip(names, map(made.__getitem__, order)))

        def one(node):
            target = index[node]
            if target not in single:
                before = predecessors()
                if target != source and (before[target] < 0 or distances[target] > limit):
                    raise KeyError(node)
                path, vertex = [nodes[target]], target
                while vertex != source:
                    vertex = before[vertex]
                    path.append(nodes[vertex])
                single[target] = path[::-1]
            return single[target]

        return self._row(make, one)


def _finish(made, late, predecessors, nodes):
    """Makes the paths of `late` vertices: climbs to the nearest path that is known, and comes down."""
    for vertex in late:
        climb = []
        while made[vertex] is None:
            climb.append(vertex)
            vertex = int(predecessors[vertex])
        for child in reversed(climb):
            made[child] = made[predecessors[child]] + [nodes[child]]


def _nearest_first(source, distances, cutoff, whole):
    """The vertices within `cutoff`, the source first; equal small ints stay in the order of the nodes."""
    reached = np.isfinite(distances)
    if cutoff is not None:
        reached &= distances <= cutoff
    reached[source] = True
    vertices = np.flatnonzero(reached)
    keys = distances[vertices]
    place = np.searchsorted(vertices, source)
    vertices = np.concatenate(([source], np.delete(vertices, place)))
    keys = np.delete(keys, place)
    if whole and keys.size and keys.min() >= 0 and keys.max() < 2**16:
        order = np.argsort(keys.astype(np.uint16), kind="stable")  # by radix
    else:
        order = np.argsort(keys)
    vertices[1:] = vertices[1:][order]
    return vertices
