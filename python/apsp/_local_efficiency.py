"""Local efficiency."""

from . import _apsp
from ._calls import door
from ._options import bytes_of
from ._progress import teller
from ._reading import as_graph
from ._rows import labelled


@door
def local_efficiency(graph, *, weighted=False, weight=..., lengths=None, threads=0, memory=None, progress=None):
    """The local efficiency of every vertex of an undirected graph. The graph's is their mean.

    That of a vertex with k neighbours is the mean of 1 / d over the k (k − 1) pairs of neighbours. d is
    their distance in the subgraph of the neighbours. Vertices with less than two neighbours have 0.

    Parameters
    ----------
    graph, weight, lengths : see `solve`
    weighted : bool
        False: every edge counts as 1. True: d adds up cube roots of lengths, which must be above 0, and 1 / d
        is divided by those of the edges to both neighbours. With ``lengths="inverse"`` of strengths this is
        ``efficiency_wei(W, local=True)`` of bctpy, the Brain Connectivity Toolbox.
    threads, memory, progress : see `solve`

    Returns
    -------
    array [n], float64
        Of parallel edges the shortest counts. A loop makes a vertex its own neighbour, as in NetworkX.

    Raises
    ------
    UsageError
        The graph is directed; or, if `weighted`, a length is not above 0.

    Notes
    -----
    Latora and Marchiori (2001); weighted: Wang et al. (2017). It takes the sum over all vertices of k
    times the number of edges between neighbours.

    Examples
    --------
    >>> import apsp
    >>> triangle_and_tail = apsp.Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3], directed=False)
    >>> apsp.local_efficiency(triangle_and_tail).round(3).tolist()
    [1.0, 1.0, 0.333, 0.0]
    """
    graph = as_graph(graph, weight, lengths=lengths)
    with teller(progress) as tell, labelled(graph):
        return _apsp.local_efficiency(graph._native, bool(weighted), threads,
                                      0 if memory is None else bytes_of(memory, "memory"), tell)
