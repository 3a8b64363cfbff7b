"""Solves graphs, plans solves, iterates over rows, opens results."""

import os

from . import _apsp, _store
from ._calls import door
from ._errors import UsageError, worded
from ._graph import Graph
from ._options import native_options, require_apart
from ._progress import teller
from ._reading import as_graph
from ._result import Plan, Result
from ._rows import labelled, stream_of


@door
def solve(graph, *, weight=..., lengths=None, sources=None, targets=None, algorithm="auto", semiring="min-plus",
          value_type="auto", tolerance=None, device="auto", keep="auto", stored=None, output=None,
          compress=False, predecessors=False, via=False, hops=False, statistics=True, memory=None,
          device_memory=None, disk=None, threads=0, resume=False, overwrite=False, progress=None):
    """Solves all-pairs best paths of a graph.

    Parameters
    ----------
    graph : Graph, or an object that can be converted
        A path or an open file, a SciPy sparse array, a dense NumPy matrix, a NetworkX or igraph graph, a
        table of pandas, polars or Arrow, or a result (its graph).
    weight : str, function or None
        The attribute or column of weights, for NetworkX, igraph and tables; for NetworkX also a function
        f(u, v, data). None: every edge has the weight 1. Default: "weight", or the only other column of a
        table. A missing attribute or column is an error.
    lengths : str, optional
        A formula, such as "inverse" or "sqrt(1-w)": weights become lengths as `Graph.with_lengths` says.
    sources, targets : sequence of vertices, optional
        Distinct. Only distances from, or to, these vertices. Default: all.
    algorithm : str
        "auto", "floyd-warshall", "nested-dissection", "boundary", "johnson" or "bfs".
    semiring : str
        "min-plus" (shortest), "max-min" (widest), "min-max", "max-plus" (longest, without
        cycles) or "or-and" (reachability).
    value_type : str or dtype
        "f32", "f64", "i32", "u16" or "auto". "auto": the narrowest type that holds every distance of
        integers; for real weights float32, or float64 if the error would exceed `tolerance`.
    tolerance : float, optional
        Greatest error of float32, relative to the distance, that "auto" accepts. Default: 1e-5.
    device : str
        "auto", "cpu", "cuda", "cuda:N", "cuda:N,M" (both together) or "cuda:all".
    keep : str
        The data that the result keeps: "auto", "matrix", "factor" or "statistics".
    stored : str, optional
        The data in `output`: "matrix" or "factor".
    output : path, optional
        "x.zarr" or "x.npy". It appears when it is complete.
    compress : bool
        Whether to compress every chunk of a .zarr with zstd.
    predecessors, via, hops : bool
        More planes to keep: the last vertex before the target, also with `sources`; for all pairs an
        intermediate vertex, the number of edges.
    statistics : bool
        Whether to compute statistics during the solve.
    memory, device_memory, disk : int or str, optional
        Bytes, at most, such as "8GiB". Default: the free memory or disk space.
    threads : int
        0: all.
    resume, overwrite : bool
        Resume from what a killed run left next to `output`, or remove that and start over.
    progress : bool or callable, optional
        True: a bar (of tqdm if installed). A function is called about ten times a second with
        (task, done, total, unit).

    Returns
    -------
    Result

    Raises
    ------
    UsageError, NegativeCycleError, DoesNotFitError, DeviceError, InputOutputError
        Messages are those of the command line.
    KeyboardInterrupt
        Ctrl-C ends the work within a fifth of a second. Complete parts of `output` are kept for `resume`.

    Notes
    -----
    Blocked Floyd-Warshall (Sao 2021), nested dissection and sweeps over the factor (Delling 2011), Johnson
    (1977), multi-source breadth-first search (Then 2014). docs/architecture.md lists the papers.

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
    graph = as_graph(graph, weight, lengths=lengths)
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
def plan(graph, *, weight=..., lengths=None, measure=False, **options):
    """Plans a solve with these options, without solving.

    Parameters
    ----------
    graph, weight, lengths : see `solve`
    measure : bool
        Whether to measure the machine again.
    **options
        See `solve`.

    Returns
    -------
    Plan
        A mapping of plain values, printed as one line. A solve that does not fit is no error here: see
        ``plan["fits"]`` and ``plan["what_would_fit"]``. ``plan["advice"]`` lists dicts of options; with
        any one of them the solve would fit.

    Examples
    --------
    >>> import apsp
    >>> apsp.plan(apsp.generate("gnp", 50), threads=1)["algorithm"]
    'floyd-warshall'
    """
    require_apart(options.get("output"), graph)
    graph = as_graph(graph, weight, lengths=lengths)
    plan = Plan(_apsp.plan(graph._native, native_options(graph, options), measure))
    for told in (plan, *plan["candidates"]):
        for key in ("what_would_fit", "why_place", "why_not"):
            if key in told:
                told[key] = worded(told[key])
    return plan


@door
def rows(graph, *, weight=..., on_device=False, **options):
    """Iterates over rows of distances without a matrix: each row once, in any order.

    Parameters
    ----------
    graph, weight, **options
        See `solve`. The solve runs during the iteration, a few blocks ahead.
    on_device : bool
        True: a GPU computes the rows, and ``distances`` stay in its memory as a `DeviceArray`, which CuPy,
        PyTorch and JAX accept without a copy. It is valid until the next block is requested. Before that,
        wait for work on streams other than the current one.

    Yields
    ------
    RowBlock
        ``sources``: labels [k]; ``distances``: [k, n], or [k, len(targets)].

    Raises
    ------
    UsageError
        No algorithm computes these rows on a GPU (`on_device`).
    Error
        See `solve`.

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
    """Opens a stored result, ``.zarr`` or ``.npy``.

    A factor is read only when needed: the distances of up to 16 pairs need no complete read if vertices
    are numbers. A later read raises `InputError` if the factor is damaged.

    Parameters
    ----------
    path : path
        The stored result.
    graph, weight : see `solve`, optional
        Required for an ``.npy``, which holds only the matrix.
    semiring : str
        Required for an ``.npy`` unless "min-plus".
    metric : str, optional
        Name of the weights that `apsp.update` keeps inside the result.

    Returns
    -------
    Result

    Raises
    ------
    UsageError
        The graph is missing or another one, or there is no such metric.
    InputError
        The result is damaged.
    InputOutputError
        The result cannot be read.
    """
    if isinstance(graph, (str, os.PathLike)) and _same_file(path, graph):
        raise UsageError(f"{os.fspath(graph)} holds the distances, not the graph: name the "
                         "graph that was solved")
    given = None if graph is None else as_graph(graph, weight)
    path = os.fspath(path)
    if metric is not None:
        path = _apsp.metric_path(path, metric)
    native, stamp = _store.of_one(
        path, lambda: _apsp.open(path, None if given is None else given._native, semiring))
    return Result._of(native, given, path=path, stamp=stamp)


@door
def metrics(path):
    """Sorted names of the metrics that `apsp.update` keeps inside a result: a list of str."""
    return _apsp.metrics(os.fspath(path))


def _same_file(one, other):
    return os.path.exists(one) and os.path.exists(other) and os.path.samefile(one, other)
