"""Pictures of a result by matplotlib, like those of the HTML report, as axes."""

import numpy as np

from . import _apsp
from ._arrays import as_numpy, as_places
from ._errors import UsageError
from ._labels import counted

_COLOURS = "cividis"  # increases in lightness: suits colour blindness and print
_MOST_LINES = 120_000  # same as in the report (docs/report.md)
_MOST_POINTS = 5_000
_MANY = 200  # from so many values on, the outermost 1 % share a colour
_VALUES = ("eccentricity", "closeness", "harmonic")


class Plot:
    """Pictures of a result. Each method draws into `ax`, or axes of a new figure, and returns the axes.

    Needs matplotlib. ``matplotlib.pyplot.show()`` shows a picture, and ``ax.figure.savefig(path)``
    writes it to a file.

    Examples
    --------
    >>> import apsp
    >>> town = apsp.solve(apsp.generate("grid", 100, directed=False))
    >>> axes = town.plot.map("closeness")  # doctest: +SKIP
    >>> axes.figure.savefig("town.png")  # doctest: +SKIP
    """

    __slots__ = ("_result",)

    def __init__(self, result):
        self._result = result

    def histogram(self, *, ax=None):
        """Histogram of distances (pairs per bin) with mean and median.

        Raises
        ------
        UsageError
            No pair of vertices has a path.
        """
        statistics = self._result.statistics
        bars = [bar for bar in statistics["histogram"] if bar["pairs"]]
        if not bars:
            raise UsageError("no pair of vertices has a path: there is no histogram")
        ax = _axes(ax)
        low = np.array([bar["low"] for bar in bars])
        width = np.array([bar["high"] for bar in bars]) - low
        least = (low[-1] + width[-1] - low[0]) / 200 or 1.0
        ax.bar(low, [bar["pairs"] for bar in bars], np.maximum(width, least), align="edge")
        for name, style in (("mean", "-"), ("median", ":")):
            ax.axvline(statistics[name], color="black", linestyle=style,
                       label=f"{name} {statistics[name]:.4g}")
        ax.legend()
        ax.set(xlabel=self._measure, ylabel="pairs", title="How far apart")
        return ax

    def heat_map(self, *, most=400, ax=None):
        """The matrix of distances, one pixel per pair; near vertices are adjacent.

        Parameters
        ----------
        most : int
            Greatest number of rows and columns. If there are more vertices, an even sample is drawn.

        Raises
        ------
        UsageError
            The result holds no distances.
        """
        if most < 1:
            raise UsageError(f"a picture has at least one row, not {most}")
        rows, columns, distances, ordered = _apsp.sample(self._result._native, most)
        if not len(distances):
            raise UsageError("without vertices there is no matrix to draw")
        ax = _axes(ax)
        distances = np.ma.masked_invalid(distances.reshape(len(rows), len(columns)))
        others = np.ma.masked_where(rows[:, None] == columns[None, :], distances)
        low, high = _ends(others.compressed() if others.count() else distances.compressed())
        picture = ax.imshow(distances, cmap=_COLOURS, vmin=low, vmax=high, interpolation="nearest")
        ax.figure.colorbar(picture, ax=ax, label=self._measure)
        ax.set(xticks=[], yticks=[], xlabel="to", ylabel="from", title="Matrix of distances")
        if ordered:
            ax.set_xlabel("to, near vertices together")
        return ax

    def map(self, values="eccentricity", *, coordinates=None, degrees=False, ax=None):
        """A map of the edges, coloured by a value of their ends.

        Parameters
        ----------
        values : str or array_like, shape (n,)
            "eccentricity", "closeness" or "harmonic", or numbers in the order of ``graph.labels``. NaN is
            grey.
        coordinates : path or array_like, shape (n, 2), optional
            See `Result.report`. Default: positions computed from the distances (Brandes 2007).
        degrees : bool
            True: the array holds longitudes and latitudes in degrees.

        Raises
        ------
        UsageError
            The result lacks the value, or coordinates or values have the wrong length.
        """
        name, values = self._values_of(values)
        places, degrees = self._places(coordinates, degrees)
        ax = _axes(ax)
        ends = self._edges(places)
        from matplotlib import colormaps
        from matplotlib.collections import LineCollection

        colours = colormaps[_COLOURS].with_extremes(bad="0.7")
        drawn = [LineCollection(places[ends], cmap=colours, linewidths=0.8)] if len(ends) else []
        if drawn:
            drawn[0].set_array(np.ma.masked_invalid(values[ends].mean(1)))
            ax.add_collection(drawn[0])
        if len(places) <= _MOST_POINTS:
            drawn.append(ax.scatter(*places.T, c=np.ma.masked_invalid(values), cmap=colours, s=6, zorder=2))
        low, high = _ends(values[np.isfinite(values) & np.isfinite(places).all(1)])
        for part in drawn:
            part.set_clim(low, high)
        if drawn:
            ax.figure.colorbar(drawn[0], ax=ax, label=name)
        _frame(ax, places, degrees)
        ax.set_title(name.capitalize())
        return ax

    def path(self, source=None, target=None, *, coordinates=None, degrees=False, ax=None):
        """A best path, drawn over the edges. Default: the longest shortest path.

        Parameters
        ----------
        source, target : vertices, optional
            Labels of both ends, or neither.
        coordinates, degrees : see `map`

        Raises
        ------
        UsageError
            Only one end is given, or there is no path.
        """
        if (source is None) != (target is None):
            raise UsageError("a path has two ends: name both, or none for the longest shortest path")
        if source is None:
            pair = self._result.statistics["diameter_pair"]
            if pair is None:
                raise UsageError("no longest shortest path is known: name two ends")
            source, target = pair
        found = self._result.path(source, target)
        if not found:
            raise UsageError(f"there is no path from {source!r} to {target!r}")
        places, degrees = self._places(coordinates, degrees)
        ax = _axes(ax)
        from matplotlib.collections import LineCollection

        ax.add_collection(LineCollection(places[self._edges(places)], colors="0.8", linewidths=0.6))
        index = self._result.graph.index
        way = places[[index(vertex) for vertex in found]]
        ax.plot(*way.T, color="tab:blue", linewidth=2)
        ax.plot(*way[[0, -1]].T, "o", color="tab:blue")
        for label, place in zip((source, target), way[[0, -1]]):
            ax.annotate(str(label), place, xytext=(4, 4), textcoords="offset points")
        _frame(ax, places, degrees)
        length = self._result.distance(source, target)
        edges = counted(len(found) - 1, "edge", "edges")
        ax.set_title(f"{source} to {target}: {self._measure} {length:.6g}, {edges}")
        return ax

    @property
    def _measure(self):
        return "distance" if self._result.semiring == "min-plus" else f"{self._result.semiring} value"

    def _values_of(self, values):
        """(name, float64 [n])."""
        n = len(self._result.graph)
        if isinstance(values, str):
            if values not in _VALUES:
                raise UsageError(f"a map shows {', '.join(_VALUES)} or an array, not {values!r}")
            found = self._result.statistics[values]
            if found is None:
                raise UsageError(f"the result does not tell the {values} of its vertices")
            return values, found
        found = as_numpy(values, "values")
        if found.shape != (n,) or found.dtype.kind not in "biuf":
            raise UsageError(f"values are numbers of the shape ({n},), not {found.dtype} of {found.shape}")
        return "value", found.astype(np.float64)

    def _places(self, coordinates, degrees):
        """(coordinates, float64 [n, 2]; whether they are degrees)."""
        x, y, degrees = _apsp.places(self._result._native, *as_places(coordinates), bool(degrees))
        return np.column_stack([x, y]), degrees

    def _edges(self, places):
        """Ends [m, 2] of the edges to draw, each once; an even sample if there are very many."""
        graph = self._result.graph
        offsets, targets, _ = graph._native.rows()
        ends = np.column_stack([np.repeat(np.arange(len(graph)), np.diff(offsets)), targets]).astype(np.int64)
        ends = np.unique(np.sort(ends[ends[:, 0] != ends[:, 1]], axis=1), axis=0)
        ends = ends[np.isfinite(places[ends]).all((1, 2))]
        return ends[::-(-len(ends) // _MOST_LINES) or 1]


def _axes(ax):
    try:
        import matplotlib.pyplot
    except ImportError as error:
        raise ModuleNotFoundError("result.plot needs matplotlib: pip install matplotlib") from error
    return matplotlib.pyplot.subplots()[1] if ax is None else ax


def _ends(values):
    """(lowest, highest) value of the colour scale; arbitrary without values."""
    if not len(values):
        return 0.0, 1.0
    return tuple(np.percentile(values, (1, 99) if len(values) >= _MANY else (0, 100)))


def _frame(ax, places, degrees):
    """Sets equal scales on both axes; a degree of longitude is shorter by the cosine of the latitude."""
    ax.autoscale_view()
    latitude = np.nanmean(places[:, 1]) if degrees and len(places) else 0.0
    ax.set_aspect(1 / np.cos(np.radians(latitude)), adjustable="datalim")
    ax.set(xticks=[], yticks=[])
