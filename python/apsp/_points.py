"""Points on a map: the nearest vertices or places on arcs."""

import os

import numpy as np

from . import _apsp
from ._arrays import as_numpy, as_weights
from ._arrow import Table, index_of, named
from ._calls import door
from ._errors import UsageError, WrongTypeError
from ._frames import is_table, table_of
from ._progress import teller
from ._reading import as_graph
from ._rows import labelled
from ._titles import listed

_NONE = object()


class Places:
    """Points and their places in a graph, from `snap`: `nearest`, `access`, `write_table`, `distances_of` and `paths`
    take them in place of vertices."""

    __slots__ = ("_native", "_labels", "names", "columns", "index")

    def __init__(self, native, labels, names, columns, index):
        self._native, self._labels = native, labels
        self.names, self.columns, self.index = names, columns, index

    def __len__(self):
        return len(self._native)

    def __repr__(self):
        return f"<apsp.Places: {len(self):,} points>"

    @property
    def walk(self):
        """Array [points]: from each point to its place, in metres for degrees, else in the unit of the positions."""
        return self._native.walks

    @property
    def share(self):
        """Array [points]: the share of the street from `vertices` to `other_ends`; 0 for a vertex."""
        return self._native.shares

    @property
    def vertices(self):
        """The vertex of each point, or the end of its street from which shares count."""
        return named(self._labels, self._native.froms)

    @property
    def other_ends(self):
        """The other end of the street of each point; equal to `vertices` if the place is a vertex."""
        return named(self._labels, self._native.tos)

    @property
    def on_vertices(self):
        """Whether all places are vertices."""
        return bool((self._native.froms == self._native.tos).all())

    def as_table(self):
        """A `Table`: name, vertex, other_end, share, walk, and the columns that the points had."""
        return Table({"name": self.names, "vertex": self.vertices, "other_end": self.other_ends,
                      "share": self.share, "walk": self.walk, **self.columns}, self.index)

    def _for_table(self):
        """As the extension takes points of a table."""
        return self._native, [str(name) for name in self.names], [
            (str(title), values if _is_float(values) else [str(value) for value in values])
            for title, values in self.columns.items()]


@door
def snap(graph, points, positions=None, *, snap="vertex", snap_limit=None, weight=..., progress=None):
    """The places of points in a graph: the nearest vertices, or the nearest places on arcs.

    Parameters
    ----------
    graph, weight : see `solve`
    points : table or path
        A file, DataFrame, GeoDataFrame (of points) or any table of Arrow, with the columns lon and lat, or x and y.
        The column name or id names the points. All other columns come back with answers.
    positions : table, path, mapping of vertices to (x, y), or array [n, 2], optional
        Where the vertices are. A table has lon and lat, or x and y, and its index or a column vertex, node, id or
        name holds vertices. Default: the attributes x and y of the nodes of a graph of NetworkX, as OSMnx has them.
    snap : "vertex" or "arc"
        "arc": streets are straight between vertices. A place on a street has its share of the weight of the arcs.
    snap_limit : float, optional
        Refuses a point that is farther from its place.
    progress : see `solve`

    Returns
    -------
    Places

    Raises
    ------
    UsageError
        Columns are missing, positions are unknown, or the graph has no arcs.
    InputError
        A point is beyond the limit, or its coordinates are not finite.

    Notes
    -----
    Degrees (lon and lat, or a geographic system of GeoPandas, or positions that are valid degrees where the points
    are) are measured on a sphere with the mean radius of the Earth, in metres. Other coordinates are measured in the
    plane.

    Examples
    --------
    >>> import apsp
    >>> roads = apsp.Graph.from_edges(list("ABC"), list("BCD"), [30, 20, 60], directed=False)
    >>> at = {"A": (0, 0), "B": (3, 0), "C": (5, 0), "D": (11, 0)}
    >>> shops = apsp.snap(roads, {"name": ["Mill", "Inn"], "x": [1, 9], "y": [1, 0]}, at, snap="arc")
    >>> shops.vertices, shops.other_ends, shops.share.round(2).tolist(), shops.walk.tolist()
    (['A', 'C'], ['B', 'D'], [0.33, 0.67], [1.0, 0.0])
    """
    if snap not in ("vertex", "arc"):
        raise UsageError(f'snap is "vertex" or "arc", not {snap!r}')
    given, graph = graph, as_graph(graph, weight)
    x, y, degrees, names, columns = _points_of(points)
    at = _positions_of(graph, given, positions)
    with teller(progress) as tell, labelled(graph):
        native = _apsp.snap(graph._native, *at, x, y, degrees, snap == "arc",
                            float("inf") if snap_limit is None else float(snap_limit), tell)
    return Places(native, graph.labels, names, columns, index_of(points))


def _points_of(points):
    """(x, y, whether these are degrees, names, {title: other column})."""
    if isinstance(points, (str, os.PathLike)):
        x, y, degrees, names, columns = _apsp.read_points(os.fspath(points))
        return x, y, degrees, names, dict(columns)
    if hasattr(points, "geometry") and hasattr(points, "crs"):  # GeoPandas
        kinds = set(points.geometry.geom_type)
        if kinds != {"Point"}:
            raise UsageError(f"geometries are points, not {listed(sorted(map(str, kinds)))}: take .centroid, or "
                             ".representative_point()")
        columns = {title: points[title] for title in points.columns if title != points.geometry.name}
        degrees = points.crs is None or bool(points.crs.is_geographic)
        return _arrays_of(points.geometry.x, points.geometry.y, degrees, columns)
    columns = _columns_of(points)
    x, y, degrees = _coordinates_in(columns, "points")
    return _arrays_of(x, y, degrees, columns)


def _columns_of(table):
    """{title: values} of a mapping or a table."""
    if is_table(table):
        table = table_of(table)
        found = {}
        for place, name in enumerate(table.names):
            values, missing = table.column(place)
            found[name] = values if missing is None else _with_gaps(table, place)
        return found
    if hasattr(table, "items"):
        return dict(table)
    raise WrongTypeError(f"a {type(table).__name__} holds no points: give a table with lon and lat, or x and y, or a "
                         "file")


def _with_gaps(table, place):
    there, values = table.present(place)
    column = np.full(table.rows, None, object)
    column[there] = values
    return column


def _coordinates_in(columns, what):
    """(x, y, whether these are degrees); takes both out of `columns`."""
    words = {str(title).lower(): title for title in columns}
    for east, north, degrees in ((("lon", "lng", "long", "longitude"), ("lat", "latitude"), True), (("x",), ("y",), False)):
        pair = [next((words[word] for word in each if word in words), _NONE) for each in (east, north)]
        if _NONE not in pair:
            return columns.pop(pair[0]), columns.pop(pair[1]), degrees
    raise UsageError(f"{what} need the columns lon and lat, or x and y, not {listed(list(columns))}")


def _arrays_of(x, y, degrees, columns):
    numbers = [as_weights(np.asarray(values), len(values), "coordinates", lambda i: f"the coordinate in row {i}")
               for values in (x, y)]
    title = next((title for word in ("name", "id") for title in columns if str(title).lower() == word), _NONE)
    count = len(numbers[0])
    names = list(columns.pop(title)) if title is not _NONE else [str(i + 1) for i in range(count)]
    if len(names) != count or len(numbers[1]) != count:
        raise UsageError("the columns of points differ in length")
    if degrees:
        _require_degrees(*numbers)
    return *numbers, degrees, names, {key: _plain(values) for key, values in columns.items()}


def _require_degrees(x, y):
    wrong = (np.abs(x) > 360) | (np.abs(y) > 90)
    if wrong.any():
        raise UsageError(f"({x[wrong.argmax()]:g}, {y[wrong.argmax()]:g}) is no longitude and latitude")


def _plain(values):
    values = as_numpy(values, "a column")
    return values.astype(np.float64) if values.dtype.kind in "iuf" else values.tolist()


def _is_float(values):
    return isinstance(values, np.ndarray) and values.dtype == np.float64


def _positions_of(graph, given, positions):
    """(x [n], y [n], whether these are degrees); turn states are where their vertices are."""
    if positions is None:
        nodes = getattr(given, "nodes", None)
        if nodes is None or not all("x" in data and "y" in data for _, data in nodes(data=True)):
            raise UsageError("it is not known where the vertices are: give positions=, a table with lon and lat or "
                             "x and y for each vertex")
        positions = {node: (data["x"], data["y"]) for node, data in nodes(data=True)}
    if isinstance(positions, (str, os.PathLike)):
        return _apsp.read_places(graph._native, os.fspath(positions))
    degrees, vertices = False, None
    n = graph.vertex_count if graph._index.ends is None else len(graph._index.ends)
    if is_table(positions):
        index, columns = index_of(positions), _columns_of(positions)
        x, y, degrees = _coordinates_in(columns, "positions")
        title = next((title for word in ("vertex", "node", "osmid", "id", "name") for title in columns
                      if str(title).lower() == word), _NONE)
        vertices = columns[title] if title is not _NONE else index
        if vertices is None:
            raise UsageError("positions need a column vertex, node, id or name")
        pairs = np.column_stack([as_weights(np.asarray(values), len(values), "positions",
                                            lambda i: f"the position in row {i}") for values in (x, y)])
        if degrees:
            _require_degrees(*pairs.T)
    elif hasattr(positions, "items"):
        vertices, pairs = list(positions), np.array(list(positions.values()), float).reshape(-1, 2)
    else:
        pairs = as_numpy(positions, "positions")
        if pairs.shape != (n, 2):
            raise UsageError(f"positions have the shape {pairs.shape}, and there are {n:,} vertices")
    at = np.full((n, 2), np.nan)
    numbers = range(n) if vertices is None else [graph._index(vertex) for vertex in vertices]
    if len(set(numbers)) < len(numbers):
        raise UsageError("the positions name a vertex twice")
    at[numbers] = pairs
    if np.isnan(at).any():
        missing = int(np.isnan(at).any(axis=1).argmax())
        raise UsageError(f"the position of vertex {graph.labels[missing]!r} is missing")
    if graph._index.ends is not None:
        at = at[graph._index.places]
    return *np.ascontiguousarray(at.T), degrees
