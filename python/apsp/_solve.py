"""Solve a graph, plan it, or take its rows as they come."""

import os

from . import _apsp, _held
from ._calls import door
from ._errors import UsageError, worded
from ._graph import Graph
from ._options import native_options, require_apart
from ._progress import teller
from ._reading import as_graph
from ._result import Plan, Result
from ._rows import labelled, stream_of


@door
def solve(graph, *, weight=..., sources=None, targets=None, algorithm="auto", semiring="min-plus",
          value_type="auto", tolerance=None, device="auto", keep="auto", stored=None, output=None,
          compress=False, predecessors=False, via=False, hops=False, statistics=True, memory=None,
          device_memory=None, disk=None, threads=0, resume=False, overwrite=False, progress=None):
    """All-pairs best paths of a graph.

    Parameters
    ----------
    graph : Graph, or what one can be made of
        A path or an open file, a SciPy sparse array, a dense NumPy matrix, a NetworkX or igraph graph, a
        table of pandas, polars or Arrow, or a result, whose graph is meant.
    weight : str, function or None
        What holds the weights of a graph of NetworkX or igraph, or of a table: an attribute or column, of
        NetworkX also a function f(u, v, data). None: every edge has the weight 1. Default: "weight", or the
        only other column of a table. An attribute or column that is not there is an error.
    sources, targets : sequence of vertices, optional
        Distances from these vertices alone, and to these alone; distinct. Default: all.
    algorithm : str
        "auto", "floyd-warshall", "nested-dissection", "boundary", "johnson" or "bfs".
    semiring : str
        "min-plus" (shortest), "max-min" (widest), "min-max", "max-plus" (longest, without
        cycles) or "or-and" (reachability).
    value_type : str or dtype
        "auto": the narrowest that holds every distance of integers; of real weights float32 or,
        beyond `tolerance`, float64. "f32", "f64", "i32", "u16".
    tolerance : float, optional
        How far off float32 may be for "auto" to take it, relative to the distance. Default: 1e-5.
    device : str
        "auto", "cpu", "cuda", "cuda:N", "cuda:N,M" (both together) or "cuda:all".
    keep : str
        What the result holds: "auto", "matrix", "factor" or "statistics".
    stored : str, optional
        What `output` holds: "matrix" or "factor".
    output : path, optional
        "x.zarr" or "x.npy", which appears when it is complete.
    compress : bool
        Compress every chunk of a .zarr with zstd.
    predecessors, via, hops : bool
        More planes to keep, of all pairs.
    statistics : bool
        Whether they are gathered on the way.
    memory, device_memory, disk : int or str, optional
        Bytes that may be taken, such as "8GiB". Default: what is free.
    threads : int
        0: all.
    resume, overwrite : bool
        Go on from what an earlier run left beside `output`; or remove it and begin anew.
    progress : bool or callable, optional
        True: a bar (tqdm's where it is installed). A function is called some ten times a second
        with (task, done, total, unit).

    Returns
    -------
    Result

    Raises
    ------
    UsageError, NegativeCycleError, DoesNotFitError, DeviceError, InputOutputError
        With the messages of the command line.
    KeyboardInterrupt
        Ctrl-C ends the work within a fifth of a second; what an `output` has is kept for
        `resume`.

    Notes
    -----
    Floyd-Warshall in blocks (Sao 2021), nested dissection and sweeps over the factor (Delling
    2011), Johnson (1977), breadth-first searches side by side (Then 2014); docs/architecture.md
    has the papers.

    Examples
    --------
    >>> import apsp
    >>> roads = apsp.Graph.from_edges(list("ABAC"), list("BCCD"), [30, 20, 60, 70],
    ...                               directed=False)
    >>> result = apsp.solve(roads)
    >>> result.distance("A", "D")
    120.0
    >>> result.path("A", "D")
    ['A', 'B', 'C', 'D']
    """
    require_apart(output, graph)
    graph = as_graph(graph, weight)
    given = dict(sources=sources, targets=targets, algorithm=algorithm, semiring=semiring,
                 value_type=value_type, tolerance=tolerance, device=device, keep=keep, stored=stored, output=output,
                 compress=compress, predecessors=predecessors, via=via, hops=hops,
                 statistics=statistics, memory=memory, device_memory=device_memory, disk=disk,
                 threads=threads, resume=resume, overwrite=overwrite)
    options = native_options(graph, given)
    with teller(progress) as tell, labelled(graph):
        native, plan = _apsp.solve(graph._native, options, tell)
    return Result._of(native, graph, plan=Plan(plan), path=options.get("output"))


@door
def plan(graph, *, weight=..., measure=False, **options):
    """What `solve` would do with these options, and why; nothing is solved.

    Parameters
    ----------
    graph, weight : as in `solve`
    measure : bool
        Whether the machine is measured anew.
    **options
        As in `solve`.

    Returns
    -------
    Plan
        A mapping of plain values; printed, the line of the command line. What does not fit is
        no error here: ``plan["fits"]`` and ``plan["what_would_fit"]`` tell. ``plan["advice"]``
        has the same as keywords: each dict of options by itself lets the solve through.

    Examples
    --------
    >>> import apsp
    >>> apsp.plan(apsp.generate("gnp", 50), threads=1)["algorithm"]
    'floyd-warshall'
    """
    require_apart(options.get("output"), graph)
    graph = as_graph(graph, weight)
    plan = Plan(_apsp.plan(graph._native, native_options(graph, options), measure))
    for told in (plan, *plan["candidates"]):
        for key in ("what_would_fit", "why_place", "why_not"):
            if key in told:
                told[key] = worded(told[key])
    return plan


@door
def rows(graph, *, weight=..., on_device=False, **options):
    """Rows of distances as they are found, without a matrix: each once, in any order.

    Parameters
    ----------
    graph, weight, **options
        As in `solve`; the solve runs while blocks are taken, a few ahead.
    on_device : bool
        True: a GPU finds the rows, and ``distances`` stay in its memory, as a `DeviceArray` that
        CuPy, PyTorch and JAX take without a copy. It is valid until the next block is asked for.
        What uses it by then on other streams than the current one has to be waited for.

    Yields
    ------
    RowBlock
        ``sources``: labels [k]; ``distances``: [k, n], or [k, len(targets)].

    Raises
    ------
    UsageError
        No algorithm finds these rows on a GPU (`on_device`). Others as of `solve`.

    Examples
    --------
    >>> import apsp
    >>> ring = apsp.Graph.from_edges(range(6), [1, 2, 3, 4, 5, 0], directed=False)
    >>> sum(block.distances.sum() for block in apsp.rows(ring))
    np.uint64(54)
    """
    require_apart(options.get("output"), graph)
    graph = as_graph(graph, weight)
    options.setdefault("keep", "statistics")
    options.setdefault("statistics", False)
    if on_device and options.get("device", "auto") == "auto":
        options["device"] = "cuda"
    return stream_of(graph, native_options(graph, options), on_device)


@door
def open(path, graph=None, *, weight=..., semiring="min-plus", metric=None):
    """A stored result, ``.zarr`` or ``.npy``.

    A factor is not read before more is asked of it than the distances of a few pairs (16, if its
    vertices are numbers). What reads it then raises `InputError` where it is damaged.

    Parameters
    ----------
    path : path
    graph, weight : as in `solve`, optional
        Needed for an ``.npy``, which holds only the matrix.
    semiring : str
        Of an ``.npy``.
    metric : str, optional
        The weights that `apsp.update` keeps inside the result under this name.

    Returns
    -------
    Result
    """
    if isinstance(graph, (str, os.PathLike)) and _same_file(path, graph):
        raise UsageError(f"{os.fspath(graph)} holds the distances, not the graph: name the "
                         "graph that was solved")
    given = None if graph is None else as_graph(graph, weight)
    path = os.fspath(path)
    if metric is not None:
        path = _apsp.metric_path(path, metric)
    native, stamp = _held.of_one(
        path, lambda: _apsp.open(path, None if given is None else given._native, semiring))
    return Result._of(native, given, path=path, stamp=stamp)


@door
def metrics(path):
    """The names of the metrics that `apsp.update` keeps inside a result, sorted: a list of str."""
    return _apsp.metrics(os.fspath(path))


def _same_file(one, other):
    return os.path.exists(one) and os.path.exists(other) and os.path.samefile(one, other)
