"""Pairs within a distance, accessibility, k nearest facilities."""

import numpy as np

from . import _apsp
from ._calls import door, doors
from ._arrays import as_weights
from ._errors import UsageError
from ._frames import kind_of, vertices_of
from ._options import bytes_of
from ._progress import teller
from ._reading import as_graph
from ._rows import labelled


@door
def within(graph, distance, *, weight=..., sources=None, algorithm="auto", device="auto", threads=0,
           memory=None, progress=None):
    """All pairs of vertices within a distance, as a sparse matrix.

    Time and memory depend on the number of pairs found, not of all pairs.

    Parameters
    ----------
    graph, weight : see `solve`
        Weights must be at least 0.
    distance : float
        The greatest distance, in the unit of the weights.
    sources : sequence of vertices, optional
        Distinct. Only distances from these. Default: all vertices.
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
        begins, targets, distances = _apsp.within(graph._native, float(distance), rows,
                                                  _word(algorithm), device, threads,
                                                  _size(memory), tell)
    n = graph.vertex_count
    narrow = max(len(targets), n) < 2**31
    kind = np.int32 if narrow else np.int64
    indices = targets.view(np.int32) if narrow else targets.astype(np.int64)
    found = csr_array((distances, indices, begins.astype(kind)), shape=(len(begins) - 1, n))
    found.has_sorted_indices = True
    return found


@door
def verify(near, graph, distance, *, weight=..., sources=None, rows=0, seed=1, tolerance=None, progress=None):
    """Checks near pairs by their properties, without a search for them (docs/verification.md).

    Parameters
    ----------
    near : sparse array
        The result of `within`, shape (sources, n).
    graph, distance, sources : the arguments of `within`
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
    pairs = near.tocsr().sorted_indices()
    if pairs.shape[1] != graph.vertex_count:
        raise UsageError(f"pairs of {pairs.shape[1]:,} vertices and a graph of {graph.vertex_count:,}")
    as_numbers = [np.ascontiguousarray(numbers, dtype=np.int64) for numbers in (pairs.indptr, pairs.indices)]
    with teller(progress) as tell, labelled(graph):
        return _apsp.verify_near(*as_numbers, np.ascontiguousarray(pairs.data, dtype=np.float64), graph._native,
                                 float(distance), _numbers(graph, sources), rows, seed, tolerance, tell)


@door
def access(graph, quantities, within, *, weight=..., decay=None, sources=None, algorithm="auto", threads=0,
           memory=None, progress=None):
    """Accessibility: the sum of quantities that can be reached from each vertex (cumulative opportunities).

    Parameters
    ----------
    graph, weight : see `solve`
        Weights must be at least 0.
    quantities : array [n] or [n, columns], mapping of vertices to numbers, Series or DataFrame of pandas
        For example the jobs at each vertex. The index of a Series or DataFrame holds vertices. Vertices that
        are left out count as 0.
    within : float or sequence of floats
        The greatest distances, in the unit of the weights; there is one sum for each.
    decay : "linear", ("exp", scale) or None
        Factor of a quantity at distance d: 1 − d / limit, exp(−d / scale), or 1.
    sources, algorithm, threads, memory, progress : see `within`

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
    graph = as_graph(graph, weight)
    _require_not_negative(graph)
    rows = _numbers(graph, sources)
    with teller(progress) as tell, labelled(graph):
        return _sums(graph, quantities, within, decay, lambda *asked: _apsp.access(
            graph._native, *asked, rows, _word(algorithm), threads, _size(memory), tell))


@doors
class Reach:
    """What is within a distance of each vertex, kept: sums of other quantities need no search.

    Parameters
    ----------
    graph, distance, sources, weight, algorithm, threads, memory, progress : see `within`
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

    def __init__(self, graph, distance, *, weight=..., sources=None, distances=True, algorithm="auto", threads=0,
                 memory=None, progress=None):
        self._graph = graph = as_graph(graph, weight)
        _require_not_negative(graph)
        self.distance = float(distance)
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
        within : float or sequence of floats, optional
            At most the distance of this. Default: that distance.

        Raises
        ------
        UsageError
            The number of quantities is wrong, `within` is larger, or distances are needed and were not kept.
        """
        return _sums(self._graph, quantities, self.distance if within is None else within, decay, self._native.sums)

    def count(self, within=None):
        """The number of vertices within a distance of each source, itself included. `within`: see `sum`."""
        return self.sum(np.ones(self._graph.vertex_count), within)


@door
def nearest(graph, places, k=1, *, weight=..., towards="places", memory=None, progress=None):
    """The k nearest facilities of every vertex.

    Parameters
    ----------
    graph, weight : see `solve`
        Weights must be at least 0.
    places : sequence of vertices
        The facilities. Equally distant ones are returned in this order.
    k : int
        Number of facilities for each vertex.
    towards : "places" or "vertices"
        Direction of paths: from each vertex to a facility, or from a facility to each vertex.
    memory, progress : see `within`

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
    graph = as_graph(graph, weight)
    _require_not_negative(graph)
    numbers = np.array([graph._index(place) for place in vertices_of(places, "places")], dtype=np.int64)
    with teller(progress) as tell, labelled(graph):
        indices, distances = _apsp.nearest(graph._native, numbers, k, towards == "places",
                                            _size(memory), tell)
    return indices.reshape(-1, k), distances.reshape(-1, k)


def _sums(graph, quantities, within, decay, find):
    limits = np.atleast_1d(np.asarray(within, dtype=np.float64))
    columns = _columns(graph, quantities)
    sums = find(np.ascontiguousarray(columns.T).ravel(), limits, *_decay(decay))
    sums = sums.reshape(-1, len(limits), columns.shape[1])
    if np.ndim(quantities) != 2:
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
    listed = [] if sources is None else graph._index.all(sources, "sources")
    return np.asarray(listed, dtype=np.int64)


def _columns(graph, quantities):
    """Quantities as float64 [n, columns]."""
    if kind_of(quantities) == ("pandas", "DataFrame"):
        return np.hstack([np.zeros((graph.vertex_count, 0)),
                          *(_columns(graph, quantities.iloc[:, i]) for i in range(quantities.shape[1]))])
    if hasattr(quantities, "items"):  # a mapping, or a pandas Series, in which a vertex may occur twice
        vertices, values = list(zip(*quantities.items())) or ((), ())
        column = np.zeros(graph.vertex_count)
        numbers = [graph._index(vertex) for vertex in vertices]
        np.add.at(column, numbers, as_weights(list(values), len(values), "quantities",
                                              lambda i: f"the quantity of vertex {vertices[i]!r}"))
        return column[:, None]
    columns = np.asarray(quantities, dtype=np.float64)
    if columns.ndim not in (1, 2) or len(columns) != graph.vertex_count:
        raise UsageError(f"quantities are [n] or [n, columns] for {graph.vertex_count:,} vertices, "
                         f"not of shape {columns.shape}")
    return columns.reshape(len(columns), -1)


def _decay(decay):
    if decay is None:
        return "none", 1.0
    if decay == "linear":
        return "linear", 1.0
    if isinstance(decay, tuple) and len(decay) == 2 and decay[0] == "exp":
        return "exp", float(decay[1])
    raise UsageError(f'decay is None, "linear" or ("exp", scale), not {decay!r}')
