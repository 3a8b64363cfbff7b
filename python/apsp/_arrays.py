"""Arrays of other libraries as NumPy arrays, without a copy if they are in CPU memory."""

import math
import numbers
import os
import sys

import numpy as np

from ._errors import UsageError
from ._labels import counted

EXACT = 2**53  # all integers up to here are exact in float64
LARGEST = {"int32": 2**30 - 1, "uint16": 2**15 - 1}  # "no path" in distances of integers
_ON_CPU = (1, 3)  # DLPack's kDLCPU and kDLCUDAHost


def as_numpy(values, what):
    """Any array (NumPy, DLPack, Arrow, pandas, sequences) as a NumPy array.

    Raises
    ------
    UsageError
        The array is in GPU memory, or its parts differ in length.
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
            pass  # DLPack has no strings and no nulls
    if hasattr(values, "to_numpy"):  # pandas, Arrow
        try:
            return values.to_numpy()
        except ValueError:
            pass  # Arrow's strings have to be copied
    try:
        return np.asarray(values)
    except (TypeError, ValueError) as error:
        raise UsageError(f"{what} are no array: {error}") from error


def objects(values):
    """The values [m] unchanged, as a NumPy array of objects."""
    values = values.to_pylist() if hasattr(values, "to_pylist") else list(values)
    return np.fromiter(values, dtype=object, count=len(values))


def as_labels(values, what):
    """Ends of edges [m] from any sequence; each keeps its type.

    NumPy would convert the integers of ``[2, "x"]`` to texts, tuples to rows, and large integers next to
    floats to floats. Such sequences become arrays of objects.
    """
    if isinstance(values, (list, tuple)):
        if any(isinstance(value, tuple) for value in values):
            return objects(values)
        try:
            array = np.asarray(values)
        except ValueError:
            return objects(values)
        kind = array.dtype.kind
        if array.ndim != 1:
            return array if kind in "biuf" else np.asarray(values, dtype=object)
        if kind in "iu" or (kind in "bf" and all(isinstance(value, (bool, float)) for value in values)):
            return array
        return objects(values)
    array = _filled(as_numpy(values, what))
    if array.ndim == 0:
        raise UsageError(f"{what} are a {type(values).__name__}: give a list or an array")
    if array.dtype.kind in "mM":  # tolist() would return nanoseconds
        return objects(values)
    return array


def _filled(values):
    """An array without a mask: masked places hold None."""
    return np.where(np.ma.getmaskarray(values), None, values.data) if np.ma.is_masked(values) else values


def missing_at(values):
    """Index of the first missing value (None, NaN, NaT, pandas.NA) in an array [m]; None if all are present."""
    if values.dtype.kind == "f":
        missing = np.isnan(values)
    elif values.dtype.kind == "O":
        pandas = sys.modules.get("pandas")  # pandas.NA exists only if it is imported
        missing = pandas.isna(values) if pandas else np.fromiter(map(_is_missing, values), bool, len(values))
    else:
        return None
    return int(missing.argmax()) if missing.any() else None


def _is_missing(value):
    return value is None or (isinstance(value, (float, np.floating, np.datetime64)) and value != value)


def is_on_gpu(values):
    """Whether an array is outside CPU memory."""
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
    """(file, x [n], y [n]) from a file name, an array [n, 2] or None; the others are None."""
    if coordinates is None:
        return None, None, None
    if isinstance(coordinates, (str, os.PathLike)):
        return os.fspath(coordinates), None, None
    places = as_numpy(coordinates, "coordinates")
    if places.ndim != 2 or places.shape[1] != 2 or places.dtype.kind not in "iuf":
        raise UsageError(f"coordinates have the shape (n, 2), not {places.shape}")
    return None, *np.ascontiguousarray(places.T, dtype=np.float64)


def as_weights(values, count, what="weights", where=None, truth=True):
    """float64 [count], C-contiguous; None for None. Values of other types are converted.

    `where(i)`: the name of weight i in errors, such as "the weight in row 3". If given, weights must be
    finite; otherwise infinity is allowed (it removes an edge). `truth`: False: True and False are an error.

    Raises
    ------
    UsageError
        The values are not `count` real numbers, or float64 cannot hold an integer exactly.
    """
    if values is None:
        return None
    finite = where is not None
    where = where or (lambda i: f"{what}[{i}]")
    listed = isinstance(values, (list, tuple))
    try:
        weights = np.asarray(values) if listed else _filled(as_numpy(values, what))
    except (TypeError, ValueError):
        weights = objects(values)
    if not truth and (weights.dtype.kind == "b" or ((listed or weights.dtype.kind == "O") and
                                                    not {bool, np.bool_}.isdisjoint(map(type, values)))):
        raise UsageError(f"{what} are numbers, not True and False: select the edges, or give 1 and 0")
    if weights.dtype.kind not in "biuf" or (listed and weights.ndim != 1):
        if not listed and (weights.dtype.kind not in "OUSc" or weights.ndim != 1):
            raise UsageError(f"{what} are real numbers, not {weights.dtype}")
        given = objects(values) if listed else weights
        weights = np.array([_real(value, where, i) for i, value in enumerate(given)], dtype=np.float64)
    if weights.shape != (count,):
        raise UsageError(f"{what} have the shape {weights.shape} for {counted(count, 'edge', 'edges')}")
    if listed and weights.dtype.kind == "f" and beyond_exact(weights).any():
        for i, value in enumerate(values):  # Python integers that became floats next to floats
            _real(value, where, i)
    require_exact(weights, what)
    if finite and weights.dtype.kind == "f" and not np.isfinite(weights).all():
        i = int(np.argmin(np.isfinite(weights)))
        raise UsageError(f"{where(i)} is {weights[i]}, and weights are finite numbers")
    return np.ascontiguousarray(weights, dtype=np.float64)


def _real(value, where, i):
    """One weight as a float."""
    if not isinstance(value, numbers.Real) and type(value).__name__ != "Decimal":
        what = "missing" if _is_missing(value) or type(value).__name__ in ("NAType", "NaTType") else (
            f"{value!r}, and weights are real numbers: pandas.to_numeric converts texts, total_seconds() durations")
        raise UsageError(f"{where(i)} is {what}")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if math.isfinite(number) and abs(number) < EXACT:
        return number
    integral = isinstance(value, (int, np.integer)) or (
        not isinstance(value, (float, np.floating)) and math.isfinite(number) and value == int(value))
    if integral and abs(value) > EXACT:
        text = f"{value}, " if abs(value) < 10**30 else ""
        raise UsageError(f"{where(i)} is {text}an integer beyond 2^53, which float64 cannot hold exactly")
    return number


def require_exact(values, what):
    """Checks that float64 holds every integer of an array exactly.

    Raises
    ------
    UsageError
        float64 cannot hold an integer exactly.
    """
    if values.dtype.kind in "iu" and values.dtype.itemsize == 8 and beyond_exact(values).any():
        at = tuple(map(int, np.argwhere(beyond_exact(values))[0]))
        raise UsageError(f"{what}: {values[at]} at {list(at)} is an integer beyond 2^53, which float64 cannot "
                         "hold exactly")


def beyond_exact(values):
    """Boolean array: where a value may be an integer that float64 does not hold exactly. Integers count if
    their magnitude exceeds 2^53, floats if it is at least 2^53."""
    if values.dtype.kind == "f":
        return np.abs(values) >= EXACT
    beyond = values > EXACT
    return beyond if values.dtype.kind == "u" else beyond | (values < -EXACT)
