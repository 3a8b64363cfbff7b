"""Betweenness of vertices and edges."""

from . import _apsp
from ._calls import door
from ._errors import UsageError
from ._options import native_options
from ._progress import teller
from ._reading import as_graph
from ._rows import labelled

_SCALES = ("pairs", "normalized", "sums")


@door
def betweenness(graph, *, weight=..., sources=None, scale="pairs", endpoints=False, algorithm="auto",
                device="auto", threads=0, memory=None, progress=None):
    """Betweenness of all vertices: the share of shortest paths that pass through each (Freeman 1977).

    If a pair has several shortest paths, each counts for its share. Paths are equally long if their
    sums are equal. Sums of integers are exact. Real weights are added in float64 from the source on, as
    NetworkX does.

    Parameters
    ----------
    graph, weight : see `solve`
        Weights must be above 0. The lightest of parallel edges counts.
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
    return _found(as_graph(graph, weight), False, sources=sources, scale=scale, endpoints=endpoints,
                  algorithm=algorithm, device=device, threads=threads, memory=memory,
                  progress=progress)[0]


@door
def edge_betweenness(graph, *, weight=..., sources=None, scale="pairs", algorithm="auto", device="auto",
                     threads=0, memory=None, progress=None):
    """Betweenness of all edges: the share of shortest paths that use each (Anthonisse 1971).

    Parameters
    ----------
    graph, weight, sources, scale, algorithm, device, threads, memory, progress : see `betweenness`

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
    return _found(as_graph(graph, weight), True, sources=sources, scale=scale, endpoints=False, algorithm=algorithm,
                  device=device, threads=threads, memory=memory, progress=progress)[1:]


def _found(graph, arcs, *, scale, endpoints, progress, **options):
    if scale not in _SCALES:
        raise UsageError(f'scale is "pairs", "normalized" or "sums", not {scale!r}')
    with teller(progress) as tell, labelled(graph):
        return _apsp.betweenness(graph._native, native_options(graph, options), _SCALES.index(scale),
                                 bool(endpoints), arcs, tell)
