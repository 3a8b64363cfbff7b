"""Converts options of a solve to the form of the library."""

import os
import re

import numpy as np

from . import _apsp
from ._errors import UsageError

_UNITS = {"": 1, "b": 1, "k": 2**10, "kib": 2**10, "kb": 10**3, "m": 2**20, "mib": 2**20, "mb": 10**6,
          "g": 2**30, "gib": 2**30, "gb": 10**9, "t": 2**40, "tib": 2**40, "tb": 10**12,
          "pib": 2**50}
_TYPES = {"float32": "f32", "float64": "f64", "int32": "i32", "uint16": "u16"}
_WORDS = ("algorithm", "semiring", "device", "keep", "stored")


def bytes_of(size, what):
    """Bytes from an int, or a text such as "8GiB", "8 GB" (10^9) or "512M" (MiB). `what`: for errors."""
    if isinstance(size, str):
        found = re.fullmatch(r"\s*(\d+(?:\.\d*)?)\s*([a-zA-Z]*)\s*", size)
        if found is None or found[2].lower() not in _UNITS:
            raise UsageError(f'{what} takes bytes, or a size such as "8GiB", not {size!r}')
        size = float(found[1]) * _UNITS[found[2].lower()]
    if isinstance(size, bool) or size < 0 or size != size:
        raise UsageError(f"{what} takes a number of bytes, not {size!r}")
    return int(size)


def limits_of(within, unit, name="within"):
    """(a number, or an array of numbers for a sequence, their words in titles). Quantities such as "15min" are
    converted to `unit`, that of the weights."""
    given = [within] if np.ndim(within) == 0 else list(within)
    numbers = [_apsp.quantity(name, each, unit) if isinstance(each, str) else float(each) for each in given]
    words = [each if isinstance(each, str) and not _is_number(each) else _apsp.with_unit(repr(number).removesuffix(".0"), unit)
             for each, number in zip(given, numbers)]
    return (numbers[0] if np.ndim(within) == 0 else np.array(numbers, dtype=np.float64)), words


def _is_number(text):
    try:
        return float(text) is not None
    except ValueError:
        return False


def value_type_of(wanted):
    """The name of a value type, from its name or a NumPy dtype; None: the library chooses."""
    if wanted is None or wanted == "auto":
        return None
    if isinstance(wanted, str) and wanted not in _TYPES:
        return wanted
    name = np.dtype(wanted).name
    if name not in _TYPES:
        raise UsageError(f"distances are float32, float64, int32 or uint16, not {name}")
    return _TYPES[name]


def require_apart(output, *inputs):
    """Raises `UsageError` if the output is one of the input files, contains one, or is inside one."""
    files = [os.fspath(given) for given in inputs if isinstance(given, (str, os.PathLike))]
    if output is not None:
        _apsp.require_apart(os.fspath(output), files)


def native_options(graph, given):
    """The options that are not None, as a dictionary for the extension."""
    options = {}
    for name, value in given.items():
        if value is None or (name in ("value_type", "algorithm", "device", "keep") and value == "auto"):
            continue
        if name in _WORDS:
            value = str(value).replace("_", "-")
        elif name in ("memory", "device_memory", "disk"):
            value = bytes_of(value, name)
        elif name == "value_type":
            value = value_type_of(value)
        elif name in ("sources", "targets"):
            value = graph._index.all(value, name)
        elif name == "output":
            value = os.fspath(value)
            if not value:
                raise UsageError('output is the path of a .zarr or an .npy, not ""; None keeps nothing')
        options[name] = value
    ends = None if graph is None else graph._index.ends
    if ends is not None and options.get("keep") == "factor":
        options["statistics"] = False  # they would count states
    elif ends is not None:
        options.setdefault("sources", list(range(len(ends))))
        options.setdefault("targets", ends.tolist())
    return options
