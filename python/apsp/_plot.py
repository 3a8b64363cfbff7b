"""Pictures of a result by matplotlib: what the page to look at shows, as axes to go on with."""

import numpy as np

from . import _apsp
from ._arrays import as_numpy, as_places
from ._errors import UsageError
from ._labels import counted

_COLOURS = "cividis"  # from blue to yellow by lightness: for every eye, and in print
_MOST_LINES = 120_000  # as on the page (docs/report.md)
_MOST_POINTS = 5_000
_MANY = 200  # values of which the outermost hundredths share the end's colour
_VALUES = ("eccentricity", "closeness", "harmonic")


class Plot:
    """Pictures of a result. Each is drawn into `ax`, or into axes of a new figure, and returns them.

    Needs matplotlib. Nothing is shown: ``matplotlib.pyplot.show()`` does that, and
    ``ax.figure.savefig(path)`` writes a file.

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
        """How many pairs lie how far apart, with mean and median marked.

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
        """The matrix of distances, a pixel a pair, near vertices together.

        Parameters
        ----------
        most : int
            Rows and columns; of more vertices so many are drawn evenly.

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
        """The edges where they lie, coloured by a value of their ends.

        Parameters
        ----------
        values : str or array_like, shape (n,)
            "eccentricity", "closeness" or "harmonic", or numbers of one's own in the order of
            ``graph.labels``; NaN: grey.
        coordinates : path or array_like, shape (n, 2), optional
            As in `Result.report`. Default: places made from the distances (Brandes 2007).
        degrees : bool
            An array holds longitudes and latitudes.

        Raises
        ------
        UsageError
            A value that the result has not; coordinates or values of another number of vertices.
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
        """A best path over the edges. Default: the longest shortest path.

        Parameters
        ----------
        source, target : vertices, optional
            By their labels; both or none.
        coordinates, degrees : as in `map`

        Raises
        ------
        UsageError
            One end alone, or no path.
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
        """(float64 [n, 2], whether they are degrees)."""
        x, y, degrees = _apsp.places(self._result._native, *as_places(coordinates), bool(degrees))
        return np.column_stack([x, y]), degrees

    def _edges(self, places):
        """[m, 2] ends of the edges that are drawn, each once; of very many some, evenly."""
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
    """The values at both ends of the colours; without values any."""
    if not len(values):
        return 0.0, 1.0
    return tuple(np.percentile(values, (1, 99) if len(values) >= _MANY else (0, 100)))


def _frame(ax, places, degrees):
    """Equal steps look equal, and a degree of longitude is shorter by the cosine of the latitude."""
    ax.autoscale_view()
    latitude = np.nanmean(places[:, 1]) if degrees and len(places) else 0.0
    ax.set_aspect(1 / np.cos(np.radians(latitude)), adjustable="datalim")
    ax.set(xticks=[], yticks=[])
