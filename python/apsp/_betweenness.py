"""Betweenness of vertices and edges."""

import numpy as np

from . import _apsp
from ._arrow import Table, named
from ._calls import door
from ._errors import UsageError
from ._options import limits_of, native_options
from ._progress import teller
from ._reading import as_graph
from ._rows import labelled

_SCALES = ("pairs", "normalized", "sums")


@door
def betweenness(graph, *, weight=..., within=None, unit="", sources=None, scale="pairs", endpoints=False,
                algorithm="auto", device="auto", threads=0, memory=None, progress=None, as_table=False):
    """Betweenness of all vertices: the share of shortest paths that pass through each (Freeman 1977).

    If a pair has several shortest paths, each counts for its share. Paths are equally long if their
    sums are equal. Sums of integers are exact. Real weights are added in float64 from the source on, as
    NetworkX does.

    Parameters
    ----------
    graph, weight : see `solve`
        Weights must be above 0. The lightest of parallel edges counts.
    within : float, str or sequence of these, optional
        Only paths of at most this length. Several limits are counted in one pass, and the result is [limits, n].
        Time depends on what is near.
    unit : str
        Of the weights, for `within`, see `within`.
    sources : sequence of vertices, optional
        Distinct. Only paths from these count: an estimate for all. Default: all vertices.
    scale : str
        "pairs": numbers of pairs. Each pair of an undirected graph counts once, and sums from some
        `sources` are scaled to all, as in NetworkX. "normalized": the share of the pairs that could pass
        through. "sums": unscaled sums over ordered pairs of a source and a vertex.
    endpoints : bool
        Whether a path counts for its first and last vertex too.
    algorithm : str
        The algorithm for distances, see `solve`. Real weights need "johnson".
    device : str
        The device for distances and path counts, see `solve`.
    threads, memory, progress : see `solve`
    as_table : bool
        Returns a `Table` with the columns vertex and betweenness.

    Returns
    -------
    array [n], float64
        Betweenness of each vertex. Bitwise equal for any number of threads and any device.

    Raises
    ------
    UsageError
        A weight is not above 0; there are more than 10^308 shortest paths between two vertices; or real
        weights differ so much that float64 loses one when it is added to a distance.

    Notes
    -----
    Brandes (2001). Pendant trees of an undirected graph need no searches (Baglioni 2012, Sarıyüce 2013).

    Examples
    --------
    >>> import apsp
    >>> roads = apsp.Graph.from_edges(list("ABC"), list("BCD"), [30, 20, 60], directed=False)
    >>> apsp.betweenness(roads).tolist()
    [0.0, 2.0, 2.0, 0.0]
    """
    graph, words = as_graph(graph, weight), None
    if within is not None:
        _refuse(algorithm, device)
        within, words = limits_of(within, unit)
        values = _near(graph, within, False, scale, endpoints, progress, sources=sources, threads=threads,
                       memory=memory)[0]
    else:
        values = _found(graph, False, unit, sources=sources, scale=scale, endpoints=endpoints, algorithm=algorithm,
                        device=device, threads=threads, memory=memory, progress=progress)[0]
    if not as_table:
        return values
    return Table({"vertex": named(graph.labels, range(graph.vertex_count)),
                  **_of_limits("betweenness", words, values)})


def _of_limits(title, words, values):
    """A column of each limit."""
    if np.ndim(values) == 1:
        return {title: values}
    return {f"{title} within {word}": each for word, each in zip(words, values)}


@door
def edge_betweenness(graph, *, weight=..., within=None, unit="", sources=None, scale="pairs", algorithm="auto",
                     device="auto", threads=0, memory=None, progress=None, as_table=False):
    """Betweenness of all edges: the share of shortest paths that use each (Anthonisse 1971).

    Parameters
    ----------
    graph, weight, within, unit, sources, scale, algorithm, device, threads, memory, progress : see `betweenness`
    as_table : bool
        Returns a `Table` with the columns from, to and betweenness.

    Returns
    -------
    tails, heads : arrays [edges], int64
        Numbers of the ends of each edge, sorted. An undirected edge appears once, from its smaller end.
        Loops are left out, and parallel edges count as one.
    values : array [edges], float64
        Betweenness of each edge.

    Raises
    ------
    UsageError
        See `betweenness`.

    Examples
    --------
    >>> import apsp
    >>> roads = apsp.Graph.from_edges(list("ABC"), list("BCD"), [30, 20, 60], directed=False)
    >>> tails, heads, values = apsp.edge_betweenness(roads)
    >>> tails.tolist(), heads.tolist(), values.tolist()
    ([0, 1, 2], [1, 2, 3], [3.0, 4.0, 3.0])
    """
    graph, words = as_graph(graph, weight), None
    if within is not None:
        _refuse(algorithm, device)
        within, words = limits_of(within, unit)
        found = _near(graph, within, True, scale, False, progress, sources=sources, threads=threads, memory=memory)[1:4]
    else:
        found = _found(graph, True, unit, sources=sources, scale=scale, endpoints=False, algorithm=algorithm, device=device,
                       threads=threads, memory=memory, progress=progress)[1:]
    if not as_table:
        return found
    tails, heads, values = found
    return Table({"from": named(graph.labels, tails), "to": named(graph.labels, heads),
                  **_of_limits("betweenness", words, values)})


@door
def closeness(graph, within, *, weight=..., unit="", sources=None, threads=0, memory=None, progress=None):
    """Closeness by the paths of at most a length: 1 / the mean distance to the vertices within it.

    Parameters
    ----------
    graph, weight, unit : see `betweenness`
    within : float, str or sequence of these
        The limits, all in one pass.
    sources : sequence of vertices, optional
        Distinct. Default: all vertices.
    threads, memory, progress : see `solve`

    Returns
    -------
    closeness, reached : arrays [sources], or [limits, sources] for a sequence, float64
        NaN where nothing is reached; the number of vertices within the limit, less the source.

    Raises
    ------
    UsageError
        A weight is not above 0, or a limit is negative.

    Examples
    --------
    >>> import apsp
    >>> roads = apsp.Graph.from_edges(list("ABC"), list("BCD"), [30, 20, 60], directed=False)
    >>> apsp.closeness(roads, 50)[1].tolist()
    [2.0, 2.0, 2.0, 0.0]
    """
    reached, distances = _near(as_graph(graph, weight), limits_of(within, unit)[0], False, "sums", False, progress, sources=sources,
                               threads=threads, memory=memory)[4:]
    return np.divide(reached, distances, out=np.full_like(reached, np.nan), where=distances > 0), reached


def _refuse(algorithm, device):
    if algorithm != "auto" or device not in ("auto", "cpu"):
        raise UsageError("algorithm and device have no effect on within, which searches on the CPU")


def _near(graph, within, arcs, scale, endpoints, progress, **options):
    if scale not in _SCALES:
        raise UsageError(f'scale is "pairs", "normalized" or "sums", not {scale!r}')
    graph._index.require_no_turns("betweenness")
    limits = np.atleast_1d(np.asarray(within, np.float64))
    with teller(progress) as tell, labelled(graph):
        found = _apsp.near_centrality(graph._native, limits, native_options(graph, options), _SCALES.index(scale),
                                      bool(endpoints), arcs, tell)
    shape = () if np.ndim(within) == 0 else (len(limits),)
    return [each if i in (1, 2) else each.reshape(*shape, len(each) // len(limits)) for i, each in enumerate(found)]


def _found(graph, arcs, unit, *, scale, endpoints, progress, **options):
    if scale not in _SCALES:
        raise UsageError(f'scale is "pairs", "normalized" or "sums", not {scale!r}')
    if unit:
        raise UsageError("unit is for within")
    graph._index.require_no_turns("betweenness")
    with teller(progress) as tell, labelled(graph):
        return _apsp.betweenness(graph._native, native_options(graph, options), _SCALES.index(scale),
                                 bool(endpoints), arcs, tell)
