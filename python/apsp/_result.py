"""A solved graph: distances, paths, statistics."""

import os

import numpy as np

from . import _apsp, _store
from ._arrays import as_labels, as_numpy, as_places
from ._arrow import Table, index_of, named
from ._calls import doors
from ._errors import UsageError, WrongTypeError
from ._edge_tables import ends_of_pairs
from ._frames import is_table, table_of
from ._graph import Graph
from ._labels import Index
from ._options import bytes_of, native_options, require_apart
from ._points import Places
from ._progress import teller
from ._reading import as_graph
from ._rows import RowBlock, stream_of

_BLOCK = 1 << 20  # values in a block of rows
_WHOLE = ("diameter_pair", "radius_pair")


def _are_several(vertices):
    """Whether this is a list or an array (NumPy, pandas, Arrow, …); a tuple may be a label."""
    return isinstance(vertices, list) or (hasattr(vertices, "__array__") and getattr(vertices, "ndim", 1) > 0)


class Plan(dict):
    """The plan of a solve and its reasons: a mapping of plain values. Printed as one line."""

    def __str__(self):
        return self["line"]


@doors
class Result:
    """Distances, paths and statistics of a solved graph. Reading is thread-safe.

    Vertices are identified by labels. Rows and columns of arrays have the order of `sources` and
    `targets`.
    """

    __slots__ = ("_native", "_path", "_stamp", "_plan", "_rows", "_columns", "_graph", "_numbers_of",
                 "__weakref__")

    def __init__(self, *_):
        raise WrongTypeError("a result comes from apsp.solve or apsp.open")

    @classmethod
    def _of(cls, native, graph=None, *, plan=None, path=None, stamp=None):
        """`graph`: by default, read when needed. `stamp`: of the file at `path` (`_store`); by default, of the
        present file."""
        result = object.__new__(cls)
        result._stamp = stamp or (path and _store.stamp(path))
        result._native, result._graph, result._plan, result._path = native, graph, plan, path
        result._numbers_of = None
        result._rows, result._columns = native.sources, native.targets
        return result

    def __repr__(self):
        rows, columns = self.shape
        return (f"<apsp.Result: {rows:,} × {columns:,} distances, {self.semiring}, "
                f"{self.value_type}, {self.kept}>")

    def __reduce__(self):
        raise TypeError("a result is not pickled: save it (result.save) and open it again "
                        "(apsp.open), or pickle result.distances")

    # Properties.

    @property
    def graph(self):
        """The graph that was solved. A stored factor is then read completely."""
        if self._graph is None:
            self._graph = Graph._of(self._native.graph)
        return self._graph

    @property
    def _index(self):
        """The index of the graph, which is not read if its vertices have no names."""
        if self._graph is not None:
            return self._graph._index
        if self._numbers_of is None:
            first, n = self._native.first_id, self._native.vertex_count
            self._numbers_of = self.graph._index if first is None else Index(range(first, first + n))
        return self._numbers_of

    @property
    def sources(self):
        """Labels of the rows."""
        return self._labels(self._rows)

    @property
    def targets(self):
        """Labels of the columns."""
        return self._labels(self._columns)

    @property
    def shape(self):
        """(number of rows, number of columns)."""
        n = self._native.vertex_count
        return len(self._rows) or n, len(self._columns) or n

    @property
    def semiring(self):
        return self._native.semiring

    @property
    def value_type(self):
        """"f32", "f64", "i32", "u16" or "bool"."""
        return self._native.value_type

    @property
    def kept(self):
        """The kept data: "matrix" (in memory or a file), "factor" or "statistics"."""
        return self._native.kept

    @property
    def no_path(self):
        """The value of "no path" in `distances`: infinity, 2³⁰ − 1 for int32, 2¹⁵ − 1 for uint16."""
        return _apsp.no_path(self.semiring, self.value_type)

    @property
    def plan(self):
        """The `Plan` of the solve; None if the result was opened from a file."""
        return self._plan

    @property
    def figures(self):
        """Report of the solve, a mapping of plain values: seconds, bytes, the plan's line."""
        return self._native.report()

    @property
    def path_on_disk(self):
        """Path of the stored result, or None."""
        return self._path

    def _labels(self, numbers):
        return [self._index.label_of(v) for v in numbers] if numbers else self._index.labels

    # Distances.

    @property
    def distances(self):
        """Distances [rows, columns] in the value type, without a copy; no path is `no_path`.

        If the matrix is in memory: a read-only NumPy array. If it is on disk: a memory-mapped array for an
        ``.npy``, or the zarr array of a ``.zarr`` (needs zarr 3).

        Raises
        ------
        InputOutputError
            Another run has replaced the file since the result was opened.
        UsageError
            The result holds no matrix; `row`, `rows` and `distance` compute distances instead.
        """
        matrix = self._native.matrix()
        if matrix is not None:
            return matrix
        stored = self._stored()
        if stored is not None:
            return stored
        if self.kept == "matrix":
            raise UsageError("the distances are in a file whose path is not known")
        raise UsageError(f"this result holds its {self.kept}, not the matrix of distances: ask for "
                         "keep='matrix', take rows (.rows(), .row(s)), or solve to an output")

    def _stored(self):
        if self._path is None:
            return None
        return _store.distances(self._path, self._stamp)

    def distance(self, source, target, *, as_table=False):
        """The distance between two vertices, a float; infinity without a path.

        A result with a factor takes microseconds. Arrays, lists and columns of tables (pandas, Arrow) are
        broadcast as in NumPy, and the result is a float64 array of that shape; see `distances_of`.
        ``as_table=True`` returns a `Table` with the columns from, to and distance, a row for each pair.

        Raises
        ------
        UsageError
            A vertex is unknown or not selected, or the result keeps only statistics.
        """
        if as_table or _are_several(source) or _are_several(target):
            ends = [np.asarray(each) for each in np.broadcast_arrays(self._numbers(source), self._numbers(target))]
            sources, targets = (each.ravel() for each in ends)
            distances = self._between(sources, self._index.ends_of(targets))
            if not as_table:
                return distances.reshape(ends[0].shape)
            index = next((each for each in map(index_of, (source, target)) if each is not None), None)
            labels = self._index.labels
            return Table({"from": named(labels, sources), "to": named(labels, targets), "distance": distances},
                         index if index is not None and len(index) == len(distances) else None)
        index = self._index
        return self._native.distance(index(source), index.end(target))

    def distances_of(self, pairs, *, memory=None, threads=0, progress=None, as_table=False):
        """Distances of pairs of vertices, computed by all threads.

        If the result holds a factor, many pairs are computed from hub labels (docs/performance.md).
        Distances of integers are the same; real ones may differ by rounding.

        Parameters
        ----------
        pairs : sequence of (source, target), an array [k, 2], a table, or a tuple of two `apsp.Places`
            A table has two columns, or titles of its ends. Places have one source for each target.
        memory : int or str, optional
            Bytes of labels, at most, such as ``"8GiB"``. Default: half of the free memory.
        threads : int
            0: all.
        progress : see `apsp.solve`
        as_table : bool
            Returns a `apsp.Table` with the columns from, to and distance.

        Returns
        -------
        array [k], float64
            Infinity without a path.
        """
        how = dict(memory=memory, threads=threads, progress=progress)
        if as_table:
            return self._table_of_pairs(pairs, self.distances_of(pairs, **how))
        if isinstance(pairs, tuple) and len(pairs) == 2 and all(isinstance(end, Places) for end in pairs):
            with teller(progress) as tell:
                return _apsp.place_distances(self._native, *(end._native for end in pairs),
                                             0 if memory is None else bytes_of(memory, "memory"), threads, tell)
        if is_table(pairs):
            sources, targets = map(self._numbers, ends_of_pairs(table_of(pairs)))
            return self._between(sources, self._index.ends_of(targets), **how)
        if not isinstance(pairs, (list, tuple)):
            ends = as_numpy(pairs, "pairs")
            if ends.ndim == 2 and ends.shape[1] == 2:
                sources, targets = self._numbers(ends).T
                return self._between(sources, self._index.ends_of(targets), **how)
        index, pairs = self._index, list(pairs)
        if wrong := [pair for pair in pairs if isinstance(pair, str) or not hasattr(pair, "__len__") or len(pair) != 2]:
            raise UsageError(f"a pair is (source, target), not {wrong[0]!r}")
        numbers = np.array([(index(s), index.end(t)) for s, t in pairs], np.int64).reshape(-1, 2)
        return self._between(*numbers.T, **how)

    def _table_of_pairs(self, pairs, distances):
        if isinstance(pairs, tuple) and len(pairs) == 2 and all(isinstance(end, Places) for end in pairs):
            ends, index = [end.names for end in pairs], pairs[0].index
        elif is_table(pairs):
            ends, index = [each.tolist() for each in ends_of_pairs(table_of(pairs))], index_of(pairs)
        else:
            ends, index = list(zip(*(tuple(pair) for pair in pairs))) or [(), ()], None
        return Table({"from": list(ends[0]), "to": list(ends[1]), "distance": distances}, index)

    def _between(self, sources, targets, *, memory=None, threads=0, progress=None):
        """Distances [k] from sources[i] to targets[i]; both are int64 numbers of vertices."""
        ends = (np.ascontiguousarray(each) for each in (sources, targets))
        with teller(progress) as tell:
            return self._native.distances_of(
                *ends, 0 if memory is None else bytes_of(memory, "memory"), threads, tell)

    def _numbers(self, vertices):
        """Numbers of the vertices in an array or list, int64 of its shape; for one vertex its number."""
        index = self._index
        if not _are_several(vertices):
            return np.int64(index(vertices))
        labels = as_labels(vertices, "vertices")
        if labels.dtype.kind == "b" and isinstance(index.labels, range):
            raise UsageError("booleans name no vertices: give numpy.flatnonzero of the mask")
        if isinstance(index.labels, range) and labels.dtype.kind in "iu":
            numbers = labels.astype(np.int64) - index.labels.start
            unknown = (numbers < 0) | (numbers >= len(index.labels))
            if unknown.any():
                index(labels[unknown][0].item())  # raises
            return numbers
        return np.fromiter(map(index, labels.ravel().tolist()), np.int64,
                           labels.size).reshape(labels.shape)

    def row(self, source):
        """Distances [n] from a vertex, float64, in the order of ``graph.labels``; infinity without a path."""
        row = self._native.row(self._index(source))
        return row if self._index.ends is None else row[self._index.ends]

    def rows(self):
        """Iterates over all rows in blocks: `RowBlock` of (sources, distances).

        Rows of a matrix are views, in order. If the result holds a factor or only statistics, they are
        computed during the iteration, each once, in any order (`apsp.rows`).
        """
        try:
            distances = self.distances
        except UsageError:
            return self._computed_rows()
        return self._blocks(distances)

    def _blocks(self, distances):
        sources = self.sources
        chunk = getattr(distances, "chunks", (1,))[0]
        many = max(1, _BLOCK // max(1, distances.shape[1]) // chunk) * chunk
        for first in range(0, distances.shape[0], many):
            yield RowBlock(list(sources[first:first + many]), distances[first:first + many])

    def _computed_rows(self):
        options = dict(semiring=self.semiring, value_type=self.value_type, keep="statistics",
                       statistics=False)
        if self._rows:
            options["sources"] = self.sources
        if self._columns:
            options["targets"] = self.targets
        return stream_of(self.graph, native_options(self.graph, options))

    # Paths.

    def path(self, source, target):
        """One best path as a list of vertices, including both ends; [] without a path."""
        index = self._index
        return index.path_of(self._native.path(index(source), index.end(target)))

    def predecessors(self, source):
        """Array [n], int64: the number of the vertex before each on the path of `path`; −1 for the source
        and without a path."""
        self._index.require_no_turns("predecessors")
        return self._native.predecessors(self._index(source))

    # The whole result.

    @property
    def statistics(self):
        """Statistics of the distances, a mapping of plain values and arrays [n].

        The keys are those of ``apsp stats --json``, and ``eccentricity``, ``closeness``, ``harmonic``
        (None if not defined). Pairs are pairs of labels. ``radius`` is that of the largest strong
        component, which ``component`` describes (None: every pair has a path).
        """
        return self._statistics(None)

    def _statistics(self, progress):
        with teller(progress) as tell:
            return self._named(self._native.statistics(tell))

    def component_statistics(self, *, progress=None):
        """Statistics of the largest strong component only.

        They equal `statistics` if every vertex reaches every other one. Arrays are [n], NaN outside the
        component.
        """
        self._index.require_no_turns("the component's statistics")
        with teller(progress) as tell:
            return self._named(self._native.component_statistics(tell))

    def _named(self, told):
        """Replaces numbers of vertices by labels."""
        for figures in (told, told["component"] or {}):
            for name in _WHOLE:
                if figures.get(name) is not None:
                    figures[name] = tuple(self._index.label_of(v) for v in figures[name])
        return told

    def verify(self, *, sources=0, seed=1, tolerance=None, progress=None):
        """Checks the distances by their properties, without solving again (docs/verification.md).

        Parameters
        ----------
        sources : int
            Number of rows to check; 0: all, or as many as 10¹⁰ checks of arcs allow.
        seed : int
            Selects the rows if not all are checked.
        tolerance : float, optional
            Accepted relative error. Default: by the value type.
        progress : see `apsp.solve`

        Returns
        -------
        dict
            ``passed``, ``meaning``, ``checks`` and more.
        """
        with teller(progress) as tell:
            return self._native.verify(sources, seed, tolerance, tell)

    def update(self, graph, *, weight=..., memory=None, threads=0, device="cpu", device_memory=None,
               progress=None):
        """The result for other weights of the same vertices, without a new solve.

        Edges may be added and removed. A factor is eliminated again only above the changed edges in the
        elimination tree, and both results share the order. For a matrix, smaller weights, new edges and new
        vertices cost a product (incremental Floyd-Warshall; Sao 2021, section 7), and larger weights a
        solve of the rows that they affect. The value type becomes wider if the new distances need it.

        Parameters
        ----------
        graph, weight : see `apsp.solve`
            The vertices are matched by label with those of this result's graph; see
            `Graph.with_weights` and `Graph.with_changes`.
        memory : int or str, optional
            Bytes of graphs and factors, or the matrix, at most. Default: nine tenths of the free memory.
        device, device_memory : see `apsp.update`
        threads, progress : see `apsp.solve`

        Returns
        -------
        Result

        Raises
        ------
        UsageError
            This result keeps only statistics or some rows, or more planes than distances; vertices of its
            graph are missing in `graph`; or `device` is a GPU and the result holds a factor.
        DoesNotFitError, NegativeCycleError, DeviceError

        Examples
        --------
        >>> import apsp
        >>> roads = apsp.Graph.from_edges([0, 1, 0], [1, 2, 2], [30, 30, 90], directed=False)
        >>> now = apsp.solve(roads, keep="factor")
        >>> now.distance(0, 2)
        60.0
        >>> now.update(roads.with_changes([(0, 1, float("inf"))])).distance(0, 2)
        90.0
        """
        graph = as_graph(graph, weight)
        how = native_options(None, {"threads": threads, "memory": memory, "device": device,
                                    "device_memory": device_memory})
        with teller(progress) as tell:
            native = self._native.update(graph._native, how, tell)
        labels = self._index.labels
        if labels is not None and native.graph.vertex_count > len(labels):
            known = set(labels)
            labels = [*labels, *(label for label in graph.labels if label not in known)]
        return Result._of(native, Graph._of(native.graph, labels))

    def save(self, path, *, compress=False, progress=None):
        """Writes a ``.zarr`` or an ``.npy``, completely or not at all. `compress`: chunks of a ``.zarr``, by zstd."""
        with teller(progress) as tell:
            self._native.save(os.fspath(path), compress, tell)

    @property
    def plot(self):
        """Pictures by matplotlib: ``plot.histogram()``, ``map()``, ``path(s, t)``, ``heat_map()``. See `Plot`."""
        from ._plot import Plot

        return Plot(self)

    def report(self, path=None, *, coordinates=None, degrees=False, title="", unit="", maps=None, top=10,
               verify=False, progress=None):
        """One page of HTML: figures, histogram, maps, the longest path, a heat map.

        Parameters
        ----------
        path : path, optional
            The file to write, completely or not at all. None: the page is returned.
        coordinates : path or array_like, shape (n, 2), optional
            Positions of the vertices (x to the right, y upwards) in the order of ``graph.labels``, or a
            file (docs/report.md). Default: positions computed from the distances.
        degrees : bool
            True: the array holds longitudes and latitudes in degrees.
        title : str
            Heading. Default: a description of the solve.
        unit : str
            Of the distances, such as ``"min"``, for axes, maps and figures.
        maps : mapping of str to array_like, shape (n,), optional
            Values of the vertices in the order of ``graph.labels``, each drawn on a map under its
            title. NaN: no value.
        top : int
            Number of central vertices to list.
        verify : bool
            Whether to verify the result and show the outcome.
        progress : see `apsp.solve`

        Returns
        -------
        str or None
            The page if `path` is None.

        Raises
        ------
        UsageError
            The number of coordinates, or of a map's values, is wrong.
        InputError
            The file of coordinates is malformed.
        """
        given = None if path is None else os.fspath(path)
        require_apart(given, self._path, coordinates)
        with teller(progress) as tell:
            page = _apsp.page(self._native, given, *as_places(coordinates), bool(degrees), title, unit,
                              [(str(name), [float(x) for x in values]) for name, values in (maps or {}).items()],
                              top, verify, tell)
        return page if path is None else None
