"""Arrays of others as NumPy's: without a copy where they lie in memory of the CPU."""

import os

import numpy as np

from ._errors import UsageError

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
        return values.to_numpy()
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
    """float64 [count], C-contiguous; None for None. Values of other types are converted."""
    if values is None:
        return None
    weights = as_numpy(values, what)
    if weights.dtype == object or weights.dtype.kind not in "biuf":
        raise UsageError(f"{what} are real numbers, not {weights.dtype}")
    if weights.shape != (count,):
        raise UsageError(f"{what} have the shape {weights.shape}, and there are {count} edges")
    return np.ascontiguousarray(weights, dtype=np.float64)
