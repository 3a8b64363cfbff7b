"""All distances of many small graphs in one call."""

from typing import NamedTuple

import numpy as np

from . import _apsp
from ._arrays import LARGEST, as_numpy, as_weights, is_on_gpu
from ._calls import door
from ._errors import UsageError
from ._matrix import _TYPES, _copy, _kind, _layout_of, _number, _own, _unmasked
from ._progress import teller
from ._sparse import entries_of, is_sparse

_BETTER = {"min-plus": np.minimum, "min-max": np.minimum, "max-plus": np.maximum, "max-min": np.maximum,
           "or-and": np.logical_or}  # ⊕


@door
def solve_batch(graphs, *, semiring="min-plus", via=False, unweighted=False, cutoff=None, no_path=None, pad=None,
                dtype=None, overwrite=False, threads=0, progress=None):
    """Distances of many small graphs in one call: on the CPU, shared among all threads, or on the GPU of an array.

    Parameters
    ----------
    graphs : array, shape (b, n, n), or sequence of graphs
        Matrices of weights, as `floyd_warshall` takes them; those on a GPU are solved there. Graphs of a sequence
        may differ in size. Each is a sparse array of SciPy, whose stored entries are edges; a dense matrix of weights; or a
        tuple (n, sources, targets) or (n, sources, targets, weights) of directed edges between the vertices 0 …
        n − 1. The best of parallel edges counts.
    semiring : str
        See `solve`.
    via : bool
        Whether to return intermediate vertices too: path(i, j) is path(i, k) and path(k, j) with k = via[i, j]. −1
        is an edge, i = j, or no path. (Graphormer's ``path``.)
    unweighted : bool
        True: counts edges. An entry of a dense matrix is then an edge unless it is 0, infinite, or no path.
    cutoff : number, optional
        Larger distances count as no path. Requires "min-plus" or "min-max".
    no_path : number, optional
        The value of pairs without a path. Default: −1 if `unweighted`, else as in `floyd_warshall`.
    pad : number, optional
        Only for sequences: returns one array with the largest n, and this value outside the smaller graphs.
    dtype : dtype, optional
        Only for sequences: float32, float64, int32 or uint16. Default: float32 if all weights are, else float64.
    overwrite : bool
        See `floyd_warshall`. Only for arrays of weights.
    threads : int
        0: all.
    progress : bool or callable, optional
        See `solve`. Counts graphs.

    Returns
    -------
    distances : array, shape (b, n, n), or list of arrays, shapes (n, n)
        For an array one of the same library and type, with the bits of ``floyd_warshall(graphs[i])``; int32 if
        `unweighted`. For a sequence NumPy arrays that share one block of memory.
    via : the same of int32
        Only if `via`.

    Raises
    ------
    UsageError, NegativeCycleError, DoesNotFitError
        As `floyd_warshall`. The message begins with the number of the graph, from 0.

    Examples
    --------
    >>> import apsp
    >>> import numpy as np
    >>> bonds = np.array([[[0, 1, 0], [1, 0, 0], [0, 0, 0]]])
    >>> apsp.solve_batch(bonds, unweighted=True)
    array([[[ 0,  1, -1],
            [ 1,  0, -1],
            [-1, -1,  0]]], dtype=int32)
    >>> apsp.solve_batch([(2, [0], [1], [2.5]), (1, [], [])])
    [array([[0. , 2.5],
           [inf, 0. ]]), array([[0.]])]
    """
    semiring = str(semiring).replace("_", "-")
    there = is_on_gpu(graphs)
    array = there or hasattr(graphs, "__dlpack__") or hasattr(graphs, "shape")
    for wrong, why in [
            (semiring not in _BETTER, f"there is no semiring {semiring!r}; known: {', '.join(_BETTER)}"),
            (unweighted and semiring != "min-plus", "unweighted counts edges of shortest paths: leave semiring out"),
            (cutoff is not None and not semiring.startswith("min"), f"cutoff needs least distances, not {semiring}"),
            (is_sparse(graphs), "one sparse array is one graph: give a sequence of them"),
            (array and not (pad is None and dtype is None), "pad and dtype are for sequences: an array has one size and type"),
            (overwrite and (unweighted or not array), "overwrite is for an array of weights")]:
        if wrong:
            raise UsageError(why)
    if there:
        return _solved_there(graphs, semiring, via, unweighted, cutoff, no_path, overwrite, threads, progress)
    if not array:
        batch = _listed(list(graphs), semiring, unweighted, pad is not None, dtype)
    else:
        batch = _stacked(_unit_weights(graphs) if unweighted else _own(graphs) if overwrite else _copy(graphs))
    paths = None
    if via:
        paths = np.full(_numbers(batch.values).shape, -1, np.int32)
        paths = _stacked(paths) if array else batch._replace(values=paths)
    _solve(batch, paths, semiring, threads, progress)
    results = [_reported(batch.values, semiring, unweighted, cutoff, no_path), *([paths.values] if via else [])]
    if not array:
        results = [_separated(batch, values, fill) for values, fill in zip(results, (pad, None if pad is None else -1))]
    elif _kind(graphs) == "torch":
        import torch

        results = [torch.as_tensor(values) for values in results]
    return tuple(results) if via else results[0]


def solve_stack(matrices, semiring, device, stream, threads, progress):
    """Solves an array (b, n, n) in place."""
    semiring = str(semiring).replace("_", "-")
    if is_on_gpu(matrices):
        _solve_there(matrices, None, semiring, device, stream, threads, progress)
    elif device not in ("auto", "cpu"):
        raise UsageError("batches in CPU memory are solved there: move the array to the GPU (torch: .cuda(), cupy.asarray)")
    else:
        _solve(_stacked(matrices), None, semiring, threads, progress)
    return matrices


def _solved_there(graphs, semiring, via, unweighted, cutoff, no_path, overwrite, threads, progress):
    """`solve_batch` of an array on a GPU, whose library makes the other arrays."""
    library = None
    if via or unweighted or cutoff is not None or no_path is not None:
        if _kind(graphs) not in ("torch", "cupy"):
            raise UsageError("arrays on a GPU have via, unweighted, cutoff and no_path if they are of PyTorch or CuPy")
        library = __import__(_kind(graphs))
    values = _unit_weights_there(library, graphs) if unweighted else _own(graphs) if overwrite else _copy(graphs)
    at = {"device": values.device} if _kind(values) == "torch" else {}
    paths = library.full(tuple(values.shape), -1, dtype=library.int32, **at) if via else None
    _solve_there(values, paths, semiring, "auto", None, threads, progress)
    if cutoff is not None or no_path is not None or unweighted:
        dtype = np.dtype(str(values.dtype).removeprefix("torch."))
        beyond = values == _no_path(semiring, dtype)
        if cutoff is not None:
            beyond |= values > cutoff
        if dtype.kind == "u" and no_path is not None and no_path < 0:
            raise UsageError(f"{dtype} cannot hold no_path={no_path}")
        fill = -1 if unweighted else _no_path(semiring, dtype)
        values[beyond] = fill if no_path is None else no_path
    return (values, paths) if via else values


def _unit_weights_there(library, graphs):
    """1 for an edge, and "no path", as int32 on the GPU."""
    dtype = np.dtype(str(graphs.dtype).removeprefix("torch."))
    there = graphs != 0
    if dtype.kind == "f":
        if bool(library.isnan(graphs).any()):
            raise UsageError("an entry is NaN")
        there &= ~library.isinf(graphs)
    elif dtype.name in LARGEST:
        there &= (graphs != LARGEST[dtype.name]) & (graphs != -LARGEST[dtype.name] if dtype.kind == "i" else True)
    if library.__name__ == "torch":
        units = library.full(tuple(graphs.shape), LARGEST["int32"], dtype=library.int32, device=graphs.device)
        return units.masked_fill_(there, 1)
    return library.where(there, library.int32(1), library.int32(LARGEST["int32"]))


def _solve_there(matrices, paths, semiring, device, stream, threads, progress):
    layout = _layout_of(matrices, stream)
    if len(layout.shape) != 3 or layout.shape[1] != layout.shape[2] or layout.dtype not in _TYPES:
        raise UsageError(f"matrices are an array (b, n, n) of float32, float64, int32, uint16 or bool, not of the shape "
                         f"{tuple(layout.shape)} and {layout.dtype}")
    count, n, _ = layout.shape
    step, down, across = layout.strides if count * n > 1 else (n, n, 1)
    step = step if count > 1 else n * max(down, n)
    apart = across == 1 and down >= n and step >= (n - 1) * down + n
    if not layout.writeable or n > 1 and not apart or down % 1 or step % 1:
        raise UsageError("the array is read-only, or its rows are not contiguous: leave overwrite out")
    via = 0 if paths is None else _layout_of(paths, stream).address
    with teller(progress) as tell:
        _apsp.solve_batch_on_device(layout.address, (count, n, int(down), int(step)), _TYPES[layout.dtype], via,
                                    (_number(layout.gpu, device), layout.stream),
                                    {"semiring": semiring, "threads": threads}, tell)


class _Batch(NamedTuple):
    """Matrices inside an array: graph i has rows of sides[i] values, strides[i] apart, from starts[i] on."""

    values: object
    starts: np.ndarray
    sides: np.ndarray
    strides: np.ndarray

    def places(self):
        """(addresses, sides, strides) for the extension."""
        numbers = _numbers(self.values)
        return numbers.__array_interface__["data"][0] + self.starts * numbers.itemsize, self.sides, self.strides


def _solve(batch, paths, semiring, threads, progress):
    with teller(progress) as tell:
        _apsp.solve_batch(batch.places(), _TYPES[_numbers(batch.values).dtype.name], paths and paths.places(),
                          {"semiring": semiring, "threads": threads}, tell)


def _numbers(values):
    """The values of an array in CPU memory as a NumPy array, without a copy."""
    return values.detach().numpy() if _kind(values) == "torch" else values


def _stacked(matrices):
    layout = _layout_of(matrices, None)
    if len(layout.shape) != 3 or layout.shape[1] != layout.shape[2] or layout.dtype not in _TYPES:
        raise UsageError(f"matrices are an array (b, n, n) of float32, float64, int32, uint16 or bool, not of the shape "
                         f"{tuple(layout.shape)} and {layout.dtype}")
    count, n, _ = layout.shape
    step, down, across = layout.strides if count * n > 1 else (1, n, 1)
    apart = across == 1 and down >= n and (count < 2 or abs(step) >= (n - 1) * down + n)
    if not layout.writeable or not apart or down % 1 or step % 1:
        raise UsageError("the array is read-only, or its rows are not contiguous: leave overwrite out")
    each = np.ones(count, np.int64)
    return _Batch(matrices, np.arange(count) * int(step), n * each, int(down) * each)


def _edges(entries, unweighted):
    """Where dense matrices have an edge."""
    there = entries != 0 if unweighted or entries.dtype.kind == "b" else np.ones(entries.shape, bool)
    if entries.dtype.kind == "f":
        return there & ~np.isinf(entries)
    return there & (np.abs(entries) != LARGEST.get(entries.dtype.name, 0) if entries.dtype.kind in "iu" else True)


def _unit_weights(graphs):
    """1 for an edge, and "no path", as uint16."""
    entries = _unmasked(as_numpy(_numbers(graphs), "graphs"))
    if entries.dtype.kind == "f" and np.isnan(entries).any():
        raise UsageError(f"graph {np.argwhere(np.isnan(entries))[0][0]}: an entry is NaN")
    return np.where(_edges(entries, True), np.uint16(1), np.uint16(LARGEST["uint16"]))


def _no_path(semiring, dtype):
    largest = LARGEST.get(dtype.name, np.inf)
    return 0 if semiring == "or-and" else largest if semiring.startswith("min") else 0 if dtype.kind == "u" else -largest


def _reported(values, semiring, unweighted, cutoff, no_path):
    """Solved values with the caller's value of no path."""
    if no_path is None and cutoff is None and not unweighted:
        return values
    numbers = _numbers(values)
    none = _no_path(semiring, numbers.dtype)
    beyond = numbers == none
    if cutoff is not None:
        beyond |= numbers > cutoff
    if unweighted:
        values = numbers = numbers.astype(np.int32)
        none = -1
    if numbers.dtype.kind == "u" and no_path is not None and no_path < 0:
        raise UsageError(f"{numbers.dtype} cannot hold no_path={no_path}")
    numbers[beyond] = none if no_path is None else no_path
    return values


def _listed(graphs, semiring, unweighted, padded, dtype):
    """The weights of a list of graphs as matrices one after another, or padded to the largest."""
    sides, of_arcs, columns, weights = _arcs_of_csr(graphs) or _arcs_of_graphs(graphs, unweighted)
    strides = np.full(len(sides), sides.max(initial=0)) if padded else sides
    starts = np.cumsum(strides**2) - strides**2
    if unweighted or semiring == "or-and":
        dtype = np.uint16 if unweighted else bool
    elif dtype is None:
        dtype = np.float32 if weights.dtype == np.float32 else np.float64
    dtype = np.dtype(dtype)
    if dtype.name not in _TYPES:
        raise UsageError(f"distances are float32, float64, int32 or uint16, not {dtype.name}")
    batch = _Batch(np.full(int((strides**2).sum()), _no_path(semiring, dtype), dtype), starts, sides, strides)
    first = sides.cumsum() - sides
    place = (starts - first * strides).repeat(sides) + np.arange(sides.sum()) * strides.repeat(sides)
    at = of_arcs(place)
    at += columns
    if unweighted or semiring == "or-and":
        batch.values[at] = 1
        return batch

    def graph_of(arc):
        return of_arcs(np.arange(len(sides)).repeat(sides))[arc]

    def name_of(arc):
        graph = graph_of(arc)
        return f"graph {graph}: the weight {(of_arcs(place)[arc] - starts[graph]) // strides[graph]} → {columns[arc]}"

    exact = as_weights(weights, len(at), where=name_of)
    taken = exact.astype(dtype, copy=False)
    if dtype.kind in "iu" and (taken != exact).any():
        raise UsageError(f"graph {graph_of((taken != exact).argmax())}: {dtype} cannot hold a weight")
    _BETTER[semiring].at(batch.values, at, taken)
    return batch


def _joined(weights):
    """The weights of all graphs: of float32 only if those of each are."""
    joined = np.concatenate(weights)
    mixed = joined.dtype == np.float32 and any(part.dtype != np.float32 for part in weights)
    return joined.astype(np.float64) if mixed else joined


def _arcs_of_csr(graphs):
    """(sides [b], of_arcs, columns [m], weights [m]) of csr arrays; None for other graphs, and if parts of one contradict each
    other. of_arcs(values of the rows of all graphs, one after another) are those of the arcs [m]."""
    if not graphs or not all(kind.__module__.startswith("scipy.sparse") and kind.__name__.startswith("csr_")
                             for kind in {type(graph) for graph in graphs}):
        return None
    shapes = np.array([graph.shape for graph in graphs])
    parts = [[graph.indptr for graph in graphs], [graph.indices for graph in graphs], [graph.data for graph in graphs]]
    lengths = np.array([[len(values) for values in part] for part in parts])
    offsets, columns, weights = *map(np.concatenate, parts[:2]), _joined(parts[2])
    sides, last = shapes[:, 0], lengths[0].cumsum() - 1
    side = sides[0] * (sides == sides[0]).all()
    degrees = np.delete(np.diff(offsets), last[:-1])
    if (shapes.T != sides).any() or (lengths != [sides + 1, offsets[last], offsets[last]]).any() or \
            offsets[last - sides].any() or (degrees < 0).any() or \
            (columns.view(f"u{columns.itemsize}") >= (side or sides.repeat(lengths[1]))).any():  # negative ones are large then
        return None
    return sides, lambda values: values.repeat(degrees), columns, weights


def _arcs_of_graphs(graphs, unweighted):
    """The same of graphs of any kind."""
    arcs = [_arcs_of(graph, i, unweighted) for i, graph in enumerate(graphs)] or [(0, *np.zeros((3, 0), np.int64))]
    sides = np.array([n for n, *_ in arcs], np.int64)
    before = (sides.cumsum() - sides).repeat([len(rows) for _, rows, *_ in arcs])
    rows, columns, weights = list(zip(*arcs))[1:]
    rows = before + np.concatenate(rows)
    return sides[:len(graphs)], lambda values: values[rows], np.concatenate(columns), _joined(weights)


def _arcs_of(graph, number, unweighted):
    """(n, rows [m], columns [m], weights [m])."""
    try:
        if is_sparse(graph):
            return entries_of(graph)[:4]
        if isinstance(graph, tuple):
            n, *ends = graph[0], *(np.asarray(as_numpy(end, "ends")) for end in graph[1:3])
            if any(end.size and end.dtype.kind not in "iu" for end in ends):
                raise UsageError("sources and targets are integers")
            rows, columns = (end.astype(np.int64) for end in ends)
            arcs = int(n), rows, columns, np.asarray(graph[3]) if len(graph) > 3 else np.ones(rows.shape)
            square = rows.ndim == 1
        else:
            entries = _unmasked(as_numpy(graph, "weights"))
            rows, columns = np.nonzero(_edges(entries, unweighted))
            arcs = len(entries), rows, columns, entries[rows, columns]
            square = entries.shape == 2 * entries.shape[:1]
        if not square or not arcs[1].shape == arcs[2].shape == arcs[3].shape:
            raise UsageError("a matrix is not square, or ends and weights differ in number")
        if any(ends.size and (ends.min() < 0 or ends.max() >= arcs[0]) for ends in (rows, columns)):
            raise UsageError("a vertex is not 0 … n − 1")
        return arcs
    except (UsageError, ValueError) as error:
        raise UsageError(f"graph {number}: {error}") from error


def _separated(batch, values, pad):
    """One array of each graph, or all in one array with `pad` outside the smaller ones."""
    if pad is None and len(set(batch.sides.tolist())) == 1:
        return [*values.reshape(len(batch.sides), *2 * batch.sides[:1].tolist())]
    if pad is None:
        return [values[start:start + n * n].reshape(n, n) for start, n in zip(batch.starts.tolist(), batch.sides.tolist())]
    side = int(batch.strides.max(initial=0))
    values = values.reshape(len(batch.sides), side, side)
    outside = np.arange(side) >= batch.sides[:, None]
    values[outside[:, :, None] | outside[:, None, :]] = pad
    return values
