"""Tables of edges and square matrices from pandas, polars, Arrow and objects with Arrow streams."""

import numpy as np

from ._arrays import as_weights, missing_at, objects, require_exact
from ._errors import UsageError, WrongTypeError
from ._labels import counted
from ._titles import ends_have_titles, is_weight_title, listed

_WIDTHS = {"i": np.int64, "u": np.uint64, "f": np.float64, "b": np.bool_}


def kind_of(thing):
    """Module and class of a known table, such as ("pandas", "DataFrame"), also for subclasses (GeoPandas); or None."""
    for base in type(thing).__mro__:
        module = base.__module__.partition(".")[0]
        if (module, base.__name__) in _KINDS:
            return module, base.__name__
    return None


def is_table(thing):
    return kind_of(thing) is not None or (
        (hasattr(thing, "__arrow_c_stream__") or hasattr(thing, "__dataframe__")) and not hasattr(thing, "__array__"))


def table_of(thing):
    """A `Table` of any object with named columns.

    Raises
    ------
    WrongTypeError
        The object has no named columns.
    """
    kind = kind_of(thing)
    if kind == ("pandas", "DataFrame"):
        return _Pandas(thing)
    if kind == ("polars", "DataFrame"):
        return _Polars(thing)
    if kind == ("polars", "LazyFrame"):
        raise WrongTypeError("a LazyFrame of polars holds no rows yet: collect() it")
    if hasattr(thing, "__arrow_c_stream__") or hasattr(thing, "__dataframe__") or kind is not None:
        return _Arrow(thing)
    raise WrongTypeError(f"a {type(thing).__name__} is no table: give a DataFrame of pandas or polars, a Table of "
                         "Arrow, or what has __arrow_c_stream__")


class Table:
    """Named columns of equal length.

    `names`: titles. `rows`: number of rows. `titled`: False if the titles are only positions.
    """

    def __init__(self, names, rows):
        self.names, self.rows = list(names), rows
        self.titled = not all(isinstance(name, int) for name in self.names) or not self.names

    def column(self, place):
        """(values [rows] as a NumPy array, row of the first missing value or None)."""
        missing, column = self._column(place)
        if missing is not None and missing.any():
            return np.empty(0, object), int(missing.argmax())
        values = self._array(column)
        return values, missing_at(values)

    def present(self, place):
        """(boolean array [rows]: whether the row has a value, the present values)."""
        missing, column = self._column(place)
        if missing is not None and missing.any():
            return ~missing, self._array(self._without_missing(column))
        return np.ones(self.rows, bool), self._array(column)

    def place(self, name, role):
        """Index of the column with this title. `role`: for errors.

        Raises
        ------
        UsageError
            No column, or more than one, has this title.
        """
        found = [i for i, title in enumerate(self.names) if type(title) is type(name) and title == name]
        if len(found) == 1:
            return found[0]
        if found:
            raise UsageError(f"{counted(len(found), 'column', 'columns')} of the table are called {name!r}")
        raise UsageError(f"the table has no column {name!r} for the {role}; it has {listed(self.names)}{self.hint()}")

    def hint(self):
        return ""


class _Pandas(Table):
    def __init__(self, frame):
        if frame.columns.nlevels > 1:
            raise UsageError(f"the columns of the frame have {frame.columns.nlevels} levels (a MultiIndex): give them "
                             "one, such as frame.columns = frame.columns.map('_'.join)")
        super().__init__(frame.columns, len(frame))
        self._frame = frame

    def _column(self, place):
        series = self._frame.iloc[:, place]
        return series.isna().to_numpy(bool), series

    def _without_missing(self, series):
        return series.dropna()

    def _array(self, series):
        kind = getattr(series.dtype, "kind", "O")
        if kind not in _WIDTHS:
            return series.to_numpy(dtype=object)  # dates keep their type
        return series.to_numpy() if isinstance(series.dtype, np.dtype) else series.to_numpy(_WIDTHS[kind])

    def numbered(self):
        """Whether rows and columns are named 0, 1, …, as in a frame without names."""
        return list(self._frame.index) == list(range(self.rows)) and self.names == list(range(len(self.names)))

    def as_square(self):
        """(values [n, n], labels or None) if the table is a matrix; None if it has one row per edge."""
        n = len(self.names)
        if self.rows != n or n == 0 or _order(self._frame.index, self.names) is None:
            return None
        if self.numbered() and n in (2, 3):
            raise UsageError(f"a frame of {n} rows and {n} columns without names is a matrix, or has a row an edge: "
                             "apsp.Graph.from_numpy(frame) takes the matrix, apsp.Graph.from_pandas(frame, 0, 1) the "
                             "edges")
        return matrix_of_pandas(self._frame)

    def is_numpy(self):
        """Whether all columns have NumPy number types, or all are NumPy booleans."""
        kinds = {dtype.kind if isinstance(dtype, np.dtype) else "O" for dtype in self._frame.dtypes}
        return kinds <= set("iuf") or kinds == {"b"}

    def matrix(self, places):
        return self._frame.iloc[:, places].to_numpy()

    def hint(self):
        levels = [name for name in self._frame.index.names if name is not None]
        return f"; {listed(levels)} are levels of its index, which reset_index() makes columns" if levels else ""


class _Polars(Table):
    def __init__(self, frame):
        super().__init__(frame.columns, frame.height)
        self._frame = frame

    def _column(self, place):
        series = self._frame.to_series(place)
        return series.is_null().to_numpy() if series.null_count() else None, series

    def _without_missing(self, series):
        return series.drop_nulls()

    def _array(self, series):
        number = (series.dtype.is_integer() and not str(series.dtype).endswith("128")) or series.dtype.is_float()
        return series.to_numpy() if number else objects(series.to_list())


class _Arrow(Table):
    def __init__(self, thing):
        try:
            import pyarrow
        except ImportError as error:
            raise UsageError(f"a {type(thing).__name__} is read through Arrow: install pyarrow") from error
        try:
            if kind_of(thing) == ("pyarrow", "RecordBatch"):
                thing = pyarrow.Table.from_batches([thing])
            elif hasattr(thing, "__arrow_c_stream__"):
                thing = pyarrow.table(thing)
            else:
                from pyarrow.interchange import from_dataframe

                thing = from_dataframe(thing)
        except (pyarrow.ArrowException, TypeError, ValueError, RuntimeError) as error:
            why = "reset_index() makes a table of it" if hasattr(thing, "reset_index") else error
            raise WrongTypeError(f"a {type(thing).__name__} is no table: {why}") from error
        super().__init__(thing.column_names, thing.num_rows)
        self._table = thing

    def _column(self, place):
        column = self._table.column(place)
        return column.is_null().to_numpy() if column.null_count else None, column

    def _without_missing(self, column):
        return column.drop_null()

    def _array(self, column):
        from pyarrow import types

        number = types.is_integer(column.type) or types.is_floating(column.type)
        return column.to_numpy() if number else objects(column)


_KINDS = {("pandas", "DataFrame"), ("polars", "DataFrame"), ("polars", "LazyFrame"), ("pyarrow", "Table"),
          ("pyarrow", "RecordBatch"), ("pyarrow", "RecordBatchReader")}


def matrix_of_pandas(frame, labels=None):
    """(values [n, n], names or None) of a square frame, with columns in the order of the rows.

    Names are None if neither rows nor columns have any (RangeIndex). If the caller gives `labels`, rows and
    columns with different names keep their order.

    Raises
    ------
    UsageError
        The frame is not square, or its rows and columns have different names.
    """
    table = _Pandas(frame)
    if len(frame) != len(frame.columns):
        raise UsageError(f"a matrix of the shape {frame.shape} is not a square matrix")
    order = _order(frame.index, frame.columns)
    if order is None and labels is None:
        raise UsageError(f"rows of the frame are called {listed(frame.index[:3])}, … and its columns "
                         f"{listed(frame.columns[:3])}, …: the matrix of a graph has the same names for both "
                         "(frame.index = …), or none (frame.to_numpy())")
    values = _values(table, range(len(frame)) if order is None else order)
    return values, None if table.numbered() else list(frame.index)


def square_of(table):
    """(values [n, n], labels or None) if a table is a matrix, else None. A matrix has the same names for rows
    and columns, or its first column holds the titles of the others.

    Raises
    ------
    UsageError
        Two or three rows and columns without names, which may also be edges.
    """
    if isinstance(table, _Pandas) and (found := table.as_square()):
        return found
    n = len(table.names)
    titles_speak = ends_have_titles(table.names) or is_weight_title(table.names[-1]) if n in (2, 3) else True
    if table.rows == n and table.titled and not titles_speak and all(
            table.column(place)[0].dtype.kind in "iuf" for place in range(n)):
        raise UsageError(f"{n} rows and {n} columns of numbers, {listed(table.names)}, are a matrix, or have a row an "
                         "edge: apsp.Graph.from_numpy(table.to_numpy()) takes the matrix, source=, target= and weight= "
                         "name the columns of edges")
    if table.rows == 0 or len(table.names) != table.rows + 1 or not table.titled:
        return None
    names, missing = table.column(0)
    order = None if missing is not None else _order(names.tolist(), table.names[1:])
    return None if order is None else (_values(table, [i + 1 for i in order]), names.tolist())


def vertices_of(given, what):
    """List of the vertices in a sequence, an array or a table of one column. `what`: for errors.

    Raises
    ------
    WrongTypeError
        `given` is one vertex, or a table of several columns.
    """
    if is_table(given):
        table = table_of(given)
        if len(table.names) != 1:
            raise WrongTypeError(f"{what} are one column of vertices, not a table of {listed(table.names)}: name one "
                                 "of them, table[…]")
        return table.column(0)[0].tolist()
    if hasattr(given, "to_pylist"):  # Arrow
        return given.to_pylist()
    if isinstance(given, (str, bytes)) or not hasattr(given, "__iter__"):
        raise WrongTypeError(f"{what} are a sequence of vertices, not {given!r}: one vertex is [{given!r}]")
    return list(given)


def _order(rows, columns):
    """Indices of the columns in the order of the rows, if both have the same distinct names; else None. A name
    may be a number in one and a text in the other, as in tables from files."""
    rows, columns = [str(name) for name in rows], [str(name) for name in columns]
    if len(rows) != len(columns) or len(set(rows)) < len(rows) or set(rows) != set(columns):
        return None
    place = {name: i for i, name in enumerate(columns)}
    return [place[name] for name in rows]


def _values(table, places):
    """Values [n, len(places)], float64 or one NumPy type; missing values are masked."""
    if isinstance(table, _Pandas) and table.is_numpy():
        for place in places:  # integers next to floats become floats
            require_exact(table.column(place)[0], f"weights of column {table.names[place]!r}")
        return table.matrix(places)
    masked = np.ma.masked_all((table.rows, len(places)), np.float64)
    for i, place in enumerate(places):
        there, values = table.present(place)
        masked[there, i] = as_weights(values, int(there.sum()), f"weights of column {table.names[place]!r}")
    return masked
