"""What lies between: betweenness of vertices and edges."""

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
    """Betweenness of all vertices: the shares of shortest paths that pass through them.

    Where a pair has several equally long paths, each counts for its share. Two paths are equally
    long where their sums are equal: exactly for whole numbers; real weights are added up along each
    path from its source, and f64 rounds each sum, as NetworkX does.

    Parameters
    ----------
    graph, weight : as in `solve`
        Weights are above 0. Of parallel edges the lightest counts.
    sources : sequence of vertices, optional
        Only paths from these, distinct: an estimate for all. Default: all.
    scale : str
        "pairs": the number of pairs; each pair of an undirected graph counts once, and sums from
        some sources are scaled to all, as NetworkX scales them. "normalized": the share of the pairs that
        could pass through. "sums": sums over ordered pairs of a source and a vertex, unscaled.
    endpoints : bool
        Whether a path counts for its first and last vertex too.
    algorithm : str
        What finds distances, as in `solve`. Real weights take "johnson".
    device : str
        Where distances are found and paths are counted, as in `solve`.
    threads, memory, progress : as in `solve`

    Returns
    -------
    array [n], float64
        The same bits on any number of threads and on every device.

    Raises
    ------
    UsageError
        For a weight that is not above 0, more than 10^308 shortest paths between two vertices, or
        real weights so different that f64 loses one beside a distance.

    Notes
    -----
    Brandes (2001). Trees that hang from an undirected graph are counted without searches.

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
    """Betweenness of all edges: the shares of shortest paths that take them.

    Parameters
    ----------
    graph, weight, sources, scale, algorithm, device, threads, memory, progress : as in `betweenness`

    Returns
    -------
    tails, heads : arrays [edges], int64
        Numbers of the ends of each edge, by rising ends. An undirected edge is listed once, from its
        smaller end. Loops are left out, and parallel edges are one.
    values : array [edges], float64

    Raises
    ------
    UsageError
        As `betweenness`.

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
