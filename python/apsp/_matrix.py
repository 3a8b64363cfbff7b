"""Floyd-Warshall on a dense matrix in place, on the CPU or on a GPU."""

from math import prod
from typing import NamedTuple

import numpy as np

from . import _apsp
from ._arrays import as_numpy, is_on_gpu
from ._calls import door
from ._errors import UsageError
from ._frames import kind_of, matrix_of_pandas
from ._options import bytes_of

_TYPES = {"float32": "f32", "float64": "f64", "int32": "i32", "uint16": "u16", "bool": "bool"}
_CODES = {0: "int", 1: "uint", 2: "float", 6: "bool"}  # DLPack's kinds of numbers
_CUDA = (2, 13)  # DLPack's kDLCUDA and kDLCUDAManaged


class _Layout(NamedTuple):
    address: int
    shape: tuple
    strides: tuple  # values
    dtype: str
    writeable: bool
    gpu: int | None = None  # number of the GPU, −1: unknown; None: CPU memory
    stream: int = 0


@door
def floyd_warshall(matrix, *, semiring="min-plus", overwrite=False, device="auto", stream=None,
                   device_memory=None, threads=0, progress=None):
    """Distances from a dense matrix of weights, as an array of the same library, type and device.

    An array (b, n, n) holds b matrices, which are solved as `solve_batch` does.

    Parameters
    ----------
    matrix : array, shape (n, n) or (b, n, n)
        The weight of i → j at [i, j]: float32, float64, int32 or uint16 (bool with "or-and"). No edge is
        infinity, 2³⁰ − 1 for int32, 2¹⁵ − 1 for uint16; if larger is better, −infinity, −(2³⁰ − 1) and 0.
        Arrays of NumPy, CuPy, PyTorch, JAX and others with ``__cuda_array_interface__`` or ``__dlpack__``
        are accepted. A matrix on a GPU is solved on that GPU.
    semiring : str
        See `solve`.
    overwrite : bool
        True: the matrix itself becomes the distances and is returned; its rows must be contiguous. After
        an error its values are undefined.
    device : str
        Device for a matrix in CPU memory: "auto", "cpu", "cuda" or "cuda:N". "cuda:N" also names the GPU of
        an array that does not report it.
    stream : int or stream, optional
        A stream of the GPU. The solve begins after its present work, and its later work begins after the
        solve. No other stream waits. Default: the current one of PyTorch or CuPy, else the default stream.
    device_memory : int or str, optional
        Bytes of GPU memory in addition to the matrix, at most. Default: the free memory.
    threads : int
        0: all.
    progress : bool or callable, optional
        See `solve`.

    Returns
    -------
    array, shape of `matrix`
        An array of the same library as `matrix`; of NumPy for lists and other sequences.

    Raises
    ------
    UsageError
        The matrix is not square, has another type or a NaN, or its rows are not contiguous (`overwrite`).
    NegativeCycleError, DoesNotFitError, DeviceError

    Notes
    -----
    Blocked Floyd-Warshall (Sao 2021, Algorithm 2). A matrix on a GPU with real values of both signs, or of
    bool, is copied to the host and back.

    Examples
    --------
    >>> import apsp
    >>> import numpy as np
    >>> no = np.inf
    >>> apsp.floyd_warshall(np.array([[0, 3, no], [no, 0, 4], [1, no, 0]], np.float32))
    array([[0., 3., 7.],
           [5., 0., 4.],
           [1., 4., 0.]], dtype=float32)
    """
    from ._batch import solve_stack
    from ._progress import teller

    result = _own(matrix) if overwrite else _copy(matrix)
    layout = _layout_of(result, stream)
    if overwrite and not layout.writeable:
        raise UsageError("the matrix is read-only: leave overwrite out")
    if len(layout.shape) == 3:
        return solve_stack(result, semiring, device, stream, threads, progress)
    n, stride = _square(layout)
    options = {"semiring": str(semiring).replace("_", "-"), "threads": threads}
    if device_memory is not None:
        options["device_memory"] = bytes_of(device_memory, "device_memory")
    on_device = None
    if layout.gpu is None:
        options["device"] = device
    else:
        on_device = (_number(layout.gpu, device), layout.stream)
    with teller(progress) as tell:
        _apsp.floyd_warshall(layout.address, n, stride, _TYPES[layout.dtype], on_device, options, tell)
    return result


def described(out, device):
    """(layout of an array that a solve fills, device of that solve)."""
    layout = _layout_of(out, None)
    if layout.dtype not in _TYPES:
        raise UsageError(f"distances are float32, float64, int32 or uint16, not {layout.dtype}")
    return layout, device if layout.gpu is None else f"cuda:{_number(layout.gpu, device)}"


def _kind(array):
    return type(array).__module__.partition(".")[0]


def _own(matrix):
    if _kind(matrix) in ("jax", "jaxlib"):
        raise UsageError("arrays of JAX never change: leave overwrite out")
    if not is_on_gpu(matrix) and _kind(matrix) != "torch" and not isinstance(matrix, np.ndarray):
        raise UsageError(f"a {type(matrix).__name__} cannot be overwritten: give an array of NumPy")
    return matrix


def _copy(matrix):
    """A row-major copy of the same library."""
    kind = _kind(matrix)
    if kind == "torch":
        import torch

        return matrix.detach().clone(memory_format=torch.contiguous_format)
    if kind in ("jax", "jaxlib"):
        import jax.numpy

        copy = jax.numpy.array(matrix, copy=True).block_until_ready()
        return copy if is_on_gpu(copy) else np.array(copy)
    if kind_of(matrix) == ("pandas", "DataFrame"):
        matrix = matrix_of_pandas(matrix)[0]
    if not is_on_gpu(matrix):
        return np.array(_unmasked(as_numpy(matrix, "weights")), order="C")
    if kind == "cupy":
        return matrix.copy(order="C")
    copy = getattr(matrix, "copy", None) or getattr(matrix, "clone", None)
    if copy is None:
        raise UsageError(f"a {type(matrix).__name__} cannot be copied: overwrite=True solves it in place")
    return copy()


def _unmasked(values):
    if isinstance(values, np.ma.MaskedArray):
        raise UsageError("a masked array says nothing of its masked places here: fill it with "
                         "infinity (.filled(numpy.inf)), or take apsp.Graph.from_numpy")
    return values


def _layout_of(array, stream):
    if _kind(array) == "torch":
        return _layout_of_torch(array, stream)
    if not is_on_gpu(array):
        values = np.asarray(_unmasked(array))
        if not values.dtype.isnative:
            raise UsageError("values stand in the other order of bytes: convert them first")
        strides = tuple(step / values.itemsize for step in values.strides)
        return _Layout(values.__array_interface__["data"][0], values.shape, strides,
                       values.dtype.name, values.flags.writeable)
    number = -1
    if hasattr(array, "__dlpack_device__"):
        device_type, number = array.__dlpack_device__()
        if int(device_type) not in _CUDA:
            raise UsageError(f"the matrix lies on device {number} of DLPack's type "
                             f"{int(device_type)}: copy it to the CPU, or to a GPU of CUDA")
    if hasattr(array, "__cuda_array_interface__"):
        return _layout_by_cuda(array.__cuda_array_interface__, number, stream)
    address, shape, strides, (code, bits), _ = _apsp.layout_by_dlpack(array)
    name = _CODES.get(code, "?") + ("" if code == 6 else str(bits))
    return _Layout(address, shape, strides, name, True, number, _handle(stream))


def _layout_of_torch(tensor, stream):
    tensor = tensor.detach()
    if tensor.device.type == "cpu":
        return _layout_of(tensor.numpy(), stream)
    if tensor.device.type != "cuda":
        raise UsageError(f"the matrix lies on {tensor.device}: copy it to the CPU, or to a GPU of CUDA")
    if stream is None:
        import torch

        stream = torch.cuda.current_stream(tensor.device)
    return _Layout(tensor.data_ptr(), tuple(tensor.shape), tuple(tensor.stride()),
                   str(tensor.dtype).removeprefix("torch."), True, tensor.device.index,
                   _handle(stream))


def _layout_by_cuda(told, number, stream):
    """Layout from the CUDA array interface, version 2 or 3."""
    if told.get("mask") is not None:
        raise UsageError("masks of arrays on a GPU are not taken: put infinity where no edge is")
    dtype = np.dtype(told["typestr"])
    shape = tuple(told["shape"])
    steps = told.get("strides") or tuple(dtype.itemsize * step for step in _contiguous(shape))
    address, read_only = told["data"]
    if stream is None:
        stream = told.get("stream")
    return _Layout(address, shape, tuple(step / dtype.itemsize for step in steps), dtype.name,
                   not read_only, number, _handle(stream))


def _contiguous(shape):
    return tuple(prod(shape[axis + 1:]) for axis in range(len(shape)))


def _handle(stream):
    """A cudaStream_t as a number."""
    if stream is None:
        return 0
    for name in ("cuda_stream", "ptr"):  # PyTorch, CuPy
        if hasattr(stream, name):
            return int(getattr(stream, name))
    if hasattr(stream, "__cuda_stream__"):
        return int(stream.__cuda_stream__()[1])
    return int(stream)


def _number(told, device):
    if device == "auto":
        return max(told, 0)
    named = str(device).partition(":")
    number = int(named[2]) if named[2].isdecimal() else max(told, 0)
    if named[0] != "cuda" or (told >= 0 and number != told):
        where = "a GPU" if told < 0 else f"cuda:{told}"
        raise UsageError(f"the matrix lies on {where}, and is solved there, not on {device}: leave "
                         "device out, or copy the matrix")
    return number


def _square(layout):
    """(n, values from one row to the next) of a matrix that can be solved in place."""
    if len(layout.shape) != 2 or layout.shape[0] != layout.shape[1]:
        raise UsageError(f"a matrix of the shape {tuple(layout.shape)} is not a square matrix")
    if layout.dtype not in _TYPES:
        raise UsageError("the matrix is solved as it is: float32, float64, int32, uint16 or bool, "
                         f"not {layout.dtype}; convert it first")
    n = layout.shape[0]
    down, across = layout.strides
    if n > 1 and (across != 1 or down < n or down != int(down)):
        raise UsageError("rows of the matrix are not contiguous: leave overwrite out, or copy it by rows")
    return n, int(down) if n > 1 else max(n, 1)
