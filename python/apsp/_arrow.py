"""Answers as tables of named columns, which are tables of Arrow by ``__arrow_c_stream__``."""

import numpy as np

from ._errors import UsageError
from ._titles import listed


class Table:
    """Named columns of equal length: a table of Arrow for pandas, polars, DuckDB, GeoPandas and others.

    ``table["title"]`` is a column as a NumPy array, or as a list of labels. ``pandas.DataFrame.from_arrow``,
    ``polars.DataFrame``, ``pyarrow.table`` and DuckDB take the table as it is, by ``__arrow_c_stream__`` (needs
    pyarrow; columns of numbers are not copied). `to_pandas` needs only pandas.

    Examples
    --------
    >>> import apsp
    >>> roads = apsp.Graph.from_edges(list("ABC"), list("BCD"), [30, 20, 60], directed=False)
    >>> table = apsp.nearest(roads, ["A", "D"], as_table=True)
    >>> table
    <apsp.Table: 4 rows, 'vertex', 'rank', 'place', 'distance'>
    >>> table["place"]
    ['A', 'A', 'A', 'D']
    """

    __slots__ = ("_columns", "_index")

    def __init__(self, columns, index=None):
        self._columns, self._index = dict(columns), index

    @property
    def names(self):
        """Titles of the columns."""
        return list(self._columns)

    def __len__(self):
        return len(next(iter(self._columns.values()), ()))

    def __getitem__(self, title):
        try:
            return self._columns[title]
        except KeyError:
            raise UsageError(f"the table has no column {title!r}; it has {listed(self.names)}") from None

    def __repr__(self):
        return f"<apsp.Table: {len(self):,} rows, {listed(self.names)}>"

    def to_pandas(self):
        """A DataFrame. Its index is that of the points, or the Series or frame, that was asked about, if the rows are
        its rows."""
        import pandas

        return pandas.DataFrame(self._columns, index=self._index)

    def to_arrow(self):
        """A table of pyarrow."""
        try:
            import pyarrow
        except ImportError as error:
            raise UsageError("a table of Arrow is made by pyarrow: install pyarrow, or take to_pandas()") from error
        return pyarrow.table({name: pyarrow.array(_texts(values)) for name, values in self._columns.items()})

    def __arrow_c_stream__(self, requested_schema=None):
        return self.to_arrow().__arrow_c_stream__(requested_schema)


def _texts(values):
    """Values of one kind, as Arrow needs them: labels of several kinds become texts."""
    if isinstance(values, (np.ndarray, range)):
        return np.asarray(values)
    kinds = {type(value) for value in values}
    return values if len(kinds) < 2 else [str(value) for value in values]


def named(labels, numbers):
    """The labels of these vertices: an array for consecutive integers, else a list."""
    if isinstance(labels, range):
        return labels.start + np.asarray(numbers, dtype=np.int64)
    return [labels[v] for v in np.asarray(numbers).tolist()]


def index_of(given):
    """The index of a Series or DataFrame of pandas, else None."""
    return getattr(given, "index", None) if type(given).__module__.partition(".")[0] in ("pandas", "geopandas") else None
