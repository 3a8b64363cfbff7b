"""Writes distances into a caller's array, on the CPU or on a GPU."""

import numpy as np

from ._calls import door
from ._errors import UsageError
from ._frames import vertices_of
from ._matrix import described
from ._reading import as_graph
from ._solve import rows


@door
def distances(graph, out, *, weight=..., sources=None, targets=None, device="auto", **options):
    """Writes the distances from `sources` to `targets` into a caller's array.

    Parameters
    ----------
    graph, weight : see `solve`
    out : array, shape (len(sources), len(targets))
        float32, float64, int32 or uint16, of NumPy, PyTorch or CuPy. Its type is the type of the solve. An
        array on a GPU is filled on that GPU, without a copy through the host. No path is infinity,
        2³⁰ − 1 for int32, 2¹⁵ − 1 for uint16.
    sources, targets : see `solve`
    device : str
        See `solve`. For an array on a GPU: that GPU.
    **options
        See `solve`.

    Returns
    -------
    array
        `out`. After an error its values are undefined.

    Raises
    ------
    UsageError
        `out` has another shape or type, is read-only, or is a JAX array, which cannot change.
    DoesNotFitError, DeviceError, NegativeCycleError

    Examples
    --------
    >>> import apsp
    >>> import numpy as np
    >>> ring = apsp.Graph.from_edges(range(4), [1, 2, 3, 0])
    >>> apsp.distances(ring, np.empty((2, 4), np.int32), sources=[3, 1])
    array([[1, 2, 3, 0],
           [3, 0, 1, 2]], dtype=int32)
    """
    graph = as_graph(graph, weight)
    kind = type(out).__module__.partition(".")[0]
    if kind in ("jax", "jaxlib"):
        raise UsageError("arrays of JAX never change: make one of the blocks of apsp.rows(graph, on_device=True)")
    layout, device = described(out, device)
    sources = graph.labels if sources is None else vertices_of(sources, "sources")
    shape = len(sources), len(graph if targets is None else (targets := vertices_of(targets, "targets")))
    if tuple(layout.shape) != shape:
        raise UsageError(f"out has the shape {tuple(layout.shape)}, and these distances have {shape}")
    if not layout.writeable:
        raise UsageError("out is read-only")
    on_gpu = layout.gpu is not None
    if on_gpu and kind not in ("cupy", "torch"):
        raise UsageError(f"a {type(out).__name__} on a GPU is not filled: give an array of CuPy or PyTorch, or "
                         "take apsp.rows(graph, on_device=True)")
    put = {"cupy": _by_cupy, "torch": _by_torch}[kind] if on_gpu else _by_numpy
    row_of = {source: i for i, source in enumerate(sources)}
    blocks = rows(graph, sources=sources if len(sources) < len(graph) else None, targets=targets,
                  value_type=layout.dtype, device=device, on_device=on_gpu, **options)
    for block in blocks:
        put(out, np.fromiter(map(row_of.__getitem__, block.sources), np.int64), block.distances)
    return out


def _by_numpy(out, numbers, values):
    np.asarray(out)[numbers] = values


def _by_cupy(out, numbers, values):
    import cupy

    with out.device:
        out[cupy.asarray(numbers)] = cupy.asarray(values)


def _by_torch(out, numbers, values):
    import torch

    given, taken = out.detach(), torch.from_dlpack(values)
    if given.dtype == torch.uint16:  # PyTorch cannot assign uint16 by index
        given, taken = given.view(torch.int16), taken.view(torch.int16)
    given[torch.as_tensor(numbers, device=out.device)] = taken
