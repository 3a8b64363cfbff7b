"""Pairs within a distance, accessibility, k nearest facilities."""

import numpy as np

from . import _apsp
from ._calls import door, doors
from ._arrays import as_numpy, as_weights
from ._arrow import Table, index_of, named
from ._errors import UsageError
from ._graph import Graph
from ._frames import is_table, kind_of, table_of, vertices_of
from ._options import bytes_of, limits_of
from ._points import Places
from ._progress import teller
from ._reading import as_graph
from ._rows import labelled
from ._titles import is_counter_title, listed


@door
def within(graph, distance, *, weight=..., sources=None, unit="", algorithm="auto", device="auto", threads=0,
           memory=None, progress=None):
    """All pairs of vertices within a distance, as a sparse matrix.

    Time and memory depend on the number of pairs found, not of all pairs.

    Parameters
    ----------
    graph, weight : see `solve`
        Weights must be at least 0.
    distance : float or str
        The greatest distance, in the unit of the weights, or a quantity such as ``"15min"`` with `unit`.
    sources : sequence of vertices, optional
        Distinct. Only distances from these. Default: all vertices.
    unit : str
        The unit of the weights, "s", "min", "h", "m" or "km", or a multiple such as "0.1s". Limits may then be
        quantities such as ``"15min"``, and titles of tables have it.
    algorithm : str
        "johnson": a bounded search from each source. "nested-dissection": bounded sweeps over a
        factor. "auto": the one that is predicted to be faster.
    device : str
        "cuda" or "cuda:N": a GPU searches from many sources at once. "auto": a GPU if it is faster, else
        the CPU.
    threads, progress : see `solve`
    memory : int or str, optional
        Bytes of the whole process, at most, such as ``"8GiB"``. A call that needs more is refused before
        it begins. Default: the free memory.

    Returns
    -------
    scipy.sparse.csr_array, shape (sources, n)
        float64, targets sorted within a row. Pairs of a vertex with itself are left out. A distance of 0
        between two vertices is an explicit 0.

    Raises
    ------
    UsageError
        A weight or the distance is negative.
    DoesNotFitError
        The pairs need more memory.

    Examples
    --------
    >>> import apsp
    >>> roads = apsp.Graph.from_edges(list("ABC"), list("BCD"), [30, 20, 60], directed=False)
    >>> near = apsp.within(roads, 60)
    >>> near.nnz, float(near[0, 2])
    (8, 50.0)
    """
    from scipy.sparse import csr_array

    graph = as_graph(graph, weight)
    _require_not_negative(graph)
    rows = _numbers(graph, sources)
    with teller(progress) as tell, labelled(graph):
        begins, targets, distances = _apsp.within(graph._native, limits_of(distance, unit, "distance")[0], rows,
                                                  _word(algorithm), device, threads,
                                                  _size(memory), tell)
    n = graph.vertex_count
    if graph._index.ends is not None:
        n = len(graph._index.ends)
        begins, targets, distances = _between_vertices(graph._index, rows, begins, targets, distances)
    narrow = max(len(targets), n) < 2**31
    kind = np.int32 if narrow else np.int64
    indices = targets.view(np.int32) if narrow else targets.astype(np.int64)
    found = csr_array((distances, indices, begins.astype(kind)), shape=(len(begins) - 1, n))
    found.has_sorted_indices = True
    return found


_within = within  # also an argument's name


def _between_vertices(index, rows, begins, targets, distances):
    """The pairs whose paths end where paths to a vertex end, of pairs of `rows` and turn states."""
    vertices, row = index.places[targets], np.repeat(np.arange(len(rows)), np.diff(begins))
    kept = (index.ends[vertices] == targets) & (vertices != rows[row])
    vertices, row, distances = vertices[kept], row[kept], distances[kept]
    order = np.lexsort((vertices, row))
    begins = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=len(rows)))])
    return begins, vertices[order].astype(targets.dtype), distances[order]


@door
def verify(near, graph, distance, *, weight=..., sources=None, unit="", rows=0, seed=1, tolerance=None, progress=None):
    """Checks near pairs by their properties, without a search for them (docs/verification.md).

    Parameters
    ----------
    near : sparse array
        The result of `within`, shape (sources, n).
    graph, distance, sources, unit : the arguments of `within`
    rows : int
        Number of rows to check; 0: all.
    seed : int
        Selects the rows if not all are checked.
    tolerance : float, optional
        Accepted relative error. Default: by the weights.
    weight, progress : see `solve`

    Returns
    -------
    dict
        ``passed``, ``meaning``, ``checks`` and more.

    Raises
    ------
    UsageError
        A weight is negative, or `near` has another number of rows or vertices.

    Examples
    --------
    >>> import apsp
    >>> roads = apsp.Graph.from_edges(list("ABC"), list("BCD"), [30, 20, 60], directed=False)
    >>> apsp.verify(apsp.within(roads, 60), roads, 60)["passed"]
    True
    """
    graph = as_graph(graph, weight)
    graph._index.require_no_turns("verify")
    pairs = near.tocsr().sorted_indices()
    if pairs.shape[1] != graph.vertex_count:
        raise UsageError(f"pairs of {pairs.shape[1]:,} vertices and a graph of {graph.vertex_count:,}")
    as_numbers = [np.ascontiguousarray(numbers, dtype=np.int64) for numbers in (pairs.indptr, pairs.indices)]
    with teller(progress) as tell, labelled(graph):
        return _apsp.verify_near(*as_numbers, np.ascontiguousarray(pairs.data, dtype=np.float64), graph._native,
                                 limits_of(distance, unit, "distance")[0], _numbers(graph, sources), rows, seed,
                                 tolerance, tell)


@door
def access(graph, quantities, within, *, weight=..., decay=None, direction="from", sources=None, unit="",
           algorithm="auto", threads=0, memory=None, progress=None, as_table=False):
    """Accessibility: the sum of quantities that can be reached from each vertex (cumulative opportunities).

    Parameters
    ----------
    graph, weight : see `solve`
        Weights must be at least 0.
    quantities : array [n] or [n, columns], mapping of vertices to numbers, Series or DataFrame of pandas, a table
            of Arrow, or `Places`
        For example the jobs at each vertex. The index of a Series or DataFrame holds vertices, and so does the first
        column of another table. Vertices that are left out count as 0. Columns of numbers of `Places` are quantities
        at the points.
    within : float, str or sequence of these
        The greatest distances, in the unit of the weights, or quantities; there is one sum for each.
    decay : "linear", ("exp", scale), ("gaussian", scale), ("power", exponent) or None
        Factor of a quantity at distance d: 1 − d / limit, exp(−d / scale), exp(−(d / scale)² / 2), d^−exponent
        and 1 up to the distance 1, or 1. A scale may be a quantity.
    direction : "from", "to" or "both"
        What can be reached from a vertex, what reaches it, or a pair of both answers.
    sources : sequence of vertices, or `Places`, optional
        Default: all vertices.
    unit, algorithm, threads, memory, progress : see `within`
    as_table : bool
        Returns a `Table` with the sources in its first column, then a column of each quantity and limit.

    Returns
    -------
    array, float64
        Shape (sources, limits, columns), without the axis of limits for a single number and without
        that of columns for a single column. The source itself counts.

    Raises
    ------
    UsageError
        A weight or limit is negative, or the number of quantities is wrong.

    Notes
    -----
    Hansen (1959). Sums of integers without decay are exact.

    Examples
    --------
    >>> import apsp
    >>> roads = apsp.Graph.from_edges(list("ABC"), list("BCD"), [30, 20, 60], directed=False)
    >>> apsp.access(roads, {"A": 100, "C": 10, "D": 1}, [25, 60])
    array([[100., 110.],
           [ 10., 110.],
           [ 10., 111.],
           [  1.,  11.]])
    """
    if direction not in ("from", "to", "both"):
        raise UsageError(f'direction is "from", "to" or "both", not {direction!r}')
    graph = as_graph(graph, weight)
    _require_not_negative(graph)
    titles, flat = _titles_of(quantities), not isinstance(quantities, Places) and np.ndim(quantities) != 2
    flat = flat and not is_table(quantities)
    columns = None if isinstance(quantities, Places) else _columns(graph, quantities)
    limits, words = limits_of(within, unit)
    decay = _decay(decay, unit)
    found = []
    with teller(progress) as tell, labelled(graph):
        for way in ("from", "to"):
            if direction not in (way, "both"):
                continue
            native, rows, values = _one_way(graph, sources, quantities, columns, way)
            found.append(_sums(values, flat, limits, decay, lambda *asked: _apsp.access(
                native, *asked, rows, _word(algorithm), threads, _size(memory), tell)))
    if as_table:
        found = [_table_of_sums(graph, sources, sums, titles, words, values.shape[1]) for sums in found]
    return found[0] if len(found) == 1 else tuple(found)


def _titles_of(quantities):
    if isinstance(quantities, Places):
        return [str(title) for title in _quantities_of(quantities)]
    if is_table(quantities):
        names = table_of(quantities).names
        return [str(name) for name in (names if kind_of(quantities) == ("pandas", "DataFrame") else names[1:])]
    name = getattr(quantities, "name", None)
    return None if name is None else [str(name)]


def _quantities_of(places):
    """The columns of `Places` that are quantities: numbers that do not only count the rows."""
    return {title: values for title, values in places.columns.items() if _is_number(values) and not is_counter_title(title)}


def _is_number(values):
    return isinstance(values, np.ndarray) and values.dtype.kind == "f"


def _one_way(graph, sources, quantities, columns, way):
    """(graph, numbers of the sources, quantities [vertices, columns]) of paths from the sources, or to them."""
    rows = None if isinstance(sources, Places) else _numbers(graph, sources)
    if not isinstance(quantities, Places) and rows is not None:
        rows = rows if way == "from" else graph._index.ends_of(rows)
        return graph._native if way == "from" else _apsp.reversed(graph._native), rows, _at_ends(graph, columns, way)
    places = [each._native if isinstance(each, Places) else _apsp.no_places() for each in (sources, quantities)]
    if isinstance(quantities, Places):
        given = list(_quantities_of(quantities).values())
        if not given:
            raise UsageError("the points have no column of quantities, which are numbers; their columns are "
                             f"{listed(list(quantities.columns))}")
        weighted = np.stack(given, axis=1)
        columns = np.zeros((graph.vertex_count, len(given)))
    else:
        weighted = np.zeros((0, columns.shape[1]))
        columns = _at_ends(graph, columns, way)
    here = np.zeros((len(places[0]), columns.shape[1]))  # at the sources
    if rows is None or len(rows) == 0:
        first = graph.vertex_count + (len(weighted) if way == "to" else 0)
        rows = np.arange(first, first + len(here)) if rows is None else np.arange(graph.vertex_count)
    elif way == "to":
        rows = graph._index.ends_of(rows)
    if way == "from":
        return _apsp.with_places(graph._native, *places), rows, np.concatenate([columns, here, weighted])
    return _apsp.reversed(_apsp.with_places(graph._native, *places[::-1])), rows, np.concatenate([columns, weighted, here])


def _table_of_sums(graph, sources, sums, titles, words, width):
    if titles is None or len(titles) != width:
        titles = [str(i + 1) for i in range(width)]
    sums = sums.reshape(len(sums), len(words), width)
    table = {f"{title} within {word}": np.ascontiguousarray(sums[:, i, j])
             for i, word in enumerate(words) for j, title in enumerate(titles)}
    if isinstance(sources, Places):
        return Table({"from": sources.names, **table, "walk": sources.walk,
                      **{title: values for title, values in sources.columns.items() if title not in table}},
                     sources.index)
    vertices = graph.labels if sources is None else vertices_of(sources, "sources")
    return Table({"vertex": named(vertices, range(len(vertices))) if isinstance(vertices, range) else vertices,
                  **table}, index_of(sources))


@doors
class Reach:
    """What is within a distance of each vertex, kept: sums of other quantities need no search.

    Parameters
    ----------
    graph, distance, sources, unit, weight, algorithm, threads, memory, progress : see `within`
    distances : bool
        Keeps distances, for smaller distances and decays, in 2 (integers up to 32,766), 4 or 8 bytes for each
        pair. Without them a pair takes some bits. What needs more than `memory` is refused.

    Raises
    ------
    UsageError
        A weight or the distance is negative, or the distance is infinite.
    DoesNotFitError
        The pairs need more memory.

    Examples
    --------
    >>> import apsp
    >>> roads = apsp.Graph.from_edges(list("ABC"), list("BCD"), [30, 20, 60], directed=False)
    >>> reach = apsp.Reach(roads, 60)
    >>> reach.sum({"A": 100, "C": 10, "D": 1})
    array([110., 110., 111.,  11.])
    >>> reach.count(25)
    array([1., 2., 2., 1.])
    """

    def __init__(self, graph, distance, *, weight=..., sources=None, unit="", distances=True, algorithm="auto",
                 threads=0, memory=None, progress=None):
        self._graph = graph = as_graph(graph, weight)
        _require_not_negative(graph)
        self._unit = unit
        self.distance = limits_of(distance, unit, "distance")[0]
        with teller(progress) as tell, labelled(graph):
            self._native = _apsp.reach(graph._native, self.distance, distances, _numbers(graph, sources),
                                       _word(algorithm), threads, _size(memory), tell)

    @property
    def pairs(self):
        """Number of pairs of a source and a vertex within the distance, each source with itself included."""
        return self._native.pairs

    @property
    def nbytes(self):
        """Bytes that are kept."""
        return self._native.bytes

    def sum(self, quantities, within=None, *, decay=None):
        """The sum of quantities within a distance of each source, as `access` returns it.

        Parameters
        ----------
        quantities, decay : see `access`
        within : float, str or sequence of these, optional
            At most the distance of this. Default: that distance.

        Raises
        ------
        UsageError
            The number of quantities is wrong, `within` is larger, or distances are needed and were not kept.
        """
        return _sums(_at_ends(self._graph, _columns(self._graph, quantities), "from"), np.ndim(quantities) != 2,
                     self.distance if within is None else limits_of(within, self._unit)[0], _decay(decay, self._unit),
                     self._native.sums)

    def count(self, within=None):
        """The number of vertices within a distance of each source, itself included. `within`: see `sum`."""
        ends = self._graph._index.ends
        return self.sum(np.ones(self._graph.vertex_count if ends is None else len(ends)), within)


@door
def nearest(graph, places, k=1, *, weight=..., towards="places", within=None, unit="", memory=None, progress=None,
            as_table=False):
    """The k nearest facilities of every vertex.

    Parameters
    ----------
    graph, weight : see `solve`
        Weights must be at least 0.
    places : sequence of vertices, or `Places`
        The facilities. Equally distant ones are returned in this order.
    k : int
        Number of facilities for each vertex.
    towards : "places" or "vertices"
        Direction of paths: from each vertex to a facility, or from a facility to each vertex.
    within : float or str, optional
        Only facilities at most so far away.
    unit, memory, progress : see `within`
    as_table : bool
        Returns a `Table` instead: vertex, rank (from 1), place (a vertex, or the name of a point) and distance, a row
        for each vertex and each place that it reaches; of points also walk and their columns.

    Returns
    -------
    indices : array [n, k], int64
        Indices into `places`, the nearest first; -1: no further facility is reached. If ``names`` has the
        order of `places`, ``names[indices]`` are the names.
    distances : array [n, k], float64
        Distances to these; inf: no further facility is reached.

    Raises
    ------
    UsageError
        A weight is negative, `k` is less than 1, or `places` is empty or has unknown vertices.

    Examples
    --------
    >>> import apsp
    >>> roads = apsp.Graph.from_edges(list("ABC"), list("BCD"), [30, 20, 60], directed=False)
    >>> indices, distances = apsp.nearest(roads, ["A", "D"])
    >>> indices.ravel().tolist(), distances.ravel().tolist()
    ([0, 0, 0, 1], [0.0, 30.0, 50.0, 0.0])
    """
    if towards not in ("places", "vertices"):
        raise UsageError(f'towards is "places" or "vertices", not {towards!r}')
    limit = None if within is None else limits_of(within, unit)[0]
    _apsp.with_unit("distance", unit)  # an unknown unit is refused before the search
    graph = as_graph(graph, weight)
    _require_not_negative(graph)
    index = graph._index
    points = places if isinstance(places, Places) else None
    native = graph._native
    if points is None:
        number = index.end if towards == "places" else index
        numbers = np.array([number(place) for place in vertices_of(places, "places")], dtype=np.int64)
    elif points.on_vertices:
        numbers = points._native.froms if towards == "vertices" else index.ends_of(points._native.froms)
    else:
        none, ends = _apsp.no_places(), points._native
        native = _apsp.with_places(native, *((none, ends) if towards == "places" else (ends, none)))
        numbers = np.arange(graph.vertex_count, graph.vertex_count + len(points))
    with teller(progress) as tell, labelled(graph):
        found = _apsp.nearest(native, numbers, k, towards == "places", _size(memory), tell)
    indices, distances = (each.reshape(-1, k)[:graph.vertex_count] for each in found)
    if limit is not None:
        indices, distances = np.where(distances <= limit, (indices, distances), ([[-1]], [[np.inf]]))
        indices = indices.astype(np.int64)
    if index.ends is not None:
        rows = slice(len(index.ends)) if towards == "places" else index.ends
        indices, distances = indices[rows], distances[rows]
    return _table_of_places(graph, points, places, indices, distances, unit) if as_table else (indices, distances)


def _table_of_places(graph, points, places, indices, distances, unit):
    vertex, rank = np.nonzero(indices >= 0)
    chosen = indices[vertex, rank]
    names = points.names if points else vertices_of(places, "places")
    table = {"vertex": named(graph.labels, vertex), "rank": rank + 1, "place": [names[i] for i in chosen.tolist()],
             _apsp.with_unit("distance", unit): distances[vertex, rank]}
    if points:
        table["walk"] = points.walk[chosen]
        for title, values in points.columns.items():
            table.setdefault(title, values[chosen] if _is_number(values) else [values[i] for i in chosen.tolist()])
    return Table(table)


@door
def isochrones(graph, sources, within, positions, *, weight=..., direction="from", buffer=None, unit="",
               algorithm="auto", threads=0, memory=None, progress=None):
    """The streets that can be reached within some distances, cut where they end, as geometries of shapely.

    Parameters
    ----------
    graph, weight : see `solve`
        Weights must be at least 0.
    sources : sequence of vertices
    within : float, str or sequence of these
        The greatest distances, in the unit of the weights, or quantities.
    positions : array [n, 2]
        x and y of every vertex, in the order of ``graph.labels``.
    direction : "from", "to" or "both"
        What can be reached from the sources, what reaches them, or both.
    buffer : float, optional
        A polygon around the streets, so wide to each side, in the unit of `positions`. Default: lines.
    unit, algorithm, threads, memory, progress : see `within`

    Returns
    -------
    list of dict
        With the keys source, direction, within and geometry, by direction, then source, then `within`. It can be
        given to ``geopandas.GeoDataFrame``.

    Raises
    ------
    UsageError
        shapely is not installed, there is another number of positions, or a weight or distance is negative.

    Examples
    --------
    >>> import apsp
    >>> street = apsp.Graph.from_edges([0, 1], [1, 2], [10, 10], directed=False)
    >>> near, far = apsp.isochrones(street, [0], [5, 15], [(0, 0), (1, 0), (2, 0)])
    >>> near["geometry"].length, far["geometry"].length
    (0.5, 1.5)
    """
    try:
        import shapely
    except ImportError:
        raise UsageError("isochrones are geometries of shapely, which is not installed: pip install shapely") from None
    if direction not in ("from", "to", "both"):
        raise UsageError(f'direction is "from", "to" or "both", not {direction!r}')
    graph = as_graph(graph, weight)
    graph._index.require_no_turns("isochrones")
    at = np.asarray(positions, np.float64).reshape(-1, 2)
    if len(at) != graph.vertex_count:
        raise UsageError(f"there are {len(at):,} positions of {graph.vertex_count:,} vertices")
    limits, sources = np.atleast_1d(limits_of(within, unit)[0]), vertices_of(sources, "sources")
    tails, heads, weights = graph.edges()
    if not graph.directed:
        tails, heads, weights = *np.concatenate([(tails, heads), (heads, tails)], axis=1), np.tile(weights, 2)
    if not len(limits) or not len(sources):
        return []
    how = dict(sources=sources, algorithm=algorithm, threads=threads, memory=memory, progress=progress)
    found = []
    for way in ("from", "to"):
        if direction not in (way, "both"):
            continue
        along = graph if way == "from" else Graph._of(_apsp.reversed(graph._native), graph.labels)
        begins, ends = (tails, heads) if way == "from" else (heads, tails)
        near = _within(along, limits.max(), **how)
        for row, source in enumerate(sources):
            distance = np.full(graph.vertex_count, np.inf)
            part = slice(near.indptr[row], near.indptr[row + 1])
            distance[near.indices[part]] = near.data[part]
            distance[graph.index(source)] = 0
            for limit in limits:
                left = limit - distance[begins]
                some = (left > 0) & (begins != ends)
                share = np.divide(left, weights, out=np.ones_like(weights), where=weights > 0)[some].clip(max=1)[:, None]
                first, last = at[begins[some]], at[ends[some]]
                lines = shapely.linestrings(np.stack([first, first + share * (last - first)], axis=1))
                shape = shapely.union_all(lines if buffer is None else shapely.buffer(lines, buffer))
                found.append({"source": source, "direction": way, "within": float(limit), "geometry": shape})
    return found


def _at_ends(graph, columns, way):
    """Quantities of all vertices and turn states: those that paths reach are where paths end."""
    ends = graph._index.ends
    if ends is None:
        return columns
    if way == "to":
        return np.vstack([columns, np.zeros((graph.vertex_count - len(ends), columns.shape[1]))])
    at_ends = np.zeros((graph.vertex_count, columns.shape[1]))
    at_ends[ends] = columns
    return at_ends


def _sums(columns, flat, within, decay, find):
    """`columns`: [n, columns] quantities. `flat`: without the axis of columns. `within`, `decay`: numbers."""
    limits = np.atleast_1d(np.asarray(within, dtype=np.float64))
    sums = find(np.ascontiguousarray(columns.T).ravel(), limits, *decay)
    sums = sums.reshape(-1, len(limits), columns.shape[1])
    if flat:
        sums = sums[:, :, 0]
    return sums[:, 0] if np.ndim(within) == 0 else sums


def _require_not_negative(graph):
    if graph.facts["weights"]["least"] < 0:
        sources, targets, weights = graph.edges()
        at = int(weights.argmin())
        raise UsageError(f"the edge {graph.labels[sources[at]]!r} → {graph.labels[targets[at]]!r} has the weight "
                         f"{weights[at]:g}, and what is near is found over weights of at least 0: apsp.solve takes "
                         "negative weights")


def _size(memory):
    return 0 if memory is None else bytes_of(memory, "memory")


def _word(algorithm):
    return str(algorithm).replace("_", "-")


def _numbers(graph, sources):
    every = [] if graph._index.ends is None else range(len(graph._index.ends))
    listed = every if sources is None else graph._index.all(sources, "sources")
    return np.asarray(listed, dtype=np.int64)


class _Items:
    """Pairs of a vertex and a quantity, in which a vertex may occur twice."""

    def __init__(self, vertices, values):
        self._pairs = list(zip(vertices, values))

    def items(self):
        return self._pairs


def _columns(graph, quantities):
    """Quantities as float64 [n, columns]."""
    n = graph.vertex_count if graph._index.ends is None else len(graph._index.ends)
    if kind_of(quantities) == ("pandas", "DataFrame"):
        for name in quantities.columns:
            if is_counter_title(name) or str(name).lower() in ("vertex", "node"):
                holds_vertices = str(name).lower() in ("vertex", "node", "id", "index")
                how = f"set_index({name!r}), or drop that column" if holds_vertices else f"drop the column {name!r}"
                raise UsageError(f"the index of a frame of quantities holds vertices, its columns numbers: {how}")
        return np.hstack([np.zeros((n, 0)),
                          *(_columns(graph, quantities.iloc[:, i]) for i in range(quantities.shape[1]))])
    if is_table(quantities):
        table = table_of(quantities)
        first, *others = [table.column(place) for place in range(len(table.names))]
        if not others or any(missing is not None for _, missing in (first, *others)):
            raise UsageError("a table of quantities has vertices in its first column, numbers in the others, and no "
                             f"missing values; it has {listed(table.names)}")
        return np.hstack([_columns(graph, _Items(first[0].tolist(), values.tolist())) for values, _ in others])
    if hasattr(quantities, "items"):  # a mapping, or a pandas Series, in which a vertex may occur twice
        vertices, values = list(zip(*quantities.items())) or ((), ())
        column = np.zeros(n)
        numbers = [graph._index(vertex) for vertex in vertices]
        np.add.at(column, numbers, as_weights(list(values), len(values), "quantities",
                                              lambda i: f"the quantity of vertex {vertices[i]!r}"))
        return column[:, None]
    given = np.asarray(quantities) if isinstance(quantities, (list, tuple)) else as_numpy(quantities, "quantities")
    flat = given.ravel().astype(float) if given.dtype.kind == "b" else given.ravel()
    columns = as_weights(flat, given.size, "quantities").reshape(given.shape)
    if columns.ndim not in (1, 2) or len(columns) != n:
        raise UsageError(f"quantities are [n] or [n, columns] for {n:,} vertices, "
                         f"not of shape {columns.shape}")
    return columns.reshape(len(columns), -1)


def _decay(decay, unit):
    if decay is None:
        return "none", 1.0
    if decay == "linear":
        return "linear", 1.0
    if isinstance(decay, tuple) and len(decay) == 2 and decay[0] in ("exp", "gaussian", "power"):
        return decay[0], float(decay[1]) if decay[0] == "power" else limits_of(decay[1], unit, "decay")[0]
    raise UsageError(f'decay is None, "linear", ("exp", scale), ("gaussian", scale) or ("power", exponent), not {decay!r}')
