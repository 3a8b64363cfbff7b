"""Products of dense matrices over a semiring, on the CPU or on a GPU."""

from . import _apsp
from ._calls import door
from ._errors import UsageError
from ._matrix import _TYPES, _copy, _kind, _layout_of, _number, _own
from ._options import bytes_of


@door
def multiply_add(c, a, b, *, semiring="min-plus", device="auto", stream=None, device_memory=None, threads=0,
                 progress=None):
    """C ← C ⊕ A ⊗ B, in place: C[i, j] ⊕ A[i, 0] ⊗ B[0, j] ⊕ … ⊕ A[i, k−1] ⊗ B[k−1, j].

    Parameters
    ----------
    c : array, shape (m, n)
        float32, float64, int32 or uint16 (bool with "or-and"), of NumPy, PyTorch or CuPy. Rows must be
        contiguous and may have gaps between them. It must hold no NaN and must not overlap `a` or `b`;
        windows of one array do not overlap if they share no value. Arrays of JAX cannot change, so the
        result is a new array.
    a, b : arrays, shapes (m, k) and (k, n)
        The type and device of `c`. Other layouts are copied by rows. Both may be the same array. No path is
        infinity, 2³⁰ − 1 for int32, 2¹⁵ − 1 for uint16; if larger is better, −infinity, −(2³⁰ − 1) and 0.
    semiring : str or (str, str)
        "min-plus", "max-plus", "min-max", "max-min" or "or-and". For arrays on a GPU also a pair of ⊕ and
        ⊗: ("min", "max", "+", "or") and ("+", "-", "*", "min", "max", "and"), such as ("max", "*"). "or" and
        "and" are bitwise. NVRTC compiles a pair at its first call, in about a second.
    device : str
        Device for arrays in CPU memory: "cpu" (also "auto"), "cuda" or "cuda:N". "cuda:N" also names the GPU
        of an array that does not report it.
    stream : int or stream, optional
        See `floyd_warshall`. Default: the current one of PyTorch or CuPy, else the default stream.
    device_memory : int or str, optional
        Bytes of GPU memory in addition to the arrays, at most. Default: the free memory.
    threads : int
        0: all.
    progress : bool or callable, optional
        See `solve`.

    Returns
    -------
    array, shape (m, n)
        `c`; a new array for JAX.

    Raises
    ------
    UsageError
        Shapes do not match, types differ or are not supported, `c` overlaps an operand or is read-only, or
        `a` or `b` has a NaN (not checked for pairs).
    DoesNotFitError
        int32 sums of both signs reach 2²⁸ on a GPU.
    DeviceError
        There is no GPU, or no NVRTC.

    Notes
    -----
    The outer update of Floyd-Warshall (Sao 2021, Algorithm 2), with packed operands (Goto, van de Geijn:
    Anatomy of high-performance matrix multiplication, 2008). A sum of integers that reaches no path is no
    path. Operands of bool on a GPU are copied through the host.

    Examples
    --------
    >>> import apsp
    >>> import numpy as np
    >>> hops = np.array([[0, 5, 9], [5, 0, 2], [9, 2, 0]], np.int32)
    >>> apsp.multiply_add(hops.copy(), hops, hops)
    array([[0, 5, 7],
           [5, 0, 2],
           [7, 2, 0]], dtype=int32)
    """
    from ._progress import teller

    changes = _kind(c) not in ("jax", "jaxlib")
    result = _own(c) if changes else _copy(c)
    target = _layout_of(result, stream)
    if target.dtype not in _TYPES:
        raise UsageError(f"products are of float32, float64, int32, uint16 or bool, not {target.dtype}; convert first")
    if changes and not target.writeable:
        raise UsageError("C is read-only")
    a, left = _operand(a, "A", target, stream)
    b, right = _operand(b, "B", target, stream)
    matrices = [_described(layout, title) for layout, title in ((target, "C"), (left, "A"), (right, "B"))]
    options = {"threads": threads}
    expressions = None
    if isinstance(semiring, str):
        options["semiring"] = semiring.replace("_", "-")
    else:
        expressions = _pair(semiring, target)
    if device_memory is not None:
        options["device_memory"] = bytes_of(device_memory, "device_memory")
    on_device = None
    if target.gpu is None:
        options["device"] = "cpu" if device == "auto" else device
    else:
        on_device = (_number(target.gpu, device), target.stream)
    with teller(progress) as tell:
        _apsp.multiply_add(*matrices, _TYPES[target.dtype], on_device, expressions, options, tell)
    return result


def _pair(semiring, target):
    names = tuple(semiring)
    if len(names) != 2 or not all(isinstance(name, str) for name in names):
        raise UsageError(f"a semiring is a name, or a pair of ⊕ and ⊗ such as ('max', '*'), not {semiring!r}")
    if target.gpu is None:
        raise UsageError("⊕ and ⊗ by name are compiled for GPUs: give arrays of a GPU, or a semiring by its name")
    return names


def _operand(matrix, title, target, stream):
    """(operand in a readable layout, layout). The operand must live until the product is done."""
    if _kind(matrix) in ("jax", "jaxlib"):
        matrix = matrix.block_until_ready()
    try:
        layout = _layout_of(matrix, stream)
        if not _by_rows(layout):
            matrix = _copy(matrix)
            layout = _layout_of(matrix, stream)
    except UsageError as error:
        raise UsageError(f"{title}: {error}") from None
    if layout.dtype != target.dtype:
        raise UsageError(f"C is of {target.dtype} and {title} of {layout.dtype}: convert one of them")
    if (layout.gpu is None) != (target.gpu is None) or (layout.gpu != target.gpu and -1 not in (layout.gpu, target.gpu)):
        raise UsageError(f"C lies on {_place(target)} and {title} on {_place(layout)}: copy one of them")
    if layout.gpu is not None and layout.stream != target.stream:
        raise UsageError(f"C and {title} come from different streams: name one that both are ready on, with stream=")
    return matrix, layout


def _place(layout):
    if layout.gpu is None:
        return "the CPU"
    return "a GPU" if layout.gpu < 0 else f"cuda:{layout.gpu}"


def _by_rows(layout):
    if len(layout.shape) != 2 or 0 in layout.shape:
        return True
    down, across = layout.strides
    rows, cols = layout.shape
    return (cols == 1 or across == 1) and (rows == 1 or (down >= cols and down == int(down)))


def _described(layout, title):
    """(address, rows, columns, values from one row to the next)."""
    if len(layout.shape) != 2:
        raise UsageError(f"{title} of the shape {tuple(layout.shape)} is not a matrix")
    if not _by_rows(layout):
        raise UsageError(f"rows of {title} are not contiguous: copy it by rows")
    rows, cols = layout.shape
    return layout.address, rows, cols, int(layout.strides[0]) if rows > 1 and cols > 0 else cols
