"""Arrays of others as NumPy's: without a copy where they lie in memory of the CPU."""

import os

import numpy as np

from ._errors import UsageError
from ._labels import counted

EXACT = 2**53  # all integers up to here are exact in float64
_ON_CPU = (1, 3)  # DLPack's kDLCPU and kDLCUDAHost


def as_numpy(values, what):
    """A NumPy array of anything that is one: NumPy, DLPack, Arrow, pandas, sequences.

    Raises
    ------
    UsageError
        The array lies in the memory of a GPU.
    """
    if isinstance(values, np.ndarray):
        return values
    if hasattr(values, "__cuda_array_interface__"):
        raise _on_device(what, "a GPU")
    if hasattr(values, "__dlpack_device__"):
        kind, number = values.__dlpack_device__()
        if int(kind) not in _ON_CPU:
            raise _on_device(what, f"device {number} of DLPack's type {int(kind)}")
        try:
            return np.from_dlpack(values)
        except (BufferError, RuntimeError, TypeError, ValueError):
            pass  # a type that DLPack has not: strings, values with nulls
    if hasattr(values, "to_numpy"):  # pandas, Arrow
        try:
            return values.to_numpy()
        except ValueError:
            pass  # Arrow's strings have to be copied
    return np.asarray(values)


def as_labels(values, what):
    """The same [m], where labels in a sequence may be sequences themselves, such as (row, column)."""
    if isinstance(values, (list, tuple)) and any(isinstance(value, tuple) for value in values):
        return np.fromiter(values, dtype=object, count=len(values))
    return as_numpy(values, what)


def is_on_gpu(values):
    """Whether it is an array in memory that is not the CPU's."""
    if isinstance(values, np.ndarray):
        return False
    if hasattr(values, "__dlpack_device__"):
        return int(values.__dlpack_device__()[0]) not in _ON_CPU
    return hasattr(values, "__cuda_array_interface__")


def _on_device(what, where):
    return UsageError(f"{what} lie on {where}, and graphs are made of arrays in the memory of the CPU: copy "
                      "them first (torch: .cpu(), cupy: .get(), jax: numpy.asarray); a dense matrix "
                      "is solved on the GPU by apsp.floyd_warshall")


def as_places(coordinates):
    """(file, x [n], y [n]) of a file, of an array [n, 2] or of None; what is not there is None."""
    if coordinates is None:
        return None, None, None
    if isinstance(coordinates, (str, os.PathLike)):
        return os.fspath(coordinates), None, None
    places = as_numpy(coordinates, "coordinates")
    if places.ndim != 2 or places.shape[1] != 2 or places.dtype.kind not in "iuf":
        raise UsageError(f"coordinates have the shape (n, 2), not {places.shape}")
    return None, *np.ascontiguousarray(places.T, dtype=np.float64)


def as_weights(values, count, what="weights"):
    """float64 [count], C-contiguous; None for None. Values of other types are converted.

    Raises
    ------
    UsageError
        No real numbers, another number of them, or an integer that float64 cannot hold exactly.
    """
    if values is None:
        return None
    weights = as_numpy(values, what)
    if weights.dtype == object or weights.dtype.kind not in "biuf":
        raise UsageError(f"{what} are real numbers, not {weights.dtype}")
    if weights.shape != (count,):
        raise UsageError(f"{what} have the shape {weights.shape} for {counted(count, 'edge', 'edges')}")
    if not hasattr(values, "dtype") and weights.dtype.kind == "f" and beyond_exact(weights).any():
        for value in values:  # integers of Python's, which became floats among other floats
            if isinstance(value, int) and abs(value) > EXACT:
                raise _inexact(what, value, "")
    require_exact(weights, what)
    return np.ascontiguousarray(weights, dtype=np.float64)


def require_exact(values, what):
    """Nothing, if float64 holds all values of an array that are integers.

    Raises
    ------
    UsageError
        An integer that float64 cannot hold exactly.
    """
    if values.dtype.kind in "iu" and values.dtype.itemsize == 8 and beyond_exact(values).any():
        at = tuple(map(int, np.argwhere(beyond_exact(values))[0]))
        raise _inexact(what, values[at], f" at {list(at)}")


def beyond_exact(values):
    """Where a number may be an integer that float64 does not hold: of greater magnitude than 2^53,
    or a float that such an integer may have become."""
    if values.dtype.kind == "f":
        return np.abs(values) >= EXACT
    beyond = values > EXACT
    return beyond if values.dtype.kind == "u" else beyond | (values < -EXACT)


def _inexact(what, value, where):
    return UsageError(f"{what}: {value}{where} is an integer beyond 2^53, which float64 cannot hold exactly")
