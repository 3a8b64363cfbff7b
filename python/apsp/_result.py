"""A solved graph: distances, paths, statistics."""

import os

import numpy as np

from . import _apsp, _held
from ._arrays import as_labels, as_numpy, as_places
from ._calls import doors
from ._errors import UsageError, WrongTypeError
from ._edge_tables import ends_of_pairs
from ._frames import is_table, table_of
from ._graph import Graph
from ._labels import Index
from ._options import bytes_of, native_options, require_apart
from ._progress import teller
from ._reading import as_graph
from ._rows import RowBlock, stream_of

_BLOCK = 1 << 20  # values of a block of rows
_WHOLE = ("diameter_pair", "radius_pair")


def _are_several(vertices):
    """Whether it is a list or an array, of NumPy, pandas, Arrow or others; a tuple may be a label."""
    return isinstance(vertices, list) or (hasattr(vertices, "__array__") and getattr(vertices, "ndim", 1) > 0)


class Plan(dict):
    """What a solve does, and why: a mapping of plain values; printed, its line."""

    def __str__(self):
        return self["line"]


@doors
class Result:
    """Distances, paths and statistics. Reading is thread-safe.

    Vertices are named by their labels; rows and columns of arrays are in the order of `sources`
    and `targets`.
    """

    __slots__ = ("_native", "_path", "_stamp", "_plan", "_rows", "_columns", "_graph", "_numbers_of",
                 "__weakref__")

    def __init__(self, *_):
        raise WrongTypeError("a result comes from apsp.solve or apsp.open")

    @classmethod
    def _of(cls, native, graph=None, *, plan=None, path=None, stamp=None):
        """`graph`: read where it is asked for unless given. `stamp`: of the file at `path` (`_held`);
        that of what is there now unless given."""
        result = object.__new__(cls)
        result._stamp = stamp or (path and _held.stamp(path))
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

    # What it is.

    @property
    def graph(self):
        """The graph that was solved. A stored factor is read whole for it."""
        if self._graph is None:
            self._graph = Graph._of(self._native.graph)
        return self._graph

    @property
    def _index(self):
        """As that of the graph, without reading one whose vertices have no names."""
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
        """Rows and columns."""
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
        """What it holds: "matrix" (in memory or a file), "factor" or "statistics"."""
        return self._native.kept

    @property
    def no_path(self):
        """The value of `distances` where there is no path: infinity, or 2³⁰ − 1 of int32, 2¹⁵ − 1 of
        uint16."""
        return _apsp.no_path(self.semiring, self.value_type)

    @property
    def plan(self):
        """What was planned, a mapping of plain values; None of a result that was opened."""
        return self._plan

    @property
    def figures(self):
        """What was done, a mapping of plain values: seconds, bytes, the plan's line."""
        return self._native.report()

    @property
    def path_on_disk(self):
        """Where it is stored, or None."""
        return self._path

    def _labels(self, numbers):
        labels = self._index.labels
        return [labels[v] for v in numbers] if numbers else labels

    # Distances.

    @property
    def distances(self):
        """Distances [rows, columns], in the value type, without a copy.

        In memory: a NumPy array that nobody may write to. On disk: a memory-mapped array of an
        ``.npy``, or the array of a ``.zarr`` (needs zarr 3). Where there is no path: `no_path`.

        Raises
        ------
        InputOutputError
            Another run has replaced the file since the result was opened.
        UsageError
            The result holds no matrix: `row`, `rows` and `distance` compute what is asked for.
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
        return _held.distances(self._path, self._stamp)

    def distance(self, source, target):
        """The distance between two vertices, a float; infinity where there is no path.

        Of a factor it takes microseconds. Arrays, lists and columns of tables (pandas, Arrow) are
        matched as NumPy broadcasts them, and give an array float64 of that shape, as `distances_of` does.
        """
        if _are_several(source) or _are_several(target):
            numbers = np.broadcast_arrays(self._numbers(source), self._numbers(target))
            return self._between(*(each.ravel() for each in numbers)).reshape(numbers[0].shape)
        index = self._index
        return self._native.distance(index(source), index(target))

    def distances_of(self, pairs, *, memory=None, threads=0, progress=None):
        """Distances [k] of pairs of vertices, float64, by all threads.

        Many pairs of a factor are found from labels of their vertices (docs/performance.md): with
        integer weights the distances are the same, with real ones they may differ by rounding.

        Parameters
        ----------
        pairs : sequence of (source, target), an array [k, 2], or a table
            Of a table the titles say which columns are the ends, else it has two.
        memory : int or str, optional
            Most bytes that labels take, such as ``"8GiB"``; default: half of the free memory.
        threads : int
            0: all.
        progress : as in `apsp.solve`
        """
        how = dict(memory=memory, threads=threads, progress=progress)
        if is_table(pairs):
            return self._between(*map(self._numbers, ends_of_pairs(table_of(pairs))), **how)
        if not isinstance(pairs, (list, tuple)):
            ends = as_numpy(pairs, "pairs")
            if ends.ndim == 2 and ends.shape[1] == 2:
                return self._between(*self._numbers(ends).T, **how)
        index = self._index
        numbers = np.array([(index(s), index(t)) for s, t in pairs], np.int64).reshape(-1, 2)
        return self._between(*numbers.T, **how)

    def _between(self, sources, targets, *, memory=None, threads=0, progress=None):
        """Distances [k] from sources[i] to targets[i], int64 numbers of vertices."""
        ends = (np.ascontiguousarray(each) for each in (sources, targets))
        with teller(progress) as tell:
            return self._native.distances_of(
                *ends, 0 if memory is None else bytes_of(memory, "memory"), threads, tell)

    def _numbers(self, vertices):
        """Numbers of the vertices in an array or a list, int64 of its shape; of one, its number."""
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
        """Distances [n] from a vertex, float64, by the order of ``graph.labels``."""
        return self._native.row(self._index(source))

    def rows(self):
        """All rows, a block at a time: `RowBlock` of (sources, distances).

        Of a matrix they are views, in order. Of a factor or of statistics alone they are computed
        as they are taken, in any order, each once (`apsp.rows`).
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
        """One best path as a list of vertices, both ends included; [] where there is none."""
        index, labels = self._index, self._index.labels
        return [labels[v] for v in self._native.path(index(source), index(target))]

    def predecessors(self, source):
        """[n] int64: the number of the vertex before each on the path that `path` gives; −1 of the
        source, and where there is no path."""
        return self._native.predecessors(self._index(source))

    # All of it.

    @property
    def statistics(self):
        """What the distances say of the graph, a mapping of plain values and arrays [n].

        By the names of ``apsp stats --json``, and ``eccentricity``, ``closeness``, ``harmonic``
        (None where they are not defined). Pairs are pairs of labels. ``radius`` is that of the
        largest strong component; ``component`` says more of it (None: every pair has a path).
        """
        return self._statistics(None)

    def _statistics(self, progress):
        with teller(progress) as tell:
            return self._named(self._native.statistics(tell))

    def component_statistics(self, *, progress=None):
        """The statistics of the largest strong component only, over whose vertices all figures are.

        Those of a graph in which every vertex reaches every other one are `statistics`. Arrays are
        [n], NaN outside of the component.
        """
        with teller(progress) as tell:
            return self._named(self._native.component_statistics(tell))

    def _named(self, told):
        """With labels in place of numbers."""
        labels = self._index.labels
        for figures in (told, told["component"] or {}):
            for name in _WHOLE:
                if figures.get(name) is not None:
                    figures[name] = tuple(labels[v] for v in figures[name])
        return told

    def verify(self, *, sources=0, seed=1, tolerance=None, progress=None):
        """Checks the distances by their properties, without solving again (docs/verification.md).

        Parameters
        ----------
        sources : int
            Rows to check; 0: all, or as many as 10¹⁰ checks of arcs allow.
        seed : int
            Which rows, when not all.
        tolerance : float, optional
            Relative error that is let pass; default by the value type.
        progress : as in `apsp.solve`

        Returns
        -------
        dict
            ``passed``, ``meaning``, ``checks`` and more.
        """
        with teller(progress) as tell:
            return self._native.verify(sources, seed, tolerance, tell)

    def update(self, graph, *, weight=..., memory=None, threads=0, device="cpu", device_memory=None,
               progress=None):
        """The result for the same vertices with other weights, without solving again.

        Edges may come and go. In a factor only what lies above a few edges in the elimination tree is
        eliminated again, and both results share the order. In a matrix, smaller weights, new edges
        and new vertices cost a product (incremental Floyd-Warshall; Sao 2021, section 7). Of larger
        weights only the rows that they touch are solved again. The value type is wider where that of
        this result does not hold the new distances.

        Parameters
        ----------
        graph, weight : as in `apsp.solve`
            Its vertices are those of this result's graph, matched by label: see
            `Graph.with_weights` and `Graph.with_changes`.
        memory : int or str, optional
            Most bytes of graphs and factors, or the matrix; default: nine tenths of the free memory.
        device, device_memory : as in `apsp.update`
        threads, progress : as in `apsp.solve`

        Returns
        -------
        Result

        Raises
        ------
        UsageError
            This result keeps only statistics, some rows, or more planes than distances. Or vertices of
            its graph are missing in `graph`. Or a GPU is asked to update a factor.
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
        """Writes a ``.zarr`` or an ``.npy``, complete or not at all."""
        with teller(progress) as tell:
            self._native.save(os.fspath(path), compress, tell)

    @property
    def plot(self):
        """Pictures by matplotlib: ``plot.histogram()``, ``map()``, ``path(s, t)``, ``heat_map()``."""
        from ._plot import Plot

        return Plot(self)

    def report(self, path=None, *, coordinates=None, degrees=False, title="", top=10, verify=False,
               progress=None):
        """One page of HTML to look at: figures, histogram, maps, the longest path, a heat map.

        Parameters
        ----------
        path : path, optional
            Where the page goes, complete or not at all. None: it is returned.
        coordinates : path or array_like, shape (n, 2), optional
            Where the vertices lie, x to the right and y upwards, in the order of ``graph.labels``;
            or a file (docs/report.md). Default: places made from the distances.
        degrees : bool
            An array holds longitudes and latitudes.
        title : str
            Heading; default: what was solved.
        top : int
            Central vertices listed.
        verify : bool
            Whether the result is verified first, and the page says what came of it.
        progress : as in `apsp.solve`

        Returns
        -------
        str or None
            The page, where no `path` is given.

        Raises
        ------
        UsageError
            Coordinates of another number of vertices.
        InputError
            A malformed file of coordinates.
        """
        given = None if path is None else os.fspath(path)
        require_apart(given, self._path, coordinates)
        with teller(progress) as tell:
            page = _apsp.page(self._native, given, *as_places(coordinates), bool(degrees), title, top,
                              verify, tell)
        return page if path is None else None
