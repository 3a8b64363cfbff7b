"""Graphs from edges, matrices, tables and other libraries."""

import os

import numpy as np

from . import _apsp, _edge_tables, _frames, _labels, _networks
from ._arrays import LARGEST, as_labels, as_numpy, as_weights, missing_at, require_exact
from ._calls import doors
from ._errors import UsageError, WrongTypeError, worded
from ._labels import counted
from ._progress import teller
from ._sparse import entries_of

_TYPES = (np.float32, np.float64)  # of matrices that are not converted


@doors
class Graph:
    """An immutable weighted graph; copies share its memory.

    Create it by the class methods below, by `apsp.read`, or by `apsp.generate`. Vertices have labels:
    integers from 0 by default. Parallel edges are kept, and the best one counts. An undirected edge
    leads both ways.

    Examples
    --------
    >>> import apsp
    >>> roads = apsp.Graph.from_edges(["Aachen", "Bonn"], ["Bonn", "Cologne"], [90, 30],
    ...                               directed=False)
    >>> roads
    <apsp.Graph: 3 vertices, 2 edges, undirected>
    >>> roads.labels
    ['Aachen', 'Bonn', 'Cologne']
    """

    __slots__ = ("_native", "_index", "__weakref__")

    def __init__(self, *_):
        raise WrongTypeError("a graph comes from apsp.read, apsp.generate or apsp.Graph.from_…")

    @classmethod
    def _of(cls, native, labels=None):
        graph = object.__new__(cls)
        turns = native.turn_states()
        if labels is None:
            names, n = native.labels(), native.vertex_count if turns is None else len(turns[0])
            labels = _labels.of_file(names[:n], native.first_id, n)
            labels = labels if turns is None else [*labels, *names[n:]]
        graph._native = native
        graph._index = _labels.Index(labels, *(turns or ()))
        return graph

    @classmethod
    def from_edges(cls, sources, targets, weights=None, *, n=None, directed=True, labels=None):
        """A graph of edges sources[i] → targets[i].

        Parameters
        ----------
        sources, targets : array_like, shape (m,)
            The ends of edges. If `n` or `labels` is given, they are numbers from 0. Otherwise they are labels
            of any kind, and the vertices are those that occur: integers (also as floats, 2.0) in rising
            order, other labels in order of appearance. DLPack arrays are not copied.
        weights : array_like of real numbers, shape (m,), optional
            Default: 1 each.
        n : int, optional
            Number of vertices.
        directed : bool
            Whether edges have one direction.
        labels : sequence of n distinct objects, optional
            Names of the vertices 0 to n − 1.

        Raises
        ------
        UsageError
            An end is missing (None, NaN) or is no vertex, a weight is not a finite number, arrays differ in
            length, or an array is on a GPU.

        Examples
        --------
        >>> import apsp
        >>> apsp.Graph.from_edges([10, 20], [20, 99], [1.5, 2]).labels
        [10, 20, 99]
        >>> apsp.Graph.from_edges([0, 1], [1, 2], n=4)
        <apsp.Graph: 4 vertices, 2 edges, directed>
        """
        sources, targets = as_labels(sources, "sources"), as_labels(targets, "targets")
        for ends, what in ((sources, "sources"), (targets, "targets")):
            if (missing := missing_at(ends) if ends.ndim == 1 else None) is not None:
                raise UsageError(f"{what}[{missing}] is {ends[missing]}, and both ends of an edge are vertices")
        if sources.ndim != 1 or sources.shape != targets.shape:
            raise UsageError(f"sources and targets of edges have the shapes {sources.shape} and "
                             f"{targets.shape}: give each edge one of both")
        weights = as_weights(weights, len(sources), truth=False)
        if n is None and labels is None:
            labels, sources, targets = _labels.number_ends(sources, targets)
        else:
            labels = _vertices(n, labels)
            sources, targets = _numbers(sources), _numbers(targets)
        names, first = _labels.for_native(labels)
        native = _apsp.graph_from_edges(sources, targets, weights, len(labels), directed, names,
                                        first)
        return cls._of(native, labels)

    @classmethod
    def from_numpy(cls, matrix, *, directed=True, labels=None, no_edge=None, copy=True):
        """A graph from a dense matrix: the entry [i, j] is the weight of i → j.

        Parameters
        ----------
        matrix : array_like, shape (n, n)
            NaN, infinities and masked entries are no edges. 0 is an edge of length 0 (use ``no_edge=0`` for
            SciPy's dense matrices, in which it means "no edge"). In int32 and uint16, 2³⁰ − 1 and 2¹⁵ − 1 are no
            edges, as in distances. A boolean True is an edge of weight 1, and
            False is no edge. float32 and float64 stay, other types become float64. The columns of a pandas
            DataFrame are matched to its rows by name, and the names are the labels.
        directed : bool
            False: the matrix must be symmetric.
        labels : sequence of n distinct objects, optional
            Names of the vertices.
        no_edge : float, optional
            Another value that means "no edge".
        copy : bool
            False: a contiguous float32 or float64 array without NaN is used without a copy. It must
            not change during the life of the graph. Other arrays are copied nevertheless.

        Raises
        ------
        UsageError
            The matrix is not square or not of real numbers, holds an integer beyond 2^53, or is on a GPU.

        Examples
        --------
        >>> import apsp
        >>> import numpy as np
        >>> apsp.Graph.from_numpy(np.array([[0, 2.5], [np.inf, 0]]))
        <apsp.Graph: 2 vertices, 1 edge, directed>
        """
        if _frames.kind_of(matrix) == ("pandas", "DataFrame"):
            matrix, names = _frames.matrix_of_pandas(matrix, labels)
            labels = names if labels is None else labels
        missing = np.ma.getmaskarray(matrix) if isinstance(matrix, np.ma.MaskedArray) else None
        values = as_numpy(matrix, "weights") if missing is None else matrix.data
        if values.ndim != 2 or values.shape[0] != values.shape[1]:
            raise UsageError(f"a matrix of the shape {values.shape} is not a square matrix")
        if values.dtype.kind == "O":
            values = as_weights(values.ravel(), values.size).reshape(values.shape)
        if values.dtype.kind not in "biuf":
            raise UsageError(f"weights are real numbers, not {values.dtype}")
        if no_edge is not None:
            missing = _either(missing, values == no_edge)
        missing, remarks = _without_marks(values, missing)
        if values.dtype.kind == "b":
            missing = _either(missing, ~values)
        if values.dtype not in _TYPES or not values.dtype.isnative:
            if missing is not None:  # values of missing entries need not be exact
                values = np.where(missing, values.dtype.type(0), values)
            require_exact(values, "weights")
            values = values.astype(np.float64)
        if missing is not None:
            values = np.where(missing, values.dtype.type(np.inf), values)
        by_columns = values.flags.f_contiguous and not values.flags.c_contiguous
        values = np.require(values.T if by_columns else values, requirements=("C", "A"))
        labels = _vertices(len(values), labels)
        names, first = _labels.for_native(labels)
        native = _apsp.graph_from_matrix(values, by_columns, copy, directed, names, first)
        graph = cls._of(native, labels)
        return graph._remarked(remarks + _remark_on_least(graph))

    @classmethod
    def from_scipy(cls, matrix, *, directed=True, labels=None):
        """A graph from a SciPy sparse array or matrix: a stored entry [i, j] is the edge i → j.

        Sparse arrays of CuPy, PyTorch and JAX are accepted too; those on a GPU are copied. If `directed` is
        False, every entry is an edge in both directions.

        A stored 0 is an edge of length 0, except in the formats "bsr" and "dia", whose zeros fill blocks
        and diagonals. Duplicate entries of a "coo" are added up, as SciPy does. In other formats they are
        parallel edges.

        Raises
        ------
        UsageError
            The argument is no square sparse array, its parts are inconsistent, or weights are no numbers.

        Examples
        --------
        >>> import apsp
        >>> import scipy.sparse
        >>> apsp.Graph.from_scipy(scipy.sparse.csr_array([[0, 3], [0, 0]]))
        <apsp.Graph: 2 vertices, 1 edge, directed>
        """
        n, sources, targets, weights, remarks = entries_of(matrix)
        graph = cls.from_edges(sources, targets, weights, n=n, labels=labels)
        if not directed and graph._native.symmetric:
            graph = cls._of(graph._native.as_undirected(), graph.labels)
        elif not directed:
            graph = cls.from_edges(sources, targets, weights, n=n, labels=labels, directed=False)
        return graph._remarked(remarks)

    @classmethod
    def from_pandas(cls, table, source=None, target=None, weight=..., *, directed=None, oneway=None,
                    reverse_cost=None, ids=None):
        """A graph from a table with one row per edge, or a square table with equal names of rows and columns.

        Parameters
        ----------
        table : DataFrame of pandas, or any argument of `from_arrow`
        source, target : titles of columns, optional
            Default: columns with known titles (source and target, from and to, u and v, …), else the first two.
        weight : title of a column, or None
            None: every edge has the weight 1. Default: "weight", or the only other column. ``facts["remarks"]``
            tells what was assumed.
        directed : bool, optional
            Whether a row is an edge in one direction. Default: both directions.
        oneway : title of a column, optional
            True, yes, 1: one direction; -1: only from target to source; False, no, 0 or missing: both directions.
        reverse_cost : title of a column, optional
            Weights from target to source. A negative value of this column or the weights means no edge.
        ids : "number" or "text", optional
            How to read vertices such as 7 and "007". Default: an error if both occur.

        Raises
        ------
        UsageError
            A column is missing or ambiguous, a value is missing, or an end or weight can be read in two ways.

        Examples
        --------
        >>> import apsp
        >>> import pandas
        >>> table = pandas.DataFrame({"from": ["a", "b"], "to": ["b", "c"], "minutes": [3, 4]})
        >>> apsp.Graph.from_pandas(table)
        <apsp.Graph: 3 vertices, 2 edges, undirected>
        >>> apsp.Graph.from_pandas(table, "from", "to", "minutes", directed=True)
        <apsp.Graph: 3 vertices, 2 edges, directed>
        """
        table = _frames.table_of(table)
        ways = _edge_tables.Ways(directed, oneway, reverse_cost)
        if source is None and target is None and weight is ... and (square := _frames.square_of(table)):
            return cls._of_square(*square, ways)
        edges = _edge_tables.edges_of(table, source, target, weight, ways, ids)
        names, first = _labels.for_native(edges.labels)
        native = _apsp.graph_from_edges(edges.sources, edges.targets, edges.weights, len(edges.labels), edges.directed,
                                        names, first)
        return cls._of(native, edges.labels)._remarked(edges.remarks)

    @classmethod
    def from_arrow(cls, table, source=None, target=None, weight=..., *, directed=None, oneway=None,
                   reverse_cost=None, ids=None):
        """The same from a table of Arrow or polars, or an object with ``__arrow_c_stream__``. See `from_pandas`."""
        return cls.from_pandas(table, source, target, weight, directed=directed, oneway=oneway,
                               reverse_cost=reverse_cost, ids=ids)

    @classmethod
    def _of_square(cls, values, labels, ways):
        """A graph from a square table in which 0 is no edge."""
        if ways.oneway is not None or ways.reverse_cost is not None:
            raise UsageError("oneway= and reverse_cost= are for tables with a row an edge, and this one is a matrix")
        zeros = int(np.count_nonzero(np.ma.filled(values == 0, False) & ~np.eye(len(values), dtype=bool)))
        if values.dtype.kind == "f":
            values = np.ma.filled(np.ma.masked_invalid(values), 0)
        above, below = np.count_nonzero(np.triu(values, 1)), np.count_nonzero(np.tril(values, -1))
        minus = int(np.count_nonzero(values == -1))
        if minus and np.count_nonzero(values < 0) == minus:
            raise UsageError(f"entries of -1 ({minus}) are no edges, or edges of weight -1: replace(-1, 0) makes them no "
                             "edges, and apsp.Graph.from_numpy(table, no_edge=0) takes them as weights")
        half = bool(above) != bool(below)
        if half and ways.directed is None and above + below == len(values) * (len(values) - 1) // 2 > 1:
            raise UsageError("one side of the diagonal is full and the other empty: half of a symmetric matrix "
                             "(directed=False), or edges of one direction (directed=True)")
        if half and ways.directed is False:
            values = np.where(values == 0, values.T, values)
        symmetric = ways.directed is None and bool((values == values.T).all())
        graph = cls.from_numpy(values, directed=not symmetric if ways.directed is None else ways.directed,
                               labels=labels, no_edge=0)
        remark = "read as a matrix" + (f" in which 0 is no edge ({counted(zeros, 'pair', 'pairs')}): "
                                       "apsp.Graph.from_numpy takes it for an edge of length 0" if zeros else "")
        if half and ways.directed is None:
            remark += "; all edges are on one side of the diagonal, and lead one way (directed=False: both ways)"
        return graph._remarked([remark])

    @classmethod
    def from_networkx(cls, graph, weight=...):
        """A graph from NetworkX: its nodes are the labels, in their order.

        Parameters
        ----------
        graph : Graph, DiGraph, MultiGraph or MultiDiGraph
        weight : attribute of edges, function, or None
            None: every edge has the weight 1. A function is called as in NetworkX, f(u, v, data); if it
            returns None, the edge is left out. Default: "weight", or 1 if no edge has attributes. Edges
            without the attribute have the weight 1, and ``facts["remarks"]`` counts them.

        Raises
        ------
        UsageError
            No edge has the attribute, a value is not a real number, or `weight` is not given and edges have
            attributes but no "weight".

        Examples
        --------
        >>> import apsp
        >>> import networkx
        >>> apsp.Graph.from_networkx(networkx.path_graph(5))
        <apsp.Graph: 5 vertices, 4 edges, undirected>
        """
        sources, targets, weights, nodes, directed, remarks = _networks.edges_of_networkx(graph, weight)
        return cls.from_edges(sources, targets, weights, n=len(nodes), labels=nodes,
                              directed=directed)._remarked(remarks)

    @classmethod
    def from_igraph(cls, graph, weights=...):
        """A graph from python-igraph. Labels are the attribute "name" if all differ, else numbers.

        Parameters
        ----------
        graph : igraph.Graph
        weights : attribute of edges, list [m], or None
            None: every edge has the weight 1. Default: see `from_networkx`.

        Raises
        ------
        UsageError
            See `from_networkx`.

        Examples
        --------
        >>> import apsp
        >>> import igraph
        >>> apsp.Graph.from_igraph(igraph.Graph.Ring(6))
        <apsp.Graph: 6 vertices, 6 edges, undirected>
        """
        sources, targets, weights, names, remarks = _networks.edges_of_igraph(graph, weights)
        return cls.from_edges(sources, targets, weights, n=graph.vcount(), labels=names,
                              directed=graph.is_directed())._remarked(remarks)

    def _remarked(self, remarks):
        """Adds remarks to the facts of this graph and returns it."""
        for remark in remarks:
            self._native = self._native.with_remark(remark)
        return self

    # Properties.

    @property
    def labels(self):
        """Labels of the vertices: a range of integers, or a list [n]."""
        return self._index.labels

    @property
    def vertex_count(self):
        return self._native.vertex_count

    @property
    def directed(self):
        return self._native.directed

    @property
    def facts(self):
        """Vertices, edges, weights and bytes as plain values, with the keys of ``apsp --json``."""
        facts = self._native.describe()
        facts["remarks"] = [worded(remark) for remark in facts["remarks"]]
        return facts

    def index(self, label):
        """The number of a vertex, from 0; it is the index of its row of distances."""
        return self._index(label)

    def __len__(self):
        return self._native.vertex_count

    def __contains__(self, label):
        try:
            self._index(label)
        except UsageError:
            return False
        return True

    def __repr__(self):
        facts = self.facts
        direction = "directed" if facts["directed"] else "undirected"
        vertices = counted(facts["vertices"], "vertex", "vertices")
        return f"<apsp.Graph: {vertices}, {counted(facts['edges'], 'edge', 'edges')}, {direction}>"

    def __eq__(self, other):
        if not isinstance(other, Graph):
            return NotImplemented
        return self._native.digest() == other._native.digest() and self.labels == other.labels

    def __hash__(self):
        return hash(self._native.digest())

    # The same graph with other weights.

    def edges(self):
        """(sources, targets, weights) [m] each: numbers of vertices from 0, and float64.

        Edges are sorted by source. An undirected edge appears once, from its smaller end.

        Examples
        --------
        >>> import apsp
        >>> apsp.Graph.from_edges([2, 0], [1, 1], [5, 3], n=3, directed=False).edges()[2]
        array([3., 5.])
        """
        return self._edges(np.asarray(self._native.rows()[2]))

    def _edges(self, weights):
        """The edges with `weights` [arcs] of the arcs."""
        offsets, targets = (np.asarray(part) for part in self._native.rows()[:2])
        sources = np.repeat(np.arange(len(self)), np.diff(offsets))
        targets = targets.astype(np.int64)
        if not self.directed:
            once = sources <= targets  # a loop is in one row, another edge in two
            sources, targets, weights = sources[once], targets[once], weights[once]
        return sources, targets, weights.copy()

    def with_weights(self, weights):
        """A graph of the same edges with other weights.

        Parameters
        ----------
        weights : array_like of real numbers, shape (m,)
            In the order of `edges`. Infinity removes an edge.

        Raises
        ------
        UsageError
            The number of weights is wrong, or one is not a number.

        Examples
        --------
        >>> import apsp
        >>> path = apsp.Graph.from_edges([0, 1], [1, 2], directed=False)
        >>> path.with_weights([5, float("inf")])
        <apsp.Graph: 3 vertices, 1 edge, undirected>
        """
        weights = as_weights(weights, self.facts["edges"], truth=False)
        return Graph._of(self._native.with_weights(weights), self.labels)

    def with_lengths(self, formula):
        """A graph whose weights w, strengths such as correlations, become lengths of its edges.

        Parameters
        ----------
        formula : str
            An expression with numbers, ``w``, ``+ - * / ^``, parentheses, ``sqrt``, ``log`` (natural), ``exp``
            and ``abs``; or "inverse" (``1/w``, Newman 2001), "log" (``-log(w)``) or "one-minus" (``1-w``), which
            take strengths above 0. ``facts["remarks"]`` names it.

        Raises
        ------
        UsageError
            The formula is malformed; or a length is not finite or below 0. The message names the edge.

        Examples
        --------
        >>> import apsp
        >>> contacts = apsp.Graph.from_edges([0, 1], [1, 2], [4, 2], directed=False)
        >>> apsp.solve(contacts.with_lengths("inverse")).distance(0, 2)
        0.75
        >>> apsp.solve(contacts.with_lengths("2 / w^2")).distance(0, 2)
        0.625
        """
        return Graph._of(self._native.with_lengths(formula), self.labels)

    def with_changes(self, changes):
        """A graph with some edges changed.

        Parameters
        ----------
        changes : sequence of (source, target, weight), or a table
            Each sets, adds or (infinity) removes an edge. (source, target, weight, old weight) selects one of
            parallel edges. If an edge has several changes without old weights, the last counts.

        Raises
        ------
        UsageError
            An end is no vertex, an edge to remove does not exist, a weight is not a number, parallel edges
            have no old weight, or no edge has the old weight.

        Examples
        --------
        >>> import apsp
        >>> path = apsp.Graph.from_edges([0, 1], [1, 2], directed=False)
        >>> path.with_changes([(0, 1, 7), (0, 2, 9)])
        <apsp.Graph: 3 vertices, 3 edges, undirected>
        >>> streets = apsp.Graph.from_edges([0, 0], [1, 1], [10, 20])
        >>> streets.with_changes([(0, 1, float("inf"), 10)]).edges()[2]
        array([20.])
        """
        sources, targets, weights, old = changes_of(changes)
        number = lambda ends: np.array([self._index(end) for end in ends], np.int64)
        return Graph._of(
            self._native.with_changes(number(sources), number(targets), weights, old), self.labels)

    def with_turns(self, turns=(), *, u_turns=None, angles=(), positions=None):
        """A graph whose paths pay for turns: a graph of states, which `solve` and the others take as it is.

        Its first vertices are those of this graph. Distances, tables and paths are between them. Another vertex is
        where paths to a vertex end, or the state of arriving at it from another one (docs/cli.md#turns).

        Parameters
        ----------
        turns : table with the columns from, via, to and cost, or sequence of such tuples
            Costs of turns in the unit of the weights, at least 0. Infinity forbids a turn.
        u_turns : float or "forbid", optional
            The cost of turning round. "forbid": only where no other edge leads on.
        angles : sequence of (angle, cost)
            The cost of turns by at least `angle` degrees: above 0 to the left, below 0 to the right. The
            furthest angle that a turn reaches counts.
        positions : array [n, 2] of x and y, or of longitude and latitude in degrees, optional
            For `angles`. Values that may be longitudes and latitudes are taken for them.

        Raises
        ------
        UsageError
            An edge of a turn does not exist, a turn has two costs, or a cost is below 0.

        Notes
        -----
        Caldwell (1961). Edges that enter a vertex and share all costs of their turns share a state.

        Examples
        --------
        >>> import apsp
        >>> roads = apsp.Graph.from_edges(list("ABBD"), list("BCDC"), [5, 5, 1, 1], directed=False)
        >>> turned = roads.with_turns([("A", "B", "C", float("inf")), ("A", "B", "D", 2)])
        >>> result = apsp.solve(turned, keep="factor")
        >>> result.distance("A", "C"), result.path("A", "C")
        (9.0, ['A', 'B', 'D', 'C'])
        """
        if _frames.is_table(turns):
            turns = zip(*_edge_tables.turns_of(_frames.table_of(turns)))
        turns = list(turns)
        if any(len(turn) != 4 for turn in turns):
            raise UsageError("a turn is (from, via, to, cost)")
        ends = np.array([self._index(v) for turn in turns for v in turn[:3]], np.int64)
        costs = as_weights([turn[3] for turn in turns], len(turns), "costs of turns")
        angles = np.asarray(list(angles), np.float64).reshape(-1, 2)
        positions = np.zeros((0, 2)) if positions is None else np.asarray(positions, np.float64).reshape(-1, 2)
        if u_turns == "forbid":
            u_turns = float("inf")
        native = self._native.with_turns(ends, costs, u_turns, angles.ravel(), positions.ravel())
        states = native.labels() if native.vertex_count > len(self) else []
        return Graph._of(native, [*self.labels, *states[len(self):]] if states else self.labels)

    # Export.

    def to_scipy(self):
        """A scipy.sparse.csr_array [n, n] of all arcs; parallel arcs are adjacent entries."""
        from scipy.sparse import csr_array

        offsets, targets, weights = self._native.rows()
        # SciPy's solvers need 32-bit indices if they suffice.
        width = np.int32 if len(targets) < 2**31 else np.int64
        return csr_array((weights.copy(), targets.astype(width), offsets.astype(width)),
                         shape=(len(self), len(self)))

    def save(self, path, format=None, *, progress=None):
        """Writes a file, completely or not at all. `format`: by default, by the suffix.

        Raises
        ------
        InputOutputError
            The file cannot be written.
        """
        with teller(progress) as tell:
            self._native.write(os.fspath(path), format, tell)

    def __reduce__(self):
        in_order = self._native.knows_given_order()
        weights = np.asarray(self._native.given_weights() if in_order else self._native.rows()[2])
        return _rebuilt, (*self._edges(weights), self.labels, self.directed, in_order)


def columns_of(edges):
    """(sources, targets, weights) from a sequence of (source, target, weight)."""
    edges = list(edges)
    if any(len(edge) != 3 for edge in edges):
        raise UsageError("an edge is (source, target, weight)")
    sources, targets, weights = zip(*edges) if edges else ((), (), ())
    return sources, targets, as_weights(list(weights), len(edges), truth=False)


def changes_of(changes):
    """(sources, targets, weights, old weights) from a sequence of (source, target, weight) or (source,
    target, weight, old weight), or from a table. An old weight that is not given is NaN."""
    if _frames.is_table(changes):
        return _edge_tables.changes_of(_frames.table_of(changes))
    changes = list(changes)
    if any(len(change) not in (3, 4) for change in changes):
        raise UsageError("a change is (source, target, weight) or (source, target, weight, old weight)")
    sources, targets, weights = columns_of(change[:3] for change in changes)
    old = [np.nan if len(change) == 3 or change[3] is None else change[3] for change in changes]
    return sources, targets, weights, as_weights(old, len(changes))


def _remark_on_least(graph):
    """[remark] if every pair is an edge, and the least weight is 0 or −1, which often mean no edge; else []."""
    n, facts = len(graph), graph.facts
    least = facts["weights"]["least"]
    if least not in (0, -1) or n < 2 or facts["arcs"] - facts["loops"] < n * (n - 1):
        return []
    return [f"entries of {least:g} are edges of that weight: no_edge={least:g} makes them no edges"]


def _without_marks(values, missing):
    """(missing, remarks): "no path" of distances in int32 and uint16 is missing, too. Greatest integers are edges."""
    remarks = []
    if values.dtype.kind not in "iu":
        return missing, remarks
    no_path = LARGEST.get(values.dtype.name)
    if no_path is not None and (marked := values == no_path).any():
        missing = _either(missing, marked)
        remarks.append(f"entries of {no_path:,} are no edges, as in distances of {values.dtype}: astype(float) makes "
                       "them edges")
    greatest = np.iinfo(values.dtype).max
    if ((values == greatest) if missing is None else (values == greatest) & ~missing).any():
        remarks.append(f"entries of {greatest:,}, the greatest value of {values.dtype}, are edges of that weight: "
                       f"no_edge={greatest} makes them no edges")
    return missing, remarks


def _either(missing, also):
    return also if missing is None else missing | also


def _rebuilt(sources, targets, weights, labels, directed, in_order=False):
    labels = _vertices(None, labels)
    names, first = _labels.for_native(labels)
    native = _apsp.graph_from_edges(sources, targets, weights, len(labels), directed, names, first, in_order)
    return Graph._of(native, labels)


def _vertices(n, labels):
    if labels is None:
        return range(int(n))
    if not (isinstance(labels, range) and labels.step == 1 and labels.start >= 0):
        array = hasattr(labels, "dtype") or hasattr(labels, "to_pylist")
        labels = as_labels(labels if array else list(labels), "labels").tolist()
    if n is not None and len(labels) != n:
        raise UsageError(f"{counted(len(labels), 'label', 'labels')} for "
                         + counted(n, "vertex", "vertices"))
    return labels if isinstance(labels, range) else _labels.shortest(labels)


def _numbers(ends):
    if ends.dtype.kind not in "iu" and len(ends):
        raise UsageError(f"with n or labels, ends of edges are numbers from 0, not {ends.dtype}")
    return np.ascontiguousarray(ends, dtype=np.int64)
